"""The lab of reachability: turn a direction and look for the hardest one."""

from __future__ import annotations

from functools import lru_cache

from derl.show.labs.controls import Choice, Lab, Slider, Steps, View
from derl.show.reachability.figures import direction_picture
from derl.show.reachability.lab import INSTANCES, reachability_lab

run = lru_cache(maxsize=64)(reachability_lab)


def view(azimuth: int, elevation: int, instance: str) -> View:
    """The best policy for a direction."""
    lab = run(azimuth, elevation, instance)
    return View(lab.sentence, (direction_picture(lab),), None, ("elevation",) if len(lab.theta) == 2 else ())


LAB = Lab("reachability", "Which direction is hardest to reach?",
          "Turn a direction in feature space and try to get below the dashed line. "
          "A certificate shows that you cannot.",
          view, (
              Steps("azimuth", "azimuth", 10, -180, 180, 5),
              Slider("elevation", "elevation", tuple(range(-90, 91, 5)), 0, "{}°"),
              Choice("instance", "instance", tuple(INSTANCES), "hexagon")), "reachability/reachability")

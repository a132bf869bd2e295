"""The lab of Algorithm 2: policies are chosen offline, one after the other."""

from __future__ import annotations

from derl.show.arbitrary.figures import growth
from derl.show.arbitrary.lab import INSTANCES, PLANES, VERSIONS, cover_lab, cover_step
from derl.show.labs.controls import Choice, Lab, Slider, Steps, View

MOST_STEPS = 400


def view(policy: int, layer: int, version: str, instance: str, plane: str) -> View:
    """Layer h after i policies; beyond the last layer, the last one."""
    lab = cover_lab(instance, version)
    step = cover_step(lab, min(layer, len(lab.lengths)), policy, plane)
    return View(step.sentence, growth(step), min(step.length, MOST_STEPS),
                ("plane",) if lab.mdp.dim == 2 else ())


LAB = Lab("arbitrary", "Algorithm 2: one deployment per layer, chosen offline",
          "Policies join one by one, each where the uncertainty is largest, until their ellipse covers the disc.",
          view, (
              Steps("policy", "policy i", 3, 1, MOST_STEPS),
              Slider("layer", "layer h", (1, 2, 3, 4), 2),
              Choice("version", "version", VERSIONS, "self-certifying"),
              Choice("instance", "instance", tuple(INSTANCES), "simplex"),
              Choice("plane", "plane", PLANES, "leading")), "arbitrary/algorithm-two")

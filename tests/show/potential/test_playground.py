"""The lab of the potential shows the first batches of the run, each on its side of the level."""

import numpy as np

from derl.show.potential import playground


def test_batches_and_violations_until_now():
    lab = playground.run(3, 1000, 0.003, "axes")
    played, k = lab.trajectory, 7
    lines = {line.get_label(): line for line in playground.batches(lab, k).axes[0].lines}
    above, below = lines["violates"], lines["does not"]
    assert sorted([*above.get_xdata(), *below.get_xdata()]) == list(range(1, k + 1))
    assert (above.get_ydata() > 0.003).all() and (below.get_ydata() <= 0.003).all()
    steps, level = (playground.count(lab, k).axes[0].lines[i].get_ydata() for i in (0, 1))
    np.testing.assert_array_equal(steps, [0, *np.cumsum(played.violates[:k])])
    assert set(level) == {played.sharp_bound} and steps[-1] <= played.sharp_bound


def test_the_sentence_tells_the_batch_and_in_the_end_the_run():
    whole = playground.run(3, 1000, 0.003, "axes")
    early, late = (playground.view(k, "axes", 1000, 0.003, 3) for k in (2, playground.MOST_STEPS))
    assert early.sentence.startswith("batch 2 ") and f"allows {whole.trajectory.sharp_bound}" in early.sentence
    assert late.sentence == whole.sentence and early.last == min(len(whole.trajectory.trace), playground.MOST_STEPS)

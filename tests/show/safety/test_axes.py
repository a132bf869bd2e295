"""What the axes and legends of the figures say, written out; that each curve is what its name says is tested beside."""

import pytest
from read_figure import lines, read

from derl.experiments import small_batches
from derl.show.safety import figures, playground
from derl.show.safety import lab as labs

FALLEN = r"fell by more than $\epsilon$"
PARTS = """
        blue - o = the mixture
        green -- s = its pessimistic part
        red : x = its optimistic part
        orange v = {}
        grey -. = optimum"""
SAID = {
    "path": (lambda: figures.mixture_path(labs.safe_mixture_lab(0.5)), f"""
        x: deployment k; y: expected return J{PARTS.format(FALLEN)}"""),
    "lab": (lambda: playground.path(labs.safe_mixture_lab(0.5), 3), f"""
        x: deployment k; y: expected return J{PARTS.format("fell too far")}"""),
    "price": (lambda: figures.price_of_exploring((0.01, 0.5), batch_size=10**10), r"""
        x: fraction $\alpha$ that explores, log; y: J lost in one step, log
        blue - o = largest drop
        red -- = allowed: $\epsilon$
        x: fraction $\alpha$ that explores, log; y: deployments
        green s = finished
        red x = not finished"""),
    "curve": (lambda: figures.sample_efficient_curve(2, 2, 0.2, 0.1, 3), """
        x: largest batch allowed $N_0$, log; y: deployments K, log
        orange : = repetition, $c_K=2$
        red -- = repetition, best $c_K$
        blue - = updated as early as possible
        green - = the same, one count for all layers
        grey -. = $dH+1$"""),
}


@pytest.mark.parametrize("name", SAID)
def test_axes_and_legends(name):
    figure, said = SAID[name]
    assert read(figure()) == lines(said)


def test_runs_against_the_batch_size(monkeypatch):
    """A bound of 1000/N and a run of half of it, so that no algorithm has to run."""
    monkeypatch.setattr(small_batches, "bound", lambda spec, size: 2 * (10**6 // size + 1))
    monkeypatch.setattr(small_batches, "measured", lambda spec, size, allowed: (allowed // 2, None))
    figure = figures.runs_against_batch_size()
    assert [line.replace("deployments K, ", "") for line in read(figure)] == lines("""
        x: batch size N, log; y: log
        blue -- = bound
        red o = runs""") * len(small_batches.SPECS)
    assert figure.axes[0].get_ylabel() == "deployments K"
    for panel in figure.axes:
        assert list(panel.lines[0].get_ydata()) == [2 * (10**6 // size + 1) for size in small_batches.SIZES]
        assert list(panel.lines[1].get_ydata()) == [10**6 // size + 1 for size in small_batches.SIZES]
    assert [panel.texts[0].get_text() for panel in figure.axes] == ["random simplex", "compact bandit", "lock"]


def test_the_slider_names_its_axes_and_lines():
    figure = figures.alpha_slider((0.5,))
    assert (figure.layout.xaxis.title.text, figure.layout.yaxis.title.text) == ("deployment", "expected return J")
    assert [(line.name, line.line.dash, line.marker.symbol) for line in figure.data] == [
        ("the mixture", "solid", "circle"), ("its pessimistic part", "dash", "square"),
        ("its optimistic part", "dot", "x")]

"""The sizes with which the programs of this chapter run are those that the statements print."""

import math

import pytest

from derl.theory.beyond import exchange, modulo, one_deployment, prefix, truncation
from derl.theory.texts import said

D, H, L, EPSILON, DELTA, N, NU = 3, 5, 2, 0.25, 0.1, 1e9, 0.3
AT = {"d": D, "H": H, "L": L, "epsilon": EPSILON, "delta": DELTA, "N": N}
WAYS = {"design": "holds for every", "spanner": "for a design"}


def near(value):
    return pytest.approx(float(value), rel=1e-9)


@pytest.mark.parametrize("way", WAYS)
def test_without_reachability(way):
    theorem, rate, cover = said("res-no-reachability"), said("res-no-reachability-rate"), said(f"res-{way}-cover")
    power = theorem("p=", after=f"res-{way}-cover")
    number = theorem("K=", **AT)
    beta = said("res-cut-regression")(r"\beta=", **AT)
    found = truncation.truncation(D, H, L, EPSILON, DELTA, N, way)
    assert (found.deployments, found.beta) == (number, near(beta))
    assert found.tau == near(theorem(r"\tau=", K=number, **AT))
    assert found.kappa == near(cover(r"\kappa=", tau=found.tau, beta=beta, **AT))
    assert found.eta == near(cover(r"\eta=", tau=found.tau, **AT))
    assert truncation.demanded(D, H, L, EPSILON, DELTA, N, way) == near(theorem(
        r"N\ge", c=theorem("c=", after=f"res-{way}-cover"), p=power, K=number, beta=beta, **AT))
    assert truncation.closed_form(D, H, L, EPSILON, DELTA, way) == near(rate(
        r"N\ge", C=rate("C=", after=WAYS[way]), p=power, K=number, **AT))
    assert truncation.uncertainty(D, H, DELTA, N) == near(said("res-law-uncertainty")(
        r"\operatorname{tr}(\Sigma_h^{-1}\Lambda_h)\le y=", e=math.e, **AT))


def test_blocks():
    one, more, leverage = said("res-one-deployment"), said("res-blocks"), D
    level, t = one(r"\lambda=", c_0=one("c_0="), **AT), one("t=", **AT)
    alone = exchange.shares(D, H, EPSILON, DELTA, H, leverage)
    b = one("b=", t=t, lambda_=level, **AT)
    assert (alone.ridge, alone.scale) == (near(level), near(b))
    assert 0 <= alone.batch_size - one(r"N\ge", b=b, g=leverage, **AT) < 1
    number = math.ceil(H / L)
    found = exchange.shares(D, H, EPSILON, DELTA, L, leverage, NU)
    assert found.ridge == near(more(r"\lambda=", c_0=one("c_0="), K=number, **AT))
    events = more("t'=", tau=more(r"\tau=", nu=NU, **AT), K=number, **AT)
    assert found.cover_scale == near(more("b'=", {"t'": events}, lambda_=found.ridge, **AT))
    assert found.batch_size <= more(r"N\ge", {"b'": found.cover_scale, "t'": events}, b=found.scale, K=number,
                                    S=more("S=", g=leverage, **AT), nu=NU, **AT)
    least = exchange.shares(D, H, EPSILON, DELTA, H, leverage, mean=True)
    assert least.batch_size - H == pytest.approx((alone.batch_size - H) / D, abs=1)
    least = exchange.shares(D, H, EPSILON, DELTA, L, leverage, NU, mean=True)
    assert least.batch_size <= said("res-blocks-mean")(
        r"N\ge", {"b'": found.cover_scale, "t'": events}, after="and with spanners", b=found.scale, K=number,
        S=more("S=", g=leverage, **AT), nu=NU, **AT)
    assert (least.start, least.scale, least.cover_scale) == (found.start, found.scale, found.cover_scale)


def test_one_deployment():
    text, levels = said("res-one-deployment-confidence"), range(1, H)
    stated = sum((H - h) * math.sqrt(D**h * (285 * D + 112 * text("t_h=", h=h, **AT))) for h in levels) ** 2
    assert one_deployment.batch_size(D, H, EPSILON, DELTA, D, "bounded") == math.ceil(stated / EPSILON**2)
    assert one_deployment.batch_size(D, H, EPSILON, DELTA, D, "bounded") <= text(r"N\ge", after="is implied by", **AT)
    mean = said("res-one-deployment-mean")
    assert one_deployment.batch_size(D, H, EPSILON, DELTA, D, "mean") <= mean(r"N\ge", after="implied by", **AT)
    weights = [mean("a_h=", g=D, H=H, h=h) for h in levels]
    assert one_deployment.shares(H, D) == pytest.approx([float(one / sum(weights)) for one in weights])


def test_a_known_law():
    assert modulo.slack(D, H, DELTA, N) == near(said("res-mean-law")(
        r"\alpha=", {r"\delta_1": DELTA}, e=math.e, **AT))
    stated = said("res-exact-base-law")
    assert modulo.closed_form(D, H, L, EPSILON, DELTA) == near(stated(
        r"N\ge", Q=stated("Q=", **AT), **AT))
    blocks, first = said("res-modulo-blocks"), 1
    number = blocks("K=", L_0=first, **AT)
    beta = said("res-cut-regression")(r"\beta=", **{**AT, "delta": DELTA / 2})
    assert modulo.blocks_demand(D, H, first, L, EPSILON, DELTA, N) == near(blocks(
        r"N\ge", C=blocks("C=", after="let"), L_0=first, K=number, beta=beta, **AT))


def test_the_best_prefix():
    assert prefix.stated_size(D, H, EPSILON, DELTA, NU) == near(said("res-shortest-prefix")(r"N\ge", nu=NU, **AT))

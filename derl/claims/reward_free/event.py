"""These checks refute Lemma D.2, a step of its proof, and Equation (14) as printed, by replays in ball arithmetic.

A corner instance and a valley are replayed with the printed cap, for all likely batches, and count only where Equation
(14) holds. Equation (14) itself is broken by an exact history on the event of Lemma D.1.
"""

from __future__ import annotations

from fractions import Fraction
from math import isqrt

from derl.claims import Evidence, claim
from derl.exact.balls import precise
from derl.theory.reward_free import instances

EPSILON, DELTA = Fraction(1, 5), Fraction(1, 10)
SIZES = (10**14, 10**18, 10**40)
HISTORIES = ((1, 10**12), (1, 10**18), (5, 10**80))  # (c_beta / c, N); log N has to grow with the square of the ratio
DEPLOYMENTS = 13  # K = c_K d H + 1 for the coin, c_K = 2
LEFT = r"\min\{(w_1^k)^\top\phi,\,H-r_1^k-u_1^k\}"
TRUE, OPTIMISTIC = r"V_1^*(s_1^{kn},r^k\mid h_k)", r"V_1^k(s_1^{kn})"
MEAN, OPTIMISTIC_MEAN = r"\mathbb E[V_1^*(s_1,r^k\mid h_k)]", r"\mathbb E[V_1^k(s_1)]"


@claim("lem-overestimation-reward-free", method="interval", arithmetic="ball",
       gap="c_beta in 1, 5; smaller ones need a smaller delta, larger ones a rarer corner, which is not replayed",
       refutes=True, needs="rigor", plants=2,
       false={"the bonus uncapped inside Q": {"version": "repaired"},
              "e1 leads to U half of the time only": {"lucky": Fraction(1, 2)}})
def printed_exploration_is_not_optimistic(text, version="as-printed", lucky=Fraction(19, 20)):
    """Optimistic values below the true ones: V_1^*(C, r^k | h_k) - V_1^k(C) in the third deployment, from below;
    counted only where Equation (14) holds.

    Both printed bounds on V_1^* are false, at C and in the mean. The last one, with the factor 2H + 1, is not asked.
    """
    from derl.theory.reward_free import replay

    mdp, worst, average, exceptions = instances.corner(lucky=lucky), Fraction(10), Fraction(0), []
    for size in SIZES:
        for c_beta in (1, 5):
            draw, log_exception = replay.likely_batches(mdp, size)
            beta = replay.bonus_scale(mdp.dim, mdp.horizon, EPSILON, DELTA, c_beta)
            run = replay.replay_exploration(mdp, draw, size, 3, EPSILON, beta, version)
            deficit, nothing = run[-1].deficit[0], replay.ball(Fraction(0))
            on_event = all(ratio <= 1 for record in run for ratio in record.excess.ravel())
            value, bound = text.relation(TRUE, {
                TRUE: deficit[instances.CORNER], OPTIMISTIC: nothing}).ordered  # both from V^k on
            mean, mean_bound = text.relation(MEAN, {
                MEAN: replay.balls(mdp.initial) @ deficit, OPTIMISTIC_MEAN: nothing}).ordered
            worst = min(worst, replay.lower(value - bound) if on_event else Fraction(-1))
            average = replay.lower(mean - mean_bound)
            exceptions.append(log_exception())
    return Evidence(worst if average > 0 else Fraction(-1), Fraction(9, 100), "lower",
                    f"corner instance, N in {SIZES}, c_beta in 1, 5, all batches but those of probability "
                    f"exp({max(exceptions):.0f})", detail="d = 7, H = 2, epsilon = 1/5, delta = 1/10; average deficit "
                    f"at the largest N, c_beta = 5: {float(average):.1e}")


@claim("step-explored-value", method="interval", arithmetic="ball",
       gap="c_beta = 1; smaller ones need a smaller delta, larger ones a rarer valley, which is not replayed",
       refutes=True, needs="rigor", plants=2,
       false={"the bonus uncapped inside Q": {"version": "repaired"}})
def printed_step_needs_nonnegative_values(text, version="as-printed"):
    """Where V^k is far below zero: min{w^T phi, H - r - u} - P V^k - min{beta b, H} at R and its greedy action, fourth
    deployment, from below."""
    from derl.theory.reward_free import replay

    mdp, size = instances.valley(), 10**16
    draw, log_exception = replay.likely_batches(mdp, size)
    beta = replay.bonus_scale(mdp.dim, mdp.horizon, EPSILON, DELTA, 1)
    last = replay.replay_exploration(mdp, draw, size, 4, EPSILON, beta, version)[-1]
    here = (0, instances.RARE, instances.LAST)
    next_value = replay.balls(mdp.transitions()[here]) @ last.values[1]
    one = next_value * 0 + 1  # r = 1 and u = H, as |phi| = 1 and beta > H
    left, right = text.relation(LEFT + r"-P_1V_2^k", {
        r"(w_1^k)^\top\phi": last.predicted[here], r"r_1^k": one, r"u_1^k": mdp.horizon * one, r"P_1V_2^k": next_value,
        r"\beta": beta, r"\|\phi\|_{(\Lambda_1^k)^{-1}}": one}, H=mdp.horizon).ordered
    chosen = last.layer == 3 and last.policy[here[:2]] == instances.LAST
    on_event = all(ratio <= 1 for ratio in last.excess.ravel()) and beta >= mdp.horizon
    return Evidence(replay.lower(left - right) if chosen and on_event else Fraction(-1), Fraction(1, 10), "lower",
                    f"valley instance, N = {size:.0e}, c_beta = 1, all batches but those of probability "
                    f"exp({log_exception():.0f})", detail=f"V_2^k(C) = {float(next_value):.2f}; d = 45, H = 5")


@claim("lem-concentration-reward-free", method="interval", arithmetic="ball",
       gap="the statement: the cited proof is for values in [-H, H]", breaks_proof=True, needs="rigor",
       false={"the bonus uncapped inside Q: V_2^k(C) is then positive": {"version": "repaired"},
              "the third deployment, where E is worth 0 and C is worth H": {"deployments": 3}})
def printed_values_leave_the_class(version="as-printed", deployments=4):
    """Values below -H: V_2^k(C) + H from above on the valley, fourth deployment; the cited proof needs at least 0."""
    from derl.theory.reward_free import replay

    mdp, size = instances.valley(), 10**16
    draw, log_exception = replay.likely_batches(mdp, size)
    beta = replay.bonus_scale(mdp.dim, mdp.horizon, EPSILON, DELTA, 1)
    last = replay.replay_exploration(mdp, draw, size, deployments, EPSILON, beta, version)[-1]
    return Evidence(replay.upper(last.values[1][instances.VALLEY_STATES.index("C")]) + mdp.horizon, -1, "upper",
                    f"valley instance, d = 45, H = 5, N = {size:.0e}, c_beta = 1, all batches but those of probability "
                    f"exp({log_exception():.0f})")


@claim("eq-estimation-bias", method="interval", arithmetic="ball",
       gap="c_beta/c in 1, 5; for larger ratios log N has to grow with their square, which is not replayed",
       refutes=True, needs="rigor",
       false={"noise below beta": {"where": Fraction(-1, 2)},
              "more noise than Lemma D.1 allows: the history leaves the event": {"where": Fraction(11, 10)},
              "beta with log(dKNH/delta), as the proof needs it": {"beta_with_batch": True}})
def printed_beta_misses_the_noise(text, where=Fraction(1, 2), beta_with_batch=False):
    """A history on the event that breaks the equation: Smallest |phi^T w - P V|/(beta |phi|) at s over exact histories
    that satisfy Lemma D.1 in every deployment."""
    from derl.theory.reward_free import replay

    mdp, smallest = instances.coin(), Fraction(10**6)
    for ratio, size in HISTORIES:
        with precise():
            beta = text(r"\beta=", {r"c_\beta": replay.ball(Fraction(ratio))}, d=3, H=2, delta=DELTA, epsilon=EPSILON)
        event = replay.concentration_scale(3, 2, DEPLOYMENTS, size, DELTA, 1)
        target = (1 - where) * replay.upper(beta) + where * replay.lower(event)  # between beta and the event's bound
        more = int(target * isqrt(2 * size) / 4)  # heads beyond N/2 in each of two batches
        if beta_with_batch:
            beta = ratio * replay.concentration_scale(3, 2, DEPLOYMENTS, size, DELTA, 2)
        draw = instances.biased_coin_history(size, (size // 2 + more, size // 2 + more))
        run = replay.replay_exploration(mdp, draw, size, DEPLOYMENTS, EPSILON, beta)
        on_event = all(noise <= event for record in run for noise in record.noise)
        with precise():
            broken = max(replay.lower(error / bound) for error, bound in (
                text.relation(r"|\phi(s,a)^\top w_h^k-P_hV_{h+1}^k(s,a)|", {
                    r"\phi(s,a)^\top w_h^k": record.excess[0, 0, 0] * beta, r"P_hV_{h+1}^k(s,a)": 0, r"\beta": beta,
                    r"\|\phi(s,a)\|_{(\Lambda_h^k)^{-1}}": 1}).ordered for record in run))  # as multiples of the norm
        smallest = min(smallest, broken if on_event and run[-1].finished else Fraction(0))
    return Evidence(smallest, Fraction(101, 100), "lower", "coin instance, (c_beta/c, N) = "
                    + ", ".join(f"({ratio}, {size:.0e})" for ratio, size in HISTORIES),
                    detail="the runs end by their own rule; Lemma D.1 with constant c holds in every deployment")

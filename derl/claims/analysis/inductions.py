"""These checks take the inductions over layers in Appendix E, each as a base and a step for a symbolic layer.

P averages over the next state, b is |phi|_{Sigma_t^{-1}}, and what is known of the next layer is a symbol with its
slack. A bound B_h = base, B_t(s) = max over actions of (c b + e + P B_{t+1}) is, by Bellman's equations, the maximum
over policies of the expected sum of c b + e, plus base; without the maximum it is the expectation for one policy.
"""

from __future__ import annotations

import sympy
from sympy import Rational

from derl.claims import claim, printed, steps
from derl.exact.compared import every, exactly
from derl.exact.symbolic import at_least, equal, nonnegative, same_operator

ROOM, HALF = Rational(1, 100), Rational(1, 2)

EXCESS = (r"\max_\pi\mathbb E_\pi\Big[\sum_{h'=t}^{h-1}\|\phi_{h'}\|_{\Sigma_{h'}^{-1}}\,\Big|\,s_t\Big]")

r, s, t, u, v = sympy.symbols("r s t u v", nonnegative=True)
LARGEST = r"\max_\pi\mathbb E_\pi\|\phi\|_{\tilde\Sigma^{-1}_{h,i+1}}"
bonus, slack, lead, star, gap, cut = sympy.symbols("bonus slack lead star gap cut", nonnegative=True)
# bonus = beta b; star = P V*; lead = P (V - V*); gap = P (bound - excess); cut: what a cap takes away


@claim("res-optq-overestimation", plants=8, title="From layer t + 1 to layer t: optimism, and twice the bonus",
       false={"the bonus once, as printed: D = beta' b gives 2 beta' b": {"less": 1},
              "no bonus in Q: D = -beta' b puts Q below P V*": {"sign": 0}})
@claim("text-sketch-value", title="From layer t + 1 to layer t: optimism, and twice the bonus")
@claim("alg-solve-optq", title="From layer t + 1 to layer t: optimism, and twice the bonus")
def overestimation_from_layer_to_layer(text=printed("res-optq-overestimation"), sketch=printed("text-sketch-value"),
                                       algorithm=printed("alg-solve-optq"), less=0, sign=1):
    """D = -beta' b + slack for optimism, beta' b - slack for the excess; in layer h both values are max R."""
    one = sympy.Integer(1)
    under = text(r"V_1(s_1)\le", {r"V_1^*(s_1)": 0, r"\beta'": one, r"\xi": one}, h=t + 1, H=t + 1 + s)
    unit = {r"V^{\pi}": 0, r"\max_{\pi'}\mathbb E_{\pi'}\sum_{t<h}\|\phi_t\|_{\Sigma_t^{-1}}": 1, r"\beta'": one}
    times = min(sketch("", {r"\beta'": one}, after="The constant in $O$ is"), algorithm(r"V^*\le V\le", unit)) - less
    error = text(r"|w_t^\top\phi-P_tV_{t+1}|\le", {r"\beta'": 1, r"\|\phi\|_{\Sigma_t^{-1}}": bonus})
    below = (star + lead) + (-error + slack) + sign * bonus  # w'phi + beta' b with w'phi = P V + D
    above = (star + lead) + (error - slack) + sign * bonus - cut
    values = {"V_t^*": star, "V_t": below, r"\beta'": 1, EXCESS: bonus + (lead + gap) / times}
    lowest, highest = text.sides(r"0\le", values, after="for all states")[0], text(r"V_t\le", values)
    optimal, optimistic = text.sides(r"V_t^*\le", values)
    x = sympy.Symbol("x", nonnegative=True)
    distance, allowed = sketch.sides(rf"|V_{{h,i+1}}-{LARGEST}|\le", {
        "V_{h,i+1}": x + under, LARGEST: x, r"\xi": one, "O": lambda each: (times + less) * each})
    rewards, layers = text.interval(after="reward of layer $h$ lie in"), text("t<", h=t + 1) - 1
    bound = times * bonus + (lead + gap)  # 2 beta' b + P U, U the bound of layer t + 1
    return steps([
        "optimism",
        ("step: w'phi + beta' b >= P V*", at_least(optimistic, optimal, bonus, slack, lead)),
        ("the cap: P V* <= 1, so min(., 1) stays above it: 1 - P V* >= 0 for V* = 1/(1 + s); and V* >= 0",
         every(exactly(rewards.high, 1), exactly(rewards.low, 0), at_least(1, 1 / (1 + s), s),
               at_least(star, lowest, star))),
        "excess",
        ("step: Q <= P V* + 2 beta' b + P U", at_least(star + bound, above, bonus, slack, gap, cut)),
        ("which is the printed bound", at_least(highest, above, bonus, slack, lead, gap, cut)),
        "first state",
        ("at the greedy action: V - V^pi <= 2 beta' b + P (V - V^pi); star = P V^pi, lead = P (V - V^pi)",
         at_least(star + times * bonus + lead, above, bonus, slack, cut)),
        ("under (2): the sum of the bonuses is at most xi (h-1)/H", equal(under, times * layers / (t + 1 + s))),
        ("which is at most 2 beta' xi", at_least(times, under, s, t)),
        ("and the distance is O(xi) with this constant", at_least(allowed, distance, s, t, x)),
    ], "all layers, all states and actions; |w'phi - P V| <= beta' b, rewards in [0, 1] in layer h")


@claim("lem-bias-accumulation",
       false={"one epsilon_0 per layer instead of two": {"rounding": 1},
              "epsilon_0/2 for both roundings of the reward together": {"rewards": HALF}})
def bias_from_layer_to_layer(text, rounding=2, rewards=1):
    """From layer t + 1 to layer t; the loss of the rounded policy: V - V^{pi~} <= W: base 2 epsilon_0, step 2 beta' b +
    2 epsilon_0 + P W; then W_1 and the rounded reward."""
    eps, own, scale = sympy.symbols("eps own scale", nonnegative=True)  # own = P V^{pi~}, scale = beta' xi
    h = 1 + t
    H = h + u
    value = (own + lead) + (bonus - slack) + bonus + 2 * eps - cut  # Q(pi) <= Q(pi~) + 2 eps <= w'phi + beta' b + 2 eps
    total = 2 * scale * (h - 1) / H + (h - 1) * rounding * eps + rounding * eps
    letters = {r"\beta'": 1, r"\xi": scale}
    width = text(r"\epsilon_0\le", letters, H=H) / (1 + v)
    bound = text(r"V_1^*(s_1;\bar R)-V_1^{\bar\pi}(s_1;\bar R)\le", letters)
    return steps([
        "base",
        ("base: R(pi) - R(pi~) <= 2 epsilon_0", at_least(rounding * eps, 2 * eps / (1 + s), eps, s)),
        "step",
        ("step: V(s) - V^{pi~}(s) <= 2 beta' b + 2 epsilon_0 + P W at the action of pi~",
         at_least(2 * bonus + rounding * eps + lead + gap + own, value, bonus, slack, gap, cut, eps)),
        "first state",
        ("W_1 = 2 beta' E sum b + 2 h epsilon_0 <= 2 beta' xi (h-1)/H + 2 h epsilon_0",
         same_operator(total, 2 * scale * (h - 1) / H + 2 * h * eps)),
        "rounded reward",
        ("the rounded reward is off by epsilon_0/2, in V* and in V^{pi~}",
         at_least(rewards * eps, eps / 2 / (1 + s) + eps / 2 / (1 + r), eps, r, s)),
        "sum",
        ("2 beta' xi (h-1)/H + (2h + 1) epsilon_0 <= 3 beta' xi",
         nonnegative(sympy.together((bound - total - rewards * eps).subs(eps, width)), scale, t, u, v)),
    ], "all 1 <= h <= H, all states; |w'phi - P V| <= beta' b, epsilon_0 <= beta' xi/(2H)")


@claim("res-policy-evaluation", plants=8, title="From layer t + 1 to layer t: evaluation without a bonus",
       false={"half the error per layer": {"share": HALF}},
       as_printed={"the clip from above only: V^ = -1 leaves [0, 1]": {"clip": "above"}})
@claim("alg-covariance-repaired", title="From layer t + 1 to layer t: evaluation without a bonus")
def evaluation_from_layer_to_layer(share=1, clip="both", text=printed("res-policy-evaluation"),
                                   condition=printed("cond-induction")):
    """|V^ - V| <= B: step beta' b + P B for both signs of the error; the clip to [0, 1] keeps it.

    `share` multiplies the printed bound.
    """
    over, room, scale, xi = sympy.symbols("over room scale xi", nonnegative=True)
    h = 2 + t
    H = h + s
    error = text(r"|\phi^\top\hat w_t-P_t\hat V_{t+1}|\le", {r"\beta'": 1, r"\|\phi\|_{\Sigma_t^{-1}}": bonus})
    layers = text("t<", h=h) - 1  # t = 1, ..., h - 1
    left = r"|V^\pi(s_1)-\hat V^\pi(s_1)|\le"
    total, under = [text(left + more, {r"\mathbb E_\pi\sum_{t<h}\|\phi_t\|_{\Sigma_t^{-1}}": (h - 1) * bonus,
                                       r"\beta'": scale, r"\xi": xi}, h=h, H=H) for more in ("", "..." + r"\le")]
    values = text.interval(after="values are clipped to")
    low = values.low if clip == "both" else -over  # V = room >= 0, w'phi = -over
    high = values.high
    return steps([
        "step",
        *((f"step, {name}: |D + P (V^ - V)| <= beta' b + P B",
           at_least(share * bonus + lead + gap, sign * (sign * (error - slack) + sign * lead), bonus, slack, lead, gap))
          for name, sign in (("from above", 1), ("from below", -1))),
        ("B_1: as many terms as there are layers before h", equal(total, scale * layers * error)),
        "clip",
        ("clip at 1: V = 1 - room, V^ = 1 + over: |1 - V| <= |V^ - V|, and rewards are up to 1",
         every(at_least((1 + over) - (1 - room), high - (1 - room), over, room), exactly(high, 1),
               exactly(values.low, 0))),
        ("clip at 0: V^ = max(-over, 0) stays in [0, 1]", nonnegative(sympy.sympify(low), over)),
        ("and |0 - V| <= |-over - V|", at_least(over + room, room - low, over, room)),
        "all layers",
        ("under (2): beta' xi (h-1)/H", equal(under, scale * condition(r"...\le", h=h, H=H, xi=xi))),
    ], "all h, all policies, all rewards in [0, 1] of layer h; |w'phi - P V^| <= beta' b")


@claim("ineq-plan-loss",
       false={"the bonus once in the loss: D = beta b gives 2 beta b": {"less": 1},
              "no bonus in Q: D = -beta b puts Q below Q*": {"sign": 0}})
def plan_from_layer_to_layer(text, less=0, sign=1):
    """Algorithm 4 from layer t + 1 to layer t; optimism, and the loss of its policy: Optimism: Q >= min(P V* + r, H).
    Loss: V^ - V^pi <= 2 beta b + P (V^ - V^pi). Then V* <= V^ and condition (2)."""
    own, H = sympy.symbols("own H", nonnegative=True)
    beta, eps = sympy.symbols("beta eps", positive=True)
    rewards = text.interval(after="for every reward in")
    reward = rewards.low + (rewards.high - rewards.low) / (1 + s)  # r in [0, 1]
    error = text(r"|w_h^\top\phi-P_hV_{h+1}|\le", {r"\|\phi\|_{\Sigma_h^{-1}}": bonus}, beta=1)
    enough = text(r"\xi\le", epsilon=eps, beta=beta)
    loss = text(r"V^*-V^{\hat\pi}\le" + "." * 3 + r"\le", beta=beta, xi=enough)
    most = {r"\max_\pi\mathbb E_\pi\sum_{h\le H}\|\phi_h\|_{\Sigma_h^{-1}}": 1}
    times = text(r"V^*-V^{\hat\pi}\le", most, beta=1) - less
    optimistic = (star + lead) + (-error + slack) + sign * bonus + reward
    greedy = (own + lead) + (error - slack) + sign * bonus + reward - cut
    return steps([
        "optimism",
        ("step: w'phi + r + beta b >= P V* + r = Q*", at_least(optimistic, star + reward, bonus, slack, lead, s)),
        ("the cap: Q* <= 1 + (H - t) <= H for t >= 1",
         every(at_least(1 + t + u, 1 + u, t, u), exactly(rewards.low, 0), exactly(rewards.high, 1))),
        "loss",
        ("step: V^(s) - V^pi(s) <= 2 beta b + P (bound) at the action of pi",
         at_least(times * bonus + lead + gap + own + reward, greedy, bonus, slack, gap, cut, s)),
        "sum",
        ("2 beta xi = epsilon at xi = epsilon/(2 beta)", every(equal(loss, eps), equal(loss, times * beta * enough))),
        ("the first h of H layers: 2 beta xi h/H <= epsilon", at_least(eps, eps / (1 + t) / (1 + u), eps, t, u)),
    ], "all rewards in [0, 1], all h <= H; on |w'phi - P V^| <= beta b, the bonus uncapped inside Q")


@claim("res-spectral-telescope", plants=8,
       false={"half the error per layer": {"share": HALF},
              "k up to 1/50: the interval has length 1.04": {"room": Rational(1, 50)}})
def matrices_from_layer_to_layer(text, share=1, room=ROOM, condition=printed("cond-induction")):
    """From layer t + 1 to layer t; matrices as values, and their range: x'(V^ - V)x by quadratic forms; then unclipped
    values in [-k, 1 + k], k growing by beta' max b per layer; `share` multiplies the printed bound."""
    low, high, k, largest, scale, xi = sympy.symbols("low high k largest scale xi", nonnegative=True)
    estimated, law, value, true = sympy.symbols("estimated law value true", commutative=False)
    h, H = 2 + t, 2 + t + u
    interval = room / (1 + s)  # beta' sum of the largest b, at most `room`
    norm = {r"\|\phi_t\|_{\Sigma_t^{-1}}": bonus, r"\beta'": 1}
    error = text(r"|x^\top D_tx|\le", norm)
    left = r"\|\hat\Lambda-\Lambda\|\le"
    total, under = [text(left + more, {r"\mathbb E_\pi\sum_{t<h}\|\phi_t\|_{\Sigma_t^{-1}}": (h - 1) * bonus,
                                       r"\beta'": scale, r"\xi": xi}, h=h, H=H) for more in ("", "..." + r"\le")]
    spread, most = text.sides(r"\beta'\sum_t\max\|\phi_t\|_{\Sigma_t^{-1}}\le",
                              {r"\sum_t\max\|\phi_t\|_{\Sigma_t^{-1}}": largest, r"\beta'": 1}, kappa=k + largest)
    before, after = (text.interval(after="lie in", kappa=each) for each in (k, most))
    return steps([
        "step",
        ("the error of one layer and that of the next value",
         same_operator(estimated * value - law * true,
                       text("D_t=", {r"\hat P_t": estimated, "P_t": law, r"\hat V_{t+1}": value})
                       + law * (value - true))),
        *((f"step, {name}: |x'(D + P (V^ - V))x| <= beta' b + P B",
           at_least(share * bonus + lead + gap, sign * (sign * (error - slack) + sign * lead), bonus, slack, lead, gap))
          for name, sign in (("from above", 1), ("from below", -1))),
        "range",
        ("range, base: 0 <= (phi'x)^2 <= 1",
         every(at_least(1 / (1 + s) ** 2, before.low.subs(k, 0), s),
               at_least(before.high.subs(k, 0), 1 / (1 + s) ** 2, s))),
        ("range, step: P of values >= -k, less beta' b, is >= -(k + beta' max b)",
         at_least(before.low + low - share * spread + slack, after.low, k, low, largest, slack)),
        ("and P of values <= 1 + k, plus beta' b, is <= 1 + (k + beta' max b)",
         at_least(after.high, before.high - high + share * spread - slack, k, high, largest, slack)),
        "interval",
        ("k <= 1/100 in the layer behind: the values lie in an interval of length at most 51/50",
         at_least(Rational(51, 50), (before.high - before.low).subs(k, interval), s)),
        "all layers",
        ("B_1: as many terms as there are layers before h", equal(total, scale * (h - 1) * error)),
        ("under (2): beta' xi (h-1)/H", equal(under, scale * condition(r"...\le", h=h, H=H, xi=xi))),
    ], "all h, all policies, all unit vectors x; |x'D(s, a)x| <= beta' b for values in the interval")

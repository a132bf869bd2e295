"""More instance lemmas, and the list of all families: template, arms and digits, laws of paths and trajectories."""

from __future__ import annotations

from fractions import Fraction
from math import prod

import numpy as np
from instances import (
    law,
    policy,
    rat,
    seq,
    some,
    truth,
)

from derl.mdp import exact
from derl.mdp.instances import compact_bandit, hard_template
from derl.theory.beyond.laws import moments as covariances
from derl.theory.beyond.laws import state_laws
from derl.theory.lower_bounds import failure_without_horizon_log

ACTION = ("ord0", "(lift ord0 ord0)")


def template(rng, name: str) -> str:
    """`tJ` and `tq` of a random policy on derl's exact template with H = 2 and two states a layer; the probability of
    a trajectory; the pull of a deterministic policy."""
    core, bias = int(rng.integers(0, 2)), Fraction(int(rng.integers(1, 5)), 9)
    mdp = hard_template(2, 2, 1, 1 - core, (core, core), bias, exact=True)
    # the trajectory starts in state 0 of layer 0; there and in the core state of layer 1 there is a choice
    rows = np.array([np.eye(4, dtype=int)] * 3).astype(object)
    rows[0, 0], rows[1, core] = [*law(rng, 2), 0, 0], [*law(rng, 2), 0, 0]
    value, reached = exact.evaluate(mdp, rows).value, rows[0, 0, 1 - core]
    moves = mdp.transitions()
    path = [int(a) for a in rng.integers(0, 2, 2)]
    second, up = path[0], int(rng.integers(0, 2))
    if second == core:
        step, chance = f"Some (inl {ACTION[path[1]]})", rows[0, 0, path[0]] * rows[1, core, path[1]]
    else:
        step, chance = f"Some (inr {truth(up)})", rows[0, 0, path[0]] * moves[1, second, second, 2 + up]
    table = seq([list(map(Fraction, rows[0, 0, :2])), list(map(Fraction, rows[1, core, :2]))])
    first = int(rng.integers(0, 2))
    # in the normal state all actions do the same; the formal policy takes the one that the path names
    return f"""Definition core_{name} (h : nat) : 'I_2 := {ACTION[core]}.
Definition place_{name} : template.place 2 core_{name} :=
  exist (fun p : 'I_2 * 'I_2 => (0 < p.1)%N && (p.2 != core_{name} p.1)) (lift ord0 ord0, {ACTION[1 - core]}) isT.
Definition tpi_{name} : template.tpolicy rat_realFieldType 2 := fun pre s a =>
  if template.is_core core_{name} (size pre) s then nth 0 (nth [::] {table} (size pre)) a
  else (a == {ACTION[path[1]]})%:R.
Goal template.tJ ({rat(bias)} : rat_realFieldType) (Some place_{name}) tpi_{name} = {rat(value)}.
Proof.
rewrite /template.tJ /=; counted.
Qed.
Goal template.tq place_{name} tpi_{name} = {rat(reached)}.
Proof. rewrite /template.tq /=; counted. Qed.
Goal template_game.ttraj ({rat(bias)} : rat_realFieldType) (Some place_{name}) tpi_{name} 0 [::] None
  [:: ({ACTION[path[0]]}, Some (inl {ACTION[second]})); ({ACTION[path[1]]}, {step})] = {rat(chance)}.
Proof. by kernel. Qed.
Definition f_{name} : template_game.tdeterministic 2 := fun pre s => {ACTION[first]}.
Goal template.tq place_{name} (template_game.tpol rat_realFieldType f_{name}) = {rat(first != core)}.
Proof. rewrite /template.tq /=; counted. Qed.
Goal template_game.tpulls f_{name} place_{name} = {truth(first != core)}.
Proof. by rewrite /template_game.tpulls /template_game.follows; case: forallP => [_|[]] //; case. Qed.
Goal theorem_b2.actions core_{name} 1 (Some (inl {ACTION[core]})) = {len(rows[1, core, :2])}%N.
Proof. by vm_compute. Qed."""


def pulling(rng, name: str) -> str:
    """`bandit.q` and `lock.q`: the probability of an arm and of a code, from the probabilities of the policy; the law
    of a trajectory on the bandit."""
    rows, arm, bias = policy(rng, 2), int(rng.integers(0, 2)), Fraction(int(rng.integers(1, 5)), 9)
    digits = [int(x) for x in rng.integers(0, 2, 2)]
    table = seq([[list(map(Fraction, row)) for row in layer] for layer in rows.tolist()])
    pulled = prod(rows[h, 0, 0] for h in range(arm)) * rows[arm, 0, 1]
    played = prod(rows[h, 0, x] for h, x in enumerate(digits))
    mdp, up = compact_bandit(2, 2, (arm, 1), bias, exact=True), int(rng.integers(0, 2))
    leave = rows[0, 0, 1] * mdp.transitions()[0, 0, 1, 1 + up]
    return f"""Definition pi_{name} : policy rat_realFieldType 2 := fun pre s a =>
  nth 0 (nth [::] (nth [::] {table} (size pre)) (if s is Some x then x.+1 else 0%N)) a.
Goal bandit.q (({ACTION[arm]}, ord0) : arm 2 1) pi_{name} = {rat(pulled)}.
Proof. rewrite /bandit.q /=; counted. Qed.
Goal traj (bandit ({rat(bias)} : rat_realFieldType) (({ACTION[arm]}, ord0) : arm 2 1)) pi_{name} 0 [::] None
  [:: (lift ord0 ord0, Some {truth(up)})] = {rat(leave)}.
Proof. by kernel. Qed.
Definition c_{name} : code 2 2 := [ffun i : 'I_2 => nth ord0 [:: {"; ".join(ACTION[x] for x in digits)}] i].
Lemma hit_{name} h a : hit c_{name} h a = (h < 2)%N && (nth 0%N [:: {digits[0]}%N; {digits[1]}%N] h == a).
Proof.
rewrite /hit; apply/existsP/idP => [[i /andP[/eqP <- /eqP <-]]|/andP[h2 e]].
  by rewrite ffunE; case: i => [[|[|?]] ?].
by exists (Ordinal h2); rewrite eqxx -val_eqE ffunE /=; move: h2 e; case: h => [|[|?]].
Qed.
Goal lock.q c_{name} pi_{name} = {rat(played)}.
Proof.
rewrite /lock.q /=; do 3 (rewrite ?big_ord_recl ?big_ord0 /= ?hit_{name} /=); kernel.
Qed."""


def trajectories(rng, name: str) -> str:
    """`worth`, `mixed`, `mixture` and `prob`: the value of a mixture of two laws of three trajectories."""
    pess, opt, returns = law(rng, 3), law(rng, 3), some(rng, 3, 2)
    alpha = Fraction(int(rng.integers(1, 4)), 4)
    worth = [sum(p * x for p, x in zip(laws, returns, strict=True)) for laws in (pess, opt)]
    mixed = sum(((1 - alpha) * p + alpha * o) * x for p, o, x in zip(pess, opt, returns, strict=True))
    laws = [f"(fun t : 'I_3 => nth 0 {seq(values)} t : rat)" for values in (returns, pess, opt)]
    return f"""Goal trajectories.worth {laws[0]} (trajectories.mixed {rat(alpha)} {laws[1]} {laws[2]}) =
  {rat(mixed)}.
Proof. by rewrite /trajectories.worth /trajectories.mixed; number. Qed.
Goal mixture.mixture_value ({rat(alpha)} : rat) {rat(worth[0])} {rat(worth[1])} = {rat(mixed)}.
Proof. by kernel. Qed.
Goal prob {laws[1]} (fun t : 'I_3 => t != ord0) = {rat(pess[1] + pess[2])}.
Proof. by rewrite /prob big_mkcond /=; number. Qed."""


def paths(rng, name: str) -> str:
    """`path_law`, `one_of`, `normal_law`: two digits one after the other, two episodes, the exit of a normal state."""
    first, second, bias = law(rng, 2), law(rng, 2), Fraction(int(rng.integers(1, 5)), 9)
    digits = [int(x) for x in rng.integers(0, 2, 2)]
    up = int(rng.integers(0, 2))
    mdp = hard_template(2, 2, 1, 1, (0, 0), bias, exact=True)
    return f"""Goal remarks.path_law (fun h (a : 'I_2) => nth 0 (nth [::] {seq([first, second])} (size h)) a : rat) [::]
  [:: {ACTION[digits[0]]}; {ACTION[digits[1]]}] = {rat(first[digits[0]] * second[digits[1]])}.
Proof. by kernel. Qed.
Goal remarks.one_of 2 {rat(first[0])} = {rat(2 * first[0] - first[0] ** 2)}.
Proof. by kernel. Qed.
Goal remarks.normal_law {rat(bias)} {truth(up)} = {rat(mdp.transitions()[1, 1, 1, 2 + up])}.
Proof. by kernel. Qed."""


def planned(rng, name: str) -> str:
    """`Vopt`, `det`, `sqnorm`, and `tvalue` of a reward in one layer alone on derl's exact bandit."""
    mdp, rows = compact_bandit(2, 2, (0, 1), Fraction(1, 4), exact=True), policy(rng, 2)
    moves, reward = mdp.transitions(), some(rng, (3, 2))
    # backwards: the reward in layer 1, and one step before it
    last = [sum(p * x for p, x in zip(rows[1, s], reward[s], strict=True)) for s in range(3)]
    value = sum(rows[0, 0, a] * sum(moves[0, 0, a, s] * last[s] for s in range(3)) for a in range(2))
    estimate, bonus, best = Fraction(int(rng.integers(0, 9)), 4), Fraction(1, 4), int(rng.integers(0, 2))
    total, vector = min(estimate + reward[0, best] + bonus, Fraction(2)), some(rng, 2)
    return f"""Definition P_{name} (h : nat) (s : 'I_3) (a : 'I_2) (s' : 'I_3) : rat :=
  nth 0 (nth [::] (nth [::] (nth [::] {seq(moves.tolist())} h) s) a) s'.
Definition mu_{name} (h : nat) (s : 'I_3) (a : 'I_2) : rat := nth 0 (nth [::] (nth [::] {seq(rows.tolist())} h) s) a.
Definition r_{name} (s : 'I_3) (a : 'I_2) : rat := nth 0 (nth [::] {seq(reward)} s) a.
Definition g_{name} (h : nat) (s : 'I_3) : 'I_2 := {ACTION[best]}.
Goal evaluation.tvalue P_{name} mu_{name} r_{name} 0 1 ord0 = {rat(value)}.
Proof. rewrite /=; counted. Qed.
Definition V_{name} := optimism.Vopt (fun _ => r_{name}) 2%:R (fun _ _ _ => {rat(estimate)})
  (fun _ _ _ => {rat(bonus)}) g_{name} 1.
Goal V_{name} 0 ord0 = {rat(total)}.
Proof. by kernel. Qed.
Goal V_{name} 1 ord0 = (0%:R).
Proof. by kernel. Qed.
Goal optimism.det rat_realFieldType g_{name} 0 ord0 {ACTION[0]} = {rat(best == 0)}.
Proof. by kernel. Qed.
Goal sqnorm (vect 2 {seq(vector)}) = {rat(vector @ vector)}.
Proof. by rewrite /sqnorm; number. Qed."""


def coins(rng, name: str) -> str:
    """`heads`, `before_tail`, `product_law`, `always`: the coin of the bound without the horizon in the logarithm, as
    derl computes it; two draws with their own laws; two deployments of a strategy."""
    d, deployments, digits = int(rng.integers(2, 5)), int(rng.integers(1, 4)), int(rng.integers(1, 4))
    # with N = d a deployment guesses one digit and is shown one more
    fewer = failure_without_horizon_log(d, digits - 1 + 2 * deployments, d, deployments)
    laws, draw = [law(rng, 3), law(rng, 3)], [int(x) for x in rng.integers(0, 3, 2)]
    bad = int(rng.integers(0, 3))
    never = (1 - laws[0][bad]) * (1 - laws[1][bad])
    outcome = f"(fun (x : nat) (o : 'I_3) => nth 0 (nth [::] {seq(laws)} x) o : rat)"
    return f"""Goal frontier.heads ({rat(Fraction(1, d))} : rat) {digits + deployments - 1} {digits} = {rat(1 - fewer)}.
Proof. by kernel. Qed.
Goal frontier.before_tail ({rat(Fraction(1, d))} : rat) {deployments} {digits} = {rat(1 - fewer)}.
Proof. by kernel. Qed.
Goal hoeffding.product_law (fun (i : 'I_2) (t : 'I_3) => nth 0 (nth [::] {seq(laws)} i) t : rat)
  [ffun i : 'I_2 => nth ord0 [:: inord {draw[0]}; inord {draw[1]}] i] = {rat(laws[0][draw[0]] * laws[1][draw[1]])}.
Proof. by rewrite /hoeffding.product_law !big_ord_recl big_ord0 !ffunE /= !inordK //; kernel. Qed.
Definition twice_{name} : strategy [finType of 'I_3] nat unit := Strategy (fun h : seq 'I_3 => size h) (fun _ => tt).
Definition ok_{name} (x : nat) (o : 'I_3) : bool := val o != {bad}%N.
Goal adaptive.always_prob {outcome} twice_{name} ok_{name} [::] 2 = {rat(never)}.
Proof.
rewrite /adaptive.always_prob (sum_pairs (fun h => history {outcome} twice_{name} [::] h *
  (adaptive.always twice_{name} ok_{name} [::] h)%:R)).
by do 4 (rewrite ?big_ord_recl ?big_ord0 /=); kernel.
Qed."""


def designs(rng, name: str) -> str:
    """`design_matrix` and `design_law` of a design over the two actions of the first state of derl's exact bandit;
    `sq`, `explore_reward` and `solve_value`."""
    mdp, rows = compact_bandit(2, 2, (0, 1), Fraction(1, 4), exact=True), policy(rng, 3)
    entry, to = int(rng.integers(0, 2)), int(rng.integers(0, 3))
    there, moved = covariances(mdp, rows)[0], state_laws(mdp, rows)[1]
    features, moves = mdp.phi[0, 0, :, :2].tolist(), mdp.transitions()[0, 0].tolist()
    total, cap = Fraction(int(rng.integers(0, 9)), 4), int(rng.integers(1, 3))
    design = f"(fun a : 'I_2 => nth 0 {seq(list(rows[0, 0]))} a : rat)"
    return f"""Goal domination.design_matrix (fun a : 'I_2 => vect 2 (nth [::] {seq(features)} a)) {design}
  {ACTION[entry]} {ACTION[entry]} = {rat(there[entry, entry])}.
Proof. by rewrite /domination.design_matrix /outer; number. Qed.
Goal domination.design_law {design} (fun (a : 'I_2) (s : 'I_3) => nth 0 (nth [::] {seq(moves)} a) s : rat)
  (inord {to}) = {rat(moved[to])}.
Proof. by rewrite /domination.design_law !big_ord_recl big_ord0 /= !inordK //; kernel. Qed.
Goal matrices.sq (vect 2 {seq(features[1])}) = {rat(sum(x * x for x in features[1]))}.
Proof. by rewrite /matrices.sq qfE; number. Qed.
Goal planning.explore_reward {cap} (fun _ (_ _ : 'I_2) => {rat(total)} : rat) 0 ord0 ord0 =
  {rat(min(total, cap) / cap)}.
Proof. by kernel. Qed.
Goal evaluation.solve_value (fun _ (_ _ : 'I_2) => {rat(total)} : rat) (fun _ _ _ => {rat(Fraction(1, 4))})
  (fun _ _ => ord0) (fun _ _ => {rat(Fraction(1, 2))}) 1 0 ord0 = {rat(min(total + Fraction(1, 4), Fraction(1)))}.
Proof. by kernel. Qed."""


def hidden_cores(rng, name: str) -> str:
    """`hidden`, `cores`, `next`: bias and choices of derl's exact template with H = 3, whose optimal state the second
    digit names; `depth` of a path through it."""
    digits, bias = [int(x) for x in rng.integers(0, 2, 2)], Fraction(int(rng.integers(1, 5)), 9)
    moves = hard_template(2, 3, 2, digits[1], (digits[0], 1 - digits[1], 0), bias, exact=True).transitions()
    layer, state = int(rng.integers(1, 3)), int(rng.integers(0, 2))
    # a core state leads to the state that the action names; a normal state to u2 with the biased probability
    core = moves[layer, state, 1 - state, 1 - state] == 1
    lean = Fraction(0) if core else moves[layer, state, state, 3] - Fraction(1, 2)
    first = int(rng.integers(0, 2))
    second = f"Some (inl {ACTION[0]})" if moves[1, first, 0, 0] == 1 else "Some (inr true)"
    levels = 1 + int(moves[1, first, 0, 0] == 1)
    return f"""Definition hc_{name} : code 3.-1 2 := [ffun i : 'I_2 =>
  nth ord0 [:: {"; ".join(ACTION[x] for x in digits)}] i].
Lemma next_{name} : hidden_cores.next ({ACTION[digits[1]]} : 'I_2) = {ACTION[1 - digits[1]]}.
Proof. by apply/val_inj; rewrite /hidden_cores.next /insubd insubT. Qed.
Goal (hidden_cores.cores ord0 hc_{name} {layer} == {ACTION[state]}) = {truth(core)}.
Proof. by rewrite /hidden_cores.cores insubT //= /hc_{name} !ffunE /= ?next_{name}. Qed.
Goal template.tbias ({rat(bias)} : rat_realFieldType) (hidden_cores.hidden ord0 hc_{name})
  {layer} {ACTION[state]} = {rat(lean)}.
Proof.
rewrite hidden_cores.hidden_bias // (hit_ord hc_{name} (lift ord0 ord0)) /hc_{name} ffunE; by kernel.
Qed.
Goal hidden_cores.depth ([:: ({ACTION[first]}, Some (inl {ACTION[first]})); (ord0, {second});
  (ord0, Some (inr true))] : seq (template.tstep 2)) = {levels}%N.
Proof. by vm_compute. Qed."""

"""Instance lemmas for templates with hidden cores: levels that are not reached, the optimal state that is not chosen;
failure on codes, sweeps through the arms, search with exclusion."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
from deployments import coded, coins
from instances import law, rat, seq, truth
from outputs import ACTION, nearly

from derl.mdp import exact
from derl.mdp.instances import hard_template
from derl.theory.beyond.laws import state_laws

LEVELS, MISSED, OUTPUT, LOCKS, SWEEP, EXACT = (f"derl.lower_bounds.{name}" for name in (
    "levels", "missed_level", "no_factor_two", "locks", "sweep", "search_exact"))
CHOSEN = r"""Lemma visited2 (x : template_game.treturned rat_realFieldType 2) (v : 'I_2) (c : code 2.-1 2) i :
  c ord0 = v -> hidden_cores.hidden (H := 2) ord0 c = Some i ->
  template.tq i (template_game.tout x) = template_game.tout x [::] None v.
Proof.
move=> cv hi; have [j hj [j1 j2]] := @no_factor_two.hidden_some 2 2 ord0 c isT isT.
move: hi; rewrite hj => -[ij]; move: i ij => i <- {i}.
have jv : (val j).2 = v by move: j2; rewrite (hit_ord c ord0) cv => /eqP.
have at_ h a : template.at_place j h a = (1 == h)%N && (v == a).
  by rewrite /template.at_place; move: j1 jv; case: (j) => -[p q] r /= -> ->.
rewrite /template.tq [LHS]/= add0r.
transitivity (\sum_a template_game.tout x [::] None a * (a == v)%:R); last first.
  by rewrite (bigD1 v) //= eqxx mulr1 big1 ?addr0 // => a /negPf ->; rewrite mulr0.
apply: eq_bigr => a _; congr (_ * _); rewrite at_ /= [v == a]eq_sym.
case: ifP => _; last by rewrite addr0.
by rewrite big1 ?addr0 // => a' _; rewrite at_ /= addr0 mulr0.
Qed.
Lemma chosen2 (x : template_game.treturned rat_realFieldType 2) (c : code 2.-1 2) :
  missed_level.chooses (H := 2) ord0 c x = template_game.tout x [::] None (c ord0).
Proof.
have [j hj _] := @no_factor_two.hidden_some 2 2 ord0 c isT isT.
by rewrite /missed_level.chooses hj (@visited2 x (c ord0) c j erefl hj).
Qed.
Lemma worth2 (b : rat) (x : template_game.treturned rat_realFieldType 2) (c : code 2.-1 2) :
  template.tJ (n := 2) b (hidden_cores.hidden ord0 c) (template_game.tout x) =
  1 + b * template_game.tout x [::] None (c ord0).
Proof.
have [j hj _] := @no_factor_two.hidden_some 2 2 ord0 c isT isT.
rewrite hj template.template_value; last exact: template_game.tout_proper.
by rewrite (@visited2 x (c ord0) c j erefl hj) // divff.
Qed.
"""


def template(digits, bias):
    """derl's exact template whose core states and optimal state the digits name."""
    *cores, last = digits
    return hard_template(2, len(digits) + 1, len(digits), last, (*cores, 1 - last, 0), bias, exact=True)


def tossing(chances, digits) -> np.ndarray:
    """The policy that takes the first action with these chances in the core states; elsewhere there is no choice."""
    *cores, last = digits
    found = np.array([np.eye(4, dtype=int)] * (len(digits) + 2)).astype(object)
    for h, core in enumerate((0, *cores, 1 - last)):
        found[h, core] = [chances[h], 1 - chances[h], 0, 0]
    return found


def levels(rng, name: str) -> str:
    """`unreached`, `reached` with three layers and a policy that tosses coins: derl's law of the state on each of the
    four instances."""
    bias, batch, chances = Fraction(int(rng.integers(1, 4)), 8), int(rng.integers(1, 4)), [*coins(rng), Fraction(1)]
    missed = Fraction(0)
    for digits in ((0, 0), (0, 1), (1, 0), (1, 1)):
        there = state_laws(template(digits, bias), tossing(chances, digits))[1][digits[0]]
        missed += (1 - there) ** batch / 4
    psi = f"psi_{name}"
    return f"""Definition b_{name} : rat := {rat(bias)}.
Lemma hb_{name} : 0 <= b_{name} <= 2%:R^-1. Proof. by vm_compute. Qed.
Definition x_{name} : template_game.treturned rat_realFieldType 2 :=
  template_game.TReturned (ttosses_proper {seq(chances[:2])}).
Definition {psi} : strategy (template_game.tdata 3 2 {batch}) (template_game.treturned rat_realFieldType 2) unit :=
  Strategy (fun _ => x_{name}) (fun _ => tt).
Lemma missed_{name} (c : code 3.-1 2) j : (0 < j < 3)%N ->
  \\sum_(h : 1.-tuple (template_game.tdata 3 2 {batch}))
    history (hidden_cores.hidden_law (N := {batch}) b_{name} ord0 c) {psi} [::] h *
    (all (fun o => hidden_cores.deepest o < j)%N h)%:R =
  (1 - hidden_cores.single (H := 3) b_{name} c x_{name} j) ^+ {batch}.
Proof.
move=> hj; rewrite sum_single -(template_missed {batch} ord0 c x_{name} hb_{name} hj); apply: eq_bigr => o _ /=.
by rewrite mulr1 andbT.
Qed.
Lemma unreached_{name} : {LEVELS}.unreached b_{name} ord0 {psi} 1 2 = {rat(missed)}.
Proof.
rewrite /{LEVELS}.unreached; under eq_bigr do rewrite missed_{name} //.
rewrite (sum_codes (fun c => (1 - hidden_cores.single (H := 3) b_{name} c x_{name} 2) ^+ {batch})).
rewrite /hidden_cores.single /=; do 3 (rewrite ?big_ord_recl ?big_ord0 /= ?hit_at ?insubT ?ffunE /=).
by kernel.
Qed.
Goal {LEVELS}.unreached b_{name} ord0 {psi} 1 1 = (0%:R).
Proof.
rewrite /{LEVELS}.unreached; under eq_bigr do rewrite missed_{name} // /hidden_cores.single /= subrr expr0n.
by rewrite big1 ?mul0r.
Qed.
Goal {LEVELS}.reached b_{name} ord0 {psi} 1 2 = {rat(1 - missed)}.
Proof.
have := unreached_{name}; rewrite (levels.unreached_complement _ hb_{name}); last by []. move/eqP.
by rewrite subr_eq addrC -subr_eq => /eqP <-; kernel.
Qed."""


def choices(rng, name: str) -> str:
    """`chooses`, `not_chosen`, `hgood` with two layers: derl's values of the output on both instances, and tolerances
    just above and just below the gap."""
    bias, chances = Fraction(int(rng.integers(1, 4)), 8), [*coins(rng), Fraction(1)]
    values = [exact.evaluate(template([v], bias), tossing(chances, [v])).value for v in (0, 1)]
    best = exact.optimal(template([0], bias)).value
    chosen = [(value - 1) / bias for value in values]
    out = f"x_{name}"
    goals = []
    for v in (0, 1):
        code = f"([ffun=> {ACTION[v]}] : code 2.-1 2)"
        goals.append(f"""Goal {MISSED}.chooses (H := 2) ord0 {code} {out} = {rat(chosen[v])}.
Proof. by rewrite chosen2 ffunE; kernel. Qed.""")
        for epsilon in nearly(rng, best - values[v]):
            goals.append(f"""Goal {OUTPUT}.hgood {rat(bias)} ord0 {rat(epsilon)} {code} {out} =
  {truth(best - values[v] <= epsilon)}.
Proof. by rewrite /{OUTPUT}.hgood worth2 ffunE; vm_compute. Qed.""")
    return CHOSEN + f"""Definition {out} : template_game.treturned rat_realFieldType 2 :=
  template_game.TReturned (ttosses_proper {seq(chances[:2])}).
Definition psi_{name} : strategy (template_game.tdata 2 2 1) (template_game.treturned rat_realFieldType 2)
  (template_game.treturned rat_realFieldType 2) := Strategy (fun _ => {out}) (fun _ => {out}).
Goal {MISSED}.not_chosen (H := 2) {rat(bias)} ord0 psi_{name} 0 = {rat(1 - sum(chosen) / 2)}.
Proof.
rewrite /{MISSED}.not_chosen; under eq_bigr => c _ do rewrite sum_tuple0 /= mul1r chosen2.
rewrite (sum_draw (fun c : {{ffun 'I_1 -> 'I_2}} => 1 - template_game.tout {out} [::] None (c ord0))).
by rewrite !big_ord_recl big_ord0 !ffunE; kernel.
Qed.
""" + "\n".join(goals)


def sweeps(rng, name: str) -> str:
    """`failure` of a table of laws; `round` and `sweep` of three arms; what `excluding_search` deploys."""
    first, size = int(rng.integers(0, 3)), int(rng.integers(0, 3))
    data = [bool(x) for x in rng.integers(0, 2, size)]
    named = (first + (data.index(True) if True in data else size)) % 3
    laws, told = [law(rng, 2) for _ in (0, 1)], [int(x) for x in rng.integers(0, 2, 2)]
    code = [int(x) for x in rng.integers(0, 2, 2)]
    lost = sum(p for p, out in zip(laws[code[0]], told, strict=True) if out != code[1])
    act, digit = int(rng.integers(0, 2)), int(rng.integers(0, 2))
    observed = f"[:: {'; '.join(truth(x) for x in data)}]" if data else "[::]"
    enum = "rewrite (nth_enum_ord ord0) //"
    sweep = f"({SWEEP}.sweep (ord0 : 'I_3) (fun i : 'I_3 => i : nat) (fun i : 'I_3 => i : nat) id {first})"
    return f"""Goal ({SWEEP}.round (ord0 : 'I_3) {first} {size} : nat) = {(first + size) % 3}%N.
Proof. by rewrite /{SWEEP}.round card_ord; {enum}. Qed.
Goal deploy {sweep} {observed} = {(first + size) % 3}%N.
Proof. by rewrite /= /{SWEEP}.round card_ord; {enum}. Qed.
Goal output {sweep} {observed} = {named}%N.
Proof. by rewrite /= /{SWEEP}.round card_ord; {enum}. Qed.
Definition c_{name} : code 2 2 := {coded(code)}.
Definition psi_{name} : strategy [finType of 'I_2] unit 'I_2 := Strategy (fun _ => tt)
  (fun h => nth ord0 [:: {'; '.join(ACTION[x] for x in told)}] (head ord0 h)).
Goal {LOCKS}.failure (fun (c : code 2 2) (_ : unit) (o : 'I_2) => nth 0 (nth [::] {seq(laws)} (c ord0)) o : rat)
  (fun c x => c (lift ord0 ord0) == x) c_{name} psi_{name} 1 = {rat(lost)}.
Proof.
rewrite /{LOCKS}.failure sum_single !big_ord_recl big_ord0 /= /c_{name} !ffunE /=; by kernel.
Qed.
Definition o_{name} : data 2 2 1 := [ffun=> [tuple ({ACTION[digit]}, Some false); (ord0, Some true)]].
Goal pol (deploy (@{EXACT}.excluding_search rat_realFieldType 1 2 1 isT) [:: o_{name}]) [::] None {ACTION[act]} =
  {rat(Fraction(int(act != digit)))}.
Proof.
have known : frontier.known (@matched 2 2 1) [:: o_{name}] = 1%N.
  by rewrite /frontier.known /matched !big_cons big_nil !big_ord_recl big_ord0 !ffunE.
rewrite /= /{EXACT}.excluding_policy /{EXACT}.allowed known /= uniform2.
by rewrite /{EXACT}.excluded /= ?exists1 ?ffunE /=; kernel.
Qed."""

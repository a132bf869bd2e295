"""Instance lemmas for the junk lock with two digits a layer and two layers: what a guess sees, what it is worth."""

from __future__ import annotations

from fractions import Fraction

from instances import rat, truth
from outputs import ACTION

from derl.theory.beyond import junk_game

LOCK, GAME, BOUNDS, SUMS = (f"derl.beyond.{name}" for name in ("junk_lock", "junk_game", "junk_bounds", "sums"))
RETURN = {"z1": Fraction(1), "z0": Fraction(0), "zh": Fraction(1, 2)}
FIRST = "(ord0 : 'I_2)", "(lift ord0 ord0 : 'I_2)"


def placed(state: str) -> str:
    """A state of derl's transcript as a formal place."""
    if state == "g":
        return f"{LOCK}.gate 2"
    if state.startswith("b"):
        return f"{LOCK}.borrows {ACTION[int(state[1])]}"
    return f"{LOCK}.ends 2 " + {"z1": "(Some true)", "z0": "(Some false)", "zh": "None"}[state]


def junk(rng, name: str) -> str:
    """`transcript`, `depth`, `worth`, `optimal`, `misses` of a guess that is played again as the output; `capped` and
    `at_least` with the numbers of another game."""
    code, guess = ([int(x) for x in rng.integers(0, 2, 2)] for _ in range(2))
    sign = int(rng.integers(0, 2))
    seen = junk_game.transcript(tuple(guess), (tuple(code), (1 - code[1],), sign))
    depth = next((t for t, (x, c) in enumerate(zip(guess, code, strict=True)) if x != c), 2)
    worth, best = RETURN[seen[-1]], Fraction(1) if sign else Fraction(1, 2)
    epsilon = Fraction(int(rng.integers(1, 4)), 16)
    good = worth >= best - epsilon
    d, N, K, horizon = 3 + int(rng.integers(0, 2)), int(rng.integers(1, 6)), 2, int(rng.integers(4, 6))
    tail = [junk_game.advance(base, N, 2)[2] for base in (d, d - 1)]
    enough = 1 - 2 * junk_game.later_deployments(d, horizon, N, K)
    digits = "[ffun i : 'I_2 => nth ord0 [:: {}; {}] i] : code 2 2".format
    return f"""Definition jj_{name} : code 2 2 := {digits(*(ACTION[1 - x] for x in code))}.
Definition jg_{name} : code 2 2 := {digits(*(ACTION[x] for x in guess))}.
Definition jl_{name} := {GAME}.junk_lock jj_{name} [ffun=> ord0 : 'I_1] {truth(sign)}.
Definition jn_{name} : {{ffun 'I_1 -> code 2 2}} := [ffun=> jg_{name}].
Definition jp_{name} := {GAME}.Returned (junk_controls.sure_law rat_realFieldType jg_{name}).
Definition jx_{name} := {GAME}.Deployed (junk_controls.sure_law rat_realFieldType jn_{name}).
Definition js_{name} : strategy [finType of {{ffun 'I_1 -> {{ffun 'I_2 -> 'I_2 * {LOCK}.place 2}}}}]
  (@{GAME}.deployed rat_realFieldType 2 2 1) (@{GAME}.returned rat_realFieldType 2 2) :=
  Strategy (fun _ => jx_{name}) (fun _ => jp_{name}).
Lemma jf_{name} : junk_lock.fair jl_{name}. Proof. exact: junk_game.junk_fair. Qed.
Lemma js1_{name} : {LOCK}.shares 1 ({LOCK}.digit jl_{name}) jg_{name} = {truth(depth >= 1)}.
Proof.
by rewrite (junk_lock.sharesS {FIRST[0]}) junk_lock.shares0 /jl_{name} /jg_{name} /jj_{name} /= ?ffunE; vm_compute.
Qed.
Lemma js2_{name} : {LOCK}.shares 2 ({LOCK}.digit jl_{name}) jg_{name} = {truth(depth == 2)}.
Proof.
by rewrite (junk_lock.sharesS {FIRST[1]}) js1_{name} /jl_{name} /jg_{name} /jj_{name} /= ?ffunE; vm_compute.
Qed.
Goal ({LOCK}.transcript jl_{name} jg_{name} {FIRST[0]}).2 = {placed(seen[1])}.
Proof.
rewrite (junk_lock.transcript_path _ _ jf_{name}) (insubT (fun i => i < 2)%N (isT : 1 < 2)%N) /=.
rewrite /junk_lock.at_layer js1_{name} /=.
by first [done | rewrite /jj_{name} ffunE; congr (Some (inl _)); apply/val_inj].
Qed.
Goal ({LOCK}.transcript jl_{name} jg_{name} {FIRST[1]}).2 = {placed(seen[2])}.
Proof. by rewrite (junk_lock.transcript_path _ _ jf_{name}) insubF // js2_{name}; kernel. Qed.
Lemma jd_{name} : {LOCK}.depth ({LOCK}.transcript jl_{name} jg_{name}) = {depth}%N.
Proof.
rewrite /{LOCK}.depth big_mkcond !big_ord_recl big_ord0 /=.
by rewrite !(junk_lock.stays_shares _ _ jf_{name}) js1_{name} js2_{name}.
Qed.
Goal {GAME}.deepest ({GAME}.seen jl_{name} jn_{name}) = {depth}%N.
Proof. by rewrite /{GAME}.deepest big_ord_recl big_ord0 !ffunE jd_{name}. Qed.
Goal {GAME}.deploy_law jl_{name} jx_{name} ({GAME}.seen jl_{name} jn_{name}) = {rat(1)}.
Proof. by rewrite /{GAME}.deploy_law junk_controls.sure_sum eqxx. Qed.
Lemma jw_{name} : {GAME}.worth jl_{name} jp_{name} = {rat(worth)}.
Proof.
rewrite /{GAME}.worth junk_controls.sure_sum (junk_bounds.guess_pays _ (ltn0Sn 1) _ jf_{name}).
by rewrite -junk_lock.shares_all js2_{name}; kernel.
Qed.
Goal {GAME}.best_worth rat_realFieldType jl_{name} = {rat(best)}.
Proof. by kernel. Qed.
Lemma jo_{name} : {GAME}.optimal {rat(epsilon)} jl_{name} jp_{name} = {truth(good)}.
Proof. unfold {GAME}.optimal; rewrite jw_{name}; vm_compute; reflexivity. Qed.
Lemma jc_{name} psi p K : (forall h, output psi h = p) ->
  @{BOUNDS}.misses rat_realFieldType 2 1 1 {rat(epsilon)} jl_{name} psi K =
  (~~ {GAME}.optimal {rat(epsilon)} jl_{name} p)%:R.
Proof.
move=> e; unfold {BOUNDS}.misses; under eq_bigr => h _ do rewrite e.
by rewrite -mulr_suml history_total ?mul1r // => x; exact: junk_game.deploy_is_law.
Qed.
Goal {BOUNDS}.misses {rat(epsilon)} jl_{name} js_{name} 2 = {rat(1 - int(good))}.
Proof. by rewrite (jc_{name} (p := jp_{name})) // jo_{name}; kernel. Qed.
Goal {SUMS}.capped rat_realFieldType {d} {N} 2 = {rat(tail[0])}.
Proof. by kernel. Qed.
Goal {SUMS}.at_least [:: {SUMS}.capped rat_realFieldType {d} {N}; {SUMS}.capped rat_realFieldType {d - 1} {N}]
  ({horizon} - {K}) = {rat(enough)}.
Proof. by rewrite /= ?big_ord_recl ?big_ord0 /= ?big_ord_recl ?big_ord0; kernel. Qed."""

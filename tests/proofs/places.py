"""Instance lemmas for the template with one hidden place: outputs, pulls, Markov policies, data; feature vectors."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
from instances import rat, seq, truth
from outputs import ACTION, nearly

from derl.mdp import exact
from derl.mdp.instances import compact_bandit, hard_template

GAME, B2, GAPS, FEATURES = (f"derl.lower_bounds.{name}" for name in ("template_game", "theorem_b2", "gaps", "features"))


def rows(chances, core: int) -> np.ndarray:
    """Probabilities (3, 4, 4) of the policy that takes the first action with these chances where there is a choice."""
    found = np.array([np.eye(4, dtype=int)] * 3).astype(object)
    found[0, 0], found[1, core] = ([p, 1 - p, 0, 0] for p in chances)
    return found


def places(rng, name: str) -> str:
    """`tgood`, `tgood_det`, `tpulled`, `markov_policy`, `markov_value`, `template_law` on derl's exact template with
    two layers; tolerances just above and just below the gap."""
    core, bias = int(rng.integers(0, 2)), Fraction(int(rng.integers(1, 5)), 9)
    mdp = hard_template(2, 2, 1, 1 - core, (core, core), bias, exact=True)
    best, goals = exact.optimal(mdp).value, []
    chances = [Fraction(int(rng.integers(0, 5)), 4) for _ in (0, 1)]
    acts = [int(x) for x in rng.integers(0, 2, 2)]
    value = exact.evaluate(mdp, rows(chances, core)).value
    fixed = exact.evaluate(mdp, rows([Fraction(int(a == 0)) for a in acts], core)).value
    b, place = f"({rat(bias)} : rat_realFieldType)", f"place_{name}"
    for epsilon in nearly(rng, best - value):
        goals.append(f"""Goal {GAME}.tgood {b} {rat(epsilon)} {place}
  (template_game.TReturned (ttosses_proper {seq(chances)})) = {truth(best - value <= epsilon)}.
Proof. by rewrite /{GAME}.tgood /= value_{name}; vm_compute. Qed.""")
    for epsilon in nearly(rng, best - fixed):
        goals.append(f"""Goal {GAME}.tgood_det {b} {rat(epsilon)} {place} f_{name} = {truth(best - fixed <= epsilon)}.
Proof. by rewrite /{GAME}.tgood_det fixed_{name}; vm_compute. Qed.""")
    # one trajectory of f, and its probability
    moves, up = mdp.transitions(), int(rng.integers(0, 2))
    path = [int(a) for a in rng.integers(0, 2, 2)]
    chance = Fraction(int(path == acts))
    if acts[0] == core:
        step = f"Some (inl {ACTION[acts[1]]})"
    else:
        step, chance = f"Some (inr {truth(up)})", chance * moves[1, acts[0], acts[0], 2 + up]
    return f"""Definition core_{name} (h : nat) : 'I_2 := {ACTION[core]}.
Definition {place} : template.place 2 core_{name} :=
  exist (fun p : 'I_2 * 'I_2 => (0 < p.1)%N && (p.2 != core_{name} p.1)) (lift ord0 ord0, {ACTION[1 - core]}) isT.
Lemma value_{name} : template.tJ {b} (Some {place}) (ttosses {seq(chances)}) = {rat(value)}.
Proof. rewrite /template.tJ /=; counted. Qed.
Definition f_{name} : template_game.tdeterministic 2 := fun pre s =>
  nth ord0 [:: {'; '.join(ACTION[a] for a in acts)}] (size pre).
Lemma fixed_{name} : template.tJ {b} (Some {place}) (template_game.tpol rat_realFieldType f_{name}) = {rat(fixed)}.
Proof. rewrite /template.tJ /=; counted. Qed.
Goal @{GAME}.tpulled 2 2 core_{name} f_{name} = {f"Some {place}" if acts[0] != core else "None"}.
Proof.
have pulls : template_game.tpulls f_{name} {place} = {truth(acts[0] != core)}.
  by rewrite /template_game.tpulls /template_game.follows; case: forallP => [_|[]] //; case.
have only (i : template.place 2 core_{name}) : i = {place}.
  by apply/val_inj; case: i => -[[[|[|?]] ?] [[|[|?]] ?]] //= h; congr (_, _); apply/val_inj.
by rewrite /{GAME}.tpulled; case: pickP => [i|/(_ {place})]; rewrite ?(only i) pulls.
Qed.
Definition g_{name} : gaps.markov 2 2 := [ffun i : 'I_2 => nth ord0 [:: {'; '.join(ACTION[a] for a in acts)}] i].
Lemma first_{name} : insub 0%N = Some (ord0 : 'I_2). Proof. by rewrite insubT; congr Some; apply/val_inj. Qed.
Lemma second_{name} : insub 1%N = Some (lift ord0 ord0 : 'I_2).
Proof. by rewrite insubT; congr Some; apply/val_inj. Qed.
Goal {GAPS}.markov_value {b} {place} g_{name} = {rat(fixed)}.
Proof.
rewrite /{GAPS}.markov_value /template.tJ /= /template_game.tpol /{GAPS}.markov_policy /=.
rewrite first_{name} second_{name} !ffunE; counted.
Qed.
Goal {B2}.template_law core_{name} {b} (Some {place}) f_{name}
  ([ffun=> [tuple ({ACTION[path[0]]}, Some (inl {ACTION[acts[0]]})); ({ACTION[path[1]]}, {step})]] :
  template_game.tdata 2 2 1) = {rat(chance)}.
Proof. by rewrite /{B2}.template_law /template_game.tdata_law big_ord1 ffunE; kernel. Qed.
""" + "\n".join(goals)


def vectors(rng, name: str) -> str:
    """`feature_vector`, `measure_vector`, `reward_vector`: entry by entry those of derl's exact bandit."""
    bias, arm = Fraction(int(rng.integers(1, 5)), 9), int(rng.integers(0, 2))
    mdp = compact_bandit(2, 2, (arm, 1), bias, exact=True)
    state, index = ["None", "(Some false)", "(Some true)"], [f"(lshift 2 {a})" for a in ACTION] + [
        f"(rshift 2 {a})" for a in ACTION]
    hidden = f"(bandit ({rat(bias)} : rat_realFieldType) (({ACTION[arm]}, ord0) : arm 2 1))"
    goals = []
    for _ in range(4):
        h, s, a, i = (int(rng.integers(0, n)) for n in (2, 3, 2, 4))
        at = f"({index[i]} : 'I_(2 + 2)) ord0"
        entry = rat(mdp.phi[h, s, a, i])
        goals += [f"{FEATURES}.feature_vector rat_realFieldType {state[s]} {ACTION[a]} {at} = {entry}",
                  f"{FEATURES}.measure_vector {hidden} {h} {state[s]} {at} = {rat(mdp.mu[h, i, s])}",
                  f"{FEATURES}.reward_vector rat_realFieldType 2 2 {h} {at} = {rat(mdp.theta[h, i])}"]
    goals = [f"""Goal {goal}.
Proof.
rewrite !mxE /feature /measure /theta ?(unsplitK (inl _)) ?(unsplitK (inr _)) /=; by kernel.
Qed.""" for goal in goals]
    return "\n".join(goals)

"""Changes of Definition 2.1 as Coq has it: each is refused by a lemma about what the definition says. Another way to
write the same is accepted.

`complexity/definition.v` is written again with one part of one definition changed, and then the lemmas of
`complexity/meaning.v` are proved about it. Where a proof fails, the change is refused. This is evidence only because
the same proofs accept a rewriting of the same definition that means the same.
"""

import re
from collections.abc import Iterable

import pytest
from coq_session import FAILED, spoken
from coq_source import sentences
from test_fidelity import PROOFS
from tiny import COQ

pytestmark = [pytest.mark.slow, pytest.mark.skipif(not COQ, reason="coqc is not installed; see proofs/README.md")]

# definition -> a part of it and what means the same; then parts and what means something else
CHANGES = {
    "one_map": [("features t h = features t 0%N", "features t 0%N = features t h"),
                ("features t h = features t 0%N", "features t h = features t h"),
                ("forall h, features t h", "features t 1%N")],
    "any_maps": [("True", "0%N = 0%N"), ("True", "one_map t")],
    "linear_mdp": [("(h < H)%N", "(h.+1 <= H)%N"), ("(h < H)%N", "(h <= H)%N"), ("(h < H)%N", "(h.+1 < H)%N"),
                   ("is_law (first w)", "True"), (" <= 1", " <= 2%:R"), ("0 <= rewards", "-1 <= rewards"),
                   ("assumption_one (features t h) (mu h) (theta h) (transitions w h) (rewards t h)", "True")],
    "near_best": [("H - eps <=", "H <= eps +"), ("H - eps <=", "H + eps <="), ("H - eps <=", "H - eps <"),
                  ("best_return", "2%:R * best_return")],
    "chance_near_best": [("w) K.", "w) (0 + K)."), ("w) K.", "w) K.+1."),
                         ("(transitions w)", "(fun h => transitions w h.+1)"), ("eps w)", "(eps + eps) w)")],
    "succeeds": [("1 - delta <= mean_of L (chance_near_best w K eps)",
                  "1 <= mean_of L (chance_near_best w K eps) + delta"),
                 ("1 - delta <=", "1 + delta <="), ("1 - delta <=", "1 - delta <"), ("/\\", "\\/"),
                 ("has_mean L (chance_near_best w K eps)", "True")],
    "deterministic": [("pi past s a = 0 \\/ pi past s a = 1", "pi past s a = 1 \\/ pi past s a = 0"),
                      ("past s a, pi past s a = 0 \\/ pi past s a = 1", "s a, pi [::] s a = 0 \\/ pi [::] s a = 1"),
                      ("pi past s a = 0 \\/", "pi past s a = 0 /\\"), ("pi past s a = 0 \\/", "")],
    "arbitrary": [("True", "0%N = 0%N"), ("True", "deterministic pi")],
    "achievable": [("(forall v h, allowed d t (deploy (plays L v) h)) /\\ forall w : world t, linear_mdp H w -> "
                    "succeeds w L K eps delta", "(forall w : world t, linear_mdp H w -> succeeds w L K eps delta) /\\ "
                    "forall v h, allowed d t (deploy (plays L v) h)"),
                   ("tasks d t -> ", ""), ("exists L", "forall L"),
                   ("forall v h, allowed", "forall h, exists v, allowed"),
                   ("v h, allowed d t (deploy (plays L v) h)", "v, allowed d t (deploy (plays L v) [::])"),
                   ("(forall v h, allowed d t (deploy (plays L v) h)) /\\ ", ""),
                   ("forall w", "exists w"), ("linear_mdp H w -> ", ""), ("w L K", "w L K.+1")],
    "least": [("(K <= K')%N", "(K < K'.+1)%N"), ("(K <= K')%N", "(K' <= K)%N"), ("(K <= K')%N", "(K < K')%N"),
              (" /\\ forall K', P K' -> (K <= K')%N", ""), ("P K /\\ ", "")],
    "deployment_complexity_is": [("delta) K", "delta) (0 + K)"), ("least (achievable", "(achievable"),
                                 ("delta) K", "delta) K.+1"), ("(achievable tasks", "(achievable any_maps")],
}
# the same of `complexity/unknown_rewards.v`, and what its definitions have to say
UNKNOWN = {
    "with_rewards": [("t) r", "t) (fun h => r h)"), ("t) r", "t) (rewards t)"),
                     ("(features t)", "(fun h => features t h.+1)")],
    "shows": [("r h (", "1 * r h ("), ("r h (", "0 * r h ("), ("r h (", "r h.+1 (")],
    "facing": [("returns L v (map (shows r) h)", "returns L v [seq shows r o | o <- h]"),
               ("returns L v (map (shows r) h)", "returns L v [::]"), ("returns L v", "deploys L v"),
               ("deploys L v (map (shows r) h)", "deploys L v [::]")],
    "achievable_unknown": [("K : Prop", "(K : nat) : Prop"), ("exists L", "forall L"), ("tasks d t ->", ""),
                           ("(forall v h, allowed d t (deploys L v h)) /\\ ", ""),
                           ("forall r (w", "exists r, forall (w"),
                           ("L) K", "L) K.+1"), ("forall v h", "forall h, exists v")],
    "unknown_complexity_is": [("delta) K", "delta) (0 + K)"), ("least (", "("), ("delta) K", "delta) K.+1")],
}
SAYS = """
Goal forall d (t : task d) r, rewards (with_rewards (t := t) r) = r /\\ features (with_rewards r) = features t.
by []. Qed.
Goal forall H N d (t : task d) r (o : batch (states t) (actions t) N H) i h,
  (shows r o).1 = o /\\ (shows r o).2 i h = r h (tnth (o i) h).1 (tnth (o i) h).2.
by move=> *; rewrite /shows /= ?mul1r. Qed.
Goal forall H N d (t : task d) r (L : observer H N t) v h,
  deploy (plays (facing r L) v) h = deploys L v (map (shows r) h) /\\
  output (plays (facing r L) v) h = returns L v (map (shows r) h).
by []. Qed.
Goal forall kind d H N eps delta K, achievable_unknown (fun _ _ => False) kind d H N eps delta K.
by move=> kind d H N eps delta K t []. Qed.
Goal forall tasks (kind : kind) d H N eps delta K (t : task d) r r' (w : world (with_rewards (t := t) r))
  (w' : world (with_rewards r')), achievable_unknown tasks kind d H N eps delta K -> tasks d t ->
  exists L : observer H N t, (forall v h, kind d t (deploys L v h)) /\\ (linear_mdp H w -> linear_mdp H w' ->
    succeeds w (facing r L) K eps delta /\\ succeeds w' (facing r' L) K eps delta).
move=> tasks kind d H N eps delta K t r r' w w' ach tt; have [L [kept suc]] := ach t tt; exists L.
by split=> [|l l']; [exact: kept|split; exact: suc]. Qed.
Goal forall tasks kind d H N eps delta K K', unknown_complexity_is tasks kind d H N eps delta K ->
  unknown_complexity_is tasks kind d H N eps delta K' -> achievable_unknown tasks kind d H N eps delta K /\\ K = K'.
move=> tasks kind d H N eps delta K K' [a b] [a' b'].
by split; [exact: a|apply/eqP; rewrite eqn_leq b ?b']. Qed.
"""
# the same of `complexity/reached.v` and `complexity/reached_unknown.v`
REACHED = {
    "reaches": [("(h < H)%N", "(h.+1 <= H)%N"), ("(h < H)%N", "(h <= H)%N"), ("(h < H)%N", "(h.+1 < H)%N"),
                ("nu h", "nu h.+1"), ("nu h", "(nu + nu) h"), ("(features t)", "(fun h => features t h.+1)")],
    "achievable_reached": [("K : Prop", "(K : nat) : Prop"), ("exists L", "forall L"),
                           ("(forall v h, allowed d t (deploy (plays L v) h)) /\\ ", ""), ("reaches nu H w -> ", ""),
                           ("(forall s, first w s = rho s) -> ", ""), ("linear_mdp H w -> ", ""), ("L K", "L K.+1")],
    "reached_complexity_is": [("delta) K", "delta) (0 + K)"), ("least (", "("), ("delta) K", "delta) K.+1")],
    "achievable_reached_unknown": [
        ("K : Prop", "(K : nat) : Prop"), ("exists L", "forall L"), ("forall r (w", "exists r, forall (w"),
        ("(forall v h, allowed d t (deploys L v h)) /\\ ", ""), ("reaches nu H w -> ", ""),
        ("(forall s, first w s = rho s) -> ", ""), ("linear_mdp H w -> ", ""), ("L) K", "L) K.+1")],
    "reached_unknown_complexity_is": [("delta) K", "delta) (0 + K)"), ("least (", "("), ("delta) K", "delta) K.+1")],
}
SAYS_OF_REACHED = """
Goal forall nu H d (t : task d) (w : world t), reaches nu H w <->
  forall h, (h < H)%N -> reachable (transitions w) (first w) (features t) nu h.
by []. Qed.
Goal forall (kind : kind) nu d H N eps delta K, achievable_reached kind nu d H N eps delta K <->
  forall (t : task d) rho, exists2 L : learner H N t, forall v h, kind d t (deploy (plays L v) h) &
    forall w : world t, [/\\ linear_mdp H w, forall s, first w s = rho s & reaches nu H w] -> succeeds w L K eps delta.
move=> *; split=> ach t rho; have := ach t rho; case=> L; first by case=> kept suc; exists L => // w [*]; exact: suc.
by move=> kept suc; exists L; split=> // w *; apply: suc. Qed.
Goal forall kind nu d H N eps delta K K', reached_complexity_is kind nu d H N eps delta K ->
  reached_complexity_is kind nu d H N eps delta K' -> achievable_reached kind nu d H N eps delta K /\\ K = K'.
move=> kind nu d H N eps delta K K' [a b] [a' b'].
by split; [exact: a|apply/eqP; rewrite eqn_leq b ?b']. Qed.
Goal forall (kind : kind) nu d H N eps delta K, achievable_reached_unknown kind nu d H N eps delta K <->
  forall (t : task d) rho, exists2 L : observer H N t, forall v h, kind d t (deploys L v h) &
    forall r (w : world (with_rewards r)), [/\\ linear_mdp H w, forall s, first w s = rho s & reaches nu H w] ->
      succeeds w (facing r L) K eps delta.
move=> *; split=> ach t rho; have := ach t rho; case=> L; first by case=> kept suc; exists L => // r w [*]; exact: suc.
by move=> kept suc; exists L; split=> // r w *; apply: suc. Qed.
Goal forall kind nu d H N eps delta K K', reached_unknown_complexity_is kind nu d H N eps delta K ->
  reached_unknown_complexity_is kind nu d H N eps delta K' ->
  achievable_reached_unknown kind nu d H N eps delta K /\\ K = K'.
move=> kind nu d H N eps delta K K' [a b] [a' b'].
by split; [exact: a|apply/eqP; rewrite eqn_leq b ?b']. Qed.
"""
SETTING = re.compile(r"From |Import |Set |Unset |Local Open ")


def split(name: str) -> list[str]:
    """The sentences of a file of the folder `complexity`, each on a line."""
    text = (PROOFS / "complexity" / f"{name}.v").read_text(encoding="utf-8")
    return [" ".join(text[begin:end].split()) for begin, end in sentences(text)]


def timed(sentence: str) -> str:
    """A step of a proof, which may take a minute; other sentences as they are."""
    return f"Timeout 60 {sentence}" if re.match(r"[a-z(]|Qed", sentence) else sentence


def variant(name: str, old: str, new: str) -> tuple[list[str], int]:
    """The definitions with a part of one of them changed, then the lemmas; and where the changed one stands."""
    said, where = [x for x in split("definition") if not SETTING.match(x)], None
    for at, sentence in enumerate(said):
        if re.match(rf"Definition {name}\b", sentence):
            where, head = at, sentence.index(":=")
            assert sentence.count(old, head) == 1, f"{name}: {old!r} occurs {sentence.count(old, head)} times"
            said[at] = sentence[:head] + sentence[head:].replace(old, new)
    return said + [x for x in split("meaning") if not SETTING.match(x)], where


def redefined(files: tuple[str, ...], names: Iterable[str], says: str, name: str, old: str, new: str) -> list[str]:
    """What stands in files before their first lemma, and the named definitions; one of them is changed. Then what they
    have to say."""
    said = []
    for file in files:
        lines = [x for x in split(file) if not SETTING.match(x)]
        first = next(at for at, x in enumerate(lines) if x.startswith("Lemma"))
        said += lines[:first] + [x for x in lines[first:] if any(re.match(rf"Definition {one}\b", x) for one in names)]
    at = next(at for at, x in enumerate(said) if re.match(rf"Definition {name}\b", x))
    assert said[at].count(old) == 1, f"{name}: {old!r} occurs {said[at].count(old)} times"
    said[at] = said[at].replace(old, new)
    return said + [" ".join(says[begin:end].split()) for begin, end in sentences(says)]


@pytest.mark.parametrize("files, changes, says", [
    (("unknown_rewards",), UNKNOWN, SAYS), (("reached", "reached_unknown"), REACHED, SAYS_OF_REACHED)])
def test_for_unknown_rewards_and_reachable_tasks_as_well(proofs_built, files, changes, says):
    said = [x for file in files for x in split(file) if SETTING.match(x)]
    begin, places = len(said), []
    for name, (same, *others) in changes.items():
        for change in same, *others:
            start, module = len(said) + 1, f"Variant{len(places)}"
            said += [f"Module {module}.", *redefined(files, changes, says, name, *change), "Abort All.",
                     f"End {module}."]
            places.append((f"{name}: {change[0]} -> {change[1]}", change is same, start, len(said) - 2))
    answers = spoken(PROOFS, said)
    assert not [answer for answer in answers[:begin] if FAILED.search(answer)]
    for words, same, start, end in places:
        failed = [f"{said[n]}\n{answers[n]}" for n in range(start, end) if FAILED.search(answers[n])]
        assert bool(failed) != same, f"{'refused' if same else 'accepted'}: {words}\n{failed[:1]}"
        assert not any(x.startswith(("Definition", "Record")) for x in failed), f"no definition: {words}\n{failed[0]}"


def test_what_means_something_else_is_refused_and_what_means_the_same_is_accepted(proofs_built):
    said = [x for x in split("meaning") if SETTING.match(x) and "complexity" not in x]
    begin, places = len(said), []
    for name, (same, *others) in CHANGES.items():
        for change in same, *others:
            lines, where = variant(name, *change)
            said.append(f"Module Variant{len(places)}.")
            start = len(said)
            for line in lines:
                said += [timed(line), *["Abort All."] * (line == "Qed.")]
            places.append((f"{name}: {change[0]} -> {change[1]}", change is same, start, len(said),
                           said.index(lines[where], start)))
            said.append(f"End Variant{len(places) - 1}.")
    answers = spoken(PROOFS, said)
    assert not [answer for answer in answers[:begin] if FAILED.search(answer)]
    for words, same, start, end, where in places:
        failed = [n for n in range(start, end) if FAILED.search(answers[n])]
        first = failed and f"{said[failed[0]]}\n{answers[failed[0]]}"
        assert not any("Timeout!" in answers[n] for n in failed), f"neither accepted nor refused: {words}\n{first}"
        assert where not in failed, f"no definition: {words}\n{first}"
        assert bool(failed) != same, f"{'refused' if same else 'accepted'}: {words}\n{first}"

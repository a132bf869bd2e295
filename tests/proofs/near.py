"""Changes of the definitions of `algorithm_one` and `algorithm_two`, one for each, that evaluations have to refuse.

Each line: file, definition, a part of its text, what is written there in its place, and where a lemma or goal that
speaks of the definition is: `refined` and the name of a lemma of `refined.v` or `conditions.v`, or a family, whose
first sentence that speaks of the definition is meant. A family evaluates, so its refusal is a value that differs. The
last column of some of these lines is a twin, another way to write the same part, which the evaluation has to accept. A
refusal by a lemma says that its proof does not fit, and another way to write the same may be refused as well. `copies`
writes the definitions once more, as they are, changed, and as a twin.

Every definition of the two folders has a line, a reason in `EXEMPT`, or is in no recorded statement: then it is part of
a proof only, and what the theorems say does not depend on it.
"""

from __future__ import annotations

import re
from pathlib import Path

from coq_source import sentences

PROOFS = Path(__file__).parents[2] / "proofs"
ONE, TWO, MIX = "algorithm_one/algorithm", "algorithm_two/algorithm", "algorithm_two/mixtures"
CERTAIN, VALUES, GRID = "algorithm_one/certainty", "algorithm_one/values", "algorithm_one/grid"
RUN, SETTING, TESTS = "algorithm_two/whole_run", "algorithm_one/setting", "algorithm_one/tests"
SIZES, NUMBERS = "algorithm_two/exploration", "algorithm_two/numbers"
LOOP, CONTROLS, OPTIMAL = "algorithm_two/loop", "algorithm_two/controls", "algorithm_one/optimal"

NEAR = [
    # Algorithm 2
    (TWO, "rounded", "<= (M%:R^-1)", "<= (M.+1%:R^-1)", "refined round_is"),
    (TWO, "round_weight", "(v i ord0)", "(- v i ord0)", "refined round2_is"),
    (TWO, "round_shape", "B p.1 p.2", "B p.2 p.1", "refined round4_is"),
    (TWO, "origin", "(M ^ 2)", "(M ^ 2).+1", "refined origin_is"),
    (TWO, "matrix", "1%:M +", "2%:R%:M +", "refined round4_is"),
    (TWO, "sigma_of", "(w h)", "(w h.+1)", "refined sigma_is"),
    (TWO, "fit", "(next_state x0 h ", "(next_state x0 h.+1 ", "refined fit_is"),
    (TWO, "length", "invmx (matrix B)", "matrix B", "refined length_is"),
    (TWO, "score", "then beta5 else 1%R", "then 1%R else beta5", "refined score_is"),
    (TWO, "greedy", "(score before q h s)", "(fun a => - score before q h s a)", "refined greedy_is"),
    (TWO, "top_value", "(greedy before q h s)", "a0", "refined top_value_is"),
    (TWO, "solve", "(top_value (j' != 0)%N (solve w L B j') h.+1)",
     "(fun s' => 0 * top_value (j' != 0)%N (solve w L B j') h.+1 s')%R", "refined solve_is"),
    (TWO, "solved", "greedy (L - h != 0)%N (solve w L B (L - h)) h s",
     "best a0 (fun a => - score (L - h != 0)%N (solve w L B (L - h)) h s a)", "refined solved_is"),
    (TWO, "optimum", "rho s *", "(1 - rho s) *", "refined optimum_is"),
    (TWO, "evaluate", "(solved w L B h s)", "(solved w L B h.+1 s)", "refined evaluate_is"),
    (TWO, "estimate", "2%:R *", "7%:R *", "refined estimate_is"),
    (TWO, "summed", "+ estimate", "+ 0 *: estimate", "refined summed_is"),
    (TWO, "shape_of", "summed w L k", "summed w L k.+1", "refined shape_is"),
    (TWO, "stops", "3%:R / 8%:R", "300%:R", "refined stops_is"),
    (TWO, "last_policy", "iota 0", "iota 1", "refined last_policy_is"),
    (TWO, "explore", "(fun k => solved w L (shape_of w L k))", "(fun _ _ _ => a0)", "refined member_is"),
    (TWO, "plan_score", ") L%:R", ") L.+1%:R", "refined plan_score_is"),
    (TWO, "plan_greedy", "(plan_score L q h s)", "(fun a => - plan_score L q h s a)", "refined plan_greedy_is"),
    (TWO, "plan_value", "(plan_greedy L q h s)", "a0", "refined plan_value_is"),
    (TWO, "planned", " + theta h", "", "refined planned_is"),
    (TWO, "plan", "(L - h)) h s", "(L - h).+1) h s", "refined plan_is"),
    (TWO, "algorithm_two", "(size h, ", "((size h).+1, ", "explored", "((0 + size h)%N, "),
    (TWO, "value_of", "=> top_value c q h s", "=> score c q h s a0", "mixed", "=> score c q h s (greedy c q h s)"),
    (MIX, "here", "(o i) h", "(o i) h.+1", "refined seen_here"),
    (MIX, "next_state", "h.+1", "h", "refined seen_next"),
    (MIX, "gram", "(here h o)", "(here h.+1 o)", "refined gram_is"),
    (MIX, "mixed_path", "(last x).+1%:R", "(last x)%:R", "mixed", "(1 + last x)%N%:R"),
    (MIX, "mixed_batch", "mixed_path x t", "mixed_path x t ^+ 2", "mixed", "1 * mixed_path x t"),
    (MIX, "mean_covariance", "N%:R / (last x).+1%:R", "N.+1%:R / (last x).+1%:R", "mixed", "(last x).+1%:R^-1 * N%:R"),
    (MIX, "passes", "(x.1 < H)%N ==>", "(x.1 <= H)%N ==>", "mixed", "(x.1.+1 <= H)%N ==>"),
    # Algorithm 1
    (ONE, "row", "insub i", "insub i.+1", "strategies", "insub (0 + i)%N"),
    (ONE, "cell", "(row (w k) i) h", "(row (w k) i) h.+1", "strategies", "(drop 0 (row (w k) i)) h"),
    (ONE, "feature", "phi h ", "phi h.+1 ", "strategies", "phi (0 + h)%N "),
    (ONE, "goal", "eps k", "eps k.+1", "strategies", "eps (0 + k)%N"),
    (ONE, "finished_by", "(goal w k)", "(goal w k).+1", "strategies", "(0 + goal w k)%N"),
    (ONE, "matrix_of", "k h.", "k.+1 h.", "strategies", "k (0 + h)%N."),
    (ONE, "fit", "V (cell w t h.+1 i)", "V (cell w t h i)", "strategies fit_strategies0_1_0",
     "V (cell w t (1 + h)%N i)"),
    (ONE, "optimistic", "+ beta *", "+ 2%:R * beta *", "strategies", "+ beta * 1 *"),
    (ONE, "best", "arg max_(a > a0)", "arg max_(a > a0 | a == a0)", "strategies"),
    (ONE, "weights", "(goal w k - h)", "(goal w k - h).+1", "strategies", "(goal w k - (0 + h))%N"),
    (ONE, "greedy_policy", "(weights w k h)", "(weights w k h.+1)", "strategies", "(weights w k (0 + h)%N)"),
    (ONE, "last_one", "H.-1", "H", "strategies", "(H - 1)%N"),
    (ONE, "returned_index", "iota 0", "iota 1", "strategies"),
    (ONE, "algorithm_one", "greedy_policy (nth nothing h) (size h)", "(fun _ _ => a0)", "strategies",
     "greedy_policy (nth nothing h) (0 + size h)%N"),
    (ONE, "algorithm_one_tail", "(goal (nth nothing h) (size h))", "(goal (nth nothing h) (size h)).+1", "strategies",
     "(0 + goal (nth nothing h) (size h))%N"),
    (ONE, "run_of", "(cell w k h i).1", "(cell w k h.+1 i).1", "strategies", "(cell w k (0 + h)%N i).1"),
    (GRID, "level", "/ M%:R", "/ M.+1%:R", "refined level_is"),
    (GRID, "point", "level (f i)", "- level (f i)", "refined round2_is"),
    (VALUES, "level_of", "(x^T *m f s a)", "((- x)^T *m f s a)", "nets", "((f s a)^T *m x)"),
    (CERTAIN, "axis_of", "a == picked then inord 1 else inord 2", "a == picked then inord 2 else inord 1", "nets",
     "a != picked then inord 2 else inord 1"),
    (CERTAIN, "two_phi", "axis_of s a", "axis_of (~~ s) a", "nets"),
    (CERTAIN, "two_P", "2%:R", "3%:R", "nets", "(1 + 1)"),
    (CERTAIN, "two_r", "inord 2", "inord 1", "nets"),
    (CERTAIN, "two_rho", "2%:R", "3%:R", "nets", "(1 + 1)"),
    ("algorithm_one/trajectory_law", "path_law", "(P h x.1 x.2)", "(P h.+1 x.1 x.2)", "optimal"),
    ("algorithm_one/trajectory_law", "batch_law", "path_law g 0", "path_law g 1", "optimal"),
    (OPTIMAL, "Jstar", "rho s * best_value 0 H s", "2%:R * rho s * best_value 0 H s", "optimal",
     "best_value 0 H s * rho s"),
    (OPTIMAL, "best_value", "else 0%R", "else 1%R", "optimal"),
    (CERTAIN, "picked", "best true", "~~ best true", "nets"),
    # conditions and sizes of both theorems
    (RUN, "linear_transitions", "qf 1%:M (phi s a) <= 1", "qf 1%:M (phi s a) <= 4%:R", "refined transitions_refuse"),
    (RUN, "linear_reward", "0 <= (theta", "-1 <= (theta", "refined rewards_refuse"),
    (RUN, "reachable", "nu ^+ 2", "0 * nu ^+ 2", "refined reach_refuses"),
    (SETTING, "numbers_allowed", "(2 <= d * H)", "(1 <= d * H)", "refined numbers_refuse"),
    (SETTING, "linear_model", "0 <= r h s a <= 1", "-1 <= r h s a <= 1", "refined model_refuses"),
    (NUMBERS, "term_one", "H * H * H * H", "H * H * H", "refined term_one_is"),
    (NUMBERS, "term_two", "(n4 * n4)", "n4", "refined term_two_is"),
    (SIZES, "sample_size", "10 ^ 16", "10 ^ 15", "refined sample_size_is"),
    (SIZES, "log_size", "4 * INR d", "2 * INR d", "refined log_size_is"),
    (SIZES, "explore_bonus", "51", "52", "refined explore_bonus_is"),
    (SIZES, "plan_bonus", "INR d * INR H", "INR d", "refined plan_bonus_is"),
    (SIZES, "iterations", "+ 1", "+ 2", "refined iterations_is"),
    (SIZES, "grid_size", "d ^ 3", "d ^ 0", "mixed", "(d * d ^ 2)"),
    # tests of a batch, sums of features, and the control of Algorithm 2
    (TESTS, "test", "/ 8%:R", "/ 4%:R", "refined test_is"),
    (TESTS, "test_batch", "h.+1).1", "h).1", "refined test_batch_is"),
    (MIX, "noise_test", "<= sigma ^+ 2", "< sigma ^+ 2", "refined noise_test_is"),
    (MIX, "covariance_test", "3%:R / 4%:R *", "1 + 3%:R / 4%:R *", "refined covariance_test_is"),
    (VALUES, "features_sum", "outer (f ", "outer (2%:R *: f ", "refined features_sum_is"),
    (VALUES, "least_squares", "V (y n) *:", "- V (y n) *:", "refined least_squares_is"),
    (VALUES, "candidate", "Num.max/0%R", "Num.max/1%R", "refined candidate_is"),
    (LOOP, "loop_reward", "(T k)", "(T k.+1)", "refined loop_reward_is"),
    (LOOP, "summed_covariances", "cov j", "cov j.+1", "mixed", "1 *: cov j"),
    (GRID, "table", "f (i, j)", "f (j, i)", "refined table_is"),
    (CONTROLS, "pair2", "then x else y", "then y else x", "refined pair2_is"),
    (CONTROLS, "arms_phi", "pair2 1 0", "pair2 0 1", "refined arms_phi_is"),
    (CONTROLS, "arms_mu", "pair2 1", "pair2 2%:R", "refined arms_mu_is"),
    (CONTROLS, "arms_P", "1%R", "2%:R", "mixed", "(2%:R - 1)%R"),
    (CONTROLS, "arms_rho", "1%R", "2%:R", "mixed", "(2%:R - 1)%R"),
]

# what is left of the statements and of the two files `algorithm.v`, and why
EXEMPT = {(GRID, "mark"): "a type", ("algorithm_one/trajectory_law", "batch"): "a type",
          (TWO, "weight"): "a type", (TWO, "shape"): "a type", (TWO, "label"): "a type",
          (TWO, "nothing"): "there is no other outcome that could be named",
          (ONE, "nothing"): "there is no other outcome that could be named",
          (ONE, "plan"): "its recursion is unfolded by a lemma of the same file; `weights` and `fit` are changed",
          (ONE, "agree"): "a sentence, used in proofs only",
          (ONE, "told_tail"): "the learner in the proof for unknown rewards; no statement names it"}

WORD = re.compile(r"(?<![\w'%])[A-Za-z][\w']*|(?<=_)[A-Za-z]\b")
GIVEN = re.compile(r"Variables?\b|Implicit Types?\b")
IMPORTS = re.compile(r"From .*Require Import|Import |Delimit |Local Open ")
GROUP = re.compile(r"\(([\w' ]+?) : ((?:[^()]|\([^()]*\))+)\)")
OPENED = re.compile(r"Variables?\b|Hypothes[ie]s\b|Local Notation\b|Implicit Types?\b|Let \w+ :=")


def full(file: str, name: str) -> str:
    """The name of a definition as evaluations write it."""
    return f"derl.{file.replace('/', '.')}.{name}"


def named(entry) -> dict[str, str]:
    """The names of the copies of a definition, and what is in the place of its part in each."""
    n, (_, _, old, new, _, *twin) = NEAR.index(entry), entry
    return {f"copy{n}": old, f"near{n}": new, **{f"twin{n}": same for same in twin}}


def copies(file: str) -> list[str]:
    """Sentences that define, outside of a file, its definitions of `NEAR` again: as they are, changed, and as twins."""
    text = (PROOFS / f"{file}.v").read_text(encoding="utf-8")
    said = [text[begin:end] for begin, end in sentences(text)]
    wanted = {entry[1]: entry for entry in NEAR if entry[0] == file}
    made, outer, imports = [], [], [x for x in said if IMPORTS.match(x)]
    uses: dict[str, set[str]] = {}
    order: list[str] = []
    left = set(wanted)
    for sentence in said:
        if not left:
            break
        if sentence.startswith("Section "):
            outer.append((dict(uses), list(order)))
            made += [f"Section Copies{len(outer)}.", *imports, f"Import derl.{file.replace('/', '.')}."]
        elif sentence.startswith("End "):
            made.append(f"End Copies{len(outer)}.")
            uses, order = outer.pop()
        elif outer and OPENED.match(sentence):
            made.append(sentence)
            declared(sentence, uses, order)
        elif match := re.match(r"(?:Definition|Fixpoint) (\w+)", sentence):
            name = match[1]
            left.discard(name)
            if name in wanted:
                old = wanted[name][2]
                assert sentence.count(old) == 1, f"{name}: {old!r} occurs {sentence.count(old)} times"
                again = [re.sub(rf"\b{name}\b", word, sentence.replace(old, new))
                         for word, new in named(wanted[name]).items()]
                made += again if outer else ["Section Copies.", *imports, f"Import derl.{file.replace('/', '.')}.",
                                              *again, "End Copies."]
            if outer:
                uses[name] = words(sentence, uses)
                given = " ".join(x for x in order if x in uses[name])
                made.append(f"Local Notation {name} := (@{full(file, name)} {given}).")
    return made + [f"End Copies{n}." for n in range(len(outer), 0, -1)]


def words(text: str, uses: dict[str, set[str]]) -> set[str]:
    """The variables of a section on which the words of a text depend."""
    return set().union(*(uses.get(word, set()) for word in WORD.findall(text)))


def declared(sentence: str, uses: dict[str, set[str]], order: list[str]) -> None:
    """Take in what a sentence of a section declares."""
    if match := re.match(r"(?:Local Notation|Let) (\w+)[\w ]* :=", sentence):
        uses[match[1]] = words(sentence, uses)
    alone = re.match(r"Variables? ([\w' ]+?) : (.*)\.$", sentence, re.S)
    for names, kind in ([alone.groups()] if alone else GROUP.findall(sentence)) if GIVEN.match(sentence) else ():
        for name in names.split():
            uses[name] = words(kind, uses)
            if not sentence.startswith("Implicit"):
                order.append(name)
                uses[name] = uses[name] | {name}


def where(entry, refined: list[str], families: dict[str, list[str]]) -> tuple[list[str], int]:
    """The sentences among which the statement about the definition of an entry is, and its number."""
    family, _, lemma = entry[4].partition(" ")
    said = families.get(family, refined)
    states = rf"(?:Lemma|Goal) {lemma}\b" if lemma else "(?:Lemma|Goal) "
    name = re.compile(rf"{re.escape(full(*entry[:2]))}(?![\w.])")
    return said, next(n for n, x in enumerate(said) if re.match(states, x) and name.search(x))


def replayed(entry, word: str, said: list[str], at: int) -> list[str]:
    """The statement and its proof, about `word` in place of the definition."""
    until = next(n for n in range(at, len(said)) if re.search(r"\bQed\.$", said[n]))
    name = re.compile(rf"{re.escape(full(*entry[:2]))}(?![\w.])")
    colon = " :" if said[at].startswith("Goal") else ""
    goal = re.sub(r"^Lemma \w+|^Goal(?= )", f"Lemma about_{word}{colon}", said[at])
    return [name.sub(word, x) for x in (goal, *said[at + 1:until + 1])]


def conversation(header: list[str], refined: list[str], families: dict[str, list[str]]) -> tuple[list[str], int, dict]:
    """What Coq is told; how much of it defines the copies; where the statement and the proof about each of them are."""
    said, inside, after = list(header), {}, []
    for file in dict.fromkeys(entry[0] for entry in NEAR):
        said += copies(file)
    for entry in NEAR:
        for word in named(entry):
            among, at = where(entry, refined, families)
            planted = (full(*entry[:2]), word[:4]), replayed(entry, word, among, at)
            if among is refined:
                inside.setdefault(at, []).append(planted)
            else:
                after.append(planted)
    defined, places = len(said), {}

    def plant(key, steps):
        places[key] = len(said), len(said) + len(steps)
        said.extend([steps[0], *(f"Timeout 60 {x}" for x in steps[1:]), "Abort All."])

    for item in after:
        plant(*item)
    for n, sentence in enumerate(refined):
        for item in inside.get(n, ()):
            plant(*item)
        said.append(sentence)
    return said, defined, places

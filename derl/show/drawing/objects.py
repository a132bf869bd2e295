"""Which objects of the paper occur in a formal statement, found in the statement itself and in its definitions."""

from __future__ import annotations

import re
from collections.abc import Mapping

from IPython.display import Markdown

from derl.judge.kernel import TheoremRow
from derl.ledger.recordings import Recorded
from derl.ledger.statements import Statement

# object -> names of definitions (module.name) that model it, or words of a statement that bind it
OBJECTS = {
    "transitions": r"gate\.kernel|template\.tkernel|definition\.transitions|junk_lock\.leads|trajectory_law\.path_law|"
                   r"remarks\.path_law|policies\.past_law|search\w*\.search|-> \w+ -> \w+ -> \w+ -> R\b",
    "law of a trajectory": r"gate\.traj|trajectories\.data_law|template_game\.ttraj|trajectory_law\.path_law|"
                           r"policies\.past_law|mixtures\.mixed_path|hidden_cores\.hidden_law|remarks\.path_law|"
                           r"chain\.state_after|multinomial\.draws|safety\.trajectories\.",
    "deployments that see the earlier data": r"game\.strategy|game\.history|definition\.learner",
    "Assumption 1": r"rewards\.assumption_one|setting\.linear_model|definition\.linear_mdp|"
                    r"whole_run\.linear_transitions",
    "random seeds of any law": r"features\.averaging",
    "policies": r"gate\.policy|template\.tpolicy|policies\.past_policy|gaps\.markov_policy|optimism\.det|"
                r"junk_game\.deployed|mixtures\.mixture|bandit\.deterministic|is_policy",
    "values": r"optimism\.value|gate\.J|template\.tJ|theorem\.J|event\.J|evaluation\.TJ|"
              r"policies\.past_return|safety\.trajectories\.worth|junk_game\.worth|gaps\.markov_value",
    "the best value": r"optimal\.Jstar|policies\.best_return|junk_game\.best_worth",
    "Algorithm 1": r"algorithm_one\.algorithm\.(algorithm_one|goal|plan)|layerwise\.theorem\.follows|"
                   r"layerwise\.run\.layer",
    "Algorithm 2": r"algorithm_two\.algorithm\.(algorithm_two|explore)|theorem_r\.layer_run",
    "regressions": r"least_squares|algorithm\.fit|theorem\.follows|violation\.weights|"
                   r"evaluation\.(estimated|evaluated)",
    "features": r"'cV",
    "covariances": r"count\.(before|gram|batches)|\.covariance|sigma_of|common\.forms\.(qf|psd|pd|outer)|'M_|'M\[",
    "reachability": r"reachability\.coefficient|direction_value|eigenvalue\.reaches|whole_run\.reachable|maxmin",
    "the printed number of trajectories": r"sizes\.printed_size|sizes\.hoeffding_size|exploration\.sample_size|"
                                          r"totals\.arbitrary_size|numbers\.term_",
}
# what a claim about algorithms of Definition 2.1 has to have in a formal statement of the whole of it
NEEDED = {"def-deployment": ("transitions", "law of a trajectory", "deployments that see the earlier data"),
          "asm-linear-mdp": ("Assumption 1",)}


def occurring(theorem: TheoremRow) -> list[str]:
    """The objects of `OBJECTS` that occur in a statement as Coq prints it, or in a definition that it uses."""
    text = "\n".join([theorem.statement, *theorem.definitions, *(said.source for said in theorem.definitions.values())])
    return [name for name, words in OBJECTS.items() if re.search(words, text)]


def lacking(theorem: TheoremRow, claim: Statement) -> list[str]:
    """The objects that a claim about deployments names and the formal statement does not have.

    A claim that uses Definition 2.1 is about algorithms: it needs transitions, the law of a trajectory and
    deployments that see the earlier data. If it uses Assumption 1 as well, the formal statement has to have it, so that
    a hard instance belongs to the class. A claim that uses Assumption 1 alone may be proved without it.

    Parameters
    ----------
    theorem : TheoremRow
    claim : Statement
    """
    if "def-deployment" not in claim.uses_statement:
        return []
    there = occurring(theorem)
    return [name for used in claim.uses_statement for name in NEEDED.get(used, ()) if name not in there]


def summary(statements: Mapping[str, Statement]) -> Markdown:
    """A table: every theorem that says a whole claim, and the objects that occur in it.

    Parameters
    ----------
    statements : mapping of str to Statement
    """
    rows = [theorem for theorem in Recorded("derl.claims").index.theorems
            if theorem.claim in statements and theorem.scope == "whole"]
    lines = ["| theorem | objects of the paper in its statement |", "|---|---|"]
    lines += [f"| `{row.theorem}` | {', '.join(occurring(row)) or 'numbers only'} |" for row in rows]
    return Markdown("\n".join(lines))

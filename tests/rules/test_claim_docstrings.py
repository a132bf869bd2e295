"""No proof in a docstring of derl/claims: claims.yml is its only home, where every step names what carries it."""

import ast
import re
from pathlib import Path

import pytest

CLAIMS = Path(__file__).parents[2] / "derl" / "claims"
MODULE, CHECK = 8, 5  # lines of text
CHAINED = {MODULE: 2, CHECK: 3}  # inequality signs in a row: a check may state a bound with two sides
RELATION = re.compile(r"(?<=[\w)}\]|'*~^+]) (?:<=|>=|<|>) ")
BETWEEN = re.compile(r"[,;:]|\.\s|\n\n|\b(?:and|or|for|with|where|from|of|to|is|are|gives?|so|in|on|at|that|as|if)\b")
NUMBER = re.compile(r"[\d./-]+")
DEDUCTION = re.compile(r"\b(?:hence|thus|therefore|whence|it follows|by induction|suppose|q\.?e\.?d)\b"
                       r"|^\W*(?:proof|step \d+)\b\W*[.:]|^\s*(?:\d{1,2}\.|\(?[ivx]+\))\s"
                       r"|\blet \S+(?: \S+){0,5} be\b|\*\*[^*]+\*\*", re.IGNORECASE | re.MULTILINE)
SECTION = re.compile(r"^\s*(?:Parameters|Attributes|Returns|Raises|Examples)\n\s*---.*", re.MULTILINE | re.DOTALL)


def chains(text: str) -> list[tuple[str, int]]:
    """Runs of inequalities with the number of their signs; a range between two numbers is none."""
    found = []
    for piece in BETWEEN.split(text):
        terms = RELATION.split(" ".join(piece.split()))
        ends = (terms[0].split() or [""])[-1], (terms[-1].split() or [""])[0]
        if len(terms) > 2 and not (len(terms) == 3 and all(NUMBER.fullmatch(end.rstrip(".")) for end in ends)):
            found.append((" ".join(piece.split()), len(terms) - 1))
    return found


def problems(docstring: str, most: int) -> list[str]:
    """What makes a docstring a proof, or longer than what is checked and how.

    Parameters
    ----------
    docstring : str
        Its sections, such as Parameters, do not count.
    most : int
        How many lines the text may have: MODULE or CHECK.
    """
    text = SECTION.sub("", docstring).strip()
    lines = text.splitlines()
    found = [f"{len(lines)} lines, {most} at most"] if len(lines) > most else []
    found += [f"a deduction: {match[0].strip()!r}" for match in DEDUCTION.finditer(text)]
    found += [f"a chain of inequalities: {piece!r}" for piece, signs in chains(text) if signs >= CHAINED[most]]
    if any(line.startswith("    ") and RELATION.search(line) for line in lines[1:]):
        found.append("a displayed inequality")
    if most == MODULE and not lines[0].endswith("."):
        found.append("its first line is not a whole sentence")
    return found


def documented(tree: ast.Module) -> list[tuple[str, str, int]]:
    """Every docstring of a module: its owner, the text, and how many lines it may have."""
    inner = [node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef | ast.ClassDef)]
    owned = [("module", ast.get_docstring(tree), MODULE),
             *((node.name, ast.get_docstring(node), CHECK) for node in inner)]
    return [(name, text, most) for name, text, most in owned if text]


def test_no_docstring_of_a_check_holds_a_proof():
    files = sorted(path for path in CLAIMS.rglob("*.py") if path.parent != CLAIMS)
    assert len(files) > 100
    found = {f"{path.relative_to(CLAIMS).as_posix()}: {name}": problems(text, most) for path in files
             for name, text, most in documented(ast.parse(path.read_text(encoding="utf-8")))}
    assert len(found) > 500
    assert {where: what for where, what in found.items() if what} == {}


PLANTED = {
    "a numbered step": "These checks establish a bound.\n\n1. Leave out all batches that do not violate.",
    "a heading": "These checks establish a bound.\n\n**Norms (Lemma C.2).** The eigenvalues are at least 1.",
    "a word of deduction": "These checks establish a bound.\n\nEach factor is at least 1. Hence the product is.",
    "an assumption": "These checks establish a bound.\n\nLet l_i >= 0 be the eigenvalues of a matrix.",
    "a chain": "These checks establish a bound.\n\nThe norm obeys |x|_A^2 <= max_i m_i |y|^2 <= det M |x|_B^2.",
    "a display": "These checks establish a bound, as follows.\n\n    tr(A) <= rho log rho\n\nThe bound is sharp.",
    "a step": "These checks establish a bound.\n\nStep 1: the matrix is covered.",
    "a label": "These checks establish a bound.\n\nProof. The difference vanishes at 1.",
    "many lines": "These checks establish a bound.\n\n" + "They compare numbers.\n" * 8,
    "half a sentence": "These checks establish a bound of the norm and a\nbound of the trace.\n\nBoth are exact.",
}


@pytest.mark.parametrize("planted", PLANTED.values(), ids=PLANTED.keys())
def test_a_planted_proof_is_refused(planted):
    tree = ast.parse(f'r"""{planted}\n"""\n\n\ndef check():\n    """The bound holds for 0 < delta < 1, N >= 1."""')
    (_, module, most), (_, check, fewer) = documented(tree)
    assert len(problems(module, most)) == 1 and problems(check, fewer) == []


def test_what_a_check_may_say():
    assert problems("1 - 1/y <= log y <= y - 1 for y >= 1, for 0 < delta <= 1/2 and d, H >= 2.", CHECK) == []
    assert problems("V* <= V(R~) + nu^2/8 <= V + nu^2/8 <= nu^2/2 where the loop stops.", CHECK) != []
    assert problems("These checks follow Step 1 in the proof of Theorem E.9.", MODULE) == []
    assert problems("One layer.\n\nParameters\n----------\nn : int\n" + "    A number.\n" * 9, CHECK) == []

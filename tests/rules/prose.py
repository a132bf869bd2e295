"""The prose of the project: pages, statements and docstrings as paragraphs, their sentences, and what a guide forbids.

`python tests/rules/prose.py` prints every hit; with `--renew` it lowers the recorded numbers in prose.csv to those of
today. It never raises one, except for a file or a rule that is new (`--new`).
"""

from __future__ import annotations

import ast
import csv
import re
import subprocess
import sys
from collections import Counter
from pathlib import Path

import yaml

ROOT = Path(__file__).resolve().parents[2]
RECORD = Path(__file__).with_name("prose.csv")
LONGEST = 40  # words of a sentence
SPELLED = "nd,notin,ist,hsa,ans,bu,te,fo,ot,tha,als,hist,iff,ser,wit,som,numer,ro,mis,fpr,sur,whet,hel,ond"
TASTE = ("typography", "cliches.misc.gnu_diction", "misc.metadiscourse", "misc.scare_quotes", "weasel_words",
         "misc.but", "lexical_illusions", "misc.annotations", "restricted", "dates_times")  # not for mathematics
# what the guide forbids -> how it is recognised
PATTERNS = {
    "free relative": r"\bwhoever\b|\bwho (?:wants?|would like)\b",
    "stands": r"\b(?:stands?|stood)\b(?! (?:for|alone|out)\b)",
    "asks for": r"\bask(?:s|ed|ing)? for\b",
    "dear": r"\bdear(?:er|est|ly)?\b|\bat the desk\b",
    "behind": r"\bbehind\b",
    "in the place of": r"\bin the place of\b",
    "but for": r"\bbut for\b",
    "bare kernel": r"(?<!Coq's )(?<!Jupyter )(?<!transition )(?<!Python )\b[Kk]ernels?\b",
    "near falsehood": r"\bnear falsehoods?\b",
    "minds": r"\b(?:algorithm|proof|matrix|lemma|theorem|batch|bound|bonus|model|check)s? (?:knows?|believes?|promises?"
             r"|pays?|vouch(?:es)?|trusts?)\b",
    "nobody": r"(?:^|[.!?] )(?:Nobody|Nothing|No one)\b",
    "two colons": r"^[^.!?]*:[^.!?]*:(?!\w)",
}
COMPILED = {name: re.compile(pattern, re.IGNORECASE) for name, pattern in PATTERNS.items()}
RULES = (*PATTERNS, "verbless opening", "long sentence", "spelling", "proselint")
CLAUSE = re.compile(r"(?:For|With|On|In)\b.*[,:] (?:and |so )?X\b")  # the formula after the comma holds the verb

FENCE = re.compile(r"^( *)(`{3,}|:{3,})\s*(\{[\w:-]+\})?.*$")
PROSE_IN = {"{headline}", "{moves}", "{note}", "{tip}", "{admonition}", "{dropdown}", "{important}", "{figure}",
            "{exercise}", "{solution}", "{glossary}", "{list-table}"}
MARKS = ((re.compile(r"\$\$(?:(?!\$\$).)*?(\.?)\s*\$\$", re.DOTALL), r" X\1 "),  # a display may end a sentence
         (re.compile(r"\$[^$]+\$"), "X"), (re.compile(r"\{said\}`[^`]*`"), "X"),
         (re.compile(r"\{cite:t\}`[^`]*`"), "Authors"),
         (re.compile(r"\{[\w:.-]+\}`([^`<]*)(?:<[^`]*)?`"), r"\1"), (re.compile(r"``?[^`]+``?"), "X"),
         (re.compile(r"!?\[([^\]]*)\]\([^)]*\)"), r"\1"), (re.compile(r"[*_]{1,2}(?=\S)|(?<=\S)[*_]{1,2}"), ""),
         (re.compile(r"<[^>]+>"), " "))
END = re.compile(r"(?<=[.!?])[)”\"]*\s+(?=[A-Z(“\"])")
SHORT = re.compile(r"\b(?:e\.g|i\.e|cf|vs|etc|Fig|Eq|Thm|al)\.$")
OPENS = re.compile(r"(?:A|An|The|For|With|Without|Of|In|On|No|Two|Three|One|What|How|All|Every|Each)\b")
FINITE = re.compile(r"\b(?:is|are|was|were|be|has|have|had|can|cannot|may|might|must|will|would|do|did|shall|should|let"
                    r"|need|hold|give|say|use|take|make|find|show|follow|run|see|read|lie|go|keep|get|add|fit|grow"
                    r"|become|reach|fail|cost|want|know|mean|compute|consider|put|set|draw|state|prove|\w+(?:s|ed))\b",
                    re.IGNORECASE)


HEADING = re.compile(r"\A\s*(?:(\*{1,2})(?!\*)(?:\$[^$]*\$|[^*.$])+\.\1|\[[^\]]+\]\([^)]*\)\.)(?=\s+\S)")


def plain(text: str) -> str:
    """A paragraph without markup and run-in heading; a formula or a piece of code is the word X."""
    text = HEADING.sub("", text)
    for mark, instead in MARKS:
        text = mark.sub(instead, text)
    return " ".join(text.split())


def of_page(text: str) -> list[str]:
    """The paragraphs, list items and captions of a page in MyST; code, tables and options of directives left out."""
    text = re.sub(r"\A---\n.*?\n---\n", "", text, flags=re.DOTALL)
    text = re.sub(r"^%[^\n]*$|<!--.*?-->", "", text, flags=re.MULTILINE | re.DOTALL)
    text = re.sub(r"^\$\$.*?\$\$[^\n]*$", "$x$", text, flags=re.MULTILINE | re.DOTALL)
    found, current, open_fences = [], [], []
    for line in text.splitlines():
        fence = FENCE.match(line)
        if fence:
            bare = line.strip()
            if open_fences and not fence[3] and bare.strip("`:") == "" and bare[0] == open_fences[-1][0][0]:
                open_fences.pop()
            else:
                open_fences.append((fence[2], (fence[3] or "") in PROSE_IN))
        item = re.match(r"\s*(?:[-*+]|\d+\.|:)\s+", line)
        silent = open_fences and not all(prose for _, prose in open_fences)
        if fence or silent or not line.strip() or re.match(r"\s*(?:\||#|:[\w-]+:|\(\w[\w-]*\)=)", line) or item:
            if current:
                found.append(" ".join(current))
            dash = "– " if item and item[0].strip() == ":" else ""  # a definition is a noun
            current = [dash + line[item.end():]] if item and not silent and not fence else []
            continue
        current.append(line.strip())
    return [said for said in map(plain, [*found, *([" ".join(current)] if current else [])]) if " " in said]


def of_statements(text: str) -> list[str]:
    """Every text of a file of statements that has more than three words."""
    def strings(value):
        if isinstance(value, str):
            yield value
        elif isinstance(value, dict):
            for key, one in value.items():
                if key in ("margin", "nearby"):  # cells of a table, whose header is the subject
                    yield f"– {one}"
                elif key not in ("formula", "id", "page", "carriers", "label", "by", "uses"):
                    yield from strings(one)
        elif isinstance(value, list):
            for one in value:
                yield from strings(one)

    return [said for one in strings(yaml.safe_load(text)) for paragraph in one.split("\n\n")
            if len((said := plain(paragraph)).split()) > 3]


def of_docstrings(text: str) -> list[str]:
    """The paragraphs of the docstrings of a module, its sections of parameters and examples left out."""
    owners = (ast.Module, ast.FunctionDef, ast.ClassDef)
    texts = [ast.get_docstring(node) for node in ast.walk(ast.parse(text)) if isinstance(node, owners)]
    kept = [re.split(r"^\w+\n-{3,}$", one, maxsplit=1, flags=re.MULTILINE)[0] for one in texts if one]
    return [said for one in kept for paragraph in re.split(r"\n\s*\n|\n(?=\s*[-*|] )|\n(?=    )", one)
            if len((said := plain(paragraph)).split()) > 3]


def sentences(paragraph: str) -> list[str]:
    """The sentences of a paragraph without markup."""
    found: list[str] = []
    for piece in END.split(paragraph):
        if found and SHORT.search(found[-1]):
            found[-1] += f" {piece}"
        else:
            found.append(piece)
    return found


def words(sentence: str) -> int:
    """How many words a sentence has; a formula is one."""
    return len(re.findall(r"[\w’'-]*\w", sentence))


def problems(paragraph: str) -> list[tuple[str, str]]:
    """(rule, what was said) for every place of a paragraph that the guide forbids; spelling is not looked at."""
    said = sentences(paragraph)
    found = [(name, one) for one in said for name, pattern in COMPILED.items() for _ in pattern.findall(one)]
    found += [("long sentence", one) for one in said if words(one) > LONGEST]
    opening = said[0] if said else ""
    if opening.endswith(".") and words(opening) > 2 and OPENS.match(opening) and not (
            FINITE.search(opening) or CLAUSE.match(opening)):
        found.append(("verbless opening", opening))
    return found


def misspelt(paragraphs: list[str]) -> list[tuple[int, str]]:
    """(index of the paragraph, word and correction) by codespell."""
    lines = "\n".join(" ".join(one.split()) for one in paragraphs)
    done = subprocess.run([sys.executable, "-m", "codespell_lib", "--ignore-words-list", SPELLED, "-"], input=lines,
                          capture_output=True, text=True, check=False)
    hits = re.findall(r"^(\d+): (?:.*\n\t)?(\S+ ==> .*)$", done.stdout, re.MULTILINE)
    if done.returncode not in (0, 65) or (done.returncode == 65) != bool(hits):
        raise RuntimeError(f"codespell: {done.stderr or done.stdout}")
    return [(int(line) - 1, hit) for line, hit in hits]


def diction(paragraphs: list[str]) -> list[str]:
    """What proselint says of some paragraphs, without its rules of taste."""
    from proselint.checks import __register__
    from proselint.config import DEFAULT
    from proselint.registry import CheckRegistry
    from proselint.tools import LintFile

    registry = CheckRegistry()
    if not registry.checks:
        registry.register_many(__register__)
    hits = LintFile("prose", "\n\n".join(paragraphs) + "\n").lint(DEFAULT)
    return [hit.check_result.message for hit in hits if not hit.check_result.check_path.startswith(TASTE)]


def sources(root: Path = ROOT) -> dict[str, list[str]]:
    """File -> its paragraphs: pages, README and guides, statements, docstrings of derl."""
    pages = [path for path in sorted(root.glob("book/**/*.md")) if "node_modules" not in path.parts]
    guides = ("README.md", "CONTRIBUTING.md", "proofs/README.md", "attacks/README.md")
    pages += [path for name in guides if (path := root / name).is_file()]
    kinds = [(pages, of_page), (sorted(root.glob("derl/claims/*/claims.yml")), of_statements),
             (sorted(root.glob("derl/**/*.py")), of_docstrings)]
    return {path.relative_to(root).as_posix(): read(path.read_text(encoding="utf-8"))
            for paths, read in kinds for path in paths}


def hits(found: dict[str, list[str]]) -> list[tuple[str, str, str]]:
    """(file, rule, what was said) for all sources."""
    listed = [(file, paragraph) for file, paragraphs in found.items() for paragraph in paragraphs]
    seen = [(file, rule, said) for file, paragraph in listed for rule, said in problems(paragraph)
            if rule != "verbless opening" or not file.endswith(".py")]  # a docstring may open with what is returned
    seen += [(listed[i][0], "spelling", hit) for i, hit in misspelt([paragraph for _, paragraph in listed])]
    return seen + [(file, "proselint", said) for file, paragraphs in found.items() if not file.endswith(".py")
                   for said in diction(paragraphs)]


def recorded(file: Path = RECORD) -> Counter:
    """(file, rule) -> how many hits are allowed."""
    with file.open(encoding="utf-8", newline="") as stream:
        return Counter({(row["file"], row["rule"]): int(row["hits"]) for row in csv.DictReader(stream)})


def risen(allowed: Counter, counted: Counter) -> dict:
    """What is more than allowed: of a recorded file, or in all where files are new, renamed or split."""
    known = {file for file, _ in allowed}
    more = {key: (n, allowed[key]) for key, n in counted.items() if key[0] in known and n > allowed[key]}
    for rule in RULES:
        now, then = (sum(n for (_, name), n in one.items() if name == rule) for one in (counted, allowed))
        if now > then:
            more["all files", rule] = (now, then)
    return more


def lowered(allowed: Counter, counted: Counter) -> Counter:
    """The record of today: no number rises, and what is gone is left out."""
    return Counter({key: min(n, counted[key]) for key, n in allowed.items() if counted[key]})


def main() -> None:
    seen = hits(sources())
    counted = Counter((file, rule) for file, rule, _ in seen)
    if "--new" in sys.argv or "--renew" in sys.argv:
        rows = counted if "--new" in sys.argv else lowered(recorded(), counted)
        with RECORD.open("w", encoding="utf-8", newline="") as stream:
            table = csv.writer(stream, lineterminator="\n")
            table.writerow(["file", "rule", "hits"])
            table.writerows([file, rule, n] for (file, rule), n in sorted(rows.items()))
    else:
        for file, rule, said in sorted(seen):
            print(f"{file}: {rule}: {said}")
    print(dict(Counter(rule for _, rule, _ in seen)), file=sys.stderr)


if __name__ == "__main__":
    main()

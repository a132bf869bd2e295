"""From the outcomes of checks to a word, and from words to what a statement rests on.

This is the one place that decides what counts as proved. Pages, figures and the command line read what the ledger
says.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from derl.judge.rows import CheckRow

WORD_OF_METHOD = {
    "kernel": "machine-checked",
    "symbolic": "proved",
    "certificate": "certified",
    "interval": "certified",
    "exhaustive": "enumerated",
    "stress": "tested",
    "statistical": "tested",
    "run": "tested",
}
STRENGTH = ("machine-checked", "proved", "certified", "enumerated", "tested")
STRONG = STRENGTH[:4]
READ = STRENGTH[1:4]  # require that every formula is evaluated, or that the entry says why not; Coq states it whole
# what a corrected statement has to be for the printed one to count as repaired
MENDS = (*STRENGTH, "executed", "stated")
# no proof can rest on these as they are printed, but on what corrects them
UNDECIDED = ("stale", "not checked")
GROUNDLESS = ("failed", *UNDECIDED, "refuted", "repaired", "proof mended", "open", "proof fails",
              "minor slip")
EXPECTED = {"holds": MENDS, "holds-with-repair": ("repaired", "proof mended", "open", "minor slip"),
            "refuted": ("refuted", "proof fails", "minor slip"), "proof-fails": ("proof fails",), "cited": ("cited",)}
# classes of errata: the statement, or the result that the line serves, holds or is open
TRUE_OR_OPEN, SLIGHT = ("gap", "open"), ("corner case", "harmless", "typo")
SIGNS = {"machine-checked": "⊢", "proved": "■", "certified": "✓", "enumerated": "#", "tested": "≈",
         "refuted": "✗", "repaired": "↻", "proof mended": "⊩", "open": "?", "proof fails": "⊬", "minor slip": "±",
         "executed": "▶", "stated": "≝",
         "cited": "❝", "stale": "◔", "not checked": "○", "failed": "!"}
MEANING = {
    "machine-checked": "Coq has checked a proof of the whole statement, and refuted a near variant that is false",
    "proved": "a complete written proof on its page; every computation in it checked exactly",
    "certified": "a certificate re-checked exactly, without the solver that found it",
    "enumerated": "every member of a finite class tried, in exact arithmetic",
    "tested": "a search found nothing, or a statistic passed with level, size and seed fixed beforehand",
    "refuted": "an exact counterexample to the statement as printed",
    "repaired": "the printed statement is false; the corrected one carries its own verdict",
    "proof mended": "the result is true, once a range that its source takes for granted is named; its printed proof "
                    "fails, and what is mended carries its own verdict",
    "open": "the printed proof fails, and whether the result is true is not known, even with the ranges that its "
            "source takes for granted; a corrected result carries its own verdict",
    "proof fails": "the printed deduction is wrong; the statement is open, or true for another reason",
    "minor slip": "a misprint, a corner case, or a line whose correction changes nothing that rests on it; the errata "
                  "have the corrected form",
    "executed": "an algorithm that ran as printed or as repaired, with what was run",
    "stated": "a definition, an assumption or a condition: instances satisfy it and violate it",
    "cited": "a theorem from elsewhere, not checked here",
    "stale": "the words, or what Coq states, have changed since somebody last compared them with the checks; nothing "
             "speaks against the statement",
    "not checked": "no check yet, or one that could not be run to its end, with the reason",
    "failed": "a check or its control failed",
}
RESTS = "its proof rests on"
SUPPOSED = ("assumption", "definition", "condition")
MEANT = (*SUPPOSED, "algorithm")  # they say what is meant; there is nothing in them to prove


def verdict(rows: Sequence[CheckRow], cited: bool = False, repair: str | None = None,
            fault: str | None = None, reviewed: bool = True) -> tuple[str, str]:
    """The verdict word of a statement and its scope gap, from the rows of its checks.

    A check that could not be run to its end says nothing. Where the others give the word that they would give together
    with it, the statement keeps that word; where it would count, the statement is "not checked".

    A statement is "stale" where its words, or a pair of it and a theorem of Coq, are not those that somebody has
    compared: a check that cannot read changed words has computed nothing, and does not make the statement "failed".

    Parameters
    ----------
    repair : str or None
        Verdict of the corrected statement, where claims.yml names one.
    fault : str or None
        The class of its erratum, or "open"; see `derl.ledger.Statement.standing`.
    reviewed : bool
        Whether the words of the statement are those that were compared with its checks.

    Returns
    -------
    word : str
        One of `SIGNS`.
    gap : str
    """
    if any(row.outcome == "fail" and (reviewed or row.measured is not None) or row.passes and not row.rejects
           for row in rows):
        return "failed", "a check or its control failed"
    if not reviewed:
        return "stale", "nobody has compared its words, as they now are, with its checks"
    if outdated := [row.detail for row in rows if row.outcome == "stale"]:
        return "stale", "; ".join(outdated)
    passing = [row for row in rows if row.passes]
    word, gap = _of_passing(passing, cited, repair, fault)
    if unrun(rows) and word != _of_passing(rows, cited, repair, fault)[0]:
        return "not checked", reasons(rows)
    return word, gap


def unrun(rows: Iterable[CheckRow]) -> list[CheckRow]:
    """The rows of checks that have found nothing: the machine or their own code kept them from it."""
    return [row for row in rows if row.outcome in ("error", "missing")]


def reasons(rows: Iterable[CheckRow]) -> str:
    """Why checks have found nothing, each by its name."""
    return "; ".join(f"{row.name} could not be run: {row.detail}" for row in unrun(rows))


def _of_passing(passing: Sequence[CheckRow], cited: bool, repair: str | None, fault: str | None) -> tuple[str, str]:
    """The word and the gap where all these checks have passed."""
    if repair in UNDECIDED and any(row.refutes or row.breaks_proof for row in passing):
        return repair, f"the statement that corrects it is {repair}"
    if any(row.refutes for row in passing):
        open_ends = dict.fromkeys(row.gap for row in passing if row.refutes and row.gap != "none")
        return amiss(fault, repair), "; ".join(open_ends) or "none"
    if any(row.breaks_proof for row in passing):
        open_ends = dict.fromkeys(row.gap for row in passing if row.breaks_proof and row.gap != "none")
        return amiss(fault if fault in (*SLIGHT, "open") else "gap", repair), "; ".join(open_ends) or "none"
    if cited:
        return "cited", "rests on an outside theorem"
    if not passing:
        return "not checked", "no check in this tier"
    whole = [row for row in passing if row.covers == "everything"]
    if not whole:
        return "tested", "; ".join(dict.fromkeys(row.gap for row in passing if row.gap != "none")) or "none"
    best = min(whole, key=lambda row: STRENGTH.index(WORD_OF_METHOD[row.method]))
    return WORD_OF_METHOD[best.method], best.gap


def amiss(fault: str | None, repair: str | None) -> str:
    """The word for a statement that a check has refuted as printed.

    Parameters
    ----------
    fault : str or None
        The class of its erratum, or "open"; None counts as false.
    repair : str or None
        Verdict of the corrected statement; None where there is none.

    Returns
    -------
    str
        A false statement is "repaired" by a good corrected one and "refuted" without. Where the statement is true, its
        proof is "mended"; where it is open, it is "open"; without a good corrected one its proof "fails".
        What is slight is a "minor slip", unless its correction has failed.
    """
    mended = repair in MENDS
    if fault in SLIGHT and (mended or repair is None):
        return "minor slip"
    if fault in TRUE_OR_OPEN:
        return "proof fails" if not mended else "open" if fault == "open" else "proof mended"
    return "repaired" if mended else "refuted"


def as_expected(word: str, expected: str, wanted: str | None = None, fault: str | None = None) -> bool:
    """Whether a verdict is the one that claims.yml names.

    Parameters
    ----------
    expected : {"holds", "holds-with-repair", "refuted", "cited"}
    wanted : str or None
        The very word, where one is named: a proof that decays to a sample is then not as expected. What a kernel has
        read may be named by the word of the checks that stand beside it.
    fault : str or None
        The class of its erratum; it decides between the words for what is amiss.
    """
    if expected in ("holds-with-repair", "refuted"):
        return word == amiss(fault, STRENGTH[0] if expected == "holds-with-repair" else None) and \
            wanted in (None, word)
    return word in EXPECTED[expected] and (wanted in (None, word) or
                                           word == STRENGTH[0] and wanted in STRENGTH)


def earned(word: str, gap: str, kind: str, lacks: list[str], unasked: Iterable[str] = ()) -> tuple[str, str]:
    """The word that a statement keeps.

    Definitions, assumptions and conditions have nothing to prove: they are "stated", with instances that satisfy and
    violate them. An algorithm that is not proved is "executed", and so is a row of a table that only runs speak for.
    "proved" needs a written proof that names every computed step, and no gap in free text: what is read by eye or
    quoted is written in the proof. "machine-checked" needs no proof but the one that Coq has checked.

    Parameters
    ----------
    lacks : list of str
        What the written proof lacks; see `derl.judge.proofs.problems`.
    unasked : iterable of str
        Steps of symbolic checks that nothing has tried to make false; see `derl.judge.power.unasked`.
    """
    if kind in SUPPOSED and word in STRENGTH:
        return "stated", gap
    if kind == "algorithm" and word in STRENGTH[2:] or kind == "table" and word == STRENGTH[-1]:
        return "executed", gap
    if word == "proved" and lacks:
        return "tested", f"no complete written proof: {lacks[0]}"
    if word == "proved" and (silent := list(unasked)):
        return "tested", f"no false variant was tried on {silent[0]}"
    if word == "proved" and gap != "none":
        return "tested", f"the proof leaves something in words: {gap}"
    return word, gap


def carried(word: str, gap: str, used: Mapping[str, str]) -> tuple[str, str]:
    """The verdict of a statement after what its proof uses has been looked at.

    Parameters
    ----------
    used : mapping
        id -> word of every statement that the proof uses directly and that was run; what those rest on has already
        been looked at.

    Returns
    -------
    word, gap : str
        "failed" and what it fails on, where the proof rests on something that has no ground; "stale" or "not checked"
        where all that it lacks is stale, or not checked. What a proof assistant has checked rests on its axioms alone.
    """
    if word == "machine-checked":
        return word, gap
    broken = {key: other for key, other in used.items() if other in GROUNDLESS}
    if not broken or word not in MENDS:
        return word, gap
    found = set(broken.values())
    return ("stale" if found == {"stale"} else "not checked" if found <= {*UNDECIDED} else "failed",
            f"{RESTS} {', '.join(f'{key} ({other})' for key, other in broken.items())}")


def weakest(below: Iterable[str], words: Mapping[str, str], kinds: Mapping[str, str]) -> list[str]:
    """Which of the statements below have something to prove and are neither proved, certified nor enumerated."""
    return [key for key in below if kinds[key] not in MEANT and words[key] not in STRONG]


def grounded(word: str, weak: list[str]) -> bool:
    """Whether a statement is proved, certified or enumerated together with everything that it rests on."""
    return word in STRONG and not weak

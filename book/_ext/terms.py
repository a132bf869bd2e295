"""The first use of a term of the glossary on a page is a link to its entry, as if {term} had been written there.

A term is found with its plural. `WAYS` has the terms that are written in other ways, or whose word has another sense
as well. `ONLY` keeps the words of some chapters to the pages of these chapters. A heading, a caption, the head of a
table, another link, a statement's own box and the glossary itself contain no links of this kind.
"""

from __future__ import annotations

import re

from docutils import nodes
from symbols import shielded

GLOSSARY = "book/glossary"
NOUN = r"(?:an?|the|its|each|every|one|this|that|of|same|no|all|these) "  # before a word that is a verb elsewhere
WAYS = {  # term -> how it is written; the group "term" becomes the link, if there is one
    "batch": r"batch(?:es)?",
    "deployment complexity": r"deployment complexity",
    "truncated MDP": r"(?:\*?truncated\*? MDPs?|MDPs? truncated)",
    "reward-free exploration": r"reward-free(?: exploration)?",
    "reachability coefficient": r"reachability(?: coefficients?)?",
    "uncertainty": r"uncertaint(?:y|ies)",
    "bonus": r"bonus(?:es)?",
    "inner cap": r"inner caps?",
    "violation": r"violations?|(?<=batch )violates?|(?<=batches )violate",
    "design": r"designs?(?! (?:matri|modulo))",
    "design modulo a law": r"designs? modulo(?: a (?:known )?law)?",
    "cover": rf"{NOUN}(?P<term>covers?)",
    "block": rf"{NOUN}(?P<term>blocks?)|(?P<more>blocks) of layers",
    "cut model": r"cut models?|cut pairs?|cuts? every state-action pair",
    "spanner": r"(?:barycentric )?spanners?",
    "template": r"(?:hard )?template",
    "lock": r"(?<!junk )(?:combination )?locks?",
    "junk lock": r"junk (?:locks?|states?)",
    "statement": r"statements?",
    "repaired statement": r"repaired statements?|statements?, repaired",
    "check": rf"{NOUN}(?P<term>checks?)(?! (?:that|whether|if)\b)",
    "false variant": r"false variants?",
    "read by eye": r"read by eye",
    "erratum": r"errat(?:um|a)",
}
ONLY = {  # term -> beginnings of the paths of its pages; elsewhere the word has its usual sense
    "code": ("lower-bounds/", "beyond/", "games", "in-ten-minutes"),
    "lock": ("lower-bounds/", "beyond/", "games", "in-ten-minutes", "index", "comparison/", "foundations/"),
    "wheel": ("lower-bounds/", "beyond/", "games", "in-ten-minutes", "index"),
    "block": ("beyond/", "index", "in-ten-minutes", "map"),
    "cover": ("beyond/", "index", "in-ten-minutes", "map"),
    "arm": ("lower-bounds/", "beyond/", "games", "foundations/"),
    "bait": ("beyond/",),
    "pace": ("beyond/", "lower-bounds/"),
    "frontier": ("beyond/", "lower-bounds/"),
    "needle": ("beyond/",),
    "template": ("lower-bounds/", "comparison/", "foundations/", "beyond/", "layerwise/"),
    "lab": ("how-to-read", "install", "index", "labs", "back/api/"),
}


def pattern(term: str) -> re.Pattern:
    """What is read as a use of the term."""
    return re.compile(rf"\b(?:{WAYS.get(term, re.escape(term) + 's?')})\b", re.IGNORECASE)


def of_page(known: dict[str, str], docname: str) -> dict[str, re.Pattern]:
    """Term -> its pattern, for the terms that are linked on a page; a longer term goes before its parts."""
    path = docname.removeprefix("book/")
    fitting = [term for term in known if path.startswith(ONLY.get(term, ""))]
    return {term: pattern(term) for term in sorted(fitting, key=lambda term: (-len(term), term))}


def first(text: str, patterns: dict[str, re.Pattern]) -> tuple[int, int, str] | None:
    """(begin, end, term) of the first use of any term in a text."""
    best = None
    for term, ways in patterns.items():
        if found := ways.search(text):
            group = next((name for name, said in found.groupdict().items() if said), 0)
            begin, end = found.span(group)
            if best is None or (begin, -end) < (best[0], -best[1]):
                best = begin, end, term
    return best


def in_prose(text: nodes.Text) -> bool:
    """Whether a text belongs to a paragraph and to nothing that is quoted, generated or a link already."""
    above = text.parent
    while above is not None and not isinstance(above, nodes.paragraph):
        if isinstance(above, (nodes.literal, nodes.math)):
            return False
        above = above.parent
    return above is not None and not shielded(text) and not any(
        isinstance(node, nodes.thead) for node in ancestors(text))


def ancestors(node: nodes.Node):
    while node.parent is not None:
        node = node.parent
        yield node


def link(app, doctree, docname):
    """Make the first use of every term of the glossary a link, once per term and page."""
    if docname == GLOSSARY or app.builder.format != "html":
        return
    objects = app.env.get_domain("std").objects
    known = {name: anchor for (kind, name), (page, anchor) in objects.items() if kind == "term" and page == GLOSSARY}
    patterns = of_page(known, docname)
    target = app.builder.get_relative_uri(docname, GLOSSARY) if known else ""
    for text in list(doctree.findall(nodes.Text)):
        if not patterns:
            return
        if not in_prose(text):
            continue
        pieces, rest = [], str(text)
        while found := first(rest, patterns):
            begin, end, term = found
            del patterns[term]
            reference = nodes.reference("", rest[begin:end], internal=True, refuri=f"{target}#{known[term]}",
                                        classes=["glossary-term"])
            pieces += [nodes.Text(rest[:begin]), reference]
            rest = rest[end:]
        if pieces:
            text.parent.replace(text, [*pieces, nodes.Text(rest)])


def setup(app):
    app.connect("doctree-resolved", link)
    return {"version": "1", "parallel_read_safe": True, "parallel_write_safe": True}

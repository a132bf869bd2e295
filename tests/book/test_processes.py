"""The book is the same, byte by byte, whether one process or several read and write its pages."""


import symbols
from packing import unpack

PAGES = {symbols.NOTATION: "# Notation\n\n[$n$]{#sym-n}\n: A number.\n",
         "one": "# One\n\n```{claim} lem-even\n```\n\nA number $n$.\n", "two": "# Two\n\n```{ledger-table}\n```\n",
         "three": "# Three\n\n{claim}`lem-even`\n\n```{status}\n```\n"} | \
    {f"page{i}": f"# Page {i}\n\nIn all of them $n$ and {{claim}}`lem-even`.\n\n## More\n\nWords.\n" for i in range(12)}


def files(built):
    """Name -> bytes of what a reader loads."""
    site = built.folder / "html"
    return {path.relative_to(site).as_posix(): path.read_bytes() for path in sorted(site.rglob("*"))
            if path.is_file() and path.name != ".buildinfo"}


def value(script):
    """What a packed script holds."""
    return unpack(script.decode())


def test_the_same_bytes_from_one_process_and_from_three(build):
    alone = build(PAGES)
    expected = files(alone)
    together = build(PAGES, processes=3)
    assert sorted(alone.warnings.splitlines()) == sorted(together.warnings.splitlines()) and files(together) == expected
    told = value(expected["_static/statements.js"])
    assert told["statements"]["lem-even"]["page"] == "one" and "<p>" in told["statements"]["lem-even"]["html"]
    assert told["anchors"] == {f"{symbols.NOTATION}#sym-n": told["anchors"][f"{symbols.NOTATION}#sym-n"]}
    assert all("#sym-n" in together.page(f"page{i}") for i in range(12))


def test_two_homes_are_a_warning_and_the_first_by_name_counts_whoever_reads_them(build):
    pages = {name: text for name, text in PAGES.items() if name != "one"} | \
        {name: PAGES["one"] for name in ("first", "page8", "page9")}
    seen = []
    for processes in (1, 2, 3, 4):
        built = build(pages, processes=processes)
        assert built.warnings.count("lem-even has its home on") == 2
        seen.append(files(built))
    assert all(found == seen[0] for found in seen)
    assert value(seen[0]["_static/statements.js"])["statements"]["lem-even"]["page"] == "first"
    assert 'href="first.html#lem-even"' in seen[0]["page3.html"].decode()


def test_a_build_of_some_pages_knows_what_the_others_say(build):
    before = files(build(PAGES, processes=2))
    after = files(build(PAGES | {"page3": PAGES["page3"] + "\n## A new section\n\nMore.\n"}, fresh=False))
    changed = {name for name in before if before[name] != after[name]}
    assert "page3.html" in changed and not changed & {"page4.html", "one.html", "_static/statements.js"}
    was, now = ([row for row in value(found["_static/sections.js"])["sections"] if row[0] != "index"]
                for found in (before, after))
    assert [row for row in now if row not in was] == [["page3", "Page 3", "a-new-section", "A new section", "More."]]
    assert [row for row in was if row not in now] == [] and len(now) == len(was) + 1

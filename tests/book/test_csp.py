"""Only the book's own scripts run: every script that is written into a page is one of the list of csp.py."""

import base64
import hashlib
import html as escapes
import re

import csp
import yaml
from browser import ROOT
from test_pages import pages_of

SCRIPT = re.compile(r"<script\b([^>]*)>(.*?)</script>", re.DOTALL | re.IGNORECASE)


def dead(page: str) -> list[str]:
    """Scripts of a page that its policy does not let run, handlers of events, and addresses that are scripts."""
    policy = escapes.unescape(re.search(r'Content-Security-Policy" content="([^"]*)"', page)[1])
    written = [text for attributes, text in SCRIPT.findall(page)
               if "src=" not in attributes and "json" not in attributes]
    digests = {text: base64.b64encode(hashlib.sha256(text.encode()).digest()).decode() for text in written}
    tags = re.findall(r"<[a-zA-Z][^<>]*>", SCRIPT.sub("", page))
    return [text for text, digest in digests.items() if f"'sha256-{digest}'" not in policy] + [
        tag for tag in tags if re.search(r"""\s(on[a-z]+\s*=\s*["']|href\s*=\s*["']?javascript:)""", tag)]


def test_every_script_of_a_page_is_on_the_list(html):
    pages = [page for page in pages_of(html) if page.name != "index.html" or page.parent != html]
    assert len(pages) > 40 and "'unsafe" not in csp.policy().split(";")[0]
    assert {page.name: found for page in pages if (found := dead(page.read_text(encoding="utf-8")))} == {}


def test_a_script_in_a_page_is_dead(build):
    built = build({"one": "# One\n\n<script>window.planted = 1</script>\n\n<img src=x onerror='y()'>\n"},
                  extensions=["myst_parser", "claims_domain", "csp"])
    assert dead(built.page("one"))[:1] == ["window.planted = 1"] and "onerror" in dead(built.page("one"))[-1]


def test_a_formula_is_no_way_to_place_a_box_or_to_run_a_script():
    config = yaml.safe_load((ROOT / "_config.yml").read_text(encoding="utf-8"))["sphinx"]["config"]
    assert "ui/safe" in config["mathjax3_config"]["loader"]["load"]

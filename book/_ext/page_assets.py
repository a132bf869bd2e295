"""Small repairs of the finished HTML, and what the browser need not load.

- A table stands in a box that scrolls and that the keyboard reaches; a cell of the head is never an empty `th`.
- No line begins with a full stop: punctuation behind a formula stays with it.
- Plotly is loaded, and a figure drawn, when the figure comes near (page.js).
- Of FontAwesome (2.8 MB) the book uses nine pictures; icons.css has its own, and the script is emptied. Of one font the
  signs of boxes with a title stay, and of the styles none that gives a picture its name.
- Code in the boxes of checks and theorems keeps the marks of keywords, comments, strings and numbers; those of names
  and signs, most of its bytes, go.
- Files that no page loads are not part of the site.
"""

import re
import shutil
from pathlib import Path

from fontTools.subset import Options, Subsetter
from fontTools.ttLib import TTFont

TABLE = re.compile(r"<table\b.*?</table>", re.DOTALL)
EMPTY_HEAD = re.compile(r"<th\b([^>]*)>((?:\s|<p>|</p>)*)</th>")
INLINE = re.compile(r'((?:<a class="[\w -]*\bsymbol\b[^>]*>)?'
                    r'<span class="(?:said-formula )?math notranslate nohighlight">\\\('
                    r'(?:(?!</span>).)*?</span>(?:</a>)?)([.,;:!?)\]’”]+)', re.DOTALL)
DISPLAY = re.compile(r'(\\\])(</(?:span|div)>)\s*([.,;])(?=\s|<)')
SYMBOL = re.compile(r'(<a class="[\w -]*\bsymbol\b[^"]*" href="[^"]*#sym-([\w-]+)")>')
PLOT = re.compile(r'<script(?: type="text/javascript")?>(?=(?:(?!</script>).)*Plotly\.newPlot)', re.DOTALL)
SPOILED = (('<summary aria-label="Toggle hidden content">', "<summary>"),  # a name that is not what is read
           ('<div role="list" class="citation-list">', '<div class="citation-list">'),  # its entries are no list items
           ('<div class="plotly-figure" role="img"', '<div class="plotly-figure" role="figure"'))  # it holds controls
UNUSED = "scripts/fontawesome.js"
FONT = "vendor/fontawesome/webfonts/fa-solid-900"
THEME = "styles/pydata-sphinx-theme.css"
PICTURE = re.compile(r'(?:\.fa-[\w-]+::?before,?)+\{content:"\\[0-9a-f]+"\}')
SIGN = re.compile(r'--pst-icon-[\w-]+:"(.)"')
WHOLE = re.compile(r'url\([^)]*fa-solid-900\.woff2\) format\("woff2"\),'
                   r'url\([^)]*fa-solid-900\.ttf\) format\("truetype"\)')
UNREAD = ("searchtools.js", "language_data.js", "../searchindex.js",  # find.js has its own indexes
          "vendor/fontawesome/webfonts/*.ttf",
          "vendor/fontawesome/webfonts/*.woff2", "vendor/fontawesome/webfonts/fa-[br]*", "locales")
OPTIONAL = {"vendor/widgets": "vendor/widgets/embed.js"}  # a folder, and what pages load that need it
BOXED = re.compile(r'<div class="[^"]*\b(?:kernel-code|check-source)\b[^"]*"><div class="highlight"><pre>.*?</pre>',
                   re.DOTALL)
FAINT = re.compile(r'<span class="(?:n|o|p|w|nn|bp)">([^<]*)</span>')


def mend(html: str) -> str:
    """The body of a page with all repairs."""
    html = PLOT.sub('<script type="text/plotly">', html)
    for spoiled, sound in SPOILED:
        html = html.replace(spoiled, sound)
    html = INLINE.sub(r'<span class="glued">\1\2</span>', html)
    html = DISPLAY.sub(r"\3\1\2", html)
    html = SYMBOL.sub(named, html)
    html = BOXED.sub(lambda match: FAINT.sub(r"\1", match.group()), html)
    return TABLE.sub(boxed, html)


def named(match: re.Match) -> str:
    """A link that is one formula has a name for those who hear it: sym-trade-off is "trade off"."""
    return f'{match[1]} aria-label="{match[2].replace("-", " ")}, in the notation">'


def boxed(match: re.Match) -> str:
    table = EMPTY_HEAD.sub(r"<td\1>\2</td>", match.group())
    return f'<div class="table-box" tabindex="0" role="region" aria-label="table">{table}</div>'


def mend_page(app, pagename, templatename, context, doctree):
    if "body" in context:
        context["body"] = mend(context["body"])


def trim(app, error):
    """Empty what no page uses, and drop what only a debugger reads."""
    static = Path(app.outdir, "_static")
    if error is None and app.builder.name == "html":
        if (static / UNUSED).is_file():
            (static / UNUSED).write_text("// The book draws its nine icons itself: icons.css\n", encoding="utf-8")
        if (static / f"{FONT}.ttf").is_file():
            few_signs(static)
        for file in static.rglob("*.map"):
            file.unlink()
        unused = [folder for folder, script in OPTIONAL.items() if not loaded(app, script)]
        for path in [path for name in (*UNREAD, *unused) for path in static.glob(name)]:
            shutil.rmtree(path) if path.is_dir() else path.unlink(missing_ok=True)  # two patterns may name one file


def few_signs(static: Path) -> None:
    """Put the font with the theme's own signs in the place of the whole; the names of all other pictures go."""
    style = (static / THEME).read_text(encoding="utf-8")
    font = TTFont(static / f"{FONT}.ttf")
    subsetter = Subsetter(Options(flavor="woff", layout_features=[]))
    subsetter.populate(text="".join(SIGN.findall(style)))
    subsetter.subset(font)
    font.flavor = "woff"
    font.recalcTimestamp = False
    font.save(static / f"{FONT}.woff")
    style = PICTURE.sub("", style)
    (static / THEME).write_text(WHOLE.sub(f'url(../{FONT}.woff) format("woff")', style), encoding="utf-8")


def loaded(app, script: str) -> bool:
    """Whether a page of the site loads a script."""
    return any(script in page.read_text(encoding="utf-8") for page in Path(app.outdir).rglob("*.html")
               if "_static" not in page.parts)


def setup(app):
    app.connect("html-page-context", mend_page)
    app.connect("build-finished", trim)
    return {"version": "1", "parallel_read_safe": True}

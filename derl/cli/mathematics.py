"""LaTeX as a terminal shows it: Greek letters, sums and roots as characters, fractions on one line.

pylatexenc knows the symbols; what it would drop is kept here: norms, brackets that group a fraction, the letters of an
index.
"""

from __future__ import annotations

import re

from pylatexenc.latex2text import LatexNodes2Text, MacroTextSpec, get_default_latex_context_db

SUBSCRIPT = dict(zip("0123456789+-=()aehijklmnoprstuvx", "₀₁₂₃₄₅₆₇₈₉₊₋₌₍₎ₐₑₕᵢⱼₖₗₘₙₒₚᵣₛₜᵤᵥₓ", strict=True))
SUPERSCRIPT = dict(zip("0123456789+-=()abcdefghijklmnoprstuvwxyz*⊤",
                       "⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻⁼⁽⁾ᵃᵇᶜᵈᵉᶠᵍʰⁱʲᵏˡᵐⁿᵒᵖʳˢᵗᵘᵛʷˣʸᶻ*ᵀ", strict=True))
SCRIPT = re.compile(r"([_^])(?:\{([^{}]*)\}|([^\s{}_^(]))")
WORDS = ("log", "ln", "exp", "min", "max", "sup", "inf", "det", "tr", "Pr", "dim", "ker", "rank", "deg", "arg")
SILENT = ("bigl", "bigr", "big", "Big", "Bigl", "Bigr", "bigg", "biggl", "biggr", "left", "right", "limits",
          "displaystyle", "textstyle", "middle", "bigm", "Bigm")


def _grouped(text: str, plain: str = r"\w?[\w.]*") -> str:
    return text if re.fullmatch(plain, text) else f"({text})"


def _arguments(node, l2tobj) -> list[str]:
    texts = [l2tobj.nodelist_to_text([argument]).strip() for argument in node.nodeargd.argnlist if argument]
    return [text[1:-1] if text.startswith("{") else text for text in texts]


def _fraction(node, l2tobj) -> str:
    above, below = _arguments(node, l2tobj)
    product = r"[\w.^{}]*"  # reads rightly without brackets above the bar, not below it
    return f"{{{_grouped(above, product)}/{_grouped(below)}}}"


def _root(node, l2tobj) -> str:
    return "√" + _grouped(_arguments(node, l2tobj)[-1])


def _converter() -> LatexNodes2Text:
    context = get_default_latex_context_db()
    specs = [MacroTextSpec("frac", _fraction)]
    specs += [MacroTextSpec(word, f" {word} ") for word in WORDS] + [MacroTextSpec(word, "") for word in SILENT]
    specs += [MacroTextSpec("sqrt", _root), MacroTextSpec("|", "‖"), MacroTextSpec("mid", " | "),
              MacroTextSpec("quad", "  "), MacroTextSpec("qquad", "  "), MacroTextSpec("top", "⊤"),
              MacroTextSpec("{", "⦃"), MacroTextSpec("}", "⦄")]
    context.add_context_category("derl", prepend=True, macros=specs)
    return LatexNodes2Text(latex_context=context, math_mode="text", keep_braced_groups=True,
                           keep_braced_groups_minlen=2)


def _script(found: re.Match) -> str:
    mark, group, single = found.groups()
    text = (group if group is not None else single).strip()
    table = SUBSCRIPT if mark == "_" else SUPERSCRIPT
    close = text.replace(" ", "")
    if close and all(letter in table for letter in close):
        return "".join(table[letter] for letter in close)
    return f"{mark}({text})" if len(text) > 1 else f"{mark}{text}"


def readable(text: str) -> str:
    """Markdown with LaTeX in dollars, as plain characters.

    Parameters
    ----------
    text : str

    Returns
    -------
    str
        Paragraphs as before; every formula on the line where it stands.
    """
    pieces = re.split(r"(\$\$.*?\$\$|\$[^$]*\$)", text, flags=re.S)
    return re.sub(r"\n{3,}", "\n\n", "".join(_formula(piece) if piece.startswith("$") else piece for piece in pieces))


def _formula(piece: str) -> str:
    source = re.sub(r"\\[td]frac(?![a-z])", r"\\frac", piece.strip("$"))
    shown = " ".join(_converter().latex_to_text(source).split())
    before = None
    while before != shown:  # from the innermost index outwards
        before, shown = shown, SCRIPT.sub(_script, re.sub(r"\{\{([^{}]*)\}\}", r"{\1}", shown))
    shown = shown.replace("{", "").replace("}", "").replace("⦃", "{").replace("⦄", "}")
    shown = re.sub(r"\s+([,.;)\]}])", r"\1", re.sub(r"([(\[{=])\s+", r"\1", shown))
    return f"\n    {shown}\n" if piece.startswith("$$") else shown

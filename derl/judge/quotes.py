"""What a check takes from the printed text: the default of a parameter is a quote, and each run resolves it.

    def levels_fit(text=printed("ineq-levels-fit")):                    # the statement, as `derl.printed.Text`
    def constant_fits(c=printed("thm-layerwise")("c=")):                # the value of a formula
    def size_fits(size=printed("thm-layerwise").function(r"N\\ge", "d", "H")):

`Registry.claim` puts the statement of the check itself in the place of a first parameter `text`.

A false variant is the same function with the quote resolved in an edited text.
"""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable, Mapping
from typing import Any

from derl.printed import Text


class Quote:
    """A printed text, or what a method of it gives, looked up when a check runs.

    Parameters
    ----------
    look : callable
        (claim, field) -> the text.
    claim, field : str
        Which text: a field of the entry, or the name of a step of its proof.
    asked : tuple
        (method, arguments, keywords); empty for the text itself.
    """

    def __init__(self, look: Callable[[str, str], str], claim: str, field: str, asked: tuple = ()):
        self._look, self.claim, self.field, self._asked = look, claim, field, asked

    def __repr__(self):
        return f"printed({self.claim!r})" + (f".{self._asked[0]}{self._asked[1]}" if self._asked else "")

    def __call__(self, *arguments, **keywords) -> Quote:
        return self._then("__call__", arguments, keywords)

    def __getattr__(self, name: str) -> Callable[..., Quote]:
        if name not in ("sides", "relation", "function", "range", "interval", "shown"):
            raise AttributeError(f"a printed text has no method {name}")
        return lambda *arguments, **keywords: self._then(name, arguments, keywords)

    def _then(self, *asked) -> Quote:
        if self._asked:
            raise TypeError(f"{self!r} is asked once")
        return Quote(self._look, self.claim, self.field, asked)

    @property
    def key(self) -> tuple[str, str]:
        """Which text it quotes."""
        return self.claim, self.field

    def text(self) -> Text:
        """The whole text, with nothing looked up yet."""
        return Text(self._look(self.claim, self.field), self.claim if self.field == "statement" else
                    f"{self.claim}, {self.field}")

    def resolve(self, texts: dict[tuple[str, str], Text]) -> Any:
        """What it stands for; `texts` has those that are edited, and gets the others.

        Raises
        ------
        Unreadable
        """
        if self.key not in texts:
            texts[self.key] = self.text()
        text = texts[self.key]
        if not self._asked:
            return text
        method, arguments, keywords = self._asked
        return getattr(text, method)(*arguments, **keywords)


def quotes(function: Callable) -> dict[str, Quote]:
    """The parameters of a function whose defaults are quotes."""
    return {name: parameter.default for name, parameter in inspect.signature(function).parameters.items()
            if isinstance(parameter.default, Quote)}


def resolving(function: Callable) -> Callable:
    """The function with its quotes resolved where it is called without them."""
    quoted = quotes(function)
    if not quoted:
        return function
    signature = inspect.signature(function)

    @functools.wraps(function)
    def resolved(*arguments, **keywords):
        bound = signature.bind_partial(*arguments, **keywords).arguments
        texts: dict = {}
        return function(*arguments, **keywords, **{name: quote.resolve(texts) for name, quote in quoted.items()
                                                   if name not in bound})
    return resolved


def arguments(quoted: Mapping[str, Quote], texts: dict[tuple[str, str], Text]) -> dict[str, Any]:
    """The quoted arguments of a run, with some texts edited."""
    return {name: quote.resolve(texts) for name, quote in quoted.items()}


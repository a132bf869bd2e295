"""Printed texts as programs: their formulas are read once and evaluated for any values. It knows no paper."""

from derl.printed.ranges import Range, Relation
from derl.printed.reading import Node, Unreadable, read, words
from derl.printed.text import BEGINNING, Text
from derl.printed.values import value

__all__ = ["BEGINNING", "Node", "Range", "Relation", "Text", "Unreadable", "read", "value", "words"]

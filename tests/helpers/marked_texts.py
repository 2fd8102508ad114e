"""Texts in which each identifier is marked by hand, ``[[name:Anna Schmidt]] called``, and how many are found."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path

from anonlib.columns.free_text import Span, find

FOLDER = Path(__file__).resolve().parents[1] / "anonlib" / "columns" / "free_text"
_MARKED = re.compile(r"\[\[(\w+):(.*?)\]\]")


@dataclass
class Score:
    """By kind: identifiers marked and hidden whole, spans found and right."""

    marked: Counter[str] = field(default_factory=Counter)
    hidden: Counter[str] = field(default_factory=Counter)
    found: Counter[str] = field(default_factory=Counter)
    right: Counter[str] = field(default_factory=Counter)

    def recall(self, kind: str) -> float:
        """Share of the identifiers marked of which no letter and no figure is left, whatever they are taken for."""
        return self.hidden[kind] / self.marked[kind]

    def precision(self, kind: str) -> float:
        """Share of what is found as this kind that lies over a mark of this kind."""
        return self.right[kind] / self.found[kind]


@cache
def lines(name: str) -> tuple[str, ...]:
    return tuple((FOLDER / f"{name}.txt").read_text(encoding="utf-8").splitlines())


def parsed(line: str) -> tuple[str, list[Span]]:
    """The text without marks, and what was marked."""
    text, spans, end = "", [], 0
    for found in _MARKED.finditer(line):
        text += line[end : found.start()]
        spans.append(Span(len(text), len(text) + len(found[2]), found[1]))
        text, end = text + found[2], found.end()
    return text + line[end:], spans


def score(name: str) -> Score:
    """How the finder does on the marked texts of a file."""
    total = Score()
    for text, marked in map(parsed, lines(name)):
        found = find(text)
        covered = {i for span in found for i in range(span.start, span.end)}
        for span in marked:
            total.marked[span.kind] += 1
            total.hidden[span.kind] += all(i in covered for i in range(span.start, span.end) if text[i].isalnum())
        for span in found:
            total.found[span.kind] += 1
            total.right[span.kind] += any(
                each.kind == span.kind and each.start < span.end and span.start < each.end for each in marked
            )
    return total

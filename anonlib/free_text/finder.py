"""Where identifiers stand in a text, and the text with marks in their place."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator
from typing import NamedTuple

from anonlib.free_text.addresses import address_spans, email_spans, web_spans
from anonlib.free_text.figures import FIGURES
from anonlib.free_text.kinds import KINDS, MARK
from anonlib.free_text.names import name_spans

_DIGIT = re.compile("[0-9]")
# Of two that lie over one another and are equally long, the first of these says what both are.
_RANK = {key: rank for rank, key in enumerate(("email", "web", "address", "name", "date", "phone", "number", "age"))}


class Span(NamedTuple):
    """An identifier in a text: ``text[start:end]``, and its kind."""

    start: int
    end: int
    kind: str


def find(text: str, kinds: Collection[str] = tuple(KINDS)) -> list[Span]:
    """The identifiers in a text.

    Parameters
    ----------
    text
        A cell.
    kinds
        Keys of :data:`anonlib.free_text.KINDS`: what is looked for.

    Returns
    -------
    list of Span
        From left to right, none over another. Where two were found over one another they are one, of the kind of the
        longer. Nothing is found in the marks of :func:`redacted`.

    Examples
    --------
    >>> find("Seen by Dr. Garcia on May 5, 2021; BP 120/80.")
    [Span(start=12, end=18, kind='name'), Span(start=22, end=33, kind='date')]
    """
    if "[" not in text:
        return _found(text, kinds)
    found, start = [], 0
    for mark in MARK.finditer(text):
        found += [span for span in _shifted(_found(text[start : mark.start()], kinds), start)]
        start = mark.end()
    return found + list(_shifted(_found(text[start:], kinds), start))


def redacted(text: str, kinds: Collection[str] = tuple(KINDS)) -> str:
    """A text with a mark such as ``[name]`` in the place of each identifier.

    It is looked at again until nothing is found: a text that was redacted stays as it is.

    Parameters
    ----------
    text
        A cell.
    kinds
        What is looked for, as in :func:`find`.

    Returns
    -------
    str

    Examples
    --------
    >>> redacted("Seen by Dr. Garcia on May 5, 2021; BP 120/80.")
    'Seen by Dr. [name] on [date]; BP 120/80.'
    """
    while found := find(text, kinds):
        parts, end = [], 0
        for span in found:
            parts += [text[end : span.start], KINDS[span.kind].mark]
            end = span.end
        text = "".join([*parts, text[end:]])
    return text


def _shifted(spans: list[Span], by: int) -> Iterator[Span]:
    return (Span(span.start + by, span.end + by, span.kind) for span in spans)


def _found(text: str, kinds: Collection[str]) -> list[Span]:
    spans = [Span(start, end, kind) for kind in kinds for start, end in _of_kind(text, kind)]
    if len(spans) < 2:
        return spans
    spans.sort()
    joined = [spans[0]]
    longest = joined[0]
    for span in spans[1:]:
        last = joined[-1]
        if span.start < last.end:
            longest = max(longest, span, key=lambda each: (each.end - each.start, -_RANK[each.kind]))
            joined[-1] = Span(last.start, max(last.end, span.end), longest.kind)
        else:
            joined.append(span)
            longest = span
    return joined


def _of_kind(text: str, kind: str) -> Iterator[tuple[int, int]]:
    if kind == "name":
        yield from name_spans(text)
    elif kind == "email":
        yield from email_spans(text)
    else:
        if kind == "web":
            yield from web_spans(text)
        if _DIGIT.search(text):
            yield from address_spans(text) if kind == "address" else FIGURES[kind](text)

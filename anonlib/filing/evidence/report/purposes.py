"""The part of a report that says how well what must survive does, original against release."""

from __future__ import annotations

from anonlib.basics import words
from anonlib.filing.evidence.utility import PurposeFacts, UtilityFacts
from anonlib.filing.report.blocks import Block, Bullets, Table

_TITLE = "What must survive, original against release"


def survives(found: UtilityFacts) -> tuple[Block, ...]:
    """A row for each purpose, and what it means; nothing where none is named."""
    if not found.purposes:
        return ()
    rows = tuple(
        (purpose.title, purpose.measure or "–", _figure(purpose.original), _figure(purpose.release), _share(purpose))
        for purpose in found.purposes
    )
    table = Table(
        _TITLE,
        ("What must survive", "Measure", "Original", "Release", "Kept"),
        rows,
        ("left", "left", "right", "right", "right"),
        ("100% is as in the original; a mean by group is 0% where it is no better than the overall mean.",),
    )
    return (table, Bullets(tuple(purpose.sentence for purpose in found.purposes)))


def _figure(value: float | None) -> str:
    return "–" if value is None else f"{value:.3g}"


def _share(purpose: PurposeFacts) -> str:
    return "not measured" if purpose.share is None else words.percent(purpose.share)

"""How a report words numbers, and which names in it are never translated.

First comes what a report never translates: what a file or an officer calls something. Then come counts, states and days
in words.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from anonlib.basics import words
from anonlib.filing.case import ITEMS
from anonlib.filing.evidence.evidence import Evidence
from anonlib.filing.evidence.report.for_anybody import ForAnybody
from anonlib.filing.report.blocks import Cell, Tone

OUR_REASONS = (
    "for the verdict",
    "as suggested",
    "for the verdict, the best found until the search was ended early",
)
"""The reasons of steps that were proposed, and that nobody typed."""
_QUOTED = re.compile("“([^”]*)”")


def names_in(evidence: Evidence) -> frozenset[str]:
    """Names of columns and files, labels of the value tables, and all that was typed; days are no names."""
    return frozenset(name for name in _names(evidence) if name)


def names_for_anybody(say: ForAnybody) -> frozenset[str]:
    """The same of a report for anybody, of what it is made of alone."""
    names = [*(column.name for column in say.columns), say.file, say.who, *say.added]
    names += [name for *part, _ in say.parts for name in part]
    names += [getattr(say.case, item.name) for item in ITEMS if item.kind != "date"]
    if say.pseudonyms is not None:
        names += [say.pseudonyms.recipient, say.pseudonyms.project]
    if say.released is not None:
        names += [label for column in say.released.columns for label in column.labels]
    return frozenset(name for name in names if name)


def _names(evidence: Evidence) -> Iterator[str]:
    yield from (column.name for column in evidence.columns)
    yield from evidence.released.columns if evidence.released is not None else ()
    files = (evidence.file, evidence.population, evidence.areas, *evidence.held_beside)
    yield from (source_file.name for source_file in files if source_file is not None)
    yield from (name for part in evidence.parts for name in (part.name, part.below, part.by))
    yield from (getattr(evidence.case, item.name) for item in ITEMS if item.kind != "date")
    if evidence.pseudonyms is not None:
        yield from (evidence.pseudonyms.recipient, evidence.pseudonyms.project)
    yield from (evidence.who, evidence.leaves_anyway)
    for criterion in evidence.criteria:
        yield from (criterion.accepted, criterion.who)
    for step in evidence.steps:
        yield from (*([] if step.reason in OUR_REASONS else [step.reason]), *_QUOTED.findall(step.problem))
    for value in evidence.recoding:
        yield from (value.value or "", value.label or "")


LONG = 20
"""Rows of a table that stands in its section; a longer one stands in an annex."""
_TONES: dict[str, Tone] = {"met": "met", "not met": "not met", "cannot be checked": "not met"}


@dataclass(frozen=True)
class ReportWording:
    """How counts are worded.

    Attributes
    ----------
    unit : str
        What they are of.
    """

    unit: str

    def people(self, number: int | None, noun: bool = False) -> str:
        """A count of people (records), as a number alone or with what they are."""
        return "–" if number is None else words.count(number, self.unit if noun else "")

    def share(self, part: int | None, whole: int) -> str:
        """A count of people as a share of all, with both counts."""
        return "–" if part is None else words.share(part, whole, self.unit)


def state(state: str, accepted: bool) -> Cell:
    """How a criterion stands."""
    if accepted:
        return Cell(f"accepted ({state})", "accepted")
    return Cell(state, _TONES[state])


def change(before: str, after: str) -> str:
    """What something was and is."""
    return words.change(before, after)


def assess_again_by(made_on: str) -> str:
    """The day by which the release is to be assessed again: a year after this one, as ``2026-11-30``."""
    return f"{int(made_on[:4]) + 1}{made_on[4:]}".replace("-02-29", "-02-28")


def some_quoted(names: Sequence[str], most: int = 12) -> str:
    """Names in quotation marks; of more than so many two thirds of these, and the number of the others."""
    return words.listed([f"“{name}”" for name in names], most=most if len(names) <= most else 2 * most // 3)

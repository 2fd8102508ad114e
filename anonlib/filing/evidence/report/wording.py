"""How a report says numbers."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from anonlib.basics import words
from anonlib.filing.report.blocks import Cell, Tone

LONG = 20
"""Rows of a table that stands in its section; a longer one stands in an annex."""
_TONES: dict[str, Tone] = {"met": "met", "not met": "not met", "cannot be checked": "not met"}


@dataclass(frozen=True)
class Wording:
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

"""How a report says numbers: in full, or, for anybody to read, without counts of a few people."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from anonlib.basics import words
from anonlib.filing.evidence.evidence import Evidence
from anonlib.filing.report.blocks import Cell, Tone

LONG = 20
"""Rows of a table that stands in its section; a longer one stands in an annex."""
_TONES: dict[str, Tone] = {"met": "met", "not met": "not met", "cannot be checked": "not met"}


@dataclass(frozen=True)
class Wording:
    """How numbers are worded.

    Attributes
    ----------
    unit : str
        What counts are of.
    least : int
        In a public report the smallest count of people that is named; smaller ones are "fewer than" it.
    public : bool
        Whether the report is for anybody.
    few_left_out : bool, default False
        Whether it is, and the release lacks so few that the numbers of both together would name them.
    """

    unit: str
    least: int
    public: bool
    few_left_out: bool = False

    @classmethod
    def of(cls, evidence: Evidence, public: bool) -> Wording:
        """The wording of a report on this evidence."""
        least = max(2, evidence.k)
        left = 0 if evidence.after is None else evidence.after.records
        rows = 0 if evidence.released is None else evidence.released.records
        lacking = [0 if evidence.before is None else evidence.before.records - left, evidence.file.records - rows]
        return cls(evidence.unit, least, public, public and any(0 < each < least for each in lacking))

    def hides(self, people: int) -> bool:
        """Whether a count of people is too small to be named."""
        return self.public and 0 < people < self.least

    def people(self, number: int | None, noun: bool = False) -> str:
        """A count of people (records), as a number alone or with what they are."""
        if number is None:
            return "–"
        if self.hides(number):
            return f"fewer than {words.count(self.least, self.unit if noun else '')}"
        return words.count(number, self.unit if noun else "")

    def counted(self, number: int, noun: str) -> str:
        """A count of what each is of one person at most, such as cells or rows, with what they are."""
        if self.hides(number):
            return f"fewer than {words.count(self.least, noun)}"
        return words.count(number, noun)

    def total(self, number: int) -> str:
        """All of the original: to tens or hundreds where the release lacks fewer of them than that."""
        if not self.few_left_out:
            return f"{number:,}"
        return f"about {round(number, -len(str(self.least))):,}"

    def average(self, probability: float) -> str:
        """An average risk, classes / records; to one digit where exact ones would tell the number of records."""
        if not self.few_left_out:
            return words.percent(probability)
        return f"about {words.percent(float(f'{probability:.1g}'))}"

    def kept(self, share: float) -> str:
        """The share of the original's records that the release has."""
        return "nearly all" if self.few_left_out else words.percent(share)

    def share(self, part: int | None, whole: int) -> str:
        """A count of people as a share of all, with both counts."""
        if part is None:
            return "–"
        if self.hides(whole - part) and part:
            return "nearly all"
        if self.hides(part) or self.few_left_out:
            return self.people(part)
        return words.share(part, whole, self.unit)

    def risk(self, probability: float) -> str:
        """A probability; where it tells of a class that is too small to be named, only that it is above."""
        if self.public and probability > 1 / self.least:
            return f"above {words.percent(1 / self.least)}"
        return words.percent(probability)

    def state(self, state: str, accepted: bool) -> Cell:
        """How a criterion stands."""
        if accepted:
            return Cell(f"accepted ({state})", "accepted")
        return Cell(state, _TONES[state])


def change(before: str, after: str) -> str:
    """What something was and is."""
    return words.change(before, after)


def assess_again_by(evidence: Evidence) -> str:
    """The day by which the release is to be assessed again: a year after this."""
    return f"{int(evidence.made_on[:4]) + 1}{evidence.made_on[4:]}".replace("-02-29", "-02-28")


def some_quoted(names: Sequence[str], most: int = 12) -> str:
    """Names in quotation marks; of more than so many two thirds of these, and the number of the others."""
    return words.listed([f"“{name}”" for name in names], most=most if len(names) <= most else 2 * most // 3)

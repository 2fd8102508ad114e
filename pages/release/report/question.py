"""What the report is to be."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from anonlib.filing.evidence.report import Order

INSIDE, ANYBODY = "Those who review it", "Anybody"


@dataclass(frozen=True)
class Question:
    """What is asked of a report.

    Attributes
    ----------
    order : in which order it is filed.
    language : of the report, a code such as "de".
    public : whether anybody may read it.
    parts : what is looked at.
    target : the column that a task for the release predicts; "".
    people : everybody whom the file could have been drawn from, as stated on the Risk page; None where it is not.
    formats : in which formats it leaves beside the CSV.
    add : what is added to a report for anybody.
    """

    order: Order
    language: str
    public: bool
    parts: tuple[str, ...]
    target: str
    people: int | None
    formats: tuple[str, ...] = ()
    add: tuple[str, ...] = ()

    @property
    def looked_at(self) -> dict[str, Any]:
        """What is gathered, as arguments."""
        return {"parts": self.parts, "target": self.target, "people": self.people, "formats": self.formats}

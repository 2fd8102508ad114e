"""Requests in tests: one small case with its evidence, gathered once a process, and people of a department."""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from hashlib import sha256

from anonlib.coarsening.recoding import Intervals, Mask
from anonlib.filing.case import ReleaseCase
from anonlib.filing.department.person import Person, TeamRole
from anonlib.filing.department.submission import Submission, submission_of
from anonlib.filing.evidence import Evidence, gather
from anonlib.filing.project import Opened
from anonlib.release.steps import DropColumns, LeaveOut, Recode
from anonlib.verdict.criteria import Aim
from tests.helpers.evidence import opened, visits

CASE = ReleaseCase(
    title="Sepsis cohort", reference="EK-12", purpose="Whether early antibiotics help.",
    recipient="University of Basel", legal_basis="Art. 9(2)(j) GDPR", author="A. Meier",
)  # fmt: skip
REVIEWER, OFFICER = frozenset({TeamRole.REVIEWER}), frozenset({TeamRole.OFFICER})
ANN = Person("https://login.example ann", "Ann Meier", OFFICER)
BEN = Person("https://login.example ben", "Ben Frei", OFFICER | REVIEWER)
CAT = Person("https://login.example cat", "Cat Wild", REVIEWER)
DAN = Person("https://login.example dan", "Dan Kern", REVIEWER)
EVE = Person("https://login.example eve", "Eve Roth", frozenset({TeamRole.ADMINISTRATOR}))
LITTLE = (Recode("age", Intervals(50)), Recode("zip", Mask(0)), DropColumns(("sex", "note")), LeaveOut(5))
REASON = "Agreed with the board."


def opened_case(n: int = 60, case: ReleaseCase = CASE, **decided) -> Opened:
    """A project on a small file whose release may leave."""
    aim = replace(Aim.for_recipient("contract"), leaves_anyway=REASON)
    return opened(visits(n), *LITTLE, **{"case": case, "aim": aim} | decided)


@cache
def submitted() -> tuple[Submission, str]:
    """What is submitted of it, and its document."""
    project = opened_case()
    return submission_of(project, gather(project))


def evidence_of_case() -> Evidence:
    return gather(opened_case())


def asks(number: int = 0, **changes) -> tuple[Submission, str]:
    """One of as many different submissions of the same evidence as there are numbers."""
    frozen, document = submitted()
    return replace(frozen, decided=sha256(f"{number}".encode()).hexdigest(), **changes), document

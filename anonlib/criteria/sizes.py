"""Criteria on how many share what is known: smallest class, risks of the attackers, combinations of a few columns."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import ClassVar, Literal

import numpy as np

from anonlib import checks, words
from anonlib.classes.subsets import n_subsets
from anonlib.criteria.case import MOST_CELLS, Case
from anonlib.criteria.criterion import Criterion, Finding, Limit
from anonlib.errors import InputError
from anonlib.guarantees import Average, Guarantee, Shared, classes_and_records
from anonlib.release.comparison import compare

NOTHING_KNOWN = (
    "No quasi-identifier or place is chosen, so nothing is taken to be known. Say on the Data page what somebody "
    "outside may know."
)


def share(value: float, what: str) -> float:
    """Check that a limit is a share in [0, 1]."""
    if not 0 <= checks.number(value, what) <= 1:
        raise InputError(f"{what} must lie between 0 and 1.")
    return float(value)


@dataclass(frozen=True)
class SmallestClass(Criterion):
    """k-anonymity: every combination of all known columns is shared by at least k (Samarati and Sweeney 1998)."""

    k: int = 5
    source: str = ""
    kind: ClassVar[str] = "smallest_class"
    page: ClassVar[str] = "Risk"
    limits: ClassVar[tuple[Limit, ...]] = (Limit("k", "Smallest class", "count", 1, None),)

    def __post_init__(self) -> None:
        checks.whole(self.k, "The smallest class", 1)

    @property
    def title(self) -> str:
        return "Smallest class"

    @property
    def bound(self) -> str:
        return f"at least {self.k:,}"

    def describe(self, unit: str = "persons") -> str:
        return f"At least {words.count(self.k, unit)} share every combination of what may be known (k = {self.k:,})."

    def guarantees(self, case: Case) -> tuple[Guarantee, ...]:
        return (Shared(columns=case.known, least=self.k),) if case.known else ()

    def check(self, case: Case) -> Finding:
        if not case.known:
            return self.unknown(NOTHING_KNOWN)
        guarantee = Shared(columns=case.known, least=self.k)
        found = case.exposure(guarantee)
        assert found is not None
        smallest = _smallest(case.rows.groups(found.guarantee.columns)[1])
        says = (
            f"{words.share(found.records, found.n_records, case.unit)} are in classes smaller than {self.k:,}; "
            f"the smallest class has {smallest:,}."
            if found.records
            else f"The smallest class has {words.count(smallest, case.unit)}."
        )
        before = _smallest(case.rows_before.groups(case.known)[1])
        return self.found(
            found.is_met, says, now=smallest, original=before, persons=found.records, n_persons=found.n_records
        )


def _smallest(sizes: np.ndarray) -> int:
    return int(sizes[sizes > 0].min(initial=np.iinfo(np.int64).max)) if (sizes > 0).any() else 0


@dataclass(frozen=True)
class HighestRisk(Criterion):
    """The highest probability of picking the right record: of the prosecutor, or of the journalist (El Emam 2013)."""

    limit: float = 0.2
    attacker: Literal["prosecutor", "journalist"] = "prosecutor"
    source: str = ""
    kind: ClassVar[str] = "highest_risk"
    page: ClassVar[str] = "Risk"
    limits: ClassVar[tuple[Limit, ...]] = (Limit("limit", "Highest risk", "share", 0, 1),)

    def __post_init__(self) -> None:
        share(self.limit, "The highest risk")
        if self.attacker not in ("prosecutor", "journalist"):
            raise InputError("The attacker is a prosecutor or a journalist.")

    @property
    def title(self) -> str:
        return f"Highest {self.attacker} risk"

    @property
    def bound(self) -> str:
        return f"at most {words.percent(self.limit)}"

    def describe(self, unit: str = "persons") -> str:
        of = "the file" if self.attacker == "prosecutor" else "the population"
        return f"Nobody in {of} can be picked out with a probability above {words.percent(self.limit)}."

    def shown(self, value: float) -> str:
        return words.percent(value)

    def guarantees(self, case: Case) -> tuple[Guarantee, ...]:
        if self.attacker != "prosecutor" or not case.known or not self.limit:
            return ()
        least = math.ceil(1 / self.limit - 1e-9)
        return (Shared(columns=case.known, least=least + (1 / least > self.limit)),)

    def check(self, case: Case) -> Finding:
        if not case.known:
            return self.unknown(NOTHING_KNOWN)
        found = compare(case.applied, case.recipe, threshold=self.limit, population=case.population)
        before, risk = found.before.prosecutor, found.after.prosecutor
        if self.attacker == "journalist":
            if found.before.journalist is None or found.after.journalist is None:
                return self.unknown("There is no population table with the known columns. Load one under “More”.")
            before, risk = found.before.journalist, found.after.journalist
        says = f"The highest risk is {words.percent(risk.highest)}, {words.one_in(risk.highest)}."
        return self.found(
            risk.highest <= self.limit, says, now=risk.highest, original=before.highest, persons=risk.at_risk,
            n_persons=risk.n_records,
        )  # fmt: skip


@dataclass(frozen=True)
class AverageRisk(Criterion):
    """The average probability of picking the right record, which is the marketer's: classes / records."""

    limit: float = 0.2
    source: str = ""
    kind: ClassVar[str] = "average_risk"
    page: ClassVar[str] = "Risk"
    limits: ClassVar[tuple[Limit, ...]] = (Limit("limit", "Average risk", "share", 0, 1),)

    def __post_init__(self) -> None:
        share(self.limit, "The average risk")

    @property
    def title(self) -> str:
        return "Average risk"

    @property
    def bound(self) -> str:
        return f"at most {words.percent(self.limit)}"

    def describe(self, unit: str = "persons") -> str:
        return f"At most {words.percent(self.limit)} of the {unit} can be expected to be re-identified."

    def shown(self, value: float) -> str:
        return words.percent(value)

    def guarantees(self, case: Case) -> tuple[Guarantee, ...]:
        return (Average(columns=case.known, limit=self.limit),) if case.known else ()

    def check(self, case: Case) -> Finding:
        if not case.known:
            return self.unknown(NOTHING_KNOWN)
        classes, n = classes_and_records(case.rows, case.released.quasi_identifiers)
        classes_before, n_before = classes_and_records(case.rows_before, case.known)
        now, before = classes / max(1, n), classes_before / max(1, n_before)
        says = f"Someone who matches the whole file is right for {words.percent(now)} of the {case.unit} on average."
        expected = math.ceil(now * n) if now > self.limit else 0
        return self.found(now <= self.limit, says, now=now, original=before, persons=expected, n_persons=n)


@dataclass(frozen=True)
class Combinations(Criterion):
    """Every combination of a few known columns is shared by enough, for all but a share: LKC-privacy's K, unicity."""

    known: int = 2
    least: int = 2
    most: float = 0.0
    source: str = ""
    kind: ClassVar[str] = "combinations"
    page: ClassVar[str] = "Risk"
    limits: ClassVar[tuple[Limit, ...]] = (
        Limit("known", "Facts known at most", "count", 1, 20),
        Limit("least", "Shared by at least", "count", 2, None),
        Limit("most", "Except for at most", "share", 0, 1),
    )

    def __post_init__(self) -> None:
        checks.whole(self.known, "The number of known facts", 1)
        checks.whole(self.least, "The smallest group", 1)
        share(self.most, "The share that may be in smaller groups")

    @property
    def title(self) -> str:
        return f"Any {words.count(self.known, 'facts')}"

    @property
    def bound(self) -> str:
        return f"at most {words.percent(self.most)}"

    def describe(self, unit: str = "persons") -> str:
        facts = words.count(self.known, "known facts")
        but = f", but for at most {words.percent(self.most)} of them" if self.most else ""
        return f"At least {words.count(self.least, unit)} share any {facts}{but}."

    def shown(self, value: float) -> str:
        return words.percent(value)

    def guarantees(self, case: Case) -> tuple[Guarantee, ...]:
        if not case.known:
            return ()
        return (Shared(columns=case.known, known=self.known, least=self.least, share=self.most),)

    def check(self, case: Case) -> Finding:
        if not case.known:
            return self.unknown(NOTHING_KNOWN)
        guarantee = self.guarantees(case)[0]
        if (why := too_many_sets(len(case.known), self.known, len(case.rows_before.counts))) is not None:
            return self.unknown(why)
        found, before = case.exposure(guarantee), case.exposure_before(guarantee)
        assert found is not None and before is not None
        says = f"{words.share(found.records, found.n_records, case.unit)} are in smaller groups by some of them."
        worst = tuple((words.listed(names), n) for names, n in found.by_set[:5] if n)
        return self.found(
            found.is_met, says, now=found.share, original=before.share, persons=found.records,
            n_persons=found.n_records, worst=worst,
        )  # fmt: skip


def too_many_sets(columns: int, known: int, rows: int) -> str | None:
    """Why so many sets of columns cannot all be looked at; None where they can."""
    sets = n_subsets(columns, known)
    if sets * rows * max(1, known) <= MOST_CELLS:
        return None
    return (
        f"There are {sets:,} sets of at most {known} of {columns} columns, too many to look at all. Choose fewer known "
        "facts, or fewer known columns on the Data page."
    )

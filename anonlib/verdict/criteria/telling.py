"""A criterion on columns that leave as they are and tell what was recoded or dropped in others."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from anonlib.basics import checks, words
from anonlib.dataset import Dataset
from anonlib.release.unprotected import Telling, uncounted
from anonlib.verdict.criteria.case import Case
from anonlib.verdict.criteria.criterion import Criterion, Finding, Limit


@dataclass(frozen=True)
class TellingColumns(Criterion):
    """No released columns, one or two together, tell the value of one recoded or dropped (Goodman and Kruskal 1954).

    The columns at fault are those that tell alone and, of two that tell together, the one that says less.

    Attributes
    ----------
    most : int, default 0
        How many columns may tell, at most.
    source : str, default ""
        Where the limit comes from, in words that are shown beside it.
    """

    most: int = 0
    source: str = ""
    kind: ClassVar[str] = "telling_columns"
    page: ClassVar[str] = "Leakage"
    limits: ClassVar[tuple[Limit, ...]] = (Limit("most", "Columns that tell at most", "count", 0, None),)

    def __post_init__(self) -> None:
        checks.whole(self.most, "The number of columns that may tell", 0)

    @property
    def title(self) -> str:
        return "Telling columns"

    @property
    def bound(self) -> str:
        return f"at most {self.most:,}" if self.most else "none"

    def describe(self, unit: str = "persons") -> str:
        return "No column that leaves as it is tells, alone or with another, what was recoded or dropped in a third."

    def check(self, case: Case) -> Finding:
        pairs = case.telling.pairs
        found = [*case.telling.alone, *(pairs or ())]
        if pairs is None and len(_at_fault(found, case.released)) <= self.most:
            left, alone = len(uncounted(case.released)), "Few columns tell" if found else "No column tells"
            return self.unknown(
                f"{alone} alone what is recoded or dropped; whether two of {left:,} together do was not looked at, "
                "since the pairs are too many. Drop columns that nobody needs, or count some as known."
            )
        if not found:
            return self.found(True, "No column tells what is recoded or dropped, alone or with another.", now=0)
        columns = _at_fault(found, case.released)
        first = max(found, key=lambda each: each.known)
        says = f"{_who(first)} {first.tells} of {words.share(first.known, first.n_records, case.unit)}."
        if len(columns) > 1 or first.beside:
            says += f" Without {words.listed(columns, most=len(columns))} none tells."
        return self.found(
            len(columns) <= self.most, says, now=len(columns), persons=first.known, n_persons=first.n_records,
            worst=tuple((f"{_who(each)} {each.tells}", each.known) for each in found), columns=columns,
        )  # fmt: skip


def _who(each: Telling) -> str:
    return f"{each.column} and {each.beside} together tell" if each.beside else f"{each.column} tells"


def _at_fault(found: Sequence[Telling], released: Dataset) -> tuple[str, ...]:
    """The columns without which none tells: those that do alone, and of each pair left the one with fewer bits."""
    columns = dict.fromkeys(each.column for each in found if not each.beside)
    for each in found:
        if each.beside and not {each.column, each.beside} & columns.keys():
            columns[min(each.column, each.beside, key=lambda name: released.held.sizes_of(name).entropy)] = None
    return tuple(columns)

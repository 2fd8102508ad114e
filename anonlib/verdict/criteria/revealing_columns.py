"""A criterion on released columns that k does not count and that reveal what was recoded or dropped in known ones."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import ClassVar

from anonlib.basics import checks, words
from anonlib.dataset import Dataset
from anonlib.release.readings import LISTED, is_of_two, is_plural
from anonlib.release.revealing_columns import KNOWN, RevealingColumn, RevealingColumns
from anonlib.release.unprotected import uncounted
from anonlib.verdict.criteria.case import Case
from anonlib.verdict.criteria.criterion import Criterion, Finding, Limit, Mending


@dataclass(frozen=True)
class NoRevealingColumns(Criterion):
    """No released columns, one or two together, tell the value of one recoded or dropped (Goodman and Kruskal 1954).

    The columns at fault are those that tell alone or beside the label of what they tell and, of two that tell together,
    the one that says less. Where none tells by what is looked at
    (:func:`anonlib.release.revealing_columns.find_revealing_columns`), and some are so nearly unique that equal values
    show nothing of them, it cannot be checked: these are the finding's columns, in one question for all.

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
    word: ClassVar[str] = "columns that reveal another"
    page: ClassVar[str] = "Leakage"
    counted_in: ClassVar[str] = "(columns)"
    of_revealing_columns: ClassVar[bool] = True
    mending: ClassVar[Mending] = Mending(
        "drop", "Drops the columns at fault.", "What was recoded can be read off {columns}. May it be dropped?"
    )
    limits: ClassVar[tuple[Limit, ...]] = (Limit("most", "Columns that reveal another, at most", "count", 0, None),)

    def __post_init__(self) -> None:
        checks.whole(self.most, "The number of columns that may reveal another", 0)

    @property
    def title(self) -> str:
        return "Columns that reveal another"

    @property
    def bound(self) -> str:
        return f"at most {self.most:,}" if self.most else "none"

    def describe(self, unit: str = "persons") -> str:
        return (
            "No released column that k does not count reveals, alone, with another or beside its released label, a "
            f"known one that was recoded or dropped of {words.percent(KNOWN)} of the {unit} or more."
        )

    def check(self, case: Case) -> Finding:
        telling, released = case.telling, case.released
        revealing = [*telling.alone, *(telling.pairs or ())]
        columns = _at_fault(revealing, released)
        if len(columns) <= self.most:
            of_most = f"of {words.percent(KNOWN)} of the {case.unit} or more"
            none = (
                f"Few released columns that k does not count reveal a known one that is recoded or dropped {of_most}, "
                f"alone, with another or beside its released label: by {LISTED}."
                if revealing
                else "No released column that k does not count reveals a known one that is recoded or dropped "
                f"{of_most}, alone, with another or beside its released label: by {LISTED}."
            )
            if telling.pairs is None:
                return self.unknown(_pairs_not_looked_at(len(uncounted(released)), bool(revealing)))
            if telling.nearly_unique:
                return replace(self.unknown(f"{none} {_open(telling, case.unit)}"), columns=telling.nearly_unique)
            if not revealing:
                return self.found(True, none if case.telling.is_asked else _NOTHING_HIDDEN, now=0)
        first = max(revealing, key=lambda column: column.share)
        known = words.share(first.known, first.n_records, "rows" if first.of_rows else case.unit)
        says = f"{_who(first)} {first.tells} of {known}."
        if len(columns) > 1 or first.beside:
            says += f" Without {words.listed(columns, most=len(columns))} none reveals another."
        return self.found(
            len(columns) <= self.most, says, now=len(columns), persons=first.known, n_persons=first.n_records,
            worst=tuple((f"{_who(column)} {column.tells}", column.known) for column in revealing), columns=columns,
        )  # fmt: skip


_NOTHING_HIDDEN = "No known column that another could reveal is recoded or dropped."


def _pairs_not_looked_at(left: int, few_tell: bool) -> str:
    alone = (
        "Few released columns that k does not count reveal"
        if few_tell
        else "No released column that k does not count reveals"
    )
    return (
        f"{alone} alone what is recoded or dropped; whether two of {left:,} together do was not looked at, "
        "since the pairs are too many. Drop columns that nobody needs, or count some as known."
    )


def _open(telling: RevealingColumns, unit: str) -> str:
    """What cannot be counted of columns that are nearly unique, and the ways out."""
    unread = f" Too many different values to be read: {words.listed(telling.unread)}." if telling.unread else ""
    return (
        f"In {words.listed(telling.nearly_unique)} too few {unit} share a value to rule out that something else does. "
        f"Drop or coarsen such columns, or accept them with the reason why nothing in them does.{unread}"
    )


def _who(column: RevealingColumn) -> str:
    if column.by and is_of_two(column.by):
        return f"The {column.by} of {column.column} and {column.beside} reveals"
    if column.by and column.beside == column.tells:
        return f"The {column.by} of {column.column} and the released label of {column.tells} together reveal"
    if column.by:
        plural = is_plural(column.by)
        return f"In {column.column} the {column.by} reveal" if plural else f"In {column.column} the {column.by} reveals"
    if column.beside == column.tells:
        return f"{column.column} and the released label of {column.tells} together reveal"
    return f"{column.column} and {column.beside} together reveal" if column.beside else f"{column.column} reveals"


def _at_fault(revealing: Sequence[RevealingColumn], released: Dataset) -> tuple[str, ...]:
    """The columns without which none tells: those that do alone, and of each pair left the one with fewer bits.

    Of a pair with a known column, which k counts, it is the other one.
    """
    columns, left = dict.fromkeys(single.column for single in revealing if not single.beside), uncounted(released)
    for column in revealing:
        if column.beside and not {column.column, column.beside} & columns.keys():
            pair = [name for name in (column.column, column.beside) if name in left]
            columns[min(pair, key=lambda name: released.held.sizes_of(name).entropy)] = None
    return tuple(columns)

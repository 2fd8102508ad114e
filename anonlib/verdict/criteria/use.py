"""Criteria on use: how many records and how much detail must be left, and which columns must stay as they are."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from anonlib.basics import checks, words
from anonlib.basics.errors import InputError
from anonlib.basics.figures import ENTROPY_KEPT
from anonlib.basics.thresholds import is_at_least, most_left_out
from anonlib.verdict.criteria.case import Case
from anonlib.verdict.criteria.criterion import Criterion, Finding, Limit
from anonlib.verdict.criteria.sizes import share


@dataclass(frozen=True)
class RecordsKept(Criterion):
    """At least so many of the original's records (persons) leave; of persons with several rows, of these too.

    Attributes
    ----------
    least : float, default 0.95
        The smallest share, 0 to 1.
    source : str, default ""
        Where the limit comes from, in words that are shown beside it.
    """

    least: float = 0.95
    source: str = ""
    kind: ClassVar[str] = "records_kept"
    word: ClassVar[str] = "records kept"
    page: ClassVar[str] = "Release"
    counted_in: ClassVar[str] = "of {unit} and of rows"
    disclosure = "none"
    limits: ClassVar[tuple[Limit, ...]] = (Limit("least", "Kept at least", "share", 0, 1, (0.8, 1), "share_kept"),)

    def __post_init__(self) -> None:
        share(self.least, "The share of records kept")

    @property
    def title(self) -> str:
        return "Records kept"

    @property
    def bound(self) -> str:
        return f"at least {words.percent(self.least)}"

    def describe(self, unit: str = "persons") -> str:
        rows = ", and of their rows where they have several," if unit == "persons" else ""
        return f"At least {words.percent(self.least)} of the {unit}{rows} are kept."

    def shown(self, value: float) -> str:
        return words.percent(value)

    def check(self, case: Case) -> Finding:
        everybody = case.original.classes([]).n_records
        gone = everybody - case.released.classes([]).n_records
        left_out = [words.share(gone, everybody, case.unit)] if gone else []
        met, share_kept = gone <= most_left_out(self.least, everybody), _kept(gone, everybody)
        if case.original.has_several_rows:
            rows = case.original.n_records
            rows_gone = rows - case.released.n_records
            left_out += [words.share(rows_gone, rows, "rows")] if rows_gone else []
            met, share_kept = (
                met and rows_gone <= most_left_out(self.least, rows),
                min(share_kept, _kept(rows_gone, rows)),
            )
        says = f"{words.listed(left_out)} are left out." if left_out else "Nobody is left out."
        return self.found(met, says, now=share_kept, original=1.0, persons=gone, n_persons=everybody)


def _kept(gone: int, all_of_them: int) -> float:
    return (all_of_them - gone) / all_of_them if all_of_them else 0.0


@dataclass(frozen=True)
class DetailKept(Criterion):
    """The released columns keep at least so much of their detail: entropy after / before, averaged over columns.

    Attributes
    ----------
    least : float, default 0.5
        The smallest share of detail, 0 to 1.
    source : str, default ""
        Where the limit comes from, in words that are shown beside it.
    """

    least: float = 0.5
    source: str = ""
    kind: ClassVar[str] = "detail_kept"
    word: ClassVar[str] = "entropy kept"
    page: ClassVar[str] = "Release"
    counted_in: ClassVar[str] = "of entropy"
    disclosure = "none"
    limits: ClassVar[tuple[Limit, ...]] = (Limit("least", "Kept at least", "share", 0, 1),)

    def __post_init__(self) -> None:
        share(self.least, "The share of entropy kept")

    @property
    def title(self) -> str:
        return ENTROPY_KEPT.name

    @property
    def bound(self) -> str:
        return f"at least {words.percent(self.least)}"

    def describe(self, unit: str = "persons") -> str:
        return f"The columns keep at least {words.percent(self.least)} of their entropy on average."

    def shown(self, value: float) -> str:
        return words.percent(value)

    def check(self, case: Case) -> Finding:
        if not case.known:
            return self.unknown("No quasi-identifier or place is chosen. Choose them on the Data page.")
        comparison, value = case.comparison, case.comparison.entropy_kept
        measured = [loss for loss in comparison.columns if loss.column not in comparison.counted_by]
        by_column = {loss.column: loss.entropy_kept for loss in measured}
        least = min(by_column, key=by_column.__getitem__, default="")
        says = f"{words.percent(value)} of the entropy is kept; least of {least}, {words.percent(by_column[least])}."
        return self.found(
            is_at_least(value, self.least), says if by_column else "Nothing is lost.", now=value, original=1.0
        )


@dataclass(frozen=True)
class ColumnsStay(Criterion):
    """Some columns leave as they are.

    Attributes
    ----------
    columns : tuple[str, ...], default ()
        The names of those that must leave as they are.
    source : str, default ""
        Where the limit comes from, in words that are shown beside it.
    """

    columns: tuple[str, ...] = ()
    source: str = ""
    kind: ClassVar[str] = "columns_stay"
    word: ClassVar[str] = "columns that stay"
    page: ClassVar[str] = "Release"
    counted_in: ClassVar[str] = "(columns)"
    disclosure = "none"

    def __post_init__(self) -> None:
        if isinstance(self.columns, str):
            raise InputError("The columns that stay must be a list.", code="not-a-list")
        object.__setattr__(self, "columns", tuple(checks.text(name, "The name of a column") for name in self.columns))

    @property
    def fixed(self) -> tuple[str, ...]:
        return self.columns

    @property
    def title(self) -> str:
        return "Columns that stay"

    @property
    def bound(self) -> str:
        return "none changed"

    def describe(self, unit: str = "persons") -> str:
        return f"{words.quoted(self.columns) or 'No column'} must stay as it is." if len(self.columns) < 2 else (
            f"{words.quoted(self.columns)} must stay as they are."
        )  # fmt: skip

    def check(self, case: Case) -> Finding:
        absent = [name for name in self.columns if name not in case.original.columns]
        if absent:
            return self.unknown(f"The file has no column {words.quoted(absent)}. Take it out of the criterion.")
        released = case.released.columns
        changed = [name for name in self.columns if name not in released or name in case.recipe.recoded]
        says = f"{words.quoted(changed)} {'is' if len(changed) == 1 else 'are'} changed." if changed else (
            "They are as they were."
        )  # fmt: skip
        return self.found(not changed, says, now=len(changed), original=0)

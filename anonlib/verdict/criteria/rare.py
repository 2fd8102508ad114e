"""A criterion on single columns: how many share each value that leaves."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import chain
from typing import ClassVar

from anonlib.basics import checks, words
from anonlib.counting.privacy_models import Coded, KAnonymity, PrivacyModel, RowsKnown, number_of_any, violating
from anonlib.verdict.criteria.case import Case
from anonlib.verdict.criteria.criterion import Criterion, Finding, Limit
from anonlib.verdict.criteria.rows import USUAL, Rows, checked, known
from anonlib.verdict.criteria.sizes import searched, smallest_size


@dataclass(frozen=True)
class RareValues(Criterion):
    """Every released value of a column, a missing one too, is shared by enough: a smallest cell for one column.

    Each sensitive column is looked at by itself and the worst counts; ``column`` names another, or one of them.

    Attributes
    ----------
    least : int, default 5
        How many must share a value.
    column : str, default ""
        The column; "": each sensitive one.
    source : str, default ""
        Where the limit comes from, in words that are shown beside it.
    rows : Rows, default USUAL
        By which rows a person is known, where persons have several: each of these is looked at.
    """

    least: int = 5
    column: str = ""
    source: str = ""
    rows: Rows = USUAL
    kind: ClassVar[str] = "rare_values"
    word: ClassVar[str] = "rare values"
    page: ClassVar[str] = "Risk"
    counted_in: ClassVar[str] = "{unit}"
    of_any_file: ClassVar[bool] = True
    limits: ClassVar[tuple[Limit, ...]] = (Limit("least", "Each value shared by at least", "count", 1, None),)

    def __post_init__(self) -> None:
        checks.whole(self.least, "The smallest number that share a value", 1)
        checks.text(self.column, "The column")
        object.__setattr__(self, "rows", checked(self.rows))

    @property
    def title(self) -> str:
        return "Rare values" if not self.column else f"Rare values of {self.column}"

    @property
    def bound(self) -> str:
        return f"at least {self.least:,}"

    def describe(self, unit: str = "persons") -> str:
        of = self.column or "a sensitive column"
        return f"At least {words.count(self.least, unit)} share every value of {of} that is released."

    def _columns(self, case: Case) -> tuple[str, ...]:
        return (self.column,) if self.column else case.sensitive

    def guarantees(self, case: Case) -> tuple[PrivacyModel, ...]:
        in_search = {*case.known, *case.sensitive}
        return tuple(
            KAnonymity(columns=(name,), least=self.least, rows=rows)
            for name in self._columns(case)
            if name in in_search
            for rows in searched(self.rows, case)
        )

    def check(self, case: Case) -> Finding:
        columns = self._columns(case)
        if self.column and self.column not in case.original.columns:
            return self.unknown(f"The file has no column “{self.column}”. Remove this criterion.")
        asked = known(self.rows, case.linking)
        asked_before = known(self.rows, case.linking_before)
        original = min(_rarest(case.original.coded(columns), columns, asked_before).values(), default=None)
        leaving = [name for name in columns if name in case.released.columns]
        if not leaving:
            which = self.column or "No sensitive column"
            return self.found(True, f"{which} is {'not ' if self.column else ''}released.", original=original)
        coded = case.released.coded(leaving)
        fewest = _rarest(coded, leaving, asked)
        rarest, n = min(fewest, key=fewest.__getitem__), coded.n_records
        rare = {
            name: [violating(coded, KAnonymity(columns=(name,), least=self.least, rows=rows)) for rows in asked]
            for name in leaving
        }
        below = {name: number_of_any(coded, masks) for name, masks in rare.items()}
        persons = number_of_any(coded, chain.from_iterable(rare.values()))
        says = f"The rarest value, one of {rarest}, is that of {words.count(fewest[rarest], case.unit)}."
        if persons:
            of = words.listed([name for name in leaving if below[name]], most=len(leaving), last="or")
            says = f"{words.share(persons, n, case.unit)} have a rarer value of {of}. {says}"
        worst = tuple(sorted(((name, number) for name, number in below.items() if number), key=lambda each: -each[1]))
        return self.found(
            not worst, says, now=fewest[rarest], original=original, persons=persons, n_persons=n, worst=worst[:5]
        )


def _rarest(coded: Coded, columns: Sequence[str], asked: Sequence[RowsKnown]) -> dict[str, int]:
    """By column, how many share its rarest value."""
    return {name: min(smallest_size(coded, [name], rows) for rows in asked) for name in columns}

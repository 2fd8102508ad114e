"""The step that leaves at most so many rows of each person."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from typing import Any, Literal, get_args

import numpy as np

from anonlib.basics import checks, words
from anonlib.basics.errors import InputError
from anonlib.dataset import Dataset
from anonlib.reading.records import Labels, Records
from anonlib.reading.records.names import unused_name
from anonlib.release.steps.of_persons import checked_secret, refuse_unread, values_of
from anonlib.release.steps.step import Scope, Stage, Step, check_column
from anonlib.values.cells import to_numbers
from anonlib.values.dates import First, read_dates, seconds_of_day

Which = Literal["drawn", "first", "last"]


@dataclass(frozen=True, eq=False)
class AtMostRows(Step):
    """Keep at most so many rows of each person: some that are drawn, or the first or last by a date or number.

    A row without a person id is a person of its own, and stays. Rows are drawn by the hash of a secret and of what a
    row holds, so that the same rows stay each time and wherever the records are, and nobody who has only the release
    can exclude anything about those that are gone.

    Attributes
    ----------
    n : int
        Rows that a person keeps at most, 1 or more.
    which : Which, default "drawn"
        Which rows stay.
    by : str
        The column of dates or numbers by which rows are first or last; "" where they are drawn. Rows that are equal in
        it are drawn; rows without a value are left out before all others.
    dates_begin_with : First, default "day"
        What stands first in a date such as ``03/04/2021`` where no value of the column tells.
    table : str
        Of a case of several tables the one whose rows are limited; what hangs below a row that goes, goes with it. ""
        of a single table.
    secret : str
        The key of the draw, 32 hexadecimal digits. It stays inside, as the seed does, and is in no description.
    reason : str
        Why.
    """

    n: int
    which: Which = "drawn"
    by: str = ""
    dates_begin_with: First = "day"
    secret: str = field(default="", repr=False)
    reason: str = ""
    table: str = ""
    kind = "at_most_rows"
    stage = Stage.PERSONS
    gives_way_to = Scope.REGIONS
    recodes = ()

    def __post_init__(self) -> None:
        object.__setattr__(self, "n", checks.whole(self.n, "How many rows a person keeps", 1))
        if self.which not in get_args(Which):
            raise InputError(
                "The rows that a person keeps are “drawn”, the “first” or the “last”.", code="choice-unknown"
            )
        if self.dates_begin_with not in get_args(First):
            raise InputError("Of a date either the day or the month stands first.", code="choice-unknown")
        checks.text(self.by, "The name of the column")
        checks.text(self.table, "The name of the table")
        if (self.which == "drawn") == bool(self.by):
            raise InputError(
                "Rows that are drawn are in the order of no column."
                if self.by
                else f"Name the column of dates or numbers by which rows are the {self.which}.",
                code="choices-do-not-fit",
            )
        object.__setattr__(self, "secret", checked_secret(self.secret))
        checks.text(self.reason, "The reason")

    @property
    def columns(self) -> tuple[str, ...]:
        return (self.by,) if self.by else ()

    def describe(self) -> str:
        sentence = self._describe_kept()
        return f"{sentence}, in “{self.table}”" if self.table else sentence

    @property
    def for_anybody(self) -> str:
        return self.describe()

    @property
    def note(self) -> str:
        return f"{self.for_anybody}. Rows beyond that are not in this file."

    @property
    def names(self) -> tuple[str, ...]:
        return (self.by, self.table)

    def _describe_kept(self) -> str:
        rows = words.count(self.n, "rows")
        if self.which == "drawn":
            return f"Keep at most {rows} of each person, drawn at random"
        if self.which == "first":
            return f"Keep at most {rows} of each person, the first by {self.by}"
        return f"Keep at most {rows} of each person, the last by {self.by}"

    def apply(self, dataset: Dataset) -> Dataset:
        held, whose, apart = self._limited(dataset)
        by, places = (self.by, self._places(dataset)) if self.by else (None, None)
        held = held.first_rows(whose, self.n, bytes.fromhex(self.secret), by, places, apart)
        made_here = [name for name in apart if name not in dataset.held.columns]
        return dataset.with_held(held.drop(made_here), self._prepared)

    def _limited(self, dataset: Dataset) -> tuple[Records, str, tuple[str, ...]]:
        """The records, the column that says whose rows are limited, and the columns that are nothing a row holds."""
        person, held = dataset.person_id, dataset.held
        if person is None:
            raise InputError(
                "No column says which rows are of one person. Give one the role “Person id”.", code="no-person-id"
            )
        if dataset.tables is None:
            if self.table:
                raise InputError(
                    f"There is one table here, and no “{self.table}”. Limit its rows without a table.",
                    code="table-unknown",
                )
            return held, person, ()
        layout = dataset.tables
        if self.table not in (offered := [place.name for place in layout.files]):
            listed = words.listed([f"“{name}”" for name in offered])
            raise InputError(f"Say of which table rows are limited: {listed}.", code="table-not-named")
        limited, whose = (unused_name(name, held.columns) for name in ("limited", "whose"))
        names = held.values(layout.table)
        is_limited = np.array([name if name == self.table else None for name in names], dtype=object)
        held = held.copy_column(layout.table, limited).recode(limited, Labels.as_they_come(names, is_limited))
        held = held.copy_column(person, whose).paired(whose, limited)  # which is missing where either is
        rows = (place.row for place in layout.tables if place.row)
        return held, whose, (limited, whose, layout.table, *rows)

    def _places(self, dataset: Dataset) -> np.ndarray:
        """int per value of the column: its place in the order in which rows stay."""
        check_column(dataset, self.by)
        if self.by == dataset.person_id:
            raise InputError(
                f"“{self.by}” says whose rows they are, not which came first. Choose another column.",
                code="column-counts-persons",
                column=self.by,
            )
        values = values_of(dataset.held, self.by, f"values of “{self.by}”")
        occurs = dataset.held.counts_of(self.by).records > 0
        days = read_dates(values, first=self.dates_begin_with).days
        keys, is_read = days.astype(np.int64) * 86_400.0 + seconds_of_day(values), ~np.isnat(days)
        if not is_read[occurs].all():
            numbers = to_numbers(values) if len(values) else np.zeros(0)
            if not np.isnan(numbers[occurs]).any():
                keys, is_read = numbers, ~np.isnan(numbers)
        way_out = "Choose a column of dates or numbers alone, or let rows be drawn."
        refuse_unread(dataset, self.by, is_read, "a date or a number", way_out)
        keys = np.where(is_read, keys, 0.0)
        places = np.unique(-keys if self.which == "last" else keys, return_inverse=True)[1]
        return places.astype(np.int64)

    def persons_cut(self, before: Dataset) -> int:
        try:
            held, whose, _ = self._limited(before)
        except InputError:
            return 0
        sizes = held.sizes_of(whose)
        return int(sizes.values[sizes.records > self.n].sum()) - (sizes.missing > self.n)

    @property
    def _prepared(self) -> str:
        return "AtMostRows(" + ", ".join(f"{k}={v!r}" for k, v in self.to_dict().items() if k != "reason") + ")"

    def apply_to_population(self, population: Dataset, alongside: Dataset | None = None) -> Dataset:
        return population

    def follows(self, earlier: Step) -> bool:
        """Only others of its kind: rows are drawn and put in order by what they hold in the original."""
        return earlier.kind == self.kind

    def without(self, columns: Collection[str]) -> Step | None:
        return None if self.by in columns else self

    def to_dict(self) -> dict[str, Any]:
        order = {"by": self.by, "dates_begin_with": self.dates_begin_with} if self.by else {}
        table = {"table": self.table} if self.table else {}
        return {
            "kind": self.kind, "n": self.n, "which": self.which, **order, **table, "secret": self.secret,
            "reason": self.reason,
        }  # fmt: skip

    @classmethod
    def from_dict(cls, values: Mapping[str, Any]) -> AtMostRows:
        return cls(
            values["n"], values.get("which", "drawn"), values.get("by", ""), values.get("dates_begin_with", "day"),
            values.get("secret", ""), values.get("reason", ""), values.get("table", ""),
        )  # fmt: skip

"""The step that holds some records of one file back, until others come that are like them."""

from __future__ import annotations

import hashlib
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field, replace
from itertools import pairwise
from typing import Any, Literal, get_args

import numpy as np

from anonlib.basics import checks, words
from anonlib.basics.errors import InputError
from anonlib.dataset import Dataset
from anonlib.reading.records import FrameRecords
from anonlib.release.steps.step import Scope, Stage, Step

Unit = Literal["persons", "records"]
MOST_RECORDS = 10_000_000
"""Records that one step holds back at most."""
_MOST_ROWS_OF_A_FILE = 2**32


@dataclass(frozen=True, eq=False)
class HoldBack(Step):
    """Leave some records of one file out for now, by their positions in it.

    It holds for this one file: in another, records of these positions are of others. Wherever it stands among the
    steps it leaves out the same records.

    Attributes
    ----------
    rows : tuple[int, ...]
        Positions of the records in the file as it was opened, counted from 0, ascending, each once.
    of : str
        The digest of the file that it was made for (:attr:`Dataset.digest`), 64 hexadecimal digits.
    persons : int
        How many persons (or records, by ``unit``) these are, 0 or more: the number that is shown.
    unit : Literal["persons", "records"], default "persons"
        What ``persons`` counts.
    reason : str
        Why.
    """

    rows: tuple[int, ...] = field(repr=False)
    of: str
    persons: int
    unit: Unit = "persons"
    reason: str = ""
    kind = "hold_back"
    stage = Stage.PERSONS
    gives_way_to = Scope.REGIONS
    recodes = ()

    def __post_init__(self) -> None:
        rows = tuple(checks.whole(row, "The position of a record to hold back", 0) for row in self.rows)
        _check_number(len(rows))
        if any(after <= before for before, after in pairwise(rows)):
            raise InputError(
                "The positions of records to hold back must be ascending, each once.", code="positions-not-ascending"
            )
        if rows and rows[-1] >= _MOST_ROWS_OF_A_FILE:
            raise InputError(
                "A position of a record to hold back is beyond what any file has.", code="number-out-of-range"
            )
        object.__setattr__(self, "rows", rows)
        object.__setattr__(self, "of", _checked_digest(self.of))
        object.__setattr__(self, "persons", checks.whole(self.persons, "How many are held back", 0))
        if self.unit not in get_args(Unit):
            raise InputError("Those who are held back are counted in “persons” or “records”.", code="choice-unknown")
        checks.text(self.reason, "The reason")

    @property
    def columns(self) -> tuple[str, ...]:
        return ()

    def describe(self) -> str:
        return f"Hold back {words.count(self.persons, self.unit)} until enough others are like them"

    def apply(self, dataset: Dataset) -> Dataset:
        stays = ~self.held_back(dataset)
        return dataset if stays.all() else dataset.with_records(stays, self._prepared)

    def held_back(self, dataset: Dataset) -> np.ndarray:
        """Which records of a data set it holds back.

        Parameters
        ----------
        dataset : Dataset
            The file that it was made for, or what steps made of it.

        Returns
        -------
        np.ndarray
            bool, one item a record.

        Raises
        ------
        InputError
            Of another file, of records that stay in a database, and where the file has no such records.
        """
        held = dataset.held
        if not isinstance(held, FrameRecords):
            raise InputError(
                "Records in a database have no positions by which they could be held back. Load the table as a file "
                "to hold some of its records back.",
                code="records-in-a-database",
            )
        if dataset.digest != self.of:
            raise InputError(
                "This step holds back records of another file: here those of the same positions are others. Remove "
                "the step, or look on the Verdict page who is to be held back of this file.",
                code="step-of-other-file",
            )
        if held.rows is None and self.rows and self.rows[-1] >= held.n_records:
            raise InputError(
                f"This step holds back record {self.rows[-1] + 1:,} of the file, which as it is read has "
                f"{words.count(held.n_records, 'records')}. Read the file as it was read then, or remove the step.",
                code="row-unknown",
            )
        here = np.arange(held.n_records) if held.rows is None else held.rows
        return np.isin(here, np.array(self.rows, dtype=np.int64))

    def among_others(self, dataset: Dataset, digest: str) -> HoldBack:
        """The step of these records in that file; itself where it is of another one than the data set.

        Parameters
        ----------
        dataset : Dataset
            The records that the file begins with, in their order.
        digest : str
            That of the file.

        Returns
        -------
        HoldBack
        """
        if self.of != dataset.digest:
            return self
        return replace(self, rows=tuple(np.flatnonzero(self.held_back(dataset)).tolist()), of=digest)

    @property
    def _prepared(self) -> str:
        digest = hashlib.sha256(np.array(self.rows, dtype="<i8").tobytes()).hexdigest()
        return ":".join(("", self.kind, digest, self.of))

    def apply_to_population(self, population: Dataset, alongside: Dataset | None = None) -> Dataset:
        return population

    def without(self, columns: Collection[str]) -> Step | None:
        return self

    def to_dict(self) -> dict[str, Any]:
        return {
            "kind": self.kind, "rows": _runs(self.rows), "of": self.of, "persons": self.persons, "unit": self.unit,
            "reason": self.reason,
        }  # fmt: skip

    @classmethod
    def from_dict(cls, values: Mapping[str, Any]) -> HoldBack:
        return cls(
            _rows_of(values["rows"]), values["of"], values["persons"], values.get("unit", "persons"),
            values.get("reason", ""),
        )  # fmt: skip


def _runs(rows: tuple[int, ...]) -> list[list[int]]:
    """Ascending positions as runs of neighbours, each by its first and last one."""
    if not rows:
        return []
    positions = np.array(rows, dtype=np.int64)
    ends = np.flatnonzero(np.diff(positions) > 1)
    return np.stack([positions[[0, *ends + 1]], positions[[*ends, -1]]], axis=1).tolist()


def _rows_of(runs: object) -> tuple[int, ...]:
    """The positions of runs that were saved."""
    if not isinstance(runs, list) or not all(isinstance(run, list) and len(run) == 2 for run in runs):
        raise InputError(
            "The records to hold back must be a list of pairs: the first and the last position of each run.",
            code="not-a-list",
        )
    n, rows = 0, list[range]()
    for run in runs:
        first, last = (checks.whole(position, "The position of a record to hold back", 0) for position in run)
        n += max(last - first + 1, 0)
        _check_number(n)
        if last < first:
            raise InputError(
                "The first position of each run of records to hold back must not be beyond its last.",
                code="positions-not-ascending",
            )
        rows.append(range(first, last + 1))
    return tuple(row for run in rows for row in run)


def _check_number(n: int) -> None:
    if n > MOST_RECORDS:
        raise InputError(f"A step holds back at most {MOST_RECORDS:,} records.", code="too-many-records")


def _checked_digest(value: object) -> str:
    text = checks.text(value, "The digest of the file")
    if len(text) != 64 or not set(text) <= set("0123456789abcdef"):
        raise InputError(
            "The file that records are held back of must be named by the 64 hexadecimal digits of its digest.",
            code="digest-wrong",
        )
    return text

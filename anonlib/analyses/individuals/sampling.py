"""Which individuals are looked at when all of them would be too many, and what that leaves uncertain."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from anonlib.basics.errors import InputError
from anonlib.counting.classes import ClassTable

MEMORY = 1_500_000_000
"""Bytes that the counts and results of one analysis may take, unless another limit is given."""

MOST = 2_000_000
"""Most individuals that are looked at: a share of them is known to less than a tenth of a percentage point."""

_Z = 1.959963984540054  # 97.5% point of the normal distribution


@dataclass(frozen=True, eq=False)
class Individuals:
    """The individuals a result is about: everyone in the class table, or a simple random sample of them.

    Attributes
    ----------
    rows : np.ndarray
        Positions of the classes looked at, ascending.
    counts : np.ndarray
        int64, individuals (records, persons) looked at in each of them.
    n_records : int
        Individuals in all classes.
    class_of_record : np.ndarray | None
        As in the class table.
    seed : int, optional
        Of the generator that drew the sample; None where everyone was looked at.
    """

    rows: np.ndarray
    counts: np.ndarray
    n_records: int
    class_of_record: np.ndarray | None
    seed: int | None = None

    @classmethod
    def chosen(
        cls, classes: ClassTable, bytes_each: int, memory: int = MEMORY, rng: np.random.Generator | None = None
    ) -> Individuals:
        """All individuals if they are few enough and fit in memory, else as many, at random, as do for sure.

        Individuals are sampled, never records to count against: among a sample of those everyone looks unique.

        Parameters
        ----------
        classes : ClassTable
            The individuals.
        bytes_each : int
            Bytes that each class takes.
        memory : int, default MEMORY
            Bytes that all individuals may take.
        rng : np.random.Generator, optional
            Draws the seed of the sample; seed 0 without it.

        Raises
        ------
        InputError
            When there is no room for one.
        """
        room = min(MOST, memory // bytes_each)
        if room < 1:
            raise InputError(
                "The memory allowed is too small for a single individual. Let the attacker know fewer.",
                code="memory-too-small",
            )
        rows, counts, seed = np.arange(classes.n_classes), classes.counts, None
        if classes.n_classes > room:
            seed = 0 if rng is None else int(rng.integers(2**63))
            people = np.random.default_rng(seed).choice(classes.n_records, size=room, replace=False, shuffle=False)
            of_class = np.searchsorted(np.cumsum(classes.counts), people, side="right")
            rows, counts = np.unique(of_class, return_counts=True)
        return cls(rows, counts.astype(np.int64), classes.n_records, classes.class_of_record, seed)

    @property
    def n_sampled(self) -> int:
        """Individuals looked at."""
        return int(self.counts.sum())

    @property
    def is_sampled(self) -> bool:
        """Whether some were not looked at."""
        return self.n_sampled < self.n_records

    def selection(self, classes: ClassTable) -> np.ndarray | None:
        """The rows, or None when they are all classes."""
        return None if len(self.rows) == classes.n_classes else self.rows

    def share(self, chosen: np.ndarray) -> np.ndarray:
        """Share of the individuals looked at: bool (or a number), per row or rows x columns."""
        return self.counts @ chosen / max(1, self.n_sampled)

    def mean_of(self, values: np.ndarray) -> np.ndarray:
        """Per column, the mean over the individuals looked at who have a value; NaN where none has one, 0 of nobody."""
        defined = ~np.isnan(values)
        total = self.counts @ np.where(defined, values, 0.0)
        number = np.asarray(self.counts @ defined, dtype=float)
        return np.divide(total, number, out=np.full(number.shape, np.nan if len(values) else 0.0), where=number > 0)

    def number(self, chosen: np.ndarray) -> np.ndarray:
        """int64, individuals of all; estimated when a sample was taken."""
        return np.rint(self.share(chosen) * self.n_records).astype(np.int64)

    def interval(self, share: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """95% interval of a share of the individuals looked at (Wilson 1927, with the finite population correction).

        The share itself when everyone was looked at.
        """
        if not self.is_sampled:
            return share, share
        size = self.n_sampled * (self.n_records - 1) / (self.n_records - self.n_sampled)
        centre = (share + _Z**2 / (2 * size)) / (1 + _Z**2 / size)
        half = _Z * np.sqrt(share * (1 - share) / size + _Z**2 / (4 * size**2)) / (1 + _Z**2 / size)
        return np.clip(centre - half, 0, 1), np.clip(centre + half, 0, 1)

    def by_record(self, values: np.ndarray) -> np.ndarray:
        """float64, values per row to values per record of the file; NaN for a record left out or not looked at."""
        if self.class_of_record is None:
            raise InputError(
                "This class table was built in a database and holds no records.", code="records-in-a-database"
            )
        place = np.full(int(max(self.rows.max(initial=-1), self.class_of_record.max(initial=-1))) + 2, -1)
        place[self.rows] = np.arange(len(self.rows))
        padding = np.full((1, *values.shape[1:]), np.nan)
        return np.concatenate([values, padding])[place[self.class_of_record]]

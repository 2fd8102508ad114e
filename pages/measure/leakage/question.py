"""What the officer asks on the Leakage page."""

from __future__ import annotations

from dataclasses import dataclass, replace

from anonlib.dataset import Dataset

AT_ONCE = 1.5  # seconds; what takes longer waits for a button


@dataclass(frozen=True)
class Question:
    """One question about leakage.

    Attributes
    ----------
    columns : looked at, in the file's order.
    max_size : the most columns in a combination.
    average, worst : limits of the normalized losses, 0 to 1; 1 is off.
    smallest : the least size of a group that is accepted; 1 is off.
    """

    columns: tuple[str, ...]
    max_size: int
    average: float
    worst: float
    smallest: int

    def on(self, data: Dataset) -> Question:
        """The same question of another version of the data, which may lack a column."""
        return replace(self, columns=tuple(name for name in self.columns if name in data.columns))

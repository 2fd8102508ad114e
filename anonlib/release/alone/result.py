"""What was counted."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Alone:
    """Who is alone, or in a group below k, by some set of a few released columns.

    Attributes
    ----------
    known : int
        How many columns somebody knows at most.
    k : int
        The size that counts as small.
    alone, below : int
        Records (persons, by one of their rows; summed weights) of whom some set is true of nobody else, and of whom
        some set is true of fewer than k.
    n_records : int
        All that are released.
    columns : tuple[str, ...]
        The columns that were looked at, whatever their role.
    aside : tuple[str, ...]
        Those that leave and were not: free text, what nobody outside can know, and the weight.
    n_sets : int
        Sets of columns that were looked at.
    worst : tuple[tuple[tuple[str, ...], int, int], ...]
        The sets by which most are below k, with how many they leave alone and below k.
    not_counted : str, default ""
        Which sets were not looked at since they are too many, in a sentence; "".
    """

    known: int
    k: int
    alone: int
    below: int
    n_records: int
    columns: tuple[str, ...]
    aside: tuple[str, ...]
    n_sets: int
    worst: tuple[tuple[tuple[str, ...], int, int], ...]
    not_counted: str = ""

    @property
    def share_alone(self) -> float:
        """Of all released, in [0, 1]."""
        return self.alone / self.n_records if self.n_records else 0.0

    @property
    def share_below(self) -> float:
        """Of all released, in [0, 1]."""
        return self.below / self.n_records if self.n_records else 0.0

"""What is left of the columns of a file: a column in which all records that leave are alike tells nothing any more."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from anonlib.basics import words
from anonlib.dataset import Dataset
from anonlib.release.applied import Applied

NEARLY_ALL = 0.99
"""A column whose commonest value so many records have, missing among them, as a share, is nearly constant."""
_HALF = 0.5  # of the columns


@dataclass(frozen=True)
class ColumnsLeft:
    """Which columns of a file are left in a release; identifiers, person ids and weights are none of them.

    Attributes
    ----------
    removed : tuple[str, ...]
        Columns that leave in which records differed and no two do any more, be it that all have ``*`` or one label.
    dropped : tuple[str, ...]
        Columns that are not in the file.
    n_columns : int
        Columns in which records of the original differ.
    n_gone : int
        Those of them of which nothing is left, in the file or not.
    """

    removed: tuple[str, ...]
    dropped: tuple[str, ...]
    n_columns: int
    n_gone: int

    @property
    def is_little(self) -> bool:
        """Whether nothing is left of more than half of the columns: hardly a file for research."""
        return self.n_gone > _HALF * self.n_columns

    @property
    def says(self) -> str:
        """What nothing is left of, in sentences that name every column; "" where something is left of each."""
        says = [f"Nothing is left of {_all(self.removed)}."] if self.removed else []
        return " ".join([*says, f"Dropped: {_all(self.dropped)}."] if self.dropped else says)


def columns_left(applied: Applied) -> ColumnsLeft:
    """Which columns are left of what a recipe was applied to.

    Parameters
    ----------
    applied : Applied
        The recipe's outcome.
    """
    original, released = applied.original, applied.released
    aside = {*original.identifiers, original.person_id, original.weight}
    looked_at = [name for name in original.columns if name not in aside]
    telling = [name for name in looked_at if _differs(original, name)]
    dropped = tuple(name for name in looked_at if name not in released.columns)
    removed = tuple(name for name in telling if name not in dropped and not _differs(released, name))
    return ColumnsLeft(removed, dropped, len(telling), len(removed) + len({*telling} & {*dropped}))


def nearly_constant(dataset: Dataset, columns: Iterable[str]) -> tuple[str, ...]:
    """Those of some columns whose commonest value nearly all records have, :data:`NEARLY_ALL` of them or more.

    Parameters
    ----------
    dataset : Dataset
        The records.
    columns : Iterable[str]
        Names of columns.

    Returns
    -------
    tuple[str, ...]
        In the order of ``columns``; all of a dataset without records.
    """
    return tuple(
        name for name in columns
        if dataset.held.sizes_of(name).records.max(initial=0) >= NEARLY_ALL * dataset.n_rows
    )  # fmt: skip


def _differs(dataset: Dataset, column: str) -> bool:
    """Whether two records differ in a column; having no value is to differ from having one."""
    return int(dataset.held.sizes_of(column).values.sum()) > 1


def _all(names: Sequence[str]) -> str:
    return words.listed(names, most=len(names))

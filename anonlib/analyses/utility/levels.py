"""The levels at which the cells of each column leave, as a value: as they were, coarser, removed, blank."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field, replace
from typing import Literal

import pandas as pd

from anonlib.basics import words

Kind = Literal["as it was", "coarser", "all together", "blank", "missing already", "empty", "removed", "dropped"]
KINDS: tuple[Kind, ...] = (
    "as it was", "coarser", "all together", "blank", "missing already", "empty", "removed", "dropped",
)  # fmt: skip
"""What can become of a cell, the most that is kept first. "empty" is blank or missing already, which are one; of a
column that is "removed" all cells that leave are alike, and were not."""


_MOST_IN_WORDS = 12  # columns of an alternative text
_CAME_LATER = {"came later": True}  # saved evidence of an old version lacks it


@dataclass(frozen=True)
class LevelShare:
    """A part of a column's cells that leave at one level.

    Attributes
    ----------
    name : str
        The level in words, such as "as it was", "intervals of 5", "removed", "blank", "missing already".
    kind : Kind
        Which of :data:`KINDS` it is.
    share : float
        Of the cells that leave, above 0 to 1.
    detail : float
        How much such a cell still says, 0 to 1: the mean of 1 - (values with its label - 1) / (values - 1), so 1 where
        each value has its own label, and 0 where all have one, and of empty cells (the loss metric LM, Iyengar 2002).
    """

    name: str
    kind: Kind
    share: float
    detail: float


@dataclass(frozen=True)
class ColumnLevels:
    """At which levels the cells of a column leave.

    Attributes
    ----------
    column : str
        Its name.
    parts : tuple[LevelShare, ...]
        Those that occur, the finest first; their shares add up to 1.
    is_one_rule : bool, default False
        Whether one rule gave all cells their labels, so that a value has one label and none is part of another, such as
        “other” beside values that are kept.
    """

    column: str
    parts: tuple[LevelShare, ...]
    is_one_rule: bool = field(default=False, metadata=_CAME_LATER)

    @property
    def is_mixed(self) -> bool:
        """Whether labels of several levels stand side by side, empty cells aside."""
        return sum(part.kind in ("as it was", "coarser", "all together") for part in self.parts) > 1

    @property
    def for_anybody(self) -> ColumnLevels:
        """The same with what is blank and what was missing already as one, as no recipient may tell them apart."""
        empty = [part for part in self.parts if part.kind in ("blank", "missing already")]
        if not empty:
            return self
        both = LevelShare("blank or missing", "empty", sum(part.share for part in empty), 0.0)
        return replace(self, parts=(*(part for part in self.parts if part not in empty), both))


def to_frame(levels: Iterable[ColumnLevels]) -> pd.DataFrame:
    """The shares as a table.

    Returns
    -------
    DataFrame
        One row a column and level: ``column``, ``level``, ``share`` (of the cells that leave, 0 to 1).
    """
    rows = [(column.column, part.name, part.share) for column in levels for part in column.parts]
    return pd.DataFrame(rows, columns=["column", "level", "share"])


def in_words(levels: Sequence[ColumnLevels], shown: Callable[[float], str] = words.percent) -> str:
    """The shares in a sentence, for who cannot see the picture of them; ``shown`` writes a share."""
    listed = [
        f"{column.column} " + ", ".join(f"{shown(part.share)} {part.name}" for part in column.parts)
        for column in levels[:_MOST_IN_WORDS]
    ]
    more = len(levels) - len(listed)
    rest = f"; and {words.count(more, 'columns')} more" if more > 0 else ""
    return "Bars of the levels at which the cells of each column leave: " + "; ".join(listed) + rest + "."

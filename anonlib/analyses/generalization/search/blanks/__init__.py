"""Blank cells: one level a column, and single cells blank where what must hold takes it."""

from anonlib.analyses.generalization.search.blanks.at_levels import CellSuppression, blank_cells, question_at
from anonlib.analyses.generalization.search.blanks.cells import (
    BLANK,
    CellSuppressionTask,
    SuppressedCells,
    Worth,
    blanks_in,
)
from anonlib.analyses.generalization.search.blanks.search import Watch, with_blanks

__all__ = [
    "BLANK",
    "CellSuppression",
    "CellSuppressionTask",
    "SuppressedCells",
    "Watch",
    "Worth",
    "blank_cells",
    "blanks_in",
    "question_at",
    "with_blanks",
]  # fmt: skip

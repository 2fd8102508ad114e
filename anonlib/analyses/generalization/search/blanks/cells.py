"""Single blank cells of a table whose columns have their levels: parts of two levels, the label and blank.

A blank cell and a missing one are the same value with one label, so a class by labels holds those too who lack the
value. As of all parts, what is asked is asked of each part and counted again by labels.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property

import numpy as np

from anonlib.analyses.generalization.search.blanks.least import MOST_ROWS, least_blanks
from anonlib.analyses.generalization.search.objectives import Losses
from anonlib.analyses.generalization.search.parts.parts import LocalRecoding, first_parts
from anonlib.analyses.generalization.search.parts.splits import Look
from anonlib.analyses.generalization.search.problem import Problem
from anonlib.analyses.generalization.search.rows import LeveledRows
from anonlib.coarsening.hierarchies import Hierarchy
from anonlib.coarsening.recoding import ValueMap
from anonlib.counting.classes import ClassTable
from anonlib.counting.guarantees import PrivacyModel
from anonlib.counting.guarantees.coded import in_text_order

BLANK = Hierarchy((ValueMap((), otherwise=""),), ("blank",))
"""A label, and no label."""
ROUNDS = 20
"""How often each small part is split: cells that are blank cost little to look for."""
Worth = tuple[tuple[str, tuple[tuple[str | None, float], ...]], ...]
"""By column, what a cell of each label is worth: here the share of its detail that it still has; 1 if not named."""


@dataclass(frozen=True)
class CellSuppressionTask:
    """What is asked of a table whose single cells may be blank.

    Attributes
    ----------
    columns : tuple[str, ...]
        Those whose cells may be blank.
    guarantees : tuple[PrivacyModel, ...]
        What must hold.
    most : int, default 0
        How many records may be left out.
    weights : Mapping[str, float], optional
        How much a column's cells count, 1 where not named.
    worth : Worth, default ()
        See :data:`Worth`.
    """

    columns: tuple[str, ...]
    guarantees: tuple[PrivacyModel, ...]
    most: int = 0
    weights: Mapping[str, float] = field(default_factory=dict)
    worth: Worth = ()


@dataclass(frozen=True, eq=False)
class SuppressedCells:
    """Which cells of a table are blank.

    Attributes
    ----------
    columns : tuple[str, ...]
        Those whose cells may be.
    blank : np.ndarray
        bool, rows of the table x columns; a cell that is missing anyhow is not blank.
    kept : np.ndarray
        bool, per row: not left out.
    left_out : int
        Records that are left out.
    """

    columns: tuple[str, ...]
    blank: np.ndarray
    kept: np.ndarray
    left_out: int


def blanks_in(
    classes: ClassTable, question: CellSuppressionTask, *, rounds: int = ROUNDS, look: Look | None = None
) -> SuppressedCells | None:
    """The blank cells of a table, as few and little worth as splitting it from the top finds; always the same ones.

    Parameters
    ----------
    classes : ClassTable
        Records of one row each; guarantees name every column.
    question : CellSuppressionTask
        What is asked.
    rounds : int
        How often each small part is split (:data:`ROUNDS`); 1 for the quickest answer.
    look : Look, optional
        Called with the share that is done, in [0, 1]; may raise to stop.

    Returns
    -------
    SuppressedCells, or None where more records than may be would have to be left out
    """
    table, order = _in_text_order(classes, question.columns)
    problem = CellSuppressionProblem(table, question)
    few = len(table.counts) <= MOST_ROWS
    parts = least_blanks(problem) if few else first_parts(problem, rounds, look or _nothing)[1]
    return None if parts is None else _cells(problem, order, parts)


def _nothing(share: float) -> None:
    """Nobody looks."""


class CellSuppressionProblem(Problem):
    """A table of which each cell of some columns is as it is or blank."""

    def __init__(self, classes: ClassTable, question: CellSuppressionTask) -> None:
        self.worth_of_labels = question.worth
        super().__init__(
            classes, dict.fromkeys(question.columns, BLANK), question.guarantees, most=max(0, question.most),
            weights={name: weight for name, weight in question.weights.items() if name in classes.attributes},
        )  # fmt: skip

    @cached_property
    def losses(self) -> Losses:
        """What cells lose: all of it where they are blank, else what their label has lost before."""
        return _LossesOfBlanks(self.rows, [self.weights[name] for name in self.columns], self._shares())

    def _shares(self) -> list[np.ndarray]:
        """By column that may be blank, per value the share of the detail that its label still has."""
        worth = {name: dict(labels) for name, labels in self.worth_of_labels}
        return [
            np.array([worth.get(name, {}).get(label, 1.0) for label in levels.labels[0]])
            for name, levels in zip(self.columns, self.ladders.levels, strict=True)
        ]


class _LossesOfBlanks(Losses):
    """Losses of a label and a blank."""

    def __init__(self, rows: LeveledRows, weights: Sequence[float], shares: Sequence[np.ndarray]) -> None:
        super().__init__(rows, "cell_loss", weights)
        self.shares = shares

    def of_values(self, j: int, level: int) -> np.ndarray:
        return self.weights[j] * (np.ones(len(self.shares[j])) if level else 1.0 - self.shares[j])


def _cells(problem: Problem, order: np.ndarray, parts: LocalRecoding) -> SuppressedCells:
    """What was found, for the rows as they came: row i of the problem is row ``order[i]`` there."""
    blank = np.zeros(parts.cell_levels.shape, dtype=bool)
    kept = np.zeros(len(order), dtype=bool)
    has_label = [
        np.array([label is not None for label in problem.rows.labels_at(name, 0)], dtype=bool)[
            problem.rows.codes_at(name, 0)
        ]
        for name in problem.columns
    ]
    if has_label:
        blank[order] = (parts.cell_levels > 0) & np.column_stack(has_label)
    kept[order] = parts.kept
    blank[~kept] = False
    return SuppressedCells(problem.columns, blank, kept, parts.left_out)


def _in_text_order(classes: ClassTable, columns: Sequence[str]) -> tuple[ClassTable, np.ndarray]:
    """The table with its rows, and the values of some columns, in the order of their text, and each row's old place.

    So the same blanks are found in whatever order a table holds its values.
    """
    codes, categories = classes.codes.copy(), list(classes.categories)
    keys = []
    for j, name in enumerate(classes.attributes):
        rank = in_text_order(categories[j])
        keys.append(rank[codes[:, j]])
        if name in columns:
            codes[:, j] = rank[codes[:, j]]
            categories[j] = categories[j][np.argsort(rank)]
    order = np.lexsort([np.zeros(len(codes), dtype=np.intp), *reversed(keys)])
    table = replace(
        classes, codes=codes[order], categories=tuple(categories), counts=classes.counts[order], class_of_record=None
    )
    return table, order

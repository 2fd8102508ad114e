"""One level a column, and single cells blank: the blanks that some levels take, and what is lost with them."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from anonlib.analyses.generalization.search.blanks.cells import ROUNDS, CellSuppressionTask, SuppressedCells, blanks_in
from anonlib.analyses.generalization.search.parts.parts import sensitive_columns
from anonlib.analyses.generalization.search.parts.splits import Look
from anonlib.analyses.generalization.search.persons import PersonProblem
from anonlib.analyses.generalization.search.problem import Problem
from anonlib.analyses.generalization.search.rows import Node
from anonlib.basics.errors import InputError
from anonlib.counting.classes import ClassTable
from anonlib.counting.classes.coding import group, sum_by
from anonlib.counting.classes.rows_of_persons import ValueSet


@dataclass(frozen=True, eq=False)
class CellSuppression:
    """Levels of the columns, and the blank cells that what is asked takes with them.

    Attributes
    ----------
    levels : Node
        Of each column of the problem.
    cells : SuppressedCells
        Which cells are blank, rows of the problem x the columns that may have blanks.
    loss : float
        The share of the cells' detail that is lost, in [0, 1]: a blank cell and who is left out lose all of it.
    tables : int, default 1
        Where levels were searched, how many choices of these were looked at.
    finished : bool, default True
        Whether that search came to its end.
    ended_early : bool, default False
        Whether a clock, or somebody, ended it: another machine may find others.
    """

    levels: Node
    cells: SuppressedCells
    loss: float
    tables: int = 1
    finished: bool = True
    ended_early: bool = False


def question_at(problem: Problem, levels: Node) -> CellSuppressionTask:
    """What is asked of a table with its columns at some levels, where their cells may be blank.

    Cells of a column that has one label are never blank: it says nothing. Weights are of the cells as they were, so the
    share of its detail that a label still has says what a blank takes.

    Parameters
    ----------
    problem : Problem
        Records of one row each, and what must hold.
    levels : Node
        The level of each column of the problem.

    Returns
    -------
    CellSuppressionTask
    """
    sensitive = sensitive_columns(problem)
    columns, weights, worth = [], dict[str, float](), []
    for name, level in zip(problem.columns, levels, strict=True):
        at = problem.levels[name]
        if name not in problem.names or name in sensitive or len(at.labels[level]) < 2:
            continue
        columns.append(name)
        weights[name] = problem.weights[name]
        left = np.zeros(len(at.labels[level]))
        left[at.group[level]] = 1 - at.loss(level)
        if len(set(left.tolist())) == 1:
            weights[name] *= float(left[0])
        elif name not in problem.unnamed:
            pairs = zip(at.labels[level].tolist(), left.tolist(), strict=True)
            worth.append((name, tuple((label, share) for label, share in pairs if not isinstance(label, ValueSet))))
    return CellSuppressionTask(tuple(columns), problem.guarantees, max(0, problem.most), weights, tuple(worth))


def blank_cells(
    problem: Problem, levels: Node, *, rounds: int = ROUNDS, look: Look | None = None
) -> CellSuppression | None:
    """The least blanks found with the columns at some levels, as :func:`blanks_in`.

    Parameters
    ----------
    problem : Problem
        Records of one row each, and what must hold.
    levels : Node
        The level of each column of the problem.
    rounds : int, default ROUNDS
        How often each small part is split; 1 for the quickest answer.
    look : Look, optional
        Called with the share done; what it raises stops the work.

    Returns
    -------
    CellSuppression, or None where more records than may be would have to be left out

    Raises
    ------
    InputError
        For persons with several rows.
    """
    if isinstance(problem, PersonProblem):
        raise InputError(
            "Cells of persons with several rows cannot be blanked one by one: each column keeps one level.",
            code="persons-have-several-rows",
        )
    question = question_at(problem, levels)
    table, row = _at_levels(problem, levels)
    cells = blanks_in(table, question, rounds=rounds, look=look)
    if cells is None:
        return None
    here = SuppressedCells(cells.columns, cells.blank[row], cells.kept[row], cells.left_out)
    return CellSuppression(levels, here, loss_with(problem, levels, here))


def loss_with(problem: Problem, levels: Node, cells: SuppressedCells) -> float:
    """The share of the detail that is lost at some levels with some cells blank; in [0, 1].

    A cell loses as everywhere what its level does, a blank one all.
    """
    lost = problem.fixed_worth * float(cells.left_out)
    for j, (name, level) in enumerate(zip(problem.columns, levels, strict=True)):
        values = problem.rows.columns[j]
        of_cells, whole = problem.losses.of_values(j, level)[values], problem.losses.of_left_out(j)[values]
        gone = ~cells.kept
        if name in cells.columns:
            gone = gone | cells.blank[:, cells.columns.index(name)]
        lost += float((problem.counts * np.where(gone, whole, of_cells)).sum())
    return problem.share(lost)


def _at_levels(problem: Problem, levels: Node) -> tuple[ClassTable, np.ndarray]:
    """The table of the columns that guarantees name at some levels, and of each row of the problem its row there."""
    names = [name for name in problem.classes.attributes if name in problem.names]
    at = dict(zip(problem.columns, levels, strict=True))
    codes = np.column_stack(
        [
            np.zeros(len(problem.counts), dtype=np.intp),
            *(problem.rows.codes_at(name, at.get(name, 0)) for name in names),
        ]
    )
    labels = [problem.rows.labels_at(name, at.get(name, 0)) for name in names]
    row, first = group(codes, [1, *(len(each) for each in labels)])
    counts = sum_by(row, len(first), problem.counts)
    return ClassTable(tuple(names), tuple(labels), codes[first, 1:].astype(np.int32), counts), row

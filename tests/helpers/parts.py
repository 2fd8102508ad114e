"""What leaves by parts that were found, counted plainly: labels of every row, and what their cells lose."""

from __future__ import annotations

from fractions import Fraction

import tests.reference.guarantees as slow
from anonlib.analyses.generalization.search.local_recoding import LocalRecoding
from tests.helpers.adviser import problem_of


def released(case: slow.Case, found: LocalRecoding) -> tuple[list[slow.Row], list[int]]:
    """The rows that leave, each with its labels, and their weights."""
    problem = problem_of(case)
    rows, weights = [], []
    for row, weight, place in zip(case.rows, case.weights, case.classes.class_of_record.tolist(), strict=True):
        if not found.kept[place]:
            continue
        at = dict(zip(problem.columns, found.cell_levels[place].tolist(), strict=True))
        rows.append({n: case.ladders[n][at[n]][value] if n in at else value for n, value in row.items()})
        weights.append(weight)
    return rows, weights


def loss(case: slow.Case, found: LocalRecoding) -> float:
    """The mean over all cells of what they lose, all of it where a record is left out."""
    problem = problem_of(case)
    lost = whole = Fraction(0)
    for row, weight, place in zip(case.rows, case.weights, case.classes.class_of_record.tolist(), strict=True):
        at = dict(zip(problem.columns, found.cell_levels[place].tolist(), strict=True))
        for name in case.names:
            matters = case.matter.get(name, 1) * weight
            lost += matters * (case.cell_loss(name, at.get(name, 0), row[name]) if found.kept[place] else 1)
            whole += matters
    return float(lost / whole) if whole else 0.0

"""From a generalization to steps of the recipe."""

from __future__ import annotations

from dataclasses import replace
from typing import Literal

from anonlib.analyses.generalization import Generalization
from anonlib.analyses.generalization.search.cell_suppression import question_at
from anonlib.coarsening.recoding import Recoding, ValueMap
from anonlib.dataset import Dataset
from anonlib.release.steps import BlankCells, GeneralizeLocally, LeaveOut, Recode, Step


def steps_of(found: Generalization, data: Dataset, limit: float) -> tuple[Step, ...]:
    """Recodings of the columns that change and, where records are left out, a step that leaves them out.

    They replace what is recoded and left out by ``found.problem.shield`` (``Scope.SEARCH``).

    Parameters
    ----------
    found : Generalization
        The result of a search.
    data : Dataset
        What was searched.
    limit : float
        The share of its records, in [0, 1], that may be left out.

    Returns
    -------
    tuple of Step
        None where nothing has to change.

    Raises
    ------
    InputError
        Where cells would be blank and records that lack a quasi-identifier are left out.
    """
    reason = "reaches " + " and ".join(f"k = {asked.least} on {len(asked.columns)} columns" for asked in found.shared)
    if found.levels is None:
        problem = found.problem
        weights = tuple(zip(problem.columns, problem.attribute_weights, strict=True)) if problem.is_weighted else ()
        ways = tuple(problem.hierarchies.items())
        search: Literal["parts", "mondrian"] = "mondrian" if found.method == "mondrian" else "parts"
        return (GeneralizeLocally(ways, found.guarantees, limit, reason, column_weights=weights, search=search),)
    recodings: list[Step] = [
        Recode(name, of_counted(found.problem.hierarchies[name].recodings[level - 1], data, name), reason)
        for name, level in found.levels.items()
        if level
    ]
    if found.method == "blanks":
        if found.left_out or found.shares_blank():
            step = _blank_cells(found, limit, reason)
            step.check_missing(data)
            recodings.append(step)
    elif found.left_out:
        recodings.append(LeaveOut(guarantees=found.guarantees, reason=reason))
    return tuple(recodings)


def _blank_cells(found: Generalization, limit: float, reason: str) -> BlankCells:
    """The step that leaves the cells blank that were found, at the levels that are recoded before."""
    assert found.levels is not None
    question = question_at(found.problem, tuple(found.levels.values()))
    weights = tuple((name, weight) for name, weight in question.weights.items() if weight != 1)
    return BlankCells(question.columns, found.guarantees, limit, reason, weights, question.worth)


def of_counted(recoding: Recoding, data: Dataset, name: str) -> Recoding:
    """The recoding of the records that were counted.

    Where a record with a missing quasi-identifier is left out, a label for what is missing would let it in again.
    """
    if isinstance(recoding, ValueMap) and data.missing == "drop" and name in data.quasi_identifiers:
        return replace(recoding, missing=None)
    return recoding

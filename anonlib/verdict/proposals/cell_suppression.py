"""The proposal of one level a column with single cells blank."""

from __future__ import annotations

import numpy as np

from anonlib.analyses.generalization.search import LeastChange, NothingFound, PersonProblem, Problem, Solution
from anonlib.analyses.generalization.search.cell_suppression import CellSuppression, question_at, with_blanks
from anonlib.analyses.generalization.whole_classes import limit_of
from anonlib.basics.budget import UNLIMITED, Budget
from anonlib.basics.progress import Progress
from anonlib.basics.words import percent
from anonlib.release.steps import BlankCells, Step
from anonlib.release.steps.cell_suppression import NEEDS_VALUES
from anonlib.verdict.proposals.adviser import Adviser
from anonlib.verdict.proposals.proposal import Proposal

_REASON = "for the verdict"
_NOTHING = NothingFound(proven=False, finished=True, complete=False)


def why_no_blanks(adviser: Adviser) -> str:
    """Why cells cannot be left blank, in a sentence; empty where they can.

    Parameters
    ----------
    adviser : Adviser
        The question, and what has been found out about it.

    Returns
    -------
    str
    """
    if isinstance(adviser.problem, PersonProblem):
        return "Persons with several rows keep one level a column: no single cell of theirs is left blank."
    if adviser.data.missing == "drop" and set(adviser.problem.columns) & set(adviser.data.quasi_identifiers):
        return NEEDS_VALUES
    return ""


def suppress_cells(
    adviser: Adviser, budget: Budget = UNLIMITED, progress: Progress | None = None
) -> Proposal | NothingFound:
    """The least change of known columns where each has one level and single cells may be blank.

    Of records of one row each; sensitive columns stay as they are. Its step finds the same blanks again.
    """
    if why_no_blanks(adviser) or adviser.problem.suppression_limit < 0 or not adviser.of_parts:
        return _NOTHING
    problem = _of_known(adviser)
    if not question_at(problem, problem.bottom).columns:
        return _NOTHING
    shown: list[tuple[CellSuppression, Proposal]] = []

    def report(share: float, best: CellSuppression | None = None) -> None:
        if best is not None and _has_step(problem, best) and not (shown and shown[-1][0] is best):
            shown[:] = [(best, _proposal(adviser, problem, best))]
        if progress is not None:
            progress(share, shown[-1][1] if shown else None)

    best = with_blanks(problem, budget, None if progress is None else report, adviser.coin)
    if best is None or not _has_step(problem, best):
        return _NOTHING
    return _proposal(adviser, problem, best)


def _has_step(problem: Problem, best: CellSuppression) -> bool:
    """Whether a cell could be blank on these levels where one is or somebody has to go; else it is whole columns."""
    needs_it = best.cells.blank.any() or best.cells.left_out
    return not needs_it or bool(question_at(problem, best.levels).columns)


def _of_known(adviser: Adviser) -> Problem:
    """The problem without levels or blanks of sensitive columns, of what labels of several levels report the truth."""
    whole = adviser.problem
    hierarchies = {name: way for name, way in whole.hierarchies.items() if name not in adviser.data.sensitive}
    return Problem(
        whole.classes, hierarchies, adviser.of_parts, suppression_limit=whole.suppression_limit,
        weights=whole.weights, divisible=whole.divisible,
        unnamed=whole.unnamed,
    )  # fmt: skip


def _proposal(adviser: Adviser, problem: Problem, best: CellSuppression) -> Proposal:
    cells = best.cells
    whole = adviser.of(LeastChange(Solution(best.levels, best.loss, 0), best.loss, False, True, 0.0), problem)
    changes = dict(whole.changes)
    for name, share in _shares_blank(problem, best).items():
        changes[name] = f"{changes[name]}; {percent(share)} blank" if name in changes else f"{percent(share)} blank"
    step = (_step(adviser, problem, best),) if cells.blank.any() or cells.left_out else ()
    return Proposal(
        whole.levels,
        {name: changes[name] for name in problem.columns if name in changes},
        (*whole.steps, *step),
        adviser.problem.columns,
        adviser.of_original(best.loss),
        cells.left_out,
        problem.n_records,
        LeastChange(
            Solution(best.levels, best.loss, cells.left_out), best.loss, False, best.finished, 0.0, complete=False,
            with_blanks=True, ended_early=best.ended_early,
        ),
    )  # fmt: skip


def _step(adviser: Adviser, problem: Problem, best: CellSuppression) -> Step:
    """The step that leaves these cells blank."""
    question = question_at(problem, best.levels, adviser.coin)
    return BlankCells(
        question.columns,
        question.guarantees,
        limit_of(question.most, problem.n_records),
        _REASON,
        tuple((name, weight) for name, weight in question.weights.items() if weight != 1),
        question.worth,
        question.coin,
    )


def _shares_blank(problem: Problem, best: CellSuppression) -> dict[str, float]:
    """By column that has blanks, the share of the records that leave whose cell is blank."""
    cells = best.cells
    counts = np.where(cells.kept, problem.counts, 0)
    n_records = max(1, int(counts.sum()))
    blank = (counts[:, None] * cells.blank).sum(axis=0) / n_records
    return {name: share for name, share in zip(cells.columns, blank.tolist(), strict=True) if share}

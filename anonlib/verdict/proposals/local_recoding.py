"""The proposal that coarsens each part of the file only as far as it must."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from anonlib.analyses.generalization.search import LeastChange, NothingFound, PersonProblem, Problem, Solution
from anonlib.analyses.generalization.search.local_recoding import (
    LocalRecoding,
    LocalRecodingOfPersons,
    work_of_first_parts,
)
from anonlib.analyses.generalization.whole_classes import limit_of
from anonlib.basics.budget import A_SECOND, UNLIMITED, Budget
from anonlib.basics.progress import Progress
from anonlib.basics.words import percent
from anonlib.release.steps import GeneralizeLocally
from anonlib.verdict.proposals.adviser import Adviser
from anonlib.verdict.proposals.proposal import Proposal

_REASON = "for the verdict"
_NOTHING = NothingFound(proven=False, finished=True, complete=False)
_ONE_LEVEL = "In a case of several tables, or of lists in cells, each column keeps one level."
_USUAL = 3 * A_SECOND  # with no more work the parts are those found first


def why_no_parts(adviser: Adviser) -> str:
    """Why there are no parts of these data, in a sentence; empty where there can be.

    A row that others hang below would get one label for itself and others for what hangs below it.

    Parameters
    ----------
    adviser : Adviser
        The question, and what has been found out about it.

    Returns
    -------
    str
    """
    return _ONE_LEVEL if adviser.data.tables is not None else ""


def recode_locally(
    adviser: Adviser, budget: Budget = UNLIMITED, progress: Progress | None = None
) -> Proposal | NothingFound:
    """The least change of known columns where labels of different levels may stand side by side in a column.

    Sensitive columns stay as they are. With more work than a usual search it goes on, round after round; its step keeps
    how many rounds, and finds the same parts again. Of persons with several rows it takes the time that it takes, as
    with a coin: rounds would be compared by what values did.
    """
    step = step_of_parts(adviser)
    if step is None:
        return _NOTHING

    def report(share: float, *_: None) -> None:
        if progress is not None:
            progress(share, None)

    if isinstance(adviser.problem, PersonProblem):
        return _of_persons(adviser, step, report)
    ended_early = False
    if step.coin is not None or budget.is_unlimited or (budget.work is not None and budget.work <= _USUAL):
        problem, parts = step.found(adviser.data, report)
    else:
        shown: list[tuple[LocalRecoding, Proposal]] = []

        def better(share: float, step: GeneralizeLocally, problem: Problem, parts: LocalRecoding) -> None:
            if not shown or shown[-1][0] is not parts:
                shown[:] = [(parts, _proposal(adviser, step, problem, parts, ended_early=True))]
            if progress is not None:
                progress(share, shown[-1][1])

        first = work_of_first_parts(adviser.problem) / budget.work if budget.work else 0.0
        step, problem, within = step.found_within(
            adviser.data, budget, lambda share, *_: report(min(1.0, first) * share), better
        )
        parts, ended_early = within.parts, within.ended_early
    return _NOTHING if parts is None else _proposal(adviser, step, problem, parts, ended_early)


def _proposal(
    adviser: Adviser, step: GeneralizeLocally, problem: Problem, parts: LocalRecoding, ended_early: bool
) -> Proposal:
    proposal = _with_labels(adviser, step, problem, parts, problem.counts, parts.left_out)
    least_change = replace(proposal.least_change, ended_early=ended_early)
    return replace(proposal, least_change=least_change, parts=(step.key_of(problem), parts))


def _of_persons(adviser: Adviser, step: GeneralizeLocally, progress: Progress | None) -> Proposal | NothingFound:
    """The same of persons with several rows: not of such in a database, nor where rows are not looked at."""
    if not step.looks_at_rows(adviser.data):
        return _NOTHING
    problem, parts = step.found_of_persons(adviser.data, progress)
    if parts is None:
        return _NOTHING
    proposal = _with_labels(adviser, step, problem, parts, parts.persons, parts.rows_out)
    settled = replace(proposal.least_change.best, rows_out=parts.rows_out)
    return replace(
        proposal,
        least_change=replace(proposal.least_change, best=settled),
        rows_out=parts.rows_out,
        n_rows=problem.n_rows,
        parts=(step.key_of_persons(problem), parts),
    )


def _with_labels(
    adviser: Adviser,
    step: GeneralizeLocally,
    problem: Problem,
    parts: LocalRecoding | LocalRecodingOfPersons,
    counts: np.ndarray,
    out: int,
) -> Proposal:
    """The proposal of parts; ``counts`` are how many have each row of labels, ``out`` those of them that go."""
    levels, counts = parts.cell_levels[parts.kept], counts[parts.kept]
    in_words = [_in_shares(problem, j, levels[:, j], counts) for j in range(len(problem.columns))]
    changes = {name: change for name, change in zip(problem.columns, in_words, strict=True) if change}
    loss = _of_all(adviser.problem, problem, parts.loss, out)
    highest = tuple(int(level) for level in levels.max(axis=0, initial=0))
    return Proposal(
        {name: level for name, level in zip(problem.columns, highest, strict=True) if level},
        changes,
        (step,) if changes or out else (),
        adviser.problem.columns,
        adviser.of_original(loss),
        parts.left_out,
        problem.n_records,
        LeastChange(Solution(highest, loss, parts.left_out), loss, False, True, 0.0, by_parts=True),
    )


def step_of_parts(adviser: Adviser) -> GeneralizeLocally | None:
    """The step that finds the parts; None where there are none to find."""
    problem = adviser.problem
    if why_no_parts(adviser):
        return None
    known = {name for guarantee in adviser.of_parts for name in guarantee.columns}
    hierarchies = tuple(
        (name, problem.hierarchies[name])
        for name in problem.columns
        if name in known and name not in adviser.data.sensitive
    )
    if not hierarchies or problem.suppression_limit < 0:
        return None
    limit = limit_of(problem.suppression_limit, problem.n_rows)
    if isinstance(problem, PersonProblem):
        if problem.most_persons < 0:
            return None
        limit = min(limit, limit_of(problem.most_persons, problem.n_records))
    weights = tuple((name, problem.weights[name]) for name, _ in hierarchies if problem.weights[name] != 1)
    return GeneralizeLocally(hierarchies, adviser.of_parts, limit, _REASON, column_weights=weights, coin=adviser.coin)


def _in_shares(problem: Problem, j: int, levels: np.ndarray, counts: np.ndarray) -> str:
    """What becomes of a column, as ``61% as it is, 30% coarser, 9% all together``; empty where it stays as it is.

    ``levels`` are those of cells that stay, ``counts`` how many records (rows of persons) have each.
    """
    records = np.bincount(levels, weights=counts, minlength=problem.highest[j] + 1)
    if not records[1:].any():
        return ""
    labels = problem.ladders.levels[j].labels
    is_one = np.array([level > 0 and len(labels[level]) == 1 for level in range(len(records))])
    shares = {
        "as it is": records[0],
        "coarser": records[1:][~is_one[1:]].sum(),
        "removed": records[is_one].sum(),
    }
    n = max(1, int(counts.sum()))
    return ", ".join(f"{percent(number / n)} {how}" for how, number in shares.items() if number)


def _of_all(whole: Problem, problem: Problem, loss: float, left_out: int) -> float:
    """What parts of some columns lose, as a share of the cells of all that are searched; ``left_out`` are records, or
    rows of persons."""
    others = sum(weight for name, weight in whole.weights.items() if name not in problem.columns)
    unweighted = sum(weight for name, weight in problem.weights.items() if name not in problem.columns)
    lost = loss * sum(problem.weights.values()) * problem.n_rows + (others - unweighted) * left_out
    return whole.share(lost)

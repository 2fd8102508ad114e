"""What an officer may say that lets less be lost: that values harm nobody, that nobody outside can know columns."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

from anonlib.analyses.generalization.search import LeastChange, Problem, SearchProgress, least_change
from anonlib.analyses.generalization.search.local_recoding import work_of_first_parts
from anonlib.basics.budget import A_SECOND, Budget
from anonlib.verdict.proposals.adviser import Adviser
from anonlib.verdict.proposals.banded import Search
from anonlib.verdict.proposals.parts import part_by_part
from anonlib.verdict.proposals.proposal import ProgressWithBest, Proposal
from anonlib.verdict.proposals.remedies import commonest_values, with_harmless
from anonlib.verdict.proposals.whole import whole_columns

WORTH_ASKING = 0.01  # of the detail, by which less must be lost before an officer is asked
_WORK = 3 * A_SECOND  # after which no other answer is tried
_MOST_COLUMNS = 3  # that are asked about one at a time, whether somebody can know them: those that lose most


@dataclass(frozen=True)
class Relief:
    """Something that only an officer can say, and what the least change found then loses.

    Attributes
    ----------
    columns : tuple[str, ...]
        Sensitive columns that have the value; without a value, columns that perhaps nobody outside can know: all that
        are changed for that reason alone, or one of them; all that are protected for it where others alone are changed.
    value : str
        A value that perhaps harms nobody, the commonest of one of them; "" without.
    loss : float
        Share of the cells' detail that is lost once the officer states it, in [0, 1], by a first answer.
    """

    columns: tuple[str, ...]
    value: str
    loss: float


def reliefs(adviser: Adviser, best: Proposal, watch: ProgressWithBest | None = None) -> tuple[Relief, ...]:
    """What would let much less be lost, the one that saves most first, of those that were tried with some work.

    Parameters
    ----------
    adviser : Adviser
        The question.
    best : Proposal
        What loses least so far, and is compared. Parts are found again for each answer, else levels of whole columns.
    watch : ProgressWithBest, optional
        Called with the share of what is tried that was, in [0, 1]; may raise to stop.

    Returns
    -------
    tuple[Relief, ...]
    """
    names = _perhaps_unknown(adviser, best)
    answers = [(tuple(names), "")] if len(names) > 1 else []
    answers += [((name,), "") for name in names[:_MOST_COLUMNS]]
    answers += commonest_values(adviser)
    found, an_answer = list[Relief](), _work_of_an_answer(adviser, best)
    for i, (columns, value) in enumerate(answers[: max(1, math.ceil(_WORK / an_answer))]):

        def tell(share: float, _: object, place: int = i) -> None:
            if watch is not None:
                watch((place + share) / len(answers), None)

        if best.found.by_parts or best.columns_out:
            lost = _once_stated(adviser, part_by_part if best.found.by_parts else whole_columns, columns, value, tell)
        else:
            lost = _in_whole_columns(adviser, columns, value, tell)
        if lost is not None and lost <= best.loss - WORTH_ASKING:
            found.append(Relief(columns, value, lost))
    return tuple(sorted(found, key=lambda relief: relief.loss))


def _work_of_an_answer(adviser: Adviser, best: Proposal) -> float:
    """About how much work one answer is: its parts, or the states on the way to a first answer."""
    problem = adviser.problem
    if best.found.by_parts:
        return work_of_first_parts(problem)
    return problem.work_of_a_state * (1 + sum(problem.highest))


def _once_stated(
    adviser: Adviser, search: Search, columns: tuple[str, ...], value: str, watch: ProgressWithBest
) -> float | None:
    """What a proposal loses once an answer is given; None where there is none."""
    asked = adviser.asked
    if value:
        harmless = {name: (*asked.harmless.get(name, ()), value) for name in columns}
        asked = replace(asked, harmless={**asked.harmless, **harmless})
    else:
        asked = replace(asked, unknowable=(*asked.unknowable, *columns))
    found = search(Adviser(asked), Budget(work=0), watch)
    return found.loss if isinstance(found, Proposal) else None


def _in_whole_columns(adviser: Adviser, columns: tuple[str, ...], value: str, watch: SearchProgress) -> float | None:
    """The same of levels of whole columns, by a first answer; what has been counted is shared."""
    problem = with_harmless(adviser, columns, value) if value else _without(adviser.problem, columns)
    found = least_change(problem, work=0, watch=watch)
    return adviser.of_original(problem.cell_loss(found.best)) if isinstance(found, LeastChange) else None


def _without(problem: Problem, columns: tuple[str, ...]) -> Problem:
    """The problem with columns as they are, and without what is asked of who knows them."""
    guarantees = [each for each in problem.guarantees if {*each.columns}.isdisjoint(columns)]
    pairs = zip(problem.columns, problem.highest, strict=True)
    highest = {name: 0 if name in columns else level for name, level in pairs}
    return problem.changed(guarantees=guarantees, highest=highest)


def _perhaps_unknown(adviser: Adviser, best: Proposal) -> list[str]:
    """Columns that are changed only because somebody might know them after all, those changed furthest first; all that
    are protected for that reason where others alone are changed."""
    stated = [each for criterion, each in adviser.searched if criterion.mending.how == "count_as_known"]
    known = {*adviser.data.quasi_identifiers, *adviser.data.sensitive}
    named = dict.fromkeys(name for guarantees in stated for each in guarantees for name in each.columns)
    protected = [name for name in named if name not in known]
    changed = [name for name in protected if name in best.levels]
    return sorted(changed, key=lambda name: -best.levels[name]) or protected

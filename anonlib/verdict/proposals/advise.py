"""How the least change is searched, stage by stage: in each of the ways to protect a file.

A search coarsens the columns that officers declared as known, blanks cells of theirs, or coarsens them part by part.
Each stage looks at what those before it find. It may ask them again with the question changed: with columns in bands,
dropped or kept as they are, with larger classes or smaller parts.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial

from anonlib.analyses.generalization.search import NothingFound
from anonlib.basics.budget import UNLIMITED, Budget
from anonlib.basics.progress import Progress
from anonlib.dataset import Dataset
from anonlib.release.recipe import Recipe
from anonlib.verdict.criteria import BLANK_CELLS, PARTS, WHOLE_COLUMNS, Case, Criterion, Finding, State
from anonlib.verdict.proposals.adviser import Adviser
from anonlib.verdict.proposals.cell_suppression import suppress_cells, why_no_blanks
from anonlib.verdict.proposals.giving_way import Search, columns_give_way, few_unique, in_bands
from anonlib.verdict.proposals.local_recoding import recode_locally, why_no_parts
from anonlib.verdict.proposals.proposal import Proposal

Stage = Callable[[Search, Adviser, Budget, Progress | None], Proposal | NothingFound]
"""An answer to a question, given the search of all stages before."""
_FACTORS = (2, 4, 8, 16, 32)
_LARGEST = 0.1  # of the records, a class that is asked for
_MOST_WORK = 5e7  # records times pairs of columns, up to which it is looked at what reveals a proposal's columns
_OF_A_PAIR = 2_000  # records that looking at a pair costs as much as, however few there are


@dataclass(frozen=True)
class Plan:
    """How the least change in one of the ways to protect is searched.

    Attributes
    ----------
    search : of the columns that are known.
    stages : what gives way beside these, one after the other.
    improvements : what is better than a first answer, one after the other.
    why_not : given the adviser, why there is none of these data, in a sentence; "" where there may be.
    """

    search: Search
    stages: tuple[Stage, ...]
    improvements: tuple[Stage, ...]
    why_not: Callable[[Adviser], str] = lambda adviser: ""


def plan_of(way: str) -> Plan:
    """How it is searched in a way to protect: a stage stands behind those whose answers it looks at."""
    in_parts = Plan(
        recode_locally,
        (in_bands, columns_give_way, few_unique),
        (finer_parts, revealed_stay, needed_stay),
        why_no_parts,
    )
    with_blanks = Plan(suppress_cells, (in_bands, columns_give_way, few_unique), (needed_stay,), why_no_blanks)
    of_whole_columns = Plan(
        recode_globally,
        (partial(columns_give_way, for_all=False), few_unique),
        (partial(needed_stay, with_coins=True),),
    )
    return {PARTS: in_parts, BLANK_CELLS: with_blanks, WHOLE_COLUMNS: of_whole_columns}[way]


def advise(
    way: str, adviser: Adviser, budget: Budget = UNLIMITED, progress: Progress | None = None
) -> Proposal | NothingFound:
    """The least change found in one of the ways to protect: what is proposed.

    Parameters
    ----------
    way : str
        One of :data:`anonlib.verdict.criteria.WAYS`.
    adviser : Adviser
        The question, and what has been found out about it.
    budget : Budget, default UNLIMITED
        What a search may spend; a first answer is always completed.
    progress : Progress, optional
        Called with the share done, 0 to 1, and the best so far; may raise to stop.

    Returns
    -------
    Proposal | NothingFound
    """
    plan = plan_of(way)
    return _through((*plan.stages, *plan.improvements), plan, adviser, budget, progress)


def first_answer(
    way: str, adviser: Adviser, budget: Budget = UNLIMITED, progress: Progress | None = None
) -> Proposal | NothingFound:
    """The same without what only improves it.

    Parameters
    ----------
    way : str
        One of :data:`anonlib.verdict.criteria.WAYS`.
    adviser : Adviser
        The question, and what has been found out about it.
    budget : Budget, default UNLIMITED
        What a search may spend; a first answer is always completed.
    progress : Progress, optional
        Called with the share done, 0 to 1, and the best so far; may raise to stop.

    Returns
    -------
    Proposal | NothingFound
    """
    plan = plan_of(way)
    return _through(plan.stages, plan, adviser, budget, progress)


def _through(
    stages: Sequence[Stage], plan: Plan, adviser: Adviser, budget: Budget, progress: Progress | None
) -> Proposal | NothingFound:
    if plan.why_not(adviser):
        return NothingFound(proven=False, finished=True, complete=False)
    search = plan.search
    for stage in stages:
        search = partial(stage, search)
    return search(adviser, budget, progress)


# ---- whole columns ----


def recode_globally(
    adviser: Adviser, budget: Budget = UNLIMITED, progress: Progress | None = None
) -> Proposal | NothingFound:
    """What loses least with one level a column; columns that reveal what is coarser in others are coarser with them."""
    answer = adviser.most_detail(budget, progress)
    return answer if isinstance(answer, NothingFound) else _with_revealing_coarser(adviser, answer)


def _with_revealing_coarser(adviser: Adviser, proposal: Proposal) -> Proposal:
    """A proposal of whole columns with those that reveal others coarser too, where a criterion is against it.

    Each goes up by one level at a time, until none reveals or those that do are at their coarsest. What holds at a
    state goes on holding above, but for sensitive columns: these are left as they are, and so is every column that must
    stay. What then still reveals is found by the verdict, as is which columns are so nearly unique that only the
    officer can say that nothing in them does.
    """
    criterion = _on_revealing_columns(adviser)
    problem, state = adviser.problem, list(proposal.least_change.best.node)
    if criterion is None or len(state) != len(problem.columns):
        return proposal
    places = {name: j for j, name in enumerate(problem.columns) if name not in adviser.data.sensitive}
    while True:
        finding = criterion.check(_case(adviser, proposal))
        at_fault = [places[name] for name in finding.columns if name in places]
        raised = [j for j in at_fault if state[j] < problem.highest[j]]
        if finding.state is not State.NOT_MET or not raised:
            return proposal
        for j in raised:
            state[j] += 1
        settled = problem.settle(tuple(state))
        if settled is None:
            return proposal
        proposal = adviser.of(replace(proposal.least_change, best=settled, proven=False), problem)


def _on_revealing_columns(adviser: Adviser) -> Criterion | None:
    return next((criterion for criterion in adviser.asked.criteria if criterion.of_revealing_columns), None)


def _case(adviser: Adviser, proposal: Proposal) -> Case:
    """The release by a proposal alone."""
    recipe = proposal.taken(Recipe(), adviser.asked.data)
    return Case(recipe.apply(adviser.asked.data), recipe)


# ---- stages that improve what was found ----


def finer_parts(
    search: Search, adviser: Adviser, budget: Budget = UNLIMITED, progress: Progress | None = None
) -> Proposal | NothingFound:
    """Parts of one fewer, and of one fewer again, as long as the average that is asked for is met over all parts.

    A search has each part meet the average: with a limit of 0.2 each has five. Most parts have more than the smallest,
    so that with four in each the average is mostly met as well, and less is lost. Not where a coin refuses as values
    do: which of several answers is better is what values did.
    """
    best = search(adviser, budget, progress)
    averages = [criterion for criterion in adviser.asked.criteria if criterion.limit_on("average_risk") is not None]
    if isinstance(best, NothingFound) or not averages or adviser.coin is not None:
        return best
    strictest = min(criterion.limit_on("average_risk") or 0.0 for criterion in averages)
    for size in range(math.ceil(1 / strictest) - 1 if strictest else 0, 1, -1):
        finer = search(_with_parts_of(adviser, size), budget, progress)
        if isinstance(finer, NothingFound) or finer.loss >= best.loss:
            return best
        if not all(criterion.check(_case(adviser, finer)).is_met for criterion in averages):
            return best
        best = finer
    return best


def _with_parts_of(adviser: Adviser, size: int) -> Adviser:
    """The same question with parts of so many."""
    return adviser.asking(
        criteria=tuple(
            criterion if limit is None else criterion.with_limit_on("average_risk", max(limit, 1 / size))
            for criterion in adviser.asked.criteria
            for limit in [criterion.limit_on("average_risk")]
        )
    )


def revealed_stay(
    search: Search, adviser: Adviser, budget: Budget = UNLIMITED, progress: Progress | None = None
) -> Proposal | NothingFound:
    """Columns as they are that others reveal beside their labels: with these fixed it is searched again.

    What another column reveals is no less known where it is coarser: as it is, it costs nothing, and nothing is
    revealed. The first answer stands where nothing is found that way, or more columns are revealed then. Where a coin
    refuses as values do, known columns alone decide it, and values are looked at in one search.
    """
    criterion = _on_revealing_columns(adviser)
    if _work_of_pairs(adviser.asked.data) > _MOST_WORK:
        criterion = None
    if criterion is not None and adviser.coin is not None:
        sizes = adviser.of_sizes()
        stay = None if sizes is None else _with_revealed(search, sizes, criterion, budget, progress)[1]
        return search(adviser if not stay else _with_fixed(adviser, stay), budget, progress)
    if criterion is None:
        return search(adviser, budget, progress)
    return _with_revealed(search, adviser, criterion, budget, progress)[0]


def _with_revealed(
    search: Search, adviser: Adviser, criterion: Criterion, budget: Budget, progress: Progress | None
) -> tuple[Proposal | NothingFound, tuple[str, ...]]:
    """The better answer of one with revealed columns as they are and one without, and these columns; none of them where
    it is the one without."""
    first, data = search(adviser, budget, progress), adviser.asked.data
    if isinstance(first, NothingFound):
        return first, ()
    finding, revealed = _revealed(adviser, first, criterion)
    may_stay = tuple(name for name in revealed if name in first.levels and name in data.quasi_identifiers)
    if finding.state is not State.NOT_MET or not may_stay:
        return first, ()
    again = search(_with_fixed(adviser, may_stay), budget, progress)
    if isinstance(again, NothingFound) or not _revealed(adviser, again, criterion)[0].is_met:
        return first, ()
    return again, may_stay


def _with_fixed(adviser: Adviser, columns: Sequence[str]) -> Adviser:
    """The same question with some more columns as they are."""
    return adviser.asking(fixed=(*adviser.asked.fixed, *columns))


def _work_of_pairs(data: Dataset) -> float:
    return (data.n_rows + _OF_A_PAIR) * len(data.columns) ** 2


def _revealed(adviser: Adviser, proposal: Proposal, criterion: Criterion) -> tuple[Finding, tuple[str, ...]]:
    """Whether a criterion on columns that reveal others is met by a proposal, and the columns that are revealed."""
    case = _case(adviser, proposal)
    finding = criterion.check(case)
    tellers = (*case.telling.alone, *(case.telling.pairs or ()))
    return finding, tuple(dict.fromkeys(telling.tells for telling in tellers))


def needed_stay(
    search: Search,
    adviser: Adviser,
    budget: Budget = UNLIMITED,
    progress: Progress | None = None,
    *,
    with_coins: bool = False,
) -> Proposal | NothingFound:
    """Larger classes where an answer drops a column that is needed, so that it may stay.

    A sensitive column that leaves too many alone beside known ones can stay where these are coarser, which classes of
    twice, four times and up to 32 times as many make them. Taken is the first answer that drops none that is needed;
    where all do, the first of those that drop fewest. What meets larger classes meets the criteria that are asked.
    Where a coin refuses as values do, not but ``with_coins``: which answer drops fewest is what values did.
    """
    best = search(adviser, budget, progress)
    if isinstance(best, NothingFound) or (adviser.coin is not None and not with_coins):
        return best
    for factor in _FACTORS:
        stricter = _with_larger_classes(adviser, factor) if _dropped(adviser, best) else None
        if stricter is None:
            return best
        answer = search(stricter, budget, progress)
        if isinstance(answer, Proposal) and _dropped(adviser, answer) < _dropped(adviser, best):
            best = replace(answer, least_change=replace(answer.least_change, proven=False))
    return best


def _dropped(adviser: Adviser, proposal: Proposal) -> int:
    """How many columns that are needed a proposal drops."""
    return len({*proposal.columns_out} & {*adviser.asked.needed})


def _with_larger_classes(adviser: Adviser, factor: int) -> Adviser | None:
    """The same question for classes so many times as large; None where none are asked for, or they become too large."""
    criteria = adviser.asked.criteria
    sizes = [criterion.limit_on("class_size") for criterion in criteria]
    largest = max((size * factor for size in sizes if size is not None), default=0)
    if not largest or largest > _LARGEST * adviser.asked.data.n_records:
        return None
    return adviser.asking(
        criteria=tuple(
            criterion if size is None else criterion.with_limit_on("class_size", size * factor)
            for criterion, size in zip(criteria, sizes, strict=True)
        )
    )

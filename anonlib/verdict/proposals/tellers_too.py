"""Columns that tell what a proposal makes coarser in others: they are made coarser with it, or the others stay."""

from __future__ import annotations

from dataclasses import replace
from functools import wraps

from anonlib.analyses.generalization.search import NothingFound
from anonlib.basics.budget import UNLIMITED, Budget
from anonlib.dataset import Dataset
from anonlib.release.recipe import Recipe
from anonlib.verdict.criteria import Case, Criterion, Finding, State
from anonlib.verdict.proposals.adviser import Adviser
from anonlib.verdict.proposals.banded import Search
from anonlib.verdict.proposals.proposal import ProgressWithBest, Proposal

_MOST_WORK = 5e7  # records times pairs of columns, up to which it is looked at what tells a proposal's columns
_OF_A_PAIR = 2_000  # records that looking at a pair costs as much as, however few there are


def with_tellers(adviser: Adviser, proposal: Proposal) -> Proposal:
    """A proposal of whole columns with those that tell others coarser too, where a criterion is against it.

    Each goes up by one level at a time, until none tells or those that do are at their coarsest. What holds at a state
    goes on holding above, but for sensitive columns: these are left as they are, and so is every column that must
    stay. What then still tells is found by the verdict, as is which columns are so nearly unique that only the officer
    can say that nothing in them does.
    """
    criterion = next((each for each in adviser.asked.criteria if each.of_revealing_columns), None)
    problem, state = adviser.problem, list(proposal.found.best.state)
    if criterion is None or len(state) != len(problem.columns):
        return proposal
    places = {name: j for j, name in enumerate(problem.columns) if name not in adviser.data.sensitive}
    while True:
        recipe = proposal.taken(Recipe(), adviser.asked.data)
        finding = criterion.check(Case(recipe.apply(adviser.asked.data), recipe))
        at_fault = [places[name] for name in finding.columns if name in places]
        raised = [j for j in at_fault if state[j] < problem.highest[j]]
        if finding.state is not State.NOT_MET or not raised:
            return proposal
        for j in raised:
            state[j] += 1
        settled = problem.settle(tuple(state))
        if settled is None:
            return proposal
        proposal = adviser.of(replace(proposal.found, best=settled, proven=False), problem)


def or_revealed_stay(search: Search) -> Search:
    """A search that is made again with columns as they are that others tell beside their labels.

    What another column tells is no less known where it is coarser: as it is, it costs nothing, and nothing is revealed.
    The first answer stands where nothing is found that way, or more columns are revealed then.
    """

    @wraps(search)
    def searched(
        adviser: Adviser, budget: Budget = UNLIMITED, watch: ProgressWithBest | None = None
    ) -> Proposal | NothingFound:
        first, data, asked = search(adviser, budget, watch), adviser.asked.data, adviser.asked
        criterion = next((each for each in asked.criteria if each.of_revealing_columns), None)
        if criterion is None or isinstance(first, NothingFound) or _work(data) > _MOST_WORK:
            return first
        finding, revealed = _revealed(adviser, first, criterion)
        may_stay = [name for name in revealed if name in first.levels and name in data.quasi_identifiers]
        if finding.state is not State.NOT_MET or not may_stay:
            return first
        again = search(Adviser(replace(asked, fixed=(*asked.fixed, *may_stay))), budget, watch)
        if isinstance(again, NothingFound) or not _revealed(adviser, again, criterion)[0].is_met:
            return first
        return again

    return searched


def _work(data: Dataset) -> float:
    return (data.n_rows + _OF_A_PAIR) * len(data.columns) ** 2


def _revealed(adviser: Adviser, proposal: Proposal, criterion: Criterion) -> tuple[Finding, tuple[str, ...]]:
    """Whether a criterion on columns that tell others is met by a proposal, and the columns that are revealed."""
    recipe = proposal.taken(Recipe(), adviser.asked.data)
    case = Case(recipe.apply(adviser.asked.data), recipe)
    finding = criterion.check(case)
    found = (*case.telling.alone, *(case.telling.pairs or ()))
    return finding, tuple(dict.fromkeys(telling.tells for telling in found))

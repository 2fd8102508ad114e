"""Columns that tell what a proposal makes coarser in others: they are made coarser with it."""

from __future__ import annotations

from dataclasses import replace

from anonlib.release.recipe import Recipe
from anonlib.verdict.criteria import Case, State, TellingColumns
from anonlib.verdict.proposals.adviser import Adviser
from anonlib.verdict.proposals.proposal import Proposal


def with_tellers(adviser: Adviser, proposal: Proposal) -> Proposal:
    """A proposal of whole columns with those that tell others coarser too, where a criterion is against it.

    Each goes up by one level at a time, until none tells or those that do are at their coarsest. What holds at a state
    goes on holding above, but for sensitive columns: these are left as they are, and so is every column that must
    stay. What then still tells is found by the verdict, as is which columns are so nearly unique that only the officer
    can say that nothing in them does.
    """
    criterion = next((each for each in adviser.asked.criteria if isinstance(each, TellingColumns)), None)
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

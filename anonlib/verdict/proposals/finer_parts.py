"""Finer parts where an average is asked: parts of which each meets it are coarser than all of them together need be."""

from __future__ import annotations

import math
from dataclasses import replace
from functools import wraps

from anonlib.analyses.generalization.search import NothingFound
from anonlib.basics.budget import UNLIMITED, Budget
from anonlib.release.recipe import Recipe
from anonlib.verdict.criteria import Case, Criterion
from anonlib.verdict.proposals.adviser import Adviser
from anonlib.verdict.proposals.banded import Search
from anonlib.verdict.proposals.proposal import ProgressWithBest, Proposal


def or_finer_parts(search: Search) -> Search:
    """A search of parts that is made again for parts of one fewer, as long as the average over all parts is met.

    The search has each part meet the average: with a limit of 0.2 each has five. Most parts have more than the
    smallest, so that with four in each the average is mostly met as well, and less is lost.
    """

    @wraps(search)
    def searched(
        adviser: Adviser, budget: Budget = UNLIMITED, watch: ProgressWithBest | None = None
    ) -> Proposal | NothingFound:
        best = search(adviser, budget, watch)
        averages = [each for each in adviser.asked.criteria if each.limit_on("average_risk") is not None]
        if isinstance(best, NothingFound) or not averages:
            return best
        strictest = min(each.limit_on("average_risk") or 0.0 for each in averages)
        for size in range(math.ceil(1 / strictest) - 1 if strictest else 0, 1, -1):
            found = search(_with_parts_of(adviser, size), budget, watch)
            if isinstance(found, NothingFound) or found.loss >= best.loss or not _meets(adviser, found, averages):
                return best
            best = found
        return best

    return searched


def _with_parts_of(adviser: Adviser, size: int) -> Adviser:
    """The same question with parts of so many."""
    asked = adviser.asked
    criteria = (
        each if limit is None else each.with_limit_on("average_risk", max(limit, 1 / size))
        for each in asked.criteria
        for limit in [each.limit_on("average_risk")]
    )
    return Adviser(replace(asked, criteria=tuple(criteria)))


def _meets(adviser: Adviser, proposal: Proposal, averages: list[Criterion]) -> bool:
    data = adviser.asked.data
    recipe = proposal.taken(Recipe(), data)
    case = Case(recipe.apply(data), recipe)
    return all(each.check(case).is_met for each in averages)

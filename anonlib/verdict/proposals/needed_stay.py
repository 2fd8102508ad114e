"""Columns that are needed stay: known ones become coarser in their place, beside any search that drops some of them."""

from __future__ import annotations

from dataclasses import replace
from functools import wraps

from anonlib.analyses.generalization.search import NothingFound
from anonlib.basics.budget import UNLIMITED, Budget
from anonlib.verdict.proposals.adviser import Adviser
from anonlib.verdict.proposals.banded import Search
from anonlib.verdict.proposals.proposal import ProgressWithBest, Proposal

_FACTORS = (2, 4, 8, 16, 32)
_LARGEST = 0.1  # of the records, a class that is asked for


def or_needed_stay(search: Search) -> Search:
    """A search that asks for larger classes where its answer drops a column that is needed.

    A sensitive column that leaves too many alone beside known ones can stay where these are coarser, which classes of
    twice, four times and up to 32 times as many make them. Taken is the first answer that drops none that is needed;
    where all do, the first of those that drop fewest. What meets larger classes meets the criteria that are asked.
    """

    @wraps(search)
    def searched(
        adviser: Adviser, budget: Budget = UNLIMITED, watch: ProgressWithBest | None = None
    ) -> Proposal | NothingFound:
        best = search(adviser, budget, watch)
        if isinstance(best, NothingFound):
            return best
        for factor in _FACTORS:
            stricter = _with_larger_classes(adviser, factor) if _dropped(adviser, best) else None
            if stricter is None:
                return best
            found = search(stricter, budget, watch)
            if isinstance(found, Proposal) and _dropped(adviser, found) < _dropped(adviser, best):
                best = replace(found, found=replace(found.found, proven=False))
        return best

    return searched


def _dropped(adviser: Adviser, proposal: Proposal) -> int:
    """How many columns that are needed a proposal drops."""
    return len({*proposal.columns_out} & {*adviser.asked.needed})


def _with_larger_classes(adviser: Adviser, factor: int) -> Adviser | None:
    """The same question for classes so many times as large; None where none are asked for, or they become too large."""
    asked = adviser.asked
    sizes = [each.limit_on("class_size") for each in asked.criteria]
    largest = max((size * factor for size in sizes if size is not None), default=0)
    if not largest or largest > _LARGEST * asked.data.n_records:
        return None
    criteria = (
        each if size is None else each.with_limit_on("class_size", size * factor)
        for each, size in zip(asked.criteria, sizes, strict=True)
    )
    return Adviser(replace(asked, criteria=tuple(criteria)))

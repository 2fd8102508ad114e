"""The proposal of one level a column."""

from __future__ import annotations

from functools import partial

from anonlib.analyses.generalization.search import NothingFound
from anonlib.verdict.proposals.adviser import Adviser
from anonlib.verdict.proposals.columns_out import or_columns_out
from anonlib.verdict.proposals.few_alone import with_few_alone
from anonlib.verdict.proposals.proposal import ProgressWithBest, Proposal
from anonlib.verdict.proposals.tellers_too import with_tellers


@with_few_alone
@partial(or_columns_out, for_all=False)
def whole_columns(
    adviser: Adviser, seconds: float | None = None, watch: ProgressWithBest | None = None
) -> Proposal | NothingFound:
    """What loses least with one level a column; columns that tell what is coarser in others are coarser with them."""
    found = adviser.most_detail(seconds, watch)
    return found if isinstance(found, NothingFound) else with_tellers(adviser, found)

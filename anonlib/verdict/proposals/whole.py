"""The proposal of one level a column."""

from __future__ import annotations

from functools import partial

from anonlib.analyses.generalization.search import NothingFound
from anonlib.basics.budget import UNLIMITED, Budget
from anonlib.verdict.proposals.adviser import Adviser
from anonlib.verdict.proposals.columns_out import or_columns_out
from anonlib.verdict.proposals.few_alone import with_few_alone
from anonlib.verdict.proposals.proposal import ProgressWithBest, Proposal
from anonlib.verdict.proposals.tellers_too import with_tellers


@with_few_alone
@partial(or_columns_out, for_all=False)
def whole_columns(
    adviser: Adviser, budget: Budget = UNLIMITED, watch: ProgressWithBest | None = None
) -> Proposal | NothingFound:
    """What loses least with one level a column; columns that tell what is coarser in others are coarser with them.

    Parameters
    ----------
    adviser : Adviser
        The question, and what has been found out about it.
    budget : Budget, default UNLIMITED
        What a search may spend; a first answer is always completed.
    watch : ProgressWithBest, optional
        Called with the share done, 0 to 1, and the best so far; may raise to stop.

    Returns
    -------
    Proposal | NothingFound
    """
    found = adviser.most_detail(budget, watch)
    return found if isinstance(found, NothingFound) else with_tellers(adviser, found)

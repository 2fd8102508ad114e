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
    """What loses least with one level a column; columns that tell what is coarser in others are coarser with them.

    Parameters
    ----------
    adviser : Adviser
        The question, and what has been found out about it.
    seconds : float, optional
        How long a search goes on, once it has a first answer; None: until it ends by itself.
    watch : ProgressWithBest, optional
        Called with the share done, 0 to 1, and the best so far; may raise to stop.

    Returns
    -------
    Proposal | NothingFound
    """
    found = adviser.most_detail(seconds, watch)
    return found if isinstance(found, NothingFound) else with_tellers(adviser, found)

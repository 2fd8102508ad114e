"""What an officer may say that lets less be lost: that values harm nobody, that nobody outside can know columns."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace

from anonlib.analyses.generalization.search import NothingFound
from anonlib.verdict.criteria import ColumnsNotCounted
from anonlib.verdict.proposals.asked import Asked
from anonlib.verdict.proposals.proposals import Adviser, ProgressWithBest, Proposal
from anonlib.verdict.proposals.remedies import commonest_values

WORTH_ASKING = 0.01  # of the detail, by which less must be lost before an officer is asked
_MOST_COLUMNS = 3  # of which it is asked whether somebody can know them: those that lose most
Search = Callable[[Adviser, float | None, ProgressWithBest | None], Proposal | NothingFound]
"""A kind of proposal, such as :meth:`Adviser.most_detail`."""


@dataclass(frozen=True)
class Relief:
    """Something that only an officer can say, and what the least change found then loses.

    Attributes
    ----------
    columns : sensitive columns that have the value; without a value, columns that perhaps nobody outside can know.
    value : a value that perhaps harms nobody, the commonest of one of them; "" without.
    loss : share of the cells' detail that is lost once it is said, in [0, 1], by a first answer.
    """

    columns: tuple[str, ...]
    value: str
    loss: float


def reliefs(
    adviser: Adviser, best: Proposal, search: Search = Adviser.most_detail, watch: ProgressWithBest | None = None
) -> tuple[Relief, ...]:
    """What would let much less be lost, the one that saves most first.

    Parameters
    ----------
    adviser : Adviser
        The question.
    best : Proposal
        What loses least so far, and is compared.
    search : callable
        The kind of proposal that it is of, searched again with each answer.
    watch : callable, optional
        Called with the share of what is tried that was, in [0, 1]; may raise to stop.
    """
    tried, found = list(_answers(adviser, best)), list[Relief]()
    for i, (columns, value, asked) in enumerate(tried):

        def tell(share: float, _: Proposal | None, place: int = i) -> None:
            if watch is not None:
                watch((place + share) / len(tried), None)

        lighter = search(Adviser(asked), 0.0, tell)
        if isinstance(lighter, Proposal) and lighter.loss <= best.loss - WORTH_ASKING:
            found.append(Relief(columns, value, lighter.loss))
    return tuple(sorted(found, key=lambda relief: relief.loss))


def _answers(adviser: Adviser, best: Proposal) -> Iterator[tuple[tuple[str, ...], str, Asked]]:
    """What an officer may say, and what is asked then."""
    asked = adviser.asked
    for name in _perhaps_unknown(adviser, best):
        yield (name,), "", replace(asked, unknowable=(*asked.unknowable, name))
    for columns, value in commonest_values(adviser):
        harmless = {name: (*asked.harmless.get(name, ()), value) for name in columns}
        yield columns, value, replace(asked, harmless={**asked.harmless, **harmless})


def _perhaps_unknown(adviser: Adviser, best: Proposal) -> list[str]:
    """Columns that are changed only because somebody might know them after all, those changed furthest first."""
    stated = [each for criterion, each in adviser.searched if isinstance(criterion, ColumnsNotCounted)]
    known = {*adviser.data.quasi_identifiers, *adviser.data.sensitive}
    named = dict.fromkeys(name for guarantees in stated for each in guarantees for name in each.columns)
    changed = [name for name in named if name not in known and name in best.levels]
    return sorted(changed, key=lambda name: -best.levels[name])[:_MOST_COLUMNS]

"""Few alone by what leaves, beside any search that takes what officers declared as known.

Where a proposal leaves too many alone by any few of all columns, those that the search left as they are, sensitive ones
and those of neither role, are taken out and put in again, one after the other: at their coarsest level if the limits
allow it, and then as fine as they allow. The search is made again beside them.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import wraps

from anonlib.analyses.generalization.search import NothingFound
from anonlib.basics.budget import UNLIMITED, Budget
from anonlib.coarsening.hierarchies import Levels
from anonlib.release.applied import Applied
from anonlib.release.recipe import Recipe
from anonlib.release.uniqueness_of_release import Allows, AloneCount, looked_at
from anonlib.verdict.criteria import UniquenessLimit
from anonlib.verdict.proposals.adviser import Adviser
from anonlib.verdict.proposals.banded import Search, levels_between
from anonlib.verdict.proposals.columns_out import GivingWay, with_given
from anonlib.verdict.proposals.proposal import ProgressWithBest, Proposal, that_is_saved

_TIMES = 3  # searches that are made again: what they change can leave others alone


def with_few_alone(search: Search) -> Search:
    """A search whose proposal is mended where it leaves too many alone by what leaves.

    Where no column can go up any further, what was reached is the answer: the verdict says what it does not meet.
    """

    @wraps(search)
    def mended(
        adviser: Adviser, budget: Budget = UNLIMITED, watch: ProgressWithBest | None = None
    ) -> Proposal | NothingFound:
        found = search(adviser, budget, watch)
        limits = [limit for each in adviser.asked.criteria if (limit := each.uniqueness) is not None]
        for _ in range(_TIMES):
            before = found
            for limit in limits:
                if isinstance(found, NothingFound):
                    return found
                raised = _raised(adviser, limit, found, watch)
                if raised is None:
                    continue
                again = with_given(adviser, search, raised, budget, watch)
                if isinstance(again, NothingFound):
                    return found
                found = again
            if found is before:
                break
        return found if isinstance(found, NothingFound) else that_is_saved(found, adviser.asked.data)

    return mended


@dataclass(frozen=True, eq=False)
class _Column:
    """A column that may go up.

    Attributes
    ----------
    levels : Levels
        Its labels, level by level.
    start : int
        The level that it is on.
    rank : tuple[bool, float]
        Of :meth:`anonlib.verdict.proposals.adviser.Adviser.gives_way_last`.
    """

    levels: Levels
    start: int
    rank: tuple[bool, float]

    def onto(self, level: int) -> dict[str | None, str | None]:
        """What the labels that it is on become on a higher level."""
        pairs = zip(self.levels.label(self.start).tolist(), self.levels.label(level).tolist(), strict=True)
        return dict(pairs)


def _raised(
    adviser: Adviser, limit: UniquenessLimit, proposal: Proposal, watch: ProgressWithBest | None
) -> GivingWay | None:
    """What goes up, or out, so that few enough are alone, all else as in the proposal; None where nothing has to."""

    def tell(share: float = 0.0, *_: None) -> None:
        if watch is not None:
            watch(share, proposal)

    def allows(alone: float, below: float) -> bool:
        tell()
        return limit.allows(alone, below)

    recipe = proposal.taken(Recipe(), adviser.asked.data)
    applied = recipe.apply(adviser.asked.data)
    names, _ = looked_at(applied.released, adviser.asked.unknowable)
    columns = _columns(adviser, applied, proposal, names)
    count = AloneCount.of(
        applied, recipe, known=limit.known, k=limit.k, unknowable=adviser.asked.unknowable, progress=tell,
        without=columns,
    )  # fmt: skip
    if not limit.allows(*count.shares):
        return None
    alone = {name: _fault(count, name) for name in columns}
    in_order = sorted(columns, key=lambda name: (*columns[name].rank, alone[name]))
    whole = _put_in(count, columns, in_order, {name: [columns[name].start] for name in columns}, allows)
    if len(whole) == len(columns):
        return None
    coarse = {name: list(range(each.levels.n_levels - 1, each.start - 1, -1)) for name, each in columns.items()}
    chosen = _put_in(count, columns, in_order, coarse, allows)
    for name in in_order:  # as fine as all the others allow
        for level in range(columns[name].start, chosen.get(name, 0)):
            others = {other: [at] for other, at in chosen.items() if other != name} | {name: [level]}
            if len(_put_in(count, columns, list(others), others, allows)) == len(others):
                chosen[name] = level
                break
    out = tuple(name for name in columns if name not in chosen)
    return GivingWay((*proposal.columns_out, *out), {name: level for name, level in chosen.items() if level})


def _columns(adviser: Adviser, applied: Applied, proposal: Proposal, names: Sequence[str]) -> dict[str, _Column]:
    """By name the columns that may go up: those that the search of known columns leaves as they are."""
    data, found = adviser.asked.data, dict[str, _Column]()
    for name in names:
        if name in data.quasi_identifiers or name in adviser.fixed:
            continue
        levels = levels_between(adviser, name).hierarchy.on([*data.held.values(name), None], name)
        if name in data.sensitive and name not in adviser.may_be_coarsened:
            levels = Levels(levels.labels[:1], levels.group[:1])
        start = proposal.levels.get(name, 0)
        if start < levels.n_levels and {*applied.released.held.values(name)} <= {*levels.label(start).tolist()}:
            found[name] = _Column(levels, start, adviser.gives_way_last(name))
    return found


def _put_in(
    count: AloneCount,
    columns: Mapping[str, _Column],
    in_order: Sequence[str],
    levels: Mapping[str, Sequence[int]],
    allows: Allows,
) -> dict[str, int]:
    """The level of each column that can be there, the first of its levels that is allowed beside those before it."""
    chosen = dict[str, int]()
    for name in in_order:
        for level in levels[name]:
            with_it = count.with_column(name, columns[name].onto(level), allows)
            if with_it is not None:
                count, chosen[name] = with_it, level
                break
    return chosen


def _fault(count: AloneCount, name: str) -> float:
    """How many are below k by a column, alone and with one more, when it comes to those that are there."""
    with_it = count.with_column(name, {}, lambda alone, below: True, known=min(2, count.known))
    return with_it.shares[1] if with_it is not None else 1.0

"""What would let something do, or lose less: the nearest limits, what may be changed, values that harm nobody.

Whatever is offered was found to do, with every column at its coarsest. That nothing else would is not claimed.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import partial

from anonlib.analyses.generalization.search import Conflict, Found, Problem, Watch, least_change
from anonlib.basics import words
from anonlib.counting.guarantees import NotCertain
from anonlib.counting.guarantees.kinds import sensitive_of
from anonlib.verdict.criteria import AverageRisk, Combinations, Criterion, Inference, SmallestClass
from anonlib.verdict.proposals.proposals import Adviser, Asked

_STEPS = 1000  # of a share: limits are sought in tenths of a percent
WORTH_ASKING = 0.01  # of the detail, by which less must be lost before an officer is asked about a value


@dataclass(frozen=True)
class Remedy:
    """Something less to ask or more to allow, after which all criteria can be met.

    Attributes
    ----------
    says : what it is, in a few words.
    old, new : a criterion, and the same with the nearest limit that does; None where it is something else.
    free : a column that must stay as it is now and would be free to change; "".
    drop : a sensitive column that may be left out; "".
    harmless : a sensitive column and its commonest value, which anybody may then be sure of; None.
    """

    says: str
    old: Criterion | None = None
    new: Criterion | None = None
    free: str = ""
    drop: str = ""
    harmless: tuple[str, str] | None = None


def remedies(
    adviser: Adviser, progress: Callable[[float, tuple[Remedy, ...]], None] | None = None
) -> tuple[Remedy, ...]:
    """What would let something do, each by itself; empty where something does already, or no single thing was found.

    Parameters
    ----------
    adviser : Adviser
        With a conflict.
    progress : callable, optional
        Called with the share of what is tried that was, in [0, 1], and what was found so far; may raise to stop.

    Returns
    -------
    tuple of Remedy
        Limits of the criteria in conflict first, then records left out, then columns.
    """
    conflict = adviser.conflict()
    ways = [] if conflict is None else list(_ways(adviser, *conflict))
    found: tuple[Remedy, ...] = ()
    for i, way in enumerate(ways):
        if progress is not None:
            progress(i / len(ways), found)
        remedy = way()
        found = found if remedy is None else (*found, remedy)
    return found


def _ways(
    adviser: Adviser, found: Conflict, in_conflict: tuple[Criterion, ...]
) -> Iterator[Callable[[], Remedy | None]]:
    """What is tried, one after the other."""
    asked = adviser.asked
    yield from (partial(_nearest_limit, adviser, criterion) for criterion in in_conflict)
    yield partial(_fewer_kept, adviser)
    for name in (column for column in asked.fixed if column in adviser.data.quasi_identifiers):
        freed = replace(asked, fixed=tuple(other for other in asked.fixed if other != name))
        yield partial(_asked_instead, adviser, freed, Remedy(f"{name} free to change", free=name))
    if any(isinstance(criterion, Inference) for criterion in in_conflict):
        sensitive = adviser.data.sensitive
        if adviser.problem.is_large:  # each takes long to try: those that stand against it
            inferred = {sensitive_of(adviser.problem.guarantees[i]) for i in found.guarantees}
            sensitive = [name for name in sensitive if name in inferred]
        for name in (column for column in sensitive if column not in asked.droppable):
            dropped = replace(asked, droppable=(*asked.droppable, name))
            yield partial(_asked_instead, adviser, dropped, Remedy(f"{name} left out", drop=name))
        for name, value in _commonest_values(adviser):
            if name in sensitive:
                yield partial(_commonest_harmless, adviser, name, value)


def _nearest_limit(adviser: Adviser, criterion: Criterion) -> Remedy | None:
    nearest = _nearest(adviser, criterion)
    if nearest is None:
        return None
    return Remedy(_limit_in_words(criterion, nearest, adviser.data.unit), criterion, nearest)


def _fewer_kept(adviser: Adviser) -> Remedy | None:
    kept, unit = adviser.records_kept, adviser.data.unit
    least = None if kept is None else _least_kept(adviser)
    if kept is None or least is None or least >= kept.least:
        return None
    what = f"{unit} or their rows" if adviser.data.has_several_rows else unit
    return Remedy(f"{words.percent(1 - least)} of the {what} left out at most", kept, replace(kept, least=least))


def _asked_instead(adviser: Adviser, asked: Asked, remedy: Remedy) -> Remedy | None:
    """The remedy, where what it asks does."""
    problem = Adviser(asked).problem
    problem.pause = adviser.problem.pause
    return remedy if _does(problem) else None


def _commonest_harmless(adviser: Adviser, name: str, value: str) -> Remedy | None:
    if not _does(_with_harmless(adviser, name, value)):
        return None
    return Remedy(f"the commonest value of {name} harmless", harmless=(name, value))


def _commonest_values(adviser: Adviser) -> Iterator[tuple[str, str]]:
    """The commonest value of each sensitive column that is asked about, where it is not harmless already."""
    inferred = {each.sensitive for each in adviser.problem.guarantees if isinstance(each, NotCertain)}
    for name in (column for column in adviser.data.sensitive if column in inferred):
        counts = adviser.data.held.counts_of(name)
        if not counts.records.any():
            continue
        value = str(counts.values[counts.records.argmax()])
        if value not in adviser.asked.harmless.get(name, ()):
            yield name, value


def _with_harmless(adviser: Adviser, name: str, value: str) -> Problem:
    """The question with one more harmless value; what has been counted is shared."""
    return adviser.problem.changed(
        guarantees=[
            replace(each, harmless=(*each.harmless, value))
            if isinstance(each, NotCertain) and each.sensitive == name
            else each
            for each in adviser.problem.guarantees
        ]
    )


@dataclass(frozen=True)
class Relief:
    """A value that harms nobody, perhaps, and what the least change then loses.

    Attributes
    ----------
    column, value : a sensitive column, and its commonest value.
    loss : share of the cells' detail that is lost once anybody may be sure of it, in [0, 1], by a first answer.
    """

    column: str
    value: str
    loss: float


def reliefs(adviser: Adviser, loss: float, watch: Watch | None = None) -> tuple[Relief, ...]:
    """The commonest values that, if they harm nobody, let much less be lost; the one that saves most first.

    Parameters
    ----------
    adviser : Adviser
        The question.
    loss : float
        What its least change loses, in [0, 1].
    watch : callable, optional
        As of :func:`~anonlib.analyses.generalization.search.least_change.least_change`; may raise to stop.
    """
    found = []
    for name, value in _commonest_values(adviser):
        problem = _with_harmless(adviser, name, value)
        lighter = least_change(problem, seconds=0, watch=watch)
        if isinstance(lighter, Found):
            lost = adviser.of_original(problem.cell_loss(lighter.best))
            if lost <= loss - WORTH_ASKING:
                found.append(Relief(name, value, lost))
    return tuple(sorted(found, key=lambda each: each.loss))


def _does(problem: Problem) -> bool:
    return problem.settle(problem.highest) is not None


def _nearest(adviser: Adviser, criterion: Criterion) -> Criterion | None:
    """The criterion with the limit nearest to its own at which all are found to be met; None where none is."""
    if adviser.problem.is_large:
        return _what_is_reached(adviser, criterion)
    match criterion:
        case SmallestClass():
            k = _largest(1, criterion.k, lambda k: _with(adviser, criterion, replace(criterion, k=k)))
            return None if k is None else replace(criterion, k=k)
        case Inference() | Combinations():
            most = _smallest_share(
                criterion.most, lambda most: _with(adviser, criterion, replace(criterion, most=most))
            )
            return None if most is None else replace(criterion, most=most)
        case AverageRisk():
            limit = _smallest_share(criterion.limit, lambda at: _with(adviser, criterion, replace(criterion, limit=at)))
            return None if limit is None else replace(criterion, limit=limit)
    return None


def _what_is_reached(adviser: Adviser, criterion: Criterion) -> Criterion | None:
    """Of a large problem, where each limit takes long to try: the criterion with what the coarsest levels reach."""
    if not isinstance(criterion, Inference | Combinations):
        return None
    problem = adviser.problem
    stated = [each for owner, guarantees in adviser.searched if owner is criterion for each in guarantees]
    violate = max(problem.records(problem.violating(each, problem.highest)) for each in stated)
    new = replace(criterion, most=math.ceil(_STEPS * violate / max(1, problem.n_records)) / _STEPS)
    return new if criterion.most < new.most < 1 and _with(adviser, criterion, new) else None


def _with(adviser: Adviser, old: Criterion, new: Criterion) -> bool:
    criteria = tuple(new if each == old else each for each in adviser.asked.criteria)
    return adviser.does_with(criteria)


def _largest(least: int, most: int, does: Callable[[int], bool]) -> int | None:
    """The largest number below ``most`` that does, where all below one that does do."""
    if not does(least):
        return None
    low, high = least, most
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (middle, high) if does(middle) else (low, middle)
    return low


def _smallest_share(above: float, does: Callable[[float], bool]) -> float | None:
    """The smallest share above one, in tenths of a percent, that does."""
    low, high = math.floor(above * _STEPS), _STEPS
    if low >= high or not does(1.0):
        return None
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if does(middle / _STEPS) else (middle, high)
    return high / _STEPS if high < _STEPS else None


def _least_kept(adviser: Adviser) -> float | None:
    """The largest share of records kept at which all are found to be met, in tenths of a percent."""
    problem, already = adviser.problem, adviser.left_out_already
    settled = problem.changed(most=problem.n_rows - 1).settle(problem.highest)
    if settled is None:
        return None
    least = 1 - (settled.left_out + already) / (problem.n_records + already)
    if settled.rows_out:
        rows = adviser.asked.data.n_records
        least = min(least, 1 - (settled.rows_out + rows - problem.n_rows) / rows)
    return math.floor(_STEPS * least) / _STEPS


def _limit_in_words(old: Criterion, new: Criterion, unit: str) -> str:
    match new:
        case SmallestClass():
            return f"a smallest class of {words.count(new.k, unit)}"
        case Inference():
            return f"a sensitive value certain for {words.percent(new.most)} of the {unit} at most"
        case Combinations():
            return f"{words.percent(new.most)} of the {unit} in smaller groups at most"
        case AverageRisk():
            return f"an average risk of {words.percent(new.limit)}"
    return new.describe(unit)

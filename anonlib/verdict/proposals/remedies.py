"""What would make a release possible, or lose less: the nearest limits, what may be changed, values that harm nobody.

Whatever is offered was found to do, with every column at its coarsest. That nothing else would is not claimed.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial

from anonlib.analyses.generalization.search import Conflict, Problem
from anonlib.basics import words
from anonlib.basics.budget import Budget, Over, about_seconds
from anonlib.counting.privacy_models import AttributeDisclosure
from anonlib.counting.privacy_models.models import sensitive_of
from anonlib.dataset import Dataset
from anonlib.verdict.criteria import Criterion, Meaning
from anonlib.verdict.proposals.adviser import Adviser
from anonlib.verdict.proposals.asked import Asked
from anonlib.verdict.proposals.sensitive import does

_MOST_TOGETHER = 3  # sensitive columns that are dropped together
_SINGLE = 2 / 3  # of the budget, at most, for single things while none does: the rest is for several columns together
USUAL = about_seconds(30)
"""What trying may spend, where nothing else is asked for."""
_EASED: tuple[Meaning, ...] = ("class_size", "average_risk", "share_at_risk")  # one after the other, by trying
_STEPS = 1000  # of a share: limits are sought in tenths of a percent


@dataclass(frozen=True)
class Remedy:
    """Something less to ask or more to allow, after which all criteria can be met.

    Attributes
    ----------
    says : str
        What it is, in a few words.
    old, new : Criterion, optional
        A criterion, and the same with the nearest limit that does; None where it is something else.
    free : str, default ""
        A column that must stay as it is now and would be free to change; "".
    drop : tuple[str, ...], default ()
        Sensitive columns that may be dropped.
    harmless : tuple[tuple[str, ...], str], optional
        Sensitive columns and a value that all of them have, the commonest of one, which anybody may then be sure of;
        None.
    """

    says: str
    old: Criterion | None = None
    new: Criterion | None = None
    free: str = ""
    drop: tuple[str, ...] = ()
    harmless: tuple[tuple[str, ...], str] | None = None


@dataclass(frozen=True)
class Remedies:
    """The remedies ``found``, and whether ``all_tried``: false where the budget was spent before.

    Attributes
    ----------
    found : tuple[Remedy, ...]
        The remedies.
    all_tried : bool
        Whether all were tried, and not only those that the budget was enough for.
    """

    found: tuple[Remedy, ...]
    all_tried: bool


def remedies(
    adviser: Adviser,
    progress: Callable[[float, tuple[Remedy, ...]], None] | None = None,
    budget: Budget = USUAL,
) -> Remedies:
    """What would make a release possible, each by itself; empty where one is already, or nothing was found.

    Where no single thing would, it is tried to drop two or three sensitive columns.

    Parameters
    ----------
    adviser : Adviser
        With a conflict.
    progress : Callable[[float, tuple[Remedy, ...]], None], optional
        Called with the share of what is tried that was, in [0, 1], and what was found so far; may
        raise to stop.
    budget : Budget
        What trying may spend; what was found by then is given.

    Returns
    -------
    Remedies
        Limits of the criteria in conflict first, then records left out, then columns.
    """
    conflict = adviser.conflict()
    ways = [] if conflict is None else list(_ways(adviser, *conflict))
    found: tuple[Remedy, ...] = ()
    n_tried, problem = 0, adviser.problem
    single, spending = budget.part(_SINGLE).begun(), budget.begun()
    before = problem.spending, problem.pause

    def pause() -> None:
        before[1]()
        if progress is not None:
            progress(n_tried / max(1, len(ways)), found)
        spending.raise_if_late()

    problem.pause, problem.spending, all_tried = pause, spending, True
    try:
        try:
            for way in ways:
                pause()
                single.work = spending.work
                (spending if found else single).raise_if_over()
                remedy = way()
                found = found if remedy is None else (*found, remedy)
                n_tried += 1
        except Over:
            all_tried = False
        n_tried = len(ways)
        if conflict is not None and not found:
            spending.raise_if_over()
            remedy = _several_left_out(adviser, pause)
            found = () if remedy is None else (remedy,)
    except Over:
        all_tried = False
    finally:
        problem.spending, problem.pause = before
    return Remedies(tuple(sorted(found, key=_as_listed)), all_tried)


def _ways(
    adviser: Adviser, found: Conflict, in_conflict: tuple[Criterion, ...]
) -> Iterator[Callable[[], Remedy | None]]:
    """What is tried, one after the other: first what is soon tried."""
    asked, data = adviser.asked, adviser.data
    is_inferred = any(criterion.certain_from is not None for criterion in in_conflict)
    sensitive = data.sensitive if is_inferred else []
    if adviser.problem.is_large:  # each takes long to try: those that stand against it
        inferred = {sensitive_of(adviser.problem.guarantees[i]) for i in found.guarantees}
        sensitive = [name for name in sensitive if name in inferred]
    for names, value in commonest_values(adviser) if is_inferred else ():
        if not {*names}.isdisjoint(sensitive):
            yield partial(_commonest_harmless, adviser, names, value)
    for name in (column for column in asked.fixed if column in data.quasi_identifiers):
        freed = replace(asked, fixed=tuple(other for other in asked.fixed if other != name))
        yield partial(_asked_instead, adviser, freed, Remedy(f"{name} free to change", free=name))
    yield partial(_fewer_kept, adviser)
    yield from (partial(_nearest_limit, adviser, criterion) for criterion in in_conflict)
    for name in (column for column in sensitive if column not in asked.droppable):
        dropped = replace(asked, droppable=(*asked.droppable, name))
        yield partial(_asked_instead, adviser, dropped, Remedy(f"{name} dropped", drop=(name,)))


def _as_listed(remedy: Remedy) -> tuple[bool, ...]:
    """Sorts limits of the criteria first, then records left out, then columns, then values."""
    of_records = remedy.new is not None and remedy.new.limit_on("share_kept") is not None
    return remedy.new is None, of_records, remedy.harmless is not None, bool(remedy.drop)


def _nearest_limit(adviser: Adviser, criterion: Criterion) -> Remedy | None:
    nearest = _nearest(adviser, criterion)
    if nearest is None:
        return None
    return Remedy(nearest.in_short(adviser.data.unit), criterion, nearest)


def _fewer_kept(adviser: Adviser) -> Remedy | None:
    kept, unit = adviser.records_kept, adviser.data.unit
    least = None if kept is None else _least_kept(adviser)
    if kept is None or least is None or least >= kept[1]:
        return None
    criterion, eased = kept[0], kept[0].with_limit_on("share_kept", least)
    what = f"{unit} or their rows" if adviser.data.has_several_rows else unit
    return Remedy(f"{words.percent(1 - least)} of the {what} left out at most", criterion, eased)


def _asked_instead(adviser: Adviser, asked: Asked, remedy: Remedy) -> Remedy | None:
    """The remedy, where what it asks does."""
    problem = _like(adviser, asked)
    return remedy if does(problem, adviser.data.sensitive) else None


def _like(adviser: Adviser, asked: Asked) -> Problem:
    """The problem of another question, stopped and paid for as that of the adviser."""
    problem = Adviser(asked).problem
    problem.pause, problem.spending = adviser.problem.pause, adviser.problem.spending
    return problem


def _several_left_out(adviser: Adviser, pause: Callable[[], None]) -> Remedy | None:
    """Sensitive columns dropped one after the other, always the one that most violate something by, until it does."""
    dropped = list[str]()
    problem = adviser.problem
    while len(dropped) < _MOST_TOGETHER:
        violate = dict[str, int]()
        for guarantee in problem.guarantees:
            pause()
            name = sensitive_of(guarantee)
            if name is not None and name not in {*dropped, *adviser.asked.droppable}:
                number = problem.records(problem.violating(guarantee, problem.highest))
                violate[name] = max(violate.get(name, 0), number)
        worst = max(violate, key=lambda name: violate[name], default="")
        if not worst or not violate[worst]:
            return None
        dropped.append(worst)
        problem = _like(adviser, replace(adviser.asked, droppable=(*adviser.asked.droppable, *dropped)))
        if does(problem, adviser.data.sensitive):
            return Remedy(f"{words.listed(dropped, most=len(dropped))} dropped", drop=tuple(dropped))
    return None


def _commonest_harmless(adviser: Adviser, names: tuple[str, ...], value: str) -> Remedy | None:
    if not does(with_harmless(adviser, names, value), adviser.data.sensitive):
        return None
    what = f"the commonest value of {names[0]} harmless" + _in_others(names)
    return Remedy(what, harmless=(names, value))


def _in_others(names: tuple[str, ...]) -> str:
    """In how many other columns besides the first, and nothing where there is none."""
    return f", and in {words.count(len(names) - 1, 'other columns')} that have it" if len(names) > 1 else ""


def commonest_values(adviser: Adviser) -> Iterator[tuple[tuple[str, ...], str]]:
    """The commonest value of each sensitive column that is asked about, where it is not harmless already.

    A value is given once, with all columns that have it: first one of which it is the commonest.
    """
    inferred = {each.sensitive for each in adviser.problem.guarantees if isinstance(each, AttributeDisclosure)}
    columns = [name for name in adviser.data.sensitive if name in inferred]
    having, given = values_in_columns(adviser.data, columns, adviser.asked.harmless), set[str]()
    for name in columns:
        counts = adviser.data.held.counts_of(name)
        if not counts.records.any():
            continue
        value = str(counts.values[counts.records.argmax()])
        names = having.get(value, ())
        if name in names and value not in given:
            given.add(value)
            yield (name, *(other for other in names if other != name)), value


def values_in_columns(
    data: Dataset, columns: Sequence[str], harmless: Mapping[str, Sequence[str]], most: int | None = None
) -> dict[str, tuple[str, ...]]:
    """By value the columns that have it and in which it is not harmless yet; what most columns have comes first.

    Parameters
    ----------
    data : Dataset
        With the columns.
    columns : Sequence[str]
        Some of its columns.
    harmless : Mapping[str, Sequence[str]]
        By column, values that are harmless already.
    most : int, optional
        Columns of more values are left aside; none where it is None.

    Returns
    -------
    dict[str, tuple[str, ...]]
    """
    having = dict[str, list[str]]()
    for name in columns:
        values = data.held.values(name)
        if most is None or len(values) <= most:
            spared = {*harmless.get(name, ())}
            for value in map(str, values):
                if value not in spared:
                    having.setdefault(value, []).append(name)
    return {value: tuple(names) for value, names in sorted(having.items(), key=lambda item: -len(item[1]))}


def with_harmless(adviser: Adviser, names: Collection[str], value: str) -> Problem:
    """The question with a value harmless in more columns; what has been counted is shared."""
    return adviser.problem.changed(
        guarantees=[
            replace(each, harmless=(*each.harmless, value))
            if isinstance(each, AttributeDisclosure) and each.sensitive in names
            else each
            for each in adviser.problem.guarantees
        ]
    )


def _nearest(adviser: Adviser, criterion: Criterion) -> Criterion | None:
    """The criterion with the limit nearest to its own at which all are found to be met; None where none is."""
    if adviser.problem.is_large:
        return _what_is_reached(adviser, criterion)
    limit = next((limit for limit in criterion.limits if limit.means in _EASED), None)
    if limit is None or limit.means is None:
        return None
    meaning, value = limit.means, getattr(criterion, limit.field)

    def does_at(at: float) -> bool:
        return _with(adviser, criterion, criterion.with_limit_on(meaning, at))

    is_count = limit.unit == "count"
    nearest = _largest(int(limit.least), value, does_at) if is_count else _smallest_share(value, does_at)
    return None if nearest is None else criterion.with_limit_on(meaning, nearest)


def _what_is_reached(adviser: Adviser, criterion: Criterion) -> Criterion | None:
    """Of a large problem, where each limit takes long to try: the criterion with what the coarsest levels reach."""
    limit = criterion.limit_on("share_at_risk")
    if limit is None:
        return None
    problem = adviser.problem
    stated = [each for owner, guarantees in adviser.searched if owner is criterion for each in guarantees]
    violate = max(problem.records(problem.violating(each, problem.highest)) for each in stated)
    reached = math.ceil(_STEPS * violate / max(1, problem.n_records)) / _STEPS
    new = criterion.with_limit_on("share_at_risk", reached)
    return new if limit < reached < 1 and _with(adviser, criterion, new) else None


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

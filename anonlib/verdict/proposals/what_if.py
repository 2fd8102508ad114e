"""Why nothing was found, and what would make a release possible, or lose less.

A :class:`WhatIf` is a limit that is eased, or something more that may be changed, after which all criteria can be met;
whatever is offered was found to do, with every column at its coarsest. That nothing else would is not claimed. A
:class:`Relaxation` is something that an officer may say, after which less detail is lost.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

from anonlib.analyses.generalization.search import (
    Conflict,
    LeastChange,
    NothingFound,
    PersonProblem,
    Problem,
    least_change,
)
from anonlib.analyses.generalization.search.local_recoding import work_of_first_parts
from anonlib.basics import words
from anonlib.basics.budget import A_SECOND, Budget, Over, about_seconds
from anonlib.basics.progress import Progress
from anonlib.basics.thresholds import most_left_out
from anonlib.counting.privacy_models import (
    ALL,
    AttributeDisclosure,
    AverageRiskLimit,
    KAnonymity,
    PrivacyModel,
)
from anonlib.counting.privacy_models.models import sensitive_of
from anonlib.dataset import Dataset
from anonlib.verdict.criteria import PARTS, WHOLE_COLUMNS, Criterion, Meaning
from anonlib.verdict.proposals.advise import first_answer
from anonlib.verdict.proposals.adviser import Adviser
from anonlib.verdict.proposals.global_recoding import does
from anonlib.verdict.proposals.proposal import Proposal, none_found, what_was_searched

_MOST_TOGETHER = 3  # sensitive columns that are dropped together
_SINGLE = 2 / 3  # of the budget, at most, for single things while none does: the rest is for several columns together
USUAL = about_seconds(30)
"""What trying may spend, where nothing else is asked for."""
_EASED: tuple[Meaning, ...] = ("class_size", "average_risk", "share_at_risk")  # one after the other, by trying
_STEPS = 1000  # of a share: limits are sought in tenths of a percent
_MOST_NAMED = 5  # numbers of rows
WORTH_ASKING = 0.01  # of the detail, by which less must be lost before an officer is asked
_WORK = 3 * A_SECOND  # after which no other answer is tried
_MOST_COLUMNS = 3  # that are asked about one at a time, whether somebody can know them: those that lose most


# ---- why nothing was found ----


def why_none(adviser: Adviser, nothing: NothingFound) -> str:
    """Why nothing was found, in sentences: what stands against it, and how sure that is.

    Parameters
    ----------
    adviser : Adviser
        The question, and what has been found out about it.
    nothing : NothingFound
        What a search says that found nothing.

    Returns
    -------
    str
    """
    conflict_with_criteria = adviser.conflict()
    if conflict_with_criteria is None:
        return none_found(nothing)
    conflict, criteria = conflict_with_criteria
    if not conflict.guarantees:
        return _too_many_already(adviser)
    titles = " and ".join(f"“{criterion.title}”" for criterion in criteria)
    which = "the criteria" if len(criteria) > 1 else "the criterion"
    fixed = [name for name in adviser.data.quasi_identifiers if name not in adviser.problem.columns]
    stay = f" while {words.listed(fixed)} must stay as {'it is' if len(fixed) == 1 else 'they are'}" if fixed else ""
    facts = f"with every column at its coarsest, {_violating(adviser, conflict)}"
    rows = "rows" if isinstance(adviser.problem, PersonProblem) else ""
    may_go = f"{words.count(conflict.most, rows) if conflict.most else 'none'} may be left out"
    if conflict.proven:
        needed = ""
        if rows or conflict.must_go != conflict.violating:
            needed = f"; at least {words.count(conflict.must_go, rows)} would have to go"
        return f"Nothing that is allowed meets {which} {titles}{stay}: {facts}{needed}, and {may_go}."
    if nothing.proven:
        return (
            f"Nothing that is allowed meets all criteria{stay}: every combination of levels was tried, and {may_go}. "
            f"What stands against it is {titles}: {facts}."
        )
    if rows:
        facts += f"; the search would leave out {words.count(conflict.goes, rows)}"
    elif conflict.goes > conflict.violating:
        facts += f"; once they are left out others do, {conflict.goes:,} in all"
    elif conflict.goes < conflict.violating:
        facts += f"; the search would leave out {conflict.goes:,}"
    return f"No change was found that meets {which} {titles}{stay}: {facts}, and {may_go}. {what_was_searched(nothing)}"


def _violating(adviser: Adviser, conflict: Conflict) -> str:
    """How many violate at the coarsest levels: ``3 of 5 records still violate it (20% may)``."""
    guarantees = [adviser.problem.guarantees[i] for i in conflict.guarantees]
    violating = f"{conflict.violating:,} of {words.count(adviser.problem.n_records, adviser.data.unit)}"
    if len(guarantees) > 1:
        return f"{violating} still violate one of them"
    (guarantee,) = guarantees
    violating += _by_their_number(adviser.problem, guarantee)
    if isinstance(guarantee, AverageRiskLimit):
        return f"{violating} are in classes that are too small for it"
    return f"{violating} still violate it" + (f" ({words.percent(guarantee.share)} may)" if guarantee.share else "")


def _by_their_number(problem: Problem, guarantee: PrivacyModel) -> str:
    """Of persons whose rows are all known, who is known by how many these are, so that no level of a column helps."""
    if not isinstance(problem, PersonProblem) or not isinstance(guarantee, KAnonymity) or guarantee.rows != ALL:
        return ""
    persons, numbers = problem.below_by_their_number(guarantee)
    if not persons:
        return ""
    named = words.listed([f"{number:,}" for number in numbers], _MOST_NAMED)
    return f" ({persons:,} by their number of rows alone, which is {named})"


def _number(records: int) -> str:
    return f"{records:,}" if records else "none"


def _too_many_already(adviser: Adviser) -> str:
    """That more than may be are left out for want of a value, before anything is searched."""
    already, strictest = adviser.left_out_already, adviser.records_kept
    assert strictest is not None
    criterion, share = strictest
    n_records = adviser.problem.n_records + already
    return (
        f"Nothing that is allowed meets the criterion “{criterion.title}”: {already:,} of "
        f"{words.count(n_records, adviser.data.unit)} are left out already, since a quasi-identifier of theirs is "
        f"missing, and {_number(most_left_out(share, n_records))} may be left out. Let a missing value count as a "
        "value of its own (Data page), or keep fewer."
    )


# ---- what would make a release possible ----


@dataclass(frozen=True)
class WhatIf:
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
class WhatIfs:
    """The ``ways``, and whether ``all_tried``: false where the budget was spent before.

    Attributes
    ----------
    ways : tuple[WhatIf, ...]
        Each by itself.
    all_tried : bool
        Whether all were tried, and not only those that the budget was enough for.
    """

    ways: tuple[WhatIf, ...]
    all_tried: bool


def what_ifs(
    adviser: Adviser,
    progress: Progress | None = None,
    budget: Budget = USUAL,
) -> WhatIfs:
    """What would make a release possible, each by itself; empty where one is already, or nothing was found.

    Where no single thing would, it is tried to drop two or three sensitive columns.

    Parameters
    ----------
    adviser : Adviser
        With a conflict.
    progress : Progress, optional
        Called with the share of what is tried that was, in [0, 1], and what was found so far; may
        raise to stop.
    budget : Budget
        What trying may spend; what was found by then is given.

    Returns
    -------
    WhatIfs
        Limits of the criteria in conflict first, then records left out, then columns.
    """
    conflict = adviser.conflict()
    ways = [] if conflict is None else list(_ways(adviser, *conflict))
    what_ifs_so_far: tuple[WhatIf, ...] = ()
    n_tried, problem = 0, adviser.problem
    single, spending = budget.part(_SINGLE).begun(), budget.begun()
    before = problem.spending, problem.check_stop

    def report() -> None:
        before[1]()
        if progress is not None:
            progress(n_tried / max(1, len(ways)), what_ifs_so_far)
        spending.raise_if_late()

    problem.check_stop, problem.spending, all_tried = report, spending, True
    try:
        try:
            for way in ways:
                report()
                single.work = spending.work
                (spending if what_ifs_so_far else single).raise_if_over()
                what_if = way()
                what_ifs_so_far = what_ifs_so_far if what_if is None else (*what_ifs_so_far, what_if)
                n_tried += 1
        except Over:
            all_tried = False
        n_tried = len(ways)
        if conflict is not None and not what_ifs_so_far:
            spending.raise_if_over()
            what_if = _several_left_out(adviser, report)
            what_ifs_so_far = () if what_if is None else (what_if,)
    except Over:
        all_tried = False
    finally:
        problem.spending, problem.check_stop = before
    return WhatIfs(tuple(sorted(what_ifs_so_far, key=_as_listed)), all_tried)


def _ways(
    adviser: Adviser, conflict: Conflict, in_conflict: tuple[Criterion, ...]
) -> Iterator[Callable[[], WhatIf | None]]:
    """What is tried, one after the other: first what is soon tried."""
    asked, data = adviser.asked, adviser.data
    is_inferred = any(criterion.certain_from is not None for criterion in in_conflict)
    sensitive = data.sensitive if is_inferred else []
    if adviser.problem.is_large:  # each takes long to try: those that stand against it
        inferred = {sensitive_of(adviser.problem.guarantees[i]) for i in conflict.guarantees}
        sensitive = [name for name in sensitive if name in inferred]
    for names, value in commonest_values(adviser) if is_inferred else ():
        if not {*names}.isdisjoint(sensitive):
            yield partial(_commonest_harmless, adviser, names, value)
    for name in (column for column in asked.fixed if column in data.quasi_identifiers):
        fixed = tuple(other for other in asked.fixed if other != name)
        yield partial(_asked_instead, adviser, WhatIf(f"{name} free to change", free=name), fixed=fixed)
    yield partial(_fewer_kept, adviser)
    yield from (partial(_nearest_limit, adviser, criterion) for criterion in in_conflict)
    for name in (column for column in sensitive if column not in asked.droppable):
        droppable = (*asked.droppable, name)
        yield partial(_asked_instead, adviser, WhatIf(f"{name} dropped", drop=(name,)), droppable=droppable)


def _as_listed(what_if: WhatIf) -> tuple[bool, ...]:
    """Sorts limits of the criteria first, then records left out, then columns, then values."""
    of_records = what_if.new is not None and what_if.new.limit_on("share_kept") is not None
    return what_if.new is None, of_records, what_if.harmless is not None, bool(what_if.drop)


def _nearest_limit(adviser: Adviser, criterion: Criterion) -> WhatIf | None:
    nearest = _nearest(adviser, criterion)
    if nearest is None:
        return None
    return WhatIf(nearest.in_short(adviser.data.unit), criterion, nearest)


def _fewer_kept(adviser: Adviser) -> WhatIf | None:
    strictest, unit = adviser.records_kept, adviser.data.unit
    least = None if strictest is None else _least_kept(adviser)
    if strictest is None or least is None or least >= strictest[1]:
        return None
    criterion, eased = strictest[0], strictest[0].with_limit_on("share_kept", least)
    what = f"{unit} or their rows" if adviser.data.has_several_rows else unit
    return WhatIf(f"{words.percent(1 - least)} of the {what} left out at most", criterion, eased)


def _asked_instead(adviser: Adviser, what_if: WhatIf, **changes: Any) -> WhatIf | None:
    """The way, where the question does that it changes."""
    problem = _problem_asking(adviser, **changes)
    return what_if if does(problem, adviser.data.sensitive) else None


def _problem_asking(adviser: Adviser, **changes: Any) -> Problem:
    """The problem of the question with some of it changed, stopped and paid for as that of the adviser."""
    problem = adviser.asking(**changes).problem
    problem.check_stop, problem.spending = adviser.problem.check_stop, adviser.problem.spending
    return problem


def _several_left_out(adviser: Adviser, report: Callable[[], None]) -> WhatIf | None:
    """Sensitive columns dropped one after the other, always the one that most violate something by, until it does."""
    dropped = list[str]()
    problem = adviser.problem
    while len(dropped) < _MOST_TOGETHER:
        violate = dict[str, int]()
        for guarantee in problem.guarantees:
            report()
            name = sensitive_of(guarantee)
            if name is not None and name not in {*dropped, *adviser.asked.droppable}:
                number = problem.records(problem.violating(guarantee, problem.highest))
                violate[name] = max(violate.get(name, 0), number)
        worst = max(violate, key=lambda name: violate[name], default="")
        if not worst or not violate[worst]:
            return None
        dropped.append(worst)
        problem = _problem_asking(adviser, droppable=(*adviser.asked.droppable, *dropped))
        if does(problem, adviser.data.sensitive):
            return WhatIf(f"{words.listed(dropped, most=len(dropped))} dropped", drop=tuple(dropped))
    return None


def _commonest_harmless(adviser: Adviser, names: tuple[str, ...], value: str) -> WhatIf | None:
    if not does(with_harmless(adviser, names, value), adviser.data.sensitive):
        return None
    what = f"the commonest value of {names[0]} harmless" + _in_others(names)
    return WhatIf(what, harmless=(names, value))


def _in_others(names: tuple[str, ...]) -> str:
    """In how many other columns besides the first, and nothing where there is none."""
    return f", and in {words.count(len(names) - 1, 'other columns')} that have it" if len(names) > 1 else ""


def commonest_values(adviser: Adviser) -> Iterator[tuple[tuple[str, ...], str]]:
    """The commonest value of each sensitive column that is asked about, where it is not harmless already.

    A value is given once, with all columns that have it: first one of which it is the commonest.
    """
    inferred = {
        guarantee.sensitive for guarantee in adviser.problem.guarantees if isinstance(guarantee, AttributeDisclosure)
    }
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
            replace(guarantee, harmless=(*guarantee.harmless, value))
            if isinstance(guarantee, AttributeDisclosure) and guarantee.sensitive in names
            else guarantee
            for guarantee in adviser.problem.guarantees
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
    stated = [guarantee for owner, guarantees in adviser.searched if owner is criterion for guarantee in guarantees]
    violate = max(problem.records(problem.violating(guarantee, problem.highest)) for guarantee in stated)
    reached = math.ceil(_STEPS * violate / max(1, problem.n_records)) / _STEPS
    new = criterion.with_limit_on("share_at_risk", reached)
    return new if limit < reached < 1 and _with(adviser, criterion, new) else None


def _with(adviser: Adviser, old: Criterion, new: Criterion) -> bool:
    criteria = tuple(new if criterion == old else criterion for criterion in adviser.asked.criteria)
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
    settled = problem.changed(suppression_limit=problem.n_rows - 1).settle(problem.highest)
    if settled is None:
        return None
    least = 1 - (settled.left_out + already) / (problem.n_records + already)
    if settled.rows_out:
        rows = adviser.asked.data.n_records
        least = min(least, 1 - (settled.rows_out + rows - problem.n_rows) / rows)
    return math.floor(_STEPS * least) / _STEPS


# ---- what would lose less ----


@dataclass(frozen=True)
class Relaxation:
    """Something that only an officer can say, and what the least change found then loses.

    Attributes
    ----------
    columns : tuple[str, ...]
        Sensitive columns that have the value; without a value, columns that perhaps nobody outside can know: all that
        are changed for that reason alone, or one of them; all that are protected for it where others alone are changed.
    value : str
        A value that perhaps harms nobody, the commonest of one of them; "" without.
    loss : float
        Share of the cells' detail that is lost once the officer states it, in [0, 1], by a first answer.
    """

    columns: tuple[str, ...]
    value: str
    loss: float


def relaxations(adviser: Adviser, best: Proposal, progress: Progress | None = None) -> tuple[Relaxation, ...]:
    """What would let much less be lost, the one that saves most first, of those that were tried with some work.

    Parameters
    ----------
    adviser : Adviser
        The question.
    best : Proposal
        What loses least so far, and is compared. Parts are found again for each answer, else levels of whole columns.
    progress : Progress, optional
        Called with the share of what is tried that was, in [0, 1]; may raise to stop.

    Returns
    -------
    tuple[Relaxation, ...]
    """
    names = _perhaps_unknown(adviser, best)
    answers = [(tuple(names), "")] if len(names) > 1 else []
    answers += [((name,), "") for name in names[:_MOST_COLUMNS]]
    answers += commonest_values(adviser)
    worth_asking, an_answer = list[Relaxation](), _work_of_an_answer(adviser, best)
    for i, (columns, value) in enumerate(answers[: max(1, math.ceil(_WORK / an_answer))]):

        def report(share: float, _: object = None, place: int = i) -> None:
            if progress is not None:
                progress((place + share) / len(answers), None)

        if best.least_change.by_parts or best.columns_out:
            lost = _once_stated(adviser, PARTS if best.least_change.by_parts else WHOLE_COLUMNS, columns, value, report)
        else:
            lost = _in_whole_columns(adviser, columns, value, report)
        if lost is not None and lost <= best.loss - WORTH_ASKING:
            worth_asking.append(Relaxation(columns, value, lost))
    return tuple(sorted(worth_asking, key=lambda relaxation: relaxation.loss))


def _work_of_an_answer(adviser: Adviser, best: Proposal) -> float:
    """About how much work one answer is: its parts, or the states on the way to a first answer."""
    problem = adviser.problem
    if best.least_change.by_parts:
        return work_of_first_parts(problem)
    return problem.work_of_a_state * (1 + sum(problem.highest))


def _once_stated(adviser: Adviser, way: str, columns: tuple[str, ...], value: str, progress: Progress) -> float | None:
    """What a proposal loses once an answer is given; None where there is none."""
    asked = adviser.asked
    if value:
        harmless = {name: (*asked.harmless.get(name, ()), value) for name in columns}
        stated = adviser.asking(harmless={**asked.harmless, **harmless})
    else:
        stated = adviser.asking(unknowable=(*asked.unknowable, *columns))
    answer = first_answer(way, stated, Budget(work=0), progress)
    return answer.loss if isinstance(answer, Proposal) else None


def _in_whole_columns(adviser: Adviser, columns: tuple[str, ...], value: str, progress: Progress) -> float | None:
    """The same of levels of whole columns, by a first answer; what has been counted is shared."""
    problem = with_harmless(adviser, columns, value) if value else _without(adviser.problem, columns)
    change = least_change(problem, work=0, progress=progress)
    return adviser.of_original(problem.cell_loss(change.best)) if isinstance(change, LeastChange) else None


def _without(problem: Problem, columns: tuple[str, ...]) -> Problem:
    """The problem with columns as they are, and without what is asked of who knows them."""
    guarantees = [guarantee for guarantee in problem.guarantees if {*guarantee.columns}.isdisjoint(columns)]
    pairs = zip(problem.columns, problem.highest, strict=True)
    highest = {name: 0 if name in columns else level for name, level in pairs}
    return problem.changed(guarantees=guarantees, highest=highest)


def _perhaps_unknown(adviser: Adviser, best: Proposal) -> list[str]:
    """Columns that are changed only because somebody might know them after all, those changed furthest first; all that
    are protected for that reason where others alone are changed."""
    stated = [guarantees for criterion, guarantees in adviser.searched if criterion.mending.how == "count_as_known"]
    known = {*adviser.data.quasi_identifiers, *adviser.data.sensitive}
    named = dict.fromkeys(name for guarantees in stated for guarantee in guarantees for name in guarantee.columns)
    protected = [name for name in named if name not in known]
    changed = [name for name in protected if name in best.levels]
    return sorted(changed, key=lambda name: -best.levels[name]) or protected

"""Proposals that meet all criteria: made one after the other, the quickest first, so that the page need not wait."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import lru_cache, partial
from typing import Any

import streamlit as st

from anonlib.analyses.utility import Alongside, association
from anonlib.basics.budget import Budget
from anonlib.basics.progress import Progress, nobody, share_alone, share_of
from anonlib.coarsening.hierarchies import Hierarchy
from anonlib.dataset import Dataset
from anonlib.release.recipe import Recipe
from anonlib.verdict.criteria import PARTS, Aim
from anonlib.verdict.proposals import Adviser, NothingFound, relaxations, what_ifs, why_none
from anonlib.verdict.proposals.offers import AT_ONCE, LONGER, MOST_DETAIL, Offers, ProposalKind, kinds_of, with_another
from anonlib.verdict.proposals.what_if import WhatIf
from pages.verdict.verdict import question
from ui.kit import release_gate
from ui.server.private import DeltaGenerator
from ui.session import away, cache, long_work, proposed, view
from ui.session.state import session

_IN_PLACE = 1.5  # seconds that the rest of the page waits for a first proposal
_FIRST = long_work.WorkInWords("Searching for the least change", "No proposal is searched: you stopped it.")
_WORDING = long_work.WorkInWords("Searching for other proposals", "Other proposals are not searched: you stopped it.")
GetAdviser = Callable[[], Adviser]
SearchStep = tuple[str, Callable[[GetAdviser, Offers, Progress], Offers]]
"""What is done, in a few words, and the function that does it."""


class _TakesLong(Exception):
    """The first proposal is not there in a moment: it is searched at the end of the page."""


# ---- step by step ----


def allowed() -> list[ProposalKind]:
    """The kinds of proposal that are allowed."""
    return kinds_of(session().aim.ways)


def made(data: Dataset) -> Offers | None:
    """The proposals made so far, the quickest at once where that takes no longer than a moment.

    None while they wait for a button, and while the first one is searched at the end of the page or was stopped there.

    Raises
    ------
    InputError
        Where nothing can be searched.
    """
    looked_at = question.looked_at(data)
    longer = long_work.result(_name(looked_at))
    if longer is not None or waits_for_button(data):
        return longer
    n = _n_made(looked_at, data)
    if n:
        return _after(looked_at, data, n=n, **question.asked(looked_at))
    name, begun = _name(looked_at), time.monotonic()
    if long_work.is_stopped(name) or name in cache.memory().takes_long:
        return None

    def progress(share: float, _so_far: None = None, /) -> None:
        long_work.let_go(share)
        if time.monotonic() - begun > _IN_PLACE:
            raise _TakesLong

    try:
        with st.spinner("Searching for the least change"):
            return away.compute(_after.work(looked_at, data, n=1, **question.asked(looked_at)), progress)
    except _TakesLong:
        cache.memory().takes_long.add(name)
        return None


def go_on(data: Dataset, place: DeltaGenerator) -> None:
    """Make the next proposal and check its criteria, with progress and a stop in ``place``.

    Called last, so that the page is there meanwhile; using it goes on with the search afterwards.
    """
    looked_at = question.looked_at(data)
    with place:
        offers = made(data)
        if offers is not None and _count_verdicts(offers, data):
            st.rerun()
        if waits_for_button(data):
            _search_longer(looked_at, data, 0)
            return
        n = _n_made(looked_at, data)
        if n == len(_steps(looked_at, session().aim)):
            if offers is not None and measure_what_is_kept(offers, data):
                st.rerun()
            quick = _after(looked_at, data, n=n, **question.asked(looked_at))
            if not quick.is_finished or any(not kind.at_once for kind in allowed()):
                _search_longer(looked_at, data, n)
            return

        if _next(looked_at, data, n, _WORDING if n else _FIRST) is not None:
            st.rerun()


def _next(looked_at: Dataset, data: Dataset, n: int, wording: long_work.WorkInWords) -> Offers | None:
    """The proposals after one step more than ``n``, with progress through all steps; None where it was stopped."""
    steps = _steps(looked_at, session().aim)
    what, _ = steps[n]
    doing = f"{wording.doing}, {n + 1} of {len(steps)} ({what})"
    step = partial(_as_part, _after.work(looked_at, data, n=n + 1, **question.asked(looked_at)), n, len(steps))
    return long_work.stoppable(_name(looked_at), step, replace(wording, doing=doing), "proposals", first=not n)


def _as_part(step: Callable[[Progress], Offers], n: int, n_steps: int, progress: Progress) -> Offers:
    """What a step comes to, with progress through all of them."""
    return step(share_of(progress, n / n_steps, (n + 1) / n_steps))


def comes_last(data: Dataset) -> bool:
    """Whether the first proposal is searched when the rest of the page is there."""
    return _name(question.looked_at(data)) in cache.memory().takes_long


def waits_for_button(data: Dataset) -> bool:
    """Whether every search takes so long that a button starts it."""
    return not _at_once(question.looked_at(data), session().aim)


def _at_once(looked_at: Dataset, aim: Aim) -> list[ProposalKind]:
    """The kinds that are searched without being asked for: of a large file only the quickest, or none."""
    first = [kind for kind in kinds_of(aim.ways) if kind.at_once]
    if question.seconds(looked_at) <= question.AT_ONCE:
        return first
    are_quick = question.seconds_of_parts(looked_at) <= question.FIRST_AT_ONCE
    return [kind for kind in first if kind.way == PARTS and are_quick]


def is_searching(data: Dataset) -> bool:
    """Whether proposals follow by themselves."""
    looked_at = question.looked_at(data)
    if waits_for_button(data) or long_work.is_stopped(_name(looked_at)):
        return False
    return _n_made(looked_at, data) < len(_steps(looked_at, session().aim))


def _count_verdicts(offers: Offers, data: Dataset) -> bool:
    """Check the criteria of the proposals that were not checked yet; whether any was."""
    now, checked = view.now(), False
    for offer in offers.offers:
        recipe = question.recipe_with(offer.proposal, data)
        if now.counted_verdict_of(recipe) is None:
            checked |= release_gate.verdict(recipe, offer.title) is not None
    return checked


def _name(data: Dataset) -> str:
    return proposed.question_name(data)


def _n_made(looked_at: Dataset, data: Dataset) -> int:
    """How many steps are done."""
    asked, n = question.asked(looked_at), 0
    n_steps = len(_steps(looked_at, session().aim))
    while n < n_steps and _after.held(looked_at, data, n=n + 1, **asked) is not None:
        n += 1
    return n


def _steps(looked_at: Dataset, aim: Aim) -> list[SearchStep]:
    """What is done one after the other, each with its name: a kind of proposal, what stands against them, what an
    officer may know.

    The last is looked at as soon as the quick kinds are there, and once more where another one then loses less.
    """
    steps: list[SearchStep] = []
    you_may_know: SearchStep = ("what you may know", _add_relaxations)
    for kind in _at_once(looked_at, aim):
        if kind.title == MOST_DETAIL and steps:
            steps.append(you_may_know)
        steps.append((kind.title.lower(), partial(_add_kind, kind, AT_ONCE)))
    is_large = len(steps) == 1 < len([kind for kind in kinds_of(aim.ways) if kind.at_once])
    return steps if is_large else [*steps, ("what stands against one", _add_what_ifs), you_may_know]


@cache.remembered
def _after(
    data: Dataset,
    original: Dataset,
    *,
    n: int,
    aim: Aim,
    hierarchies: dict[str, Hierarchy],
    unknowable: tuple[str, ...],
    secret: str,
    progress: Progress = nobody,
) -> Offers:
    """The proposals after so many steps."""
    asked: dict[str, Any] = {"aim": aim, "hierarchies": hierarchies, "unknowable": unknowable, "secret": secret}
    earlier = _after(data, original, n=n - 1, **asked) if n > 1 else Offers()
    adviser = lru_cache(partial(question.adviser, data, original, **asked))
    _, step = _steps(data, aim)[n - 1]
    return step(adviser, earlier, share_alone(progress))


def _search_longer(looked_at: Dataset, data: Dataset, n: int) -> None:
    """The button that searches for as long as it takes, after the first ``n`` steps, and its progress."""
    asked = question.asked(looked_at)
    stages: list[long_work.Stage[Offers]] = [
        (what, _longer.work(looked_at, data, n=n, stage=stage, **asked))
        for stage, (what, _) in enumerate(_longer_steps(session().aim), 1)
    ]
    expected = (len(allowed()) - 1) * 20.0 if n else [question.seconds(looked_at)] * len(stages)
    what = "Searching for less change" if n else "The least change"
    # Beside proposals the first kind may be done in a moment, or take most of the time: it is no measure of the others.
    long_work.best_so_far(_name(looked_at), stages, expected, what, promises=not n)


@cache.remembered
def _longer(
    data: Dataset,
    original: Dataset,
    *,
    n: int,
    stage: int,
    aim: Aim,
    hierarchies: dict[str, Hierarchy],
    unknowable: tuple[str, ...],
    secret: str,
    progress: Progress = nobody,
) -> Offers:
    """The proposals after so many stages of the longer search, which follows on the first ``n`` steps."""
    asked: dict[str, Any] = {"aim": aim, "hierarchies": hierarchies, "unknowable": unknowable, "secret": secret}
    if stage > 1:
        earlier = _longer(data, original, n=n, stage=stage - 1, **asked)
    else:
        earlier = _after(data, original, n=n, **asked) if n else Offers()
    adviser = lru_cache(partial(question.adviser, data, original, **asked))
    _, step = _longer_steps(aim)[stage - 1]
    return step(adviser, earlier, progress)


def _longer_steps(aim: Aim) -> list[SearchStep]:
    """The stages of the longer search: each kind of proposal, and what stands against them where none was found."""
    kinds, steps = kinds_of(aim.ways), list[SearchStep]()
    last_at_once = [kind for kind in kinds if kind.at_once][-1:]
    for kind in kinds:
        steps.append((kind.title, partial(_add_kind, kind, LONGER)))
        if [kind] == last_at_once:
            steps.append(("None was found so far: what stands against it", _add_what_ifs))
    return [*steps, ("What you may know", _add_relaxations)]


def _add_kind(kind: ProposalKind, budget: Budget, adviser: GetAdviser, earlier: Offers, progress: Progress) -> Offers:
    """The proposals with one of another kind, or that none was found."""
    return with_another(earlier, kind, adviser(), budget, progress)


def _add_what_ifs(adviser: GetAdviser, earlier: Offers, progress: Progress) -> Offers:
    """Where there is none with all columns: why, and what would make a release possible, as far as it was found."""
    if not earlier.all_leave_columns_out or not (earlier.offers or earlier.none):
        return earlier
    unknown = NothingFound(proven=False, finished=True, complete=False)
    nothing = dict(earlier.none).get(MOST_DETAIL, next((nothing for _, nothing in earlier.none), unknown))
    share = 0.0

    def looked_at(part: float, offers: Offers | None = None) -> None:
        nonlocal share
        share = part
        progress(share, offers)

    adviser().problem.check_stop = lambda: looked_at(share)
    adviser().conflict(lambda part, *_: looked_at(part / 2))
    why = replace(earlier, why_none=why_none(adviser(), nothing))

    def tried_so_far(part: float, what_ifs_so_far: tuple[WhatIf, ...] = ()) -> None:
        looked_at((1 + part) / 2, replace(why, what_ifs=what_ifs_so_far))

    tried = what_ifs(adviser(), tried_so_far)
    return replace(why, what_ifs=tried.ways, all_tried=tried.all_tried)


def _add_relaxations(adviser: GetAdviser, earlier: Offers, progress: Progress) -> Offers:
    """The proposals with what an officer may know that would let less be lost."""
    least = earlier.least
    if least is None or least.title == earlier.relaxations_of:
        return earlier
    new_relaxations = relaxations(adviser(), least.proposal, share_alone(progress))
    return replace(earlier, relaxations=new_relaxations, relaxations_of=least.title)


# ---- what a proposal is still good for, whatever it is for: how its columns go together ----


_MEASURING = long_work.WorkInWords(
    "Measuring how columns go together", "How columns go together is not measured: you stopped it.",
    "Stop measuring", "Measure it",
)  # fmt: skip


def association_kept(recipe: Recipe, data: Dataset) -> float | None:
    """The share that a release keeps of how strongly columns go together, in [0, 1]; None where it is not measured."""
    return _association_kept.held(data, recipe)


def measure_what_is_kept(offers: Offers, data: Dataset) -> bool:
    """Measure it of the proposals of which it was not, with progress and a stop; whether any was measured.

    Of records in a database it is not measured here: each two columns are a question to it.
    """
    if data.frame is None:
        return False
    taken = [question.recipe_with(offer.proposal, data) for offer in offers.offers]
    recipes = [recipe for recipe in taken if association_kept(recipe, data) is None]
    if not recipes:
        return False

    name = f"association-{data.key}-{cache.digest(*recipes)}"
    return long_work.stoppable(name, partial(_measured, data, recipes), _MEASURING, first=False) is not None


def _measured(data: Dataset, recipes: Sequence[Recipe], progress: Progress) -> bool:
    for i, recipe in enumerate(recipes):
        part = share_of(progress, i / len(recipes), (i + 1) / len(recipes))
        _association_kept(data, recipe, progress=part)
    return True


@cache.remembered
def _association_kept(data: Dataset, recipe: Recipe, *, progress: Progress) -> float:
    applied = view.apply(recipe, data)
    if not applied.released.n_records:
        return 0.0
    return association(Alongside.of(applied.original, applied.released), progress=progress).kept

"""Proposals that meet all criteria: made one after the other, the quickest first, so that the page need not wait."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Set
from dataclasses import dataclass, replace
from functools import lru_cache, partial
from typing import Any

import streamlit as st

from anonlib.basics.progress import Progress, nobody
from anonlib.coarsening.hierarchies import Hierarchy
from anonlib.dataset import Dataset
from anonlib.verdict.criteria import BLANK_CELLS, PARTS, WHOLE_COLUMNS, Aim, Criterion, Verdict
from anonlib.verdict.proposals import (
    Adviser,
    NothingFound,
    Proposal,
    Relief,
    Remedy,
    blank_cells,
    none_found,
    part_by_part,
    reliefs,
    remedies,
    why_no_blanks,
    why_none,
)
from pages.verdict.verdict import question
from ui.kit import release_gate
from ui.server.private import DeltaGenerator
from ui.session import cache, long_work, original, stoppable, view
from ui.session.state import session

_AT_ONCE, _LONGER = 2.0, 20.0  # seconds a proposal may take, at once and where the officer lets it search on
_MOST_DETAIL = "Keeps most detail"
_WORDING = stoppable.Wording("Searching for other proposals", "Other proposals are not searched: you stopped it.")
Found = Callable[[], Adviser]
Tell = Callable[..., None]


@dataclass(frozen=True)
class Kind:
    """A kind of proposal.

    Attributes
    ----------
    title, way : what it is called, and which of the ways to protect it takes.
    what : what is least in it.
    analysis : what it means for an analysis, in a sentence.
    search : given the adviser, the seconds and what watches; the proposal, or that none was found.
    at_once : whether it is searched without being asked for.
    why_not : given the adviser, why there is none of these data, in a sentence; "" where there may be.
    """

    title: str
    way: str
    what: str
    analysis: str
    search: Callable[..., Proposal | NothingFound]
    at_once: bool = True
    why_not: Callable[[Adviser], str] = lambda adviser: ""


_LEVELS = "Each column has one level throughout, so counts and models are made as before, of coarser values."
KINDS: list[Kind] = [  # the quickest first: the page shows what it finds while the others are searched
    Kind(
        "Part by part", PARTS, "Each part of the file is only as coarse as it must be.",
        "Labels of different levels stand side by side in a column: a count by a label alone is of those who have "
        "just it.", part_by_part,
    ),
    Kind(
        "Blank cells", BLANK_CELLS, "Each column has one level, and single cells are blank.",
        "Blank cells are missing, and more often so of rare persons: an analysis treats them as missing not at random.",
        blank_cells, why_not=why_no_blanks,
    ),
    Kind(
        _MOST_DETAIL, WHOLE_COLUMNS, "The least detail is lost, with as many left out as may be.", _LEVELS,
        Adviser.most_detail,
    ),
    Kind("Keeps all records", WHOLE_COLUMNS, "Nobody is left out.", _LEVELS, Adviser.most_records, at_once=False),
    Kind(
        "Changes fewest columns", WHOLE_COLUMNS, "As many columns as possible stay as they are.", _LEVELS,
        Adviser.fewest_columns, at_once=False,
    ),
]  # fmt: skip


@dataclass(frozen=True, eq=False)
class Offer:
    """A proposal and its kind."""

    kind: Kind
    proposal: Proposal

    @property
    def title(self) -> str:
        """What it is called."""
        return self.kind.title


@dataclass(frozen=True, eq=False)
class Offers:
    """Proposals made so far, or why there is none.

    ``none`` are kinds of which none was found, ``cannot`` those of which there is none of these data, and why; ``same``
    those that came out as another one; ``reliefs`` what it would pay to know, beside the proposal called
    ``reliefs_of``; ``all_tried`` says that no further remedy is looked for.
    """

    offers: tuple[Offer, ...] = ()
    why_none: str = ""
    remedies: tuple[Remedy, ...] = ()
    all_tried: bool = False
    none: tuple[tuple[str, NothingFound], ...] = ()
    cannot: tuple[tuple[str, str], ...] = ()
    same: tuple[tuple[str, str], ...] = ()
    reliefs: tuple[Relief, ...] = ()
    reliefs_of: str = ""

    @property
    def least(self) -> Offer | None:
        """The proposal that loses least, beside which ``reliefs`` lose less; None where there is none."""
        return min(self.offers, key=lambda offer: offer.proposal.loss, default=None)

    @property
    def is_finished(self) -> bool:
        """Whether every search came to its end, so that longer ones find nothing better."""
        ends = [offer.proposal.found.finished for offer in self.offers]
        return all([*ends, *(nothing.finished for _, nothing in self.none)])

    def why_not(self, title: str) -> str:
        """Why there is no proposal of this kind."""
        if title in dict(self.same):
            return f"The same as “{dict(self.same)[title]}”."
        if title in dict(self.cannot):
            return dict(self.cannot)[title]
        return none_found(dict(self.none)[title]) if title in dict(self.none) else "Not searched yet."


# ---- step by step ----


def kinds(data: Dataset) -> list[Kind]:
    """The kinds of proposal that are allowed for these data."""
    ways = session().aim.ways
    return [each for each in KINDS if each.way in ways]


def made(data: Dataset) -> Offers | None:
    """The proposals made so far, at least the quickest; None while they wait for a button.

    Raises
    ------
    InputError
        Where nothing can be searched.
    """
    looked_at = original.to_protect(data)
    longer = long_work.result(_name(looked_at))
    if longer is not None or not _at_once(data):
        return longer
    n = _n_made(looked_at, data)
    if n:
        return cache.remember(_after, looked_at, data, n=n, **question.asked(looked_at))
    with st.spinner("Searching for the least change"):
        return cache.remember(_after, looked_at, data, n=1, progress=long_work.let_go, **question.asked(looked_at))


def go_on(data: Dataset, place: DeltaGenerator) -> None:
    """Make the next proposal and check its criteria, with progress and a stop in ``place``.

    Called last, so that the page is there meanwhile; using it goes on with the search afterwards.
    """
    looked_at = original.to_protect(data)
    with place:
        offers = made(data)
        if offers is not None and _count_verdicts(offers, data):
            st.rerun()
        if waits_for_button(data):
            _search_longer(looked_at, data, None)
            return
        n = _n_made(looked_at, data)
        if n == len(_steps(data)):
            quick = cache.remember(_after, looked_at, data, n=n, **question.asked(looked_at))
            if not quick.is_finished or any(not kind.at_once for kind in kinds(data)):
                _search_longer(looked_at, data, quick)
            return

        def step(tell: Progress) -> Offers:
            return cache.remember(_after, looked_at, data, n=n + 1, progress=tell, **question.asked(looked_at))

        found = stoppable.done(_name(looked_at), step, _WORDING, "proposals")
        if found is not None:
            st.rerun()


def waits_for_button(data: Dataset) -> bool:
    """Whether every search takes so long that a button starts it."""
    return not _at_once(data)


def _at_once(data: Dataset) -> list[Kind]:
    """The kinds that are searched without being asked for: of a large file only the quickest, or none."""
    looked_at = original.to_protect(data)
    first = [each for each in kinds(data) if each.at_once]
    if question.seconds(looked_at) <= question.AT_ONCE:
        return first
    are_quick = question.seconds_of_parts(looked_at) <= question.FIRST_AT_ONCE
    return [each for each in first if each.way == PARTS and are_quick]


def is_searching(data: Dataset) -> bool:
    """Whether proposals follow by themselves."""
    looked_at = original.to_protect(data)
    if waits_for_button(data) or stoppable.is_stopped(_name(looked_at)):
        return False
    return _n_made(looked_at, data) < len(_steps(data))


def _count_verdicts(offers: Offers, data: Dataset) -> bool:
    """Check the criteria of the proposals that were not checked yet; whether any was."""
    now, checked = view.now(), False
    for offer in offers.offers:
        recipe = offer.proposal.taken(now.recipe, data)
        if now.counted_verdict_of(recipe) is None:
            checked |= release_gate.verdict(recipe, offer.title) is not None
    return checked


def _name(data: Dataset) -> str:
    return f"verdict-{data.key}-{cache.digest(*question.asked(data).values())}"


def _n_made(looked_at: Dataset, data: Dataset) -> int:
    """How many steps are done."""
    asked, n = question.asked(looked_at), 0
    while n < len(_steps(data)) and cache.remembered(_after, looked_at, data, n=n + 1, **asked) is not None:
        n += 1
    return n


def _steps(data: Dataset) -> list[Callable[[Found, Offers, Tell], Offers]]:
    """What is done one after the other: a kind of proposal each, what stands against them, what an officer may know.

    The last is looked at as soon as the quick kinds are there, and once more where another one then loses less.
    """
    steps: list[Callable[[Found, Offers, Tell], Offers]] = []
    for kind in _at_once(data):
        if kind.title == _MOST_DETAIL and steps:
            steps.append(_add_reliefs)
        steps.append(partial(_add_kind, kind, None))
    is_large = len(steps) == 1 < len([each for each in kinds(data) if each.at_once])
    return steps if is_large else [*steps, _add_ways_out, _add_reliefs]


def _after(
    data: Dataset,
    original: Dataset,
    *,
    n: int,
    aim: Aim,
    hierarchies: dict[str, Hierarchy],
    unknowable: tuple[str, ...],
    progress: Progress = nobody,
) -> Offers:
    """The proposals after so many steps."""
    asked: dict[str, Any] = {"aim": aim, "hierarchies": hierarchies, "unknowable": unknowable}
    earlier = cache.remember(_after, data, original, n=n - 1, **asked) if n > 1 else Offers()
    adviser = lru_cache(partial(question.adviser, data, original, **asked))
    return _steps(original)[n - 1](adviser, earlier, lambda share, _=None: progress(share))


def _search_longer(looked_at: Dataset, data: Dataset, first: Offers | None) -> None:
    """The button that searches for as long as it takes, and its progress."""
    name, asked = _name(looked_at), question.asked(looked_at)
    # one adviser for all stages, while they run
    adviser = lru_cache(partial(question.adviser, looked_at, data, **asked))
    steps: list[tuple[str, Callable[[Offers, Tell], Offers]]] = []
    for kind in kinds(data):
        steps.append((kind.title, partial(_add_kind, kind, _LONGER, adviser)))
        if kind == [each for each in kinds(data) if each.at_once][-1]:
            steps.append(("None was found so far: what stands against it", partial(_add_ways_out, adviser)))
    steps.append(("What you may know", partial(_add_reliefs, adviser)))
    stages = [(what, _stage(name, first or Offers(), step)) for what, step in steps]
    expected = 3 * question.seconds(looked_at) if first is None else (len(kinds(data)) - 1) * _LONGER
    what = "The least change" if first is None else "Searching for less change"
    long_work.best_so_far(name, stages, expected, what)


def _stage(name: str, first: Offers, step: Callable[[Offers, Tell], Offers]) -> Callable[[Tell], Offers]:
    return lambda tell: step(long_work.result(name) or first, tell)


def _add_kind(kind: Kind, seconds: float | None, adviser: Found, earlier: Offers, tell: Tell) -> Offers:
    """The proposals with one of another kind, or that none was found."""

    def watch(share: float, best: Proposal | None) -> None:
        tell(share, None if best is None else _with(earlier, kind, best))

    if why := kind.why_not(adviser()):
        return replace(earlier, cannot=(*earlier.cannot, (kind.title, why)))
    if seconds is None:  # where one takes longer so do the others
        seconds = _AT_ONCE if earlier.is_finished else 0.0
    found = kind.search(adviser(), seconds, watch)
    if isinstance(found, Proposal):
        return _with(earlier, kind, found)
    none = (*((other, nothing) for other, nothing in earlier.none if other != kind.title), (kind.title, found))
    return replace(earlier, none=none)


def _add_ways_out(adviser: Found, earlier: Offers, tell: Tell) -> Offers:
    """Where there is none: why, and what would let something do, as far as it was found."""
    nothing = dict(earlier.none).get(_MOST_DETAIL, next((nothing for _, nothing in earlier.none), None))
    if nothing is None or earlier.offers:
        return earlier
    share = 0.0

    def looked_at(part: float, found: Offers | None = None) -> None:
        nonlocal share
        share = part
        tell(share, found)

    adviser().problem.pause = lambda: looked_at(share)
    adviser().conflict(lambda part: looked_at(part / 2))
    why = replace(earlier, why_none=why_none(adviser(), nothing))
    tried = remedies(adviser(), lambda part, found: looked_at((1 + part) / 2, replace(why, remedies=found)))
    return replace(why, remedies=tried, all_tried=True)


def _add_reliefs(adviser: Found, earlier: Offers, tell: Tell) -> Offers:
    """The proposals with what an officer may know that would let less be lost."""
    least = earlier.least
    if least is None or least.title == earlier.reliefs_of:
        return earlier
    found = reliefs(adviser(), least.proposal, lambda share, _: tell(share, None))
    return replace(earlier, reliefs=found, reliefs_of=least.title)


def _with(earlier: Offers, kind: Kind, proposal: Proposal) -> Offers:
    others = tuple(each for each in earlier.offers if each.title != kind.title)
    for each in others:
        if each.kind.way == kind.way and each.proposal.is_like(proposal):
            return replace(earlier, offers=others, same=(*earlier.same, (kind.title, each.title)))
    return replace(earlier, offers=(*others, Offer(kind, proposal)))


def least_first(offers: Offers, met: Mapping[str, Set[Criterion]]) -> Offers:
    """Another proposal that loses less, and meets as much, takes the place of the one that keeps most detail.

    It may be among what that one's search had no time for. ``met`` are, by title, the criteria that a release by a
    proposal meets, where these were counted.
    """
    title = _MOST_DETAIL
    most = next((each for each in offers.offers if each.title == title), None)
    if most is None or title not in met:
        return offers
    others = [each for each in offers.offers if each is not most and each.kind.way == WHOLE_COLUMNS]
    less = [each for each in others if each.proposal.loss < most.proposal.loss - 1e-9]
    better = [each for each in less if each.title in met and met[each.title] >= met[title]]
    if not better:
        return offers
    best = min(better, key=lambda each: each.proposal.loss)
    # What was proven of it is that nothing else of its own kind loses less.
    found = replace(best.proposal.found, proven=False, finished=most.proposal.found.finished)
    first = replace(most, proposal=replace(best.proposal, found=found))
    rest = (each for each in others if each is not best)
    return replace(offers, offers=(first, *rest), same=(*offers.same, (best.title, title)))


def met(verdict: Verdict) -> frozenset[Criterion]:
    """The criteria that are met."""
    return frozenset(each.criterion for each in verdict.findings if each.is_met)


def best(offers: Offers, verdicts: Mapping[str, Verdict]) -> Offer:
    """The proposal that loses least of those that meet most criteria; ``verdicts`` by title, of those checked."""

    def order(offer: Offer) -> tuple[int, float]:
        verdict = verdicts.get(offer.title)
        return (1 if verdict is None else -len(met(verdict)), offer.proposal.loss)

    return min(offers.offers, key=order)

"""What would do: the least change that meets all criteria, in four readings of “least”, each with one click."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Set
from dataclasses import dataclass, replace
from functools import lru_cache, partial

import streamlit as st

from anonlib.basics import figures, words
from anonlib.basics.errors import InputError
from anonlib.coarsening.hierarchies import Hierarchy
from anonlib.dataset import Dataset
from anonlib.verdict.criteria import Aim, Criterion, State, Verdict
from anonlib.verdict.proposals import (
    Adviser,
    NothingFound,
    Proposal,
    Relief,
    Remedy,
    how_sure,
    none_found,
    part_by_part,
    reliefs,
    remedies,
    why_none,
)
from pages.verdict.verdict import cheapest_change, question
from ui.kit import page, release_gate
from ui.session import cache, guard, long_work, original, stoppable, view
from ui.session.state import session
from ui.text import plain

_AT_ONCE, _LONGER = 2.0, 20.0  # seconds a proposal may take, at once and where the officer lets it search on
_PARTS = "Part by part"
_ICONS = {State.MET: ":green[:material/check_circle:]", State.NOT_MET: ":red[:material/cancel:]"}


@dataclass(frozen=True, eq=False)
class Offer:
    """A proposal with what it is called."""

    title: str
    what: str
    proposal: Proposal


@dataclass(frozen=True, eq=False)
class Offers:
    """Proposals made so far, or why there is none.

    ``none`` are kinds of which none was found; ``same`` those that came out as another one; ``reliefs`` values of which
    it would pay to know whether they harm anybody; ``all_tried`` says that no further remedy is looked for.
    """

    offers: tuple[Offer, ...] = ()
    why_none: str = ""
    remedies: tuple[Remedy, ...] = ()
    all_tried: bool = False
    none: tuple[tuple[str, NothingFound], ...] = ()
    same: tuple[tuple[str, str], ...] = ()
    reliefs: tuple[Relief, ...] = ()

    @property
    def is_finished(self) -> bool:
        """Whether every search came to its end, so that longer ones find nothing better."""
        ends = [offer.proposal.found.finished for offer in self.offers]
        return all([*ends, *(nothing.finished for _, nothing in self.none)])

    def why_not(self, title: str) -> str:
        """Why there is no proposal of this kind."""
        if title in dict(self.same):
            return f"The same as “{dict(self.same)[title]}”."
        return none_found(dict(self.none)[title]) if title in dict(self.none) else "Not searched yet."


def made(data: Dataset) -> Offers | None:
    """The proposals for the session's aim; None while they are not asked for."""
    looked_at = original.to_protect(data)
    aim, hierarchies = session().aim, question.hierarchies(looked_at)
    expected, first = question.seconds(looked_at), None
    if expected <= question.AT_ONCE:
        with st.spinner("Searching for the least change"):
            first = cache.remember(_at_once, looked_at, data, aim=aim, hierarchies=hierarchies)
        if first.is_finished:
            return first
    name = f"verdict-{looked_at.key}-{cache.digest(aim, hierarchies)}"
    adviser = lru_cache(
        partial(question.adviser, looked_at, aim, hierarchies, None, data)
    )  # one for all stages, while they run
    first_kind, *kinds = [
        (title, _stage(name, partial(_add_kind, adviser, i, _LONGER))) for i, (title, _, _) in enumerate(_KINDS)
    ]
    ways_out = ("None was found so far: what stands against it", _stage(name, partial(_add_ways_out, adviser)))
    stages = [first_kind, ways_out, *kinds, ("Harmless values", _stage(name, partial(_add_reliefs, adviser)))]
    what, expected = ("Searching for less change", 3 * _LONGER) if first else ("The least change", 3 * expected)
    return long_work.best_so_far(name, stages, expected, what) or first


def _at_once(data: Dataset, original: Dataset, *, aim: Aim, hierarchies: dict[str, Hierarchy]) -> Offers:
    offers = Offers()
    adviser = lru_cache(partial(question.adviser, data, aim, hierarchies, None, original))
    for i in range(len(_KINDS)):
        seconds = _AT_ONCE if offers.is_finished else 0.0  # where one takes longer so do the others
        offers = _add_kind(adviser, i, seconds, offers, lambda share, _: long_work.let_go(share))
        offers = offers if i else _add_ways_out(adviser, offers, lambda share, _: long_work.let_go(share))
    return _add_reliefs(adviser, offers, lambda share, _: long_work.let_go(share))


def _stage(name: str, add: Callable[[Offers, Callable], Offers]) -> Callable[[Callable[..., None]], Offers]:
    return lambda tell: add(long_work.result(name) or Offers(), tell)


def _add_kind(
    adviser: Callable[[], Adviser], place: int, seconds: float, earlier: Offers, tell: Callable[..., None]
) -> Offers:
    """The proposals with one of another kind, or that none was found."""

    def watch(share: float, best: Proposal | None) -> None:
        tell(share, None if best is None else _with(earlier, place, best))

    title, _, search = _KINDS[place]
    found = search(adviser(), seconds, watch)
    if isinstance(found, Proposal):
        return _with(earlier, place, found)
    none = (*((other, nothing) for other, nothing in earlier.none if other != title), (title, found))
    return replace(earlier, none=none)


def _add_ways_out(adviser: Callable[[], Adviser], earlier: Offers, tell: Callable[..., None]) -> Offers:
    """Where the first kind has none: why, and what would let something do, as far as it was found."""
    nothing = dict(earlier.none).get(_KINDS[0][0])
    if nothing is None:
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


def _add_reliefs(adviser: Callable[[], Adviser], earlier: Offers, tell: Callable[..., None]) -> Offers:
    """The proposals with the values that would pay if they harm nobody."""
    if not earlier.offers:
        return earlier
    loss = earlier.offers[0].proposal.loss
    return replace(earlier, reliefs=reliefs(adviser(), loss, lambda share, _: tell(share, None)))


def _with(earlier: Offers, place: int, proposal: Proposal) -> Offers:
    title, what, _ = _KINDS[place]
    others = tuple(each for each in earlier.offers if each.title != title)
    for each in others:
        if each.proposal.is_like(proposal):
            return replace(earlier, offers=others, same=(*earlier.same, (title, each.title)))
    return replace(earlier, offers=(*others, Offer(title, what, proposal)))


def least_first(offers: Offers, met: Mapping[str, Set[Criterion]]) -> Offers:
    """Another proposal that loses less, and meets as much, takes the place of the one that keeps most detail.

    It may be among what that one's search had no time for. ``met`` are, by title, the criteria that a release by a
    proposal meets, where these were counted.
    """
    title = _KINDS[0][0]
    most = next((each for each in offers.offers if each.title == title), None)
    if most is None or title not in met:
        return offers
    others = [each for each in offers.offers if each is not most and each.title != _PARTS]
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


_KINDS: tuple[tuple[str, str, Callable[..., Proposal | NothingFound]], ...] = (
    ("Keeps most detail", "The least detail is lost, with as many left out as may be.", Adviser.most_detail),
    ("Keeps all records", "Nobody is left out.", Adviser.most_records),
    ("Changes fewest columns", "As many columns as possible stay as they are.", Adviser.fewest_columns),
    (
        _PARTS,
        "Each part of the file is only as coarse as it must be: labels of different levels stand side by side in "
        "a column, which an analysis has to allow for.",
        part_by_part,
    ),
)


# ---- shown ----


def show(data: Dataset) -> None:
    """A card for each proposal."""
    try:
        offers = made(data)
    except InputError as error:
        st.info(plain(str(error)), icon=":material/info:")
        return
    if offers is None:
        return
    if offers.why_none and not offers.offers:
        _show_remedies(offers)
        return
    verdicts = _verdicts(offers, data)
    offers = least_first(offers, {title: _met(verdict) for title, verdict in verdicts.items()})
    by_title = {offer.title: offer for offer in offers.offers}
    for place, (title, what, _) in zip(page.beside(1, 1, 1, 1, gap="small"), _KINDS, strict=True):
        with place, st.container(border=True, height="stretch"):
            st.markdown(f"**{title}**", help=what)
            if title in by_title:
                _show_offer(by_title[title], data)
                if title == _KINDS[0][0] and len(verdicts) > 1:
                    _name_those_that_lose_less(offers, by_title[title])
            else:
                of_rows = title == _PARTS and data.has_several_rows
                st.caption("Persons with several rows keep whole columns." if of_rows else offers.why_not(title))
    _show_reliefs(offers)
    page.counts(
        f"{figures.DETAIL_LOST.name}: {figures.DETAIL_LOST.meaning()} “Proven” means that no other choice loses less."
    )


def _name_those_that_lose_less(offers: Offers, most: Offer) -> None:
    """Those that lose less than what keeps most detail, which therefore do not meet all that it meets."""
    less = [
        f"“{each.title}”"
        for each in offers.offers
        if each.proposal.loss < most.proposal.loss - 1e-9 and each.title != _PARTS
    ]
    if less:
        do = ("loses", "does") if len(less) == 1 else ("lose", "do")
        st.caption(f"{words.listed(less)} {do[0]} less, and {do[1]} not meet all that this one meets.")


def _verdicts(offers: Offers, data: Dataset) -> dict[str, Verdict]:
    """By title, the verdict on each proposal, but for those whose counting was stopped."""
    found = {}
    for offer in offers.offers:
        verdict = release_gate.verdict(offer.proposal.taken(view.now().recipe, data), offer.title)
        if verdict is not None:
            found[offer.title] = verdict
    return found


def _met(verdict: Verdict) -> frozenset[Criterion]:
    return frozenset(each.criterion for each in verdict.findings if each.is_met)


def _show_reliefs(offers: Offers) -> None:
    """Whether values harm anybody of which the answer would save much."""
    for i, relief in enumerate(offers.reliefs):
        if relief.loss >= offers.offers[0].proposal.loss:
            continue
        with st.container(horizontal=True, vertical_alignment="center", gap="small"):
            column, value = _in_columns(relief.columns), plain(relief.value, 40)
            st.markdown(
                f"Does it harm anybody if it is certain that their {column} is “{value}”? If not, a change was "
                f"found that loses {words.percent(relief.loss)} of the detail in place of "
                f"{words.percent(offers.offers[0].proposal.loss)}."
            )
            st.button(
                "It harms nobody", key=f"verdict-relief-{i}", on_click=guard.action(_allow),
                args=(Remedy("", harmless=(relief.columns, relief.value)),), icon=":material/check:",
                help="Inference then leaves this value out. You can take it back under “Harmless values”.",
            )  # fmt: skip


def _in_columns(names: tuple[str, ...]) -> str:
    """One column, or that it is of several at once."""
    others = f" (or one of {words.count(len(names) - 1, 'other columns')} with this value)" if len(names) > 1 else ""
    return f"**{plain(names[0], 30)}**{others}"


def _show_remedies(offers: Offers) -> None:
    """Why nothing was found, and each of the ways out with one click."""
    st.warning(plain(offers.why_none), icon=":material/warning:")
    if not offers.remedies:
        st.markdown(
            "No single limit was found that would let something do: take criteria out, or choose fewer known columns."
            if offers.all_tried
            else "What would let something do was not looked for to the end."
        )
        return
    st.markdown("Each of these alone would let something do:")
    for i, remedy in enumerate(offers.remedies):
        with st.container(horizontal=True, vertical_alignment="center", gap="small"):
            st.button(
                "Allow it", key=f"verdict-remedy-{i}", on_click=guard.action(_allow), args=(remedy,),
                icon=":material/check:", help=f"Allows: {plain(remedy.says)}. You can undo it.",
            )  # fmt: skip
            value = "" if remedy.harmless is None else f" (“{plain(remedy.harmless[1], 40)}”)"
            st.markdown(f"{plain(remedy.says)}{value}")


def _allow(remedy: Remedy) -> None:
    aim = session().aim
    if remedy.old is not None and remedy.new is not None:
        aim = aim.replacing(remedy.old, remedy.new)
    if remedy.free:
        aim = replace(aim, fixed=tuple(name for name in aim.fixed if name != remedy.free))
    if remedy.drop:
        aim = replace(aim, droppable=(*aim.droppable, remedy.drop))
    if remedy.harmless is not None:
        aim = aim.with_harmless_in(*remedy.harmless)
    session().aim = aim


def _show_offer(offer: Offer, data: Dataset) -> None:
    proposal = offer.proposal
    left, right = st.columns(2)
    of_persons = figures.PERSONS_KEPT if data.unit == "persons" else figures.ROWS_KEPT
    left.metric(figures.DETAIL_LOST.name, words.percent(proposal.loss))
    kept = (figures.ROWS_KEPT, proposal.rows_kept) if proposal.n_rows else (of_persons, proposal.kept)
    right.metric(kept[0].name, words.percent(kept[1]))
    st.caption(how_sure(proposal.found))
    st.markdown(_changes(proposal, data))
    recipe = proposal.taken(view.now().recipe, data)
    found = None if stoppable.is_stopped(view.now().judged_by(recipe)) else view.now().verdict_of(recipe)
    st.markdown("The criteria are not checked." if found is None else lights(found))
    in_use = recipe.digest == view.now().recipe.digest
    st.button(
        "In the recipe" if in_use else "Take this", key=f"verdict-take-{offer.title}", type="primary",
        icon=":material/check:" if in_use else ":material/playlist_add_check:", disabled=in_use,
        on_click=guard.action(cheapest_change.taken), args=(proposal,), width="stretch",
        help="It is what the recipe does." if in_use else "Its steps take the place of what the recipe does to these "
        "columns. You can undo it.",
    )  # fmt: skip


def lights(verdict: Verdict) -> str:
    """The criteria of a verdict in a line, each with what was found."""
    return " · ".join(
        f"{_ICONS.get(each.state, ':orange[:material/help:]')} {plain(each.criterion.title)}"
        for each in verdict.findings
    )


def _changes(proposal: Proposal, data: Dataset) -> str:
    if not proposal.steps:
        return "Nothing has to change."
    lines = [f"- **{plain(name, 30)}**: {plain(how, 60)}" for name, how in proposal.changes.items()]
    if proposal.left_out:
        lines.append(f"- {words.count(proposal.left_out, data.unit)} left out")
    if proposal.rows_out:
        lines.append(f"- {words.count(proposal.rows_out, 'rows')} of persons left out")
    return "\n".join(lines)

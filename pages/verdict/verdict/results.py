"""The best proposal with what it costs, the others a line each, and why there is none."""

from __future__ import annotations

from dataclasses import replace

import streamlit as st

from anonlib.basics import figures, words
from anonlib.basics.errors import InputError
from anonlib.dataset import Dataset
from anonlib.verdict.criteria import State, Verdict
from anonlib.verdict.proposals import Proposal, Remedy, how_sure
from anonlib.verdict.proposals.offers import Offer, Offers, best_first, least_first, met
from pages.verdict.verdict import cheapest_change, still_good
from pages.verdict.verdict import offers as made_offers
from pages.verdict.verdict.tabs import usefulness
from ui.kit import levels, page
from ui.session import guard, view
from ui.session.names import titled
from ui.session.state import session
from ui.text import plain

_ICONS = {State.MET: ":green[:material/check_circle:]", State.NOT_MET: ":red[:material/cancel:]"}
_UNKNOWN = ":orange[:material/help:]"


def show_made(data: Dataset) -> Offers | None:
    """The proposals made so far; None where there are none, which is shown."""
    try:
        found = made_offers.made(data)
        waits = made_offers.waits_for_button(data)
    except InputError as error:
        st.info(plain(str(error)), icon=":material/info:")
        return None
    if found is not None and (found.offers or found.why_none or not waits):
        _show(found, data)
    return found


def _show(offers: Offers, data: Dataset) -> None:
    """The best proposal and the others; or why there is none, and what would make a release possible."""
    if not offers.offers:
        if offers.why_none:
            _show_remedies(offers)
        else:
            waits = made_offers.is_searching(data)
            st.markdown("No proposal so far: the search goes on." if waits else "No proposal was found so far.")
            for title, why in offers.cannot:
                st.caption(f"**{title}** · {why}")
        return
    verdicts = _verdicts(offers, data)
    offers = least_first(offers, {title: met(found) for title, found in verdicts.items()})
    best, *others = best_first(offers, verdicts)
    with st.container(border=True, gap="small"):
        _show_best(best, verdicts.get(best.title), data)
    waiting = [kind for kind in made_offers.allowed(data) if kind.title not in {each.title for each in offers.offers}]
    with st.container(border=True, gap="small"):
        for offer in others:
            _show_line(offer, verdicts.get(offer.title), data)
        by_reason: dict[str, list[str]] = {}
        for kind in waiting:
            by_reason.setdefault(offers.why_not(kind.title), []).append(kind.title)
        for reason, titles in by_reason.items():
            st.caption(" · ".join([*(f"**{title}**" for title in titles), reason]))
    if offers.why_none:
        with st.expander("What would make a release with all columns possible", key="verdict-with-all"):
            _show_remedies(offers)


def _verdicts(offers: Offers, data: Dataset) -> dict[str, Verdict]:
    """By title, the verdict on each proposal whose criteria are checked."""
    now = view.now()
    found = {each.title: now.counted_verdict_of(each.proposal.taken(now.recipe, data)) for each in offers.offers}
    return {title: verdict for title, verdict in found.items() if verdict is not None}


def _show_best(offer: Offer, verdict: Verdict | None, data: Dataset) -> None:
    proposal = offer.proposal
    text, picture = page.beside(2, 3, gap="small")
    with text:
        st.markdown(f"**Best proposal: {offer.title.lower()}**", help=offer.kind.what)
        lost, kept, good_for = st.columns(3, gap="small")
        lost.metric(figures.DETAIL_LOST.name, words.percent(proposal.loss), help=figures.DETAIL_LOST.meaning())
        name, share = _kept(proposal, data)
        kept.metric(name, words.percent(share))
        together = still_good.association_kept(proposal.taken(view.now().recipe, data), data)
        if together is not None:
            association = figures.ASSOCIATION_KEPT
            good_for.metric(association.name, words.percent(together), help=association.meaning())
        if proposal.columns_out:
            st.markdown(f":orange[:material/remove_selection:] {_leaves_out(proposal)}")
        st.caption(f"{offer.kind.analysis} {how_sure(proposal.found)} {_survives(proposal, data)}")
        st.markdown(lights(verdict) if verdict is not None else "The criteria are being checked.")
        _show_take(offer, data, primary=True)
        with st.popover(f"Changes in {words.count(len(proposal.changes), 'columns')}", width="stretch"):
            st.markdown(_changes(proposal, data))
            if verdict is not None:
                levels.ask_for_typical(data, proposal.taken(view.now().recipe, data), "verdict-typical")
    with picture:
        if verdict is None:
            st.caption("The picture follows as soon as the criteria are checked.")
        else:
            levels.show(levels.of(data, proposal.taken(view.now().recipe, data)), "verdict-levels")


def _show_line(offer: Offer, verdict: Verdict | None, data: Dataset) -> None:
    """A proposal in a line."""
    proposal = offer.proposal
    name, share = _kept(proposal, data)
    together = still_good.association_kept(proposal.taken(view.now().recipe, data), data)
    good_for = "" if together is None else f"{figures.ASSOCIATION_KEPT.name} **{words.percent(together)}**"
    leaves_out = _leaves_out(proposal) if proposal.columns_out else ""
    below = " · ".join(text for text in (good_for, _survives(proposal, data), leaves_out) if text)
    below = f"  \n:small[{below}]" if below else ""
    what, criteria, changes, take = page.beside(11, 3, 3, 3, gap="small")
    what.markdown(
        f"**{offer.title}** · {figures.DETAIL_LOST.name.lower()} **{words.percent(proposal.loss)}** · {name.lower()} "
        f"**{words.percent(share)}**{below}",
        help=f"{offer.kind.what} {offer.kind.analysis} {how_sure(proposal.found)}",
    )
    if verdict is None:
        criteria.caption("Being checked")
    else:
        criteria.markdown(_met_in_short(verdict), help=lights(verdict))
    with changes, st.popover("Changes"):
        st.markdown(_changes(proposal, data))
    with take:
        _show_take(offer, data, primary=False)


def _kept(proposal: Proposal, data: Dataset) -> tuple[str, float]:
    """What the share of records kept is called, and the share."""
    if proposal.n_rows:
        return figures.ROWS_KEPT.name, proposal.rows_kept
    return (figures.PERSONS_KEPT if data.unit == "persons" else figures.ROWS_KEPT).name, proposal.kept


def _leaves_out(proposal: Proposal) -> str:
    """Which columns do not leave, in a sentence."""
    names = proposal.columns_out
    return f"Drops {words.count(len(names), 'columns')}: {page.listed(names, 4)}."


def _survives(proposal: Proposal, data: Dataset) -> str:
    """How much of what must survive does, where something is named and it is measured."""
    share = usefulness.survives(proposal.taken(view.now().recipe, data), data)
    return "" if share is None else f"What must survive: **{words.percent(share)}** kept."


def _show_take(offer: Offer, data: Dataset, primary: bool) -> None:
    now = view.now().recipe
    in_use = offer.proposal.taken(now, data).digest == now.digest
    st.button(
        "In the recipe" if in_use else "Take this", key=f"verdict-take-{offer.title}",
        type="primary" if primary else "secondary",
        icon=":material/check:" if in_use else ":material/playlist_add_check:", disabled=in_use,
        on_click=guard.action(cheapest_change.taken), args=(offer.proposal, view.now().aim), width="stretch",
        help="It is what the recipe does." if in_use else "Its steps take the place of what the recipe does to these "
        "columns. You can undo it.",
    )  # fmt: skip


def _show_remedies(offers: Offers) -> None:
    """Why nothing was found, and each of the ways out with one click."""
    st.warning(plain(offers.why_none), icon=":material/warning:")
    if not offers.remedies:
        st.markdown(
            "No single change was found that would make a release possible: take criteria out, or choose fewer known "
            "columns."
            if offers.all_tried
            else "The search for what would make a release possible did not come to its end."
        )
        return
    st.markdown("Each of these alone would make a release possible:")
    for i, remedy in enumerate(offers.remedies):
        with st.container(horizontal=True, vertical_alignment="center", gap="small"):
            st.button(
                "Allow it", key=f"verdict-remedy-{i}", on_click=guard.action(allow), args=(remedy,),
                icon=":material/check:", help=f"Allows: {plain(remedy.says)}. You can undo it.",
            )  # fmt: skip
            value = "" if remedy.harmless is None else f" (“{plain(remedy.harmless[1], 40)}”)"
            st.markdown(f"{plain(remedy.says)}{value}")


def allow(remedy: Remedy) -> None:
    """Ask less, or allow more, as a remedy says."""
    aim = session().aim
    if remedy.old is not None and remedy.new is not None:
        aim = aim.replacing(remedy.old, remedy.new)
    if remedy.free:
        aim = replace(aim, fixed=tuple(name for name in aim.fixed if name != remedy.free))
    if remedy.drop:
        aim = replace(aim, droppable=(*aim.droppable, *remedy.drop))
    if remedy.harmless is not None:
        aim = aim.with_harmless_in(*remedy.harmless)
    session().aim = aim


def lights(verdict: Verdict) -> str:
    """The criteria of a verdict in a line, each with what was found."""
    return " · ".join(f"{_ICONS.get(each.state, _UNKNOWN)} {plain(each.criterion.title)}" for each in verdict.findings)


def _met_in_short(verdict: Verdict) -> str:
    """That all criteria are met, or which are not."""
    not_met = [each for each in verdict.findings if not each.is_met]
    if not not_met:
        return f"{_ICONS[State.MET]} {len(verdict.findings)} of {len(verdict.findings)}"
    return " · ".join(f"{_ICONS.get(each.state, _UNKNOWN)} {plain(each.criterion.title)}" for each in not_met)


def _changes(proposal: Proposal, data: Dataset) -> str:
    if not proposal.steps:
        return "Nothing has to change."
    lines = [f"- **{plain(titled(name), 60)}**: {plain(how, 60)}" for name, how in proposal.changes.items()]
    if proposal.left_out:
        lines.append(f"- {words.count(proposal.left_out, data.unit)} left out")
    if proposal.rows_out:
        lines.append(f"- {words.count(proposal.rows_out, 'rows')} of persons left out")
    return "\n".join(lines)

"""The proposal that is taken, or the best one, with what it costs, the others a line each, and why there is none."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import replace

import streamlit as st

from anonlib.analyses.utility.purposes import NamedColumns, named_by, named_columns
from anonlib.basics import figures, words
from anonlib.basics.errors import InputError
from anonlib.dataset import Dataset
from anonlib.release.detail import DetailLost
from anonlib.release.left import ColumnsLeft, columns_left
from anonlib.release.recipe import Recipe
from anonlib.verdict.criteria import WAYS_IN_WORDS, Criterion, State, Verdict
from anonlib.verdict.proposals import Proposal, WhatIf, how_sure
from anonlib.verdict.proposals.offers import Cost, Offer, Offers, best_first, is_order_fixed, least_first, met, order
from pages.verdict.verdict import cheapest_change, question
from pages.verdict.verdict import offers as made_offers
from pages.verdict.verdict.controls import purpose, recipient
from pages.verdict.verdict.question import Taken
from pages.verdict.verdict.tabs import usefulness
from ui.kit import glossary, levels, page
from ui.session import cache, guard, keep, proposed, state, view
from ui.session.names import titled
from ui.session.state import session
from ui.text import plain

_ICONS = {State.MET: ":green[:material/check_circle:]", State.NOT_MET: ":red[:material/cancel:]"}
_UNKNOWN = ":orange[:material/help:]"


def show_made(data: Dataset) -> Offers | None:
    """The proposals made so far; None where there are none, which is shown."""
    if _are_mended_without_search(data):
        return None
    try:
        offers = made_offers.made(data)
        waits = made_offers.waits_for_button(data)
    except InputError as error:
        st.info(plain(str(error)), icon=":material/info:")
        return None
    if offers is not None:
        proposed.remember(offers, data)
    if offers is not None and (offers.offers or offers.why_none or not waits):
        _show(offers, data)
    elif (taken := state.part(Taken).still) is not None:  # others are searched later
        _show(Offers((taken,)), data)
    return offers


def _are_mended_without_search(data: Dataset) -> bool:
    """Whether what mends each criterion follows from the columns at fault, which is shown where one is open."""
    verdict = view.now().verdict
    criteria = [] if verdict is None else [finding.criterion for finding in verdict.findings]
    if question.is_searched(data) or not all(criterion.mending.needs_no_search for criterion in criteria):
        return False
    if verdict is not None and any(finding.columns or finding.worst for finding in verdict.against):
        st.info(
            "These criteria need no search: open one below and press “Mend”, which takes the steps that it asks for.",
            icon=":material/info:",
        )
    return True


def _show(offers: Offers, data: Dataset) -> None:
    """The best proposal and the others; or why there is none, and what would make a release possible."""
    verdicts = _verdicts(offers, data)
    fixed = is_order_fixed(session().aim.criteria)
    if not fixed:
        offers = least_first(offers, {title: met(checked) for title, checked in verdicts.items()})
    alike = [offer for offer in offers.offers if _is_in_use(offer, data)]
    in_use = next((offer for offer in alike if offer.proposal.steps), state.part(Taken).still)
    if in_use is None and not offers.offers:
        if offers.why_none:
            _show_what_ifs(offers, data)
        else:
            waits = made_offers.is_searching(data)
            st.markdown("No proposal so far: the search goes on." if waits else "No proposal was found so far.")
            for title, why in offers.cannot:
                st.caption(f"**{title}** · {why}")
        return
    costs = _costs(offers, verdicts, data)
    in_order = best_first(offers, verdicts, costs, fixed)
    top = in_use or in_order[0]  # what is taken stays where it was
    verdict = view.now().verdict if top is in_use else verdicts.get(top.title)
    others = [offer for offer in in_order if offer is not top and not (in_use and offer in alike)]
    better: list[Offer] = []
    if top is in_use:
        its_place = order(top, verdict, _cost(data, view.now().recipe), fixed)
        better = [
            offer
            for offer in others
            if order(offer, verdicts.get(offer.title), costs.get(offer.title), fixed) < its_place
        ]
    with st.container(border=True, gap="small"):
        _show_first(top, verdict, better, data)
    waiting = [kind for kind in made_offers.allowed() if kind.title not in {offer.title for offer in offers.offers}]
    with st.container(border=bool(others or waiting), gap="small"):
        for offer in others:
            _show_line(offer, verdicts.get(offer.title), data)
        by_reason: dict[str, list[str]] = {}
        for kind in waiting:
            by_reason.setdefault(offers.why_not(kind.title), []).append(kind.title)
        for reason, titles in by_reason.items():
            st.caption(" · ".join([*(f"**{title}**" for title in titles), reason]))
    if fixed and others:
        st.caption(
            "With a coin the first way that meets all stands first, whatever it loses. An officer’s own choice after "
            "looking at several is not covered."
        )
    if offers.why_none:
        with st.expander("What would make a release with all columns possible", key="verdict-with-all"):
            _show_what_ifs(offers, data)


def _verdicts(offers: Offers, data: Dataset) -> dict[str, Verdict]:
    """By title, the verdict on each proposal whose criteria are checked."""
    now = view.now()
    by_title = {
        offer.title: now.counted_verdict_of(question.recipe_with(offer.proposal, data)) for offer in offers.offers
    }
    return {title: verdict for title, verdict in by_title.items() if verdict is not None}


def _costs(offers: Offers, verdicts: Mapping[str, Verdict], data: Dataset) -> dict[str, Cost]:
    """By title, what each proposal whose criteria are checked has lost, where that can be counted."""
    checked = [offer for offer in offers.offers if offer.title in verdicts]
    costs = {offer.title: _cost(data, _recipe_by(offer, data)) for offer in checked}
    return {title: cost for title, cost in costs.items() if cost is not None}


def _cost(data: Dataset, recipe: Recipe) -> Cost | None:
    detail = levels.lost(data, recipe)
    return None if detail is None else Cost(_columns_left(data, recipe).n_gone, detail.share)


def _heading(offer: Offer, verdict: Verdict | None, better: Sequence[Offer], data: Dataset) -> str:
    """What the first proposal is, and which criteria its release does not meet, if any."""
    name = offer.title.lower()
    if offer.proposal.steps and _is_in_use(offer, data):
        below = [f"**{better_offer.title}**" for better_offer in better]
        also = f" · better, below: {words.listed(below, most=len(below))}" if below else ""
        return f"**In the recipe: {name}**{_unmet(verdict)}{also}"
    if verdict is None:
        return f"**Loses least so far: {name}**"
    unmet = _unmet(verdict)
    return f"**Best proposal: {name}**{unmet}" if not verdict.against else f"**Not enough: {name}**{unmet}"


def _unmet(verdict: Verdict | None) -> str:
    """Which criteria are not met, cannot be checked or were accepted, each named; "" where all are met."""
    if verdict is None:
        return ""
    accepted = [finding for finding in verdict.findings if not finding.is_met and finding not in verdict.against]
    by_word = {
        "not met": [finding for finding in verdict.against if finding.state is State.NOT_MET],
        "cannot be checked": [finding for finding in verdict.against if finding.state is State.UNKNOWN],
        "accepted although not met": accepted,
    }
    named = {
        word: [f"**{plain(finding.criterion.title)}**" for finding in findings] for word, findings in by_word.items()
    }
    return "".join(f" · {word}: {words.listed(names, most=len(names))}" for word, names in named.items() if names)


def _is_in_use(offer: Offer, data: Dataset) -> bool:
    """Whether it is what the recipe does: it changes nothing, or it was taken and nothing was changed since."""
    now = view.now().recipe
    return offer is state.part(Taken).still or question.recipe_with(offer.proposal, data).digest == now.digest


def _recipe_by(offer: Offer, data: Dataset) -> Recipe:
    """The recipe with a proposal in it."""
    return view.now().recipe if _is_in_use(offer, data) else question.recipe_with(offer.proposal, data)


def _show_first(offer: Offer, verdict: Verdict | None, better: Sequence[Offer], data: Dataset) -> None:
    """The proposal on top with what it costs; ``better`` are those below it that meet more or lose less."""
    proposal = offer.proposal
    text, picture = page.beside(2, 3, gap="small")
    with text:
        st.markdown(_heading(offer, verdict, better, data), help=_what(offer, offer.kind.what))
        lost, kept, good_for = st.columns(3, gap="small")
        detail = None if verdict is None else levels.lost(data, _recipe_by(offer, data))
        counted = f"{figures.DETAIL_LOST.meaning()}{'' if detail is None else f' {plain(detail.says)}'}"
        lost.metric(
            figures.DETAIL_LOST.name, _share_lost(detail, verdict),
            help=glossary.linked(counted, figures.DETAIL_LOST.word),
        )  # fmt: skip
        name, share = _kept(proposal, data)
        kept.metric(name, words.percent(share))
        together = made_offers.association_kept(_recipe_by(offer, data), data)
        if together is not None:
            association = figures.ASSOCIATION_KEPT
            good_for.metric(association.name, words.percent(together), help=glossary.meaning(association))
        _show_what_is_left(offer, verdict, data)
        st.caption(f"{offer.kind.analysis} {how_sure(proposal.least_change)} {_survives(offer, data)}")
        st.markdown(lights(verdict) if verdict is not None else "The criteria are being checked.")
        if verdict is not None and verdict.learned and not _is_in_use(offer, data):  # else it stands at the top
            st.caption(f":material/visibility: {plain(verdict.learned)}")
        _show_take(offer, data, primary=True)
        with st.popover(f"Changes in {words.count(len(proposal.changes), 'columns')}", width="stretch"):
            st.markdown(_changes(proposal, data))
            if verdict is not None:
                levels.ask_for_typical(data, _recipe_by(offer, data), "verdict-typical")
    with picture:
        if verdict is None:
            st.caption("The picture follows as soon as the criteria are checked.")
        else:
            levels.show(levels.of(data, _recipe_by(offer, data)), "verdict-levels")


def _what(offer: Offer, text: str) -> str:
    """A help text on a proposal, with the link to what the field calls its way."""
    return glossary.linked(text, WAYS_IN_WORDS[offer.kind.way])


def _share_lost(detail: DetailLost | None, verdict: Verdict | None) -> str:
    """What stands for the detail lost, also while it is not counted yet and where it cannot be."""
    if verdict is None:
        return "…"
    return "not counted" if detail is None else words.percent(detail.share)


def _show_line(offer: Offer, verdict: Verdict | None, data: Dataset) -> None:
    """A proposal in a line."""
    proposal = offer.proposal
    name, share = _kept(proposal, data)
    together = made_offers.association_kept(_recipe_by(offer, data), data)
    good_for = "" if together is None else f"{figures.ASSOCIATION_KEPT.name} **{words.percent(together)}**"
    gone = _what_is_gone(_left(offer, verdict, data), proposal)
    below = " · ".join(text for text in (good_for, _survives(offer, data), gone) if text)
    below = f"  \n:small[{below}]" if below else ""
    what, criteria, changes, take = page.beside(11, 3, 3, 3, gap="small")
    detail = None if verdict is None else levels.lost(data, _recipe_by(offer, data))
    lost = _share_lost(detail, verdict)
    what.markdown(
        f"**{offer.title}** · {figures.DETAIL_LOST.name.lower()} **{lost}** · {name.lower()} "
        f"**{words.percent(share)}**{below}",
        help=_what(offer, f"{offer.kind.what} {offer.kind.analysis} {how_sure(proposal.least_change)}"),
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


def _left(offer: Offer, verdict: Verdict | None, data: Dataset) -> ColumnsLeft | None:
    """Which columns are left by a proposal; None while its criteria are being checked."""
    return None if verdict is None else _columns_left(data, _recipe_by(offer, data))


@cache.remembered
def _columns_left(data: Dataset, recipe: Recipe) -> ColumnsLeft:
    return columns_left(view.apply(recipe, data))


@cache.remembered
def _named_columns(data: Dataset, recipe: Recipe, *, names: tuple[str, ...]) -> NamedColumns:
    applied = view.apply(recipe, data)
    return named_columns(names, applied.original, applied.released)


def _what_is_gone(left: ColumnsLeft | None, proposal: Proposal) -> str:
    """What nothing is left of, each column by its name; "" where something is left of each."""
    removed, dropped = ((), proposal.columns_out) if left is None else (left.removed, left.dropped)
    says = [f"Nothing is left of {page.listed(removed, len(removed))}."] if removed else []
    return " ".join([*says, f"Dropped: {page.listed(dropped, len(dropped))}."] if dropped else says)


def _show_what_is_left(offer: Offer, verdict: Verdict | None, data: Dataset) -> None:
    """What nothing is left of, and where that is most of the file, what could be done instead."""
    left = _left(offer, verdict, data)
    if gone := _what_is_gone(left, offer.proposal):
        st.markdown(f":orange[:material/remove_selection:] {gone}")
    names = named_by(session().aim.purposes)
    if names and verdict is not None:
        needed = _named_columns(data, _recipe_by(offer, data), names=names)
        st.markdown(f":material/flag: {plain(needed.says)}")
    if left is not None and left.is_little:
        _offer_other_ways(left, names, data)


def _offer_other_ways(left: ColumnsLeft, needed: tuple[str, ...], data: Dataset) -> None:
    """That nothing is left of most of the file, and what could be of use instead, each with its button."""
    st.warning(
        f"Nothing is left of {left.n_gone:,} of {words.count(left.n_columns, 'columns')}: this is no file for "
        "research. What could be: fewer columns from the start, those alone that are needed, or a release under "
        "contract.",
        icon=":material/warning:",
    )
    offered = purpose.columns_that_say_something(question.looked_at(data))
    others = tuple(name for name in offered if name not in needed)  # those too that the proposal drops
    with st.container(horizontal=True, gap="small"):
        st.button(
            "Without what is removed", key="verdict-without-removed", icon=":material/remove_selection:",
            on_click=guard.action(cheapest_change.drop), args=(left.removed,), disabled=not left.removed,
            help=f"Drops {page.listed(left.removed, len(left.removed))}, and searches again for the others. You can "
            "undo it." if left.removed else "No column that leaves is removed: they are dropped already.",
        )  # fmt: skip
        st.button(
            "Only what is needed", key="verdict-only-needed", icon=":material/flag:",
            on_click=guard.action(cheapest_change.drop), args=(others,), disabled=not (needed and others),
            help="Drops all columns but those that the data are needed for, and searches again. You can undo it."
            if needed else "Say above what the data are needed for first.",
        )  # fmt: skip
        is_public = session().aim.recipient == "public"
        st.button(
            "Under contract", key="verdict-under-contract", icon=":material/handshake:",
            on_click=guard.action(recipient.take), args=("contract",), disabled=not is_public,
            help="Asks what is usual of a recipient who has signed what may be done with the data. You can undo it."
            if is_public else "The recipient is none of the public already.",
        )  # fmt: skip


def _survives(offer: Offer, data: Dataset) -> str:
    """How much of what must survive does, where something is named and it is measured."""
    share = usefulness.survives(_recipe_by(offer, data), data)
    return "" if share is None else f"What must survive: **{words.percent(share)}** kept."


def _show_take(offer: Offer, data: Dataset, primary: bool) -> None:
    in_use = _is_in_use(offer, data)
    st.button(
        "In the recipe" if in_use else "Take this", key=f"verdict-{'taken' if in_use else 'take'}-{offer.title}",
        type="primary" if primary else "secondary",
        icon=":material/check:" if in_use else ":material/playlist_add_check:", disabled=in_use,
        on_click=guard.action(question.take), args=(offer, view.now().aim), width="stretch",
        help="It is what the recipe does." if in_use else "Its steps take the place of what the recipe does to these "
        "columns. You can undo it.",
    )  # fmt: skip


def _show_what_ifs(offers: Offers, data: Dataset) -> None:
    """Why nothing was found, and each of the ways out with one click."""
    st.warning(plain(offers.why_none), icon=":material/warning:")
    if not offers.what_ifs:
        st.markdown(
            "No single change was found that would make a release possible: take criteria out, or choose fewer known "
            "columns."
            if offers.all_tried
            else "The search for what would make a release possible did not come to its end."
        )
        return
    st.markdown("Each of these alone would make a release possible:")
    for i, what_if in enumerate(offers.what_ifs):
        with st.container(horizontal=True, vertical_alignment="center", gap="small"):
            _offer_what_if(what_if, i, data)


def _offer_what_if(what_if: WhatIf, place: int, data: Dataset) -> None:
    """A way out with its button; beyond a criterion's usual limits it needs a reason, which is kept with the limit."""
    unusual = what_if.new is not None and what_if.new.is_unusual
    value = "" if what_if.harmless is None else f" (“{plain(what_if.harmless[1], 40)}”)"
    text = f"{plain(what_if.says)}{value}{_how_many(what_if.new, data)}"
    if not unusual:
        st.button(
            "Allow it", key=f"verdict-remedy-{place}", on_click=guard.action(allow), args=(what_if,),
            icon=":material/check:", help=f"Allows: {plain(what_if.says)}. You can undo it.",
        )  # fmt: skip
        st.markdown(text)
        return
    with st.popover("Allow it, with a reason", icon=":material/edit_note:"):
        st.markdown(f"{text}. That is more than is usual: say why it is right for this release.")
        reason = keep.text(f"verdict-remedy-reason-{place}", "Reason", help="Kept as where the limit comes from.")
        st.button(
            "Allow it", key=f"verdict-remedy-{place}", on_click=guard.action(allow), args=(what_if, reason.strip()),
            icon=":material/check:", disabled=not reason.strip(),
            help="You can undo it." if reason.strip() else "Type a reason first.",
        )  # fmt: skip
    st.markdown(text)


def _how_many(criterion: Criterion | None, data: Dataset) -> str:
    """Whom a limit on a share lets be concerned, as a number of the file's; "" where it is on something else."""
    at_risk = None if criterion is None else criterion.limit_on("share_at_risk")
    if at_risk is None:
        return ""
    n = data.classes([]).n_records
    return f": {math.floor(at_risk * n):,} of {words.count(n, data.unit)}"


def allow(what_if: WhatIf, reason: str = "") -> None:
    """Ask less, or allow more, as a remedy says; a reason becomes where its limit comes from."""
    aim = session().aim
    if what_if.old is not None and what_if.new is not None:
        new = replace(what_if.new, source=reason) if reason else what_if.new  # type: ignore[type-var]
        aim = aim.replacing(what_if.old, new)
    if what_if.free:
        aim = replace(aim, fixed=tuple(name for name in aim.fixed if name != what_if.free))
    if what_if.drop:
        aim = replace(aim, droppable=(*aim.droppable, *what_if.drop))
    if what_if.harmless is not None:
        aim = aim.with_harmless_in(*what_if.harmless)
    session().aim = aim


def lights(verdict: Verdict) -> str:
    """The criteria of a verdict in a line, each with what was found."""
    return " · ".join(
        f"{_ICONS.get(finding.state, _UNKNOWN)} {plain(finding.criterion.title)}" for finding in verdict.findings
    )


def _met_in_short(verdict: Verdict) -> str:
    """That all criteria are met, or which are not."""
    not_met = [finding for finding in verdict.findings if not finding.is_met]
    if not not_met:
        return f"{_ICONS[State.MET]} {len(verdict.findings)} of {len(verdict.findings)}"
    return " · ".join(f"{_ICONS.get(finding.state, _UNKNOWN)} {plain(finding.criterion.title)}" for finding in not_met)


def _changes(proposal: Proposal, data: Dataset) -> str:
    if not proposal.steps:
        return "Nothing has to change."
    lines = [f"- **{plain(titled(name), 60)}**: {plain(how, 60)}" for name, how in proposal.changes.items()]
    if proposal.left_out:
        lines.append(f"- {words.count(proposal.left_out, data.unit)} left out")
    if proposal.rows_out:
        lines.append(f"- {words.count(proposal.rows_out, 'rows')} of persons left out")
    return "\n".join(lines)

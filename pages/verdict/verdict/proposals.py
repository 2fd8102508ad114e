"""What would do: the least change that meets all criteria, in three readings of “least”, each with one click."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import streamlit as st

from anonlib import words
from anonlib.adviser import Adviser, Found, Proposal
from anonlib.criteria import Aim, State, Verdict
from anonlib.dataset import Dataset
from anonlib.errors import InputError
from anonlib.hierarchies import Hierarchy, suggested_hierarchy
from pages.verdict.verdict import mending
from ui import cache, guard, long_work, original, page, view
from ui.state import session
from ui.text import plain

AT_ONCE = 1.5
"""Seconds of work, as estimated, up to which proposals are made without being asked for."""
_EACH = 20.0  # seconds a proposal may take
_ICONS = {State.MET: ":green[:material/check_circle:]", State.NOT_MET: ":red[:material/cancel:]"}


@dataclass(frozen=True, eq=False)
class Offer:
    """A proposal with what it is called."""

    title: str
    what: str
    proposal: Proposal


@dataclass(frozen=True, eq=False)
class Offers:
    """Proposals made so far, or why there is none."""

    offers: tuple[Offer, ...] = ()
    why_none: str = ""


def made(data: Dataset) -> Offers | None:
    """The proposals for the session's aim; None while they are not asked for."""
    aim, hierarchies = session().aim, session().hierarchies
    looked_at = original.to_protect(data)
    expected = seconds(looked_at)
    if expected <= AT_ONCE:
        return cache.remember(_at_once, looked_at, aim=aim, hierarchies=hierarchies)
    name = f"verdict-{looked_at.key}-{cache.digest(aim, hierarchies)}"
    stages = [(title, _stage(name, looked_at, aim, hierarchies, i)) for i, (title, _, _) in enumerate(_KINDS)]
    return long_work.best_so_far(name, stages, 3 * expected, "Searching for the least change")


def seconds(data: Dataset) -> float:
    """About how long one proposal takes. Calibrated on the Adult data."""
    columns = len(data.quasi_identifiers) + len(data.sensitive)
    return 0.1 + 4e-7 * data.n_records * columns**2 / 3


def _at_once(data: Dataset, *, aim: Aim, hierarchies: dict[str, Hierarchy]) -> Offers:
    offers = Offers()
    adviser = _adviser(data, aim, hierarchies)
    for i in range(len(_KINDS)):
        offers = _added(offers, adviser, i, None)
    return offers


def _stage(
    name: str, data: Dataset, aim: Aim, hierarchies: dict[str, Hierarchy], place: int
) -> Callable[[Callable[..., None]], Offers]:
    def compute(tell: Callable[..., None]) -> Offers:
        earlier: Offers = long_work.result(name) or Offers()
        adviser = cache.remember(_kept_adviser, data, aim=aim, hierarchies=hierarchies)

        def watch(share: float, found: Found | None) -> None:
            best = None if found is None else _with(earlier, place, adviser.of(found))
            tell(share, best)

        return _added(earlier, adviser, place, watch)

    return compute


def _kept_adviser(data: Dataset, *, aim: Aim, hierarchies: dict[str, Hierarchy]) -> Adviser:
    return _adviser(data, aim, hierarchies)


def _adviser(data: Dataset, aim: Aim, hierarchies: dict[str, Hierarchy]) -> Adviser:
    return Adviser(mending.asked(data, aim, aim.criteria, hierarchies))


def _added(earlier: Offers, adviser: Adviser, place: int, watch) -> Offers:
    _, _, search = _KINDS[place]
    found = search(adviser, _EACH, watch)
    if found is None:
        return earlier if earlier.offers or place else Offers(why_none=_why_none(adviser))
    return _with(earlier, place, found)


def _with(earlier: Offers, place: int, proposal: Proposal) -> Offers:
    title, what, _ = _KINDS[place]
    if any(dict(each.proposal.levels) == dict(proposal.levels) and each.title != title and
           each.proposal.left_out == proposal.left_out for each in earlier.offers):  # fmt: skip
        return earlier
    others = tuple(each for each in earlier.offers if each.title != title)
    return Offers((*others, Offer(title, what, proposal)))


_KINDS: tuple[tuple[str, str, Callable[..., Proposal | None]], ...] = (
    ("Keeps most detail", "The least detail is lost, with as many left out as may be.", Adviser.most_detail),
    ("Keeps all records", "Nobody is left out.", Adviser.most_records),
    ("Changes fewest columns", "As many columns as possible stay as they are.", Adviser.fewest_columns),
)


def _why_none(adviser: Adviser) -> str:
    """Why no change does, in words, with what would let one."""
    found = adviser.conflict()
    if found is None:
        return "No change was found in the time."
    conflict, criteria = found
    unit = adviser.data.unit
    asked = " and ".join(f"“{criterion.title}”" for criterion in criteria)
    fixed = [name for name in adviser.data.quasi_identifiers if name not in adviser.problem.columns]
    stays = f" while {words.listed(fixed)} must stay as {'it is' if len(fixed) == 1 else 'they are'}" if fixed else ""
    which = "the criteria" if len(criteria) > 1 else "the criterion"
    ways = ["a milder limit", "more of them left out"]
    if fixed:
        ways.append(f"{words.listed(fixed, last='or')} free to change")
    if any(guarantee in adviser.data.sensitive for guarantee in adviser.data.sensitive):
        ways.append("a sensitive column left out or with harmless values")
    return (
        f"Nothing that is allowed meets {which} {asked}{stays}: at the coarsest, "
        f"{words.share(conflict.violating, adviser.problem.n_records, unit)} still violate the first, and "
        f"{conflict.most:,} may be left out. It may be possible with {words.listed(ways, last='or with')}."
    )


# ---- shown ----


def show(data: Dataset, verdict: Verdict) -> None:
    """A card for each proposal."""
    try:
        offers = made(data)
    except InputError as error:
        st.info(plain(str(error)), icon=":material/info:")
        return
    if offers is None:
        return
    if offers.why_none:
        st.warning(plain(offers.why_none), icon=":material/warning:")
        return
    for place, offer in zip(st.columns(3), offers.offers, strict=False):
        with place, st.container(border=True, height="stretch"):
            _show_offer(offer, data)
    page.counts(
        "Detail lost is the share of what the known and sensitive columns tell, cell by cell (Iyengar 2002, LM); who "
        "is left out loses all. “Proven” means that no other choice of levels loses less."
    )


def _show_offer(offer: Offer, data: Dataset) -> None:
    proposal = offer.proposal
    st.markdown(f"**{offer.title}**", help=offer.what)
    kept = proposal.n_records - proposal.left_out
    left, right = st.columns(2)
    left.metric("Detail lost", words.percent(proposal.loss))
    right.metric(f"{data.unit.capitalize()} kept", words.percent(kept / max(1, proposal.n_records)))
    st.caption(_how_sure(proposal))
    st.markdown(_changes(proposal, data))
    recipe = proposal.taken(view.now().recipe, data)
    found = view.now().verdict_of(recipe)
    assert found is not None
    lights = [
        f"{_ICONS.get(each.state, ':orange[:material/help:]')} {plain(each.criterion.title)}" for each in found.findings
    ]
    st.markdown(" · ".join(lights))
    in_use = recipe.digest == view.now().recipe.digest
    st.button(
        "In the recipe" if in_use else "Take this", key=f"verdict-take-{offer.title}", type="primary",
        icon=":material/check:" if in_use else ":material/playlist_add_check:", disabled=in_use,
        on_click=guard.action(mending.taken), args=(proposal,), width="stretch",
        help="It is what the recipe does." if in_use else "Its steps take the place of what the recipe does to these "
        "columns. You can undo it.",
    )  # fmt: skip


def _how_sure(proposal: Proposal) -> str:
    found = proposal.found
    if found.proven:
        return "Proven: no other choice loses less."
    if found.finished:
        return "Least found: every choice of levels was weighed; whom to leave out is a good choice, not proven."
    return "Least found so far, in the time."


def _changes(proposal: Proposal, data: Dataset) -> str:
    if not proposal.steps:
        return "Nothing has to change."
    hierarchies = session().hierarchies
    lines = []
    for name, level in proposal.levels.items():
        hierarchy = hierarchies.get(name) or suggested_hierarchy(data.records[name])
        how = "left out" if name in data.sensitive else hierarchy.with_top().describe(level)
        lines.append(f"- **{plain(name, 30)}**: {plain(how, 60)}")
    if proposal.left_out:
        lines.append(f"- {words.count(proposal.left_out, data.unit)} left out")
    return "\n".join(lines)

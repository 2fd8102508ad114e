"""A row for each criterion: how it stands, what mends it, and its limits."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from datetime import date
from typing import Any

import pandas as pd
import streamlit as st

from anonlib.basics import words
from anonlib.dataset import Dataset
from anonlib.verdict.criteria import CRITERION_KINDS, Accepted, Criterion, Finding, Limit, Option, State, Verdict
from pages.verdict.verdict import cheapest_change
from ui.kit import criterion_pages, glossary, page
from ui.session import guard, keep
from ui.session.names import titled
from ui.session.state import session
from ui.text import plain

_LOOKS = {
    State.MET: (":green[:material/check_circle:]", "Met"),
    State.NOT_MET: (":red[:material/cancel:]", "Not met"),
    State.UNKNOWN: (":orange[:material/help:]", "Cannot be checked"),
}
_IN_ORDER = (
    "smallest_class", "highest_risk", "average_risk", "combinations", "rare_values", "inference", "diversity",
    "closeness", "method", "leakage", "telling_columns", "columns_not_counted", "alone_by_what_leaves", "safe_harbor",
    "smallest_place", "no_identifiers", "earlier_releases", "same_pseudonyms", "records_kept", "detail_kept",
    "columns_stay",
)  # fmt: skip
"""Kinds of criteria as they are offered, by their names in saved projects; another one comes after these."""
_MOST_SHOWN = 200  # values that could not be read
_UNREAD_HEIGHT = 220  # pixels


def show_rows(verdict: Verdict, data: Dataset) -> None:
    """A line a criterion, which opens on demand; what stands against the release comes first."""
    places = sorted(range(len(verdict.findings)), key=lambda i: verdict.findings[i] not in verdict.against)
    for place in places:
        finding = verdict.findings[place]
        with st.expander(_line(verdict, finding), key=f"verdict-row-{place}"):
            _show_row(verdict, finding, data, place)
    with st.popover("Another criterion", icon=":material/add:"):
        _offer_more()


def _line(verdict: Verdict, finding: Finding) -> str:
    """How a criterion stands, in a line."""
    criterion, (icon, state) = finding.criterion, _looks(verdict, finding)
    aim = session().aim
    now, at_first = (sum(type(other) is type(criterion) for other in of) for of in (aim.criteria, aim.of.criteria))
    is_own = criterion in aim.criteria and aim.is_changed(criterion)
    changed = "" if not is_own else " · added" if now > at_first else " · changed"
    line = f"{icon} **{state} · {plain(criterion.title)}**{changed}"
    if finding.now is None:
        return line
    after = criterion.shown(finding.now)
    before = after if finding.original is None else criterion.shown(finding.original)
    return f"{line} · {plain(words.change(before, after))} ({plain(criterion.bound)})"


def _looks(verdict: Verdict, finding: Finding) -> tuple[str, str]:
    """The icon of a finding, and how it stands in a word or two."""
    if verdict.acceptance(finding) is not None and not finding.is_met:
        return ":orange[:material/handshake:]", "Accepted"
    return _LOOKS[finding.state]


def _show_row(verdict: Verdict, finding: Finding, data: Dataset, place: int) -> None:
    criterion, accepted = finding.criterion, verdict.acceptance(finding)
    what, actions = page.beside(13, 7, gap="small")
    what.markdown(
        f"{plain(criterion.describe_in(data.unit, data.has_several_rows))}  \n"
        f":small[:gray[{_details(finding, accepted)}]]",
        help=glossary.linked(criterion.source, criterion.word),
    )
    with actions, st.container(horizontal=True, horizontal_alignment="right", gap="small"):
        cheapest_change.offer(verdict, finding, f"verdict-mend-{place}")
        if criterion.page != "Verdict":
            criterion_pages.button(criterion, f"verdict-look-{place}")
        with st.popover("Limits", key=f"verdict-limits-{place}"):
            _show_limits(criterion, place)
            if criterion.mending.how == "count_as_known":
                _ask_unknowable(finding)
            if criterion.kind in FORMS:
                FORMS[criterion.kind](criterion, data)
            _offer_acceptance(finding, accepted, place)
            is_chosen = criterion in session().aim.criteria
            st.button(
                "Remove this criterion", key=f"verdict-remove-{place}", icon=":material/delete:",
                on_click=guard.action(_replace), args=(criterion, None), disabled=not is_chosen,
                help=None if is_chosen else criterion.why_asked or None,
            )  # fmt: skip


def _details(finding: Finding, accepted: Accepted | None) -> str:
    """What was found, from which knowledge most, and why it is accepted."""
    text = plain(finding.says)
    if finding.worst and not finding.columns and not finding.is_met:
        worst = words.listed([f"{name} ({n:,})" for name, n in finding.worst[:3]], 3)
        text += f" Most by {plain(worst)}."
    if accepted is not None and not finding.is_met:
        text += plain(f" Accepted{_by(accepted)}: {accepted.reason}")
    return text


def _by(accepted: Accepted) -> str:
    who = f" by {accepted.who}" if accepted.who else ""
    return f"{who} on {accepted.when}" if accepted.when else who


# ---- limits ----


def _show_limits(criterion: Criterion, place: int) -> None:
    for limit in criterion.limits:
        _show_limit(criterion, limit, place)
    for option in criterion.options:
        _show_option(criterion, option, place)


def _show_limit(criterion: Criterion, limit: Limit, place: int) -> None:
    """A limit as a number, shares in percent."""
    value = getattr(criterion, limit.field)
    scale = 100 if limit.unit == "share" else 1
    whole = limit.unit == "count"

    def take(given: float | None) -> None:
        if given is not None:
            new = int(given) if whole else round(float(given) / scale, 6)
            _replace(criterion, replace(criterion, **{limit.field: new}))  # type: ignore[type-var]

    of = int if whole else float
    most = None if limit.most is None else of(limit.most * scale)
    keep.number(
        f"verdict-{place}-{criterion.kind}-{limit.field}", limit.label + (", in %" if scale == 100 else ""),
        of(limit.least * scale), most, of(round(value * scale, 4)), take=take,
        format=None if whole else "%g",
    )  # fmt: skip


def _show_option(criterion: Criterion, option: Option, place: int) -> None:
    named = dict(option.choices)
    keep.select(
        f"verdict-{place}-{option.field}", option.label, tuple(named), getattr(criterion, option.field),
        format_func=named.__getitem__,
        take=lambda chosen: _replace(criterion, replace(criterion, **{option.field: chosen})),  # type: ignore[type-var]
    )  # fmt: skip


def _replace(old: Criterion, new: Criterion | None) -> None:
    session().aim = session().aim.replacing(old, new)


def _ask_unknowable(finding: Finding) -> None:
    """Which of the columns at fault nobody outside can know, as the officer says."""
    unknowable = session().unknowable
    offered = tuple(dict.fromkeys((*unknowable, *finding.columns)))
    if offered:
        keep.several(
            "verdict-unknowable", "Nobody outside can know", offered, unknowable, take=_take_unknowable,
            format_func=titled, placeholder="Choose columns",
            help="A column that no register, social network, neighbour or colleague could know of anybody in the file.",
        )  # fmt: skip


def _ask_columns(criterion: Any, data: Dataset) -> None:
    """Which columns must stay as they are."""
    chosen = [name for name in criterion.columns if name in data.columns]
    keep.several(
        "verdict-stay", "Must stay as they are", data.columns, chosen, format_func=titled,
        take=lambda held: _replace(criterion, replace(criterion, columns=tuple(held))),
    )  # fmt: skip


FORMS: dict[str, Callable[[Any, Dataset], None]] = {"columns_stay": _ask_columns}
"""By kind of criterion, what its form asks besides its limits and options."""


def _take_unknowable(chosen: list[str]) -> None:
    session().unknowable = tuple(chosen)


# ---- accepted with a reason ----


def _offer_acceptance(finding: Finding, accepted: Accepted | None, place: int) -> None:
    criterion = finding.criterion
    if accepted is not None:
        st.button(
            "Take the acceptance back", key=f"verdict-not-accept-{place}", icon=":material/undo:",
            on_click=guard.action(_not_accept), args=(criterion,),
        )  # fmt: skip
        return
    if finding.is_met:
        return
    _show_unread(finding)
    st.markdown("Or accept it as it is:")
    reason = keep.text(f"verdict-{place}-{criterion.kind}-reason", "Reason to accept it", help="Kept with the verdict.")
    who = keep.text(f"verdict-{place}-who", "Your name", help="Who accepts it; optional.")
    st.button(
        "Accept with this reason", key=f"verdict-accept-{place}", icon=":material/handshake:",
        on_click=guard.action(_accept), args=(finding, reason, who), disabled=not reason.strip(),
        help=None if reason.strip() else "Type a reason first.",
    )  # fmt: skip


def _show_unread(finding: Finding) -> None:
    """The different values that could not be read, which a reason is about: it counts for no other value."""
    if not finding.cells:
        return
    values = [(titled(name), value) for name, unread in finding.cells for value in unread]
    shown = pd.DataFrame(values[:_MOST_SHOWN], columns=["Column", "Value"])
    more = f"; the first {_MOST_SHOWN} of {len(values):,}" if len(values) > _MOST_SHOWN else ""
    st.markdown(f"Values that could not be read{more}. A reason is kept for these and for no others.")
    page.table(shown, "Values that could not be read, by column", height=page.table_height(len(shown), _UNREAD_HEIGHT))


def _accept(finding: Finding, reason: str, who: str) -> None:
    session().aim = session().aim.accepting(Accepted.of(finding, reason, who, date.today().isoformat()))


def _not_accept(criterion: Criterion) -> None:
    session().aim = session().aim.not_accepting(criterion)


# ---- one more ----


def _offer_more() -> None:
    titles = {criterion.title: criterion for criterion in _offered()}
    chosen = keep.select("verdict-more", "Another criterion", list(titles), width=360)
    st.button("Add it", key="verdict-add", icon=":material/add:", on_click=guard.action(_add), args=(titles[chosen],))


def _offered() -> list[Criterion]:
    kinds = [*_IN_ORDER, *(kind for kind in CRITERION_KINDS if kind not in _IN_ORDER)]
    return [criterion for kind in kinds for criterion in CRITERION_KINDS[kind].offered()]


def _add(criterion: Criterion) -> None:
    session().aim = session().aim.with_criterion(criterion)

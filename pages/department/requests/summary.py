"""How many requests wait and are due, the requests a line each, and the head of the one that is looked at."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, date, datetime

import streamlit as st

from anonlib.basics import words
from anonlib.filing.department.person import TeamRole
from anonlib.filing.department.transitions import Request, RequestState
from pages.department.requests import controls, results
from pages.department.requests.results import RequestInView
from ui.files import department
from ui.kit import glossary, page, request
from ui.text import plain

_MOST_LISTED = 50
_OVER_SOON = 7  # days that somebody may wait for a review


def show_all() -> None:
    """What waits for a reviewer, and what somebody submitted, with what is due; each by role."""
    person, today = department.person(), datetime.now(UTC).date()
    is_reviewer, is_officer = (role in person.roles for role in (TeamRole.REVIEWER, TeamRole.OFFICER))
    own = department.requests().own(person) if is_officer else ()
    claimed, free = results.waiting(person) if is_reviewer else ([], [])
    decided = results.decided(person) if is_reviewer else []
    due = [submitted for submitted in own if results.due_in_words(submitted, today)]
    figures = []
    if is_reviewer:
        longest = max((results.days_since(submitted.submitted) for submitted in free), default=0)
        figures += [
            ("Waiting", f"{len(free):,}", glossary.linked("Requests that nobody has claimed.", "request")),
            ("Longest", _days(longest) if free else "—", "Since the first of them was submitted."),
            (
                "In your review",
                f"{len(claimed):,}",
                glossary.linked("Requests that you claimed and have not decided.", "request"),
            ),
        ]
    if is_officer:
        n_open = sum(submitted.is_open for submitted in own)
        figures += [
            ("Yours, open", f"{n_open:,}", glossary.linked("Requests of yours whose file has not left.", "request")),
            ("Due from you", f"{len(due):,}", "To be changed, taken out, or assessed again within 30 days."),
        ]
    for place, (label, value, about) in zip(page.beside(*[1] * len(figures), gap="small"), figures, strict=True):
        place.metric(label, value, help=about)
    if is_reviewer:
        _show_list("In your review", claimed, "", today)
        _show_list("Waiting", free, "Nothing waits for a reviewer.", today)
    if is_officer:
        nothing = "You have submitted nothing yet. The Report page offers it once the case and the verdict are there."
        _show_list("Yours", sorted(own, key=lambda submitted: submitted not in due), nothing, today)
    if is_reviewer:
        _show_list("Decided", decided, "", today)


def _show_list(title: str, requests: Sequence[Request], nothing: str, today: date) -> None:
    """Requests, a line each; the sentence where there are none, and nothing at all where that is empty."""
    if not requests and not nothing:
        return
    st.subheader(title, anchor=False)
    if not requests:
        st.caption(nothing)
        return
    with st.container(border=True, gap="small"):
        for submitted in requests[:_MOST_LISTED]:
            _show_line(submitted, title, today)
    if len(requests) > _MOST_LISTED:
        st.caption(f"The first {_MOST_LISTED} of {len(requests):,}; the others are older.")


def _show_line(submitted: Request, title: str, today: date) -> None:
    says, meant = page.beside(7, 2, gap="small", align="center")
    case = submitted.asks.case
    days = results.days_since(submitted.submitted)
    ago = _days(days) if not days else f"{_days(days)} ago"
    parts = [f"{plain(submitted.officer.name, 40)}, {ago}"]
    if submitted.reviewer is not None:
        parts.append(f"reviewer: {plain(submitted.reviewer.name, 40)}")
    if submitted.replaces is not None:
        parts.append(f"in the place of No. {submitted.replaces}")
    if submitted.replaced_by is not None:
        parts.append(f"replaced by No. {submitted.replaced_by}")
    if submitted.asks.is_by_reason:
        parts.append("by a written reason")
    if title == "Yours" and (due := results.due_in_words(submitted, today)):
        parts.append(f":orange[:material/event: {plain(due)}]")
    is_late = title == "Waiting" and days >= _OVER_SOON
    late = f" :orange-badge[{words.count(days, 'days')}]" if is_late else ""
    says.markdown(
        f"{request.badge(submitted)} **No. {submitted.number}** {plain(f'{case.reference} {case.title}'.strip(), 90)} "
        f"→ {plain(case.recipient, 60)}{late}  \n:small[:gray[{' · '.join(parts)}]]"
    )
    with meant, st.container(horizontal=True, horizontal_alignment="right"):
        controls.offer(submitted)


def _days(days: int) -> str:
    return words.count(days, "days") if days else "today"


def show_head(in_view: RequestInView) -> None:
    """Which request it is, for whom, and how far."""
    submitted = in_view.request
    case = submitted.asks.case
    with st.container(horizontal=True, vertical_alignment="center"):
        controls.show_way_back()
        st.subheader(f"No. {submitted.number}: {plain(f'{case.reference} {case.title}'.strip(), 120)}", anchor=False)
    parts = [
        f"to **{plain(case.recipient, 80)}** ({plain(submitted.asks.kind_name)})",
        f"by {plain(submitted.officer.name, 40)}, {submitted.submitted[:10]}",
    ]
    if submitted.reviewer is not None:
        parts.append(f"reviewer: {plain(submitted.reviewer.name, 40)}")
    if submitted.state in (RequestState.SUBMITTED, RequestState.IN_REVIEW, RequestState.APPROVED):
        parts.append(f"expires {submitted.expires}")
    if submitted.reassess:
        parts.append(f"assessed again by {submitted.reassess}")
    frozen = {"file": submitted.asks.file, "decisions": submitted.asks.decided, "evidence": submitted.asks.evidence}
    digests = "; ".join(f"{name} {digest[:12]}…" for name, digest in frozen.items())
    st.markdown(
        f"{request.badge(submitted)} {' · '.join(parts)}", help=f"Frozen when it was submitted, by SHA-256: {digests}."
    )
    if submitted.state is RequestState.RETURNED:
        st.warning(f"Returned: {plain(submitted.reason)}", icon=":material/keyboard_return:")
    if submitted.replaces is not None:
        st.caption(f"It came in the place of No. {submitted.replaces}, whose comments stand here too.")
    if submitted.replaced_by is not None:
        st.caption(f"No. {submitted.replaced_by} came in its place.")

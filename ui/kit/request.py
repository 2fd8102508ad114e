"""The request for review in a line: how far it is with what is decided, and where that is looked at."""

from __future__ import annotations

import streamlit as st

from anonlib.basics import words
from anonlib.filing.department.person import TeamRole
from anonlib.filing.department.transitions import Request, RequestState
from ui.files import department, projects
from ui.kit import page
from ui.server import who
from ui.session import view
from ui.session.state import session
from ui.text import plain

ICONS = {
    RequestState.SUBMITTED: ":material/hourglass_top:",
    RequestState.IN_REVIEW: ":material/visibility:",
    RequestState.RETURNED: ":material/keyboard_return:",
    RequestState.APPROVED: ":material/verified:",
    RequestState.RELEASED: ":material/outbox:",
    RequestState.EXPIRED: ":material/timer_off:",
    RequestState.WITHDRAWN: ":material/block:",
}
_COLOURS = {
    RequestState.RETURNED: "orange",
    RequestState.EXPIRED: "orange",
    RequestState.APPROVED: "green",
    RequestState.RELEASED: "green",
    RequestState.IN_REVIEW: "blue",
    RequestState.SUBMITTED: "blue",
}
_NOT_SUBMITTED = ":material/draft:"


def badge(request: Request) -> str:
    """What became of a request, as Markdown."""
    return f":{_COLOURS.get(request.state, 'gray')}-badge[{ICONS[request.state]} {request.state}]"


def of_loaded() -> tuple[Request | None, str] | None:
    """The request by which what is decided leaves, and why it may not yet; None at a desk, and without data."""
    now = view.now()
    if department.department() is None or now.data is None or now.applied is None or not session().roles:
        return None
    return department.request_of(projects.opened())


def show_standing() -> None:
    """How far the review of what is decided is, and what is missing; nothing at a desk, and without data."""
    known = of_loaded()
    if known is None:
        return
    request, why_not = known
    if request is None:
        st.markdown(f":orange[{_NOT_SUBMITTED} {plain(why_not)}]")
        st.page_link(page.REPORT, label="To submit it", icon=":material/send:")
        return
    says = why_not or f"Request No. {request.number} is {request.state}: its file may leave."
    colour = "orange" if why_not else "green"
    st.markdown(f":{colour}[{ICONS[request.state]} {plain(says)}]")
    is_changed = bool(why_not) and request.state not in (RequestState.SUBMITTED, RequestState.IN_REVIEW)
    to, label = (page.REPORT, "To submit it again") if is_changed else (page.REQUESTS, "To the request")
    st.page_link(to, label=label, icon=":material/arrow_forward:")


def show_line() -> None:
    """In the sidebar: the request of what is decided, and for a reviewer how many wait; nothing at a desk."""
    if department.department() is None:
        return
    person = who.person()
    if person is None:
        return
    if (known := of_loaded()) is not None:
        request, why_not = known
        if request is None:
            st.page_link(page.REPORT, label="Review: not submitted", icon=_NOT_SUBMITTED, help=plain(why_not))
        else:
            changed = request.state in (RequestState.APPROVED, RequestState.RELEASED) and why_not
            label = f"Review: No. {request.number} {request.state}{', changed since' if changed else ''}"
            about = plain(why_not) if why_not else "Its file may leave."
            st.page_link(page.REQUESTS, label=label, icon=ICONS[request.state], help=about)
    if TeamRole.REVIEWER in person.roles:
        waiting = [other for other in department.requests().queue(person) if _waits_for(other, person.subject)]
        n_requests = words.count(len(waiting), "requests")
        st.page_link(page.REQUESTS, label=f"To review: {n_requests}", icon=":material/fact_check:")


def _waits_for(request: Request, subject: str) -> bool:
    """Whether a reviewer can claim a request, or has."""
    if request.state is RequestState.SUBMITTED:
        return request.officer.subject != subject
    return request.reviewer is not None and request.reviewer.subject == subject

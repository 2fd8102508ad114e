"""What can be done with a request: claimed, commented, decided; each decision is asked about in its place."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, date, datetime, timedelta

import streamlit as st

from anonlib.basics import words
from anonlib.filing.case import MOST_CHARACTERS
from anonlib.filing.department.submission import COLUMN, CRITERION, STEP, CommentPlace, places_of
from anonlib.filing.department.transitions import Comment, Request, RequestState
from anonlib.filing.register.entry import a_year_after
from pages.department.requests.results import ChosenRequest, RequestInView
from ui.files import department
from ui.kit import glossary, page
from ui.session import guard, keep, state
from ui.session.state import session
from ui.text import plain, printable

_AREA = 80  # pixels of a text of several lines
_KINDS = {CRITERION: "Criterion", COLUMN: "Column", STEP: "Step"}


def offer(request: Request) -> None:
    """In the list: to look at a request, or to claim it."""
    person = department.person()
    is_free = request.state is RequestState.SUBMITTED and request.officer.subject != person.subject
    if is_free:
        st.button(
            "Claim", key=f"claim-{request.number}", icon=":material/back_hand:", on_click=guard.action(_claim),
            args=(request.number,), type="primary", help="Nobody else then reviews it, until you give it back.",
        )  # fmt: skip
    st.button(
        "Look at it", key=f"look-{request.number}", icon=":material/visibility:", on_click=guard.action(_look),
        args=(request.number,),
    )  # fmt: skip


def show_way_back() -> None:
    """Back to the list."""
    st.button("All requests", icon=":material/arrow_back:", key="request-back", on_click=guard.action(_look), args=(0,))


def _look(number: int) -> None:
    state.change_part(ChosenRequest, number=number, confirms="")


def _claim(number: int) -> None:
    department.requests().claim(number, department.person())
    _look(number)


# ---- decided ----


def show_decision(in_view: RequestInView) -> None:
    """What this person can do with it now."""
    request = in_view.request
    if in_view.is_claimed and request.state in (RequestState.IN_REVIEW, RequestState.APPROVED):
        _ask_decision(in_view)
    elif in_view.may_claim:
        st.markdown("**Nobody reviews it yet.**")
        st.button(
            "Claim it", key="request-claim", icon=":material/back_hand:", type="primary",
            on_click=guard.action(_claim), args=(request.number,),
        )  # fmt: skip
    elif in_view.is_own:
        _show_own(in_view)
    else:
        by = "" if request.reviewer is None else f", by {plain(request.reviewer.name, 40)}"
        st.markdown(f"It is **{request.state}**{by}.")


def _ask_decision(in_view: RequestInView) -> None:
    request, confirms = in_view.request, state.part(ChosenRequest).confirms
    if confirms == "approve":
        _confirm_approval(in_view)
    elif confirms == "return":
        _confirm_return(request)
    elif request.state is RequestState.APPROVED:
        st.markdown(f"**You approved it** on {request.since[:10]}. Its file may leave until {request.expires}.")
        _begin("Take the approval back", "return", ":material/undo:")
    else:
        open_ones = in_view.n_open
        st.markdown("**Your decision**")
        with st.container(horizontal=True):
            _begin(
                "Approve", "approve", ":material/verified:", primary=True,
                why_not=f"{words.count(open_ones, 'comments')} to be settled first." if open_ones else "",
            )  # fmt: skip
            _begin("Return", "return", ":material/keyboard_return:")
            st.button(
                "Give it back", key="request-give-back", icon=":material/undo:", on_click=guard.action(_give_back),
                args=(request.number,), help="Another reviewer can then claim it. Your comments stay.",
            )  # fmt: skip


def _begin(label: str, what: str, icon: str, primary: bool = False, why_not: str = "") -> None:
    st.button(
        label, key=f"request-{what}", icon=icon, on_click=guard.action(_ask_again), args=(what,),
        disabled=bool(why_not), help=why_not or None, type="primary" if primary else "secondary",
    )  # fmt: skip


def _ask_again(what: str) -> None:
    state.change_part(ChosenRequest, confirms=what)


def _confirm(label: str, icon: str, act: Callable[..., None], *args: object, why_not: str = "") -> None:
    """The second press, and the way not to."""
    with st.container(horizontal=True):
        st.button(
            label, key="request-confirm", icon=icon, type="primary", on_click=guard.action(act), args=args,
            disabled=bool(why_not), help=why_not or None,
        )  # fmt: skip
        st.button("Not yet", key="request-not-yet", on_click=guard.action(_ask_again), args=("",))


def _confirm_approval(in_view: RequestInView) -> None:
    request, today = in_view.request, datetime.now(UTC).date()
    leaves = "It leaves by a written reason, against its verdict. " if not in_view.evidence.may_leave else ""
    st.markdown(
        f"**Approve No. {request.number}?** {leaves}{plain(request.officer.name, 40)} can then take this very file "
        f"out, until {request.expires}. It is noted with your name."
    )
    day = keep.day(
        keep.per("request-reassess", request.number), "Assess it again by", a_year_after(today),
        min_value=today + timedelta(days=1),
        help=glossary.linked("From that day on no file leaves by this request.", "request"),
    )  # fmt: skip
    why_not = "" if day is not None else "Choose the day by which it is assessed again."
    _confirm("Yes, approve", ":material/verified:", _approve, request.number, day, why_not=why_not)


def _confirm_return(request: Request) -> None:
    st.markdown(
        f"**Return No. {request.number}?** {plain(request.officer.name, 40)} sees the reason and your comments."
    )
    reason = keep.area(
        keep.per("request-reason", request.number), "Why it is returned", height=_AREA, max_chars=MOST_CHARACTERS,
        placeholder="What must change. No value of a cell: this is kept.",
    )  # fmt: skip
    why_not = "" if reason.strip() else "Say why first."
    _confirm("Yes, return it", ":material/keyboard_return:", _return, request.number, reason, why_not=why_not)


def _approve(number: int, day: date) -> None:
    department.requests().approve(number, department.person(), day)
    state.change_part(ChosenRequest, confirms="")
    session().notice = f"Request No. {number} is approved. Its officer can take the file out."


def _return(number: int, reason: str) -> None:
    department.requests().send_back(number, department.person(), reason)
    state.change_part(ChosenRequest, confirms="")
    session().notice = f"Request No. {number} is returned."


def _give_back(number: int) -> None:
    department.requests().give_back(number, department.person())
    _look(0)
    session().notice = f"Request No. {number} waits for another reviewer."


# ---- by its officer ----


def _show_own(in_view: RequestInView) -> None:
    request = in_view.request
    st.markdown(
        {
            RequestState.SUBMITTED: "**It is yours, and waits for a reviewer.** Somebody else has to review it.",
            RequestState.IN_REVIEW: "**It is yours, and in review.**",
            RequestState.RETURNED: "**It is yours, and was returned.** Change what is asked, and submit it again from "
            "the Report page, in the place of this one.",
            RequestState.APPROVED: f"**It is yours, and approved.** Take its file out on the Release page until "
            f"{request.expires}.",
            RequestState.RELEASED: "**It is yours, and its file has left.**",
        }.get(request.state, f"It is yours, and {request.state}.")
    )
    for file in request.released:
        st.caption(f"{file.kind} of {file.moment[:10]}: SHA-256 {file.sha256}")
    with st.container(horizontal=True):
        if request.state is RequestState.APPROVED:
            st.page_link(page.RELEASE, label="To the file", icon=":material/outbox:")
        if request.state is RequestState.RETURNED:
            st.page_link(page.REPORT, label="Submit it again", icon=":material/description:")
    if not request.is_open:
        return
    if state.part(ChosenRequest).confirms == "withdraw":
        st.markdown(f"**Withdraw No. {request.number}?** Nothing can leave by it then.")
        _confirm("Yes, withdraw it", ":material/block:", _withdraw, request.number)
    else:
        _begin("Withdraw", "withdraw", ":material/block:")


def _withdraw(number: int) -> None:
    department.requests().withdraw(number, department.person())
    state.change_part(ChosenRequest, confirms="")
    session().notice = f"Request No. {number} is withdrawn."


# ---- comments ----


def show_comments(in_view: RequestInView) -> None:
    """What was written about it, and room for more."""
    st.markdown(f"**Comments**{f' · {in_view.n_open} open' if in_view.n_open else ''}")
    for comment in sorted(in_view.comments, key=lambda other: (not other.is_open, -other.number)):
        _show_comment(comment, in_view)
    number, places = in_view.request.number, places_of(in_view.evidence)
    name = keep.per("request-about", number)
    place = keep.select(
        name, "About", places, format_func=place_in_words,
        help=glossary.linked("The whole request, a criterion, a column or a step.", "request", "criterion"),
    )  # fmt: skip
    text_name = keep.per("request-comment", number)
    text = keep.area(
        text_name, "Comment", height=_AREA, max_chars=MOST_CHARACTERS,
        placeholder="No value of a cell: comments are kept, and are no part of the data.",
    )  # fmt: skip
    st.button(
        "Comment", key="request-add-comment", icon=":material/add_comment:", on_click=guard.action(_comment),
        args=(number, place, text_name), disabled=not text.strip(), help=None if text.strip() else "Write it first.",
    )  # fmt: skip


def _show_comment(comment: Comment, in_view: RequestInView) -> None:
    other = "" if comment.request == in_view.request.number else f", on No. {comment.request}"
    icon = ":orange[:material/chat_bubble:]" if comment.is_open else ":gray[:material/chat_bubble_outline:]"
    settled = f" · settled by {plain(comment.settled_by, 40)}" if comment.settled_by else ""
    st.markdown(
        f"{icon} **{printable(place_in_words(comment.place))}** · {plain(comment.text)}  \n"
        f":small[:gray[{plain(comment.by.name, 40)}, {comment.moment[:10]}{other}{settled}]]"
    )
    if comment.is_open and in_view.is_claimed:
        st.button(
            "Settled", key=f"settle-{comment.number}", icon=":material/check:", on_click=guard.action(_settle),
            args=(comment.number,), help="Nothing more is asked by it.",
        )  # fmt: skip


def place_in_words(place: CommentPlace) -> str:
    """What a comment is about, as text."""
    return f"{_KINDS[place.kind]} {place.name}" if place.kind in _KINDS else "The request"


def _comment(number: int, place: CommentPlace, text_name: str) -> None:
    department.requests().comment(number, department.person(), keep.value(text_name, ""), place)
    keep.put(text_name, "")


def _settle(comment: int) -> None:
    department.requests().settle(comment, department.person())

"""At a department's server: the case is submitted for review, with this very evidence."""

from __future__ import annotations

import streamlit as st

from anonlib.basics import words
from anonlib.filing.department.submission import lacks, submission_of, why_not_submitted
from anonlib.filing.department.transitions import Request, RequestState
from anonlib.filing.evidence import Evidence
from ui.files import department, projects
from ui.kit import glossary, page, request
from ui.session import guard, keep
from ui.session.state import session
from ui.text import plain

_WAITS = (RequestState.SUBMITTED, RequestState.IN_REVIEW)


def show_submission(evidence: Evidence) -> None:
    """How far the review of it is, and what is submitted; nothing at a desk."""
    known = request.of_loaded()
    if known is None:
        return
    latest, why_not = known
    opened = projects.opened()
    is_this = latest is not None and latest.asks.decided == opened.decided
    with st.container(border=True, gap="small"):
        if latest is not None:
            says = plain(why_not) if why_not else "Its file may leave: take it home on the Release page."
            changed = "" if is_this or not latest.is_open else " What is decided now is not what was submitted."
            st.markdown(f"**Review** {request.badge(latest)} {says}{changed}")
        if latest is not None and is_this and latest.is_open and latest.state is not RequestState.RETURNED:
            leads = page.RELEASE if not why_not else page.REQUESTS
            st.page_link(
                leads, label="To the file" if not why_not else "To the request", icon=":material/arrow_forward:"
            )
            return
        _ask(evidence, opened.data.digest, latest)


def _ask(evidence: Evidence, file: str, latest: Request | None) -> None:
    """What is frozen, in whose place it comes, and the button."""
    formats = [] if evidence.released is None else list(evidence.released.on_record)
    attacks = 0 if evidence.attacks is None else len(evidence.attacks.attacks)
    st.markdown(
        ("" if latest is not None else "**Review** · Records leave once somebody else has approved them. ")
        + "Frozen with it: this file, all that is decided on it, the case, and this evidence without a cell of the "
        f"data ({words.count(len(evidence.criteria), 'criteria')}, {words.count(attacks, 'attacks')}). It can leave as "
        f"{words.listed(formats, most=8, last='or') or 'no file'}. A change afterwards is a new request.",
        help=glossary.linked("Anybody with the role of a reviewer can claim it, but you.", "request", "criterion"),
    )
    replaces = _replaces(file)
    why_not = why_not_submitted(evidence.case, evidence)
    with st.container(horizontal=True, vertical_alignment="center"):
        st.button(
            "Submit for review", key="submit", icon=":material/send:", type="primary", disabled=bool(why_not),
            on_click=guard.action(_submit), args=(evidence, replaces), help=plain(why_not) or None,
        )  # fmt: skip
        if why_not:
            st.markdown(f":orange[{plain(why_not)}]")
            if lacks(evidence.case):
                st.page_link(page.CASE, label="To the case", icon=":material/assignment:")


def _replaces(file: str) -> int | None:
    """The earlier request about this file in whose place it comes, as the officer has it; None for none."""
    of_file = department.requests().of_file(department.person(), file)
    by_number = {
        previous.number: previous
        for previous in of_file
        if previous.replaced_by is None and previous.state is not RequestState.WITHDRAWN
    }
    if not by_number:
        return None
    not_released = [n for n, previous in by_number.items() if previous.state is not RequestState.RELEASED]
    chosen = keep.select(
        keep.per("submit-replaces", *by_number), "In the place of", [*by_number, 0], next(iter(not_released), 0),
        format_func=lambda number: _named(by_number.get(number)),
        help="Its comments go with it. One that is not decided yet is withdrawn.",
    )  # fmt: skip
    return chosen or None


def _named(previous: Request | None) -> str:
    if previous is None:
        return "none: it is another release"
    return f"No. {previous.number}, {previous.state}: {previous.asks.case.title}"


def _submit(evidence: Evidence, replaces: int | None) -> None:
    asks, document = submission_of(projects.opened(), evidence)
    submitted = department.requests().submit(department.person(), asks, document, replaces)
    session().notice = (
        f"Submitted as request No. {submitted.number}. Once somebody else has approved it, its file can leave until "
        f"{submitted.expires}."
    )

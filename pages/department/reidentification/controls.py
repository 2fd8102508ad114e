"""What an officer asks, what a reviewer decides, and the id that is shown once."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import streamlit as st

from anonlib.filing.department.person import TeamRole
from anonlib.release.pseudonyms import MOST_CHARACTERS, MOST_VERSIONS, Pseudonyms
from ui.files import department
from ui.kit import glossary, page
from ui.session import guard, keep, state, view
from ui.session.state import session
from ui.text import plain

if TYPE_CHECKING:  # which need the department's database
    from anonlib.filing.department.reidentification import Reidentification, Reidentifications

_AS_MADE = glossary.linked("As it was when they left: the register of releases has it.", "pseudonym", "register")
_STATES = {
    "asked": ":blue-badge[:material/hourglass_top: asked]",
    "approved": ":green-badge[:material/verified: approved]",
    "refused": ":orange-badge[:material/block: refused]",
    "shown": ":gray-badge[:material/visibility: shown]",
}


@dataclass(frozen=True)
class TypedPseudonym:
    """The pseudonym that was typed, in this session's memory and nowhere else; "" before.

    It is of no file: it stays when another one is opened.
    """

    OF_NO_FILE = True
    pseudonym: str = field(default="", repr=False)
    dropped: str = ""


def show_waiting() -> None:
    """What waits for a reviewer, each with both decisions; nothing for others."""
    person = department.person()
    if TeamRole.REVIEWER not in person.roles:
        return
    waiting = _questions().waiting(person)
    st.subheader("To decide", anchor=False)
    if not waiting:
        st.caption("Nobody else asks who somebody is.")
        return
    for question in waiting:
        with st.container(border=True, gap="small"):
            _show_question(question)
            with st.container(horizontal=True):
                st.button(
                    "Approve", key=f"approve-{question.number}", icon=":material/verified:",
                    on_click=guard.action(_decide), args=(question.number, True),
                    help="The officer who asked sees the id once. You do not.",
                )  # fmt: skip
                st.button(
                    "Refuse", key=f"refuse-{question.number}", icon=":material/block:",
                    on_click=guard.action(_decide), args=(question.number, False),
                )  # fmt: skip


def show_asking() -> None:
    """The question of an officer, and those that the officer asked; nothing for others."""
    person = department.person()
    if TeamRole.OFFICER not in person.roles:
        return
    st.subheader("Ask", anchor=False)
    keep.text(
        "reidentify-pseudonym", "Pseudonym", state.part(TypedPseudonym).pseudonym, take=_take_pseudonym,
        help=glossary.linked("As the recipient has it. It is kept in this session’s memory alone.", "pseudonym"),
    )  # fmt: skip
    _ask()
    own = _questions().own(person)
    if own:
        st.subheader("Yours", anchor=False)
    for question in own:
        with st.container(border=True, gap="small"):
            _show_question(question)
            if question.state == "approved":
                _offer_id(question)


def _ask() -> None:
    """The label, the reason and the button."""
    chosen, case = session().pseudonyms, session().case
    recipient_place, project_place = page.beside(1, 1, gap="small")
    recipient = keep.text(
        "reidentify-recipient", "For recipient", case.recipient if chosen is None else chosen.recipient,
        place=recipient_place, max_chars=MOST_CHARACTERS, help=_AS_MADE,
    )  # fmt: skip
    project = keep.text(
        "reidentify-project", "For project", case.title if chosen is None else chosen.project,
        place=project_place, max_chars=MOST_CHARACTERS, help=_AS_MADE,
    )  # fmt: skip
    version_place, key_place = page.beside(1, 1, gap="small")
    version = keep.number(
        "reidentify-version", "Version of the pseudonyms", 1, MOST_VERSIONS, 1 if chosen is None else chosen.version,
        place=version_place, help=_AS_MADE,
    )  # fmt: skip
    keys = {key.in_words: key.id for key in department.names_of_keys()}
    if not keys:
        st.caption("The department has no key of pseudonyms, so that none was made with one.")
        return
    key = keep.select("reidentify-key", "Key of the department", list(keys), place=key_place)
    reason = keep.area(
        "reidentify-reason", "Reason", help="Why the person must be known. Another one decides by it, and it is noted."
    )
    typed = state.part(TypedPseudonym).pseudonym
    lacks = "" if typed and recipient.strip() and project.strip() and reason.strip() else _LACKS
    st.button(
        "Ask who it is", type="primary", icon=":material/person_search:", on_click=guard.action(_ask_it),
        args=(recipient, project, keys[key], int(version or 1), reason), disabled=bool(lacks), help=lacks or None,
    )  # fmt: skip


_LACKS = "Type the pseudonym, the recipient, the project and the reason first."


def _offer_id(question: Reidentification) -> None:
    typed, data = state.part(TypedPseudonym).pseudonym, view.now().data
    lacks = "" if typed else "Type the pseudonym above first."
    lacks = lacks or ("" if data is not None else "Open the file that the release was made of first.")
    st.button(
        "Show the id", key=f"show-{question.number}", icon=":material/visibility:", on_click=guard.action(_show_id),
        args=(question.number,), disabled=bool(lacks), help=lacks or "Once: note what you need of it.",
    )  # fmt: skip


def _show_question(question: Reidentification) -> None:
    label = question.label
    decided = f", decided by {plain(question.reviewer_name, 40)}" if question.reviewer_name else ""
    st.markdown(
        f"{_STATES[question.state]} **No. {question.number}** of {question.asked[:10]}, "
        f"{plain(question.officer_name, 40)}{decided}: {plain(label.in_words, 700)}, key {label.key_id}.  \n"
        f"{plain(question.reason)}"
    )


def _take_pseudonym(pseudonym: str) -> None:
    state.change_part(TypedPseudonym, pseudonym=pseudonym.strip())


def _ask_it(recipient: str, project: str, key_id: str, version: int, reason: str) -> None:
    label = Pseudonyms(recipient, project, key_id, version)
    question = _questions().ask(department.person(), state.part(TypedPseudonym).pseudonym, label, reason)
    keep.put("reidentify-reason", "")
    session().notice = f"No. {question.number} is asked. Somebody else who reviews decides on it."


def _decide(number: int, approves: bool) -> None:
    questions, person = _questions(), department.person()
    question = questions.approve(number, person) if approves else questions.refuse(number, person)
    session().notice = f"No. {number} is {question.state}."


def _show_id(number: int) -> None:
    data = view.now().data
    assert data is not None
    question = next(asked for asked in _questions().own(department.person()) if asked.number == number)
    person_id = _questions().show(
        number, department.person(), state.part(TypedPseudonym).pseudonym, data, department.key_of(question.label)
    )
    session().notice = f"No. {number} is “{person_id}”. This is shown once."


def _questions() -> Reidentifications:
    here = department.department()
    assert here is not None  # the page is a department's alone
    return here.reidentifications

"""How person ids leave: as numbers drawn for this release, or as pseudonyms that a key gives."""

from __future__ import annotations

import streamlit as st

from anonlib.dataset import Dataset
from anonlib.release.pseudonyms import (
    KEY_FILE,
    MOST_CHARACTERS,
    MOST_VERSIONS,
    Pseudonyms,
    new_key,
    why_not,
)
from ui.files import department, projects
from ui.kit import glossary, page
from ui.kit.release_gate import Holds
from ui.session import guard, keep
from ui.session.state import session
from ui.text import plain

_NO_ID = "No person id leaves: no column is one, or the recipe drops it."
_NO_KEY_THERE = "The department has no key of pseudonyms yet. Its administrator makes one: anonscope keys make."
_OF_REGISTER, _OF_FILE = "The register’s", "A key file"
_WHAT = (
    "By default persons leave as **numbers drawn for this release**. As **pseudonyms by key** a person has the same "
    "name in each release for one recipient and project, and another one for any other: the recipient can follow "
    "persons over months, and releases add up, which the verdict says. The key stays with you: only its id and the "
    "label are in the project and the report."
)


def show(released: Dataset) -> None:
    """How person ids leave, in a control that opens."""
    chosen = session().pseudonyms
    leaves = released.ids_leave
    with st.popover(
        f"Person ids: {'random numbers' if chosen is None else 'pseudonyms by key'}", icon=":material/badge:",
        disabled=not leaves, help=None if leaves else _NO_ID,
    ):  # fmt: skip
        st.markdown(_WHAT)
        if chosen is not None:
            _show_chosen(chosen)
        _ask(chosen)


def in_words(released: Dataset) -> str:
    """What becomes of the ids in a release, in a few words; "" where none leaves."""
    if not released.ids_leave:
        return ""
    how = "numbers in random order" if session().pseudonyms is None else "pseudonyms by key"
    return f"ids in {page.listed([str(released.person_id)])} replaced by {how}"


def _show_chosen(chosen: Pseudonyms) -> None:
    """The label in use, whether its key is at hand, and the way back."""
    st.markdown(f"In use: {plain(chosen.in_words, 700)}, by the key **{chosen.key_id}**.")
    if sentence := why_not(chosen, projects.at_hand(chosen)):
        st.warning(plain(sentence), icon=":material/key:")
    st.button(
        "Use random numbers", key="pseudonyms-none", icon=":material/shuffle:", on_click=guard.action(_use),
        args=(None,),
    )  # fmt: skip


def _ask(chosen: Pseudonyms | None) -> None:
    """The label and the key, and the button that takes them."""
    case = session().case
    recipient = keep.text(
        "pseudonyms-recipient", "For recipient", case.recipient if chosen is None else chosen.recipient,
        max_chars=MOST_CHARACTERS, help=glossary.linked(
            "Another recipient gets other pseudonyms. Capitals and blanks do not count.",
            "pseudonym",
        ),
    )  # fmt: skip
    project = keep.text(
        "pseudonyms-project", "For project", case.title if chosen is None else chosen.project,
        max_chars=MOST_CHARACTERS, help=glossary.linked(
            "Type it in the same way each time: another project gets other pseudonyms.",
            "pseudonym",
        ),
    )  # fmt: skip
    version = keep.number(
        "pseudonyms-version", "Version of the pseudonyms", 1, MOST_VERSIONS, 1 if chosen is None else chosen.version,
        help=glossary.linked(
            "Raise it to give persons other pseudonyms from now on, such as after a breach.",
            "pseudonym",
        ),
    )  # fmt: skip
    is_of_department = department.department() is not None
    key_id = _ask_key_of_department(chosen) if is_of_department else _ask_key()
    lacks = "" if recipient.strip() and project.strip() else "Type the recipient and the project first."
    lacks = lacks or ("" if key_id else _NO_KEY_THERE if is_of_department else "Give a key file first.")
    wanted = None if lacks else (recipient, project, key_id, int(version or 1))
    in_use = wanted is not None and chosen is not None and chosen.is_same_label(_label(*wanted))
    st.button(
        "In use" if in_use else "Use these pseudonyms", key="pseudonyms-use", type="primary", icon=":material/key:",
        on_click=guard.action(_take), args=wanted or (), disabled=bool(lacks) or in_use,
        help=lacks or ("These are in use." if in_use else "You can undo it."),
    )  # fmt: skip


def _ask_key_of_department(chosen: Pseudonyms | None) -> str:
    """Which of the department's keys, by its name, as its id; "" where there is none."""
    keys = {key.in_words: key.id for key in department.names_of_keys()}
    if not keys:
        st.caption(_NO_KEY_THERE)
        return ""
    in_use = next((name for name, key_id in keys.items() if chosen is not None and key_id == chosen.key_id), None)
    name = keep.select(
        "pseudonyms-key", "Key of the department", list(keys), in_use or next(iter(keys)),
        help=glossary.linked(
            "The administrator makes and rotates them. Stay with the version under which the recipient follows "
            "persons: another one gives them other pseudonyms.",
            "pseudonym",
        ),
    )  # fmt: skip
    return keys[str(name)]


def _ask_key() -> str:
    """The key of a desk, the register's or that of a file, as its id; "" before one is given."""
    of_register, given = projects.of_register(), projects.given()
    if of_register is not None:
        source = keep.segments("pseudonyms-key-of", "Key", [_OF_REGISTER, _OF_FILE])
        if source == _OF_REGISTER:
            st.caption(f"The key in the folder of the register, {of_register.id}; for pseudonyms another is derived.")
            return of_register.id
    st.caption("No key is at hand." if given is None else f"The key {given.id} is at hand {projects.UNTIL}.")
    key = keep.key(projects.UPLOAD)
    st.file_uploader(
        "Key file", type="key", max_upload_size=1, key=key, on_change=guard.action(projects.take_upload),
        args=(key,),
        help="32 bytes, as “Make a key file” writes them. It is kept in this session’s memory alone.",
    )  # fmt: skip
    page.download(
        "Make a key file", new_key, KEY_FILE, "download-key", holds=Holds.INSIDE,
        help="Each click draws another key. Keep the file, and a copy of it, where your patients’ ids may be kept: who "
        "has it can make the pseudonym of any id, and without it nobody can make these pseudonyms again.",
    )  # fmt: skip
    return "" if given is None else given.id


def _label(recipient: str, project: str, key_id: str, version: int) -> Pseudonyms:
    return Pseudonyms(recipient, project, key_id, version)


def _take(recipient: str, project: str, key_id: str, version: int) -> None:
    _use(_label(recipient, project, key_id, version))


def _use(pseudonyms: Pseudonyms | None) -> None:
    session().pseudonyms = pseudonyms
    how = "random numbers" if pseudonyms is None else f"pseudonyms by key ({pseudonyms.in_words})"
    session().notice = f"Person ids leave as {how}."

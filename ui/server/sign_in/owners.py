"""Whose a session of Streamlit and the files that it makes are: the sign-in that its page was opened with."""

from __future__ import annotations

import os
from collections import defaultdict

from ui.server import keeping
from ui.server.private import MediaFileManager, get_script_run_ctx, session_of_deferred
from ui.server.sign_in.sign_ins import SignIn

_ADD = MediaFileManager.add
_EXECUTE = MediaFileManager.execute_deferred
_owners: dict[str, tuple[str, str]] = {}
"""By id of a session, the key of its sign-in and the subject."""
_files: defaultdict[str, set[str]] = defaultdict(set)
"""By id of a session, the ids of the files that it made."""


def note_files() -> None:
    """From now on know which session made which file that browsers can ask for."""
    MediaFileManager.add = _add  # type: ignore[method-assign, assignment]
    MediaFileManager.execute_deferred = _execute  # type: ignore[method-assign, assignment]


def take_session(session_id: str, sign_in: SignIn) -> bool:
    """Note that a session is of this sign-in; False, and nothing changes, where it is another subject's."""
    subject = sign_in.person.subject
    if _owners.get(session_id, ("", subject))[1] != subject:
        return False
    _owners[session_id] = sign_in.key, subject
    return True


def may_come_back(session_id: str, sign_in: SignIn) -> bool:
    """Whether a page of this sign-in may be given a session: one of the same subject, also of an earlier sign-in."""
    return session_id in _owners and _owners[session_id][1] == sign_in.person.subject


def has_session(sign_in: SignIn, session_id: str) -> bool:
    """Whether a session is one of this sign-in."""
    return session_id in _owners and _owners[session_id][0] == sign_in.key


def has_file(sign_in: SignIn, file_id: str) -> bool:
    """Whether a session of this sign-in made a file; the same bytes are one file, of each that made them."""
    own = [session_id for session_id, (key, _) in list(_owners.items()) if key == sign_in.key]
    return any(file_id in _files.get(session_id, ()) for session_id in own)


def file_at(address: str) -> str:
    """The id of the file that Streamlit serves at an address such as ``/media/1f8c.csv``."""
    return os.path.splitext(address.removeprefix("/media/"))[0]


def _add(manager: MediaFileManager, *args, **kwargs) -> str:
    address = _ADD(manager, *args, **kwargs)
    context = get_script_run_ctx(suppress_warning=True)
    if context is not None:
        _note(context.session_id, address)
    return address


def _execute(manager: MediaFileManager, file_id: str) -> str:
    session_id = session_of_deferred(manager, file_id)
    address = _EXECUTE(manager, file_id)
    if session_id is not None:
        _note(session_id, address)
    return address


def _note(session_id: str, address: str) -> None:
    _files[session_id].add(file_at(address))


def _forget(session_id: str) -> None:
    _owners.pop(session_id, None)
    _files.pop(session_id, None)


keeping.when_dropped.append(_forget)

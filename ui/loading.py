"""The file a session looks at: opened, prepared, read again in another way, forgotten."""

from __future__ import annotations

from dataclasses import replace

from anonlib.errors import InputError
from anonlib.project import Project
from anonlib.sources import ReadOptions, open_source
from ui import cache, state
from ui.loaded import AS_FOUND, Loaded, Refused
from ui.server.keeping import forget_uploads
from ui.state import Session, session


def load(data: bytes, name: str, options: ReadOptions | None = None) -> None:
    """Open a file and make it the session's data. Raises InputError, and then what was loaded stays."""
    options, now = options or AS_FOUND, session()
    loaded = Loaded(data, open_source(data, name, options), options)
    _begin(
        Session(
            loaded=loaded, project=Project(k=now.k, own_threshold=now.own_threshold), waiting=now.waiting,
            generation=now.generation + 1, past=now.past, future=now.future,
        )
    )  # fmt: skip


def load_upload(data: bytes, name: str, options: ReadOptions | None = None) -> None:
    """Open an officer's file; one that cannot be read is kept as ``refused``, for another try."""
    try:
        load(data, name, options)
    except InputError as error:
        session().refused = Refused(data, name, str(error))
    else:
        session().notice = f"{name} is loaded. Nothing is decided yet: look at it, then accept roles."


def reread(options: ReadOptions) -> None:
    """Read the loaded file again in another way; roles of columns that are still there stay."""
    now = session()
    assert now.loaded is not None
    source = open_source(now.loaded.data, now.loaded.source.name, options)
    now.loaded = replace(now.loaded, source=source, options=options, column_marks=(), merged=())
    now.project = now.project.on(source.frame.columns)
    now.settings, now.shown = {}, {}
    now.generation += 1


def prepare(**changes) -> None:
    """Change the missing marks or merged spellings of the loaded file."""
    now = session()
    assert now.loaded is not None
    now.loaded = replace(now.loaded, **changes)


def take_up(earlier: Session) -> None:
    """Make what an earlier session of another file decided and set the session's."""
    generation = max(session().generation, earlier.generation) + 1
    _begin(replace(earlier, generation=generation, editing=None, refused=None))


def forget() -> None:
    """Drop the data, everything computed from it, everything set for it and what could be undone."""
    _begin(Session(generation=session().generation + 1))


def _begin(new: Session) -> None:
    cache.forget()
    forget_uploads()
    state.begin(new)

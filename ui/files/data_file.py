"""The file a session looks at: opened, prepared, read again in another way, forgotten."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from anonlib.basics.errors import InputError
from anonlib.filing.department.acts import Act
from anonlib.filing.project import Loaded, LoadedFile, Project
from anonlib.reading.connected import Offered
from anonlib.reading.sources import AS_FOUND, ReadOptions
from anonlib.reading.tables.archives import unpacked
from anonlib.reading.tables.fhir import is_fhir
from ui.files import department
from ui.server.keeping import forget_uploads
from ui.session import limits, state
from ui.session.state import Arriving, ArrivingTable, ArrivingTables, Refused, Session, session

LARGE = 1 << 25
"""Bytes from which a file is read where the reading can be watched and stopped (``ui/files/upload.py``)."""


def load(data: bytes, name: str, options: ReadOptions | None = None) -> None:
    """Open a file and make it the session's data. Raises InputError, and then what was loaded stays."""
    _take(LoadedFile.of(data, name, options or AS_FOUND))


def load_upload(data: bytes, name: str, options: ReadOptions | None = None) -> None:
    """Open an officer's file, or let it arrive if it is large; one that cannot be read is kept as ``refused``."""
    options = options or AS_FOUND
    _read(Arriving(data, name, options))


def reread(options: ReadOptions) -> None:
    """Read the loaded file again in another way, or let it arrive; roles of columns that are still there stay."""
    loaded = session().loaded
    assert isinstance(loaded, LoadedFile)
    _read(Arriving(loaded.data, loaded.name, options, again=True))


def load_uploads(files: Sequence[tuple[str, bytes]]) -> None:
    """Open an officer's files: several, or one that holds several tables, as one case. Raises InputError."""
    session().refused = None
    try:
        inside = unpacked(*files[0])[0] if len(files) == 1 else []
    except InputError as error:
        (name, data), *_ = files
        session().refused = Refused(data, name, str(error))
        return
    if len(inside) == 1 and not is_fhir(inside[0].content):
        load_upload(inside[0].content, inside[0].name)
    else:
        load_tables(files)


def load_tables(files: Sequence[tuple[str, bytes]]) -> None:
    """Open files as the tables of one case, or let them arrive if they are large."""
    arriving, size = ArrivingTables(tuple(files)), sum(len(data) for _, data in files)
    limits.check_file(size)
    if size >= LARGE:
        session().arriving = arriving
    else:
        arrive(arriving, arriving.read())


def connect(offered: Offered) -> None:
    """Let a table of connected data arrive."""
    session().arriving = ArrivingTable(offered)


def connect_several(offered: Sequence[Offered]) -> None:
    """Let tables of connected data arrive as one case."""
    session().arriving = ArrivingTables(offered=tuple(offered))


def _read(file: Arriving) -> None:
    limits.check_file(len(file.data))
    if len(file.data) >= LARGE:
        session().arriving = file
        return
    try:
        read: Loaded | InputError = file.read()
    except InputError as error:
        read = error
    arrive(file, read)


def arrive(file: Arriving | ArrivingTable | ArrivingTables, read: Loaded | InputError) -> None:
    """Make what was read the session's data; what could not be read changes nothing but the sentence that is shown."""
    now = session()
    now.arriving = None
    if isinstance(read, InputError):
        if not isinstance(file, Arriving) or file.again:
            raise read
        now.refused = Refused(file.data, file.name, str(read))
    elif file.again:
        _take_again(read)
    else:
        _take(read)
        is_one = not isinstance(file, ArrivingTables) or len(file.files) + len(file.offered) == 1
        is_loaded = "is loaded. Nothing is decided yet: look at it" if is_one else "are loaded. Look at them"
        session().notice = f"{file.name} {is_loaded}, then accept the suggestions."


def leave() -> None:
    """Let the file go that arrives; the control that took it is a new one."""
    now = session()
    if now.arriving is not None and not now.arriving.again:
        forget_uploads()
    now.arriving = None
    now.generation += 1


def _take(loaded: Loaded) -> None:
    limits.take_file(loaded)
    department.note(Act.OPENED, sha256=loaded.digest)
    now = session()
    state.begin(
        Session(
            loaded=loaded, project=Project(k=now.k, own_threshold=now.own_threshold, roles=loaded.roles),
            waiting=now.waiting, generation=now.generation + 1, past=now.past, future=now.future,
        )
    )  # fmt: skip


def _take_again(read: Loaded) -> None:
    limits.take_file(read)
    now = session()
    assert now.loaded is not None
    now.loaded = replace(read, marks=now.loaded.marks)
    now.project = now.project.on(read.columns)
    now.settings, now.shown = {}, {}
    now.generation += 1
    now.notice = "The file was read again."


def prepare(**changes) -> None:
    """Change the missing marks or merged spellings of the loaded file."""
    now = session()
    assert now.loaded is not None
    now.loaded = replace(now.loaded, **changes)


def forget() -> None:
    """Drop the data, everything computed from it, everything set for it, what could be undone, register and key."""
    dropped = state.forget()
    limits.take_file(None)
    session().notice = " ".join(dropped)

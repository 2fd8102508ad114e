"""What one session holds. Nothing here is shared with another session or written to disk."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from itertools import count
from typing import Any, ClassVar, Generic, TypeVar, overload

import streamlit as st

from anonlib.basics import words
from anonlib.basics.progress import Progress, nobody
from anonlib.coarsening.hierarchies import Hierarchy
from anonlib.columns.roles import Role
from anonlib.counting.classes import Missing
from anonlib.dataset import Dataset
from anonlib.filing.case import ReleaseCase
from anonlib.filing.project import Loaded, LoadedFile, LoadedTable, LoadedTables, Project, ValueOrder, Variant
from anonlib.reading.connected import Offered
from anonlib.reading.sources import ReadOptions
from anonlib.release.pseudonyms import Pseudonyms
from anonlib.release.recipe import Recipe
from anonlib.release.saved import SavedRecipe
from anonlib.verdict.criteria import Aim
from ui.server.keeping import forget_uploads
from ui.server.private import get_script_run_ctx
from ui.session import cache

P = TypeVar("P")
T = TypeVar("T")
_KEY = "anonscope"
NOTHING = object()  # no value at all


@dataclass
class Shown:
    """The widget of a setting (``ui/session/keep.py``): how often it was replaced, the value it got last,
    and what its options were called."""

    version: int = 0
    value: Any = NOTHING
    names: dict[Any, str] = field(default_factory=dict)


class InProject(Generic[T]):
    """A field of the session's project, read and set as one of the session: setting it makes it another project."""

    def __set_name__(self, owner: type, name: str) -> None:
        self._name = name

    @overload
    def __get__(self, session: None, owner: type) -> InProject[T]: ...
    @overload
    def __get__(self, session: Session, owner: type) -> T: ...
    def __get__(self, session: Session | None, owner: type) -> InProject[T] | T:
        return self if session is None else getattr(session.project, self._name)

    def __set__(self, session: Session, value: T) -> None:
        change: dict[str, Any] = {self._name: value}
        session.project = replace(session.project, **change)


@dataclass(frozen=True)
class Refused:
    """A file that could not be read as it is, kept so that the officer can say how to read it."""

    data: bytes
    name: str
    message: str


@dataclass(frozen=True)
class Arriving:
    """A file that is being read, a large one where that can be watched (``ui/files/upload.py``).

    Attributes
    ----------
    data, name, options : the file, and how it is to be read.
    again : whether it is the one loaded, read in another way.
    """

    data: bytes
    name: str
    options: ReadOptions
    again: bool = False

    @property
    def size(self) -> str:
        """How large it is, in words."""
        return words.size(len(self.data))

    def read(self, progress: Progress = nobody) -> Loaded:
        """The file, read. Raises InputError where it cannot be."""
        return LoadedFile.of(self.data, self.name, self.options, progress)


@dataclass(frozen=True)
class ArrivingTable:
    """A table of connected data that is being opened, the values of its columns counted."""

    offered: Offered
    again: ClassVar[bool] = False

    @property
    def name(self) -> str:
        """What it is called."""
        return self.offered.name

    @property
    def size(self) -> str:
        """What and how large it is, in words."""
        n_bytes = self.offered.n_bytes
        return self.offered.kind if n_bytes is None else f"{self.offered.kind}, {words.size(n_bytes)}"

    def read(self, progress: Progress = nobody) -> Loaded:
        """The table, opened. Raises InputError where it cannot be."""
        return LoadedTable.of(self.offered, progress)


@dataclass(frozen=True)
class ArrivingTables:
    """Files, or connected tables, that are being opened as one case.

    Attributes
    ----------
    files : the name and the bytes of each.
    offered : the tables, where they stay where they are.
    """

    files: tuple[tuple[str, bytes], ...] = ()
    offered: tuple[Offered, ...] = ()
    again: ClassVar[bool] = False

    @property
    def name(self) -> str:
        """What they are called, the first of them."""
        return words.listed([*(name for name, _ in self.files), *(table.name for table in self.offered)], 3)

    @property
    def size(self) -> str:
        """How large they are together, in words."""
        sizes = [*(len(data) for _, data in self.files), *(table.n_bytes or 0 for table in self.offered)]
        return words.size(sum(sizes))

    def read(self, progress: Progress = nobody) -> Loaded:
        """The tables with the keys found between them. Raises InputError where they cannot be one case."""
        if self.offered:
            return LoadedTables.staying(self.offered, progress)
        return LoadedTables.of(self.files, progress)


@dataclass(frozen=True)
class Waiting:
    """A project that waits for its file, and the name of the file that it was in."""

    project: Project
    name: str


@dataclass
class Session:
    """The state of one browser session: what is decided, as a project, and beside it bytes and what passes.

    Which file was read, and how, is with the bytes (``loaded``), so a session's project does not say it; nor which
    tables are loaded beside it, but for those that an opened project was decided with (``ui/files/projects.py``).
    """

    loaded: Loaded | None = None
    refused: Refused | None = None
    arriving: Arriving | ArrivingTable | ArrivingTables | None = field(default=None, compare=False)
    project: Project = field(default_factory=Project)
    waiting: Waiting | None = None  # a project that was opened before its file
    opened: tuple[str, ...] = field(default=(), compare=False)  # the names of the projects opened so far
    population: Dataset | None = None
    offered: SavedRecipe | None = None  # loaded with other roles or thresholds, which can be taken too
    editing: int | None = None  # position of the step being changed
    parts: dict[type, Any] = field(default_factory=dict)  # what single pages hold, by its class
    settings: dict[str, Any] = field(default_factory=dict)  # those that stay, by their name (ui/session/keep.py)
    shown: dict[str, Shown] = field(default_factory=dict)  # the widgets of settings, by the same name
    generation: int = 0  # part of the keys of widgets: after a new file, an undo or a redo they are new ones
    past: tuple[Change, ...] = field(default=(), compare=False, repr=False)  # that can be undone, the last one last
    future: tuple[Change, ...] = field(default=(), compare=False, repr=False)  # that were undone, the last one last
    turned: float = field(default=-math.inf, compare=False)  # when the last undo or redo was shown; infinite before
    notice: str = ""  # shown once at the top of the next page shown
    problem: str = ""

    roles = InProject[Mapping[str, Role]]()
    missing = InProject[Missing]()
    orders = InProject[Mapping[str, ValueOrder]]()
    population_columns = InProject[Mapping[str, str]]()
    recipe = InProject[Recipe]()
    variants = InProject[tuple[Variant, ...]]()
    unknowable = InProject[tuple[str, ...]]()
    aim = InProject[Aim]()
    k = InProject[int]()
    own_threshold = InProject[float | None]()
    case = InProject[ReleaseCase]()
    pseudonyms = InProject[Pseudonyms | None]()
    seed = InProject[int]()

    @property
    def hierarchies(self) -> dict[str, Hierarchy]:
        """Hierarchies chosen, by column, as a copy; other columns have the suggested one."""
        return dict(self.project.hierarchies)

    @hierarchies.setter
    def hierarchies(self, chosen: Mapping[str, Hierarchy]) -> None:
        self.project = replace(self.project, hierarchies=chosen)

    @property
    def threshold(self) -> float:
        """The highest probability of re-identification that is accepted."""
        return self.project.threshold

    @property
    def asked_threshold(self) -> float:
        """The same for the smallest class that the recipient is asked for."""
        return self.project.asked_threshold


DECIDED = {
    "loaded": "how the file is read",
    "roles": "roles",
    "missing": "what a missing value counts as",
    "recipe": "recipe",
    "variants": "versions",
    "hierarchies": "hierarchies",
    "orders": "orders of values",
    "aim": "what the release must meet",
    "unknowable": "what nobody outside can know",
    "population": "population table",
    "population_columns": "columns of the population table",
    "case": "the case",
    "pseudonyms": "how person ids leave",
}
"""What the officer decides: fields of a session that can be undone (``ui/session/history.py``), with what they are in
words.

What stays in the project is not undone by itself, but with the change that it came with (``COMES_WITH``). A page's part
can be undone as well where its class names it so: ``DECIDED = "slots"``.
"""
COMES_WITH = ("k", "own_threshold", "seed")
"""Fields of the project that one turns to and fro, so that they are no changes that are undone by themselves."""


@dataclass(frozen=True)
class Change:
    """A change of what is decided: what it is called on screen, and the session as it was on the other side of it."""

    what: str
    session: Session  # a copy, without changes of its own
    with_it: tuple[str, ...] = ()  # what changed with it of ``COMES_WITH``
    number: int = field(default_factory=count().__next__)


def session() -> Session:
    """This browser session's state. Raises RuntimeError where there is none."""
    if get_script_run_ctx(suppress_warning=True) is None:
        # Streamlit makes a download outside all sessions, where it would hand out one state for everybody.
        raise RuntimeError("There is no session here: what is downloaded is made of what it was given.")
    held = st.session_state.get(_KEY)  # looked up hundreds of times in a run, once each
    if held is None:
        held = st.session_state[_KEY] = Session()
    return held


def begin(new: Session) -> None:
    """Make another state the session's, for another file or without one.

    All that was computed or uploaded for the one before is dropped. Parts that are of no file stay as they are now,
    whatever the other state held: those whose class says ``OF_NO_FILE = True``, such as the register in use.
    """
    cache.forget()
    forget_uploads()
    new.parts = {kind: held for kind, held in new.parts.items() if not _is_of_no_file(kind)} | {
        kind: held for kind, held in session().parts.items() if _is_of_no_file(kind)
    }
    st.session_state[_KEY] = new


def forget() -> list[str]:
    """Drop all that the session holds, what can be undone included.

    Returns
    -------
    list of str
        Sentences that say what of no file was dropped with it.
    """
    dropped = [held.dropped for kind, held in session().parts.items() if _is_of_no_file(kind) and held.dropped]
    generation = session().generation + 1
    st.session_state[_KEY] = Session()
    begin(Session(generation=generation))
    return dropped


def _is_of_no_file(kind: type) -> bool:
    return getattr(kind, "OF_NO_FILE", False)


def lot(what: str, *more: int) -> list[int]:
    """The seed of what is drawn by lot, as the session's project says (:meth:`Project.lot`)."""
    return session().project.lot(what, *more)


def part(kind: type[P]) -> P:
    """What a page holds in this session: an instance of its own frozen dataclass, at first without arguments."""
    return session().parts.get(kind) or kind()


def change_part(kind: type, **changes) -> None:
    """Change fields of what a page holds."""
    now = session()
    now.parts = {**now.parts, kind: replace(part(kind), **changes)}

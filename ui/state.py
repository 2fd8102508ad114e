"""What one session holds. Nothing here is shared with another session or written to disk."""

from __future__ import annotations

import secrets
from collections.abc import Container, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from itertools import count
from threading import Lock
from typing import Any

import pandas as pd
import streamlit as st
from streamlit.runtime.scriptrunner import get_script_run_ctx
from streamlit.runtime.uploaded_file_manager import UploadedFile

from anonlib.classes import Missing
from anonlib.dataset import Dataset
from anonlib.errors import InputError
from anonlib.hierarchies import Hierarchy
from anonlib.regions import Measures
from anonlib.regions.reading import AreaColumns, AreaFile
from anonlib.release.recipe import Recipe
from anonlib.release.saved import SavedRecipe
from anonlib.release.steps import Step
from anonlib.roles import Role, Suggestion, suggest_roles
from anonlib.sources import DEFAULT_MARKS, ReadOptions, Source, apply_missing_marks, merge_lookalikes, open_source
from anonlib.thresholds import DEFAULT
from ui import cache
from ui.server.keeping import forget_uploads

_KEY = "anonscope"
LOTS = ("release", "invitations", "fakes", "regions")  # what is drawn by lot
AS_FOUND = ReadOptions()
EMPTY = Recipe()


@dataclass(frozen=True)
class Loaded:
    """A file as the officer brought it, and how it is prepared: reading options, missing marks, merged spellings."""

    data: bytes
    source: Source
    options: ReadOptions = AS_FOUND
    marks: tuple[str, ...] = DEFAULT_MARKS
    column_marks: tuple[tuple[str, str], ...] = ()  # column and mark: missing in that column only
    merged: tuple[str, ...] = ()

    @property
    def key(self) -> str:
        return self.source.digest + self.prepared

    @property
    def prepared(self) -> str:
        return repr((self.options, self.marks, self.column_marks, self.merged))

    def frame(self) -> pd.DataFrame:
        """The cells as text with the missing marks applied and the chosen columns' spellings merged."""
        frame = apply_missing_marks(self.source.frame, self.marks)
        for column, mark in self.column_marks:
            frame = apply_missing_marks(frame, {column: (mark,)})
        for column in self.merged:
            frame = merge_lookalikes(frame, column)
        return frame


@dataclass(frozen=True)
class Refused:
    """A file that could not be read as it is, kept so that the officer can say how to read it."""

    data: bytes
    name: str
    message: str


@dataclass
class Session:
    """The state of one browser session."""

    loaded: Loaded | None = None
    refused: Refused | None = None
    roles: dict[str, Role] = field(default_factory=dict)
    missing: Missing = "category"
    population: Dataset | None = None
    recipe: Recipe = EMPTY
    offered: SavedRecipe | None = None  # loaded with other roles or thresholds, which can be taken too
    hierarchies: dict[str, Hierarchy] = field(default_factory=dict)  # chosen; other columns have the suggested one
    slots: pd.DataFrame | None = None  # of the Schedules page, as text
    slots_shown: pd.DataFrame | None = None  # what the editor of slots began with
    slots_edits: int = 0  # part of the editor's key
    areas_file: AreaFile | None = None  # of the Regions page
    area_columns: AreaColumns | None = None
    area_crs: str | None = None  # of coordinates whose file does not say, as the officer does
    aggregations: dict[tuple[str, str], Measures] = field(default_factory=dict)  # seen: by what was aggregated, and how
    requirements: tuple[int, ...] = (0,)  # numbers of those on the Generalize page
    editing: int | None = None  # position of the step being changed
    k: int = DEFAULT.k
    own_threshold: float | None = None  # set apart from k by the officer; else it is 1 / k
    unknowable: tuple[str, ...] = ()  # columns that nobody outside can know, as the officer says
    seed: int = field(default_factory=lambda: secrets.randbits(128), compare=False)  # of what is drawn by lot
    generation: int = 0  # part of widget keys: a new file gets new widgets
    edits: int = 0  # of the table of roles
    work: dict[str, tuple[int, Any]] = field(default_factory=dict)  # long work: stages done and the best so far
    searches: dict[str, tuple[Iterator, Lock]] = field(
        default_factory=dict
    )  # that can go on, by the name of their work
    search_seconds: float = 0.0  # that the search under way was given
    searched: float = 0.0  # seconds it has had of them
    running: str | None = None  # the long work that is under way
    policies: dict[str, Any] = field(default_factory=dict)  # of the Frontier page: what is chosen and set aside
    taken: int = 0  # choices that moved a slider: it is a new one then
    settings: dict[str, Any] = field(default_factory=dict)  # those that stay, by their key
    past: tuple[Change, ...] = field(default=(), compare=False, repr=False)  # that can be undone, the last one last
    future: tuple[Change, ...] = field(default=(), compare=False, repr=False)  # that were undone, the last one last
    restored: int = 0  # changes undone or redone: part of the keys of widgets that show what is decided
    notice: str = ""  # said once at the top of the next page shown
    problem: str = ""

    @property
    def threshold(self) -> float:
        """The highest probability of re-identification that is accepted."""
        return 1 / self.k if self.own_threshold is None else self.own_threshold


DECIDED = {
    "loaded": "how the file is read",
    "roles": "roles",
    "missing": "what a missing value counts as",
    "recipe": "recipe",
    "hierarchies": "hierarchies",
    "unknowable": "what nobody outside can know",
    "population": "population table",
    "slots": "slots",
    "areas_file": "areas",
    "area_columns": "columns of the areas",
    "area_crs": "coordinate system",
}
"""What the officer decides: fields of a session that can be undone (``ui/history.py``), with what they are in words."""


@dataclass(frozen=True)
class Change:
    """A change of what is decided: what it is called on screen, and the session as it was on the other side of it."""

    what: str
    session: Session  # a copy, without changes of its own
    number: int = field(default_factory=count().__next__)


def session() -> Session:
    if get_script_run_ctx(suppress_warning=True) is None:
        # Streamlit makes a download outside all sessions, where it would hand out one state for everybody.
        raise RuntimeError("There is no session here: what is downloaded is made of what it was given.")
    if _KEY not in st.session_state:
        st.session_state[_KEY] = Session()
    return st.session_state[_KEY]


def lot(what: str, *more: int) -> list[int]:
    """The seed of one of ``LOTS``. Each has draws of its own: who knows one order is not to know another."""
    return [session().seed, LOTS.index(what), *more]


def kept(name: str) -> str:
    """The key of a setting that stays until another file is opened, also while no widget shows it."""
    return f"{_kept()}{name}"


def setting(name: str, default: Any, offered: Container | None = None) -> Any:
    """The value of such a setting, also where the page does not show it; the default where that is no longer offered.

    It is also what its widget is told to begin with. The browser makes a widget when its page, or its popover, is
    opened, from what the last run said; a value that was set for it in an earlier one is lost.
    """
    key = kept(name)
    value = st.session_state.get(key, session().settings.get(key, default))
    if offered is None:
        return value
    if isinstance(value, list):
        return [one for one in value if one in offered]
    return value if value in offered else default


def has_settings(start: str) -> bool:
    """Whether there are settings whose names start so."""
    return any(str(key).startswith(kept(start)) for key in {*st.session_state, *session().settings})


def forget_settings(start: str) -> None:
    """Let the settings whose names start so begin anew."""
    for key in [str(key) for key in {*st.session_state, *session().settings} if str(key).startswith(kept(start))]:
        st.session_state.pop(key, None)
        session().settings.pop(key, None)


def _kept() -> str:
    return f"kept-{session().generation}-"


@contextmanager
def settings_kept() -> Iterator[None]:
    """Around a page: hold on to the settings, which Streamlit drops where they are not shown and with every new page.

    Those that it still has are left alone: a value that is set anew would undo what is being dragged.
    """
    shown, kept = session(), _kept()
    for key, value in shown.settings.items():
        if key.startswith(kept) and key not in st.session_state:
            st.session_state[key] = value
    try:
        yield
    finally:  # a click may have opened another file meanwhile, whose settings these are not
        names = [str(key) for key in st.session_state if str(key).startswith(kept)]
        shown.settings = {name: st.session_state[name] for name in names}


def uploaded(key: str) -> UploadedFile | None:
    """The file in an uploader; None where there is none, or its bytes were dropped once it was read."""
    upload = st.session_state[key]
    return upload if isinstance(upload, UploadedFile) else None


def load(data: bytes, name: str, options: ReadOptions | None = None) -> None:
    """Open a file and make it the session's data. Raises InputError, and then what was loaded stays."""
    options, state = options or AS_FOUND, session()
    loaded = Loaded(data, open_source(data, name, options), options)
    cache.forget()
    forget_uploads()
    st.session_state[_KEY] = Session(
        loaded=loaded, k=state.k, own_threshold=state.own_threshold, generation=state.generation + 1,
        past=state.past, future=state.future,
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
    state = session()
    assert state.loaded is not None
    source = open_source(state.loaded.data, state.loaded.source.name, options)
    state.loaded = replace(state.loaded, source=source, options=options, column_marks=(), merged=())
    state.roles = {column: role for column, role in state.roles.items() if column in source.frame.columns}
    state.hierarchies = {name: chosen for name, chosen in state.hierarchies.items() if name in source.frame.columns}
    state.unknowable = tuple(name for name in state.unknowable if name in source.frame.columns)
    state.generation += 1


def prepare(**changes) -> None:
    """Change the missing marks or merged spellings of the loaded file."""
    state = session()
    assert state.loaded is not None
    state.loaded = replace(state.loaded, **changes)


def take_up(earlier: Session) -> None:
    """Make what an earlier session of another file decided and set the session's."""
    now = session()
    generation = now.generation + 1
    settings = {
        f"kept-{generation}-{key.removeprefix(f'kept-{earlier.generation}-')}": value
        for key, value in earlier.settings.items()
    }
    cache.forget()
    forget_uploads()
    st.session_state[_KEY] = replace(
        earlier, generation=generation, settings=settings, running=None, editing=None, refused=None,
        restored=max(now.restored, earlier.restored) + 1,
    )  # fmt: skip


def forget() -> None:
    """Drop the data, everything computed from it, everything set for it and what could be undone."""
    generation = session().generation
    cache.forget()
    forget_uploads()
    st.session_state[_KEY] = Session(generation=generation + 1)


def dataset() -> Dataset | None:
    """The session's data set with its accepted roles, or None when nothing is loaded."""
    state = session()
    if state.loaded is None:
        return None
    bare = Dataset(
        state.loaded.source.name,
        state.loaded.source.digest,
        cache.remember(Loaded.frame, state.loaded),
        prepared=state.loaded.prepared,
        missing=state.missing,
    )
    return bare.with_roles(state.roles)


def suggestions() -> tuple[Suggestion, ...]:
    """Suggested roles for the loaded file."""
    data = dataset()
    return () if data is None else cache.remember(_suggest, data.with_roles({}))


def _suggest(data: Dataset) -> tuple[Suggestion, ...]:
    return suggest_roles(data.records)


def clear_roles() -> None:
    session().roles = {}


def set_missing(missing: Missing) -> None:
    """Say whether a missing quasi-identifier counts as a value of its own or its record is left out."""
    session().missing = missing


def set_roles(roles: Mapping[str, Role | str]) -> None:
    """Accept roles; raises InputError when they cannot stand together, and then nothing changes."""
    data = dataset()
    assert data is not None
    changed = data.with_roles(roles)
    changed.classes([])  # a column that cannot be counted by is refused here
    session().roles = dict(changed.roles)


def accept_suggestions() -> None:
    """Give every column that has no role yet the suggested one."""
    state = session()
    set_roles({s.column: s.role for s in suggestions()} | state.roles)


def set_hierarchy(column: str, hierarchy: Hierarchy | None) -> None:
    """Choose the hierarchy of a column; None goes back to the suggested one."""
    others = {name: chosen for name, chosen in session().hierarchies.items() if name != column}
    session().hierarchies = others if hierarchy is None else others | {column: hierarchy}


def set_recipe(recipe: Recipe) -> None:
    """Make it the session's recipe; a step that was being changed is left as it was."""
    state = session()
    state.recipe, state.editing = recipe, None


def take_steps(steps: Sequence[Step], recipe: Recipe, gave_way: int) -> None:
    """Make a recipe with these new steps the session's, and say so."""
    set_recipe(recipe)
    added = "; ".join(step.describe() for step in steps)
    said = [f"In the recipe: {added}." if added else "These columns are released as they are."]
    if gave_way:
        said.append(f"{gave_way} earlier {'step' if gave_way == 1 else 'steps'} gave way.")
    session().notice = " ".join(said)


def add_step(step: Step) -> None:
    """Put a step where it belongs in the recipe, made for the data that it finds there."""
    set_recipe(session().recipe.take([step], dataset()))


def replace_step(position: int, step: Step) -> None:
    set_recipe(session().recipe.replace_step(position, step))

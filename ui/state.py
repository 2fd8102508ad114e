"""What one session holds. Nothing here is shared with another session or written to disk."""

from __future__ import annotations

import secrets
from dataclasses import dataclass, field, replace
from itertools import count
from typing import Any, TypeVar

import streamlit as st
from streamlit.runtime.scriptrunner import get_script_run_ctx

from anonlib.classes import Missing
from anonlib.criteria import Aim
from anonlib.dataset import Dataset
from anonlib.hierarchies import Hierarchy
from anonlib.release.recipe import Recipe
from anonlib.release.saved import SavedRecipe
from anonlib.roles import Role
from anonlib.thresholds import DEFAULT
from ui.loaded import Loaded, Refused

P = TypeVar("P")
_KEY = "anonscope"
LOTS = ("release", "invitations", "fakes", "regions")  # what is drawn by lot
EMPTY = Recipe()
NOTHING = object()  # no value at all


@dataclass
class Shown:
    """The widget of a setting (``ui/keep.py``): how often it was made anew, the value it was last told, and what its
    options were called."""

    version: int = 0
    value: Any = NOTHING
    names: dict[Any, str] = field(default_factory=dict)


@dataclass
class Session:
    """The state of one browser session."""

    loaded: Loaded | None = None
    refused: Refused | None = None
    roles: dict[str, Role] = field(default_factory=dict)
    missing: Missing = "category"
    population: Dataset | None = None
    population_columns: dict[str, str] = field(default_factory=dict)  # by the file's, as chosen (ui/population.py)
    recipe: Recipe = EMPTY
    offered: SavedRecipe | None = None  # loaded with other roles or thresholds, which can be taken too
    hierarchies: dict[str, Hierarchy] = field(default_factory=dict)  # chosen; other columns have the suggested one
    unknowable: tuple[str, ...] = ()  # columns that nobody outside can know, as the officer says
    aim: Aim = field(default_factory=Aim)  # who gets the release and what it must meet
    k: int = DEFAULT.k
    own_threshold: float | None = None  # set apart from k by the officer; else it is 1 / k
    editing: int | None = None  # position of the step being changed
    seed: int = field(default_factory=lambda: secrets.randbits(128), compare=False)  # of what is drawn by lot
    parts: dict[type, Any] = field(default_factory=dict)  # what single pages hold, by its class
    settings: dict[str, Any] = field(default_factory=dict)  # those that stay, by their name (ui/keep.py)
    shown: dict[str, Shown] = field(default_factory=dict)  # the widgets of settings, by the same name
    generation: int = 0  # part of the keys of widgets: after a new file, an undo or a redo they are new ones
    past: tuple[Change, ...] = field(default=(), compare=False, repr=False)  # that can be undone, the last one last
    future: tuple[Change, ...] = field(default=(), compare=False, repr=False)  # that were undone, the last one last
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
    "aim": "what the release must meet",
    "unknowable": "what nobody outside can know",
    "population": "population table",
    "population_columns": "columns of the population table",
}
"""What the officer decides: fields of a session that can be undone (``ui/history.py``), with what they are in words.

A page's part can be undone as well where its class names it so: ``DECIDED = "slots"``.
"""


@dataclass(frozen=True)
class Change:
    """A change of what is decided: what it is called on screen, and the session as it was on the other side of it."""

    what: str
    session: Session  # a copy, without changes of its own
    number: int = field(default_factory=count().__next__)


def session() -> Session:
    """This browser session's state. Raises RuntimeError where there is none."""
    if get_script_run_ctx(suppress_warning=True) is None:
        # Streamlit makes a download outside all sessions, where it would hand out one state for everybody.
        raise RuntimeError("There is no session here: what is downloaded is made of what it was given.")
    if _KEY not in st.session_state:
        st.session_state[_KEY] = Session()
    return st.session_state[_KEY]


def begin(new: Session) -> None:
    """Make another state the session's."""
    st.session_state[_KEY] = new


def lot(what: str, *more: int) -> list[int]:
    """The seed of one of ``LOTS``. Each has draws of its own: who knows one order is not to know another."""
    return [session().seed, LOTS.index(what), *more]


def part(kind: type[P]) -> P:
    """What a page holds in this session: an instance of its own frozen dataclass, at first without arguments."""
    return session().parts.get(kind) or kind()


def change_part(kind: type, **changes) -> None:
    """Change fields of what a page holds."""
    now = session()
    now.parts = {**now.parts, kind: replace(part(kind), **changes)}

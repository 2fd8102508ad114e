"""What can be undone: every change of what the officer decided, recorded around the widget callback that made it."""

from __future__ import annotations

import math
import time
from collections.abc import Hashable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from typing import Any

import pandas as pd

from anonlib.basics import words
from anonlib.dataset import Dataset
from anonlib.filing.project import Loaded
from anonlib.release.recipe import Entry
from ui.session import state
from ui.session.companions import AreaTable
from ui.session.state import COMES_WITH, DECIDED, Change, Session

MOST = 50  # changes
READ_IN = 0.6  # seconds that a button names another change before a click can mean it
_OF_ONE = {
    "roles": "role",
    "hierarchies": "hierarchy",
    DECIDED["orders"]: "order of values",
    DECIDED["population_columns"]: "the population table's column",
}
_HEAVY = (Loaded, Dataset, pd.DataFrame)  # the same only where they are the same object


@contextmanager
def recorded() -> Iterator[None]:
    """Note what the callback changes, as one change that can be undone, however many functions it called."""
    before = _snapshot(state.session())
    past, future = state.session().past, state.session().future
    try:
        yield
    finally:
        now = state.session()
        stepped = now.past is not past or now.future is not future  # this callback is an undo or redo itself
        what = "" if stepped or before.loaded is None or now.loaded is None else what_changed(before, now)
        if what:
            with_it = tuple(name for name in COMES_WITH if getattr(before, name) != getattr(now, name))
            now.past, now.future = _held((*past, Change(what, before, with_it)), now), ()


def shown() -> None:
    """Note that the page shows what Undo and Redo would do next."""
    now = state.session()
    if now.turned == math.inf:
        now.turned = time.monotonic()


def undo(number: int) -> None:
    """Take back the last change; nothing at the second of two clicks.

    The change of this number is then gone, or the button names another one that nobody can have read yet.
    """
    now = state.session()
    if now.past and now.past[-1].number == number and _could_be_read(now):
        change = now.past[-1]
        undone = replace(change, session=_snapshot(now))
        _restore(change, now.past[:-1], (*now.future, undone), "Undone")


def redo(number: int) -> None:
    """Make the change again that was undone last, as :func:`undo` takes one back."""
    now = state.session()
    if now.future and now.future[-1].number == number and _could_be_read(now):
        change = now.future[-1]
        redone = replace(change, session=_snapshot(now))
        _restore(change, (*now.past, redone), now.future[:-1], "Done again")


def _could_be_read(session: Session) -> bool:
    return time.monotonic() - session.turned >= READ_IN


def _snapshot(session: Session) -> Session:
    return replace(session, past=(), future=(), notice="", problem="", arriving=None)


def _restore(change: Change, past: tuple[Change, ...], future: tuple[Change, ...], done: str) -> None:
    now, other = state.session(), change.session
    if _file(now) is _file(other):
        now.loaded, now.population = other.loaded, other.population
        stays = {name: getattr(now, name) for name in COMES_WITH if name not in change.with_it}
        now.project = replace(other.project, **stays)
        decided = {kind for kind in {*now.parts, *other.parts} if hasattr(kind, "DECIDED")}
        now.parts = {**now.parts, **{kind: other.parts.get(kind) or kind() for kind in decided}}
        now.editing = None
        now.generation += 1
    else:
        generation = max(now.generation, other.generation) + 1
        state.begin(replace(other, generation=generation, editing=None, refused=None, arriving=None))
        now = state.session()
    now.past, now.future = past, future
    now.turned = math.inf
    now.notice = f"{done}: {change.what}."


def _file(session: Session) -> object:
    """The file as it was read, which preparing it does not change."""
    return None if session.loaded is None else session.loaded.reading


def _held(past: Sequence[Change], now: Session) -> tuple[Change, ...]:
    """The latest changes, as far back as they need no more than one file (and table beside it) that is not in use."""
    held_changes: list[Change] = []
    in_use = _files(now)
    others: list[set[int]] = [set() for _ in in_use]
    for change in reversed(past[-MOST:]):
        for ids, file, used in zip(others, _files(change.session), in_use, strict=True):
            if file is not None and file is not used:
                ids.add(id(file))
        if any(len(ids) > 1 for ids in others):
            break
        held_changes.append(change)
    return tuple(reversed(held_changes))


def _files(session: Session) -> tuple[object, ...]:
    population = session.population
    areas = session.parts.get(AreaTable)
    return _file(session), None if population is None else population.held, areas and areas.file


# ---- what a change is called --------------------------------------------------------------------------------------


def what_changed(before: Session, now: Session) -> str:
    """What the difference between two sessions is, as a short request (``clear roles``); empty where there is none."""
    assert before.loaded is not None and now.loaded is not None
    if _file(before) is not _file(now) and len(now.opened) <= len(before.opened):
        again = before.loaded.brought is now.loaded.brought
        return f"read {now.loaded.name} again" if again else f"open {now.loaded.name}"
    kinds = [kind for kind in {**before.parts, **now.parts} if hasattr(kind, "DECIDED")]
    places = [(DECIDED, before, now)]
    places += [(kind.DECIDED, before.parts.get(kind) or kind(), now.parts.get(kind) or kind()) for kind in kinds]
    changes: list[str] = []
    for decided, old, new in places:
        names = [name for name in decided if not _same(getattr(old, name), getattr(new, name))]
        if decided is not DECIDED:
            names = names[:1]  # with another file of areas come other columns
        elif "population" in names:
            names = [name for name in names if name != "population_columns"]  # these come with it
        changes += [_request(decided[name], getattr(old, name), getattr(new, name)) for name in names]
    if len(now.opened) > len(before.opened) and (changes or now.project != before.project):
        return f"open the project {now.opened[-1]}"
    return " and ".join(changes)


def _same(value: object, other: object) -> bool:
    return value is other or (not isinstance(value, _HEAVY) and not isinstance(other, _HEAVY) and value == other)


def _request(what: str, before: Any, now: Any) -> str:
    if what == DECIDED["loaded"]:
        if before.described != now.described:
            return "use a data dictionary" if now.described else "forget the data dictionary"
        if (before.with_labels, before.in_codes) != (now.with_labels, now.in_codes):
            return "show labels or codes"
        return "merge spellings" if before.merged != now.merged else "set marks of missing values"
    if what == DECIDED["recipe"]:
        return recipe_request(before.entries, now.entries)
    if what == DECIDED["variants"]:
        added = [variant.name for variant in now if variant not in before]
        gone = [variant.name for variant in before if variant not in now]
        return f"keep “{added[0]}”" if added else f"remove “{gone[0]}”" if gone else f"change {what}"
    if what == DECIDED["pseudonyms"]:
        return "use random numbers for persons" if now is None else "use pseudonyms by key"
    if isinstance(now, Mapping):
        columns = [c for c in dict.fromkeys((*before, *now)) if before.get(c) != now.get(c)]
        if not now:
            return f"clear {what}"
        if len(columns) == 1:
            return f"set {_OF_ONE.get(what, what)} of {columns[0]}"
        return f"set {what} of {words.count(len(columns), 'columns')}"
    verb = "remove" if now is None else "load" if before is None else "change"
    return f"{verb} {what}"


def recipe_request(before: Sequence[Entry], now: Sequence[Entry]) -> str:
    """What was done to the steps of a recipe, by what they are before and after."""
    if not now:
        return "empty the recipe" if len(before) > 1 else "remove step 1"
    if len(before) == len(now):
        changed = [i for i, (old, new) in enumerate(zip(before, now, strict=True)) if old != new]
        if len(changed) == 1:
            (i,) = changed
            switched = before[i].step == now[i].step
            return f"switch step {i + 1} {'on' if now[i].enabled else 'off'}" if switched else f"change step {i + 1}"
        if _counted(before) == _counted(now):
            return "move a step"
    if len(now) == len(before) - 1:
        for i in range(len(before)):
            if (*before[:i], *before[i + 1 :]) == tuple(now):
                return f"remove step {i + 1}"
    if len(now) == len(before) + 1:
        for i in range(len(now)):
            if (*now[:i], *now[i + 1 :]) == tuple(before):
                return f"add “{now[i].step.describe()}”"
    return "change the recipe" if before else f"take {words.count(len(now), 'steps')}"


def _counted(entries: Sequence[Hashable]) -> dict[Hashable, int]:
    return {entry: list(entries).count(entry) for entry in entries}

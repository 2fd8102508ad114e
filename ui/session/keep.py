"""Widgets whose settings stay: while another page is shown, and until another file is opened.

A setting has a name and a value, which the session holds; its widget only shows it. Streamlit forgets a widget that is
not shown, and once a widget is on the screen only the browser can move it. So each gets the value every time, and
where it must show another one than it does, because the value was set elsewhere or is no longer offered, it becomes a
new widget. What the browser goes on saying of the one it replaced is nobody's choice and is not listened to.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from datetime import date
from hashlib import sha256
from typing import Any, TypeVar

import streamlit as st

from anonlib.basics.errors import InputError
from ui.server import lost
from ui.server.private import DeletedFile, UploadedFile
from ui.session import guard
from ui.session.state import NOTHING, Shown, session

T = TypeVar("T", bound=Hashable)
Number = TypeVar("Number", int, float)
Take = Callable[[Any], None]
"""What is done with what the officer chose, where the value is not a setting but lives elsewhere."""


# ---- values -------------------------------------------------------------------------------------------------------


def value(name: str, default: Any, fits: Callable[[Any], bool] = lambda _: True) -> Any:
    """The value of a setting, also where its widget is not shown; the default where that no longer fits."""
    _listen(name)
    stored = session().settings.get(name, NOTHING)
    return default if stored is NOTHING or not fits(stored) else stored


def put(name: str, value: Any) -> None:
    """Set a setting otherwise than by its widget."""
    _listen(name)
    session().settings[name] = value


def begin(name: str, default: Any) -> None:
    """Let a setting begin with a value, which stays when what it was derived from changes."""
    if value(name, NOTHING) is NOTHING:
        put(name, default)


def is_set(start: str) -> bool:
    """Whether the officer has set anything whose name starts so."""
    for name in [name for name in session().shown if name.startswith(start)]:
        _listen(name)
    return any(name.startswith(start) for name in session().settings)


def forget(start: str) -> None:
    """Let the settings whose names start so begin again."""
    now = session()
    for name in [name for name in {*now.shown, *now.settings} if name.startswith(start)]:
        _listen(name)
        now.settings.pop(name, None)


def per(name: str, *what: object) -> str:
    """The name of a setting that is one for each of these: ``per("leakage-columns", columns)``."""
    return f"{name}-{sha256(repr(what).encode()).hexdigest()[:12]}"


# ---- keys of widgets ----------------------------------------------------------------------------------------------


def key(name: str) -> str:
    """The key of a widget without a setting, such as an uploader: a new one after another file, undo or redo."""
    now = session()
    return f"{name}-{now.generation}-{now.shown.setdefault(name, Shown()).version}"


def renew(name: str) -> None:
    """Let the widget of this name be a new one."""
    session().shown.setdefault(name, Shown()).version += 1


def uploaded(key: str) -> UploadedFile | None:
    """The file in an uploader; None where there is none, or its bytes were dropped once it was read."""
    return next(iter(all_uploaded(key)), None)


def all_uploaded(key: str) -> list[UploadedFile]:
    """The files in an uploader, but those whose bytes were dropped once they were read."""
    uploads = [upload for upload in _in_uploader(key) if isinstance(upload, UploadedFile)]
    for upload in uploads:
        lost.take(upload.file_id)
    return uploads


def is_dropped(key: str) -> bool:
    """Whether an uploader has a file whose bytes are gone."""
    return any(isinstance(upload, DeletedFile) for upload in _in_uploader(key))


def _in_uploader(key: str) -> list[Any]:
    held = reported(key)
    return held if isinstance(held, list) else [held]


def reported(key: str) -> Any:
    """What the browser last reported of a widget, by its key: for a callback of it.

    Raises InputError where a run of the page that was still ending has emptied that meanwhile.
    """
    if key not in st.session_state:
        raise InputError(
            "The page was changing while you changed this, and it was not taken. Do it again.", code="change-not-taken"
        )
    return st.session_state[key]


def _listen(name: str) -> None:
    """Take over what the officer did with the widget of a setting since it got its value."""
    now = session()
    shown = now.shown.get(name)
    if shown is not None and shown.value is not NOTHING:
        on_screen = st.session_state.get(key(name), shown.value)
        if on_screen != shown.value:
            shown.value = now.settings[name] = on_screen


def _widget(name: str, default: T, fits: Callable[[Any], bool], take: Take | None) -> tuple[T, dict[str, Any]]:
    """The value to show, and the key and callback of the widget that shows it."""
    return _bind(name, default if take else value(name, default, fits), take)


def _bind(name: str, wanted: Any, take: Take | None) -> tuple[Any, dict[str, Any]]:
    """The same where it is known what is to be shown; a new widget where it is not what the present one shows."""
    shown = session().shown.setdefault(name, Shown())
    if st.session_state.get(key(name), wanted) != wanted:
        shown.version += 1
    shown.value = wanted
    widget: dict[str, Any] = {"key": key(name)}
    if take is not None:
        widget |= {"on_change": guard.action(_taken), "args": (name, key(name), take)}
    return wanted, widget


def _taken(name: str, key_then: str, take: Take) -> None:
    if key_then == key(name):  # what a widget that was replaced says is not listened to
        take(reported(key_then))


# ---- widgets ------------------------------------------------------------------------------------------------------
# ``name`` is that of the setting, ``place`` where the widget goes. With ``take`` the value lives elsewhere: ``default``
# is what it is now, and ``take`` is called with what the officer chooses.


def slider(
    name: str, label: str, low: Number, high: Number, default: Number, step: Number | None = None,
    format: str | None = None, *, place: Any = st, take: Take | None = None, **options: Any,
) -> Number:  # fmt: skip
    """A number between two others."""
    wanted, widget = _widget(name, default, lambda stored: low <= stored <= high, take)
    return place.slider(label, low, high, wanted, step, format, **widget, **options)


def range_slider(
    name: str, label: str, low: int, high: int, default: tuple[int, int], *, place: Any = st, **options: Any
) -> tuple[int, int]:
    """Two numbers between two others."""
    wanted, widget = _widget(name, default, lambda stored: low <= stored[0] <= stored[1] <= high, None)
    return place.slider(label, low, high, wanted, **widget, **options)


def number(
    name: str, label: str, low: Any, high: Any, default: Any, step: Any = None, *,
    place: Any = st, take: Take | None = None, **options: Any,
) -> Any:  # fmt: skip
    """A number, typed; None for no limit, and as a default for none."""
    wanted, widget = _widget(name, default, lambda stored: _within(low, stored, high), take)
    return place.number_input(label, low, high, wanted, step, **widget, **options)


def _within(low: float | None, stored: float | None, high: float | None) -> bool:
    return stored is None or ((low is None or low <= stored) and (high is None or stored <= high))


def toggle(
    name: str, label: str, default: bool = False, *, place: Any = st, take: Take | None = None, **options: Any
) -> bool:
    """A switch."""
    wanted, widget = _widget(name, default, lambda stored: isinstance(stored, bool), take)
    return place.toggle(label, wanted, **widget, **options)


def select(
    name: str, label: str, offered: Sequence[T], default: T | None = None, *,
    place: Any = st, take: Take | None = None, **options: Any,
) -> T:  # fmt: skip
    """One of several, from a list that opens; without a default the first.

    The browser holds on to what an option is called, so where that changes it is a new widget as well.
    """
    default = offered[0] if default is None else default
    wanted = default if take else value(name, default, lambda stored: stored in offered)
    names = {item: options.get("format_func", str)(item) for item in offered}
    shown = session().shown.setdefault(name, Shown())
    if shown.names.get(wanted, names[wanted]) != names[wanted]:
        renew(name)
    shown.names = names
    wanted, widget = _bind(name, wanted, take)
    return place.selectbox(label, offered, list(offered).index(wanted), **widget, **options)


def segments(
    name: str, label: str, offered: Sequence[T], default: T | None = None, *,
    place: Any = st, take: Take | None = None, **options: Any,
) -> T:  # fmt: skip
    """One of a few, side by side; without a default the first."""
    wanted, widget = _widget(name, offered[0] if default is None else default, lambda stored: stored in offered, take)
    chosen = place.segmented_control(label, offered, default=wanted, required=True, **widget, **options)
    return wanted if chosen is None else chosen


def radio(
    name: str, label: str, offered: Sequence[T], default: T | None = None, *,
    place: Any = st, take: Take | None = None, **options: Any,
) -> T:  # fmt: skip
    """One of a few, below each other; without a default the first."""
    wanted, widget = _widget(name, offered[0] if default is None else default, lambda stored: stored in offered, take)
    return place.radio(label, offered, list(offered).index(wanted), **widget, **options)


def several(
    name: str, label: str, offered: Sequence[T], default: Sequence[T] = (), *,
    place: Any = st, take: Take | None = None, **options: Any,
) -> list[T]:  # fmt: skip
    """Any of several; what is no longer offered is left out."""
    chosen = list(default) if take else value(name, list(default))
    wanted, widget = _bind(name, [item for item in chosen if item in offered], take)
    return place.multiselect(label, offered, wanted, **widget, **options)


def text(name: str, label: str, default: str = "", *, place: Any = st, take: Take | None = None, **options: Any) -> str:
    """A line of text."""
    wanted, widget = _widget(name, default, lambda stored: isinstance(stored, str), take)
    return place.text_input(label, wanted, **widget, **options)


def area(name: str, label: str, default: str = "", *, place: Any = st, take: Take | None = None, **options: Any) -> str:
    """A text of several lines."""
    wanted, widget = _widget(name, default, lambda stored: isinstance(stored, str), take)
    return place.text_area(label, wanted, **widget, **options)


def day(
    name: str, label: str, default: date | None = None, *, place: Any = st, take: Take | None = None, **options: Any
) -> date | None:
    """A day, or none."""
    wanted, widget = _widget(name, default, lambda stored: stored is None or isinstance(stored, date), take)
    return place.date_input(label, wanted, format="YYYY-MM-DD", **widget, **options)


def widget(name: str, default: Any, fits: Callable[[Any], bool] = lambda _: True) -> tuple[Any, dict[str, Any]]:
    """The value to show, and the key to give it, of a widget of another kind than those above."""
    return _widget(name, default, fits, None)

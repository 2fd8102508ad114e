"""Work of seconds that begins by itself: after a moment how far it is, and the way to stop it.

It begins again with each click that does not stop it. What was stopped waits for its button.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, TypeVar

import streamlit as st

from anonlib.basics.progress import Progress
from ui.session import cache, guard, long_work

T = TypeVar("T")
_SHOWN = 0.5  # seconds after which the page shows what it waits for
_MOST = 0.99  # the largest share that is shown: what is all done is there
_EVERY = 0.2  # seconds between two looks at the screen


@dataclass(frozen=True)
class Wording:
    """What the page shows of such work.

    Attributes
    ----------
    doing : what it does, as ``Checking the criteria``.
    stopped : what is so where it was stopped, a sentence.
    stop, go_on : the labels of its buttons.
    """

    doing: str
    stopped: str
    stop: str = "Stop"
    go_on: str = "Go on"


def is_stopped(name: str) -> bool:
    """Whether the officer stopped the work of this name."""
    return name in cache.memory().stopped


def done(name: str, compute: Callable[[Progress], T], wording: Wording, place: str = "") -> T | None:
    """What is computed; None where the officer stopped it, for which a sentence and its button stand here.

    Parameters
    ----------
    name
        Names the work with all that it follows from.
    compute
        Given the progress to call.
    wording
        What the page shows of it.
    place
        Tells buttons apart where one work is shown twice on a page.
    """
    if is_stopped(name):
        st.caption(wording.stopped)
        st.button(
            wording.go_on, key=f"go-on-{place}-{name}", icon=":material/play_arrow:", on_click=guard.action(_go_on),
            args=(name,),
        )  # fmt: skip
        return None
    shown, bar, begun, drawn, furthest = st.empty(), None, time.monotonic(), 0.0, 0.0

    def progress(share: float, _so_far: Any = None, /) -> None:
        nonlocal bar, drawn, furthest
        long_work.let_go(share)
        furthest = max(furthest, min(share, _MOST))  # a part of the work may begin again
        clock = time.monotonic()
        if clock - max(begun + _SHOWN - _EVERY, drawn) < _EVERY:
            return
        drawn, how_far = clock, f"{wording.doing}: {furthest:.0%}"
        if bar is not None:
            bar.progress(furthest, how_far)
            return
        with shown.container(border=True):
            bar = st.progress(furthest, how_far)
            st.button(
                wording.stop, key=f"stop-{place}-{name}", icon=":material/stop:", on_click=guard.action(_stop),
                args=(name,),
            )  # fmt: skip

    found = compute(progress)
    if bar is not None:
        shown.empty()
    return found


def _stop(name: str) -> None:
    cache.memory().stopped.add(name)


def _go_on(name: str) -> None:
    cache.memory().stopped.discard(name)

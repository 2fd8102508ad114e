"""The verdict on the release as it is: while it is counted, how far that is, and the way to stop it.

Counting begins anew with each click that does not stop it. What was stopped waits for its button.
"""

from __future__ import annotations

import time

import streamlit as st

from anonlib.criteria import Verdict
from ui import cache, guard, long_work, view

NOT_CHECKED = "The criteria are not checked: you stopped it. Press “Check the criteria” in the sidebar."
_SHOWN = 0.5  # seconds after which it is said what is waited for
_EVERY = 0.2  # seconds between two looks at the screen


def verdict() -> Verdict | None:
    """The verdict, counted here where it was not before; None without roles, and where it was stopped."""
    now = view.now()
    if now.is_verdict_stopped:
        st.caption("The criteria are not checked: you stopped it.")
        st.button(
            "Check the criteria", key="judging-go-on", icon=":material/play_arrow:", on_click=guard.action(_go_on),
            args=(now.judged_by,),
        )  # fmt: skip
        return None
    place, bar, begun, drawn = st.empty(), None, time.monotonic(), 0.0

    def tell(share: float) -> None:
        nonlocal bar, drawn
        long_work.let_go(share)
        clock = time.monotonic()
        if clock - max(begun + _SHOWN - _EVERY, drawn) < _EVERY:
            return
        drawn, what = clock, f"Checking the criteria: {share:.0%}"
        if bar is not None:
            bar.progress(share, what)
            return
        with place.container(border=True):
            bar = st.progress(share, what)
            st.button(
                "Stop checking", key="judging-stop", icon=":material/stop:", on_click=guard.action(_stop),
                args=(now.judged_by,),
            )  # fmt: skip

    found = now.verdict_of(now.recipe, tell)
    if bar is not None:
        place.empty()
    return found


def _stop(judged_by: str) -> None:
    cache.memory().stopped.add(judged_by)


def _go_on(judged_by: str) -> None:
    cache.memory().stopped.discard(judged_by)

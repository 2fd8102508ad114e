"""A figure that is drawn again while a script runs, without a blank moment."""

from __future__ import annotations

from collections.abc import Callable

import streamlit as st

from ui.server.private import DeltaGenerator

_STYLE = """<style>
.stVerticalBlock.st-key-{key} {{ display: grid; grid-template-columns: 100%; }}
.stVerticalBlock.st-key-{key} > * {{ grid-area: 1 / 1; }}
</style>"""


class FigureStack:
    """Figures that lie on each other in one place, the newest on top.

    Streamlit rebuilds a Plotly figure whenever it changes, and shows nothing until it is drawn. So a new one is laid
    over the one before, which goes once the new one is there (:meth:`settle`). Their grounds must be opaque. ``key`` is
    plain letters and dashes.
    """

    def __init__(self, key: str) -> None:
        st.html(_STYLE.format(key=key))
        self._all = st.container(key=key)
        self._places: list[DeltaGenerator] = []
        self._drawn = 0

    def at_rest(self, draw: Callable[[], object]) -> None:
        """Draw the figure of this run of the script, into a place that is never emptied first."""
        with self._all:
            draw()

    def draw(self, draw: Callable[[], object]) -> None:
        """Draw a newer one."""
        if not self._places:  # not earlier: what the run before left here stays until that at rest is drawn
            self._places = [self._all.empty(), self._all.empty()]
        with self._places[self._drawn % 2].container():
            draw()
        self._drawn += 1

    def settle(self) -> None:
        """Take away the figure before the newest, which is there by now."""
        if self._drawn > 1:
            self._places[self._drawn % 2].empty()

"""The Frontier page's picture: the plane of risk and information loss."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial

import streamlit as st

from anonlib.analyses.frontier import Frontier
from anonlib.basics import words
from anonlib.plots import frontier as plots
from pages.protect.frontier import lower_bound, releases, results, summary, tabs
from pages.protect.frontier.controls import choice
from pages.protect.frontier.releases import ReleaseOnMap
from pages.protect.frontier.results import FrontierQuestion
from ui.kit import page
from ui.server.private import DeltaGenerator
from ui.session import keep, long_work
from ui.text import plain

PICTURE = "frontier-plane"


def show(
    question: FrontierQuestion, frontiers: Sequence[Frontier], others: Sequence[ReleaseOnMap], drawn: FigureStack
) -> None:
    """The plane, at rest; and below it what it counts."""
    frontier, plane = frontiers[0], question.plane
    drawn.at_rest(partial(_draw, question, frontiers, others, PICTURE))
    keep.toggle("frontier-log", "Logarithmic risk", help="Tells small risks apart.")
    page.counts(
        f"Each dot is a policy: “{plane.risk.name}” ({plane.risk.source}) against “{plane.loss.name}” "
        f"({plane.loss.source}), of {words.count(frontier.evaluations, 'policies')} looked at in "
        f"{frontier.seconds:.1f} s. "
        + summary.how_far(frontier)
        + summary.counted(question)
        + lower_bound.counted(question)
    )
    if question.no_safe_harbor:
        st.caption(plain(question.no_safe_harbor))


def go_on(
    question: FrontierQuestion,
    search: long_work.EndlessSearch[Frontier],
    method: str,
    others: Sequence[ReleaseOnMap],
    drawn: FigureStack,
) -> None:
    """Let the search run where it was started, and draw what it finds."""

    def show_latest(best: Frontier) -> None:
        draw_newer(question, best, method, others, drawn)

    long_work.go_on(search, show_latest, partial(summary.so_far, question), drawn.settle)


def draw_newer(
    question: FrontierQuestion, best: Frontier, method: str, others: Sequence[ReleaseOnMap], drawn: FigureStack
) -> None:
    """Draw the plane over the one before, while something runs."""
    drawn.draw(partial(_draw, question, [best, *results.others(question, method)], others, None))


def _draw(
    question: FrontierQuestion, frontiers: Sequence[Frontier], others: Sequence[ReleaseOnMap], key: str | None
) -> None:
    """The plane of risk and loss; without a key, as while a search runs, it cannot be clicked."""
    frontier = frontiers[0]
    safe_harbor, limit = results.point_of_safe_harbor(question), lower_bound.so_far(question)
    position, marks = choice.chosen(question, frontier), releases.marks(others)
    release = releases.chosen(question, others)
    draw = partial(
        plots.frontier, frontiers, safe_harbor=safe_harbor, marks=marks,
        chosen=(float(frontier.risk[position]), float(frontier.loss[position])) if release is None
        else (release.figures.risk, release.figures.loss),
        other=results.point(question, tabs.compared(question)) if tabs.is_comparing() else None,
        bound=limit, log=keep.value("frontier-log", False), opaque=True,
    )  # fmt: skip
    alt = (
        f"The plane of risk and information loss: {words.count(len(frontier), 'policies')} of the frontier as a stair "
        f"from risk {words.percent(float(frontier.risk[0]))} and loss {words.percent(float(frontier.loss[0]))} to risk "
        f"{words.percent(float(frontier.risk[-1]))} and loss {words.percent(float(frontier.loss[-1]))}."
    )
    if safe_harbor is not None:
        alt += (
            f" Safe Harbor has risk {words.percent(safe_harbor[0])} and loss {words.percent(safe_harbor[1])}; "
            f"{len(frontier.dominating_point(*safe_harbor)):,} policies dominate it."
        )
    for mark in marks:
        alt += f" {mark.label} has risk {words.percent(mark.point[0])} and loss {words.percent(mark.point[1])}."
    if limit is not None:
        alt += f" {lower_bound.in_short(limit)}"
    if key is None:
        page.figure(draw, alt, None)
    else:
        page.figure(draw, alt, key, "points", partial(choice.take_point, key, question, frontier, others))


# ---- drawn again while a script runs ----


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

"""The Frontier page's tab of its searches, side by side."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Literal

import pandas as pd
import streamlit as st

from anonlib.analyses.frontier import Frontier
from anonlib.plots import frontier as plots
from pages.protect.frontier import results
from pages.protect.frontier.question import Question
from ui.kit import page
from ui.session import keep
from ui.text import plain

Against = Literal["seconds", "policies looked at"]


def show(question: Question, frontiers: Sequence[Frontier]) -> None:
    """The searches side by side: area, policies, what dominates Safe Harbor."""
    rows = []
    point = results.point_of_safe_harbor(question)
    for found in frontiers:
        row = {
            "search": results.METHODS[found.method],
            "area under the stair": f"{found.area():.4f}",
            "policies": len(found),
            "points": found.n_points,
            "looked at": found.evaluations,
            "seconds": round(found.seconds, 1),
            "ended early": "yes" if found.ended_early else "no",
        }
        if point is not None:
            row["better than Safe Harbor"] = len(found.dominating_point(*point))
        rows.append(row)
    page.table(pd.DataFrame(rows), "The searches run so far on these data")
    if max(len(found.history) for found in frontiers) > 1:
        _show_progress(frontiers)
    page.counts(
        "Area under the stair: 1 at worst, less is better; it says how close the frontier is to no risk and no loss. "
        "“Looked at” counts policies; a sublattice that is passed over counts two (Xia et al. 2013, Algorithm 2). "
        "Ended early: stopped before its effort was done, so that another machine may find others. "
        "Choose another search above to add it here and to the picture."
    )
    reasons = {name: results.why_not(question, key) for key, name in results.METHODS.items()}
    missing = [f"**{name}**: {plain(why)}" for name, why in reasons.items() if why]
    if missing:
        st.caption("Not offered here. " + " ".join(missing))


def _show_progress(frontiers: Sequence[Frontier]) -> None:
    """The area under the stair as each search went on."""
    offered: tuple[Against, ...] = ("seconds", "policies looked at")
    against = keep.segments("frontier-against", "Against", offered, label_visibility="collapsed")
    areas = {
        found.method: [(seconds if against == "seconds" else looked, area) for looked, seconds, area in found.history]
        for found in frontiers
    }
    page.figure(
        partial(plots.progress, areas, against=against, log=True),
        f"Lines of the area under the stair against {against}. "
        + "; ".join(f"{results.METHODS[method]}: {points[-1][1]:.4f} at last" for method, points in areas.items())
        + ".",
        "frontier-progress",
    )  # fmt: skip
    page.counts("As Xia et al. 2013, Figure 5; less is better. Time that a search stood still does not count.")

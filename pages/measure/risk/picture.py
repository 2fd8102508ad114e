"""The Risk page's picture: how many share their values with how few."""

from __future__ import annotations

from functools import partial

import streamlit as st

from anonlib.basics import words
from anonlib.counting.classes import AnonymityVector
from anonlib.dataset import Dataset
from anonlib.plots import risk as plots
from pages.measure.risk.summary import in_words
from ui.kit import page, shared_controls
from ui.session import view


def show(data: Dataset, vector: AnonymityVector, original: AnonymityVector, looked: str) -> None:
    k = view.now().k
    picture, side = page.beside(2, 1)
    with picture:
        before = original if looked == "Release" else None
        scale = shared_controls.ask_scale()
        draw = partial(plots.class_sizes, vector, k, before=before, unit=data.unit, scale=scale)
        below = words.share(vector.people_below(k), vector.n_records, data.unit)
        event = page.figure(
            draw, f"Bar chart of {data.unit} by the size of their class. {below} are in classes below {k}, drawn red.",
            "risk-sizes", selectable="points",
        )  # fmt: skip
        page.counts(
            f"Each bar counts {data.unit} by how many share all of their quasi-identifiers; red and hatched is below "
            f"k = {k}. {shared_controls.axis_in_words(vector, k, before, scale)}"
            "Equivalence classes as in Sweeney 2002; anonymity vector as in Caballero et al. 2017, Definition 2."
        )
    points = event.selection.points if event else []
    bins = plots.size_bins(vector, k, int(max(original.sizes[-1], vector.sizes[-1])))
    selected = None
    if points and points[0]["point_index"] < len(bins.lows):
        i = points[0]["point_index"]
        selected = (int(bins.lows[i]), int(bins.highs[i]))
    with side, st.container(border=True, height="stretch"):
        in_words(data, vector, k, selected)

"""The Risk page's figures and picture, and in words the whole or the bar that is selected, with the next step."""

from __future__ import annotations

from functools import partial

import pandas as pd
import streamlit as st

from anonlib.analyses.risk import attribute_contributions
from anonlib.basics import figures, words
from anonlib.counting.classes import AnonymityVector
from anonlib.dataset import Dataset
from anonlib.plots import risk as plots
from anonlib.release.comparison import Comparison
from ui.kit import columns, glossary, page, shared_controls
from ui.session import cache, view


def show_metrics(comparison: Comparison, data: Dataset) -> None:
    unit, by_values = data.unit, data.has_several_rows
    columns.show_undecided(unit)
    before, after = comparison.before, comparison.after
    of_marketer = figures.average_risk(after.marketer.in_population)
    average = [words.percent(risk.marketer.average) for risk in (before, after)]
    page.metrics(
        *page.risk_figures(comparison, data),
        (
            of_marketer.named(unit, by_values=by_values),
            words.change(*average),
            glossary.linked(of_marketer.meaning(unit), of_marketer.word, "marketer"),
        ),
        (
            figures.ALONE.named(unit, by_values=by_values),
            words.change(f"{before.unique:,}", f"{after.unique:,}"),
            glossary.linked(
                f"{figures.ALONE.meaning(unit)} {words.share(after.unique, after.n_records, unit)} now.",
                figures.ALONE.word,
            ),
        ),
    )


def in_words(data: Dataset, vector: AnonymityVector, k: int, selected: tuple[int, int] | None) -> None:
    """What is selected, or the whole, in words, with the next step."""
    unit, n = data.unit, vector.n_records
    if selected is None:
        below = vector.people_below(k)
        st.subheader("In words", anchor=False)
        if below:
            st.markdown(
                f"**{words.share(below, n, unit)}** share {page.listed(data.quasi_identifiers)} with fewer than "
                f"{k - 1} others. **{vector.people_below(2):,}** are alone: who knows these values knows the record."
            )
            most = contributions(data).iloc[0]
            if most["adds_below_k"]:
                st.markdown(
                    f"{page.listed([most['attribute']])} adds most: without it {most['below_k_without']:,} would be "
                    f"below {k}, and {most['unique_without']:,} alone."
                )
        else:
            st.markdown(
                f"Every record shares {page.listed(data.quasi_identifiers)} with at least **{vector.k - 1:,}** others."
            )
        st.caption("Click a bar to read what is in it.")
    else:
        low, high = selected
        inside = (vector.sizes >= low) & (vector.sizes <= high)
        records, classes = int((vector.sizes * vector.classes)[inside].sum()), int(vector.classes[inside].sum())
        what = words.count(low, unit) if low == high else f"{low:,} to {high:,} {unit}"
        st.subheader(f"Classes of {what}", anchor=False)
        st.markdown(
            f"**{words.share(records, n, unit)}** are in {classes:,} classes of this size. Someone who knows one of "
            f"them by these values picks the right record with probability "
            f"**{words.percent(1 / high)}**{'' if low == high else f' to **{words.percent(1 / low)}**'}."
        )
        st.markdown(f"That is {'**below**' if high < k else 'at or above'} the k = {k} asked for.")
    holds = not vector.people_below(k)
    label = "Take the release home" if holds else "Protect: recode or leave out"
    st.page_link(page.RELEASE, label=label, icon=":material/outbox:" if holds else ":material/shield:")


def contributions(data: Dataset) -> pd.DataFrame:
    """What each quasi-identifier adds to the risk, the one that adds most first."""
    now = view.now()
    return _contributions(data, k=now.k, threshold=now.threshold)


@cache.remembered
def _contributions(data: Dataset, *, k: int, threshold: float) -> pd.DataFrame:
    return attribute_contributions(view.classes(data), k=k, threshold=threshold)


# ---- the picture ----


def show_picture(data: Dataset, vector: AnonymityVector, original: AnonymityVector, looked: str) -> None:
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

"""What the release is still good for: what it keeps, and how columns go together."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

import pandas as pd
import streamlit as st

from anonlib.analyses.utility import (
    Alongside,
    Prediction,
    Utility,
    can_be_predicted,
    estimated_seconds,
    measure,
    predict,
)
from anonlib.basics.figures import OF_USE
from anonlib.basics.progress import Progress
from anonlib.dataset import Dataset
from anonlib.plots import utility as plots
from anonlib.release.applied import Applied
from anonlib.release.covering import bits_of_columns
from anonlib.release.export import table_csv
from anonlib.release.recipe import Recipe
from pages.release.release.summary import why_empty
from ui.kit import glossary, page
from ui.kit.release_gate import Holds
from ui.session import cache, keep, long_work, view
from ui.session.names import titled
from ui.text import plain, printable

WORST = 10  # pairs in the table
BESIDE = 3  # figures in a row


def show_utility(data: Dataset, applied: Applied) -> None:
    """The tab: figures with their sentences, columns, pairs of columns, and a task."""
    if not applied.released.n_records:
        st.caption(f"Nothing is known of what is kept. {why_empty(applied)}")
        return
    utility = _measured(data, view.now().recipe, k=view.now().aim.k)
    show_figures(utility, data.unit)
    left, right = page.beside(1, 1)
    with left:
        _show_columns(utility)
        _show_worst(utility)
    with right:
        _show_pairs(utility)
    show_task(data, applied)


@cache.waited_for("Measuring what is kept", away_from=cache.MANY)
def _measured(data: Dataset, recipe: Recipe, *, k: int) -> Utility:
    applied = view.apply(recipe, data)
    bits = bits_of_columns(applied, recipe)
    return measure(applied.original, applied.released, k=k, bits=bits, progress=long_work.let_go)


def show_figures(utility: Utility, unit: str) -> None:
    """Each number with what it means for those who analyse the release."""
    for first in range(0, len(utility.figures), BESIDE):
        for place, figure in zip(page.beside(*[1] * BESIDE), utility.figures[first : first + BESIDE], strict=False):
            with place:
                st.metric(
                    figure.label,
                    figure.value,
                    help=glossary.linked(OF_USE[figure.key].meaning(unit), *filter(None, [OF_USE[figure.key].word])),
                )
                st.caption(plain(figure.sentence))


def _show_columns(utility: Utility) -> None:
    st.subheader("Column by column", anchor=False)
    draw = partial(plots.columns, utility)
    page.figure(
        draw, "Bars of the entropy each column keeps, from 0 to 100%, and of how far the shares of its labels "
        "moved.",
        "release-information",
    )  # fmt: skip
    page.counts(
        "Entropy kept: entropy of the column in the release / in the original. Distance: the share of records that "
        "would need another label for the labels to be spread as in the original; coarser labels alone move nothing. "
        "A cell left blank or * counts as left out where others of its value are not."
    )
    table = utility.to_frame()
    table["column"] = [printable(name) for name in table["column"]]
    page.download(
        "Columns as CSV", partial(table_csv, table), "utility-columns.csv", "download-losses", holds=Holds.FIGURES
    )


def _show_pairs(utility: Utility) -> None:
    st.subheader("How columns go together", anchor=False)
    if not utility.association.pairs():
        st.caption("Fewer than two columns are released, so no two go together.")
        return
    page.figure(
        partial(plots.association_change, utility.association),
        "A square of cells, one a pair of columns: blue where they go together less than in the original, orange where "
        "more.",
        "release-association",
    )  # fmt: skip
    page.counts(
        "Cramér’s V with Bergsma’s correction; Spearman’s rank correlation where both columns are numbers, intervals "
        "or dates. 0 is no association, 1 the closest."
    )


def _show_worst(utility: Utility) -> None:
    frame = utility.association.to_frame()
    if frame.empty:
        return
    st.subheader("Pairs that changed most", anchor=False)
    for name in ("column", "with"):
        frame[name] = [printable(column) for column in frame[name]]
    page.table(_worst(frame), "The pairs of columns whose association changed most")
    page.download(
        "All pairs as CSV", partial(table_csv, frame), "utility-pairs.csv", "download-pairs", holds=Holds.FIGURES
    )


def _worst(frame: pd.DataFrame) -> pd.DataFrame:
    shown = frame.head(WORST).rename(columns=str.capitalize)
    return shown.round({"Before": 3, "After": 3, "Difference": 3})


# ---- a task that an officer names ----


def show_task(data: Dataset, applied: Applied) -> None:
    """What to predict and from what, the button that does it, and what came of it."""
    st.subheader("A task for it", anchor=False)
    st.markdown(
        "Name what somebody would predict with these data. Models learn it from the release and are tested on original "
        "records that they have not seen, beside models that learnt from the original."
    )
    offered, leaving = _offered(data, view.now().recipe)
    why_not = _why_not(data, applied, offered, leaving)
    if why_not:
        st.button("Start", key="utility-no-task", disabled=True, help=why_not, icon=":material/play_arrow:")
        st.caption(why_not)
        return
    first = next((name for name in data.sensitive if name in offered), offered[-1])
    what, which = page.beside(1, 2)
    target = keep.select(
        "utility-target", "What to predict", offered, first, place=what, format_func=titled,
        help="A released column of 2 to 20 values.",
    )  # fmt: skip
    others = [name for name in leaving if name != target]
    columns = keep.several(
        keep.per("utility-columns", target), "From which columns", others, others, place=which, format_func=titled
    )
    if not columns:
        st.caption("Choose at least one column to predict it from.")
        return
    recipe = view.now().recipe
    stage = ("Learning and testing", partial(_predicted, data, applied.released, target, columns))
    n_values = len(applied.released.held.values(target))
    seconds = estimated_seconds(data.n_records, len(columns), n_values)
    name = f"predict {data.key} {recipe.key} {target} {columns}"
    prediction = long_work.best_so_far(name, [stage], seconds)
    if prediction is not None:
        _show(prediction)


def _predicted(data: Dataset, released: Dataset, target: str, columns: Sequence[str], progress: Progress) -> Prediction:
    return predict(data, released, target, columns, progress=progress)


@cache.remembered
def _offered(data: Dataset, recipe: Recipe) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The columns that can be predicted, and all that leave."""
    applied = view.apply(recipe, data)
    both = Alongside.of(applied.original, applied.released)
    return can_be_predicted(both), both.leaving


def _why_not(data: Dataset, applied: Applied, offered: tuple[str, ...], leaving: tuple[str, ...]) -> str:
    """Why there is no task, in a sentence; "" where there is."""
    if not view.now().recipe.enabled and applied.released.n_records == data.n_records:
        return "No step changes anything yet, so the release teaches what the original does."
    if data.frame is None:
        return "Models learn from records in memory, and these stay in the database."
    if len(leaving) < 2:
        return "Fewer than two columns are released, so there is nothing to predict from."
    if not offered:
        return "No released column has 2 to 20 values: recode what is to be predicted into a few groups."
    return ""


def _show(prediction: Prediction) -> None:
    for sentence in prediction.sentences:
        st.markdown(plain(sentence))
    page.figure(
        partial(plots.prediction, prediction),
        "Bars of how often each model is right and of the area under its curve, learnt from the original and from the "
        "release, beside always saying the commonest value.",
        "release-prediction",
    )  # fmt: skip
    page.counts(
        f"Each of {len(prediction.commonest.accuracies)} parts of the records was held back once; the line spans the "
        "parts. Grey: learnt from the original. Blue: learnt from the release."
    )
    table = prediction.to_frame()
    page.download(
        "Prediction as CSV",
        partial(table_csv, table),
        "utility-prediction.csv",
        "download-prediction",
        holds=Holds.FIGURES,
    )

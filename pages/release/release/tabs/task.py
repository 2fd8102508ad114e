"""A task that an officer names: how well a column can still be predicted after learning from the release."""

from __future__ import annotations

from functools import partial

import streamlit as st

from anonlib.analyses.utility import Alongside, Prediction, can_be_predicted, estimated_seconds, predict
from anonlib.dataset import Dataset
from anonlib.plots import utility as plots
from anonlib.release.applied import Applied
from anonlib.release.export import table_csv
from anonlib.release.recipe import Recipe
from ui.kit import page
from ui.kit.release_gate import Holds
from ui.session import cache, keep, long_work, view
from ui.session.names import titled
from ui.text import plain


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
    stage: long_work.Stage[Prediction] = (
        "Learning and testing",
        lambda progress: predict(data, applied.released, target, columns, progress=progress),
    )
    n_values = len(applied.released.held.values(target))
    seconds = estimated_seconds(data.n_records, len(columns), n_values)
    name = f"predict {data.key} {recipe.key} {target} {columns}"
    found = long_work.best_so_far(name, [stage], seconds)
    if found is not None:
        _show(found)


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


def _show(found: Prediction) -> None:
    for sentence in found.sentences:
        st.markdown(plain(sentence))
    page.figure(
        partial(plots.prediction, found),
        "Bars of how often each model is right and of the area under its curve, learnt from the original and from the "
        "release, beside always saying the commonest value.",
        "release-prediction",
    )  # fmt: skip
    page.counts(
        f"Each of {len(found.commonest.accuracies)} parts of the records was held back once; the line spans the parts. "
        "Grey: learnt from the original. Blue: learnt from the release."
    )
    table = found.to_frame()
    page.download(
        "Prediction as CSV",
        partial(table_csv, table),
        "utility-prediction.csv",
        "download-prediction",
        holds=Holds.FIGURES,
    )

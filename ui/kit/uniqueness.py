"""Who is alone by a few of all columns that leave: counted at once, or, where it takes long, by a button."""

from __future__ import annotations

import pandas as pd
import streamlit as st

from anonlib.basics import words
from anonlib.dataset import Dataset
from anonlib.release.uniqueness_of_release import FACTS, Alone, seconds
from ui.kit import page
from ui.session import cache, long_work, view
from ui.text import plain


def show(data: Dataset) -> None:
    """How many are alone, and by which columns."""
    now = view.now()
    if now.applied is None or not now.applied.released.n_records:
        return
    counts = now.alone or _counted(data)
    if counts is None:
        return
    st.markdown(in_words(counts, data.unit, is_limited()))
    if counts.worst:
        with st.popover("By which columns"):
            page.table(
                pd.DataFrame(
                    [(words.listed(names), alone, below) for names, alone, below in counts.worst],
                    columns=["Columns", "Alone", f"Below {counts.k}"],
                ),
                "The sets of columns by which most are among few like them",
            )


def is_limited() -> bool:
    """Whether a criterion sets a limit on who is unique on released columns."""
    return any(criterion.uniqueness is not None for criterion in view.now().aim.criteria)


def in_words(counts: Alone, unit: str, limited: bool) -> str:
    """How many are alone, as Markdown; ``limited`` says whether a criterion sets a limit on it."""
    columns = words.count(len(counts.columns), "columns")
    aside = f" Not looked at: {page.listed(counts.aside)}." if counts.aside else ""
    limit = "and a criterion limits it" if limited else "and no limit is set on it"
    return (
        f"Somebody who knows any {counts.known} of the {columns} that leave, sensitive ones too, finds "
        f"**{words.share(counts.alone, counts.n_records, unit)}** alone, and "
        f"{words.share(counts.below, counts.n_records)} among fewer than {counts.k:,} like them. It is counted "
        f"whatever is taken as known, {limit}.{aside} {plain(counts.not_counted)}"
    )


def _counted(data: Dataset) -> Alone | None:
    """What was counted by the button, which shows how far it is."""
    now = view.now()
    name = f"alone-{data.key}-{cache.digest(now.recipe, now.aim.small, now.unknowable)}"
    what = f"Counting who is unique on any {FACTS} released columns"
    n_seconds = seconds(data.n_records, data.columns, now.recipe)
    return long_work.best_so_far(name, [(what, view.counting_alone())], n_seconds)

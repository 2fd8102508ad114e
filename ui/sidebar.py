"""The sidebar: which data, and what the recipe does to its risk. Always there."""

from __future__ import annotations

import streamlit as st

from anonlib import words
from ui import guard, outcome, page, state
from ui.text import plain


def show() -> None:
    with st.sidebar:
        data = state.dataset()
        if data is None:
            st.caption("No data loaded. Nothing you load leaves this machine.")
            return
        _offer_way_back()
        with st.container(border=True):
            st.markdown(f"**{plain(data.name, 40)}**")
            st.caption(f"{words.count(data.n_records, 'records')}, {words.count(len(data.columns), 'columns')}")
            comparison = outcome.comparison()
            if comparison is None:
                st.caption("Choose quasi-identifiers to see the risk.")
                return
            before, after = comparison.before, comparison.after
            highest, now = before.prosecutor.highest, after.prosecutor.highest
            lines = [
                _line("k", f"{before.k:,}", f"{after.k:,}", after.k < after.k_wanted),
                _line("highest risk", words.percent(highest), words.percent(now), now > after.threshold),
                _line(f"below k = {after.k_wanted}", f"{before.below_k:,}", f"{after.below_k:,}", after.below_k > 0),
                f"records kept: **{words.percent(comparison.share_kept)}**",
            ]
            st.markdown("  \n".join(lines) if comparison.records_after else "**No record is left** by the recipe.")
            recipe = state.session().recipe
            on, steps = len(recipe.enabled), words.count(len(recipe), "steps")
            label = f"Recipe: {steps}" if on == len(recipe) else f"Recipe: {on:,} of {steps} on"
            # Where there is a recipe to lose, the browser asks before it closes (ui/server/tab.js looks here).
            with st.container(key="recipe-at-stake" if recipe else "recipe"):
                st.page_link(page.RELEASE, label=label, icon=":material/receipt_long:")


def _offer_way_back() -> None:
    before = state.session().before
    if before is not None and before.loaded is not None:
        st.button(
            f"Back to {plain(before.loaded.source.name, 30)}", icon=":material/undo:", key="go-back",
            on_click=guard.action(state.go_back), width="stretch",
            help="The file that the sample took the place of, with its roles and recipe.",
        )  # fmt: skip


def _line(name: str, before: str, after: str, risky: bool) -> str:
    """One figure, original → now; red when what there is now is past the threshold."""
    change = f"**{plain(words.change(before, after))}**"
    return f"{name}: " + (f":red[{change}]" if risky else change)

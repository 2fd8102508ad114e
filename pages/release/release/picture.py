"""The Release page's picture: class sizes before and after."""

from __future__ import annotations

from functools import partial

from anonlib.basics import words
from anonlib.plots import risk as risk_plots
from anonlib.release.comparison import Comparison
from ui.kit import page, shared_controls


def show_distribution(comparison: Comparison, unit: str) -> None:
    before, after = comparison.before, comparison.after
    if after.n_records:
        scale = shared_controls.ask_scale()
        draw = partial(
            risk_plots.class_sizes, after.vector, after.k_wanted, before=before.vector, unit=unit, scale=scale
        )
        below = words.share(after.below_k, after.n_records, unit)
        page.figure(
            draw, f"{unit.capitalize()} by the size of their class, original as outline, release as bars; "
            f"{below} are below k.", "release-sizes",
        )  # fmt: skip
        page.counts(
            f"{unit.capitalize()} by how many share all their quasi-identifiers. Outline: the original. Red and "
            f"hatched: below k. {shared_controls.axis_in_words(after.vector, after.k_wanted, before.vector, scale)}"
        )

"""Pictures of the verdict: names of points that lie near each other, and the legend above the first bar."""

from __future__ import annotations

import pytest

from anonlib.plots import verdict as plots
from tests.helpers.figures import sent


@pytest.mark.parametrize(
    ("kept", "risk", "places"),
    [
        ([0.5, 0.9], [0.08, 0.2], ["top center", "top left"]),
        ([0.98, 1.0], [0.9, 1.0], ["top left", "bottom left"]),  # Safe Harbor and the original
        ([0.5, 0.55], [0.001, 0.5], ["top center", "top center"]),
        ([0.0, 0.0], [0.0, 0.0], ["top center", "bottom center"]),
    ],
    ids=["apart", "near each other", "one above the other", "no record left"],
)
def test_names_of_two_versions_do_not_lie_over_each_other(kept: list[float], risk: list[float], places: list[str]):
    (points,) = sent(plots.variants(["one", "other"], kept, risk, [True, False]))["data"]
    assert points["textposition"] == places


def test_the_legend_of_prices_is_above_the_picture_and_not_in_it():
    layout = sent(plots.costs(["Smallest class", "Inference"], [0.01, 0.1], [0.2, None]))["layout"]
    assert layout["legend"]["y"] == 1 and layout["legend"]["yanchor"] == "bottom" and layout["margin"]["t"] >= 30

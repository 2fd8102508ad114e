"""The lower bound of the Frontier page: asked for by a button, drawn, kept while the question is the same."""

from __future__ import annotations

import re

from anonlib.analyses.frontier import searches
from anonlib.basics.budget import A_SECOND
from tests.helpers.frontier import QUASI, file_of, of_file
from ui.session import long_work

BUTTON = "Search a bound"
HEADING = "How much better could it get?"


def alt(app) -> str:
    return next(chart.proto.alt for chart in app.at.get("plotly_chart") if "The plane of risk" in chart.proto.alt)


def area(app) -> float:
    return float(re.search(r"grey part, of area (0\.\d+)", app.text)[1])


def test_the_bound_is_raised_by_a_button(long):
    assert HEADING in long.text and "grey part" not in long.text and "No policy can be" not in alt(long)
    assert not long.press(BUTTON).errors
    first = area(long)
    assert 0 < first < 1 and f"No policy can be in the grey part, an area of {first:.4f}" in alt(long)
    assert "another policy could gain on the chosen one" in long.text or "no policy is better" in long.text
    assert "Lagrangian relaxation" in long.text
    assert long.has_button(BUTTON) != ("more work does not raise it" in long.text)
    long.press("Search for")
    assert not long.errors and area(long) == first, "a search beside it leaves it"


def test_the_bound_goes_on_and_keeps_what_it_has(monkeypatch):
    press = long_work._press_search
    monkeypatch.setattr(long_work, "_press_search", lambda name, given: press(name, A_SECOND / 20))
    rows = [f"{20 + i % 61},{37000 + 37 * (i * i % 23)},{i * i * i % 7}" for i in range(900)]
    app = of_file(file_of("age,zip,ward", *rows), age=QUASI, zip=QUASI, ward=QUASI)
    areas = [area(app.press(BUTTON)) for _ in range(3)]
    assert not app.errors and areas == sorted(areas) and areas[0] < areas[-1]


def test_each_better_bound_is_drawn_once(long, monkeypatch):
    """Nor is one that is no better: Streamlit refuses two pictures that are the same."""
    monkeypatch.setattr(long_work, "_DRAWN", 0.0)
    monkeypatch.setattr(searches, "BETWEEN", A_SECOND / 25)
    long.press(BUTTON)
    assert not long.errors and area(long) > 0 and not long.has_button("Stop")


def test_the_bound_goes_when_the_question_changes(long):
    long.press(BUTTON)
    assert area(long) > 0
    long.choose("selectbox", "Information loss", "ncp")
    assert not long.errors and "grey part" not in long.text and long.has_button(BUTTON)
    long.choose("selectbox", "Information loss", "kl")
    assert "grey part" not in long.text and long.has_button(BUTTON)


def test_without_a_bound_it_is_stated_why(long, app):
    long.choose("selectbox", "Risk", "highest")
    assert long.button(BUTTON).disabled and "needs measures that add up" in long.text
    assert "All policies were looked at" in app.text and app.button(BUTTON).disabled

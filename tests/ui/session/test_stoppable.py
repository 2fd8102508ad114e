"""Work that begins by itself can be stopped, waits for its button, and is then done."""

from __future__ import annotations

import pytest
from streamlit.runtime.scriptrunner_utils.exceptions import StopException

from pages.measure.individuals import results
from tests.helpers.app import INDIVIDUALS, computing_again, seeded, visits
from ui.session import long_work

STOPPED = "you stopped the counting of who can be distinguished"


def test_what_individuals_counts_is_stopped_and_gone_on_with(monkeypatch):
    def ended_by_a_click(*given, progress, **named):
        progress(0.5)
        raise StopException

    monkeypatch.setattr(long_work, "_SHOWN", 0.0)
    monkeypatch.setattr(long_work, "_EVERY", 0.0)
    with computing_again():
        with monkeypatch.context() as during:
            during.setattr(results, "privacy_profile", ended_by_a_click)
            app = seeded(visits(), page=INDIVIDUALS)
        (bar,) = app.at.get("progress")
        assert bar.text == "Counting who can be distinguished: 50%" and not app.at.get("plotly_chart")
        app.press("Stop")
        assert STOPPED in app.text and not app.at.get("plotly_chart")
        app.press("Go on")
        assert STOPPED not in app.text and app.at.get("plotly_chart")


@pytest.mark.parametrize(("shares", "shown"), [((0.5, 0.2), "50%"), ((0.2, 1.0, 0.1), "99%")])
def test_progress_does_not_go_back_and_is_not_all_before_the_end(monkeypatch, shares, shown):
    def in_rounds(*given, progress, **named):
        for share in shares:
            progress(share)
        raise StopException

    monkeypatch.setattr(long_work, "_SHOWN", 0.0)
    monkeypatch.setattr(long_work, "_EVERY", 0.0)
    monkeypatch.setattr(results, "privacy_profile", in_rounds)
    with computing_again():
        (bar,) = seeded(visits(), page=INDIVIDUALS).at.get("progress")
    assert bar.text.endswith(f": {shown}")

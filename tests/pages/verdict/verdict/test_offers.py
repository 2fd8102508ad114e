"""A first proposal that takes long: the rest of the page does not wait for it, and it can be stopped."""

from __future__ import annotations

import pytest
from streamlit.runtime.scriptrunner_utils.exceptions import StopException

from pages.verdict.verdict import offers
from tests.helpers.app import VERDICT, computing_again, seeded, visits
from ui.session import long_work


@pytest.fixture
def slowly(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing is made in a moment, and progress is shown at once."""
    monkeypatch.setattr(offers, "_IN_PLACE", -1.0)
    monkeypatch.setattr(long_work, "_SHOWN", 0.0)
    monkeypatch.setattr(long_work, "_EVERY", 0.0)


def test_the_page_is_there_while_a_first_proposal_is_searched(slowly, monkeypatch: pytest.MonkeyPatch) -> None:
    def ended_by_a_click(looked_at, data, n, wording):
        offers.long_work.stoppable(offers._name(looked_at), step, wording, "proposals")

    def step(tell):
        tell(0.5)
        raise StopException

    with computing_again():
        with monkeypatch.context() as during:
            during.setattr(offers, "_next", ended_by_a_click)
            app = seeded(visits(80), page=VERDICT)
        assert any("Smallest class" in line.label for line in app.at.expander) and not app.has_button("Take this")
        assert [bar.text for bar in app.at.get("progress")] == ["Searching for the least change: 50%"]
        app.press("Stop")
        assert "No proposal is searched: you stopped it." in app.text
        app.press("Go on")
        assert app.has_button("Take this") and "you stopped it" not in app.text

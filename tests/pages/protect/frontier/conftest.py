"""Sessions on the Frontier page."""

from __future__ import annotations

import pytest

from tests.helpers.app import App
from tests.helpers.frontier import LONG, WORK, of_file, records_csv
from ui.session import long_work


@pytest.fixture
def app() -> App:
    return of_file()


@pytest.fixture
def long(monkeypatch) -> App:
    """Too many policies to look at all of them; a search goes on for a moment at a press."""
    press = long_work._press_search
    monkeypatch.setattr(long_work, "_press_search", lambda name, given: press(name, WORK))
    return of_file(records_csv(400, ages=LONG))

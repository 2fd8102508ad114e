"""Fixtures of the tests of the Individuals page."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from pages.measure.individuals import results
from ui.kit import page


@pytest.fixture
def slow(monkeypatch) -> None:
    """Everything but single known columns takes long."""
    monkeypatch.setattr(results, "AT_ONCE", 1e-12)


@pytest.fixture
def made(monkeypatch) -> dict[str, Callable[[], bytes]]:
    """What each download button would make, by its key."""
    makers: dict[str, Callable[[], bytes]] = {}
    show = page.download

    def remember(label, make, file_name, key, **options) -> None:
        if file_name.endswith(".csv"):  # the project in the sidebar is no table
            makers[key] = make
        assert "/" not in file_name
        show(label, make, file_name, key, **options)

    monkeypatch.setattr(page, "download", remember)
    return makers

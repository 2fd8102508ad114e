"""A session with records and areas on the Regions page, and what its downloads are made of."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from tests.helpers.app import App
from tests.helpers.regions import of_files
from ui.kit import page


@pytest.fixture
def app() -> App:
    return of_files()


@pytest.fixture
def made(monkeypatch) -> dict[str, Callable[[], bytes]]:
    """By file name, what makes the file of a download button."""
    shown: dict[str, Callable[[], bytes]] = {}
    download = page.download

    def keep(label, make, file_name, key, **options):
        shown[file_name] = make
        download(label, make, file_name, key, **options)

    monkeypatch.setattr(page, "download", keep)
    return shown

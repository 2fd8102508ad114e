"""What every test of a page begins with."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
import streamlit as st

from tests.helpers.app import computing_again
from tests.helpers.downloads import Offered


@pytest.fixture(autouse=True)
def _computed_by_its_own_functions(request: pytest.FixtureRequest) -> Iterator[None]:
    """A test that puts something in the place of a function has nothing of what was computed without it."""
    if "monkeypatch" not in request.fixturenames:
        yield
        return
    with computing_again():
        yield


@pytest.fixture
def offered(monkeypatch: pytest.MonkeyPatch) -> dict[str, Offered]:
    """All downloads that were offered, by their key: whoever offers them, and by whatever way."""
    shown: dict[str, Offered] = {}
    download = st.download_button

    def noted(label, data, *arguments, disabled=False, help=None, key=None, **options):
        shown[key] = Offered(label, data, disabled, help or "")
        return download(label, data, *arguments, disabled=disabled, help=help, key=key, **options)

    monkeypatch.setattr(st, "download_button", noted)
    return shown

"""What downloads give, for the tests of all that leaves."""

from __future__ import annotations

from collections.abc import Callable

import pytest
import streamlit as st


@pytest.fixture
def made(monkeypatch: pytest.MonkeyPatch) -> Callable[[str], bytes]:
    """The file that a download gives, as a page last showed it."""
    makers, download = {}, st.download_button

    def noted(label: str, data: Callable[[], bytes], *arguments, **settings) -> bool:
        makers[label] = data
        return download(label, data, *arguments, **settings)

    monkeypatch.setattr(st, "download_button", noted)
    return lambda label: makers[label]()

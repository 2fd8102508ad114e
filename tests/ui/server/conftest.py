"""Each test of the server begins as if nothing had been prepared."""

from __future__ import annotations

import logging
import sys
import threading
from collections.abc import Iterator

import pytest
from starlette.formparsers import MultiPartParser
from streamlit.runtime.memory_session_storage import MemorySessionStorage
from streamlit.runtime.pages_manager import PagesManager

from ui import server
from ui.server import keeping


@pytest.fixture(autouse=True)
def as_it_comes(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Each test begins, and leaves, the process as if nothing had been prepared."""
    factory = logging.getLogRecordFactory()
    monkeypatch.setattr(MultiPartParser, "spool_max_size", 1024 * 1024)
    monkeypatch.setattr(PagesManager, "uses_pages_directory", None)
    monkeypatch.setattr(MemorySessionStorage, "save", keeping._SAVE)
    server._check.cache_clear()
    monkeypatch.setattr(sys, "excepthook", sys.__excepthook__)
    monkeypatch.setattr(threading, "excepthook", threading.__excepthook__)
    logging.setLogRecordFactory(logging.LogRecord)
    yield
    logging.setLogRecordFactory(factory)

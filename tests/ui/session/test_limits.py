"""What a session may hold, and all together: refused in a sentence, or given way."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import numpy as np
import pytest

from tests.helpers.app import DATA, App, visits
from tests.helpers.errors import refused
from ui.server import keeping
from ui.session import limits
from ui.session.limits import MemoryLimits


@pytest.fixture
def allowed(monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[[int, int], None]]:
    """Sets how much a session may take, and all together, in bytes."""
    monkeypatch.setattr(limits, "_files", {})
    monkeypatch.setattr(limits, "_computed", {})
    yield lambda session, all_sessions: monkeypatch.setattr(
        limits, "limits", lambda: MemoryLimits(session, all_sessions)
    )


def in_session(monkeypatch: pytest.MonkeyPatch, session: str) -> None:
    class Context:
        session_id = session

    monkeypatch.setattr(limits, "get_script_run_ctx", lambda suppress_warning: Context)


def block(size: int) -> np.ndarray:
    return np.zeros(size, np.uint8)


def test_half_is_for_files(allowed, monkeypatch):
    allowed(1_000, 10_000)
    in_session(monkeypatch, "a")
    limits.check_file(250)
    with refused("memory-limit") as caught:
        limits.check_file(300)
    assert "600 bytes of memory; a session may hold 500 bytes here" in str(caught.value)
    limits.take_file(block(500))
    with refused("memory-limit"):
        limits.take_file(block(501))
    assert limits.bytes_by_session() == {"a": 500}, "what was there stays"


def test_the_files_of_all_are_counted_and_those_that_are_dropped_are_not(allowed, monkeypatch):
    allowed(1_000, 1_000)
    for session, size in (("a", 200), ("b", 250)):
        in_session(monkeypatch, session)
        limits.take_file(block(size))
    limits.take_file(block(300))
    in_session(monkeypatch, "c")
    with refused("memory-limit") as caught:
        limits.take_file(block(1))
    assert "the files of others have 500 bytes of the 500 bytes" in str(caught.value)
    for forget in keeping.when_dropped:
        forget("a")
    limits.take_file(block(200))
    limits.take_file(None)
    assert limits.bytes_by_session() == {"b": 300, "c": 0}


def test_what_was_computed_gives_way_first_that_of_the_session_used_longest_ago(allowed, monkeypatch):
    allowed(1_000, 1_000)
    stores = {}
    for session in ("a", "b"):
        in_session(monkeypatch, session)
        stores[session] = limits.new_store(1 << 30, 1.0)
        assert stores[session].limit == 1_000
        for key in range(3):
            stores[session].put(key, block(100))
        limits.use(stores[session])
    assert stores["a"].size == 200 and stores["b"].size == 300
    assert stores["a"].held(0) is None and stores["a"].held(2) is not None
    assert limits.bytes_by_session() == {"a": 200, "b": 300}
    in_session(monkeypatch, "a")
    limits.use(stores["a"])
    stores["a"].put(3, block(100))
    limits.use(stores["a"])
    assert limits.bytes_by_session() == {"b": 200, "a": 300}


def test_a_file_that_is_too_large_is_refused_on_the_page_and_the_one_before_stays(allowed):
    app = App(DATA, visits(40))
    allowed(2_000, 10_000)
    app.upload(visits(2_000), "large.csv")
    assert "a session may hold 1 kB here" in app.text and app.session.loaded.name != "large.csv"

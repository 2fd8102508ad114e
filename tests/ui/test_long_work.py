"""A search that a page holds: gone on with, interrupted, never in two threads at once, never worse than it was."""

from __future__ import annotations

import threading
import time
from types import SimpleNamespace

import pytest

from ui import long_work
from ui.state import Session


class Interrupted(BaseException):
    """As Streamlit stops a script."""


@pytest.fixture
def session(monkeypatch) -> Session:
    held = Session()
    monkeypatch.setattr(long_work.state, "session", lambda: held)
    return held


def run(session: Session, begin, seconds: float = 0.05, tell=lambda best, share: None, name: str = "a") -> None:
    session.searched = 0.0
    long_work._run_search(name, begin, seconds, tell)


def counting(log: list, pause: float = 0.01):
    def begin():
        for i in range(10**6):
            log.append(i)
            time.sleep(pause)
            yield i

    return begin


def test_a_search_goes_on_where_it_was(session):
    log: list[int] = []
    run(session, counting(log))
    first = session.work["a"]
    run(session, counting(log))
    assert first[0] == 0 and session.work["a"][1] > first[1] and log == list(range(len(log)))


def test_a_search_that_ends_is_done(session):
    run(session, lambda: iter("xyz"))
    assert session.work["a"] == (1, "z") and not session.searches


def test_an_interrupted_search_keeps_its_best_and_goes_on(session):
    log: list[int] = []

    def stop(best, share):
        if best == 2:
            raise Interrupted

    with pytest.raises(Interrupted):
        run(session, counting(log), 5.0, stop)
    assert session.work["a"] == (0, 2)
    run(session, counting(log))
    assert session.work["a"][1] > 2 and log == list(range(len(log)))


def test_a_search_that_fails_keeps_its_best_and_does_not_begin_anew(session):
    def begin():
        yield 7
        raise RuntimeError

    with pytest.raises(RuntimeError):
        run(session, begin)
    assert session.work["a"] == (1, 7) and session.running is None and not session.searches


def test_a_second_thread_waits_for_the_first(session):
    """A click starts the page anew while the old run is still in the search."""
    log: list[int] = []
    failures: list[BaseException] = []

    def one() -> None:
        try:
            run(session, counting(log, 0.02), 0.1)
        except BaseException as error:
            failures.append(error)

    threads = [threading.Thread(target=one) for _ in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not failures and log == list(range(len(log)))


def test_the_one_used_last_is_the_last_to_give_way(session, monkeypatch):
    shown = SimpleNamespace(empty=lambda: None, button=lambda *args, **how: None)
    monkeypatch.setattr(long_work, "st", shown)
    for name in "abcdef":
        run(session, counting([]), 0.001, name=name)
    long_work.search("a", counting([]), 1.0, "Search", 0.0)
    run(session, counting([]), 0.001, name="g")
    assert list(session.work) == ["c", "d", "e", "f", "a", "g"] and set(session.searches) == set(session.work)
    session.running = "c"
    long_work.search("a", counting([]), 1.0, "Search", 0.0)
    assert session.running is None, "another one is looked at"

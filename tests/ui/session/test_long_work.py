"""A search that a page holds: gone on with, interrupted, never in two threads at once, never worse than it was."""

from __future__ import annotations

import threading
import time
from types import SimpleNamespace

import pytest

from ui.session import long_work
from ui.session.cache import Memory
from ui.session.long_work import Work


class Interrupted(BaseException):
    """As Streamlit stops a script."""


@pytest.fixture
def work(monkeypatch) -> Work:
    """How far the long work of a session is."""
    memory = Memory()
    monkeypatch.setattr(long_work.cache, "memory", lambda: memory)
    return long_work._work()


def run(work: Work, begin, seconds: float = 0.05, tell=lambda best, share: None, name: str = "a") -> None:
    work.searched = 0.0
    long_work._run_search(name, begin, seconds, tell)


def counting(log: list, pause: float = 0.01):
    def begin():
        for i in range(10**6):
            log.append(i)
            time.sleep(pause)
            yield i

    return begin


def test_a_search_goes_on_where_it_was(work):
    log: list[int] = []
    run(work, counting(log))
    first = work.latest["a"]
    run(work, counting(log))
    assert first[0] == 0 and work.latest["a"][1] > first[1] and log == list(range(len(log)))


def test_a_search_that_ends_is_done(work):
    run(work, lambda: iter("xyz"))
    assert work.latest["a"] == (1, "z") and not work.searches


def test_an_interrupted_search_keeps_its_best_and_goes_on(work):
    log: list[int] = []

    def stop(best, share):
        if best == 2:
            raise Interrupted

    with pytest.raises(Interrupted):
        run(work, counting(log), 5.0, stop)
    assert work.latest["a"] == (0, 2)
    run(work, counting(log))
    assert work.latest["a"][1] > 2 and log == list(range(len(log)))


def test_a_search_that_fails_keeps_its_best_and_does_not_begin_again(work):
    def begin():
        yield 7
        raise RuntimeError

    with pytest.raises(RuntimeError):
        run(work, begin)
    assert work.latest["a"] == (1, 7) and work.running is None and not work.searches


def test_a_second_thread_waits_for_the_first(work):
    """A click starts the page anew while the old run is still in the search."""
    log: list[int] = []
    failures: list[BaseException] = []

    def one() -> None:
        try:
            run(work, counting(log, 0.02), 0.1)
        except BaseException as error:
            failures.append(error)

    threads = [threading.Thread(target=one) for _ in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not failures and log == list(range(len(log)))


def test_the_one_used_last_is_the_last_to_give_way(work, monkeypatch):
    shown = SimpleNamespace(empty=lambda: None, button=lambda *args, **how: None)
    monkeypatch.setattr(long_work, "st", shown)
    for name in "abcdef":
        run(work, counting([]), 0.001, name=name)
    long_work.search("a", counting([]), 1.0, "Search", 0.0)
    run(work, counting([]), 0.001, name="g")
    assert list(work.latest) == ["c", "d", "e", "f", "a", "g"] and set(work.searches) == set(work.latest)
    work.running = "c"
    long_work.search("a", counting([]), 1.0, "Search", 0.0)
    assert work.running is None, "another one is looked at"

"""A search that a page holds: gone on with, interrupted, never in two threads at once, never worse than it was.

How far it gets is a matter of the work that it was given, whoever looks at it meanwhile.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from types import SimpleNamespace

import pytest

from anonlib.basics.progress import Progress, nobody
from ui.session import long_work
from ui.session.cache import Memory
from ui.session.long_work import Work


class Interrupted(BaseException):
    """As Streamlit stops a script."""


@dataclass(frozen=True)
class Answer:
    """What a search yields."""

    number: int
    work: float
    seconds: float = 0.0
    ended_early: bool = False


@pytest.fixture
def work(monkeypatch) -> Work:
    """How far the long work of a session is."""
    memory = Memory()
    monkeypatch.setattr(long_work.cache, "memory", lambda: memory)
    return long_work._work()


def run(begin, until: float, progress: Progress = nobody, name: str = "a") -> None:
    long_work._run_search(name, begin, until, progress)


def counting(log: list[int], pause: float = 0.0, most: int = 10**6) -> Callable[[], Iterator[Answer]]:
    """A search whose every answer is work of 2."""

    def begin() -> Iterator[Answer]:
        for i in range(most):
            log.append(i)
            time.sleep(pause)
            yield Answer(i, 2.0 * (i + 1), 0.5 * (i + 1))

    return begin


def stop_at(number: int) -> Progress:
    def progress(share: float, best: Answer) -> None:
        if best.number == number:
            raise Interrupted

    return progress


def test_a_search_goes_on_where_it_was_and_as_far_as_its_work(work):
    log: list[int] = []
    shares: list[float] = []
    run(counting(log), 9)
    assert work.latest["a"] == (0, Answer(4, 10, 2.5))
    run(counting(log), 20, lambda share, best: shares.append(share))
    assert work.latest["a"] == (0, Answer(9, 20, 5)) and log == list(range(10))
    assert shares == sorted(shares) and shares[-1] == 1
    run(counting(log), 20)
    assert log == list(range(10)), "that is done"


def test_a_search_that_ends_is_done(work):
    run(counting([], most=3), 100)
    assert work.latest["a"] == (1, Answer(2, 6, 1.5)) and not work.searches


def test_an_interrupted_search_keeps_its_best_and_comes_to_the_same(work):
    log: list[int] = []
    with pytest.raises(Interrupted):
        run(counting(log), 20, stop_at(2))
    assert work.latest["a"][1].number == 2
    assert long_work.result("a") == Answer(2, 6, 1.5, ended_early=True), "the officer stopped it"
    work.running = "a"
    assert not long_work.result("a").ended_early
    run(counting(log), 20)
    work.running = None
    assert long_work.result("a") == Answer(9, 20, 5) and log == list(range(10))


def test_a_press_gives_as_much_again_also_to_what_was_stopped(work):
    assert long_work._until("a", 10) == 10
    run(counting([]), 5)
    assert long_work._until("a", 10) == 15 and long_work._until("a", 0.5) == 6.5, "one step was more than it was given"
    with pytest.raises(Interrupted):
        run(counting([]), 25, stop_at(6))
    assert long_work._until("a", 20) == 25, "what it was given before comes first"
    best = work.latest["a"][1]
    assert long_work._how_long("a", 20, best) == " for about 3 s", "11 left, 4 in a second"
    assert long_work._how_long("a", 20, Answer(0, 0)) == ""


def test_a_search_that_fails_keeps_its_best_and_does_not_begin_again(work):
    def begin():
        yield Answer(7, 1)
        raise RuntimeError

    with pytest.raises(RuntimeError):
        run(begin, 10)
    assert work.latest["a"] == (1, Answer(7, 1)) and work.running is None and not work.searches


def test_a_second_thread_waits_for_the_first_and_does_no_more(work):
    """A click starts the page anew while the old run is still in the search."""
    log: list[int] = []
    failures: list[BaseException] = []

    def one() -> None:
        try:
            run(counting(log, 0.005), 20)
        except BaseException as error:
            failures.append(error)

    threads = [threading.Thread(target=one) for _ in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not failures and log == list(range(10))


def test_the_one_used_last_is_the_last_to_give_way(work, monkeypatch):
    shown = SimpleNamespace(empty=lambda: None, button=lambda *args, **how: None)
    monkeypatch.setattr(long_work, "st", shown)
    for name in "abcdef":
        run(counting([]), 1, name=name)
    long_work.search("a", counting([]), 1.0, "Search", 0.0)
    run(counting([]), 1, name="g")
    assert list(work.latest) == ["c", "d", "e", "f", "a", "g"] and set(work.searches) == set(work.latest)
    work.running = "c"
    long_work.search("a", counting([]), 1.0, "Search", 0.0)
    assert work.running is None, "another one is looked at"

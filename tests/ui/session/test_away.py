"""Work away from the page: given what it needs, stopped by the page, and what it computed is held by the session."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
import pytest

from anonlib.basics.errors import InputError
from anonlib.basics.progress import Progress, nobody
from anonlib.filing.project import LoadedTable
from tests.helpers.app import visits, within
from tests.helpers.records import InDuckDB
from ui.server.workers.jobs import Failed
from ui.session import away, cache, long_work, state
from ui.session.state import Session


class Stopped(BaseException):
    """As Streamlit stops a run."""


@dataclass(frozen=True)
class Named:
    """An input with a key."""

    key: str
    values: np.ndarray | None = None


computed: list[str] = []


@cache.remembered
def doubled(named: Named, *, times: int = 2) -> tuple[Named, int]:
    computed.append(named.key)
    return named, times * len(named.key)


@cache.waited_for("Counting")
def doubled_twice(named: Named) -> int:
    return doubled(named)[1] + doubled(named, times=3)[1]


@pytest.fixture(autouse=True)
def nothing_computed() -> None:
    computed.clear()


def in_a_session(page: Callable[[], Any]) -> Any:
    """What a page comes to, or raises, in a session of its own."""

    def run() -> tuple[Any, BaseException | None]:
        try:
            return page(), None
        except BaseException as error:
            return None, error

    answer, error = within(Session(), run)
    if error is not None:
        raise error
    return answer


def test_what_is_computed_comes_back_with_what_it_was_given() -> None:
    named = Named("abc", np.arange(10_000))

    def work(progress: Progress) -> tuple[np.ndarray, int]:
        return named.values, int(named.values.sum())

    values, total = in_a_session(lambda: away.compute(work, nobody))
    assert values is named.values and total == sum(range(10_000))


def test_progress_is_seen_and_a_stop_ends_the_work() -> None:
    seen: list[tuple[float, Any]] = []
    after: list[int] = []

    def work(progress: Progress) -> None:
        for i in range(10):
            progress(i / 10, (i,))
            after.append(i)

    def stop_at_3(share: float, so_far: Any = None, /) -> None:
        seen.append((share, so_far))
        if so_far == (3,):
            raise Stopped

    with pytest.raises(Stopped):
        in_a_session(lambda: away.compute(work, stop_at_3))
    assert seen == [(i / 10, (i,)) for i in range(4)] and not after, "its own copy"


def test_what_it_remembers_is_asked_of_the_session_and_held_by_it() -> None:
    named, other = Named("abc"), Named("ab")

    def work(_: Progress) -> list[int]:
        return [doubled(named)[1], doubled(other)[1], doubled(other)[1], doubled_twice(named)]

    def page() -> None:
        doubled(named)
        assert computed == ["abc"]
        assert away.compute(work, nobody) == [6, 4, 4, 15]
        assert computed == ["abc", "ab", "abc"], "the third one with other parameters"
        assert doubled.held(other) == (other, 4) and doubled_twice.held(named) == 15
        doubled(other)
        doubled_twice(named)
        assert computed == ["abc", "ab", "abc"]

    in_a_session(page)


def test_neither_a_session_nor_a_page_is_there() -> None:
    def work(_: Progress) -> Any:
        return state.session()

    with pytest.raises(Failed) as failed:
        in_a_session(lambda: away.compute(work, nobody))
    assert "RuntimeError: There is no session here" in failed.value.place


def test_an_error_comes_back_as_itself() -> None:
    def work(_: Progress) -> None:
        raise InputError("Choose another column.", code="column-unknown", column="age")

    with pytest.raises(InputError, match="Choose another column") as raised:
        in_a_session(lambda: away.compute(work, nobody))
    assert (raised.value.code, raised.value.column) == ("column-unknown", "age")


def test_work_within_work_is_done_where_it_is() -> None:
    def work(progress: Progress) -> int:
        return 1 + away.compute(lambda _: doubled(Named("abc"))[1], progress)

    assert in_a_session(lambda: away.compute(work, long_work.let_go)) == 7
    assert computed == ["abc"]


def test_what_is_counted_in_an_engine_is_done_here() -> None:
    data = LoadedTable.of(InDuckDB("visits.csv", "CSV", visits()))

    def page() -> None:
        thread = object()
        assert away.compute(lambda _: (data.records().n_records, thread), nobody)[1] is thread

    in_a_session(page)


def test_without_a_session_it_is_done_here() -> None:
    thing = object()
    assert away.compute(lambda _: thing, nobody) is thing


# ---- a search ----


@dataclass(frozen=True)
class Answer:
    work: float


def counting(most: int = 1_000) -> Callable[[], Iterator[Answer]]:
    def begin() -> Iterator[Answer]:
        for i in range(most):
            doubled(Named("x" * (i + 1)))
            yield Answer(2.0 * (i + 1))

    return begin


def test_a_search_goes_on_where_it_was() -> None:
    def page() -> None:
        seen: list[float] = []
        search = away.Search(counting())
        assert search.go_on(9, lambda work, best: seen.append(best.work)) == (Answer(10), False)
        assert seen == [2, 4, 6, 8, 10]
        assert search.go_on(13, lambda work, best: seen.append(best.work)) == (Answer(14), False)
        assert seen == [2, 4, 6, 8, 10, 12, 14]
        search.close()
        assert doubled.held(Named("x" * 7)) is not None
        assert search.go_on(5, nobody) == (Answer(6), False), "begun again"
        search.close()
        search.close()

    in_a_session(page)


def test_a_search_that_ends_says_so() -> None:
    def page() -> None:
        search = away.Search(counting(3))
        assert search.go_on(4, nobody) == (Answer(4), False)
        assert search.go_on(9, nobody) == (Answer(6), True)

    in_a_session(page)


def test_a_search_that_is_stopped_stands_still_and_comes_to_the_same() -> None:
    def stop_at(work: float) -> Progress:
        def progress(share: float, best: Any = None, /) -> None:
            if share >= work:
                raise Stopped

        return progress

    def page() -> None:
        search = away.Search(counting())
        with pytest.raises(Stopped):
            search.go_on(20, stop_at(6))
        assert search.go_on(8, nobody) == (Answer(8), False), "what is ordered last counts"
        assert search.go_on(20, nobody) == (Answer(20), False)
        search.close()

    in_a_session(page)


def test_a_search_that_fails_begins_again() -> None:
    def begin() -> Iterator[Answer]:
        yield Answer(1)
        raise InputError("Too many.", code="too-many-choices")

    def page() -> None:
        search = away.Search(begin)
        for _ in range(2):
            assert search.go_on(1, nobody) == (Answer(1), False)
            with pytest.raises(InputError):
                search.go_on(2, nobody)

    in_a_session(page)


# ---- what is made outside of all runs ----


def test_a_file_is_made_away_when_it_is_asked_for_outside_of_all_runs(monkeypatch: pytest.MonkeyPatch) -> None:
    sessions: list[str] = []
    begin = away.begin_job

    def noted(session: str, function: Any, first: bool) -> Any:
        sessions.append(session)
        return begin(session, function, first)

    monkeypatch.setattr(away, "begin_job", noted)

    def make() -> bytes:
        computed.append("here")
        return b"file"

    make_away = in_a_session(lambda: away.later(make))
    assert not sessions
    assert make_away() == b"file" and len(sessions) == 1 and not computed
    with pytest.raises(Failed):
        in_a_session(lambda: away.later(lambda: state.session()))()


def test_a_file_of_records_in_an_engine_is_made_here() -> None:
    data = LoadedTable.of(InDuckDB("visits.csv", "CSV", visits())).records()
    thread = object()
    assert in_a_session(lambda: away.later(lambda: (data.n_records, thread)))()[1] is thread

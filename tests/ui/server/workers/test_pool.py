"""Jobs in processes: what they come to, how they end, whose turn it is, and that nothing is left of them."""

from __future__ import annotations

import os
import signal
import sys
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

import numpy as np
import psutil
import pytest

from anonlib.basics import machine_code
from anonlib.basics.errors import InputError
from anonlib.basics.progress import Progress, nobody
from tests.helpers.processes import nothing_left_of, started, waited_until
from ui.server.workers.jobs import Answers, Failed, Home, Lost
from ui.server.workers.pool import ProcessJob, WorkerPool
from ui.server.workers.processes import ROOT

pytestmark = pytest.mark.skipif(not sys.platform.startswith("linux"), reason="there are such processes on Linux")
SECRET = "SECRET-CELL-7731"


class Stopped(BaseException):
    """As Streamlit stops a run."""


@pytest.fixture(scope="module")
def pool() -> Iterator[WorkerPool]:
    with started(WorkerPool(most_running=1)) as pool:
        yield pool


@pytest.fixture(autouse=True)
def nothing_is_left(pool: WorkerPool) -> Iterator[None]:
    """Neither a job, nor a process, nor a file of it is left of any test."""
    files = len(os.listdir("/proc/self/fd"))
    yield
    nothing_left_of(pool)
    waited_until(lambda: len(os.listdir("/proc/self/fd")) <= files)


def answers(progress: Progress = nobody, ask: Callable[..., Any] = lambda *_: None) -> Answers:
    return Answers(progress, ask, lambda _: None)


def done(pool: WorkerPool, function: Callable[[Home], None], order: Any = None, given: Answers | None = None) -> Any:
    with closing(pool.begin("session", function, True)) as job:
        return job.carry_out(order, given or answers())


def in_thread(threads: ThreadPoolExecutor, job: ProcessJob, progress: Progress = nobody) -> Future[Any]:
    def run() -> Any:
        with closing(job):
            return job.carry_out(None, answers(progress))

    return threads.submit(run)


@contextmanager
def in_threads(pool: WorkerPool) -> Iterator[ThreadPoolExecutor]:
    """Threads that wait for jobs; all of these end with the block, however that ends."""
    with ThreadPoolExecutor() as threads:
        try:
            yield threads
        finally:
            for session in {job.session for job in [*pool._jobs]}:
                pool.drop(session)


def busy(home: Home) -> None:
    """Work without end."""
    n = 0
    while True:
        n += 1
        home.progress(0.5, (os.getpid(), n))


def asleep(home: Home) -> None:
    home.progress(0.5, os.getpid())
    time.sleep(600)


# ---- what comes back -------------------------------------------------------------------------------------------------


def test_what_it_is_given_comes_back_with_what_it_made(pool: WorkerPool) -> None:
    given, fixed = np.arange(1_000_000), np.arange(5)
    fixed.flags.writeable = False

    def function(home: Home) -> None:
        assert given.flags.writeable and not fixed.flags.writeable
        order = home.order()
        home.report((given, given + order, order, fixed, os.getpid()))

    same, more, order, small, pid = done(pool, function, 7)
    assert same is given and (more == given + 7).all() and order == 7
    assert more.flags.writeable and more.flags.owndata is False and (small == fixed).all() and pid != os.getpid()


def test_what_it_changes_of_what_it_is_given_is_its_own(pool: WorkerPool) -> None:
    given = np.arange(1_000_000)

    def function(home: Home) -> None:
        given[:] = 0
        home.report(int(given.sum()))

    assert done(pool, function) == 0
    assert given[5] == 5


def test_the_newest_progress_is_seen_in_its_order(pool: WorkerPool) -> None:
    seen: list[tuple[float, Any]] = []

    def function(home: Home) -> None:
        for i in range(30):
            home.progress(i / 30, (i, "x" * 100_000))
            time.sleep(0.02)
        home.report("done")

    assert done(pool, function, given=answers(lambda share, so_far=None: seen.append((share, so_far)))) == "done"
    numbers = [so_far[0] for _, so_far in seen if so_far is not None]
    assert len(numbers) >= 2 and numbers == sorted(set(numbers)), "each once"
    assert [share for share, _ in seen] == sorted(share for share, _ in seen)


def test_progress_before_a_long_silence_is_seen(pool: WorkerPool) -> None:
    def function(home: Home) -> None:
        home.progress(0.1, "first")
        home.progress(0.2, "second")
        time.sleep(600)

    def stop_at_second(share: float, so_far: Any = None, /) -> None:
        if so_far == "second":
            raise Stopped

    with pytest.raises(Stopped):
        done(pool, function, given=answers(stop_at_second))


def test_it_asks_for_what_the_session_holds(pool: WorkerPool) -> None:
    held = {("answers", ("f", 1)): np.arange(100_000), ("answers", "lock"): threading.Lock()}

    def function(home: Home) -> None:
        found = home.ask("answers", ("f", 1))
        home.report((found, home.ask("answers", ("f", 2)), home.ask("answers", "lock"), home.ask("answers", ("f", 1))))

    given = answers(ask=lambda of, key: held.get((of, key)))
    found, missing, unmoved, again = done(pool, function, given=given)
    assert found is held["answers", ("f", 1)] and again is found, "it is not copied on its way back"
    assert missing is None and unmoved is None


def test_what_does_not_move_is_an_error_before_anything_begins(pool: WorkerPool) -> None:
    lock = threading.Lock()
    with pytest.raises(TypeError):
        pool.begin("session", lambda home: home.report(lock), True)


def test_a_job_has_all_compiled_code(pool: WorkerPool) -> None:
    """Also of modules that are imported late: none has to read it."""

    def function(home: Home) -> None:
        home.report({dispatcher.py_func.__module__ for dispatcher in machine_code._functions if dispatcher.overloads})

    modules = {
        path.relative_to(ROOT).with_suffix("").as_posix().replace("/", ".")
        for path in (ROOT / "anonlib").rglob("*.py")
        if "machine_code import compiled" in path.read_text(encoding="utf-8")
    }
    assert modules and done(pool, function) == modules


def test_an_error_of_ours_comes_back_and_of_any_other_only_its_place(
    pool: WorkerPool, capfd: pytest.CaptureFixture[str]
) -> None:
    def refuses(home: Home) -> None:
        raise InputError("Choose another column.", code="column-unknown", column="age")

    def fails(home: Home) -> None:
        raise ValueError(SECRET)

    def is_out_of_memory(home: Home) -> None:
        raise MemoryError

    def returns_what_does_not_move(home: Home) -> None:
        home.report(threading.Lock())

    with pytest.raises(InputError, match="Choose another") as refused:
        done(pool, refuses)
    assert (refused.value.code, refused.value.column) == ("column-unknown", "age")
    with pytest.raises(Failed) as failed:
        done(pool, fails)
    assert failed.value.place.startswith("ValueError in ") and SECRET not in failed.value.place + repr(failed.value)
    with pytest.raises(InputError) as exhausted:
        done(pool, is_out_of_memory)
    assert exhausted.value.code == "machine-exhausted"
    with pytest.raises(Failed):
        done(pool, returns_what_does_not_move)
    shown = "".join(capfd.readouterr())
    assert SECRET not in shown


# ---- how it ends -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("function", [busy, asleep])
def test_a_stop_is_the_end_of_it(pool: WorkerPool, function: Callable[[Home], None]) -> None:
    """Also where it never says how far it is."""
    seen: list[Any] = []

    def stop_later(share: float, so_far: Any = None, /) -> None:
        seen.append(so_far)
        if len(seen) == 5:
            raise Stopped

    with pytest.raises(Stopped):
        done(pool, function, given=answers(stop_later))
    nothing_left_of(pool)


@pytest.mark.parametrize("by", [signal.SIGKILL, signal.SIGSEGV])
def test_where_it_is_killed_from_outside_that_is_a_sentence_and_the_next_one_begins(pool: WorkerPool, by: int) -> None:
    def kill(share: float, so_far: Any = None, /) -> None:
        if so_far is not None:
            os.kill(so_far, by)

    with pytest.raises(Lost, match="ended from outside"):
        done(pool, asleep, given=answers(kill))
    assert done(pool, lambda home: home.report(3)) == 3


def test_where_it_ends_itself_that_is_a_sentence_too(pool: WorkerPool) -> None:
    with pytest.raises(Lost):
        done(pool, lambda home: os._exit(1))
    with pytest.raises(Lost):
        done(pool, lambda home: None)


def test_where_the_zygote_is_killed_its_jobs_end_and_a_new_one_begins(pool: WorkerPool) -> None:
    processes: list[psutil.Process] = []

    def kill(share: float, so_far: Any = None, /) -> None:
        if so_far is not None and not processes:
            processes.append(psutil.Process(so_far))
            os.kill(pool.zygote.pid, signal.SIGKILL)

    with pytest.raises(Lost):
        done(pool, asleep, given=answers(kill))
    waited_until(lambda: not processes[0].is_running())
    assert done(pool, lambda home: home.report(4)) == 4


def test_what_takes_too_much_memory_is_ended_with_a_sentence(pool: WorkerPool, monkeypatch: pytest.MonkeyPatch) -> None:
    def grows(home: Home) -> None:
        held = []
        while True:
            held.append(np.ones(4_000_000))
            home.progress(0.1)

    monkeypatch.setattr(pool, "most_memory", 300_000_000)
    with pytest.raises(Lost, match="fewer columns or rows"):
        done(pool, grows)
    nothing_left_of(pool)


@pytest.mark.parametrize("state", ["running", "suspended", "waiting"])
def test_a_session_that_is_dropped_has_no_job_any_more(pool: WorkerPool, state: str) -> None:
    """Whatever it does just now; those of others go on."""
    with ThreadPoolExecutor() as threads:
        other = None
        if state == "waiting":
            other = in_thread(threads, pool.begin("other", busy, True))
            waited_until(lambda: pool.state().running == 1)
        mine = in_thread(threads, pool.begin("mine", busy, state == "running"))
        waited_until(lambda: pool.state().running == 1 and (state != "waiting" or pool.state().waiting == 1))
        if state == "suspended":
            other = in_thread(threads, pool.begin("other", busy, True))
            waited_until(lambda: pool.state().suspended == 1)
        pool.drop("mine")
        with pytest.raises(Lost):
            mine.result(30)
        assert pool.state().by_session == ({} if other is None else {next(iter(pool.state().by_session)): 1})
        pool.drop("other")
        if other is not None:
            with pytest.raises(Lost):
                other.result(30)


# ---- a search that stands still --------------------------------------------------------------------------------------


def counting(home: Home) -> None:
    """Counts up to what is ordered, again and again."""
    n = 0
    while True:
        until = home.order()
        while n < until:
            n += 1
            home.progress(n, n)
            time.sleep(0.001)
            until = home.newer_order(until)
        home.report((n, os.getpid()))


def test_it_goes_on_where_it_stood_still(pool: WorkerPool) -> None:
    with closing(pool.begin("session", counting, False)) as job:
        n, pid = job.carry_out(5, answers())
        assert n == 5
        waited_until(lambda: psutil.Process(pid).status() == psutil.STATUS_STOPPED)
        assert pool.state().idle == 1
        assert done(pool, lambda home: home.report("meanwhile")) == "meanwhile"
        assert job.carry_out(9, answers()) == (9, pid)

        def stop(share: float, so_far: Any = None, /) -> None:
            if so_far is not None and so_far > 20:
                raise Stopped

        with pytest.raises(Stopped):
            job.carry_out(100_000, answers(stop))
        waited_until(lambda: psutil.Process(pid).status() == psutil.STATUS_STOPPED)
        n, _ = job.carry_out(30, answers())
        assert 21 <= n < 100_000, "what is ordered last counts"


def test_only_a_few_stand_still_in_a_session_the_ones_used_last(
    pool: WorkerPool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(pool, "most_started", 7)
    jobs = [pool.begin("session", counting, False) for _ in range(4)]
    for job in jobs:
        job.carry_out(3, answers())
    waited_until(lambda: pool.state().idle == 4)
    last = pool.begin("session", counting, False)
    with pytest.raises(Lost):
        jobs[0].carry_out(4, answers())
    assert jobs[3].carry_out(4, answers())[0] == 4
    for job in [*jobs, last]:
        job.close()


# ---- whose turn it is ------------------------------------------------------------------------------------------------


def test_nobody_waits_for_the_five_searches_of_another(pool: WorkerPool, monkeypatch: pytest.MonkeyPatch) -> None:
    """The first answer of the other session is there while all five go on; and they all have turns."""
    monkeypatch.setattr(pool, "most_started", 7)
    counts: dict[int, int] = {}

    def note(share: float, so_far: Any = None, /) -> None:
        if so_far is not None:
            counts[so_far[0]] = so_far[1]

    with in_threads(pool) as threads:
        searches = [in_thread(threads, pool.begin("one", busy, False), note) for _ in range(5)]
        waited_until(lambda: len(counts) >= 1)
        assert done_by("two", pool) == "first"
        assert not any(search.done() for search in searches)
        waited_until(lambda: len(counts) == 5)
        before = dict(counts)
        waited_until(lambda: all(counts[pid] > before[pid] for pid in before))
        assert pool.state().running == 1


def done_by(session: str, pool: WorkerPool) -> Any:
    with closing(pool.begin(session, lambda home: home.report("first"), True)) as job:
        return job.carry_out(None, answers())


def test_a_session_with_more_jobs_has_no_more_turns(pool: WorkerPool, monkeypatch: pytest.MonkeyPatch) -> None:
    """Counted in turns: of two sessions with one and with four jobs, neither has more than one turn more."""
    monkeypatch.setattr(pool, "most_started", 7)
    with in_threads(pool) as threads:
        for session, n in (("one", 4), ("two", 1)):
            for _ in range(n):
                in_thread(threads, pool.begin(session, busy, False))
        turns: list[str] = []

        def note() -> bool:
            running = [job.session for job in pool._jobs if job.state.value == "running"]
            number = pool._turn
            if not turns or turns[-1] != f"{running} {number}":
                turns.append(f"{running} {number}")
            return pool._turn >= 8

        waited_until(note)
    by_turn = {turn.split("]")[1]: turn.split("'")[1] for turn in turns if "'" in turn}
    sessions = list(by_turn.values())[1:]
    assert abs(sessions.count("one") - sessions.count("two")) <= 1


def test_who_waits_is_shown_how_many_are_before_it(pool: WorkerPool) -> None:
    seen: list[int] = []
    with in_threads(pool) as threads:
        for _ in range(2):
            in_thread(threads, pool.begin("one", busy, True))
        waited_until(lambda: pool.state().running == 1 and pool.state().waiting == 1)
        job = pool.begin("one", lambda home: home.report("done"), False)
        with closing(job):
            assert job.carry_out(None, Answers(nobody, lambda *_: None, seen.append)) == "done"
    assert seen[0] == 2 and seen[-1] == 0


def test_no_more_begin_than_there_is_room_for(pool: WorkerPool, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pool, "most_started", 4)  # two of them for first answers
    idle = pool.begin("one", counting, False)
    idle.carry_out(1, answers())
    with in_threads(pool) as threads:
        for _ in range(4):
            in_thread(threads, pool.begin("one", busy, False))
        waited_until(lambda: pool.state().running == 1 and pool.state().suspended == 1)
        waited_until(lambda: pool._turn % 2 == 0)
        waited_until(lambda: len(psutil.Process(pool.zygote.pid).children()) == 2)
        assert pool.state().idle == 0
        with pytest.raises(Lost):
            idle.carry_out(2, answers())


def test_searches_leave_room_for_first_answers(pool: WorkerPool) -> None:
    """However many search: nobody's first answer waits until one of them has ended."""
    with in_threads(pool) as threads:
        searches = [in_thread(threads, pool.begin(f"session {i}", busy, False)) for i in range(pool.most_started)]
        waited_until(lambda: pool.state().suspended == pool.most_started - 3)  # one runs, two places are free
        assert done_by("another", pool) == "first"
        assert not any(search.done() for search in searches)


# ---- nothing is mixed, nothing left ----------------------------------------------------------------------------------


def test_a_child_gives_way_and_leaves_no_core(pool: WorkerPool) -> None:
    def function(home: Home) -> None:
        import resource

        home.report((
            os.nice(0), Path("/proc/self/oom_score_adj").read_text().strip(), resource.getrlimit(resource.RLIMIT_CORE),
            sorted(os.environ), [os.readlink(f"/proc/self/fd/{fd}") for fd in os.listdir("/proc/self/fd")[:-1]],
        ))  # fmt: skip

    os.environ["A_PASSWORD"] = SECRET
    try:
        nice, score, core, environment, files = done(pool, function)
    finally:
        del os.environ["A_PASSWORD"]
    assert nice > os.nice(0) and int(score) > 0 and core == (0, 0) and "A_PASSWORD" not in environment
    assert not any("memfd" in file for file in files)
    assert sum(file.startswith("socket:") for file in files) == 1

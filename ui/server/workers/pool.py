"""Whose turn it is: jobs run in processes, as many at a time as there are cores but one, and give way to one another.

No thread of its own does this: each page that waits for its job looks several times a second at all of them
(:meth:`WorkerPool.look`). A job that gives way is stopped by the system (SIGSTOP) and goes on where it was (SIGCONT).
"""

from __future__ import annotations

import logging
import socket
import time
from collections import Counter
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from enum import Enum
from hashlib import sha256
from threading import RLock
from typing import Any

import psutil

from anonlib.basics import words
from anonlib.basics.cores import n_cores
from ui.server.workers.channel import Channel, MessageKind
from ui.server.workers.jobs import Answers, Failed, Function, Lost
from ui.server.workers.moving import KnownToBoth, Parcel, Stays, packed, unpacked
from ui.server.workers.processes import END, GO_ON, STAND_STILL, Zygote

_LOOK = 0.05  # seconds between two looks of a page that waits
_SLICE = 1.0  # seconds that a job runs before others have their turn
_URGENT = 5.0  # seconds that a first answer goes before what makes an answer better
_PATIENCE = 10.0  # seconds after which what waits is urgent too
_RESERVED = 2  # processes that only a first answer can begin
_MOST_IDLE = 2  # searches of a session that stand still until they are let go on
_MEASURED = 0.5  # seconds between two looks at how much memory jobs take
_LOST = (
    "The search was ended from outside, probably for lack of memory. Your data and settings are still here. Start it "
    "again."
)
_FORGOTTEN = "The search was ended with the data that it was about. Open a file again."
_LOG = logging.getLogger("anonscope")


class JobState(Enum):
    """What a job does."""

    WAITING = "waiting"
    """For its first turn: there is no process yet."""
    RUNNING = "running"
    SUSPENDED = "suspended"
    """It gave way to others, or nobody waits for it now."""
    ENDED = "ended"


@dataclass(frozen=True)
class PoolState:
    """What jobs do at a moment.

    Attributes
    ----------
    running, suspended, waiting : how many jobs run, gave way to others, and wait for their first turn.
    idle : how many searches stand still until somebody lets them go on.
    by_session : jobs by session, whose ids are hashed.
    memory : bytes that all jobs have taken.
    """

    running: int
    suspended: int
    waiting: int
    idle: int
    by_session: dict[str, int]
    memory: int


class ProcessJob:
    """As :class:`ui.server.workers.jobs.Job`."""

    def __init__(self, pool: WorkerPool, session: str, function: Parcel, known: KnownToBoth, first: bool) -> None:
        self._pool, self.session, self._known, self.is_first = pool, session, known, first
        self._unsent: list[tuple[MessageKind, Parcel]] = [(MessageKind.FUNCTION, function)]
        self.channel: Channel | None = None
        self._number = 0  # by which the zygote knows it
        self._process: psutil.Process | None = None
        self.state = JobState.WAITING
        self.has_order = False
        self.turn = 0  # the number of its latest turn
        self.since = time.monotonic()  # when it began to run, or to wait
        self.used = 0.0  # seconds that it ran
        self.memory = self._memory_at_first = 0  # bytes
        self.before = 0  # jobs
        self.why_ended = _LOST

    # ---- for the page that waits ----

    def carry_out(self, order: Any, answers: Answers) -> Any:
        """As :meth:`ui.server.workers.jobs.Job.carry_out`."""
        self._send(MessageKind.ORDER, order)
        self._pool.set_order(self, True)
        try:
            return self._wait(answers)
        finally:
            self._pool.set_order(self, False)

    def close(self) -> None:
        """As :meth:`ui.server.workers.jobs.Job.close`."""
        self._pool.end(self)

    def _wait(self, answers: Answers) -> Any:
        share, before = 0.0, 0
        while True:
            self._pool.look()
            if self.before != before:
                before = self.before
                answers.queue(before)
            newest: tuple[float, Any] = share, None
            for kind, value in self._messages():
                if kind is MessageKind.REPORT:
                    return value
                if kind is MessageKind.RAISED:
                    raise value
                if kind is MessageKind.FAILED:
                    raise Failed(value)
                if kind is MessageKind.ASK:
                    self._answer(answers.ask(*value))
                else:
                    newest = value[0], newest[1] if value[1] is None else value[1]
            share = newest[0]
            answers.progress(*newest)

    def _messages(self) -> list[tuple[MessageKind, Any]]:
        """What came by now, or comes in a moment. Raises Lost where the process is gone."""
        if self.state is JobState.ENDED:
            raise self._lost()
        if self.channel is None:
            time.sleep(_LOOK)
            return []
        messages: list[tuple[MessageKind, Any]] = []
        try:
            while self.channel.is_ready(0.0 if messages else _LOOK):
                kind, whole = self.channel.receive()
                messages.append((kind, unpacked(whole, self._known, adds=False, copies=True)))
                if kind is not MessageKind.PROGRESS:
                    break
        except (EOFError, OSError):
            if not messages:
                raise self._lost() from None
        return messages

    def _lost(self) -> Lost:
        return Lost(self.why_ended, code="work-ended")

    def _answer(self, value: Any) -> None:
        """Send what the session holds; None in the place of what does not move."""
        try:
            self._send(MessageKind.ANSWER, value)
        except (Stays, TypeError, AttributeError):
            self._send(MessageKind.ANSWER, None)

    def _send(self, kind: MessageKind, value: Any) -> None:
        parcel = packed(value, self._known, adds=True)
        with self._pool.lock:
            if self.channel is None:
                self._unsent.append((kind, parcel))
                return
        try:
            self.channel.send(kind, parcel)
        except OSError:  # it is gone, or there is no memory for what is sent
            self._pool.end(self)

    # ---- for the pool, within its lock ----

    def start(self) -> None:
        """Begin its process."""
        here, there = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        with there:
            self._number = self._pool.zygote.fork(there, self._begun)
        self.channel = Channel(here)
        unsent, self._unsent = self._unsent, []
        try:
            for kind, parcel in unsent:
                self.channel.send(kind, parcel)
        except OSError:
            self._pool.end(self)

    def _begun(self, process: psutil.Process | None) -> None:
        with suppress(psutil.Error):
            if process is not None:
                self._process, self._memory_at_first = process, process.memory_info().rss

    def suspend(self) -> None:
        """Let it stand still."""
        self.state = JobState.SUSPENDED
        self.used += time.monotonic() - self.since
        self.since = time.monotonic()
        self._pool.zygote.signal(self._number, STAND_STILL)

    def resume(self) -> None:
        """Let it go on."""
        self._pool.zygote.signal(self._number, GO_ON)

    def measure(self) -> None:
        """Take note of how much memory it takes beside what all share."""
        if self._process is not None:
            with suppress(psutil.Error):
                self.memory = max(0, self._process.memory_info().rss - self._memory_at_first)

    def end(self) -> None:
        """Let nothing be left of it."""
        self.state = JobState.ENDED
        self._unsent.clear()
        self._known = KnownToBoth()
        if self.channel is not None:
            self._pool.zygote.signal(self._number, END)
            self.channel.close()

    @property
    def is_active(self) -> bool:
        """Whether somebody waits for it."""
        return self.has_order and self.state is not JobState.ENDED

    @property
    def is_idle(self) -> bool:
        """Whether it has a process, and nobody waits for it."""
        return not self.has_order and self.state in (JobState.RUNNING, JobState.SUSPENDED)

    def is_urgent(self, now: float) -> bool:
        """Whether it goes before others: for a while a first answer, and what has waited for long."""
        ran = self.used + (now - self.since if self.state is JobState.RUNNING else 0.0)
        waited = 0.0 if self.state is JobState.RUNNING else now - self.since
        return (self.is_first and ran < _URGENT) or waited > _PATIENCE


class WorkerPool:
    """All jobs of a server.

    Parameters
    ----------
    most_running : int, optional
        How many run at a time; one less than there are cores by default, and at least one.
    memory : int, optional
        Bytes that a job may take; by default half of what the machine has.
    """

    def __init__(self, most_running: int | None = None, memory: int | None = None) -> None:
        self.most_running = max(1, n_cores() - 1) if most_running is None else most_running
        self.most_started = 3 + self.most_running
        self.most_memory = psutil.virtual_memory().total // 2 if memory is None else memory
        self.lock = RLock()
        self.zygote = Zygote()
        self._jobs: list[ProcessJob] = []
        self._turns: Counter[str] = Counter()  # by session, the number of its latest turn
        self._turn = 0
        self._measured = self._looked = 0.0

    def begin(self, session: str, function: Function, first: bool) -> ProcessJob:
        """A job of a session. Raises as :func:`ui.server.workers.moving.packed`."""
        known = KnownToBoth()
        job = ProcessJob(self, session, packed(function, known, adds=True), known, first)
        with self.lock:
            self._end_idle(session)
            self._jobs.append(job)
        return job

    def set_order(self, job: ProcessJob, has_order: bool) -> None:
        """Somebody waits for a job from now on, or no longer: then it stands still."""
        with self.lock:
            job.has_order = has_order
            if has_order:
                job.since = time.monotonic() if job.state is not JobState.RUNNING else job.since
            elif job.state is JobState.RUNNING:
                job.suspend()
            self._share_out()

    def end(self, job: ProcessJob) -> None:
        """End a job at once."""
        with self.lock:
            if job.state is not JobState.ENDED:
                self._take_out(job)
                self._share_out()

    def drop(self, session: str) -> None:
        """End all jobs of a session, whose data is dropped."""
        with self.lock:
            for job in [job for job in self._jobs if job.session == session]:
                job.why_ended = _FORGOTTEN
                self.end(job)
            self._turns.pop(session, None)

    def look(self) -> None:
        """Give turns to who waits, and end what takes too much memory."""
        with self.lock:
            now = time.monotonic()
            if now - self._looked >= _LOOK / 2:
                self._looked = now
                self.zygote.look()
                if now - self._measured >= _MEASURED:
                    self._measured = now
                    self._end_what_takes_too_much()
                self._share_out()

    def state(self) -> PoolState:
        """What jobs do now."""
        with self.lock:
            for job in self._jobs:
                job.measure()
            states = Counter(job.state for job in self._jobs if job.has_order)
            sessions = Counter(sha256(job.session.encode()).hexdigest()[:16] for job in self._jobs)
            return PoolState(
                states[JobState.RUNNING], states[JobState.SUSPENDED], states[JobState.WAITING],
                sum(job.is_idle for job in self._jobs), dict(sessions), sum(job.memory for job in self._jobs),
            )  # fmt: skip

    def close(self) -> None:
        """End all jobs, and the process that they are forks of."""
        with self.lock:
            for job in [*self._jobs]:
                self.end(job)
            self.zygote.close()

    # ---- turns ----

    def _share_out(self) -> None:
        now = time.monotonic()
        active = [job for job in self._jobs if job.is_active]
        asks_first = any(job.is_urgent(now) for job in active if job.state is not JobState.RUNNING)
        goes_on = [
            job
            for job in active
            if job.state is JobState.RUNNING and now - job.since < _SLICE and (job.is_urgent(now) or not asks_first)
        ]
        chosen = goes_on[: self.most_running]
        others = [job for job in active if job not in chosen]
        while others and len(chosen) < self.most_running:
            best = min(others, key=self._rank(chosen, now))
            others.remove(best)
            if best.state is not JobState.WAITING or self._makes_room(best):
                chosen.append(best)
        for job in active:
            if job.state is JobState.RUNNING and job not in chosen:
                job.suspend()
        for job in chosen:
            if job not in goes_on:
                self._give_turn(job, now)
        others.sort(key=self._rank(chosen, now))
        for job in active:
            waits = job.state is JobState.WAITING
            job.before = len(chosen) + others.index(job) if waits and job in others else 0

    def _rank(self, chosen: list[ProcessJob], now: float) -> Callable[[ProcessJob], tuple[Any, ...]]:
        """By what the next one is chosen: the least has the next turn."""
        running = Counter(job.session for job in chosen)

        def of(job: ProcessJob) -> tuple[Any, ...]:
            return not job.is_urgent(now), running[job.session], self._turns[job.session], job.turn

        return of

    def _give_turn(self, job: ProcessJob, now: float) -> None:
        self._turn += 1
        self._turns[job.session] = job.turn = self._turn
        if job.state is JobState.RUNNING:
            job.used += now - job.since
            job.since = now
            return
        state, job.state, job.since = job.state, JobState.RUNNING, now
        if state is JobState.WAITING:
            job.start()
        else:
            job.resume()

    def _makes_room(self, job: ProcessJob) -> bool:
        """Whether its process can begin; where there are too many, a search that stands still gives way."""
        started = [other for other in self._jobs if other.state in (JobState.RUNNING, JobState.SUSPENDED)]
        rivals, most = started, self.most_started
        if not job.is_first:
            rivals, most = [other for other in started if not other.is_first], self.most_started - _RESERVED
        if len(rivals) < most and len(started) < self.most_started:
            return True
        idle = [other for other in rivals if other.is_idle]
        if idle:
            self._take_out(min(idle, key=lambda other: other.since))
        return bool(idle)

    def _take_out(self, job: ProcessJob) -> None:
        """End a job whose place is given to another in the same moment."""
        job.end()
        self._jobs.remove(job)

    def _end_idle(self, session: str) -> None:
        """Of the searches of a session that stand still, only the last ones stay."""
        idle = sorted((job for job in self._jobs if job.is_idle and job.session == session), key=lambda job: job.since)
        for job in idle[:-_MOST_IDLE]:
            self.end(job)

    def _end_what_takes_too_much(self) -> None:
        for job in [*self._jobs]:
            job.measure()
            if job.memory > self.most_memory:
                job.why_ended = (
                    f"This takes more memory than there is for it here ({words.size(self.most_memory)}), and was "
                    "ended. Take a file with fewer columns or rows, or coarsen columns first."
                )
                self.end(job)

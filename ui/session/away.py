"""Work away from the page: in a process of its own, while the page waits, shows how far it is, and can be stopped.

What is worked on moves there and the answer back, so the work must be given what it needs: no session is there, and no
page. What is remembered (:mod:`ui.session.cache`) is asked of the session from there, and what was computed there
comes back to be held by it.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator
from contextlib import closing
from functools import partial
from typing import Any, Generic, Protocol, TypeVar

from anonlib.basics.progress import Progress, nobody
from ui.server import workers
from ui.server.private import get_script_run_ctx
from ui.server.workers.jobs import Answers, Function, Home, Job, Lost
from ui.server.workers.moving import Stays
from ui.session import memory
from ui.session.memory import Call

T = TypeVar("T")
Queue = Callable[[int], None]
"""Called with how many jobs are before one that waits for its turn, and with 0 once it has it."""


def nobody_waits(_before: int) -> None:
    """A queue that is not shown."""


def waiting(before: int) -> str:
    """What a page says of work that waits for its turn."""
    return f"waiting for others, {before:,} before it"


def compute(work: Callable[[Progress], T], progress: Progress, first: bool = True, queue: Queue = nobody_waits) -> T:
    """What the work comes to, computed in another process for this session.

    Where there are no such processes, and for records that stay in an engine, it is computed here.

    Parameters
    ----------
    work : Callable[[Progress], T]
        Given the progress to call. It and what it returns move as pickles. There is neither a session nor a page. A
        call of what is remembered (:meth:`ui.session.cache.Remembered.work`) is done once, and nothing is begun for
        it where it is held.
    progress : Progress
        Called here while the work goes on, again and again, also where the work does not call it; what it raises ends
        the work.
    first : bool, default True
        Whether a page waits for it with nothing to show: it goes before what makes an answer better.
    queue : Queue
        Called while it waits for its turn.

    Raises
    ------
    InputError
        As the work raises it, and where it was ended from outside.
    """
    if isinstance(work, Call):
        return work.once(partial(_away, work.compute, progress, first, queue))
    return _away(work, progress, first, queue)


def _away(work: Callable[[Progress], T], progress: Progress, first: bool, queue: Queue) -> T:
    job = _begin(partial(_compute, work), first)
    if job is None:
        return work(progress)
    with closing(job):
        answer, values = job.carry_out(None, Answers(_looking(progress), _held_or_taken, queue))
    memory.take_in(values)
    return answer


def _looking(progress: Progress) -> Progress:
    """Progress that looks at the session first, where Streamlit can stop the run."""

    def of_both(share: float, so_far: Any = None, /) -> None:
        memory.memory()
        progress(share, so_far)

    return of_both


def _begin(function: Function, first: bool) -> Job | None:
    """The job of this session; None where it is to be done here."""
    context = get_script_run_ctx(suppress_warning=True)
    if context is None or memory.is_of_a_job():
        return None
    memory.memory()  # looking at the session: a run that is stopped begins nothing
    try:
        return begin_job(context.session_id, function, first)
    except Stays:
        return None


begin_job: Callable[[str, Function, bool], Job | None] = workers.begin


def _compute(work: Callable[[Progress], T], home: Home) -> None:
    with memory.of_a_job(home.ask) as computed:

        def progress(share: float, so_far: Any = None, /) -> None:
            if values := computed():
                home.ask(_TAKE, tuple(values))  # before it may be ended: who begins again has them
            home.progress(share, so_far)

        answer = work(progress)
        home.report((answer, computed()))


_TAKE = "take"  # in the place of a store's name: what was computed


def _held_or_taken(of: str, key: Any) -> Any:
    """What the session holds; and it holds what was computed."""
    if of == _TAKE:
        return memory.take_in(key)
    return memory.held(of, key)


# ---- what is made outside of all runs of a page ----


def later(make: Callable[[], T]) -> Callable[[], T]:
    """The same function, whose work is done away from the page when it is called, outside of all runs of it.

    Streamlit calls so what makes a file that is downloaded.

    Parameters
    ----------
    make : Callable[[], T]
        As the work of :func:`compute`, but without progress, and without what the session holds.
    """
    context = get_script_run_ctx(suppress_warning=True)
    return make if context is None else partial(_away_later, context.session_id, make)


def _away_later(session: str, make: Callable[[], T]) -> T:
    try:
        job = begin_job(session, partial(_compute, partial(_without_progress, make)), True)
    except Stays:
        job = None
    if job is None:
        return make()
    with closing(job):
        answer, _ = job.carry_out(None, Answers(nobody, _nothing_held, nobody_waits))
    return answer


def _without_progress(make: Callable[[], T], _: Progress) -> T:
    return make()


def _nothing_held(_of: str, _key: Hashable) -> None:
    """Nothing: no session is there."""


# ---- a search that goes on ----


class HasWork(Protocol):
    """What a search yields: it says how much work it was so far."""

    @property
    def work(self) -> float:
        """As in :class:`anonlib.basics.budget.Budget`."""


A = TypeVar("A", bound=HasWork)


class Search(Generic[A]):
    """A search that is let go on again and again, in a process that stands still meanwhile.

    Where that is ended it begins again at the next time, up to the same work: what it comes to is the same.

    Parameters
    ----------
    begin : Callable[[], Iterator[A]]
        Starts it: an iterator of ever better answers, at least one, each after work that depends on no clock.
    """

    def __init__(self, begin: Callable[[], Iterator[A]]) -> None:
        self._begin = begin
        self._job: Job | None = None
        self._here: _Answers[A] | None = None

    def go_on(self, until: float, progress: Progress, queue: Queue = nobody_waits) -> tuple[A | None, bool]:
        """Let it search until it has done so much work, or has ended.

        Parameters
        ----------
        until : float
            The work.
        progress : Progress
            Called with the work so far in the place of a share, and the best answer so far; what it raises lets the
            search stand still where it is.
        queue : Queue
            Called while it waits for its turn.

        Returns
        -------
        tuple[A | None, bool]
            The last answer, which may be one from before, None where there is none at all; and whether the
            search has ended.

        Raises
        ------
        InputError
            As the search raises it, and where it was ended from outside.
        """
        stood_still = self._job is not None
        try:
            return self._let(until, progress, queue)
        except Lost:
            if not stood_still:
                raise
            return self._let(until, progress, queue)  # it was ended while nobody waited for it

    def _let(self, until: float, progress: Progress, queue: Queue) -> tuple[A | None, bool]:
        if self._job is None and self._here is None:
            self._job = _begin(partial(_search, self._begin), first=False)
        if self._job is None:
            self._here = self._here or _Answers(self._begin())
            return self._here.up_to(lambda: until, progress)
        try:
            best, ended, values = self._job.carry_out(until, Answers(_looking(progress), memory.held, queue))
        except Exception:
            self.close()
            raise
        memory.take_in(values)
        if ended:
            self.close()
        return best, ended

    def close(self) -> None:
        """End it: nothing of it is left."""
        job, self._job, self._here = self._job, None, None
        if job is not None:
            job.close()


class _Answers(Generic[A]):
    """What a search yields, as far as it is asked for."""

    def __init__(self, answers: Iterator[A]) -> None:
        self._answers = answers
        self._best: A | None = None

    def up_to(self, until: Callable[[], float], progress: Progress) -> tuple[A | None, bool]:
        """The first answer after so much work, or the last one; and whether it has ended."""
        while self._best is None or self._best.work < until():
            best = next(self._answers, None)
            if best is None:
                return self._best, True
            self._best = best
            progress(best.work, best)
        return self._best, False


def _search(begin: Callable[[], Iterator[A]], home: Home) -> None:
    with memory.of_a_job(home.ask) as computed:
        answers, ended = _Answers(begin()), False
        while not ended:
            best, ended = _as_ordered(answers, home)
            home.report((best, ended, computed()))


def _as_ordered(answers: _Answers[A], home: Home) -> tuple[A | None, bool]:
    until = home.order()

    def newest() -> float:
        nonlocal until
        until = home.newer_order(until)
        return until

    return answers.up_to(newest, home.progress)

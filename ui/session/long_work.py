"""Work of more than a moment: started by a button, shows how far it is, can be stopped, keeps the best so far.

The work is a list of stages, each a better answer than the one before. What a stage returns is kept in the session,
so that stopping, changing page and coming back lose at most the stage under way. A search has no last stage: it is
an iterator of ever better answers, kept as well, that goes on for as much work as it is let.

All of it is done away from the page (:mod:`ui.session.away`), so a stage must be given what it needs.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Collection, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from functools import partial
from math import isfinite
from threading import Lock, local
from typing import Any, Generic, Protocol, TypeVar

import streamlit as st

from anonlib.basics.errors import InputError
from anonlib.basics.progress import Progress, nobody
from ui.server.private import DeltaGenerator
from ui.server.workers.jobs import Lost
from ui.session import away, cache, guard

T = TypeVar("T")
Stage = tuple[str, Callable[[Progress], T]]
"""What the stage does, in words, and the function that does it, given the progress to call, away from the page.

The best answer so far that it hands on by it is kept like that of a stage before.
"""
_KEPT = 6  # answers held: each may be large
_PROMISED = 50  # works of which it is remembered how long they take
_LOOK = 0.02  # seconds between two looks at whether somebody waits
_EVERY = 0.2  # seconds between two looks at the screen, and at whether to stop
_DRAWN = 0.8  # seconds between two pictures of a search
_DRAWN_AGAIN = 5.0  # seconds after which a page begins again for a better answer
_SETTLED = 0.5  # seconds after which a picture is on the screen
_MOST = 0.99  # the largest share that is shown: what is all done is there
_looked = local()  # per run of a page, when it last looked whether somebody waits


class SearchAnswer(away.HasWork, Protocol):
    """What a search yields: a dataclass that says how much work it was so far, and how long that took."""

    @property
    def seconds(self) -> float:
        """It took."""

    @property
    def ended_early(self) -> bool:
        """Before the work that it was given."""


A = TypeVar("A", bound=SearchAnswer)


@dataclass
class Going:
    """A search that can go on.

    Attributes
    ----------
    search : where it is.
    lock : for the thread that lets it.
    asked : the work up to which it was to go on.
    done : up to which it has, of what was asked.
    """

    search: away.Search[Any]
    lock: Lock = field(default_factory=Lock)
    asked: float = 0.0
    done: float = 0.0


@dataclass
class Work:
    """How far a session's long work is.

    Attributes
    ----------
    latest : by the name of a work, the stages done (of a search: 1 once it has ended) and the best answer so far.
    searches : those that can go on.
    until : the work up to which the search under way goes on.
    running : the name of the work under way.
    begun : the names of those that began by themselves, which they do once.
    promised : by the name of a work, how long it takes as measured here, in seconds; None where that is not known.
    """

    latest: dict[str, tuple[int, Any]] = field(default_factory=dict)
    searches: dict[str, Going] = field(default_factory=dict)
    until: float = 0.0
    running: str | None = None
    begun: set[str] = field(default_factory=set)
    promised: dict[str, float | None] = field(default_factory=dict)


def _work() -> Work:
    memory = cache.memory()
    if memory.work is None:
        memory.work = Work()
    return memory.work


def let_go(_share: float = 0.0, _so_far: Any = None, /) -> None:
    """Progress of work without a button: the run ends here where nobody waits for it, the page or the browser gone."""
    if (now := time.monotonic()) - getattr(_looked, "at", 0.0) >= _LOOK:
        _looked.at = now
        cache.memory()  # looking at the session lets Streamlit stop the run


def result(name: str) -> Any:
    """The latest answer of a work, as far as it got; None before its first stage is done.

    That of a search which was stopped before what it was given is marked as ended early.
    """
    best = _work().latest.get(name, (0, None))[1]
    return replace(best, ended_early=True) if best is not None and _is_stopped(name) else best


def best_so_far(
    name: str,
    stages: Sequence[Stage[T]],
    seconds: float | Sequence[float],
    what: str = "",
    by_itself: float = 0.0,
    *,
    writes: bool = False,
    meanwhile: str = "",
    like: str = "",
    promises: bool = True,
) -> T | None:
    """The latest answer, with the button that starts or goes on with the rest; None before the first stage is done.

    ``name`` identifies the work with all its settings; ``seconds`` is about how much it is, all of it or a stage each,
    in seconds of the machine that was calibrated on, and ``what`` it is in words, where the last stage does not say it.
    What is no more than ``by_itself``, and is what a page is opened for, begins without the button, which stops it.
    Beside the button stands how long it takes here, which is measured (:func:`seconds_of`), unless the work
    ``writes``: what is only begun to measure it must leave nothing behind. ``meanwhile`` says what the page shows until
    then. Works that are ``like`` one another take about as long, so that the first of them is measured for all. Where
    the first stage is no measure of the others, the page ``promises`` nothing.
    """
    offered = offer(
        name, stages, seconds, what, by_itself, writes=writes, meanwhile=meanwhile, like=like, promises=promises
    )
    offered.work_on()
    return offered.best


@dataclass(frozen=True)
class OfferedWork(Generic[T]):
    """Work with its button on the page: its latest answer, and what is left of it.

    Attributes
    ----------
    best : the latest answer; None before the first stage is done, or has handed one on.
    is_done : whether it is the last one.
    work_on : does the rest where it was started; called last, the page with the answer so far is there meanwhile.
    """

    best: T | None
    is_done: bool
    work_on: Callable[[], None] = lambda: None


def offer(
    name: str,
    stages: Sequence[Stage[T]],
    seconds: float | Sequence[float],
    what: str = "",
    by_itself: float = 0.0,
    *,
    writes: bool = False,
    meanwhile: str = "",
    like: str = "",
    promises: bool = True,
    draws: bool = False,
) -> OfferedWork[T]:
    """As :func:`best_so_far`, of work that the page does later: at its end.

    Where it ``draws``, the page begins again for a better answer, to draw it: a stage must soon be again where it was.
    """
    of_stages = [seconds / len(stages)] * len(stages) if isinstance(seconds, int | float) else list(seconds)
    work = _work()
    done, best = work.latest.get(name, (0, None))
    if done == len(stages):
        return OfferedWork(best, True)
    if sum(of_stages) <= by_itself and name not in work.begun:
        work.begun.add(name)
        work.running = name
    is_measured = promises and not writes and (like or name) not in work.promised
    if work.running != name and best is None and is_measured:
        _measure(like or name, stages[0], of_stages)
    with st.container(border=True):
        running = work.running == name
        place = st.empty()
        if not running:
            place.markdown(
                f"{what or stages[-1][0]} takes {_promise(like or name if promises else None)}."
                + (" Shown is how far it got." if best is not None else meanwhile and f" {meanwhile}")
            )
        # One button in one place: a second one would stay on the page beside it while the work runs.
        st.button(
            "Stop" if running else "Start" if best is None else "Go on", key=f"work-{name}",
            on_click=guard.action(_press), args=(name,), icon=":material/stop:" if running else ":material/play_arrow:",
        )  # fmt: skip
    if not running:
        return OfferedWork(best, False)
    bar = place.progress(0.0, stages[done][0])
    return OfferedWork(best, False, lambda: _run(name, stages, done, bar, draws))


@dataclass(frozen=True)
class EndlessSearch(Generic[T]):
    """A search without an end of its own: its best answer so far and, while it runs, the place of its progress."""

    name: str
    best: T
    begin: Callable[[], Iterator[T]]
    place: DeltaGenerator | None


def search(
    name: str, begin: Callable[[], Iterator[A]], given: float, what: str, first: float, beside: Collection[str] = ()
) -> EndlessSearch[A]:
    """The best answer of a search that goes on for as much work as it is let, with the button that lets it.

    ``begin`` starts it: an iterator of ever better answers, at least one, each after work that depends on no clock. It
    does the work ``first`` at once, and in :func:`go_on`, at the end of the page, as much as is ``given`` at each
    press. Once it has ended there is no button. ``beside`` names other searches of the page, of which one may run
    instead.
    """
    work = _work()
    if work.running in work.searches and work.running not in (name, *beside):
        work.running = None  # what is asked for now is another one
    going = work.searches.get(name)
    if name not in work.latest or (going is not None and going.done < first):
        with st.spinner("Searching for a first answer"):
            _run_search(name, begin, first, nobody)
    ended, best = work.latest[name] = work.latest.pop(name)  # the last one used is the last to give way
    return EndlessSearch(name, result(name), begin, None if ended else _button(name, given, what, best))


def asked_for(
    name: str, begin: Callable[[], Iterator[A]], given: float, what: str, like: SearchAnswer
) -> EndlessSearch[A | None]:
    """As :func:`search`, of a search that does not begin before its button is pressed; until then its best is None.

    How long it takes then follows from how quick another one was, which its work is ``like``.
    """
    ended, best = _work().latest.get(name, (0, None))
    return EndlessSearch(name, result(name), begin, None if ended else _button(name, given, what, best or like))


def only(kind: str, name: str) -> None:
    """Forget the works whose name begins with ``kind``, but for one: they were of another question, and are large."""
    work = _work()
    for old in {*work.latest, *work.searches}:
        if old.startswith(kind) and old != name:
            work.latest.pop(old, None)
            _end(old)


def _button(name: str, given: float, what: str, measured: SearchAnswer) -> DeltaGenerator | None:
    """The button that lets a search go on, with how long it takes here; returns the place of its progress."""
    work = _work()
    place = st.empty()
    running = work.running == name
    st.button(
        "Stop" if running else f"{what}{_how_long(name, given, measured)}", key=f"work-{name}",
        on_click=guard.action(_press_search), args=(name, given),
        icon=":material/stop:" if running else ":material/play_arrow:", width="stretch",
    )  # fmt: skip
    return place if running else None


def _how_long(name: str, given: float, measured: SearchAnswer) -> str:
    """How long a press takes on this machine, by what was measured here; empty where that is nothing yet."""
    done = _work().latest.get(name, (0, None))[1]
    left = _until(name, given) - (0.0 if done is None else done.work)
    return f" for {duration(left * measured.seconds / measured.work)}" if measured.work > 0 else ""


def _until(name: str, given: float) -> float:
    """Up to which work a search goes on at a press: what it was given before and has done, and as much again."""
    work = _work()
    going, (_, best) = work.searches.get(name), work.latest.get(name, (0, None))
    until = given + (0.0 if going is None else going.done)
    while best is not None and until <= best.work:  # it was stopped beyond it, or one step was more
        until += given
    return until


def _is_stopped(name: str) -> bool:
    """Whether a search was ended before it had done what it was given."""
    work = _work()
    going = work.searches.get(name)
    return going is not None and going.done < going.asked and work.running != name


def go_on(
    search: EndlessSearch[T],
    show: Callable[[T], None],
    say: Callable[[T], str],
    settle: Callable[[], None] = lambda: None,
) -> None:
    """Let the search run where it was started; ``show`` draws its answers, and ``say`` tells what they are.

    ``settle`` is called when what was shown last is surely on the screen.
    Called last, so that the page is there meanwhile; using it goes on with the search afterwards.
    """
    work = _work()
    if search.place is None:
        return
    bar = search.place.progress(0.0, "Searching")
    shown, latest, drawn, is_settled = time.monotonic(), None, search.best, False

    def show_progress(share: float, best: Any = None, /) -> None:
        nonlocal shown, latest, drawn, is_settled
        if best is not latest:  # it is called again and again
            latest = best
            bar.progress(min(share, 1.0), f"{min(share, 1.0):.0%}: {say(best)}")
        if time.monotonic() - shown > _DRAWN and best is not drawn:  # one picture cannot be drawn twice in a run
            show(best)
            shown, drawn, is_settled = time.monotonic(), best, False
        elif time.monotonic() - shown > _SETTLED and not is_settled:
            settle()
            is_settled = True

    try:
        _run_search(search.name, search.begin, work.until, show_progress)
    except InputError as error:
        if not isinstance(error, Lost):
            raise
        guard.show_next(error)
    work.running = None
    st.rerun()  # also where it was lost: its button starts it again


def _press_search(name: str, given: float) -> None:
    work = _work()
    if work.running != name:
        work.until = _until(name, given)
    _press(name)


def _run_search(name: str, begin: Callable[[], Iterator], until: float, progress: Progress) -> None:
    """Let a search run until it has done so much work, and keep its latest answer."""
    work = _work()
    # A click starts the page again at once, in another thread, while this one is on its way to where it is stopped.
    going = work.searches.setdefault(name, Going(away.Search(begin)))
    with going.lock:
        going.asked, begun = until, going.done

        def keep(so_far: float, best: Any = None, /) -> None:
            if best is not None:
                work.latest[name] = (0, best)
                if best.work >= until:
                    going.done = until
            if name in work.latest:
                progress((max(so_far, begun) - begun) / (until - begun), work.latest[name][1])

        try:
            if going.done < until:
                best, ended = going.search.go_on(until, keep)
                latest = work.latest[name][1] if best is None else best
                work.latest[name] = (int(ended), latest)
                going.done = going.done if ended else until
                if ended:
                    _end(name)
        except Lost:
            work.running = None  # the button begins it again
            _end(name)
            raise
        except Exception:
            work.running = None  # it would fail again
            _end(name)
            if name in work.latest:
                work.latest[name] = (1, work.latest[name][1])
            raise
    _drop_oldest()


def _end(name: str) -> None:
    """End a search where it goes on."""
    going = _work().searches.pop(name, None)
    if going is not None:
        going.search.close()


def _drop_oldest() -> None:
    work = _work()
    for oldest in list(work.latest)[:-_KEPT]:
        del work.latest[oldest]
        _end(oldest)


def _press(name: str) -> None:
    """Start, or stop what runs."""
    work = _work()
    work.running = None if work.running == name else name


def _measure(name: str, first: Stage, of_stages: Sequence[float]) -> None:
    """Measure how long a work takes, by its first stage. Why it cannot be done is shown to who starts it."""
    what, compute = first
    seconds = None
    with st.spinner(f"Measuring how long it takes: {what}"), suppress(InputError):
        seconds = away.compute(partial(_seconds_of, compute), let_go)
    promised = _work().promised
    promised[name] = seconds_of_all(seconds, of_stages)
    for oldest in list(promised)[:-_PROMISED]:
        del promised[oldest]


def _seconds_of(compute: Callable[[Progress], object], progress: Progress) -> float | None:
    """As :func:`seconds_of`, with progress that may end it."""

    def of_both(measured: Progress, share: float, _so_far: Any = None, /) -> None:
        progress(share)
        measured(share)

    return seconds_of(lambda measured: compute(partial(of_both, measured)))


def _promise(name: str | None) -> str:
    seconds = None if name is None else _work().promised.get(name)
    return "some time: how long is shown once it runs" if seconds is None else duration(seconds)


def _run(name: str, stages: Sequence[Stage], done: int, bar: DeltaGenerator, draws: bool) -> None:
    work = _work()
    shown = work.latest.get(name, (0, None))[1]
    since, before = time.monotonic(), 0

    def queue(n: int) -> None:
        nonlocal before
        before = n

    for i in range(done, len(stages)):
        what, compute = stages[i]
        bar.progress(0.0, what)
        begun = drawn = time.monotonic()
        furthest = 0.0

        def progress(
            share: float, best: T | None = None, /, what: str = what, done: int = i, begun: float = begun
        ) -> None:
            nonlocal drawn, furthest
            furthest = max(furthest, share)  # a part of the work may begin again
            if best is not None:
                work.latest[name] = (done, best)
                if draws and best is not shown and time.monotonic() - since > _DRAWN_AGAIN:
                    st.rerun()
            if time.monotonic() - drawn > _EVERY:
                drawn = time.monotonic()
                far = f"{min(furthest, _MOST):.0%}" if furthest < 1 else "almost done"
                far, rest = (away.waiting(before), "") if before else (far, time_left(drawn - begun, furthest))
                bar.progress(min(furthest, _MOST), f"{what}: {far}{rest and f', {rest}'}")

        try:
            is_first = work.latest.get(name, (0, None))[1] is None
            work.latest[name] = (i + 1, away.compute(compute, progress, is_first, queue))
        except InputError as error:
            work.running = None  # it would fail again
            if not isinstance(error, Lost):
                raise
            guard.show_next(error)
            break  # its button starts it again
        except Exception:
            work.running = None  # it would fail again
            raise
        _drop_oldest()
    work.running = None
    st.rerun()


# ---- how long it takes ----


_TRIAL = 0.4  # seconds that the work is tried for
_LEAST = 0.002  # the least share of it that says something
_LEAST_DONE = 0.01  # and while it runs: a search is slowest at first, and was to take minutes that were seconds
_RUNS = 2.0  # seconds that work runs before the page tells how long the rest takes


class _Enough(Exception):
    """The work was tried for long enough."""


def seconds_of(compute: Callable[[Progress], object]) -> float | None:
    """Begin work, end it in a moment, and say how long all of it takes here and now.

    What it comes to is not kept, also where a moment is enough: what a page shows depends on no clock.

    Parameters
    ----------
    compute : Callable
        Given the progress to call; what that raises stops it.

    Returns
    -------
    float | None
        Seconds; None where too little was done to say.
    """
    begun = time.monotonic()
    ready: tuple[float, float] | None = None  # when it first showed how far it was, and how far
    furthest = took = 0.0

    def progress(share: float, _so_far: Any = None, /) -> None:
        nonlocal ready, furthest, took
        now = time.monotonic()
        if ready is None:  # up to here it got ready, which says nothing of how fast it is then
            ready = now, share
        furthest, took = max(furthest, share), now - ready[0]
        if took >= _TRIAL:
            raise _Enough

    try:
        compute(progress)
    except _Enough:
        assert ready is not None
        since, share = ready
        done = furthest - share
        return since - begun + took * (1 - share) / done if done >= _LEAST else None
    return time.monotonic() - begun


def seconds_of_all(first: float | None, shares: Sequence[float]) -> float | None:
    """How long all stages take, of how long the first one does.

    Parameters
    ----------
    first : float | None
        Seconds that the first one takes; None where that is not known.
    shares : Sequence[float]
        By stage, how much work it is against the others, above 0.
    """
    whole = first * sum(shares) / shares[0] if first is not None and shares[0] else None
    return whole if whole is not None and isfinite(whole) else None


def time_left(seconds: float, share: float) -> str:
    """How long the rest takes, in words; empty where too little is done to say.

    Parameters
    ----------
    seconds : float
        How long it has run.
    share : float
        What is done of it, in [0, 1].

    Returns
    -------
    str
        Such as ``about 2 minutes left``.
    """
    if seconds < _RUNS or not _LEAST_DONE <= share < 1:
        return ""
    return f"{duration(seconds * (1 - share) / share)} left"


def duration(seconds: float) -> str:
    """A duration in plain words: ``about 20 s``, ``about 2 minutes``, ``more than an hour``.

    Parameters
    ----------
    seconds : float
        0 or more.
    """
    if seconds < 90:
        return f"about {_rounded(seconds)} s"
    return f"about {_rounded(seconds / 60)} minutes" if seconds < 5_400 else "more than an hour"


def _rounded(number: float) -> int:
    """At least 1, and no more exact than it can be known."""
    whole = max(1, round(number))
    return whole if whole < 20 else 5 * round(whole / 5)


# ---- work of seconds that begins by itself, and that the officer can stop ----


_SHOWN = 0.5  # seconds after which the page shows what it waits for


@dataclass(frozen=True)
class WorkInWords:
    """What the page shows of such work.

    Attributes
    ----------
    doing : what it does, as ``Checking the criteria``.
    stopped : what is so where it was stopped, a sentence.
    stop, begin_again : the labels of its buttons.
    """

    doing: str
    stopped: str
    stop: str = "Stop"
    begin_again: str = "Go on"


def is_stopped(name: str) -> bool:
    """Whether the officer stopped the work of this name."""
    return name in cache.memory().stopped


def stoppable(
    name: str, compute: Callable[[Progress], T], wording: WorkInWords, place: str = "", *, first: bool = True
) -> T | None:
    """What is computed; None where the officer stopped it, for which a sentence and its button stand here.

    Parameters
    ----------
    name
        Names the work with all that it follows from.
    compute
        Given the progress to call, away from the page; of what is remembered :meth:`ui.session.cache.Remembered.work`,
        for which nothing is begun where it is held.
    wording
        What the page shows of it.
    place
        Tells buttons apart where one work is shown twice on a page.
    first
        Whether the page waits for it with nothing to show, as :func:`ui.session.away.compute` has it.
    """
    if is_stopped(name):
        st.caption(wording.stopped)
        st.button(
            wording.begin_again, key=f"go-on-{place}-{name}", icon=":material/play_arrow:",
            on_click=guard.action(_go_on), args=(name,),
        )  # fmt: skip
        return None
    shown, bar, begun, drawn, furthest, before = st.empty(), None, time.monotonic(), 0.0, 0.0, 0

    def queue(n: int) -> None:
        nonlocal before
        before = n

    def progress(share: float, _so_far: Any = None, /) -> None:
        nonlocal bar, drawn, furthest
        let_go(share)
        furthest = max(furthest, min(share, _MOST))  # a part of the work may begin again
        clock = time.monotonic()
        if clock - max(begun + _SHOWN - _EVERY, drawn) < _EVERY:
            return
        drawn, how_far = clock, f"{wording.doing}: {away.waiting(before) if before else f'{furthest:.0%}'}"
        if bar is not None:
            bar.progress(furthest, how_far)
            return
        with shown.container(border=True):
            bar = st.progress(furthest, how_far)
            st.button(
                wording.stop, key=f"stop-{place}-{name}", icon=":material/stop:", on_click=guard.action(_stop),
                args=(name,),
            )  # fmt: skip

    computed = away.compute(compute, progress, first, queue)
    if bar is not None:
        shown.empty()
    return computed


def _stop(name: str) -> None:
    cache.memory().stopped.add(name)


def _go_on(name: str) -> None:
    cache.memory().stopped.discard(name)

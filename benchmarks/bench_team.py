"""Many sessions on one server: how long each waits, what it receives of the others, and what the server holds.

Each session is a :class:`~tests.helpers.visitor.Visitor` on a copy of Adult that has a value of its own; all do the
same step at once, the worst that can happen. ``python -m benchmarks.bench_team [SESSIONS ...]`` measures those alone.
"""

from __future__ import annotations

import asyncio
import os
import random
import re
import statistics
import sys
import tempfile
import threading
import time
from collections import defaultdict
from collections.abc import Awaitable, Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
import pandas as pd
import psutil

from anonlib.set_up import compile_all
from benchmarks.measuring import REPOSITORY, Row, adult_bytes, spoken
from tests.browser.conftest import running_server
from tests.helpers.visitor import Visitor, canary

SESSIONS = (20, 30)
SEARCHING, FIRST = 4, 8  # sessions that search while others move k; that wait for a first proposal at once
STEPS, DRAGGED = 5, 8  # steps of k one by one, and in one drag
EVERY = 4.0  # seconds between two steps of an officer who looks at what changed
MOVING = 40.0  # seconds that k is moved while others search
MOST = 300.0  # seconds that a step may take until it counts as not done
SEARCH = 90.0  # seconds that all sessions at once may take for a first proposal before they go on without
AFTER = 130.0  # seconds after all have left: a session that is cut off is held for two minutes
ACCEPTED, STEP, PROPOSED, MEMORY, BACK, SEEN = 5.0, 1.0, 60.0, 2e9, 0.2, 3.0
"""The targets: seconds to accept roles, of a step of k, until the last of eight has a proposal; bytes, and the share of
the memory at the start that may stay; seconds until a page of a million records is seen."""
LABEL_OF_K = "k: smallest class you accept"
PROPOSALS = ("Best proposal:", "Loses least so far:", "Not enough:")


@dataclass
class Waits:
    """Seconds that each session waited, by step; and what went wrong."""

    seconds: defaultdict[str, list[float]] = field(default_factory=lambda: defaultdict(list))
    received: defaultdict[str, list[int]] = field(default_factory=lambda: defaultdict(list))
    problems: list[str] = field(default_factory=list)

    async def step(
        self, what: str, visitor: Visitor, act: Awaitable[None], shown: Callable[[], object] | None = None,
        most: float = MOST,
    ) -> None:  # fmt: skip
        """One step of a session: until something is ``shown``, where that is given, and until all is drawn."""
        begun, received = time.perf_counter(), visitor.received
        try:
            async with asyncio.timeout(most):
                await act
                if shown is not None:
                    await visitor.until(shown)
                    self.seconds[f"{what}, shown"].append(time.perf_counter() - begun)
                await visitor.idle()
            self.seconds[what].append(visitor.ran - begun)
            self.received[what].append(visitor.received - received)
        except TimeoutError:
            self.problems.append(f"{what}: not done in {most:g} s")

    def row(self, what: str, label: str, target: float | None = None) -> Row:
        """The step as a line of docs/benchmarks.md, by its 95th percentile where it has a target, in seconds."""
        waited = self.seconds[what]
        if not waited:
            return Row(label, "not done by any", "" if target is None else f"95% < {target:g} s", target and False)
        p95 = percentile(waited)
        measured = f"median {spoken(statistics.median(waited))}, 95% {spoken(p95)} ({len(waited):,} of them)"
        if target is None:
            return Row(label, measured)
        return Row(label, measured, f"95% < {target:g} s", p95 < target)


def percentile(waited: Sequence[float]) -> float:
    """The 95th percentile; of a few the largest."""
    return float(np.quantile(waited, 0.95, method="higher"))


# ---- what the server holds


@dataclass
class Memory:
    """Bytes of the server and its processes: resident, and with what they share counted once."""

    resident: int = 0
    shared_once: int = 0

    @classmethod
    def of(cls, pid: int) -> Memory:
        """What they hold now."""
        held = cls()
        for process in _family(pid):
            try:
                held.resident += process.memory_info().rss
                held.shared_once += _proportional(process.pid)
            except (psutil.Error, OSError):
                continue  # it ended meanwhile
        return held

    def most(self, other: Memory) -> Memory:
        """The larger of each."""
        return Memory(max(self.resident, other.resident), max(self.shared_once, other.shared_once))

    def __str__(self) -> str:
        return f"{self.shared_once / 1e9:.2f} GB ({self.resident / 1e9:.2f} GB resident)"


def _family(pid: int) -> list[psutil.Process]:
    server = psutil.Process(pid)
    return [server, *server.children(recursive=True)]


def _proportional(pid: int) -> int:
    rollup = Path(f"/proc/{pid}/smaps_rollup").read_text()
    return 1024 * next(int(line.split()[1]) for line in rollup.splitlines() if line.startswith("Pss:"))


@contextmanager
def at_its_peak(pid: int) -> Iterator[list[Memory]]:
    """The largest memory of a server while the block runs, as the only entry of a list."""
    peak, ends = [Memory()], threading.Event()

    def look() -> None:
        while not ends.wait(0.5):
            peak[0] = peak[0].most(Memory.of(pid))

    thread = threading.Thread(target=look)
    thread.start()
    try:
        yield peak
    finally:
        ends.set()
        thread.join()


def computed(pid: int) -> float:
    """Seconds of processor time that the server's process took so far, without its workers."""
    times = psutil.Process(pid).cpu_times()
    return times.user + times.system


# ---- the sessions


class Team:
    """Sessions on one server, each with a copy of Adult of its own."""

    def __init__(self, url: str, size: int, waits: Waits) -> None:
        self.waits = waits
        self.canaries = [canary() for _ in range(size)]
        self.visitors = [Visitor(url, own) for own in self.canaries]

    async def all_at_once(self, step: Callable[[Visitor, str], Awaitable[None]]) -> None:
        """Let each session do a step, all at the same time; what goes wrong in one is noted, and the others go on."""
        pairs = zip(self.visitors, self.canaries, strict=True)
        done = await asyncio.gather(*(step(visitor, own) for visitor, own in pairs), return_exceptions=True)
        self.waits.problems += [f"{type(error).__name__}: {error}" for error in done if error is not None]

    async def arrive(self) -> None:
        """Open the app, give it the file, and decide what each column is."""
        data = adult_bytes().decode()

        async def open_data(visitor: Visitor, _: str) -> None:
            await self.waits.step("open", visitor, visitor.open("data"))

        async def upload(visitor: Visitor, own: str) -> None:
            copy = data.replace("Holand-Netherlands", own).encode()  # the only record of its country
            await self.waits.step("upload", visitor, visitor.upload("Load a file", f"{own}.csv", copy))

        async def accept(visitor: Visitor, _: str) -> None:
            act = visitor.click("Accept suggestions")
            await self.waits.step("accept", visitor, act, lambda: _is_enabled(visitor, "Clear roles"))

        async def answer(visitor: Visitor, _: str) -> None:
            act = visitor.click("Answer ")
            await self.waits.step("answer", visitor, act, lambda: visitor.element("button", "Answer ") is None)

        for step in (open_data, upload, accept, answer):
            await self.all_at_once(step)

    async def leave(self) -> None:
        """Close all tabs, and collect what went wrong in them."""
        for visitor in self.visitors:
            await visitor.leave()
            self.waits.problems += visitor.problems
            if not visitor.own_seen:
                self.waits.problems.append("a session never saw its own value")


def _is_enabled(visitor: Visitor, label: str) -> bool:
    button = visitor.element("button", label)
    return button is not None and not button.disabled


async def _open(team: Team, page: str) -> None:
    async def go(visitor: Visitor, _: str) -> None:
        await team.waits.step(page, visitor, visitor.go(page))

    await team.all_at_once(go)


async def _move_k(waits: Waits, visitor: Visitor, what: str, k: int) -> None:
    await waits.step(what, visitor, visitor.move(LABEL_OF_K, k))


async def _steps_of_k(team: Team) -> None:
    async def move(visitor: Visitor, _: str) -> None:
        for k in range(6, 6 + STEPS):
            await _move_k(team.waits, visitor, "k, all at once", k)

    async def drag(visitor: Visitor, _: str) -> None:
        values = range(20, 20 + DRAGGED)
        await visitor.move(LABEL_OF_K, *values, every=0.1)
        let_go, last = time.perf_counter(), re.compile(rf"\b(k = )?{values[-1]}\b")
        await visitor.until(
            lambda: visitor.is_idle and any(last.search(metric.label) for metric in visitor.elements("metric")), MOST
        )
        team.waits.seconds["drag"].append(max(visitor.ran - let_go, 0.0))

    await team.all_at_once(move)
    await team.all_at_once(drag)


async def _propose(team: Team, most: float) -> None:
    """Ask for a public release, and wait for the first proposal of each session."""

    async def ask(visitor: Visitor, _: str) -> None:
        begun = time.perf_counter()
        try:
            async with asyncio.timeout(most):
                await visitor.go("verdict")
                await visitor.until(lambda: visitor.element("selectbox", "Recipient"))
                await visitor.choose("Recipient", "Public release")
                await visitor.until(lambda: visitor.says(*PROPOSALS))
            team.waits.seconds["proposal"].append(time.perf_counter() - begun)
        except TimeoutError:
            pass

    await team.all_at_once(ask)


async def _together(url: str, pid: int, size: int, waits: Waits) -> None:
    """All do everything, step by step, and leave."""
    team = Team(url, size, waits)
    before = computed(pid)
    await team.arrive()
    await _open(team, "risk")
    await _steps_of_k(team)
    await _propose(team, SEARCH)
    await _open(team, "release")
    waits.seconds["computed"].append((computed(pid) - before) / size)
    await team.leave()


async def _beside_searches(url: str, waits: Waits, moving: int) -> None:
    """Some search, the others move k, each every few seconds."""
    team = Team(url, SEARCHING + moving, waits)
    await team.arrive()
    await _open(team, "risk")
    searching, others = team.visitors[:SEARCHING], team.visitors[SEARCHING:]
    for visitor in searching:
        await visitor.go("verdict")
        await visitor.until(lambda visitor=visitor: visitor.element("selectbox", "Recipient"))
        await visitor.choose("Recipient", "Public release")

    async def move(visitor: Visitor, rng: random.Random) -> None:
        until, k = time.perf_counter() + MOVING, 6
        while time.perf_counter() < until:
            await asyncio.sleep(rng.uniform(0.5 * EVERY, 1.5 * EVERY) if moving > 1 else 0.2)
            k = 6 + (k - 5) % 30
            await _move_k(waits, visitor, "k beside searches", k)

    await asyncio.gather(*(move(visitor, random.Random(i)) for i, visitor in enumerate(others)))
    waits.seconds["still searching"] = [1.0] * sum(not visitor.is_idle for visitor in searching)
    await team.leave()


async def _first_proposals(url: str, waits: Waits) -> None:
    team = Team(url, FIRST, waits)
    await team.arrive()
    await _propose(team, MOST)
    await team.leave()


async def _a_million(url: str, waits: Waits) -> None:
    """A file of 1,000,000 records of 12 columns: each page until its first figures stand, and until all is drawn."""
    own = canary()
    visitor = Visitor(url, own)
    await waits.step("open", visitor, visitor.open("data"))
    data = million(own)
    await waits.step(
        "upload", visitor, visitor.upload("Load a file", f"{own}.csv", data),
        lambda: visitor.element("metric", "Digest"),
    )  # fmt: skip
    await waits.step("accept", visitor, visitor.click("Accept"), lambda: _is_enabled(visitor, "Clear roles"))
    if _is_enabled(visitor, "Answer "):
        shown = lambda: visitor.element("button", "Answer ") is None  # noqa: E731  (of this step alone)
        await waits.step("answer", visitor, visitor.click("Answer "), shown)
    for page in ("risk", "release", "data"):
        await waits.step(page, visitor, visitor.go(page), lambda: any(visitor.elements("metric")))
    await visitor.leave()
    waits.problems += visitor.problems


def million(own: str, n: int = 1_000_000, seed: int = 1) -> bytes:
    """A hospital's stays as CSV, made up: six columns that are known of persons, and six of the stay."""
    rng = np.random.default_rng(seed)
    born = np.datetime64("1925-01-01") + rng.integers(0, 36_000, n).astype("timedelta64[D]")
    admitted = np.datetime64("2020-01-01") + rng.integers(0, 2_000, n).astype("timedelta64[D]")
    frame = pd.DataFrame(
        {
            "id": np.arange(n), "age": np.clip(rng.normal(55, 22, n), 0, 99).astype(int), "sex": rng.choice([*"fm"], n),
            "zip": 10_000 + rng.integers(0, 700, n), "birth_date": born.astype(str),
            "diagnosis": np.char.add(rng.choice([*"ABCEGIJKMN"], n), rng.integers(10, 99, n).astype(str)),
            "admission_date": admitted.astype(str), "ward": rng.choice([*"ABCDEFGH"], n),
            "cost": 10 * rng.integers(20, 5_000, n), "length_of_stay": rng.geometric(0.12, n),
            "occupation": np.char.add("occupation ", rng.integers(0, 60, n).astype(str)),
            "insurer": rng.choice(["A", "B", "C", "D"], n),
        }
    )  # fmt: skip
    frame.loc[0, "occupation"] = own
    return frame.to_csv(index=False).encode()


# ---- the table


@contextmanager
def served() -> Iterator[tuple[str, int]]:
    """The address of a server that starts for this block, and its process id."""
    plainly = {"PYTHONPATH": str(REPOSITORY)}  # without what tests watch the server with
    with (
        tempfile.TemporaryDirectory() as directory,
        running_server(Path(directory), REPOSITORY, **plainly) as server,
    ):
        yield server.url, server.pid


def rows() -> list[Row]:
    """The waits as lines of docs/benchmarks.md."""
    measured = [row for size in SESSIONS for row in together(size)]
    return [*measured, *beside_searches(), *first_proposals(), *a_million()]


def together(size: int) -> list[Row]:
    """So many sessions that do the same at the same time."""
    waits, at = Waits(), f"{size} sessions on Adult at once"
    with served() as (url, pid):
        asyncio.run(_warm(url))
        start = Memory.of(pid)
        with at_its_peak(pid) as peak:
            asyncio.run(_together(url, pid, size, waits))
        time.sleep(AFTER)
        end = Memory.of(pid)
    proposed = waits.seconds["proposal"]
    return [
        waits.row("open", f"{at}: a tab opens"),
        waits.row("upload", f"{at}: the file is uploaded and read, all is drawn"),
        waits.row("accept, shown", f"{at}: “Accept suggestions”, until the roles stand", ACCEPTED),
        waits.row("accept", f"{at}: the same, until risk and verdict stand beside them"),
        waits.row("answer, shown", f"{at}: the questions answered as suggested, until the roles stand"),
        waits.row("risk", f"{at}: Risk, all is drawn"),
        waits.row("k, all at once", f"{at}: a step of k, all {size} moving it without a pause"),
        waits.row("drag", f"{at}: k dragged over {DRAGGED} values, from the last one until it is drawn"),
        Row(f"{at}: Verdict, a first proposal for a public release", _proposed(proposed, size, SEARCH)),
        waits.row("release", f"{at}: Release, all is drawn"),
        Row(f"{at}: processor time of the server’s process, a session", spoken(*waits.seconds["computed"])),
        _nothing_wrong(at, waits),
        Row(f"{at}: memory at its peak", str(peak[0]), f"< {MEMORY / 1e9:g} GB", peak[0].shared_once < MEMORY),
        Row(
            f"{at}: memory before, and {AFTER:g} s after all have left", f"{start}; {end}", f"within {BACK:.0%}",
            end.shared_once < (1 + BACK) * start.shared_once,
        ),
    ]  # fmt: skip


async def _warm(url: str) -> None:
    """One session before, so that what is loaded once is not measured."""
    team = Team(url, 1, Waits())
    await team.arrive()
    for page in ("risk", "verdict", "release"):
        await _open(team, page)
    await team.leave()


def _proposed(seconds: Sequence[float], size: int, most: float) -> str:
    if not seconds:
        return f"none in {most:g} s"
    return f"{len(seconds)} of {size} within {most:g} s, median {spoken(statistics.median(seconds))}"


def _nothing_wrong(at: str, waits: Waits) -> Row:
    problems = [*dict.fromkeys(waits.problems)]
    measured = "none" if not problems else f"{len(waits.problems)}: {'; '.join(problems[:5])}"
    return Row(f"{at}: errors, values of others, steps not done", measured, "none", not problems)


def beside_searches(sizes: Sequence[int] = (1, 16)) -> list[Row]:
    """Steps of k while four search."""
    measured = []
    for moving in sizes:
        waits = Waits()
        with served() as (url, _):
            asyncio.run(_warm(url))
            asyncio.run(_beside_searches(url, waits, moving))
        pace = "without a pause" if moving == 1 else f"each every {EVERY:g} s or so"
        who = "one session that moves it" if moving == 1 else f"{moving} sessions that move it"
        at = f"A step of k beside {SEARCHING} searches, {who} {pace}"
        measured += [waits.row("k beside searches", at, STEP), _nothing_wrong(at, waits)]
    return measured


def first_proposals() -> list[Row]:
    """A first proposal for each of some sessions that ask at the same time."""
    waits = Waits()
    with served() as (url, _):
        asyncio.run(_warm(url))
        asyncio.run(_first_proposals(url, waits))
    seconds, at = waits.seconds["proposal"], f"A first proposal for each of {FIRST} sessions that ask at once"
    last = max(seconds, default=0.0)
    measured = _proposed(seconds, FIRST, MOST) + (f", the last {spoken(last)}" if seconds else "")
    is_met = len(seconds) == FIRST and last < PROPOSED
    return [Row(at, measured, f"< {PROPOSED:g} s", is_met), _nothing_wrong(at, waits)]


def a_million() -> list[Row]:
    """A session with a million records."""
    waits, at = Waits(), "1,000,000 records x 12"
    with served() as (url, _):
        asyncio.run(_warm(url))
        asyncio.run(_a_million(url, waits))
    waited = {what: spoken(max(seconds)) for what, seconds in waits.seconds.items()}
    measured = []
    for what in dict.fromkeys(name.removesuffix(", shown") for name in waited):
        seen = waits.seconds.get(f"{what}, shown", [])
        first = f"first figures {spoken(max(seen))}, " if seen else ""
        target, met = (f"< {SEEN:g} s", max(seen) < SEEN) if seen and what in ("risk", "release") else ("", None)
        measured.append(Row(f"{at}: {what}", f"{first}all drawn {waited.get(what, 'not')}", target, met))
    return [*measured, _nothing_wrong(at, waits)]


if __name__ == "__main__":
    os.environ.setdefault("OMP_NUM_THREADS", "1")
    compile_all()
    chosen = [int(size) for size in sys.argv[1:]]
    print(*(rows() if not chosen else [row for size in chosen for row in together(size)]), sep="\n")

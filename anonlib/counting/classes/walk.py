"""The walk over all sets of attributes that may be known, compiled and on all cores.

Here are the order of the sets and what is kept between them; what is counted, and how it is compared, is in
:mod:`anonlib.counting.classes.walk_loops`. Importing this loads the compiler. First come threads that work side by
side, as the compiled loops hold no lock of the interpreter. Next are the tables that the walk looks at: attributes of
few values have fewer distinct rows. The walk itself finds the least NPP or PPP of every class over all sets of known
attributes, one size of sets after the other.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor, wait
from dataclasses import dataclass
from itertools import pairwise
from math import ceil, comb
from threading import Lock
from typing import Generic, NamedTuple, Self, TypeVar

import numpy as np

from anonlib.basics.cores import n_threads
from anonlib.basics.progress import Progress, share_of
from anonlib.counting.classes import walk_loops
from anonlib.counting.classes.coding import sum_by
from anonlib.counting.classes.table import ClassTable
from anonlib.counting.classes.walk_loops import numbers_for, part

ALONE = 500_000  # rows looked at, up to which one thread does it as quickly
_MOMENT = 0.05  # seconds between two looks at how far the threads are

Room = TypeVar("Room")


class Threads(Generic[Room]):
    """As many threads as there are cores, and room for each, until they are let go."""

    def __init__(self, make_room: Callable[[], Room]) -> None:
        self._make_room = make_room
        self._rooms: list[Room] = []
        self._threads = ThreadPoolExecutor(n_threads())  # which begin when there is work

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._threads.shutdown()

    def do(self, tasks: Sequence[Callable[[Room], None]], work: int, progress: Progress | None) -> None:
        """Do all tasks, which look at about ``work`` rows; ``progress`` takes the share done, and may raise."""
        number = max(1, min(n_threads(), len(tasks)) if work > ALONE else 1)
        while len(self._rooms) < number:
            self._rooms.append(self._make_room())
        waiting, lock, done = iter(tasks), Lock(), [0]

        def take_turns(room: Room) -> None:
            while True:
                with lock:
                    task = next(waiting, None)
                if task is None:
                    return
                task(room)
                done[0] += 1
                if progress and number == 1:
                    progress(done[0] / len(tasks))

        if number == 1:
            take_turns(self._rooms[0])
            return
        running = {self._threads.submit(take_turns, room) for room in self._rooms[:number]}
        try:
            while running:
                finished, running = wait(running, timeout=_MOMENT)
                for future in finished:
                    future.result()
                if progress:
                    progress(done[0] / len(tasks))
        finally:
            with lock:
                waiting = iter(())
            wait(running)


_SMALLER = 0.7  # a table of its own for fewer attributes is worth its making from this share of the rows down


@dataclass(frozen=True, eq=False)
class WalkRows:
    """The distinct rows of the first attributes.

    Attributes
    ----------
    codes : np.ndarray
        int32, attributes x rows.
    counts : np.ndarray
        int32 (int64 where there are 2^31 records), records a row.
    row_of : np.ndarray | None
        int32, per class of the class table its row here; None where they are the classes themselves.
    """

    codes: np.ndarray
    counts: np.ndarray
    row_of: np.ndarray | None

    def seen_by(self, chosen: np.ndarray) -> WalkView:
        """Those of some classes, by their positions, ascending."""
        if self.row_of is None:
            return WalkView(self, chosen.astype(np.int32), *[np.arange(len(chosen), dtype=np.int32)] * 2)
        of_chosen = self.row_of[chosen]
        seen = np.zeros(len(self.counts), dtype=bool)
        seen[of_chosen] = True
        place = (np.cumsum(seen, dtype=np.int32) - 1)[of_chosen]
        one = np.empty(int(seen.sum()), dtype=np.int32)
        one[place] = np.arange(len(chosen), dtype=np.int32)
        return WalkView(self, np.flatnonzero(seen).astype(np.int32), place, one)


@dataclass(frozen=True, eq=False)
class WalkView:
    """The rows of some chosen classes.

    Attributes
    ----------
    rows : WalkRows
        Of which table.
    chosen : np.ndarray
        int32, the rows, ascending.
    place : np.ndarray
        int32, per chosen class the place of its row in ``chosen``.
    one : np.ndarray
        int32, per row of ``chosen`` a chosen class that has it.
    """

    rows: WalkRows
    chosen: np.ndarray
    place: np.ndarray
    one: np.ndarray

    def same_rows(self, other: WalkView) -> bool:
        """Whether fewer attributes have the same distinct rows, or nearly: they share a table."""
        return self.rows.row_of is other.rows.row_of

    def raised_to(self, other: WalkView) -> np.ndarray:
        """int32, per row of ``chosen`` the place of the row that fewer attributes make of it."""
        return np.arange(len(self.chosen)) if self.same_rows(other) else other.place[self.one]


class Raised(NamedTuple):
    """For each row of a view its place in the views of fewer attributes that have another table."""

    which: np.ndarray  # int32, per attribute the place in ``place`` of the view it is the last of; -1: the same table
    place: np.ndarray  # int32, views x rows


def raised_from(views: list[WalkView]) -> list[Raised]:
    """Per view, of as many first attributes: its rows in those of fewer."""
    raised: list[Raised] = []
    smaller: list[WalkView] = []  # one of each table
    which = np.full(len(views), -1, np.int32)
    for last, view in enumerate(views):
        if last and view.same_rows(views[last - 1]):
            raised.append(raised[-1])
            continue
        if last:
            which[[j for j in range(last) if views[j].same_rows(views[last - 1])]] = len(smaller)
            smaller.append(views[last - 1])
        places = np.empty((len(smaller), len(view.chosen)), np.int32)
        for i, other in enumerate(smaller):
            places[i] = view.raised_to(other)
        raised.append(Raised(which.copy(), places))
    return raised


@dataclass(frozen=True, eq=False)
class Tables:
    """A class table with its attributes by ascending number of values, and the rows of the first of them.

    Attributes
    ----------
    order : np.ndarray
        Positions in the class table, attributes of fewest values first.
    domains : np.ndarray
        int64, values an attribute (1 at least), in this order.
    rows : tuple[WalkRows, ...]
        Per attribute the rows of it and all before it.
    n_records : int
        Records in all.
    """

    order: np.ndarray
    domains: np.ndarray
    rows: tuple[WalkRows, ...]
    n_records: int

    @property
    def counts(self) -> np.ndarray:
        """Of the classes themselves."""
        return self.rows[-1].counts

    @classmethod
    def of(cls, classes: ClassTable) -> Tables:
        domains = np.array([max(1, len(values)) for values in classes.categories], dtype=np.int64)
        order = np.argsort(domains, kind="stable")
        codes = np.ascontiguousarray(classes.codes.T[order], dtype=np.int32)
        n_records = int(classes.counts.sum())
        counts = np.ascontiguousarray(classes.counts, dtype=np.int32 if n_records < 2**31 else np.int64)
        rows = [WalkRows(codes, counts, None)]
        for first, row_of in reversed(_projected(codes, counts, domains[order])):
            n_rows = int(row_of.max(initial=-1)) + 1
            if n_rows <= _SMALLER * len(rows[0].counts):
                one = np.empty(n_rows, dtype=np.intp)
                one[row_of[::-1]] = np.arange(len(row_of))[::-1]
                records = sum_by(row_of, n_rows, classes.counts).astype(counts.dtype)
                rows.insert(0, WalkRows(np.ascontiguousarray(codes[:first, one]), records, row_of))
            else:
                rows.insert(0, WalkRows(rows[0].codes[:first], rows[0].counts, rows[0].row_of))
        return cls(order, domains[order], tuple(rows), n_records)


def _projected(codes: np.ndarray, counts: np.ndarray, domains: np.ndarray) -> list[tuple[int, np.ndarray]]:
    """How many attributes, and per class its row of these: for all of the first attributes but the whole table."""
    projections: list[tuple[int, np.ndarray]] = []
    group, n_groups = np.zeros(len(counts), np.int32), 1
    numbers, sizes = numbers_for(len(counts)), np.empty_like(counts)
    for j in range(len(codes) - 1):
        parts = np.empty(len(counts), np.int32)
        n_groups = part(group, n_groups, codes[j], domains[j], counts, numbers, parts, sizes)
        group = parts
        projections.append((j + 1, parts))
    return projections


_AT_ONCE = 64_000_000  # bytes for counts of the largest sets, which no larger set asks for
_PLACES = 8  # a row, up to which records are counted at a place of their own for each combination
Task = Callable[[walk_loops.WalkRoom], None]
_LOWERED = 0.1  # of the time that counting a set takes, to lower the least values by one of its attributes


@dataclass(frozen=True, eq=False)
class Walk:
    """All sets of a class table's attributes that may be known, of some sizes.

    Attributes
    ----------
    tables : Tables
        The class table and its first attributes, in the order of ``tables.order``.
    sensitive : tuple[int, ...]
        Positions in that order of the attributes that are sensitive, each in turn.
    least_known, most_known : int
        How many others are known.
    """

    tables: Tables
    sensitive: tuple[int, ...]
    least_known: int
    most_known: int

    @classmethod
    def of(cls, classes: ClassTable, sensitive: tuple[int, ...], least_known: int, most_known: int) -> Walk:
        """The walk for sensitive attributes by their positions in the class table, of 62 attributes at most."""
        tables = Tables.of(classes)
        place = {int(j): i for i, j in enumerate(tables.order)}
        return cls(tables, tuple(place[s] for s in sensitive), least_known, most_known)

    @property
    def bytes_each(self) -> int:
        """About what each class takes while sets are walked and in what is found: counts of two sizes, and values."""
        rows = [len(table.counts) / max(1, len(self.tables.rows[-1].counts)) for table in self.tables.rows]
        counts_by_size = [
            sum(comb(last, size - 1) * share for last, share in enumerate(rows))
            for size in range(1, self.most_known + 1)
        ]
        counts = self.tables.counts.itemsize * max(
            (sum(counts_by_size[i : i + 2]) for i in range(len(counts_by_size))), default=0
        )
        least_bytes = 8 * len(self.sensitive) * (self.most_known - self.least_known + 1)
        return int(counts) + least_bytes + 8 * len(rows) + 4 * self.most_known * n_threads()

    def least(
        self, chosen: np.ndarray, share: bool, progress: Progress | None = None, *, without_own: bool = False
    ) -> np.ndarray:
        """The least value over the sets of each size.

        Parameters
        ----------
        chosen : np.ndarray
            Positions of classes, ascending. Only theirs are found; counts are of all.
        share : bool
            PPP, else NPP.
        progress : Progress, optional
            Called with the share done, 0 to 1; what it raises stops the work.
        without_own : bool, default False
            Whether one record of each class, its own, is left out of its peers.

        Returns
        -------
        float64, sizes of known sets x sensitive attributes x chosen classes
            Infinite where a class has no peers for any set of a size, as one that has no records.
        """
        views = [rows.seen_by(chosen) for rows in self.tables.rows]
        search = _Search(self, views, share, int(without_own), progress)
        with search.team:
            least = search.least()
        if share:
            least[least > 1] = np.inf
        return least


class _Search:
    """One search for the least values of chosen classes, and the threads that do it."""

    def __init__(self, walk: Walk, views: list[WalkView], share: bool, own: int, progress: Progress | None) -> None:
        self.walk, self.views, self.share, self.own = walk, views, share, own
        n, most = len(views), walk.most_known
        self.sizes = range(1, most + 2)
        self.binomials = np.array([[comb(j, m) for m in range(most + 2)] for j in range(n + 1)], dtype=np.int64)
        self.slots = np.full(n, -1)  # per attribute its place among the sensitive ones
        self.slots[list(walk.sensitive)] = np.arange(len(walk.sensitive))
        self.raised = raised_from(views)
        self.team = Threads(self._room)
        self.for_counts = np.empty(0, walk.tables.counts.dtype)
        sets = [(size, last) for size in self.sizes for last in range(n)]
        self._progress, self._done = progress, 0
        self._total = max(1, sum(sum(self._work(size, last, comb(last, size - 1))) for size, last in sets))

    def least(self) -> np.ndarray:
        """As :meth:`Walk.least`."""
        walk, n = self.walk, len(self.walk.sensitive)
        least_by_size = np.empty((walk.most_known - walk.least_known + 1, n, len(self.views[-1].chosen)))
        room = [np.empty((n, len(view.chosen))) for view in self.views if not view.same_rows(self.views[-1])]
        smaller = self._counted(0)
        for size in self.sizes:
            counted = self._counted(size)
            whole = least_by_size[max(0, size - 1 - walk.least_known)]  # sizes not asked for are only counted
            least = whole[:, :0]
            for last, view in enumerate(self.views):
                if not last or not view.same_rows(self.views[last - 1]):
                    below, least = least, room[last] if last < len(room) else whole
                    if last:
                        self.team.do(self._raising(below, self.raised[last].place[-1], least), least.size, None)
                    else:
                        least[:] = np.inf
                self._look_at(size, last, counted, smaller, least)
            smaller = counted
        return least_by_size

    def _look_at(
        self, size: int, last: int, counted: walk_loops.SetCounts, smaller: walk_loops.SetCounts, least: np.ndarray
    ) -> None:
        """Count the sets of one size and last attribute, and lower the least values to what they leave."""
        n_chosen, start = len(self.views[last].chosen), counted.start[last]
        records = counted.records[start : start + comb(last, size - 1) * n_chosen]
        for low, high, firsts in self._parts(size, last):
            shape = (high - low, n_chosen)
            here = records.reshape(shape) if self._is_kept(size) else self._room_for(shape)
            counting, lowering = self._work(size, last, high - low)
            self.team.do(self._counting(size, last, low, here, firsts), counting, self._progress_of(counting))
            if lowering:
                lookups = walk_loops.asked_of(last, size, low, high, self.binomials, self.slots)
                self.team.do(
                    self._lowering(lookups, here, smaller, self.raised[last], least, lowering),
                    lowering,
                    self._progress_of(lowering),
                )

    def _progress_of(self, work: int) -> Progress | None:
        """Progress of the next step, which is so much of all the work."""
        begin, self._done = self._done, self._done + work
        return self._progress and share_of(
            self._progress, min(1.0, begin / self._total), min(1.0, self._done / self._total)
        )

    def _room_for(self, shape: tuple[int, int]) -> np.ndarray:
        """Room for counts that are not kept, the same for one part after the other: new room is slow to be had."""
        n = shape[0] * shape[1]
        if len(self.for_counts) < n:
            self.for_counts = np.empty(n, self.walk.tables.counts.dtype)
        return self.for_counts[:n].reshape(shape)

    def _counting(self, size: int, last: int, low: int, here: np.ndarray, firsts: list[list[int]]) -> list[Task]:
        view, tables, binomials = self.views[last], self.walk.tables, self.binomials
        table = walk_loops.WalkTable(view.rows.codes, view.rows.counts, tables.domains, view.chosen)

        def task(first: list[int]) -> Task:
            return lambda room: walk_loops.count(table, np.array(first), size, binomials, low, here, room)

        return [task(first) for first in firsts]

    def _lowering(
        self,
        lookups: np.ndarray,
        here: np.ndarray,
        smaller: walk_loops.SetCounts,
        raised: Raised,
        least: np.ndarray,
        work: int,
    ) -> list[Task]:
        n_records, share, own = self.walk.tables.n_records, self.share, self.own

        def task(start: int, stop: int) -> Task:
            return lambda _: walk_loops.lower(
                lookups, share, own, n_records, here, smaller, raised.which, raised.place, start, stop, least
            )

        return [task(start, stop) for start, stop in _ranges(here.shape[1], work)]

    def _raising(self, below: np.ndarray, place: np.ndarray, least: np.ndarray) -> list[Task]:
        def task(start: int, stop: int) -> Task:
            return lambda _: walk_loops.raise_least(below, place, least, start, stop)

        return [task(start, stop) for start, stop in _ranges(least.shape[1], least.size)]

    def _parts(self, size: int, last: int) -> Iterator[tuple[int, int, list[list[int]]]]:
        """Ranks from and to below which sets are counted together, and the highest attributes of each task.

        Sets that larger ones ask for are kept, and are one part; of the largest sets as many as there is room for.
        """
        if size == 1:
            yield 0, 1, [[last]]
            return
        set_bytes = self.walk.tables.counts.itemsize * max(1, len(self.views[last].chosen))
        low, firsts = 0, []
        for second in range(size - 2, last):
            firsts.append([last, second])
            high = comb(second + 1, size - 1)
            full = not self._is_kept(size) and (high - low + comb(second + 1, size - 2)) * set_bytes > _AT_ONCE
            if full or second == last - 1:
                yield low, high, firsts[::-1]  # the longest task first
                low, firsts = high, []

    def _is_kept(self, size: int) -> bool:
        """Whether larger sets ask for the counts."""
        return size <= self.walk.most_known

    def _work(self, size: int, last: int, n_sets: int) -> tuple[int, int]:
        """To count so many sets, and to lower the least values to what they leave: rows looked at."""
        view = self.views[last]
        of_each = size * len(self.walk.sensitive) / len(self.views) if size > self.walk.least_known else 0
        return n_sets * len(view.rows.counts), ceil(n_sets * of_each * len(view.chosen) * _LOWERED)

    def _counted(self, size: int) -> walk_loops.SetCounts:
        """Room for the counts of all sets of a size."""
        rows = np.array([len(view.chosen) for view in self.views])
        sets = [comb(last, size - 1) if size and self._is_kept(size) else 0 for last in range(len(rows))]
        ends = np.cumsum(rows * sets)
        return walk_loops.SetCounts(np.empty(ends[-1], self.walk.tables.counts.dtype), ends - rows * sets, rows)

    def _room(self) -> walk_loops.WalkRoom:
        n_rows, kind = len(self.walk.tables.counts), self.walk.tables.counts.dtype
        return walk_loops.WalkRoom(
            groups=np.empty((self.walk.most_known + 1, n_rows), np.int32),
            sizes=np.empty(n_rows, kind),
            cell=np.empty(n_rows, np.int32),
            cells=np.empty(max(_PLACES * n_rows, n_rows, int(self.walk.tables.domains.max(initial=1))), kind),
            numbers=numbers_for(n_rows),
        )


def _ranges(n_rows: int, work: int) -> Iterator[tuple[int, int]]:
    """Rows from and to below which one task works: some tasks a thread where there is work enough."""
    ends = np.linspace(0, n_rows, 1 + (4 * n_threads() if work > ALONE else 1)).astype(int).tolist()
    return pairwise(ends)

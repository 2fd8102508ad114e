"""The least NPP or PPP of every class over all sets of known attributes, one size of sets after the other."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import pairwise
from math import ceil, comb

import numpy as np

from anonlib.basics.cores import n_threads
from anonlib.basics.progress import Progress, share_of
from anonlib.counting.classes.table import ClassTable
from anonlib.counting.classes.walk import kernel
from anonlib.counting.classes.walk.numbering import numbers_for
from anonlib.counting.classes.walk.tables import Raised, Tables, View, raised_from
from anonlib.counting.classes.walk.team import ALONE, Team

_AT_ONCE = 64_000_000  # bytes for counts of the largest sets, which no larger set asks for
_PLACES = 8  # a row, up to which records are counted at a place of their own for each combination
Task = Callable[[kernel.Room], None]
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
        kept = [
            sum(comb(last, size - 1) * share for last, share in enumerate(rows))
            for size in range(1, self.most_known + 1)
        ]
        counts = self.tables.counts.itemsize * max((sum(kept[i : i + 2]) for i in range(len(kept))), default=0)
        found = 8 * len(self.sensitive) * (self.most_known - self.least_known + 1)
        return int(counts) + found + 8 * len(rows) + 4 * self.most_known * n_threads()

    def least(self, chosen: np.ndarray, share: bool, progress: Progress | None = None) -> np.ndarray:
        """The least value over the sets of each size.

        Parameters
        ----------
        chosen : np.ndarray
            Positions of classes, ascending. Only theirs are found; counts are of all.
        share : bool
            PPP, else NPP.
        progress : Progress, optional
            Called with the share done, 0 to 1; what it raises stops the work.

        Returns
        -------
        float64, sizes of known sets x sensitive attributes x chosen classes.
        """
        views = [rows.seen_by(chosen) for rows in self.tables.rows]
        search = _Search(self, views, share, progress)
        with search.team:
            return search.least()


class _Search:
    """One search for the least values of chosen classes, and the threads that do it."""

    def __init__(self, walk: Walk, views: list[View], share: bool, progress: Progress | None) -> None:
        self.walk, self.views, self.share = walk, views, share
        n, most = len(views), walk.most_known
        self.sizes = range(1, most + 2)
        self.binomials = np.array([[comb(j, m) for m in range(most + 2)] for j in range(n + 1)], dtype=np.int64)
        self.slots = np.full(n, -1)  # per attribute its place among the sensitive ones
        self.slots[list(walk.sensitive)] = np.arange(len(walk.sensitive))
        self.raised = raised_from(views)
        self.team = Team(self._room)
        self.for_counts = np.empty(0, walk.tables.counts.dtype)
        sets = [(size, last) for size in self.sizes for last in range(n)]
        self._progress, self._done = progress, 0
        self._total = max(1, sum(sum(self._work(size, last, comb(last, size - 1))) for size, last in sets))

    def least(self) -> np.ndarray:
        """As :meth:`Walk.least`."""
        walk, n = self.walk, len(self.walk.sensitive)
        found = np.empty((walk.most_known - walk.least_known + 1, n, len(self.views[-1].chosen)))
        room = [np.empty((n, len(view.chosen))) for view in self.views if not view.same_rows(self.views[-1])]
        smaller = self._counted(0)
        for size in self.sizes:
            counted = self._counted(size)
            whole = found[max(0, size - 1 - walk.least_known)]  # sizes not asked for are only counted
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
        return found

    def _look_at(
        self, size: int, last: int, counted: kernel.Counted, smaller: kernel.Counted, least: np.ndarray
    ) -> None:
        """Count the sets of one size and last attribute, and lower the least values to what they leave."""
        n_chosen, start = len(self.views[last].chosen), counted.start[last]
        kept = counted.records[start : start + comb(last, size - 1) * n_chosen]
        for low, high, firsts in self._parts(size, last):
            shape = (high - low, n_chosen)
            here = kept.reshape(shape) if self._is_kept(size) else self._room_for(shape)
            counting, lowering = self._work(size, last, high - low)
            self.team.do(self._counting(size, last, low, here, firsts), counting, self._progress_of(counting))
            if lowering:
                asked = kernel.asked_of(last, size, low, high, self.binomials, self.slots)
                self.team.do(
                    self._lowering(asked, here, smaller, self.raised[last], least, lowering),
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
        table = kernel.Table(view.rows.codes, view.rows.counts, tables.domains, view.chosen)

        def task(first: list[int]) -> Task:
            return lambda room: kernel.count(table, np.array(first), size, binomials, low, here, room)

        return [task(first) for first in firsts]

    def _lowering(
        self,
        asked: np.ndarray,
        here: np.ndarray,
        smaller: kernel.Counted,
        raised: Raised,
        least: np.ndarray,
        work: int,
    ) -> list[Task]:
        n_records, share = self.walk.tables.n_records, self.share

        def task(start: int, stop: int) -> Task:
            return lambda _: kernel.lower(
                asked, share, n_records, here, smaller, raised.which, raised.place, start, stop, least
            )

        return [task(start, stop) for start, stop in _ranges(here.shape[1], work)]

    def _raising(self, below: np.ndarray, place: np.ndarray, least: np.ndarray) -> list[Task]:
        def task(start: int, stop: int) -> Task:
            return lambda _: kernel.raise_least(below, place, least, start, stop)

        return [task(start, stop) for start, stop in _ranges(least.shape[1], least.size)]

    def _parts(self, size: int, last: int) -> Iterator[tuple[int, int, list[list[int]]]]:
        """Ranks from and to below which sets are counted together, and the highest attributes of each task.

        Sets that larger ones ask for are kept, and are one part; of the largest sets as many as there is room for.
        """
        if size == 1:
            yield 0, 1, [[last]]
            return
        each = self.walk.tables.counts.itemsize * max(1, len(self.views[last].chosen))
        low, firsts = 0, []
        for second in range(size - 2, last):
            firsts.append([last, second])
            high = comb(second + 1, size - 1)
            full = not self._is_kept(size) and (high - low + comb(second + 1, size - 2)) * each > _AT_ONCE
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

    def _counted(self, size: int) -> kernel.Counted:
        """Room for the counts of all sets of a size."""
        rows = np.array([len(view.chosen) for view in self.views])
        sets = [comb(last, size - 1) if size and self._is_kept(size) else 0 for last in range(len(rows))]
        ends = np.cumsum(rows * sets)
        return kernel.Counted(np.empty(ends[-1], self.walk.tables.counts.dtype), ends - rows * sets, rows)

    def _room(self) -> kernel.Room:
        n_rows, kind = len(self.walk.tables.counts), self.walk.tables.counts.dtype
        return kernel.Room(
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

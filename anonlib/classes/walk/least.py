"""The least NPP or PPP of every class over all sets of known attributes, one size of sets after the other."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache, cached_property
from math import comb

import numpy as np

from anonlib.classes.table import ClassTable
from anonlib.classes.walk import kernel
from anonlib.classes.walk.tables import Tables, View
from anonlib.classes.walk.team import Task, Team, n_threads

Progress = Callable[[float], None]


@dataclass(frozen=True, eq=False)
class Walk:
    """All sets of a class table's attributes that may be known, of some sizes.

    Attributes
    ----------
    tables : the class table and its first attributes, in the order of ``tables.order``.
    sensitive : positions in that order of the attributes that are sensitive, each in turn.
    least_known, most_known : how many others are known.
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
        domains, rows = self.tables.domains, self.tables.rows
        kept = [
            sum(
                len(rows[last].counts) / max(1, len(rows[-1].counts)) * int((self._places[size, last] >= 0).sum())
                for last in range(len(domains))
            )
            for size in range(1, self.most_known + 1)
        ]
        counts = self._count_type.itemsize * max((sum(kept[i : i + 2]) for i in range(len(kept))), default=0)
        found = 8 * len(self.sensitive) * (self.most_known - self.least_known + 1)
        return int(counts) + found + 8 * len(domains) * (1 + n_threads())

    def least(self, chosen: np.ndarray, share: bool, progress: Progress | None = None) -> np.ndarray:
        """The least value over the sets of each size.

        Parameters
        ----------
        chosen : positions of classes, ascending. Only theirs are found; counts are of all.
        share : PPP, else NPP.
        progress : called with the share done, 0 to 1; what it raises stops the work.

        Returns
        -------
        float64, sizes of known sets x sensitive attributes x chosen classes.
        """
        n, sizes = len(self.tables.domains), range(1, self.most_known + 2)
        views = [rows.seen_by(chosen) for rows in self.tables.rows]
        binomials = np.array([[comb(j, m) for m in range(self.most_known + 2)] for j in range(n)], dtype=np.int64)
        whole = self.tables.rows[-1]
        team = Team(len(whole.counts), whole.most_cells, self.most_known + 1, self._count_type)
        found = np.empty((self.most_known - self.least_known + 1, len(self.sensitive), len(chosen)))
        steps = _Steps(self.tables, sizes, progress)
        kept: list[kernel.Kept] = []
        for size in sizes:
            smaller, kept = kept, []
            least = np.empty((n, 0))
            for last, view in enumerate(views):
                if not last or not view.same_rows(views[last - 1]):
                    below, least = least, np.full((n, len(view.chosen)), np.inf)
                    if last:
                        np.take(below[:last], view.raised_to(views[last - 1]), axis=1, out=least[:last])
                kept.append(self._room(size, last, len(view.chosen)))
                table = self._table(view, last, size > self.least_known, share)
                tasks = list(_tasks(size, last, views, smaller, kept[-1]))
                team.look_at(table, tasks, size, binomials, kept[-1], least, steps.next())
            if size > self.least_known:
                found[size - 1 - self.least_known] = least[list(self.sensitive)][:, views[-1].place]
        return found

    def _table(self, view: View, last: int, asked: bool, share: bool) -> kernel.Table:
        """The rows of the attributes up to ``last``; sets of a size that is not ``asked`` for are only kept."""
        return kernel.Table(
            codes=view.rows.codes,
            counts=view.rows.counts,
            domains=self.tables.domains,
            chosen=view.chosen,
            n_records=self.tables.n_records,
            wanted=sum(1 << s for s in self.sensitive) if asked else 0,
            share=share,
            most_cells=self.tables.rows[last].most_cells,
        )

    def _room(self, size: int, last: int, chosen: int) -> kernel.Kept:
        place = self._places.get((size, last))
        if place is None:  # the largest sets: no larger one asks for them
            place = np.full(comb(last, size - 1), -1, np.int32)
        return kernel.Kept(place, np.empty((int(place.max(initial=-1)) + 1, chosen), self._count_type))

    @property
    def _count_type(self) -> np.dtype:
        return np.dtype(np.int32 if self.tables.n_records < 2**31 else np.int64)

    @cached_property
    def _places(self) -> dict[tuple[int, int], np.ndarray]:
        """By size and last attribute, int32 a rank: where the set's counts are kept for larger sets, -1 where not.

        Those are looked up by a set of one more attribute that is sensitive, if it is counted row by row.
        """
        domains = self.tables.domains

        @cache
        def below(last: int, size: int) -> tuple[np.ndarray, np.ndarray]:
            """The sets below ``last``, by their rank: how many combinations they have, and bits of their members."""
            if not size:
                return np.ones(1), np.zeros(1, dtype=np.int64)
            parts = [(j, *below(j, size - 1)) for j in range(last)]
            cells = [cells * domains[j] for j, cells, _ in parts]
            members = [members | np.int64(1 << j) for j, _, members in parts]
            return np.concatenate([np.ones(0), *cells]), np.concatenate([np.zeros(0, dtype=np.int64), *members])

        found = {}
        for size in range(1, self.most_known + 1):
            for last, domain in enumerate(domains):
                cells, members = below(last, size - 1)
                needed = np.zeros(len(cells), dtype=bool)
                for s in self.sensitive:
                    most = self.tables.rows[max(s, last)].most_cells
                    outside = (members >> s & 1 == 0) & (s != last)
                    needed |= outside & (cells * domain * domains[s] > most)
                found[size, last] = np.where(needed, np.cumsum(needed) - 1, -1).astype(np.int32)
        return found


def _tasks(size: int, last: int, views: list[View], smaller: list[kernel.Kept], own: kernel.Kept) -> Iterator[Task]:
    """The highest attributes of the sets of one size and last attribute, with the counts of smaller sets."""
    if size == 1:
        yield np.array([last]), kernel.Smaller(own, own, np.empty(0, dtype=np.intp))  # nothing is smaller
        return
    for second in range(last - 1, size - 3, -1):
        raised = views[last].raised_to(views[second])
        yield np.array([last, second]), kernel.Smaller(smaller[last], smaller[second], raised)


class _Steps:
    """The share done, told through the steps of a walk: each size of sets with each last attribute."""

    def __init__(self, tables: Tables, sizes: range, progress: Progress | None) -> None:
        work = [comb(last, size - 1) * len(rows.counts) for size in sizes for last, rows in enumerate(tables.rows)]
        self._work, self._total, self._done = iter(work), max(1, sum(work)), 0
        self._progress = progress

    def next(self) -> Progress | None:
        """What takes the share done of the next step."""
        before, work = self._done, next(self._work)
        self._done += work
        progress = self._progress
        return progress and (lambda part: progress((before + part * work) / self._total))

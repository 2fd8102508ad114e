"""Threads that look at sets side by side: the loops hold no lock of the interpreter."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor, wait
from threading import Lock

import numpy as np

from anonlib.classes.walk import kernel
from anonlib.classes.walk.numbering import numbers_for

_ALONE = 500_000  # rows looked at, up to which one thread does it as quickly
_PLACES = 8  # a row, up to which records are counted at a place of their own for each combination
_MOMENT = 0.05  # seconds between two looks at how far the threads are

Task = tuple[np.ndarray, kernel.Smaller]


def n_threads() -> int:
    """The cores that this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


class Team:
    """As many threads as there are cores, and room for each."""

    def __init__(self, rows: int, most_cells: int, largest: int, count_type: np.dtype) -> None:
        """For tables of at most so many rows and cells, and sets of at most ``largest`` members."""
        self._shape, self._most_cells, self._count_type = (largest, rows), most_cells, count_type
        self._rooms: list[kernel.Room] = []

    def look_at(
        self,
        table: kernel.Table,
        tasks: Sequence[Task],
        size: int,
        binomials: np.ndarray,
        kept: kernel.Kept,
        least: np.ndarray,
        progress: Callable[[float], None] | None,
    ) -> None:
        """Do all tasks, lowering ``least``; ``progress`` is called with the share done, and may raise to stop."""
        work = len(table.counts) * sum(int(binomials[first[-1], size - len(first)]) for first, _ in tasks)
        number = min(n_threads(), len(tasks)) if work > _ALONE else 1
        while len(self._rooms) < number:
            self._rooms.append(self._room())
        waiting, lock, done = iter(tasks), Lock(), [0]

        def take_turns(room: kernel.Room, least: np.ndarray) -> None:
            while True:
                with lock:
                    task = next(waiting, None)
                if task is None:
                    return
                kernel.look_at(table, task[0], size, binomials, task[1], kept, least, room)
                done[0] += 1
                if progress and number == 1:
                    progress(done[0] / len(tasks))

        if number == 1:
            take_turns(self._rooms[0], least)
            return
        own = [least, *(np.full_like(least, np.inf) for _ in range(number - 1))]
        with ThreadPoolExecutor(number) as threads:
            try:
                running = {threads.submit(take_turns, *pair) for pair in zip(self._rooms, own, strict=False)}
                while running:
                    finished, running = wait(running, timeout=_MOMENT)
                    for each in finished:
                        each.result()
                    if progress:
                        progress(done[0] / len(tasks))
            finally:
                with lock:
                    waiting = iter(())
        for other in own[1:]:
            np.minimum(least, other, out=least)

    def _room(self) -> kernel.Room:
        largest, rows = self._shape
        return kernel.Room(
            groups=np.empty((max(1, largest - 1), rows), np.int32),
            sizes=np.empty(rows, np.int64),
            cell=np.empty(rows, np.int32),
            same=np.empty(rows, self._count_type),
            cells=np.empty(max(_PLACES * rows, rows, self._most_cells), np.int64),
            values=np.empty(self._most_cells),
            numbers=numbers_for(rows),
        )

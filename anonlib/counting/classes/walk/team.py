"""Threads that work side by side: the compiled loops hold no lock of the interpreter."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor, wait
from threading import Lock
from typing import Generic, Self, TypeVar

from anonlib.basics.cores import n_threads
from anonlib.basics.progress import Progress

ALONE = 500_000  # rows looked at, up to which one thread does it as quickly
_MOMENT = 0.05  # seconds between two looks at how far the threads are

Room = TypeVar("Room")


class Team(Generic[Room]):
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
                for each in finished:
                    each.result()
                if progress:
                    progress(done[0] / len(tasks))
        finally:
            with lock:
                waiting = iter(())
            wait(running)

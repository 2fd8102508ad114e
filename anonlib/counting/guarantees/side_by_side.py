"""Parts of one count, each in a thread of its own where there is much to do: the compiled loops hold no lock."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor, wait
from typing import TypeVar

from anonlib.basics.cores import n_threads
from anonlib.basics.progress import Progress

T = TypeVar("T")
_LITTLE = 5_000_000  # rows times sets of columns that one thread looks at as quickly
_MOMENT = 0.05  # seconds between two looks at how far the threads are


class _Stopped(Exception):
    """Nobody waits for this part any more."""


def side_by_side(
    look: Callable[[int, Progress], T], work: Sequence[int], progress: Progress | None, looked_at: int
) -> list[T]:
    """What each part comes to, in their order.

    Parameters
    ----------
    look : Callable[[int, Progress], T]
        Does a part, given its place and whom to tell the share of it that is done.
    work : Sequence[int]
        How much there is to do in each part.
    progress : Progress | None
        Called with the share of all that is done, in this thread; what it raises ends all parts.
    looked_at : int
        Rows times sets of columns that are looked at in all.
    """
    total, shares, stopped = sum(work) or 1, [0.0] * len(work), False

    def done() -> float:
        return min(1.0, sum(share * part for share, part in zip(shares, work, strict=True)) / total)

    def tell_at_once(part: int, share: float) -> None:
        shares[part] = share
        if progress is not None:
            progress(done())

    def tell_later(part: int, share: float) -> None:
        shares[part] = share
        if stopped:
            raise _Stopped

    n = min(n_threads(), len(work))
    if n < 2 or looked_at <= _LITTLE:
        return [look(part, lambda share, *_, part=part: tell_at_once(part, share)) for part in range(len(work))]
    with ThreadPoolExecutor(n) as threads:
        parts = [
            threads.submit(look, part, lambda share, *_, part=part: tell_later(part, share))
            for part in range(len(work))
        ]
        try:
            running = set(parts)
            while running:
                finished, running = wait(running, timeout=_MOMENT)
                for each in finished:
                    each.result()
                if progress is not None:
                    progress(done())
        finally:
            stopped = True  # what still runs here runs for nobody
            for each in parts:
                each.cancel()
    return [each.result() for each in parts]

"""How far long work is, and how it is stopped: what it calls raises an error of the caller's."""

from __future__ import annotations

from typing import Any, Protocol


class Progress(Protocol):
    """What work calls again and again while it goes on; what that raises stops the work.

    Work without more to show calls it with the share alone.
    """

    def __call__(self, share: float, so_far: Any = None, /) -> None:
        """Take note of how far the work is.

        Parameters
        ----------
        share : float
            What is done, in [0, 1].
        so_far : optional
            Of a search the best answer so far, None before the first; of work in stages what is being done, in words.
        """


def nobody(_share: float, _so_far: Any = None, /) -> None:
    """Progress that nobody looks at."""


def share_of(progress: Progress, begin: float, end: float) -> Progress:
    """Progress of a part of the work, which goes from one share of the whole to another."""

    def of_part(share: float, *so_far: Any) -> None:
        progress(begin + (end - begin) * share, *so_far)

    return of_part


def share_alone(progress: Progress) -> Progress:
    """Progress for work of which what it has so far is not what is waited for: the share alone is handed on."""

    def of_share(share: float, *_: Any) -> None:
        progress(share)

    return of_share

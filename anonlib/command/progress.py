"""How far long work is, on one line of standard error."""

from __future__ import annotations

import sys
import time

from anonlib.basics import words

_EVERY = 0.2  # seconds


class ProgressLine:
    """A line that is written over while work goes on, and taken away when it is done; nothing where it is not wanted.

    Where standard error is no terminal, as in a log, only what begins is written, a line each.
    """

    def __init__(self, wanted: bool) -> None:
        self._wanted, self._last, self._what = wanted, 0.0, ""
        self._terminal = sys.stderr.isatty()

    def __call__(self, share: float, what: str = "", /) -> None:
        """Say what is being done and what share of the work is done, in [0, 1]."""
        if not self._wanted:
            return
        what = words.escaped(what)
        now = time.monotonic()
        if self._terminal and (now - self._last > _EVERY or what != self._what):
            print(f"\r\x1b[K{share:4.0%} {what}", end="", file=sys.stderr, flush=True)
            self._last = now
        elif not self._terminal and what != self._what:
            print(what, file=sys.stderr, flush=True)
        self._what = what

    def done(self) -> None:
        """Take the line away."""
        if self._wanted and self._terminal and self._what:
            print("\r\x1b[K", end="", file=sys.stderr, flush=True)

"""Clocks that run as a test wants: searches must find the same on every machine."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from itertools import count

import pytest


@contextmanager
def clock(step: float) -> Iterator[None]:
    """A clock that goes so many seconds further each time somebody looks; 0: it stands still."""
    looks = count()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("time.monotonic", lambda: step * next(looks))
        yield

"""A file that one process holds at a time: its end lets go of it, however it ends."""

from __future__ import annotations

import errno
import os
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

_LOOK = 0.02  # seconds between two looks at whether another process let go
_BUSY = {errno.EACCES, errno.EAGAIN, errno.EDEADLK}  # Windows gives the first or the last of these

if sys.platform == "win32":
    import msvcrt

    def _take(handle: int) -> None:
        msvcrt.locking(handle, msvcrt.LK_NBLCK, 1)

else:
    import fcntl

    def _take(handle: int) -> None:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)


@contextmanager
def held(path: Path) -> Iterator[None]:
    """Hold a file, which is made where there is none; waits while another process holds it.

    Raises
    ------
    OSError
        Where the file cannot be made, or its file system cannot say who holds it.
    """
    handle = os.open(path, os.O_RDWR | os.O_CREAT)
    try:
        while _is_busy(handle):
            time.sleep(_LOOK)
        yield
    finally:
        os.close(handle)


def is_held(path: Path) -> bool:
    """Whether another process holds a file, as far as the file system says so; nothing is written."""
    try:
        handle = os.open(path, os.O_RDONLY)
    except OSError:
        return False
    try:
        return _is_busy(handle)
    except OSError:
        return False
    finally:
        os.close(handle)


def _is_busy(handle: int) -> bool:
    """Whether another one has the file; it is taken where not, until the handle is closed."""
    try:
        _take(handle)
    except OSError as error:
        if error.errno not in _BUSY:
            raise
        return True
    return False

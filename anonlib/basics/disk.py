"""Files on a disk: opened only where they have an end, made whole, and put where nothing is replaced unasked.

First comes a file that one process holds at a time: the end of the process lets go of it, however it ends.
"""

from __future__ import annotations

import errno
import os
import secrets
import stat
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from io import BufferedReader
from pathlib import Path

from anonlib.basics.errors import InputError

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
    handle = os.open(path, os.O_RDWR | os.O_CREAT, 0o600)
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


LEFT_OVER = ".part"
"""How the name of a file or folder ends that is still being made: one that is left over can be deleted."""


@contextmanager
def opened_to_read(path: Path) -> Iterator[BufferedReader]:
    """Open a file that has an end.

    Raises InputError where it is a pipe or a device, which are not waited for and not read; OSError where it is a
    folder or cannot be opened.
    """
    handle = os.open(path, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0))
    try:
        kind = os.fstat(handle).st_mode
        if stat.S_ISDIR(kind):
            raise IsADirectoryError
        if not stat.S_ISREG(kind):
            raise InputError(
                f"“{path.name}” is a pipe or a device, and is not read. Save what it gives as a file, and name that.",
                code="file-not-regular",
            )
        with open(handle, "rb", closefd=False) as file:
            yield file
    finally:
        os.close(handle)


def is_open_to_all(file: BufferedReader) -> bool:
    """Whether everybody on the computer may read a file; not on Windows, which has no such modes."""
    return os.name != "nt" and bool(os.fstat(file.fileno()).st_mode & stat.S_IROTH)


def close_to_others(file: BufferedReader) -> None:
    """Let a file be for its owner alone where everybody may read it; without effect on drives that have no modes."""
    if is_open_to_all(file):
        with suppress(OSError):  # of somebody else, or on a drive that cannot be written
            os.fchmod(file.fileno(), 0o600)


def beside(place: Path) -> Path:
    """A name for what is to become a file or folder, hidden and in the same folder; no other writer has it."""
    return place.with_name(f".{place.name[:40]}-{secrets.token_hex(8)}{LEFT_OVER}")


def fill(path: Path, data: bytes, mode: int = 0o666) -> None:
    """Write a new file until it is on the disk; the mode is what the process's mask leaves of it."""
    with os.fdopen(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, mode), "wb") as file:
        file.write(data)
        file.flush()
        os.fsync(file.fileno())


def put(part: Path, place: Path) -> None:
    """Give a finished file its name. Raises FileExistsError where there is something of that name."""
    try:
        os.link(part, place)  # as one act, where a rename would replace
    except FileExistsError:
        raise
    except OSError:  # a file system without links: the name is taken first
        os.close(os.open(place, os.O_WRONLY | os.O_CREAT | os.O_EXCL))
        os.replace(part, place)
    else:
        os.unlink(part)


def is_one_of(path: Path, others: list[Path]) -> Path | None:
    """Which of other files this one is, whatever they are called: the same file on the disk, through links too."""
    try:
        this = path.stat()
    except OSError:
        return None
    for other in others:
        try:
            if os.path.samestat(this, other.stat()):
                return other
        except OSError:
            continue
    return None

"""What the machine has no more of, where that ends some work: memory, room on a disk, leave to write larger files."""

from __future__ import annotations

import errno

CODE = "machine-exhausted"
"""The code of an :class:`anonlib.basics.errors.InputError` that has this reason."""
_MEMORY = (
    "There is not enough memory for this. Close other programs, take a file with fewer columns or rows, or open it "
    "where it is, as connected data."
)
_DISK = "There is no room left on the disk, or none that you may use. Make room, and try again."
_SIZE = "A file would become larger than this system lets a program write. Have that limit raised (ulimit -f)."
_FILES = "More files are open than this system lets a program have. Close other programs, or have that limit raised."
_OF_NUMBER = {
    errno.ENOMEM: _MEMORY,
    errno.ENOSPC: _DISK,
    getattr(errno, "EDQUOT", errno.ENOSPC): _DISK,
    errno.EFBIG: _SIZE,
    errno.EMFILE: _FILES,
    errno.ENFILE: _FILES,
}
_OF_A_LIBRARY = ("failed to map segment", "cannot allocate memory")
"""What the system says, in the text of an error, where a library of ours cannot be loaded."""
_MOST_CAUSES = 10


def sentence(error: BaseException) -> str:
    """What the machine had no more of, and the way out; "" where that is not the reason of an error or of its causes.

    Parameters
    ----------
    error : BaseException
        What ended the work.
    """
    cause: BaseException | None = error
    for _ in range(_MOST_CAUSES):
        if cause is None:
            break
        if isinstance(cause, MemoryError):
            return _MEMORY
        if isinstance(cause, OSError) and cause.errno in _OF_NUMBER:
            return _OF_NUMBER[cause.errno]
        if isinstance(cause, (ImportError, OSError)) and any(part in str(cause).lower() for part in _OF_A_LIBRARY):
            return _MEMORY
        cause = cause.__cause__ or cause.__context__
    return ""

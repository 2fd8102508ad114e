"""Loops as machine code: made once at set-up and kept beside their module, only read afterwards.

Numba's own cache tries for each function whether it may write, and writes whenever it compiles. Anonscope writes
nothing while it serves, so here code is written by ``python -m anonlib.set_up`` alone. Where there is none that fits,
it is made in memory by the first search that needs it, in some seconds.
"""

from __future__ import annotations

import hashlib
import sys
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from functools import lru_cache
from pathlib import Path
from typing import Any

import numba
from numba import njit
from numba.core.caching import CompileResultCacheImpl, FunctionCache, InTreeCacheLocator

from anonlib.basics.version import VERSION

_writing: AbstractContextManager[object] | None = None  # None where nothing is written


@contextmanager
def kept() -> Iterator[None]:
    """Within it, what is compiled is written to the folder ``__pycache__`` of its module."""
    before = _writing
    keep(nullcontext())
    try:
        yield
    finally:
        keep(before)


def keep(writing: AbstractContextManager[object] | None) -> None:
    """From now on what is compiled is written, as in :func:`kept`, and ``writing`` is held meanwhile.

    Where several processes compile, that is a lock of theirs: the list of what a loop is compiled for is one file.
    """
    global _writing
    _writing = writing


def mark_kept() -> None:
    """Note that everything was compiled and kept."""
    _marker().parent.mkdir(exist_ok=True)
    _marker().touch()


def is_kept() -> bool:
    """Whether everything was compiled and kept for this version of Anonscope, of Python and of Numba."""
    return _marker().is_file()


def _marker() -> Path:
    version = f"{VERSION}.{sys.implementation.cache_tag}.numba-{numba.__version__}"
    return Path(__file__).with_name("__pycache__") / f"compiled-{version}"


@lru_cache
def _stamp(folder: Path) -> str:
    """Of all modules beside a compiled one, and of the folder above: it may hold their numbers and functions."""
    files = [*sorted(folder.glob("*.py")), *sorted(folder.parent.glob("*.py"))]
    return hashlib.sha256(b"\0".join(file.read_bytes() for file in files)).hexdigest()


class _Beside(InTreeCacheLocator):
    def get_source_stamp(self) -> str:
        return _stamp(Path(self._py_file).parent)

    def ensure_cache_path(self) -> None:
        if _writing is not None:
            Path(self.get_cache_path()).mkdir(exist_ok=True)


class _Kept(FunctionCache):
    """Code on disk that is written in :func:`kept` only. What cannot be read, such as another version's, is no code."""

    class _impl_class(CompileResultCacheImpl):
        _locator_classes = [_Beside]  # noqa: RUF012

    def load_overload(self, sig: Any, target_context: Any) -> Any:
        try:
            return super().load_overload(sig, target_context)
        except Exception:  # unpickling may raise anything
            if _writing is not None:
                with _writing:
                    self.flush()
            return None

    def save_overload(self, sig: Any, data: Any) -> None:
        if _writing is not None:
            with _writing:
                super().save_overload(sig, data)


def compiled(function: Callable[..., Any]) -> Any:
    """The function as machine code, read from disk where it is kept there."""
    dispatcher: Any = njit(nogil=True)(function)
    dispatcher._cache = _Kept(function)  # as njit(cache=True) sets it
    return dispatcher

"""Loops as machine code: made once at set-up and kept beside their module, only read afterwards.

Numba's own cache tries for each function whether it may write, and writes whenever it compiles. Anonscope writes
nothing while it serves, so here code is written by ``python -m anonlib.set_up`` alone. Where there is none that fits,
it is made in memory by the first search that needs it, in some seconds; the app waits for it while set-up goes on.
"""

from __future__ import annotations

import glob
import hashlib
import importlib
import sys
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from functools import lru_cache, partial
from pathlib import Path
from threading import Condition
from typing import Any, NamedTuple

import numba
from numba import njit, types
from numba.core.caching import CompileResultCacheImpl, FunctionCache, InTreeCacheLocator
from numba.core.compiler_lock import global_compiler_lock

from anonlib.basics import disk
from anonlib.basics.version import VERSION

_FOLDER = Path(__file__).with_name("__pycache__")
_LOOK = 0.1  # seconds between two looks at whether a loop is compiled
_writing = False  # whether what is compiled is written


class _Waiting(NamedTuple):
    shown: Callable[[], AbstractContextManager[object]]
    still_wanted: Callable[[], object]


_waiting: _Waiting | None = None  # None where nothing is waited for


@contextmanager
def kept() -> Iterator[None]:
    """Within it, what is compiled is written to the folder ``__pycache__`` of its module."""
    before = _writing
    keep(True)
    try:
        yield
    finally:
        keep(before)


def keep(writing: bool = True) -> None:
    """From now on what is compiled is written, or is not, as in :func:`kept`."""
    global _writing
    _writing = writing


@contextmanager
def set_up_alone() -> Iterator[None]:
    """While everything is compiled, in one process at a time; others see it (:func:`is_set_up_going_on`).

    Raises
    ------
    OSError
        Where nothing can be written.
    """
    _FOLDER.mkdir(exist_ok=True)
    with disk.held(_FOLDER / "set-up.lock"):
        yield


def is_set_up_going_on() -> bool:
    """Whether another process compiles everything at this moment."""
    return disk.is_held(_FOLDER / "set-up.lock")


def wait_for_set_up(shown: Callable[[], AbstractContextManager[object]], still_wanted: Callable[[], object]) -> None:
    """From now on wait for what is not compiled yet, as long as set-up goes on, instead of compiling it here too.

    Parameters
    ----------
    shown
        Makes what a wait is within, such as a word on the page.
    still_wanted
        Called several times a second while one waits; what it raises ends the wait.
    """
    global _waiting
    _waiting = _Waiting(shown, still_wanted)


def mark_kept() -> None:
    """Note that everything was compiled and kept."""
    _FOLDER.mkdir(exist_ok=True)
    _marker().touch()


def is_kept() -> bool:
    """Whether everything was compiled and kept for this version of Anonscope, of Python and of Numba."""
    return _marker().is_file()


def _marker() -> Path:
    version = f"{VERSION}.{sys.implementation.cache_tag}.numba-{numba.__version__}"
    return _FOLDER / f"compiled-{version}"


@lru_cache
def _stamp(folder: Path) -> str:
    """Of all modules beside a compiled one, and of the folder above: it may hold their numbers and functions."""
    files = [*sorted(folder.glob("*.py")), *sorted(folder.parent.glob("*.py"))]
    return hashlib.sha256(b"\0".join(file.read_bytes() for file in files)).hexdigest()


class _Beside(InTreeCacheLocator):
    def get_source_stamp(self) -> str:
        return _stamp(Path(self._py_file).parent)

    def ensure_cache_path(self) -> None:
        if _writing:
            Path(self.get_cache_path()).mkdir(exist_ok=True)


_others = Condition(global_compiler_lock._lock)
"""Threads that load or compile, which one that waits lets go on; all of it is within this lock of Numba's."""


class _Kept(FunctionCache):
    """Code on disk that is written in :func:`kept` only. What cannot be read, such as another version's, is no code."""

    def __init__(self, dispatcher: Any) -> None:
        super().__init__(dispatcher.py_func)
        self._dispatcher = dispatcher

    class _impl_class(CompileResultCacheImpl):
        _locator_classes = [_Beside]  # noqa: RUF012

    def kept(self) -> list[Any]:
        """The types of arguments for which code is kept that this processor can run."""
        processor = self._dispatcher.targetctx.codegen()
        return [key[0] for key in self._cache_file._load_index() if key == self._index_key(key[0], processor)]

    def load_overload(self, sig: Any, target_context: Any) -> Any:
        """What is kept, waited for where set-up is still to write it; None where there is nothing that fits."""
        global _waiting
        code = self._read(sig, target_context)
        if code is not None or _writing or _waiting is None:
            return code
        if is_set_up_going_on():
            with _waiting.shown():
                code = self._wait(sig, target_context, _waiting.still_wanted)
        else:
            code = self._read(sig, target_context)  # set-up may have ended since
        if code is None:
            _waiting = None  # what set-up does not write is compiled here, and what it calls with it
        return code

    def _wait(self, sig: Any, target_context: Any, still_wanted: Callable[[], object]) -> Any:
        """Wait until it is written, or set-up has ended; other threads can load what they need meanwhile."""
        going_on, code = True, None
        while code is None and going_on:
            _others.wait(_LOOK)
            still_wanted()
            going_on = is_set_up_going_on()
            code = self._dispatcher.overloads.get(tuple(sig)) or self._read(sig, target_context)
        return code

    def _read(self, sig: Any, target_context: Any) -> Any:
        try:
            return super().load_overload(sig, target_context)
        except Exception:  # unpickling may raise anything
            if _writing:
                with self._alone():
                    self.flush()
            return None

    def save_overload(self, sig: Any, data: Any) -> None:
        """Write it: one process at a time, since the list of what a loop is compiled for is one file."""
        if _writing:
            self._impl.locator.ensure_cache_path()
            with self._alone():
                self._drop_outdated()
                super().save_overload(sig, data)

    def _alone(self) -> AbstractContextManager[None]:
        return disk.held(Path(self._cache_path) / "machine-code.lock")

    def _drop_outdated(self) -> None:
        """Remove code of an earlier source, which has the names that the new list gives to what is still to come."""
        if not self._cache_file._load_index():
            for old in Path(self._cache_path).glob(f"{glob.escape(self._impl.filename_base)}.*.nbc"):
                old.unlink(missing_ok=True)


_functions: list[Any] = []


def load() -> None:
    """Read all code that is kept, in about a second, and import the modules that it is of."""
    for module in sorted(_modules_with_code()):
        importlib.import_module(module)
    for dispatcher in _functions:
        for signature in dispatcher._cache.kept():
            dispatcher.compile(signature)


def _modules_with_code() -> set[str]:
    """The names of the library's modules of which code is kept; what is left of a module that is gone is of none."""
    library = Path(__file__).parents[1]
    names = {file.parents[1] / file.name.partition(".")[0] for file in library.rglob("__pycache__/*.nbi")}
    return {
        ".".join((library.name, *name.relative_to(library).parts))
        for name in names
        if name.with_suffix(".py").is_file()
    }


def compiled(function: Callable[..., Any], **options: Any) -> Any:
    """The function as machine code, read from disk where it is kept there."""
    dispatcher: Any = njit(nogil=True, **options)(function)
    _functions.append(dispatcher)
    dispatcher._cache = _Kept(dispatcher)  # as njit(cache=True) sets it
    dispatcher.get_call_template = partial(_without_literals, dispatcher.get_call_template)
    return dispatcher


def compiled_in_place(function: Callable[..., Any]) -> Any:
    """As :func:`compiled`, of a short loop that makes no array, nor calls one that does; copying slices makes one too.

    Numba need not count then who holds the arrays: else it does so at every call, of each array in each tuple, which
    takes longer than such a loop.
    """
    return compiled(function, _nrt=False)


def _without_literals(template: Callable[..., Any], args: tuple[Any, ...], kws: dict[str, Any]) -> Any:
    """As what a loop is called by another: with a number, not with this number, or each would be compiled for itself.

    Numba also compiles for what a variable begins with, as 0, and throws that away when it learns of what follows.
    """
    return template(tuple(map(types.unliteral, args)), {name: types.unliteral(kind) for name, kind in kws.items()})

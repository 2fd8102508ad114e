"""The one way to cache: for this session only, keyed on digests and plain parameters, in memory only, within a bound.

``st.cache_data`` by itself hashes a sample of a large frame and shares its answers between sessions; neither may
happen here. What is remembered is immutable, so it is handed out as it is and not copied.
"""

from __future__ import annotations

import inspect
import sys
from collections.abc import Callable, Hashable, Mapping
from contextlib import nullcontext
from dataclasses import fields, is_dataclass
from enum import Enum
from functools import cached_property, partial
from hashlib import sha256
from importlib import import_module
from typing import Any, Generic, ParamSpec, Protocol, TypeVar

import numpy as np
import streamlit as st

from anonlib.basics.progress import Progress, nobody
from anonlib.basics.stores import Store
from ui.session import away
from ui.session.memory import Call, Memory, forget, is_of_a_job, memory

__all__ = [
    "Keyed", "Memory", "Remembered", "digest", "forget", "memory", "remembered", "version", "waited_for",
]  # fmt: skip
P = ParamSpec("P")
T = TypeVar("T")
MANY, _LARGE = 10_000, 100_000
"""Records, from which on what takes seconds, and a moment, is computed away from the page."""


class Keyed(Protocol):
    """Anything that names its content by a digest: a data set, a recipe, a question."""

    @property
    def key(self) -> str: ...


class Remembered(Generic[P, T]):
    """A function whose answers a session holds: a call looks the answer up, and computes what is not held.

    What is passed by place are the inputs, which enter the key by their ``key``. What is passed by name are parameters,
    which must be plain values: numbers, texts, and tuples, mappings and frozen dataclasses of them, or TypeError is
    raised. ``progress`` is handed on, and no part of the key.

    Attributes
    ----------
    compute : the function itself, which remembers nothing.
    """

    def __init__(self, compute: Callable[P, T], of: str, doing: str = "", away_from: int = _LARGE) -> None:
        self.compute, self._of, self._doing, self._away_from = compute, of, doing, away_from
        self._name = f"{compute.__module__}.{compute.__qualname__}"
        if compute.__module__ == "__main__" or "<" in compute.__qualname__:
            raise TypeError(f"{self._name} cannot be cached: another function could have the same name")

    def __reduce__(self) -> tuple[Any, ...]:
        """By its name, or as another one of the same function: what it holds is the session's."""
        module, name = self.compute.__module__, self.compute.__qualname__
        if _named(sys.modules.get(module), name) is self:
            return _of_module, (module, name)
        return Remembered, (self.compute, self._of, self._doing, self._away_from)

    def __call__(self, *inputs: P.args, **parameters: P.kwargs) -> T:
        key = self._key(inputs, parameters)
        compute = partial(self.compute, *inputs, **parameters)
        if not self._doing or is_of_a_job() or self._store.held(key) is not None:
            return self._store.get(key, compute, inputs)
        with nullcontext() if "progress" in parameters else st.spinner(self._doing):
            if max((getattr(value, "n_records", 0) for value in inputs), default=0) >= self._away_from:
                progress: Any = parameters.pop("progress", nobody)
                compute = partial(away.compute, partial(_plainly, self, inputs, parameters), progress)
            return self._store.get(key, compute, inputs)

    def work(self, *inputs: Any, **parameters: Any) -> Call[T]:
        """A call that is made later, with progress where the function takes it, and away from the page.

        Where it is held (:meth:`ui.session.memory.Call.held`) nothing is begun for it.
        """
        return Call(partial(_plainly, self, inputs, parameters), self._of, self._key(inputs, parameters), inputs)

    @cached_property
    def takes_progress(self) -> bool:
        """Whether the function says how far it is."""
        return "progress" in inspect.signature(self.compute).parameters

    def held(self, *inputs: Keyed | None, **parameters: Any) -> T | None:
        """What a call would give, where it was computed before; else None."""
        return self._store.held(self._key(inputs, parameters))

    def keep(self, value: T, *inputs: Keyed | None, **parameters: Any) -> None:
        """Hold what was computed elsewhere as what a call gives."""
        self._store.get(self._key(inputs, parameters), lambda: value, inputs)

    @property
    def _store(self) -> Store:
        return getattr(memory(), self._of)

    def _key(self, inputs: tuple[Any, ...], parameters: Mapping[str, Any]) -> Hashable:
        keys = tuple("" if value is None else value.key for value in inputs)
        named = [(name, _plain(parameters[name])) for name in sorted(parameters) if name != "progress"]
        return self._name, keys, repr(named)


def remembered(compute: Callable[P, T], /) -> Remembered[P, T]:
    """Let a session hold the answers of a function of inputs and parameters, each computed once (:class:`Remembered`).

    Raises TypeError for a function that has no name of its own, such as a lambda or one of a page's script (which are
    all in the module ``__main__``).
    """
    return Remembered(compute, "answers")


def waited_for(doing: str, away_from: int = _LARGE) -> Callable[[Callable[P, T]], Remembered[P, T]]:
    """As :func:`remembered`, of what takes a second or two: the page shows in words what it does.

    Of so many records as ``away_from`` it is computed away from the page; 0: always.
    Called with ``progress`` it shows nothing. It ends early where the function looks whether somebody waits for it
    (:func:`ui.session.long_work.let_go`).
    """
    return lambda compute: Remembered(compute, "answers", doing, away_from)


def version(compute: Callable[P, T], /) -> Remembered[P, T]:
    """As :func:`remembered`, for a version of the data: a frame as prepared or released, of which few can be held."""
    return Remembered(compute, "versions")


def digest(*values: object) -> str:
    """Names plain values, as parameters of what is :func:`remembered`: the same text for the same values."""
    return sha256(repr([_plain(value) for value in values]).encode(errors="surrogatepass")).hexdigest()


def _plainly(of: Remembered[..., T], inputs: tuple[Any, ...], parameters: Mapping[str, Any], progress: Progress) -> T:
    """What a function computes, without looking whether it is held."""
    return of.compute(*inputs, **parameters, **({"progress": progress} if of.takes_progress else {}))


def _of_module(module: str, name: str) -> Any:
    """What is of this name in a module."""
    return _named(import_module(module), name)


def _named(whole: Any, name: str) -> Any:
    for part in name.split("."):
        whole = getattr(whole, part, None)
    return whole


def _plain(value: object) -> object:
    """A plain value as one whose ``repr`` tells it from every other."""
    if value is None or isinstance(value, bool | int | float | str | bytes | np.generic):
        return value
    if isinstance(value, Enum):
        return type(value).__qualname__, value.name
    if isinstance(value, tuple | list):
        return type(value).__name__, [_plain(item) for item in value]
    if isinstance(value, Mapping):
        return "dict", [(_plain(key), _plain(item)) for key, item in value.items()]
    if isinstance(value, set | frozenset):
        return "set", sorted(repr(_plain(item)) for item in value)
    if is_dataclass(value) and not isinstance(value, type) and type(value).__dataclass_params__.frozen:  # type: ignore[attr-defined]  # not in the stubs
        if "key" in dir(value):
            return type(value).__qualname__, value.key  # type: ignore[attr-defined]  # looked for above
        return type(value).__qualname__, [_plain(getattr(value, attribute.name)) for attribute in fields(value)]
    raise TypeError(f"a {type(value).__name__} is not a plain value: it cannot be part of a key")

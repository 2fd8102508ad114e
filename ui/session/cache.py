"""The one way to cache: for this session only, keyed on digests and plain parameters, in memory only, within a bound.

``st.cache_data`` by itself hashes a sample of a large frame and shares its answers between sessions; neither may
happen here. What is remembered is immutable, so it is handed out as it is and not copied.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping
from contextlib import nullcontext
from dataclasses import dataclass, field, fields, is_dataclass
from enum import Enum
from hashlib import sha256
from typing import Any, Generic, ParamSpec, Protocol, TypeVar

import numpy as np
import streamlit as st

from anonlib.basics.stores import Store
from ui.server.private import get_script_run_ctx

P = ParamSpec("P")
T = TypeVar("T")
VERSIONS = 1 << 30  # bytes of versions of the data: few and large
ANSWERS = 1 << 29  # bytes of answers: many and small
_KEY = "anonscope-memory"


class Keyed(Protocol):
    """Anything that names its content by a digest: a data set, a recipe, a question."""

    @property
    def key(self) -> str: ...


@dataclass
class Memory:
    """What a session computed: dropped as a whole with the data it was computed from."""

    versions: Store = field(default_factory=lambda: Store(VERSIONS))
    answers: Store = field(default_factory=lambda: Store(ANSWERS))
    view: Any = None  # the latest view of the session (ui/session/view.py)
    work: Any = None  # how far long work is (ui/session/long_work.py)
    stopped: set[str] = field(default_factory=set)  # verdicts that are not counted before they are asked for again
    takes_long: set[str] = field(default_factory=set)  # searches for which a page does not wait


def memory() -> Memory:
    """What this session computed so far."""
    if get_script_run_ctx(suppress_warning=True) is None:
        # Streamlit makes a download outside all sessions, where it would hand out one state for everybody.
        raise RuntimeError("There is no session here: what is downloaded is made of what it was given.")
    held = st.session_state.get(_KEY)  # looked up hundreds of times in a run, once each
    if held is None:
        held = st.session_state[_KEY] = Memory()
    return held


class Remembered(Generic[P, T]):
    """A function whose answers a session holds: a call looks the answer up, and computes what is not held.

    What is passed by place are the inputs, which enter the key by their ``key``. What is passed by name are parameters,
    which must be plain values: numbers, texts, and tuples, mappings and frozen dataclasses of them, or TypeError is
    raised. ``progress`` is handed on, and no part of the key.

    Attributes
    ----------
    compute : the function itself, which remembers nothing.
    """

    def __init__(self, compute: Callable[P, T], of: str, doing: str = "") -> None:
        self.compute, self._of, self._doing = compute, of, doing
        self._name = f"{compute.__module__}.{compute.__qualname__}"
        if compute.__module__ == "__main__" or "<" in compute.__qualname__:
            raise TypeError(f"{self._name} cannot be cached: another function could have the same name")

    def __call__(self, *inputs: P.args, **parameters: P.kwargs) -> T:
        key = self._key(inputs, parameters)
        is_shown = self._doing and "progress" not in parameters and self._store.held(key) is None
        with st.spinner(self._doing) if is_shown else nullcontext():
            return self._store.get(key, lambda: self.compute(*inputs, **parameters), inputs)

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


def waited_for(doing: str) -> Callable[[Callable[P, T]], Remembered[P, T]]:
    """As :func:`remembered`, of what takes a second or two: the page shows in words what it does.

    Called with ``progress`` it shows nothing. It ends early where the function looks whether somebody waits for it
    (:func:`ui.session.long_work.let_go`).
    """
    return lambda compute: Remembered(compute, "answers", doing)


def version(compute: Callable[P, T], /) -> Remembered[P, T]:
    """As :func:`remembered`, for a version of the data: a frame as prepared or released, of which few can be held."""
    return Remembered(compute, "versions")


def digest(*values: object) -> str:
    """Names plain values, as parameters of what is :func:`remembered`: the same text for the same values."""
    return sha256(repr([_plain(value) for value in values]).encode(errors="surrogatepass")).hexdigest()


def forget() -> None:
    """Drop everything this session computed."""
    st.session_state[_KEY] = Memory()


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

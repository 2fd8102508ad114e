"""The one way to cache: for this session only, keyed on digests and plain parameters, in memory only, within a bound.

``st.cache_data`` by itself hashes a sample of a large frame and shares its answers between sessions; neither may
happen here. What is remembered is immutable, so it is handed out as it is and not copied.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping
from dataclasses import dataclass, field, fields, is_dataclass
from enum import Enum
from hashlib import sha256
from typing import Any, Protocol, TypeVar

import numpy as np
import streamlit as st

from anonlib.basics.progress import Progress
from anonlib.basics.stores import Store
from ui.server.private import get_script_run_ctx

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


def remember(compute: Callable[..., T], *inputs: Keyed | None, progress: Progress | None = None, **parameters) -> T:
    """``compute(*inputs, **parameters)``, computed once a session for the same inputs and parameters.

    ``progress``, which gets the share done, is handed on where it is given, and no part of the key.

    Inputs enter the key by their ``key``; parameters must be plain values: numbers, texts, and tuples, mappings and
    frozen dataclasses of them. Raises TypeError for others, and for a function that has no name of its own, such as a
    lambda or one of a page's script (which are all in the module ``__main__``).
    """
    also = {} if progress is None else {"progress": progress}
    key = _key(compute, inputs, parameters)
    return memory().answers.get(key, lambda: compute(*inputs, **parameters, **also), inputs)


def remembered(compute: Callable[..., T], *inputs: Keyed | None, **parameters) -> T | None:
    """What :func:`remember` would give, where it was computed before; else None."""
    return memory().answers.held(_key(compute, inputs, parameters))


def keep(value: object, compute: Callable, *inputs: Keyed | None, **parameters) -> None:
    """Remember a value that was computed elsewhere, with progress, as that of :func:`remember`."""
    memory().answers.get(_key(compute, inputs, parameters), lambda: value, inputs)


def version(compute: Callable[..., T], *inputs: Keyed | None, **parameters) -> T:
    """As :func:`remember`, for a version of the data: a frame as prepared or released, of which few can be held."""
    return memory().versions.get(_key(compute, inputs, parameters), lambda: compute(*inputs, **parameters), inputs)


def digest(*values: object) -> str:
    """Names plain values, as parameters of :func:`remember`: the same text for the same values."""
    return sha256(repr([_plain(value) for value in values]).encode(errors="surrogatepass")).hexdigest()


def forget() -> None:
    """Drop everything this session computed."""
    st.session_state[_KEY] = Memory()


def _key(compute: Callable, inputs: tuple[Keyed | None, ...], parameters: dict[str, Any]) -> Hashable:
    name = f"{compute.__module__}.{compute.__qualname__}"
    if compute.__module__ == "__main__" or "<" in compute.__qualname__:
        raise TypeError(f"{name} cannot be cached: another function could have the same name")
    keys = tuple("" if value is None else value.key for value in inputs)
    return name, keys, repr([(each, _plain(parameters[each])) for each in sorted(parameters)])


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
        return type(value).__qualname__, [_plain(getattr(value, each.name)) for each in fields(value)]
    raise TypeError(f"a {type(value).__name__} is not a plain value: it cannot be part of a key")

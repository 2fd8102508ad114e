"""The one way to cache: for this session only, keyed on digests and parameters, kept in memory only.

``st.cache_data`` by itself hashes a sample of a large frame and shares its answers between sessions; neither may
happen here. What is remembered is immutable, so it is handed out as it is and not copied.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol, TypeVar

import streamlit as st

T = TypeVar("T")


class Keyed(Protocol):
    """Anything that names its content: a data set by its digest, a recipe by its JSON."""

    @property
    def key(self) -> str: ...


def remember(compute: Callable[..., T], *inputs: Keyed | None, **parameters) -> T:
    """``compute(*inputs, **parameters)``, computed once a session for the same inputs and parameters.

    Inputs enter the key by their ``key``; parameters must be plain values.
    """
    name = f"{compute.__module__}.{compute.__qualname__}"
    keys = tuple("" if value is None else value.key for value in inputs)
    return _remembered(name, keys, repr(sorted(parameters.items())), compute, inputs, parameters)


def forget() -> None:
    """Drop everything this session remembers."""
    _remembered.clear()


@st.cache_resource(scope="session", show_spinner=False, max_entries=100)
def _remembered(name: str, keys: tuple, parameters_key: str, _compute, _inputs, _parameters):
    return _compute(*_inputs, **_parameters)

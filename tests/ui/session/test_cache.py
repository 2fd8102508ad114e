"""The session cache: the same content gives the same answer, any other content its own, and nobody else's."""

from __future__ import annotations

import gc
import weakref
from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
import pandas as pd
import pytest
import streamlit as st

from anonlib.basics.stores import Store
from anonlib.coarsening.recoding import Mask
from anonlib.columns.roles import Role
from anonlib.counting.classes import ClassTable
from anonlib.dataset import Dataset
from anonlib.release.recipe import Recipe
from anonlib.release.steps import LeaveOut, Recode
from tests.helpers.app import within
from ui.session import cache
from ui.session.cache import Memory
from ui.session.state import Session

MANY = 60_000  # Streamlit hashes a sample of a frame of more than 50,000 rows
CHANGED_ROWS = range(5, MANY, MANY // 8)


@pytest.fixture
def memory(monkeypatch: pytest.MonkeyPatch) -> Memory:
    """What a session remembers, which has computed nothing yet."""
    held = Memory()
    monkeypatch.setattr(cache, "memory", lambda: held)
    return held


def a_frame() -> pd.DataFrame:
    return pd.DataFrame({"zip": [f"{i % 1000:05d}" for i in range(MANY)], "sex": ["FM"[i % 2] for i in range(MANY)]})


@lru_cache
def frames_that_differ_in_one_cell() -> list[pd.DataFrame]:
    """A frame, and others in each of which one row has a value that no other row has."""
    frames = [a_frame()]
    for row in CHANGED_ROWS:
        changed = a_frame()
        changed.loc[row, "zip"] = "99999"
        frames.append(changed)
    return frames


@lru_cache
def data_sets_that_differ_in_one_cell() -> list[Dataset]:
    return [Dataset.from_frame(frame) for frame in frames_that_differ_in_one_cell()]


@cache.remembered
def unique_records(dataset: Dataset) -> list[int]:
    """Rows whose class has one record: what must differ between the frames above."""
    sizes = dataset.classes(["zip", "sex"]).size_of_record
    return [int(row) for row in (sizes == 1).nonzero()[0]]


def test_large_data_sets_that_differ_in_one_cell_get_their_own_answers(memory: Memory):
    answers = [unique_records(data) for data in data_sets_that_differ_in_one_cell()]
    assert answers == [[], *([row] for row in CHANGED_ROWS)]


def test_streamlit_by_itself_would_mix_such_data_sets_up():
    """Why the cache is keyed on digests. Should this fail, Streamlit hashes whole frames now: read the cache again."""

    @st.cache_data
    def unique_in_frame(frame: pd.DataFrame) -> list[int]:
        sizes = ClassTable.from_frame(frame).size_of_record
        return [int(row) for row in (sizes == 1).nonzero()[0]]

    unique_in_frame.clear()
    answers = [unique_in_frame(frame) for frame in frames_that_differ_in_one_cell()]
    unique_in_frame.clear()
    assert answers != [[], *([row] for row in CHANGED_ROWS)]


def test_the_key_is_the_digest_of_every_cell():
    keys = {data.key for data in data_sets_that_differ_in_one_cell()}
    assert len(keys) == 1 + len(CHANGED_ROWS)
    assert Dataset.from_frame(a_frame()).key in keys


class Named:
    """An input with a key, and a count of how often it was computed with."""

    def __init__(self, key: str) -> None:
        self.key = key
        self.times = 0


@cache.remembered
def compute(*inputs: Named | None, **parameters) -> list:
    """A new list each time it runs, so that one that was remembered is recognised."""
    for value in inputs:
        if value is not None:
            value.times += 1
    return [[None if value is None else value.key for value in inputs], parameters]


@cache.remembered
def compute_otherwise(*inputs: Named | None, **parameters) -> list:
    return ["otherwise", *compute.compute(*inputs, **parameters)]


# ---- whose answers, and to which question ----------------------------------------------------------------------------


def test_a_session_computes_once_and_gets_the_very_same_answer_and_no_other_session_does():
    named, mine, theirs = Named("a"), Session(), Session()

    def ask_twice() -> tuple[list, list]:
        return compute(named, k=5), compute(named, k=5)

    first, again = within(mine, ask_twice)
    assert first is again and named.times == 1
    other, _ = within(theirs, ask_twice)
    assert other == first and other is not first and named.times == 2, "each session computed for itself"


def test_outside_a_session_nothing_is_remembered():
    with pytest.raises(RuntimeError, match="no session"):
        compute(Named("a"))


@dataclass(frozen=True)
class Question:
    column: str
    sizes: tuple[int, ...] = ()


@pytest.mark.parametrize("remember", [cache.remembered, cache.version])
def test_every_part_of_the_question_counts(remember: Callable, memory: Memory):
    """Input, order of inputs, an input that is absent, parameter, type of parameter and what is computed."""
    a, b = Named("a"), Named("b")
    questions = [
        (compute, (a,), {"k": 5}),
        (compute, (b,), {"k": 5}),
        (compute, (a, b), {"k": 5}),
        (compute, (b, a), {"k": 5}),
        (compute, (Named("ab"),), {"k": 5}),
        (compute, (a, None), {"k": 5}),
        (compute, (None, a), {"k": 5}),
        (compute, (a,), {"k": 6}),
        (compute, (a,), {"k": "5"}),
        (compute, (a,), {"k": 5.0}),
        (compute, (a,), {"k": True}),
        (compute, (a,), {"k": None}),
        (compute, (a,), {"k": (5,)}),
        (compute, (a,), {"k": [5]}),
        (compute, (a,), {"k": ((5,),)}),
        (compute, (a,), {"k": {5}}),
        (compute, (a,), {"k": {5: 5}}),
        (compute, (a,), {"k": Role.OTHER}),
        (compute, (a,), {"k": Role.SENSITIVE}),
        (compute, (a,), {"k": str(Role.SENSITIVE)}),
        (compute, (a,), {"k": Question("age")}),
        (compute, (a,), {"k": Question("age", (1,))}),
        (compute, (a,), {"k": Recipe.of([LeaveOut(5)])}),
        (compute, (a,), {"k": Recipe.of([LeaveOut(6)])}),
        (compute, (a,), {"k": 5, "threshold": 0.2}),
        (compute, (a,), {"k": 5, "threshold": 0.20000001}),
        (compute, (a,), {}),
        (compute_otherwise, (a,), {"k": 5}),
    ]
    ask = {what: remember(what.compute) for what in (compute, compute_otherwise)}
    answers = [ask[what](*inputs, **parameters) for what, inputs, parameters in questions]
    assert answers == [what.compute(*inputs, **parameters) for what, inputs, parameters in questions]
    again = [ask[what](*inputs, **parameters) for what, inputs, parameters in questions]
    assert all(first is second for first, second in zip(answers, again, strict=True))


def test_the_order_in_which_parameters_and_members_are_written_does_not_count(memory: Memory):
    named = Named("a")
    first = compute(named, k=5, roles={"zip", "age", "sex"})
    assert compute(named, roles={"sex", "age", "zip"}, k=5) is first


def local_function() -> Callable:
    def inner(*inputs: Named) -> None:
        raise AssertionError("not to be called")

    return inner


def of_a_page() -> None:
    """As a function of a page's script, which Streamlit runs as the module ``__main__``."""


of_a_page.__module__ = "__main__"


@pytest.mark.parametrize("nameless", [lambda *inputs: None, local_function(), of_a_page])
def test_a_function_that_another_could_be_taken_for_is_refused(nameless: Callable, memory: Memory):
    for remember in (cache.remembered, cache.version):
        with pytest.raises(TypeError, match="cannot be cached"):
            remember(nameless)


@dataclass
class NotFrozen:
    column: str = "age"


@pytest.mark.parametrize(
    "parameter",
    [pd.DataFrame({"a": [1]}), np.arange(3), NotFrozen(), object(), len, (1, [NotFrozen()]), {"k": object()}],
    ids=["frame", "array", "not frozen", "object", "function", "in a list", "in a mapping"],
)
def test_a_parameter_that_is_not_plain_is_refused(parameter: object, memory: Memory):
    with pytest.raises(TypeError, match="not a plain value"):
        compute(Named("a"), k=parameter)


@pytest.mark.parametrize("unnamed", [pd.DataFrame({"a": [1]}), [1, 2], "text", 7])
def test_an_input_that_does_not_name_its_content_is_refused(unnamed: object, memory: Memory):
    with pytest.raises(AttributeError):
        compute(unnamed)


_fails: list[bool] = []


@cache.remembered
def fail_first(_: Named) -> str:
    if _fails.pop():
        raise ValueError
    return "done"


def test_a_failure_is_not_remembered(memory: Memory):
    _fails[:] = [False, True]
    with pytest.raises(ValueError):
        fail_first(Named("a"))
    assert fail_first(Named("a")) == "done"


class Answer:
    pass


@cache.remembered
def answer(_: Named) -> Answer:
    return Answer()


def test_what_is_forgotten_is_no_longer_held_and_another_session_keeps_its_own():
    def remembered() -> Answer:
        return answer(Named("a"))

    def forgotten() -> tuple[weakref.ref, bool]:
        held = weakref.ref(answer(Named("a")))
        was_held = held() is not None
        cache.forget()
        return held, was_held

    theirs = Session()
    kept = within(theirs, remembered)
    held, was_held = within(Session(), forgotten)
    gc.collect()
    assert was_held and held() is None and kept is not None


# ---- how much is held ------------------------------------------------------------------------------------------------


def block(size: int) -> np.ndarray:
    return np.zeros(size, np.uint8)


def test_what_others_hold_is_not_counted_to_a_value():
    store, shared = Store(100_000), block(90_000)
    store.get("a", lambda: (shared, block(5_000)), (shared,))
    assert store.size < 20_000
    store.get("b", lambda: (shared, block(5_000)))
    assert store.size > 90_000


def test_thirty_versions_tried_do_not_stay(monkeypatch: pytest.MonkeyPatch):
    """As in the step builder: each value of a slider releases the data anew."""
    memory = Memory(versions=Store(3_000_000))
    monkeypatch.setattr(cache, "memory", lambda: memory)
    data = Dataset.from_frame(a_frame(), roles={"zip": Role.QUASI_IDENTIFIER})
    held = []
    for k in range(2, 32):
        released = cache.version(Recipe.apply)(Recipe.of([Recode("zip", Mask(3)), LeaveOut(k)]), data)
        held.append(weakref.ref(released))
        assert memory.versions.size <= 3_000_000
    del released
    gc.collect()
    left = sum(reference() is not None for reference in held)
    assert 1 <= left == len(memory.versions) < 25
    assert held[-1]() is not None and not len(memory.answers), "versions push no answer out"

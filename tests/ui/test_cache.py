"""The session cache: the same content gives the same answer, any other content its own, and nobody else's."""

from __future__ import annotations

from collections.abc import Iterator

import pandas as pd
import pytest
import streamlit as st
from streamlit.testing.v1 import AppTest

from anonlib.classes import ClassTable
from anonlib.dataset import Dataset
from ui import cache

MANY = 60_000  # Streamlit hashes a sample of a frame of more than 50,000 rows
CHANGED_ROWS = range(5, MANY, MANY // 8)


@pytest.fixture(autouse=True)
def _empty_cache() -> Iterator[None]:
    st.cache_data.clear()
    st.cache_resource.clear()
    yield
    st.cache_data.clear()
    st.cache_resource.clear()


def a_frame() -> pd.DataFrame:
    return pd.DataFrame({"zip": [f"{i % 1000:05d}" for i in range(MANY)], "sex": ["FM"[i % 2] for i in range(MANY)]})


def frames_that_differ_in_one_cell() -> list[pd.DataFrame]:
    """A frame, and others in each of which one row has a value that no other row has."""
    frames = [a_frame()]
    for row in CHANGED_ROWS:
        changed = a_frame()
        changed.loc[row, "zip"] = "99999"
        frames.append(changed)
    return frames


def unique_records(dataset: Dataset) -> list[int]:
    """Rows whose class has one record: what must differ between the frames above."""
    sizes = dataset.classes(["zip", "sex"]).size_of_record
    return [int(row) for row in (sizes == 1).nonzero()[0]]


def test_large_data_sets_that_differ_in_one_cell_get_their_own_answers():
    def session(answers: list) -> None:
        from anonlib.dataset import Dataset
        from tests.ui.test_cache import frames_that_differ_in_one_cell, unique_records
        from ui import cache

        for frame in frames_that_differ_in_one_cell():
            answers.append(cache.remember(unique_records, Dataset.from_frame(frame)))

    answers: list[list[int]] = []
    run(AppTest.from_function(session, args=(answers,), default_timeout=60))
    assert answers == [[], *([row] for row in CHANGED_ROWS)]


def test_streamlit_by_itself_would_mix_such_data_sets_up():
    """Why the cache is keyed on digests. Should this fail, Streamlit hashes whole frames now: read the cache again."""

    @st.cache_data
    def unique_in_frame(frame: pd.DataFrame) -> list[int]:
        sizes = ClassTable.from_frame(frame).size_of_record
        return [int(row) for row in (sizes == 1).nonzero()[0]]

    answers = [unique_in_frame(frame) for frame in frames_that_differ_in_one_cell()]
    assert answers != [[], *([row] for row in CHANGED_ROWS)]


def test_the_key_is_the_digest_of_every_cell():
    keys = {Dataset.from_frame(frame).key for frame in frames_that_differ_in_one_cell()}
    assert len(keys) == 1 + len(CHANGED_ROWS)
    assert Dataset.from_frame(a_frame()).key in keys


class Named:
    """An input with a key, and a count of how often it was computed with."""

    def __init__(self, key: str, calls: list) -> None:
        self.key = key
        self.calls = calls


def compute(*inputs: Named | None, **parameters) -> list:
    """A new list each time it runs, so that one that was remembered is recognised."""
    for value in inputs:
        if value is not None:
            value.calls.append((value.key, parameters))
    return [[None if value is None else value.key for value in inputs], parameters]


def compute_otherwise(*inputs: Named | None, **parameters) -> list:
    return ["otherwise", *compute(*inputs, **parameters)]


def as_session(session_id: str, work: list) -> None:
    """A script that calls ``remember`` (or ``forget``) as a session of this id would.

    ``work`` holds (what, inputs, parameters) and gets the answers appended.
    """
    from streamlit.runtime.scriptrunner import get_script_run_ctx

    from ui import cache

    get_script_run_ctx().session_id = session_id  # AppTest gives every session the same one
    for what, inputs, parameters, answers in work:
        answers.append(cache.forget() if what is None else cache.remember(what, *inputs, **parameters))


def run(app: AppTest) -> None:
    app.run()
    assert not app.exception, app.exception[0].message


def remember_in(session_id: str, what, *inputs, **parameters):
    answers: list = []
    run(AppTest.from_function(as_session, args=(session_id, [(what, inputs, parameters, answers)]), default_timeout=30))
    return answers[0]


def test_a_session_computes_once_and_gets_the_very_same_answer():
    calls: list = []
    first = remember_in("one", compute, Named("a", calls), k=5)
    again = remember_in("one", compute, Named("a", calls), k=5)
    assert first is again and len(calls) == 1


def test_two_sessions_never_share():
    calls: list = []
    mine = remember_in("one", compute, Named("a", calls), k=5)
    theirs = remember_in("another", compute, Named("a", calls), k=5)
    assert mine == theirs and mine is not theirs
    assert len(calls) == 2, "each session computed for itself"


def test_every_part_of_the_question_counts():
    """Input, order of inputs, an input that is absent, parameter, type of parameter and what is computed."""
    calls: list = []
    a, b = Named("a", calls), Named("b", calls)
    questions = [
        (compute, (a,), {"k": 5}),
        (compute, (b,), {"k": 5}),
        (compute, (a, b), {"k": 5}),
        (compute, (b, a), {"k": 5}),
        (compute, (Named("ab", calls),), {"k": 5}),
        (compute, (a, None), {"k": 5}),
        (compute, (None, a), {"k": 5}),
        (compute, (a,), {"k": 6}),
        (compute, (a,), {"k": "5"}),
        (compute, (a,), {"k": 5, "threshold": 0.2}),
        (compute, (a,), {"k": 5, "threshold": 0.20000001}),
        (compute, (a,), {}),
        (compute_otherwise, (a,), {"k": 5}),
    ]
    for _ in range(2):
        for what, inputs, parameters in questions:
            assert remember_in("one", what, *inputs, **parameters) == what(*inputs, **parameters)


def test_the_order_in_which_parameters_are_written_does_not_count():
    calls: list = []
    first = remember_in("one", compute, Named("a", calls), k=5, threshold=0.2)
    assert remember_in("one", compute, Named("a", calls), threshold=0.2, k=5) is first


def test_forget_drops_everything_of_this_session_and_of_no_other():
    calls: list = []
    mine = remember_in("one", compute, Named("a", calls))
    theirs = remember_in("another", compute, Named("a", calls))
    remember_in("one", None)
    assert remember_in("one", compute, Named("a", calls)) is not mine
    assert remember_in("another", compute, Named("a", calls)) is theirs


def test_what_is_forgotten_is_no_longer_held():
    import gc
    import weakref

    class Answer:
        pass

    held: list = []

    def make(_: Named) -> Answer:
        answer = Answer()
        held.append(weakref.ref(answer))
        return answer

    remember_in("one", make, Named("a", []))
    assert held[0]() is not None
    remember_in("one", None)
    gc.collect()
    assert held[0]() is None


@pytest.mark.parametrize("unnamed", [pd.DataFrame({"a": [1]}), [1, 2], "text", 7])
def test_an_input_that_does_not_name_its_content_is_refused(unnamed):
    with pytest.raises(AttributeError):
        cache.remember(compute, unnamed)


def test_a_failure_is_not_remembered():
    attempts: list = []

    def fail_first(_: Named) -> str:
        attempts.append(1)
        if len(attempts) == 1:
            raise ValueError
        return "done"

    assert remember_in("one", lambda _: None, Named("x", [])) is None
    app = AppTest.from_function(as_session, args=("one", [(fail_first, (Named("a", []),), {}, [])]))
    assert app.run().exception
    assert remember_in("one", fail_first, Named("a", [])) == "done"

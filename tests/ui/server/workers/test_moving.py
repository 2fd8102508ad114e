"""What moves between processes: all of it comes to be again, and what both sides hold stays one."""

from __future__ import annotations

import threading
from dataclasses import dataclass
from functools import lru_cache, partial
from types import MappingProxyType
from typing import Any

import numpy as np
import pandas as pd
import pytest

from anonlib.analyses.generalization import WholeClasses, solve
from anonlib.basics.errors import InputError
from anonlib.basics.stores import Store
from anonlib.coarsening.hierarchies import intervals
from anonlib.columns.roles import Role
from anonlib.counting.classes.database import TooManyClasses
from anonlib.counting.privacy_models import KAnonymity
from anonlib.dataset import Dataset
from anonlib.filing.project import LoadedTable
from tests.helpers.app import visits
from tests.helpers.records import InDuckDB
from ui.server.workers.moving import KnownToBoth, Stays, packed, unpacked

LARGE = np.arange(100_000)


def moved(value: Any, here: KnownToBoth, there: KnownToBoth, *, adds: bool = True, copies: bool = False) -> Any:
    parcel = packed(value, here, adds=adds)
    return unpacked(memoryview(bytearray(parcel.in_one())), there, adds=adds, copies=copies)


def to_and_fro(value: Any) -> Any:
    here, there = KnownToBoth(), KnownToBoth()
    return moved(moved(value, here, there), there, here, adds=False, copies=True)


@dataclass(frozen=True)
class Held:
    inputs: tuple[Any, ...]
    number: int


@pytest.fixture(scope="module")
def data() -> Dataset:
    frame = pd.DataFrame({"age": [str(i % 90) for i in range(5_000)], "sex": ["FM"[i % 2] for i in range(5_000)]})
    return Dataset.from_frame(frame, roles={"age": Role.QUASI_IDENTIFIER})


@pytest.mark.parametrize("copies", [False, True])
def test_arrays_are_what_they_were_also_those_that_nobody_may_change(copies: bool) -> None:
    fixed = LARGE.copy()
    fixed.flags.writeable = False
    given = [
        LARGE,
        fixed,
        LARGE[::2],
        LARGE.reshape(100, 1_000).T,
        np.zeros(0),
        np.array(["a", None], object),
        LARGE[:3],
    ]
    back = moved(given, KnownToBoth(), KnownToBoth(), copies=copies)
    for before, after in zip(given, back, strict=True):
        assert before.dtype == after.dtype and before.shape == after.shape
        assert (before == after).all() and before.flags.writeable == after.flags.writeable
        assert after.flags.aligned
        if before.flags.contiguous:
            assert (before.flags.c_contiguous, before.flags.f_contiguous) == (
                after.flags.c_contiguous,
                after.flags.f_contiguous,
            )
    back[0][0] = 7
    assert LARGE[0] == 0


def test_what_was_given_comes_back_as_itself(data: Dataset) -> None:
    """Within an answer too, and again at the second question."""
    here, there = KnownToBoth(), KnownToBoth()
    sent = moved(Held((data, LARGE), 1), here, there)
    assert sent.inputs[0] is not data and sent.inputs[0].key == data.key
    again = moved(Held((data, data.held.frame), 2), here, there)
    assert again.inputs[0] is sent.inputs[0] and again.inputs[1] is sent.inputs[0].held.frame
    back = moved(Held((sent.inputs[0], sent.inputs[1], LARGE + 1), 3), there, here, adds=False)
    assert back.inputs[0] is data and back.inputs[1] is LARGE and (back.inputs[2] == LARGE + 1).all()


def test_a_solution_is_of_the_problem_that_was_sent(data: Dataset) -> None:
    """What the search remembers of it stays where that was."""
    way = intervals([10, 30])
    problem = WholeClasses(data.classes(), {"age": way}, (KAnonymity(least=40, columns=("age",)),))
    here, there = KnownToBoth(), KnownToBoth()
    parcel = packed(solve(moved(problem, here, there), "optimal"), there, adds=False)
    back = unpacked(memoryview(bytearray(parcel.in_one())), here, adds=False, copies=True)
    assert back.problem is problem and parcel.size < 10_000
    again = solve(problem, "optimal")
    assert back.levels == again.levels and back.utility == again.utility


def test_a_data_set_is_counted_as_before(data: Dataset) -> None:
    there = moved(data, KnownToBoth(), KnownToBoth())
    assert there.roles == data.roles and isinstance(there.roles, MappingProxyType)
    pd.testing.assert_frame_equal(there.held.frame, data.held.frame)
    assert there.classes().counts.tolist() == data.classes().counts.tolist()
    assert there.held.digest == data.held.digest


def test_little_of_it_is_in_the_pickle(data: Dataset) -> None:
    parcel = packed(LARGE, KnownToBoth(), adds=True)
    assert parcel.pickled.nbytes < 1_000 and parcel.size < LARGE.nbytes + 2_000


def test_functions_without_a_name_move_with_what_they_need() -> None:
    number = 5

    def plus(other: int) -> int:
        return number + other

    assert moved(plus, KnownToBoth(), KnownToBoth())(2) == 7
    assert moved(lru_cache(partial(plus, 3)), KnownToBoth(), KnownToBoth())() == 8
    assert moved(visits, KnownToBoth(), KnownToBoth()) is visits


def test_an_error_of_ours_stays_what_it_is() -> None:
    error = moved(
        InputError("Choose another column.", code="column-unknown", column="age"), KnownToBoth(), KnownToBoth()
    )
    assert (type(error), str(error), error.code, error.column) == (
        InputError,
        "Choose another column.",
        "column-unknown",
        "age",
    )
    several = moved(TooManyClasses(["age"]), KnownToBoth(), KnownToBoth())
    assert type(several) is TooManyClasses and several.code == "too-many-combinations" and "age" in str(several)


def test_a_store_moves_empty() -> None:
    store: Store[int] = Store(1_000)
    store.put("a", 1)
    there = moved(store, KnownToBoth(), KnownToBoth())
    assert there.limit == 1_000 and not len(there)
    there.put("b", 2)


def test_records_in_an_engine_stay() -> None:
    table = LoadedTable.of(InDuckDB("visits.csv", "CSV", visits()))
    with pytest.raises(Stays):
        packed(Held((table.records(),), 1), KnownToBoth(), adds=True)


def test_what_is_of_this_process_alone_is_an_error() -> None:
    with pytest.raises(TypeError):
        packed(threading.Lock(), KnownToBoth(), adds=True)

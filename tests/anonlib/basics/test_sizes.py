"""How much memory values take: arrays exactly and once, texts and long collections about."""

from __future__ import annotations

import sys
from dataclasses import dataclass

import numpy as np
import pandas as pd
import pytest

from anonlib.basics.stores import size_in_bytes
from anonlib.dataset import Dataset

NUMBERS = np.arange(10_000)


@dataclass(frozen=True)
class Result:
    numbers: np.ndarray
    more: object = None


class Slotted:
    __slots__ = ("missing", "numbers")

    def __init__(self) -> None:
        self.numbers = NUMBERS


@pytest.mark.parametrize(
    "value",
    [
        NUMBERS,
        NUMBERS[::2],
        NUMBERS[10:20],
        NUMBERS.reshape(100, 100).T,
        pd.Series(NUMBERS, copy=False),
        pd.DataFrame({"a": NUMBERS}, copy=False),
        Result(NUMBERS),
        Result(NUMBERS, Result(NUMBERS[:5])),
        Slotted(),
        {1: NUMBERS},
    ],
    ids=["array", "steps", "part", "turned", "series", "frame", "result", "shared", "slots", "mapping"],
)
def test_a_block_of_memory_counts_whole_and_once(value: object) -> None:
    assert size_in_bytes(value) == pytest.approx(NUMBERS.nbytes, rel=0.01)
    assert size_in_bytes(value, (NUMBERS,)) < 1000, "what others hold is theirs"


@pytest.mark.parametrize("value", [None, 5, 2.5, True, len, lambda: NUMBERS])
def test_what_takes_next_to_nothing_is_nothing(value: object) -> None:
    assert size_in_bytes(value) == 0


def test_texts_count_wherever_they_are_held() -> None:
    texts = [f"{i:050d}" for i in range(5000)]
    exact = sum(map(sys.getsizeof, texts))
    for value in (texts, tuple(texts), np.array(texts, object), pd.Series(texts, dtype=object)):
        assert exact <= size_in_bytes(value) <= exact + 9 * len(texts)
    assert size_in_bytes(["x" * 1000] * 5000) < 5000 * 1000 / 10


def test_a_column_of_categories_is_its_codes_and_its_values() -> None:
    column = pd.Categorical(["F", "M"] * 5000)
    assert 10_000 <= size_in_bytes(pd.DataFrame({"sex": column})) < 11_000


def test_versions_of_one_file_share_the_columns_that_are_the_same() -> None:
    frame = pd.DataFrame({name: [f"{name}{i}" for i in range(1000)] for name in "abcd"}, dtype=object)
    data = Dataset.from_frame(frame)
    other = data.without_columns(["a"])
    assert size_in_bytes(other, (data,)) < size_in_bytes(data) / 10


def test_what_is_little_counts_whole_and_what_others_hold_is_not_looked_through() -> None:
    class Held:
        @property
        def __dict__(self) -> dict:
            raise AssertionError("looked through")

    little = np.arange(100)
    assert size_in_bytes(little, (little, Held())) == little.nbytes


def test_what_refers_to_itself_ends() -> None:
    loop: list = [NUMBERS]
    loop.append(loop)
    assert size_in_bytes(loop) == pytest.approx(NUMBERS.nbytes, rel=0.01)

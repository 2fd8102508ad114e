"""What several tests of policies begin with."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pandas as pd
import pytest

from anonlib.analyses.frontier.space import PolicySpace
from anonlib.counting.classes import ClassTable
from anonlib.values.cells import text_categorical


@pytest.fixture(scope="session")
def tennessee(shared_data: Callable[[str], Path]) -> Callable[..., PolicySpace]:
    """``tennessee()``: the adult data of Tennessee among all people of the state; orders may be given."""
    records = pd.read_csv(shared_data("adult_tennessee.csv"), dtype=str)
    people = pd.read_parquet(shared_data("tennessee_population.parquet"))
    *names, count = people.columns
    of_text = [pd.DataFrame({name: text_categorical(frame[name]) for name in names}) for frame in (records, people)]
    classes = ClassTable.from_frame(of_text[0], names)
    population = ClassTable.from_frame(of_text[1].assign(n=people[count]), names, weights="n")
    return lambda **order: PolicySpace(classes, population, order, observed_only=False)

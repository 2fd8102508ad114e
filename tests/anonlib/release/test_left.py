"""Which columns nothing is left of, recounted in the file that leaves."""

from __future__ import annotations

import csv
import io

import ibis
import pandas as pd
import pytest

from anonlib.coarsening.hierarchies import EVERYTHING
from anonlib.coarsening.recoding import Intervals, Mask
from anonlib.columns.roles import Role
from anonlib.dataset import Dataset
from anonlib.release.export import released_csv
from anonlib.release.left import ColumnsLeft, columns_left
from anonlib.release.recipe import Recipe
from anonlib.release.steps import DropColumns, Recode

FRAME = pd.DataFrame(
    {
        "name": ["Ann", "Bob", "Cy", "Dee"],
        "age": ["31", "32", "51", "52"],
        "sex": ["f", "m", "f", "m"],
        "zip": ["02139", "02138", "02139", "02138"],
        "ill": ["flu", None, "flu", None],
        "country": ["US"] * 4,
    },
    dtype=object,
)
ROLES = {"name": Role.IDENTIFIER, "age": Role.QUASI_IDENTIFIER, "zip": Role.QUASI_IDENTIFIER, "ill": Role.SENSITIVE}


@pytest.mark.parametrize(
    ("steps", "says"),
    [
        ([], ""),
        ([Recode("age", EVERYTHING), Recode("zip", Mask(3))], "Nothing is left of age and zip."),
        ([Recode("age", Intervals(20)), DropColumns(("ill", "country"))], "Dropped: ill and country."),
        ([Recode("age", Intervals(100)), DropColumns(("sex",))], "Nothing is left of age. Dropped: sex."),
    ],
)
def test_a_column_in_which_all_that_leave_are_alike_is_removed(steps: list, says: str) -> None:
    applied = Recipe.of(steps).apply(Dataset.from_frame(FRAME, roles=ROLES))
    left = columns_left(applied)
    assert columns_left(Recipe.of(steps).apply(Dataset.from_ibis(ibis.memtable(FRAME), roles=ROLES))) == left
    assert left.says == says
    assert left.n_columns == 4, "the country is everybody's, and a name never leaves"
    rows = list(csv.DictReader(io.StringIO(released_csv(applied.released).decode())))
    alike = {name for name in rows[0] if len({row[name] for row in rows}) == 1}
    assert alike - {"country"} == set(left.removed)


def test_a_file_of_which_most_columns_are_gone_is_little() -> None:
    assert not ColumnsLeft(("a",), ("b",), 4, 2).is_little
    assert ColumnsLeft(("a",), ("b", "c"), 4, 3).is_little

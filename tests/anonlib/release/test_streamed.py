"""A release that an engine writes holds the rows that a file made in memory holds."""

from __future__ import annotations

from collections import Counter

import ibis
import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from anonlib.dataset import Dataset
from anonlib.errors import InputError
from anonlib.recoding import Intervals
from anonlib.release.export import released_in
from anonlib.release.files.streamed import write_release
from anonlib.release.recipe import Recipe
from anonlib.release.steps import DropColumns, Recode, Suppress
from anonlib.roles import Role

QI = Role.QUASI_IDENTIFIER
ROLES = {"name": Role.IDENTIFIER, "id": Role.PERSON_ID, "age": QI, "=zip": QI, "note": Role.SENSITIVE}
NOTES = ["=1+1", "-2", "\uff1dA1", " @x", "a;=b", "plain", "two\nlines", 'he said "no"', None, "é", "-", "\u00a0=1"]
COLUMNS = {
    "name": ["Ann", "Bob"] * 12,
    "id": [None, *(f"p{n}" for n in range(23))],
    "age": ["31", "32", "38", None] * 6,
    "=zip": ["02138", "02139"] * 12,
    "note": NOTES * 2,
    "cost": [str(n / 2) for n in range(24)],
}
STEPS = [Recode("age", Intervals(10)), Suppress(3)]


def both(steps, kind: str, folder) -> tuple[pd.DataFrame, pd.DataFrame]:
    """The file of the engine and that of the same people in memory, as tables of what is in them."""
    recipe = Recipe.of(steps)
    table = pa.table({name: pa.array(cells, pa.string()) for name, cells in COLUMNS.items()})
    there = Dataset.from_ibis(ibis.memtable(table), roles=ROLES)
    here = Dataset.from_frame(pd.DataFrame(COLUMNS, dtype=object), roles=ROLES)
    file, other = folder / "release", folder / "other"
    write_release(recipe.apply(there).released, file, kind, (1, 2), recipe.recoded)  # type: ignore[arg-type]
    other.write_bytes(released_in(kind, recipe.apply(here).released, recoded=recipe.recoded))
    if kind == "CSV":
        one, two = (pd.read_csv(path, dtype=str, keep_default_na=False) for path in (file, other))
        return one, two
    assert pq.read_schema(file).types == pq.read_schema(other).types
    return pd.read_parquet(file), pd.read_parquet(other)


def rows(frame: pd.DataFrame, without: str = "") -> Counter[tuple[str, ...]]:
    kept = frame.drop(columns=[without] if without else [])
    return Counter(map(tuple, kept.astype(str).to_numpy().tolist()))


@pytest.mark.parametrize("kind", ["CSV", "Parquet"])
@pytest.mark.parametrize("steps", [STEPS, [*STEPS, DropColumns(("id",))]], ids=["with ids", "without"])
def test_the_rows_are_those_of_a_file_made_in_memory(kind, steps, tmp_path):
    there, here = both(steps, kind, tmp_path)
    assert list(there.columns) == list(here.columns) and "name" not in there.columns
    assert rows(there, "id" if "id" in here else "") == rows(here, "id" if "id" in here else "")
    if "id" in here:
        assert sorted(there["id"].fillna("")) == sorted(here["id"].fillna(""))


def test_the_order_is_the_seeds_and_not_the_tables(tmp_path):
    table = pa.table({"x": [f"{n:03d}" for n in range(200)]})
    data = Dataset.from_ibis(ibis.memtable(table), roles={"x": QI})

    def order(seed: tuple[int, ...]) -> list[str]:
        write_release(data, tmp_path / "x.csv", "CSV", seed)
        return pd.read_csv(tmp_path / "x.csv", dtype=str)["x"].tolist()

    orders = [order((1,)), order((1,)), order((2,))]
    assert orders[0] == orders[1] != orders[2]
    assert sorted(orders[0]) == table["x"].to_pylist() != orders[0]


def test_what_cannot_be_written_is_said(tmp_path):
    data = Dataset.from_ibis(ibis.memtable({"x": ["a"]}))
    nowhere, quoted = tmp_path / "nowhere" / "a.csv", tmp_path / "it's.csv"
    for path, message in ((nowhere, "could not be written"), (quoted, "quotation")):
        with pytest.raises(InputError, match=message):
            write_release(data, path, "CSV", (1,))
    with pytest.raises(InputError, match="in memory"):
        write_release(Dataset.from_frame(pd.DataFrame({"x": ["a"]})), tmp_path / "a.csv", "CSV", (1,))

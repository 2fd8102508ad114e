"""A release that an engine writes holds the rows that a file made in memory holds."""

from __future__ import annotations

import io
from collections import Counter
from threading import Thread

import ibis
import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from anonlib.coarsening.recoding import Intervals
from anonlib.columns.roles import Role
from anonlib.dataset import Dataset
from anonlib.release.export import released_in, write_released
from anonlib.release.files.streamed import write_release
from anonlib.release.recipe import Recipe
from anonlib.release.steps import DropColumns, LeaveOut, Recode
from tests.helpers.errors import refused

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
STEPS = [Recode("age", Intervals(10)), LeaveOut(3)]


def both(steps, kind: str, folder) -> tuple[pd.DataFrame, pd.DataFrame]:
    """The file of the engine and that of the same people in memory, as tables of what is in them."""
    recipe = Recipe.of(steps)
    table = pa.table({name: pa.array(cells, pa.string()) for name, cells in COLUMNS.items()})
    there = Dataset.from_ibis(ibis.memtable(table), roles=ROLES)
    here = Dataset.from_frame(pd.DataFrame(COLUMNS, dtype=object), roles=ROLES)
    file, other = folder / "release", folder / "other"
    with file.open("wb") as written:
        write_release(recipe.apply(there).released, written, kind, (1, 2))  # type: ignore[arg-type]
    other.write_bytes(released_in(kind, recipe.apply(here).released))
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


def test_the_order_is_the_seeds_and_not_the_tables():
    table = pa.table({"x": [f"{n:03d}" for n in range(200)]})
    data = Dataset.from_ibis(ibis.memtable(table), roles={"x": QI})

    def order(seed: tuple[int, ...]) -> list[str]:
        file = io.BytesIO()
        write_release(data, file, "CSV", seed)
        return pd.read_csv(io.BytesIO(file.getvalue()), dtype=str)["x"].tolist()

    orders = [order((1,)), order((1,)), order((2,))]
    assert orders[0] == orders[1] != orders[2]
    assert sorted(orders[0]) == table["x"].to_pylist() != orders[0]


class Full(io.BytesIO):
    """A file on a disk that is full."""

    def write(self, data) -> int:
        raise OSError(28, "No space left on device")


@pytest.mark.parametrize("kind", ["CSV", "Parquet"])
def test_what_cannot_be_written_is_stated(kind):
    data = Dataset.from_ibis(ibis.memtable({"x": ["a"]}))
    with refused("file-not-writable"):
        write_release(data, Full(), kind, (1,))
    with refused("release-in-memory"):
        write_release(Dataset.from_frame(pd.DataFrame({"x": ["a"]})), io.BytesIO(), kind, (1,))


def test_how_far_it_is_is_reported_and_it_can_be_stopped():
    class Stopped(Exception):
        pass

    def stop(share: float) -> None:
        reports.append(share)
        if share > 0.5:
            raise Stopped

    reports: list[float] = []
    data = Dataset.from_ibis(ibis.memtable({"x": [f"{n}" for n in range(400_000)]}))
    with pytest.raises(Stopped):
        write_release(data, io.BytesIO(), "CSV", (1,), progress=stop)
    assert reports == sorted(reports) and 0 < reports[0] < 0.5 < reports[-1] < 1


def test_a_table_that_changed_is_stated_without_the_engines_words(tmp_path):
    connection = ibis.duckdb.connect()
    connection.raw_sql("CREATE TABLE visits AS SELECT '4711' AS x")
    data = Dataset.from_ibis(connection.table("visits"), roles={"x": QI})
    connection.raw_sql("DROP TABLE visits")
    with refused("database-table-changed") as raised:
        write_release(data, io.BytesIO(), "CSV", (1,))
    assert "visits" not in str(raised.value)


def test_a_query_meanwhile_cuts_nothing_off():
    """DuckDB ends what it streams, without a word, where its connection is asked something else."""
    data = Dataset.from_ibis(ibis.memtable({"x": [f"{n}" for n in range(400_000)]}))
    file, counted = io.BytesIO(), list[int]()
    other = Thread(target=lambda: counted.append(data.held.counts_of("x").n_records))

    def ask(share: float) -> None:
        if not other.ident:
            other.start()

    write_release(data, file, "CSV", (1,), progress=ask)
    other.join()
    assert counted == [400_000] and file.getvalue().count(b"\r\n") == 400_001


def test_a_release_that_was_cut_off_is_refused():
    data = Dataset.from_ibis(ibis.memtable({"x": [f"{n}" for n in range(400_000)]}))
    with refused("ended"):
        write_release(data, io.BytesIO(), "CSV", (1,), progress=lambda share: data.held.counts_of("x"))  # same thread


@pytest.mark.parametrize(("kind", "read"), [("CSV", pd.read_csv), ("Parquet", pd.read_parquet)])
def test_the_same_function_writes_either(kind, read):
    there = Dataset.from_ibis(ibis.memtable({"x": ["a", "b"]}))
    for data in (Dataset.from_frame(pd.DataFrame({"x": ["a", "b"]})), there):
        file = io.BytesIO()
        write_released(file, kind, data, (1,))
        assert sorted(read(io.BytesIO(file.getvalue()))["x"]) == ["a", "b"]
    with refused("release-stays"):
        write_released(io.BytesIO(), "Excel", there, (1,))


def test_whole_numbers_that_an_engine_writes_with_a_point_are_whole_in_each(engine):
    table = engine.made_by("select cast(1 as float) as f, cast(2 as decimal(8, 2)) as d union all select 40, 50")
    file = io.BytesIO()
    write_release(Dataset.from_ibis(table), file, "Parquet", (1,))
    written = pq.read_table(io.BytesIO(file.getvalue()))
    assert written.schema.types == [pa.int64(), pa.int64()]
    assert sorted(zip(*written.to_pydict().values(), strict=True)) == [(1, 2), (40, 50)]

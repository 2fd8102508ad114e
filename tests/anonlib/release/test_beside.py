"""A release that an engine writes beside its records is that of the file, and is there as a whole or not at all."""

from __future__ import annotations

import io
import time
from pathlib import Path
from threading import Thread

import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from anonlib.coarsening.recoding import Intervals
from anonlib.columns.roles import Role
from anonlib.dataset import Dataset
from anonlib.reading.records import TableRecords, staying
from anonlib.release.files import streamed
from anonlib.release.files.streamed import write_release, write_release_beside
from anonlib.release.pseudonyms import KeyOfPseudonyms, Pseudonyms
from anonlib.release.recipe import Recipe
from anonlib.release.steps import LeaveOut, Recode
from tests.helpers.errors import refused

QI = Role.QUASI_IDENTIFIER
ROLES = {"name": Role.IDENTIFIER, "id": Role.PERSON_ID, "age": QI, "=zip": QI, "note": Role.SENSITIVE}
NOTES = ["=1+1", "-2", "a;=b", "two\nlines", 'he said "no"', None, "é", " ", "it's"]
COLUMNS: dict[str, list[str | None]] = {
    "name": ["Ann", "Bob"] * 12,
    "id": [None, *(f"p{n}" for n in range(23))],
    "age": ["31", "32", "38", None] * 6,
    "=zip": ["02138", "02139"] * 12,
    "note": [NOTES[n % len(NOTES)] for n in range(24)],
    "cost": [str(n / 2) for n in range(24)],
    "Visits": [None, *map(str, range(23))],
}
RECIPE = Recipe.of([Recode("age", Intervals(10)), LeaveOut(3)])
KEY = KeyOfPseudonyms(bytes(range(190, 222)))
BY_KEY = KEY.under(Pseudonyms("University of Example", "Falls", KEY.id))
IN_POSTGRES = pytest.mark.parametrize("engine", [pytest.param("postgres", marks=pytest.mark.engines)], indirect=True)
WORDS = ("permission", "denied", "exist", "schema", "ERROR", "hunter2")
"""Of drivers, and of what is told to them."""


@pytest.fixture
def released(engine) -> Dataset:
    if engine.name == "duckdb":  # whose tables of tests are of no connection
        cells = {name: pa.array(each, pa.string()) for name, each in COLUMNS.items()}
        table = engine.connection.create_table(engine.new_name(), pa.table(cells))
    else:
        table = engine.table(COLUMNS)
    return RECIPE.apply(Dataset.from_ibis(table, roles=ROLES)).released


def of_numbers(engine, n: int) -> Dataset:
    series = f"range({n})" if engine.name == "spark" else f"generate_series(0, {n - 1}) as g(id)"
    name = engine.new_name()
    engine.run(f"create view {name} as select cast(id as varchar(10)) as x from {series}")
    return Dataset.from_ibis(engine.connection.table(name))


def written_beside(engine, released: Dataset, place: str, **how) -> str:
    return write_release_beside(released, place, "out", (1, 2), **how)


@pytest.mark.parametrize(
    "by_key", [pytest.param(None, id="numbers", marks=pytest.mark.everyday), pytest.param(BY_KEY, id="pseudonyms")]
)
def test_it_is_what_the_parquet_file_holds(engine, released, by_key):
    place, file = engine.place_for_releases(), io.BytesIO()
    name = written_beside(engine, released, place, by_key=by_key)
    write_release(released, file, "Parquet", (1, 2), by_key=by_key)
    in_file, there = pq.read_table(io.BytesIO(file.getvalue())), engine.written(place, name)
    assert name == "out" and engine.names_in(place) == {"out"}
    assert there.schema.names == in_file.schema.names and there.schema.types == in_file.schema.types
    assert {pa.int64(), pa.float64(), pa.string()} == set(there.schema.types)
    assert there.to_pylist() == in_file.to_pylist(), "in the drawn order too"
    assert None in there["note"].to_pylist() and " " not in there["note"].to_pylist()
    persons = {each for each in there["id"].to_pylist() if each is not None}
    assert persons <= (set(BY_KEY.of([f"p{n}" for n in range(23)], "id")) if by_key else {*map(str, range(1, 24))})


def test_nothing_that_is_there_is_replaced(engine, released):
    place = engine.place_for_releases()
    assert [written_beside(engine, released, place) for _ in range(2)] == ["out", "out_2"]
    assert engine.written(place, "out").equals(engine.written(place, "out_2"))


def test_a_name_that_is_taken_meanwhile_is_left(engine, released, monkeypatch):
    """Two officers at one moment: both see that the name is free."""
    place = engine.place_for_releases()
    first = of_numbers(engine, 3)
    write_release_beside(first, place, "out", (1,))
    of_engine = staying._WRITERS[first.held.table.get_backend().name]
    answers = iter([False])
    has = of_engine.has
    monkeypatch.setattr(of_engine, "has", lambda self, name: next(answers, None) is None and has(self, name))
    assert written_beside(engine, released, place) == "out_2"
    assert len(engine.written(place, "out")) == 3 and engine.names_in(place) == {"out", "out_2"}


class Stopped(BaseException):
    """As Streamlit ends a run."""


def test_it_can_be_stopped_before_the_statement_begins(engine, released):
    place = engine.place_for_releases()

    def stop(share: float) -> None:
        raise Stopped

    with pytest.raises(Stopped):
        written_beside(engine, released, place, progress=stop)
    assert engine.names_in(place) == set()


def test_at_a_stop_the_statement_is_cancelled_and_nothing_is_left(engine, monkeypatch):
    """Sorting so many would take a minute."""
    n = 20_000_000
    monkeypatch.setattr(staying, "n_rows", lambda table: n)
    monkeypatch.setattr(streamed, "_numbers_in", lambda *_: {})
    data, place = of_numbers(engine, n), engine.place_for_releases()
    monkeypatch.setitem(vars(data.held), "n_records", n)
    begun, reports = time.monotonic(), list[float]()

    def stop(share: float) -> None:
        reports.append(share)
        if len(reports) == 5:
            raise Stopped

    with pytest.raises(Stopped):
        write_release_beside(data, place, "out", (1,), progress=stop)
    assert reports == [0.0] * 5 and time.monotonic() - begun < 5 and engine.names_in(place) == set()
    assert len(engine.connection.table(data.held.table.get_name()).head(1).to_pyarrow()) == 1, "it still answers"


def test_a_stop_that_comes_too_late_leaves_nothing_either(engine, released, monkeypatch):
    place, written, write = engine.place_for_releases(), list[str](), staying._written

    def and_wait(*given) -> str:
        written.append(write(*given))
        time.sleep(0.3)
        return written[0]

    def stop(share: float) -> None:
        if written:
            raise Stopped

    monkeypatch.setattr(staying, "_written", and_wait)
    with pytest.raises(Stopped):
        written_beside(engine, released, place, progress=stop)
    assert written == ["out"] and engine.names_in(place) == set()


def test_other_queries_wait_and_are_not_cancelled(engine, released):
    place, counted = engine.place_for_releases(), list[int]()
    other = Thread(target=lambda: counted.append(TableRecords(released.held.table).n_records))

    def ask(share: float) -> None:
        if not other.ident:
            other.start()

    assert written_beside(engine, released, place, progress=ask) == "out"
    if other.ident:
        other.join()
        assert counted == [released.n_records]


def test_another_number_of_records_than_was_counted_is_refused(engine, released, monkeypatch):
    place = engine.place_for_releases()
    monkeypatch.setitem(vars(released.held), "n_records", released.n_records + 1)
    with refused("ended"):
        written_beside(engine, released, place)
    assert engine.names_in(place) == set()


def test_rows_that_are_lost_on_the_way_are_noticed(engine, released, monkeypatch):
    place, counts = engine.place_for_releases(), iter([released.n_records, 1])
    monkeypatch.setattr(staying, "n_rows", lambda table: next(counts))
    if engine.name == "spark":
        pytest.skip("Spark counts what it wrote by itself")
    with refused("ended"):
        written_beside(engine, released, place)
    assert engine.names_in(place) == set()


def test_a_place_that_is_not_there_is_stated(engine, released, tmp_path):
    nowhere = str(tmp_path / "nowhere")
    with refused("table-not-readable") as raised:
        written_beside(engine, released, nowhere)
    assert "nowhere" not in str(raised.value) and not Path(nowhere).exists()


def test_a_table_that_went_meanwhile_is_stated(engine):
    data, place = of_numbers(engine, 5), engine.place_for_releases()
    assert data.n_records == len(data.held.values("x")) == 5
    engine.run(f"drop view {data.held.table.get_name()}")
    with refused("database-table-changed") as raised:
        write_release_beside(data, place, "out", (1,))
    assert data.held.table.get_name() not in str(raised.value) and engine.names_in(place) == set()


@IN_POSTGRES
def test_without_the_right_to_create_it_is_stated(engine):
    place = engine.place_for_releases()
    engine.run("create role reader login", f"grant usage on schema {place} to reader")
    engine.run("create table mine as select '1' as x", "grant select on mine to reader")
    data = Dataset.from_ibis(engine.as_user("reader").table("mine"))
    with refused("table-not-readable") as raised:
        write_release_beside(data, place, "mine", (1,))
    assert not any(word in str(raised.value) for word in WORDS) and raised.value.__cause__ is None
    engine.run(f"grant create on schema {place} to reader", f"create table {place}.mine as select 5 as x")
    assert write_release_beside(data, place, "mine", (1,)) == "mine_2", "a table of another, which may not be read"


def test_records_in_memory_are_refused():
    with refused("release-in-memory"):
        write_release_beside(Dataset.from_frame(pd.DataFrame({"x": ["a"]})), "keep", "out", (1,))

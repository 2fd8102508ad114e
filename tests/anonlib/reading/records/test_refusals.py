"""What engines say that they cannot do is a sentence that names it, and never has a cell, a path or their words."""

from __future__ import annotations

import io
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import ibis
import numpy as np
import pyarrow as pa
import pytest

from anonlib.basics.errors import InputError
from anonlib.columns.roles import Role
from anonlib.dataset import Dataset
from anonlib.reading.records import Labels
from anonlib.reading.records.engines import beside, fetched
from anonlib.reading.records.refusals import refusal
from anonlib.reading.records.writing import _batches
from anonlib.release.files.streamed import write_release
from tests.helpers.engines import Engine
from tests.helpers.errors import refused

CANARY = "canary4711"
IN_POSTGRES = pytest.mark.parametrize("engine", [pytest.param("postgres", marks=pytest.mark.engines)], indirect=True)
NO_GUESS = "for a reason that Anonscope does not know"


@contextmanager
def stated(code: str, *names: str) -> Iterator[None]:
    """An error of that code, with one of some names in its sentence and none of what only the engine may say."""
    with refused(code) as caught:
        yield
    message = str(caught.value)
    assert any(f"({name})" in message for name in names), message
    assert CANARY not in message.lower() and caught.value.__suppress_context__
    assert code == "database-out-of-memory" or "memory" not in message, "no guess"


def test_a_text_that_is_no_number_is_a_value_that_is_refused(engine, capfd):
    table = engine.table({"x": [CANARY]})
    with stated("database-value-refused", "ConversionException", "InvalidTextRepresentation", "CAST_INVALID_INPUT"):
        fetched(table.select(n=table["x"].cast("int64")))
    assert CANARY not in "".join(capfd.readouterr()), "nor in a log"


def test_a_table_that_went_is_stated(engine):
    table = engine.made_by(f"select '{CANARY}' as x")
    engine.run(f"drop {'view' if engine.name == 'spark' else 'table'} {table.get_name()}")
    with stated("database-table-changed", "CatalogException", "UndefinedTable", "TABLE_OR_VIEW_NOT_FOUND"):
        fetched(table)


def test_what_is_not_known_there_is_stated(engine):
    @ibis.udf.scalar.builtin
    def canary4711_function(text: str) -> str: ...

    table = engine.table({"x": [CANARY]})
    code = "database-table-changed" if engine.name == "duckdb" else "database-cannot"  # it calls both the same
    with stated(code, "CatalogException", "UndefinedFunction", "UNRESOLVED_ROUTINE"):
        fetched(table.select(y=canary4711_function(table["x"])))


def test_what_ibis_cannot_ask_is_stated():
    table = ibis.memtable({"x": [CANARY]})
    with stated("database-cannot", "OperationNotDefinedError"):
        fetched(table.select(y=table["x"].convert_base(10, 2)))


@pytest.mark.everyday
def test_the_rest_of_the_engine_answers_after_a_refusal(engine):
    table = engine.table({"x": [CANARY, "1"]})
    for _ in range(2):
        with refused("database-value-refused"):
            fetched(table.select(n=table["x"].cast("int64")))
    assert len(fetched(table)) == 2


def test_lists_of_numbers_and_of_texts_are_sent_to_each_engine(engine):
    lists = {"numbers": [[1, 2], [3], []], "texts": [["a", "b"], ["c"], []], "row": ["first", "second", "third"]}
    small = pa.table({
        "numbers": pa.array(lists["numbers"], pa.list_(pa.int64())),
        "texts": pa.array(lists["texts"], pa.list_(pa.string())),
        "row": pa.array(lists["row"], pa.string()),
    })  # fmt: skip
    table = engine.table({"own": ["first", "third", "fourth"]})
    sent = beside(table, small)
    found = fetched(table.join(sent, table["own"] == sent["row"]).select("numbers", "texts", "row").order_by("row"))
    assert found.to_pylist() == [
        {"numbers": [1, 2], "texts": ["a", "b"], "row": "first"},
        {"numbers": [], "texts": [], "row": "third"},
    ]


# ---- of one engine ----


@pytest.fixture
def small_memory() -> Iterator[Any]:
    connection = ibis.duckdb.connect()
    connection.raw_sql("SET memory_limit = '20MB'")
    connection.raw_sql("SET temp_directory = ''")
    yield connection
    connection.disconnect()


def test_memory_that_does_not_suffice_is_stated(small_memory):
    table = small_memory.sql(f"select '{CANARY}' || random() || i as x from range(3000000) rows(i)")
    with stated("database-out-of-memory", "OutOfMemoryException"):
        fetched(table.group_by("x").aggregate(n=table.count()))


def test_memory_that_ends_while_a_release_is_written_is_stated(small_memory):
    data = Dataset.from_ibis(small_memory.sql(f"select '{CANARY}' || random() || i as x from range(3000000) rows(i)"))
    with stated("database-out-of-memory", "OutOfMemoryException"):
        write_release(data, io.BytesIO(), "CSV", (1,))


@pytest.mark.parametrize(
    ("late", "code", "name"),
    [
        (f"error('{CANARY}')", "database-silent", "InvalidInputException"),
        (f"cast('{CANARY}' as int)::text", "database-value-refused", "ConversionException"),
    ],
)
def test_what_stops_among_the_rows_of_a_release_is_stated(late, code, name):
    """Arrow, by which they come, makes all such errors one."""
    connection = ibis.duckdb.connect(threads=1)  # of several, those that it stops may be the first to be heard of
    table = connection.sql(f"select case when i = 900000 then {late} else i::text end as x from range(1000000) rows(i)")
    with stated(code, name):
        for _ in _batches(table, table.schema().to_pyarrow()):
            pass


def test_a_file_that_went_is_stated(tmp_path):
    connection = ibis.duckdb.connect()
    file = tmp_path / f"{CANARY}.parquet"
    connection.raw_sql(f"copy (select 1 as x) to '{file}' (format parquet)")
    table = connection.read_parquet(file)
    file.unlink()
    with stated("database-file-error", "IOException"):
        fetched(table)


def test_a_connection_that_was_closed_is_stated():
    connection = ibis.duckdb.connect()
    connection.raw_sql(f"create table visits as select '{CANARY}' as x")
    table = connection.table("visits")
    connection.disconnect()
    with stated("database-connection-lost", "ConnectionException"):
        fetched(table)


def of_reader(engine: Engine, *settings: str) -> tuple[Any, Dataset]:
    """Somebody who may read one table, on a connection with some settings."""
    name, user = engine.new_name(), engine.new_name()
    engine.run(
        f"create table {name} as select '{CANARY}' || i as x from generate_series(1, 20000) rows(i)",
        f"create role {user} login",
        f"grant select on {name} to {user}",
    )
    connection = engine.as_user(user)
    for setting in settings:
        connection.raw_sql(setting)
    connection.con.commit()
    return connection, Dataset.from_ibis(connection.table(name), roles={"x": Role.QUASI_IDENTIFIER})


def recoded(data: Dataset) -> int:
    """How many records of three values there are after a step, which sends a temporary table."""
    values = np.array([f"{CANARY}{i}" for i in range(1, 4)], dtype=object)
    return data.held.recode("x", Labels.as_they_come(values, values)).counts_of("x").n_records


@IN_POSTGRES
def test_a_query_that_takes_too_long_is_stated(engine):
    connection, data = of_reader(engine, "set statement_timeout = 20")
    with stated("database-time-limit", "QueryCanceled"):
        fetched(connection.sql("select count(*) as n from generate_series(1, 100000000)"))
    connection.raw_sql("set statement_timeout = 0")
    assert recoded(data) == 3


@IN_POSTGRES
def test_a_database_that_can_only_be_read_is_stated(engine):
    _, data = of_reader(engine, "set default_transaction_read_only = on")
    assert data.n_records == 20000
    with stated("database-read-only", "ReadOnlySqlTransaction"):
        recoded(data)


@IN_POSTGRES
def test_a_right_that_was_taken_away_is_stated(engine):
    _, data = of_reader(engine)
    engine.run(f"revoke all on {data.held.table.get_name()} from public, {data.held.table.get_backend().con.info.user}")
    with stated("database-not-allowed", "InsufficientPrivilege"):
        assert data.n_records


@IN_POSTGRES
def test_the_right_to_temporary_tables_is_missed_in_words(engine):
    _, data = of_reader(engine)
    engine.run("revoke temp on database postgres from public")
    try:
        with stated("database-not-allowed", "InsufficientPrivilege"):
            recoded(data)
    finally:
        engine.run("grant temp on database postgres to public")


@IN_POSTGRES
def test_a_limit_of_temporary_files_is_stated(engine):
    connection, data = of_reader(engine)
    user = connection.con.info.user
    engine.run(f"alter role {user} set temp_file_limit = '64kB'", f"alter role {user} set work_mem = '64kB'")
    again = engine.as_user(user).table(data.held.table.get_name())
    with stated("database-out-of-space", "ConfigurationLimitExceeded"):
        fetched(again.order_by("x"))


@IN_POSTGRES
def test_a_connection_that_the_server_ends_is_stated(engine):
    connection, data = of_reader(engine)
    engine.run(f"select pg_terminate_backend({connection.con.info.backend_pid})")
    for _ in range(2):
        with stated("database-connection-lost", "AdminShutdown", "OperationalError", "InterfaceError"):
            fetched(data.held.table)


@pytest.mark.parametrize("engine", [pytest.param("spark", marks=pytest.mark.engines)], indirect=True)
def test_a_file_of_spark_that_went_is_stated(engine, tmp_path):
    import shutil

    place = tmp_path / CANARY
    engine.connection._session.range(3).write.parquet(str(place))
    table = engine.connection.read_parquet(place)
    shutil.rmtree(place)
    with stated("database-file-error", "FAILED_READ_FILE.FILE_NOT_EXIST"):
        fetched(table)


# ---- of no engine: every kind, and what is not known ----


def of_state(state: str) -> Exception:
    psycopg = pytest.importorskip("psycopg")
    return psycopg.errors.lookup(state)(CANARY)


@pytest.mark.parametrize(
    ("state", "code"),
    [
        ("53100", "database-out-of-space"),
        ("53200", "database-out-of-memory"),
        ("53300", "database-busy"),
        ("42501", "database-not-allowed"),
        ("28P01", "database-not-allowed"),
        ("25006", "database-read-only"),
        ("57014", "database-time-limit"),
        ("57P01", "database-connection-lost"),
        ("08006", "database-connection-lost"),
        ("40P01", "database-busy"),
        ("42703", "database-table-changed"),
        ("0A000", "database-cannot"),
        ("54001", "database-query-too-large"),
        ("54011", "database-query-too-large"),
        ("22003", "database-value-refused"),
        ("58030", "database-file-error"),
        ("XX000", "database-silent"),
        ("42601", "database-silent"),
    ],
)
def test_each_state_has_its_sentence(state, code):
    error = of_state(state)
    with stated(code, type(error).__name__):
        raise_stated(error)


class Java:
    """As py4j shows an exception of Java."""

    def __init__(self, name: str, cause: Java | None = None, condition: str | None = None, state: str | None = None):
        self._name, self._cause, self._condition, self._state = name, cause, condition, state

    def getClass(self) -> Java:
        return self

    def getName(self) -> str:
        return self._name

    def getCause(self) -> Java | None:
        return self._cause

    def getCondition(self) -> str | None:
        if self._condition is None:
            raise AttributeError(CANARY)
        return self._condition

    def getSqlState(self) -> str | None:
        return self._state


def of_java(*causes: Java) -> Exception:
    error = RuntimeError(CANARY)
    vars(error)["java_exception"] = causes[0]
    return error


@pytest.mark.parametrize(
    ("error", "code", "name"),
    [
        (Java("org.apache.spark.SparkException", Java("java.lang.OutOfMemoryError")), "out-of-memory",
         "OutOfMemoryError"),
        (Java("org.apache.spark.SparkException", Java("a.B", None, "TASK_WRITE_FAILED", "58030")), "file-error",
         "TASK_WRITE_FAILED"),
        (Java("org.apache.spark.SparkException", Java("java.lang.StackOverflowError")), "query-too-large",
         "StackOverflowError"),
        (Java("org.apache.spark.SparkException", Java("net.razorvine.pickle.PickleException")), "silent",
         "PickleException"),
    ],
)  # fmt: skip
def test_what_made_spark_stop_is_found_in_what_java_says(error, code, name):
    with stated(f"database-{code}", name):
        raise_stated(of_java(error))


@pytest.mark.parametrize(
    "name", [f"Patient {CANARY}", f"password={CANARY}", "x" * 81, "Zürich", "a\nb"]
)  # fmt: skip
def test_a_name_that_is_no_name_of_a_kind_is_not_shown(name):
    message = str(refusal(of_java(Java("java.lang.Error", None, name, "XX000"))))
    assert NO_GUESS in message and "(" not in message


def test_what_python_raises_around_a_driver_is_of_its_kind():
    try:
        try:
            raise MemoryError(CANARY)
        except MemoryError as error:
            raise ValueError(CANARY) from error
    except ValueError as error:
        assert refusal(error).code == "database-out-of-memory"
    assert refusal(BrokenPipeError(CANARY)).code == "database-connection-lost"
    assert refusal(KeyError(CANARY)).code == "database-silent" and NO_GUESS in str(refusal(KeyError(CANARY)))


def raise_stated(error: Exception) -> None:
    made = refusal(error)
    assert isinstance(made, InputError)
    raise made from None


def test_only_this_module_reads_the_words_of_an_error():
    folder = Path(refusal.__code__.co_filename).parent
    readers = [path.name for path in folder.glob("*.py") if "str(error)" in path.read_text(encoding="utf-8")]
    assert readers == ["refusals.py"]

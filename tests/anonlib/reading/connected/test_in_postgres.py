"""Bad inputs of PostgreSQL's: what is no table, may not be read, changes or does not answer is a sentence."""

from __future__ import annotations

import gc
import time
import traceback
from collections.abc import Callable
from typing import Any

import pytest

from anonlib.basics.errors import InputError
from anonlib.counting.classes import ClassTable
from anonlib.filing.project import LoadedTable
from anonlib.reading.connected import Offered, tables_defined
from anonlib.reading.tables import link, open_offered

pytestmark = pytest.mark.parametrize("engine", [pytest.param("postgres", marks=pytest.mark.engines)], indirect=True)
PASSWORD = "hunter2"


def defined(engine, user: str = "officer", **settings: Any) -> Offered:
    connection = {"host": engine.connection.con.info.host, "user": user, "database": "postgres", "password": PASSWORD}
    (offered,) = tables_defined({"registry": {"backend": "postgres", "connection": connection, **settings}})
    return offered


def refused(ask: Callable[[], object]) -> str:
    """The sentence; in all that a log could write of it there is no password."""
    with pytest.raises(InputError) as raised:
        ask()
    error = raised.value
    assert PASSWORD not in "".join(traceback.format_exception(error)) and error.__cause__ is None
    return str(error)


@pytest.mark.parametrize("query", ["select 1 as a, 2 as a", "select 1, 2", "selekt 1", "delete from pg_class"])
def test_a_query_that_is_no_table_is_stated(engine, query):
    message = refused(defined(engine, query=query).open)
    assert message.startswith("The query of “registry” cannot be opened") and "two columns of one name" in message


def test_a_table_that_may_not_be_read_is_stated_when_it_is_opened(engine):
    """Its schema is told to everybody."""
    engine.run(
        "create table hidden as select 'flu' as illness, '9' as age",
        "create role counter login",
        "grant select (age) on hidden to counter",
    )
    for settings in ({"table": "hidden"}, {"query": "select illness from hidden"}):
        message = refused(defined(engine, "counter", **settings).open)
        assert "cannot be opened" in message and "may not be read" in message and "hidden" not in message
    allowed = LoadedTable.of(defined(engine, "counter", table="hidden", columns=["age"]))
    assert allowed.raw.columns == ["age"] and allowed.raw.n_records == 1
    assert "does not answer, or does not let Anonscope in" in refused(defined(engine, "nobody", table="hidden").open)


def test_what_cannot_be_opened_keeps_no_connection(engine):
    def connections() -> int:
        rows = engine.connection.raw_sql("select count(*) from pg_stat_activity where usename = 'officer'")
        return rows.fetchone()[0]

    before = connections()
    for _ in range(3):
        refused(defined(engine, query="select 1, 2").open)
    deadline = time.monotonic() + 30  # the server takes a moment to end what was closed
    while connections() > before and time.monotonic() < deadline:
        time.sleep(0.05)
    assert connections() == before


@pytest.mark.parametrize(
    "address",
    [f"postgresql://officer:{PASSWORD}@127.0.0.1:1/clinic", f"postgresql://officer:{PASSWORD}@host:no/{PASSWORD}"],
)
def test_the_password_of_a_server_that_does_not_answer_is_nowhere(engine, address):
    (offered,) = tables_defined({"registry": {"backend": "postgres", "connection": address, "table": "visits"}})
    assert PASSWORD not in repr(offered)
    assert "“registry” does not answer" in refused(offered.open)


@pytest.mark.parametrize(
    ("change", "code"),
    [
        ("drop table {}", "database-table-changed"),
        ("alter table {} rename to {}_old", "database-table-changed"),
        ("alter table {} drop column age", "database-table-changed"),
        ("alter table {} rename column age to years", "database-table-changed"),
        ("alter table {} alter column age type integer using age::integer", "database-cannot"),
        ("revoke select on {} from counting", "database-not-allowed"),
    ],
)
def test_a_table_that_changed_is_stated_and_what_is_known_of_it_stays(engine, change, code):
    name = engine.new_name()
    engine.run(f"create table {name} as select '9' as age, 'f' as sex")
    engine.run(
        "do $$ begin create role counting login; exception when duplicate_object then null; end $$",
        f"grant select on {name} to counting",
    )
    loaded = LoadedTable.of(defined(engine, "counting", table=name))
    engine.run(change.format(name, name))
    with pytest.raises(InputError) as caught:
        ClassTable.from_records(loaded.records(), ["age", "sex"], None, "category", None)
    message = str(caught.value)
    assert caught.value.code == code and name not in message and "“age”" not in message and "sex" not in message
    assert loaded.raw.counts_of("age").values.tolist() == ["9"]


def test_joins_are_hashed_and_what_a_step_leaves_is_kept_until_it_goes(engine):
    """The server expects one row of a join by computed texts, and would compare each row with each."""
    engine.run("create table journeys as select (n % 7)::text as place from generate_series(1, 50) n")
    opened = LoadedTable.of(defined(engine, table="journeys")).raw
    database = opened.table.get_backend()
    gc.collect()  # what another test left, and forgot a moment ago

    def kept() -> int:
        named = "relname like 'records@_%' escape '@' and relnamespace = pg_my_temp_schema()"
        return database.raw_sql(f"select count(*) from pg_class where {named}").fetchone()[0]

    assert database.raw_sql("show enable_nestloop").fetchone() == ("off",)
    classes = ClassTable.from_records(opened, ["place"])
    left = opened.label(classes, classes.counts > 7)
    assert left.n_records == 8 and kept() == 1
    again = opened.label(classes, classes.counts <= 7)
    assert again.n_records == 42 and kept() == 2
    del left
    gc.collect()
    more = opened.label(classes, classes.counts > 0)
    assert more.n_records == 50 and kept() == 2


def test_tables_of_one_connection_share_it_and_hang_together(engine):
    engine.run(
        "create table patients as select i as patient_id from generate_series(1, 30) i",
        "create table visits as select i + 500 as visit_id, i % 20 + 1 as patient_id from generate_series(1, 60) i",
        "grant select on patients, visits to officer",
    )
    tables = open_offered([defined(engine, table="patients"), defined(engine, table="visits")])
    one, other = (table.records.table.get_backend() for table in tables)  # type: ignore[attr-defined]
    assert one is other and [table.name for table in tables] == ["registry", "registry (2)"]
    (key,) = link(tables).keys
    assert (key.column, key.inside, key.rows_a_parent) == ("patient_id", 1.0, 3.0)
    assert "cannot be opened" in refused(
        lambda: open_offered([defined(engine, table="visits"), defined(engine, table="x")])
    )

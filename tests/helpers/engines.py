"""Engines that tests really start: a PostgreSQL server of their own, Spark in this process, and DuckDB."""

from __future__ import annotations

import os
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from importlib.util import find_spec
from itertools import count
from pathlib import Path
from typing import Any

import ibis
import ibis.expr.types as ir
import pyarrow as pa
import pytest

from anonlib.reading.records.engines import make_ready
from tools import java

NAMES = ("duckdb", "postgres", "spark")
WITH_SPARK = "TEST_SPARK"
"""Set in the environment where Spark is to be tried too, which takes minutes; its tests are not collected without."""
_USERS = ("postgres", "nobody")  # who may run a server where the tests are run by root, whom PostgreSQL refuses
_LOCALE = "en-US-u-kn-true"  # sorts “9” before “10”, and “a” before “B”: nothing may depend on that


@dataclass(frozen=True)
class Engine:
    """An engine that runs, and its connection.

    Attributes
    ----------
    name : one of ``NAMES``.
    connection : of Ibis.
    """

    name: str
    connection: Any
    _numbers: Iterator[int] = field(default_factory=count)

    def run(self, *statements: str) -> None:
        for statement in statements:
            self.connection.raw_sql(statement)

    def new_name(self) -> str:
        """A name that no table of this engine has."""
        return f"cells_{next(self._numbers)}"

    def made_by(self, query: str) -> ir.Table:
        """A table of what a query gives, in its types."""
        name = self.new_name()
        self.run(f"create {'view' if self.name == 'spark' else 'table'} {name} as {query}")
        return self.connection.table(name)

    def table(self, columns: dict[str, list[str | None]]) -> ir.Table:
        """A table of texts, by column; None where they are missing."""
        if self.name == "duckdb":
            return ibis.memtable(pa.table({name: pa.array(cells, pa.string()) for name, cells in columns.items()}))
        names, rows = list(columns), [*zip(*columns.values(), strict=True)]
        name = self.new_name()
        if self.name == "spark":
            from pyspark.sql.types import StringType, StructField, StructType

            schema = StructType([StructField(each, StringType()) for each in names])
            self.connection._session.createDataFrame(rows, schema).createOrReplaceTempView(name)
        else:
            quoted = ", ".join('"' + each.replace('"', '""') + '" text' for each in names)
            self.run(f"create temp table {name} ({quoted})")
            with self.connection.con.cursor() as cursor, cursor.copy(f"copy {name} from stdin") as copy:
                for row in rows:
                    copy.write_row(row)
        return self.connection.table(name)

    def place_for_releases(self) -> str:
        """A new place that releases can be written to."""
        if self.name == "spark":
            return tempfile.mkdtemp()
        place = self.new_name()
        self.run(f"create schema {place}")
        return place

    def names_in(self, place: str) -> set[str]:
        """What is in such a place, and left behind there."""
        return {*os.listdir(place)} if self.name == "spark" else {*self.connection.list_tables(database=place)}

    def written(self, place: str, name: str) -> pa.Table:
        """What was written there, in the order in which it lies."""
        if self.name == "spark":
            return self.connection.read_parquet(f"{place}/{name}").to_pyarrow()
        return self.connection.table(name, database=place).to_pyarrow()

    def kept(self, table: ir.Table) -> set[str]:
        """The names of what is kept of records where a table is, to be counted again and again."""
        connection = table.get_backend()  # of DuckDB, a table that is sent is in one of its own
        match self.name:
            case "duckdb":
                names = connection.sql("select table_name as name from duckdb_tables() where temporary")
            case "postgres":
                names = connection.sql("select relname::text as name from pg_class where relpersistence = 't'")
            case _:
                catalog = connection._session.catalog
                return {name for name in connection.list_tables() if catalog.isCached(name)}
        return {name for name in names.to_pyarrow()["name"].to_pylist() if name.startswith("records_")}

    def as_user(self, user: str) -> Any:
        """A connection of PostgreSQL for somebody else."""
        return ibis.postgres.connect(host=self.connection.con.info.host, user=user, database="postgres")


@contextmanager
def started(name: str) -> Iterator[Engine]:
    """An engine, until the tests are over.

    Where PostgreSQL is not to be had, they are skipped, with the reason; where Spark is not, which is tried only where
    that was asked for, they fail.
    """
    match name:
        case "duckdb":
            connection = ibis.duckdb.connect()
            yield Engine(name, connection)
            connection.disconnect()
        case "postgres":
            with _postgres() as connection:
                yield Engine(name, connection)
        case "spark":
            with _spark() as connection:
                yield Engine(name, connection)


@contextmanager
def _postgres() -> Iterator[Any]:
    """A server with a data folder of its own that listens at a socket in it, for nobody else."""
    if find_spec("psycopg") is None:
        pytest.skip("psycopg is not installed: make test-engines installs it")
    programs = _postgres_programs()
    if programs is None:
        pytest.skip("PostgreSQL is not installed: no initdb on the PATH or in /usr/lib/postgresql")
    user = _another_user()
    with tempfile.TemporaryDirectory(prefix="pg") as place:
        folder = Path(place)
        if user:
            shutil.chown(folder, user)

        def run(program: str, *arguments: str) -> None:
            as_user = ["setpriv", f"--reuid={user}", "--clear-groups"] if user else []
            command = [*as_user, str(programs / program), "-D", str(folder / "data"), *arguments]
            done = subprocess.run(command, cwd=folder, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
            if done.returncode:
                pytest.skip(f"PostgreSQL cannot be started here: {done.stderr.strip()[-300:]}")

        run("initdb", "--no-sync", "-A", "trust", "-U", "officer", "-E", "UTF8", "--locale=C", *_with_icu(programs))
        settings = f"-k {folder} -c listen_addresses='' -c fsync=off -c datestyle=German -c max_connections=30"
        run("pg_ctl", "-w", "-l", str(folder / "log"), "-o", settings, "start")
        try:
            connection = ibis.postgres.connect(host=str(folder), user="officer", database="postgres")
            yield connection
            connection.disconnect()
        finally:
            run("pg_ctl", "-w", "-m", "immediate", "stop")


def _postgres_programs() -> Path | None:
    """The folder of ``initdb`` and ``pg_ctl``, of the newest version where there are several."""
    on_path = shutil.which("initdb")
    if on_path:
        return Path(on_path).resolve().parent
    found = Path("/usr/lib/postgresql").glob("*/bin/initdb")
    return max((each.parent for each in found), key=lambda folder: float(folder.parent.name), default=None)


def _another_user() -> str | None:
    if not hasattr(os, "geteuid") or os.geteuid() != 0:
        return None
    import pwd

    known = {each.pw_name for each in pwd.getpwall()}
    user = next((each for each in _USERS if each in known), None)
    if user is None or shutil.which("setpriv") is None:
        pytest.skip("PostgreSQL refuses to run as root, and there is no other user to run it as")
    return user


def _with_icu(programs: Path) -> list[str]:
    """A collation that merges nothing and sorts otherwise than bytes do, where the server knows such."""
    reports = subprocess.run([programs / "initdb", "--help"], capture_output=True, text=True).stdout
    return ["--locale-provider=icu", f"--icu-locale={_LOCALE}"] if "--icu-locale" in reports else []


@contextmanager
def _spark() -> Iterator[Any]:
    """Spark on one core of this process."""
    if reason := java.lacking():
        pytest.fail(reason, pytrace=False)
    if find_spec("pyspark") is None:
        pytest.fail("pyspark is not installed: make test-engines installs it", pytrace=False)
    from pyspark.sql import SparkSession

    with tempfile.TemporaryDirectory() as folder:
        reports = {
            "spark.ui.enabled": "false",
            "spark.ui.showConsoleProgress": "false",
            "spark.sql.shuffle.partitions": "1",
            "spark.default.parallelism": "1",
            "spark.driver.host": "127.0.0.1",
            "spark.driver.bindAddress": "127.0.0.1",
            "spark.sql.warehouse.dir": folder,
            "spark.sql.codegen.wholeStage": "false",  # compiling takes longer than a few rows
            "spark.sql.codegen.factoryMode": "NO_CODEGEN",
            "spark.sql.adaptive.enabled": "false",
            "spark.driver.extraJavaOptions": "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC",  # half the time of CPU
        }
        builder = SparkSession.builder.master("local[1]")
        for key, value in reports.items():
            builder = builder.config(key, value)
        session = builder.getOrCreate()
        connection = ibis.pyspark.connect(session)
        make_ready(connection)
        yield connection
        session.stop()

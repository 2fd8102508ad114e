"""The department's database: one transaction is all or nothing, in SQLite and in PostgreSQL, whatever becomes of us."""

from __future__ import annotations

import os
import signal
import sqlite3
import stat
import subprocess
import sys
from pathlib import Path

import pytest
from sqlalchemy import BigInteger, Text, inspect, text

from anonlib.filing.department import audit, migrations
from anonlib.filing.department.database import DATABASE_NAME, TABLES, Database
from anonlib.filing.department.settings import StoreSettings
from tests.helpers.errors import refused

ROOT = Path(__file__).resolve().parents[4]
_OPENED = """
import sys, time
from pathlib import Path
from anonlib.filing.department import audit
from anonlib.filing.department.database import Database
from anonlib.filing.department.settings import StoreSettings
database = Database.open(StoreSettings(Path(sys.argv[1]), sys.argv[2] or None))
"""


def started(store: StoreSettings, script: str) -> subprocess.Popen[str]:
    """Another process that has opened the store and does what a script says."""
    command = [sys.executable, "-c", _OPENED + script, str(store.folder), store.database or ""]
    return subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, text=True)


def n_lines(database: Database) -> int:
    with database.reading() as connection:
        return connection.execute(text("SELECT count(*) FROM audit_line")).scalar_one()


def test_what_fails_changes_nothing_and_the_sentence_says_nothing_of_the_driver(database: Database) -> None:
    with refused("store-damaged") as caught, database.writing() as connection:
        audit.note(connection, None, audit.Act.STARTED)
        connection.execute(text("INSERT INTO audit_line (number, own) VALUES (7, 'canary')"))
    assert "canary" not in str(caught.value) and "INSERT" not in str(caught.value)
    with pytest.raises(KeyError), database.writing() as connection:
        audit.note(connection, None, audit.Act.STARTED)
        raise KeyError
    assert n_lines(database) == 0 and not (database.folder / audit.HEAD_NAME).exists()


def test_who_reads_sees_one_state(database: Database) -> None:
    with database.reading() as reader:
        count = text("SELECT count(*) FROM audit_line")
        before = reader.execute(count).scalar_one()
        with database.writing() as connection:
            audit.note(connection, None, audit.Act.STARTED)
        assert reader.execute(count).scalar_one() == before == 0
    assert n_lines(database) == 1


def test_what_was_committed_is_there_when_it_is_opened_again(store: StoreSettings) -> None:
    for n in range(3):
        database = Database.open(store)
        assert n_lines(database) == n
        with database.writing() as connection:
            audit.note(connection, None, audit.Act.STARTED)
        database.close()


def test_processes_that_open_a_new_store_at_once_make_it_once(store: StoreSettings) -> None:
    note = "with database.writing() as connection:\n    audit.note(connection, None, audit.Act.STARTED)"
    processes = [started(store, note) for _ in range(4)]
    assert [process.wait(timeout=120) for process in processes] == [0] * 4
    database = Database.open(store)
    assert audit.verify(database).head.number == 4 and audit.verify(database).holds
    database.close()


@pytest.mark.slow
def test_a_process_that_is_killed_leaves_nothing_half_and_loses_nothing(store: StoreSettings) -> None:
    """It is killed while it has written and not committed; then at no moment that it chose."""
    in_the_middle = started(
        store,
        "with database.writing() as connection:\n"
        "    audit.note(connection, None, audit.Act.STARTED)\n    print('written', flush=True)\n    time.sleep(600)",
    )
    assert in_the_middle.stdout is not None and in_the_middle.stdout.readline() == "written\n"
    in_the_middle.send_signal(signal.SIGKILL)
    in_the_middle.wait()
    database = Database.open(store)
    assert n_lines(database) == 0

    n_before = 0
    for n_wanted in (1, 40, 77):
        busy = started(
            store,
            "for n in range(10_000):\n    with database.writing() as connection:\n"
            "        audit.note(connection, None, audit.Act.STARTED)\n    print(n, flush=True)",
        )
        assert busy.stdout is not None
        committed = [busy.stdout.readline() for _ in range(n_wanted)]
        busy.send_signal(signal.SIGKILL)
        committed += busy.stdout.readlines()
        busy.wait()
        chain = audit.verify(database)
        assert chain.holds and 0 <= chain.head.number - n_before - len(committed) <= 1
        n_before = chain.head.number
    database.close()


def test_the_tables_are_those_that_the_code_asks_for(database: Database) -> None:
    """Migrations are written by hand: they make each table and column that is declared, in its type, and no other."""
    with database.reading() as connection:
        inspector = inspect(connection)
        assert set(inspector.get_table_names()) >= {*TABLES.tables, "store_version"}
        for name, table in TABLES.tables.items():
            columns = {column["name"]: column["type"] for column in inspector.get_columns(name)}
            assert set(columns) == {column.name for column in table.columns}
            for column in table.columns:
                if isinstance(column.type, (BigInteger, Text)):
                    assert columns[column.name]._type_affinity is column.type._type_affinity, (name, column.name)


def test_a_newer_store_is_refused(database: Database, store: StoreSettings) -> None:
    with database.writing() as connection:
        connection.execute(text("UPDATE store_version SET version = version + 1"))
    with refused("version-unknown"):
        Database.open(store)


def test_a_migration_that_fails_leaves_the_version_before(
    database: Database, store: StoreSettings, monkeypatch: pytest.MonkeyPatch
) -> None:
    good, bad = migrations.Migration(("CREATE TABLE later (n {number})",)), migrations.Migration(("CREATE nothing",))
    monkeypatch.setattr(migrations, "MIGRATIONS", (*migrations.MIGRATIONS, good, bad))
    with pytest.raises(ValueError):
        Database.open(store)
    with database.reading() as connection:
        assert not inspect(connection).has_table("later")
    monkeypatch.setattr(migrations, "MIGRATIONS", migrations.MIGRATIONS[:-1])
    opened = Database.open(store)
    with opened.reading() as connection:
        assert inspect(connection).has_table("later")
        assert migrations.version_of(connection) == len(migrations.MIGRATIONS)
    opened.close()


# ---- SQLite ----


@pytest.fixture
def embedded(tmp_path: Path) -> StoreSettings:
    return StoreSettings(tmp_path)


def test_the_files_are_for_their_owner_alone(embedded: StoreSettings) -> None:
    database = Database.open(embedded)
    with database.writing() as connection:
        audit.note(connection, None, audit.Act.STARTED)
        modes = {path.name: stat.S_IMODE(path.stat().st_mode) for path in embedded.folder.iterdir()}
    assert len(modes) == 3 and set(modes.values()) == {0o600}, modes
    assert stat.S_IMODE((embedded.folder / audit.HEAD_NAME).stat().st_mode) == 0o600


def test_a_file_that_others_may_read_is_closed_to_them(embedded: StoreSettings) -> None:
    Database.open(embedded)
    (embedded.folder / DATABASE_NAME).chmod(0o644)
    Database.open(embedded)
    assert stat.S_IMODE((embedded.folder / DATABASE_NAME).stat().st_mode) == 0o600


def test_what_is_no_store_is_refused_and_left_as_it_is(embedded: StoreSettings) -> None:
    place = embedded.folder / DATABASE_NAME
    place.write_bytes(b"name,illness\n" * 1000)
    with refused("store-damaged"):
        Database.open(embedded)
    assert place.read_bytes() == b"name,illness\n" * 1000
    place.unlink()
    other = sqlite3.connect(place)
    other.execute("PRAGMA application_id = 12")
    other.execute("CREATE TABLE theirs (n)")
    other.close()
    content = place.read_bytes()
    with refused("store-damaged"):
        Database.open(embedded)
    assert place.read_bytes() == content


def test_a_folder_that_is_gone_and_a_program_that_holds_the_file_give_a_sentence(
    embedded: StoreSettings, monkeypatch: pytest.MonkeyPatch
) -> None:
    with refused("store-not-readable"):
        Database.open(StoreSettings(embedded.folder / "gone"))
    monkeypatch.setattr("anonlib.filing.department.database._SECONDS_TO_WAIT", 0.1)
    database = Database.open(embedded)
    other = sqlite3.connect(embedded.folder / DATABASE_NAME)
    other.execute("BEGIN IMMEDIATE")
    with refused("store-not-readable"), database.writing():
        pass
    other.rollback()
    with database.writing():
        pass


# ---- PostgreSQL ----


@pytest.mark.parametrize("address", ["postgresql://", "postgresql://[", "postgresql://x:canary-secret@h:port/d"])
def test_an_address_that_is_none_is_refused_without_its_words(tmp_path: Path, address: str) -> None:
    with pytest.raises(ValueError) as caught:
        Database.open(StoreSettings(tmp_path, address))
    assert caught.value.code in ("address-wrong", "store-not-readable") and "canary" not in repr(caught.value)
    assert caught.value.__cause__ is None and caught.value.__suppress_context__


def test_a_server_that_is_away_gives_a_sentence_without_its_password(tmp_path: Path) -> None:
    with refused("store-not-readable") as caught:
        Database.open(StoreSettings(tmp_path, "postgresql://officer:canary@127.0.0.1:9/records"))
    assert "canary" not in str(caught.value) and os.listdir(tmp_path) == []

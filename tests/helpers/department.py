"""A department's store in tests: in SQLite, and in a PostgreSQL server of the tests' own; its settings."""

from __future__ import annotations

from itertools import count
from pathlib import Path

from sqlalchemy import text

from anonlib.filing.department.database import Database
from anonlib.filing.department.settings import StoreSettings
from tests.helpers.engines import Engine

_numbers = count()


def in_postgresql(server: Engine, folder: Path) -> StoreSettings:
    """A store in a new database of a server."""
    name = f"department_{next(_numbers)}"
    connection = server.connection.con
    connection.autocommit = True
    connection.execute(f"create database {name}")
    return StoreSettings(folder, f"postgresql://officer@/{name}?host={connection.info.host}")


def team_file(folder: Path, store: StoreSettings) -> Path:
    """The settings of a department's server, beside its secrets."""
    folder.chmod(0o700)
    store.folder.chmod(0o700)
    for name in ("client", "cookie"):
        _private(folder / f"{name}-secret", f"a {name} secret of more than thirty-two bytes")
    address = "" if store.database is None else f'database_file = "{_private(folder / "address", store.database)}"'
    return _private(
        folder / "team.toml",
        f"""
        address = "https://anonscope.hospital.example"
        [sign_in]
        provider = "https://login.hospital.example"
        client = "anonscope"
        secret_file = "{folder / "client-secret"}"
        cookie_secret_file = "{folder / "cookie-secret"}"
        [roles]
        officer = ["officers"]
        [store]
        folder = "{store.folder}"
        {address}
        """,
    )


def without_triggers(database: Database, *statements: str) -> None:
    """Change a store as somebody who may do anything in its database, and so takes its triggers away."""
    with database.writing() as connection:
        if connection.dialect.name == "sqlite":
            names = connection.execute(text("SELECT name FROM sqlite_master WHERE type = 'trigger'")).scalars().all()
            statements = (*(f"DROP TRIGGER {name}" for name in names), *statements)
        else:
            statements = ("ALTER TABLE audit_line DISABLE TRIGGER ALL", *statements)
        for statement in statements:
            connection.execute(text(statement))


def _private(path: Path, content: str) -> Path:
    path.write_text(content)
    path.chmod(0o600)
    return path

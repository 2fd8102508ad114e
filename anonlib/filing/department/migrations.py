"""How the department's store came to its tables: each version of them is made of the one before, in order.

A migration that was delivered is never changed: what is to be otherwise is one more at the end.
"""

from __future__ import annotations

from dataclasses import dataclass

from sqlalchemy import Connection, inspect

from anonlib.basics.errors import InputError

APPLICATION = 0x416E5344
"""By which SQLite's own tools, too, know that a file is a department's store: “AnSD”."""
_TYPES = {
    "sqlite": {"number": "INTEGER PRIMARY KEY AUTOINCREMENT", "bytes": "BLOB"},
    "postgresql": {"number": "BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY", "bytes": "BYTEA"},
}
"""By kind of database, what stands for ``{number}`` (counts up, none is given twice) and ``{bytes}``."""
_ONLY_APPENDED = "audit lines are only appended"
_FROZEN = "what was submitted is frozen"


@dataclass(frozen=True)
class Migration:
    """What makes a version of the tables of the one before.

    Attributes
    ----------
    tables : tuple[str, ...]
        Statements for both kinds of database, with the names of ``_TYPES`` in braces.
    sqlite, postgresql : tuple[str, ...], default ()
        Statements that only one kind has, as they are, after the others.
    """

    tables: tuple[str, ...]
    sqlite: tuple[str, ...] = ()
    postgresql: tuple[str, ...] = ()

    def apply(self, connection: Connection) -> None:
        """Run the statements on an open transaction."""
        kind = connection.dialect.name
        of_kind = self.sqlite if kind == "sqlite" else self.postgresql
        for statement in (*(table.format(**_TYPES[kind]) for table in self.tables), *of_kind):
            connection.exec_driver_sql(statement)


MIGRATIONS: tuple[Migration, ...] = (
    Migration(
        tables=(
            """
            CREATE TABLE audit_line (
                number BIGINT PRIMARY KEY,
                moment TEXT NOT NULL,
                subject TEXT NOT NULL,
                name TEXT NOT NULL,
                act TEXT NOT NULL,
                facts TEXT NOT NULL,
                previous TEXT NOT NULL,
                own TEXT NOT NULL
            )
            """,
            "CREATE TABLE register (key_id TEXT NOT NULL, made TEXT NOT NULL)",
            """
            CREATE TABLE entry (
                number {number},
                entered TEXT NOT NULL,
                latest TEXT NOT NULL,
                return_by TEXT NOT NULL,
                reassess TEXT NOT NULL,
                closed TEXT NOT NULL,
                closing_note TEXT NOT NULL,
                kind TEXT NOT NULL,
                kind_name TEXT NOT NULL,
                file TEXT NOT NULL,
                original TEXT NOT NULL,
                original_columns TEXT NOT NULL,
                columns TEXT NOT NULL,
                records BIGINT NOT NULL,
                persons BIGINT,
                unit TEXT NOT NULL,
                recipe TEXT NOT NULL,
                project TEXT NOT NULL,
                verdict TEXT NOT NULL,
                may_leave BIGINT NOT NULL,
                leaves_anyway TEXT NOT NULL,
                decided_for TEXT NOT NULL,
                not_found_by TEXT NOT NULL,
                pseudonyms TEXT NOT NULL,
                decided TEXT NOT NULL,
                released_by TEXT NOT NULL
            )
            """,
            """
            CREATE TABLE released_file (
                entry BIGINT NOT NULL REFERENCES entry (number),
                format TEXT NOT NULL,
                sha256 TEXT NOT NULL,
                entered TEXT NOT NULL,
                latest TEXT NOT NULL,
                PRIMARY KEY (entry, format)
            )
            """,
            """
            CREATE TABLE people (
                entry BIGINT NOT NULL REFERENCES entry (number),
                id_column TEXT NOT NULL,
                role TEXT NOT NULL,
                of_release BIGINT NOT NULL,
                counts_up BIGINT NOT NULL,
                persons BIGINT NOT NULL,
                digests {bytes} NOT NULL,
                PRIMARY KEY (entry, id_column)
            )
            """,
        ),
        sqlite=(
            f"PRAGMA application_id = {APPLICATION}",
            f"""
            CREATE TRIGGER audit_line_not_changed BEFORE UPDATE ON audit_line
            BEGIN SELECT RAISE(ABORT, '{_ONLY_APPENDED}'); END
            """,
            f"""
            CREATE TRIGGER audit_line_not_removed BEFORE DELETE ON audit_line
            BEGIN SELECT RAISE(ABORT, '{_ONLY_APPENDED}'); END
            """,
            f"""
            CREATE TRIGGER audit_line_not_replaced BEFORE INSERT ON audit_line
            WHEN NEW.number <> (SELECT coalesce(max(number), 0) + 1 FROM audit_line)
            BEGIN SELECT RAISE(ABORT, '{_ONLY_APPENDED}'); END
            """,
        ),
        postgresql=(
            f"""
            CREATE FUNCTION audit_line_is_kept() RETURNS trigger LANGUAGE plpgsql AS
            $$ BEGIN RAISE EXCEPTION '{_ONLY_APPENDED}'; END $$
            """,
            """
            CREATE TRIGGER audit_line_not_changed BEFORE UPDATE OR DELETE OR TRUNCATE ON audit_line
            FOR EACH STATEMENT EXECUTE FUNCTION audit_line_is_kept()
            """,
        ),
    ),
    Migration(
        tables=(
            """
            CREATE TABLE request (
                number {number},
                replaces BIGINT UNIQUE REFERENCES request (number),
                submitted TEXT NOT NULL,
                officer TEXT NOT NULL,
                officer_name TEXT NOT NULL,
                decided_for TEXT NOT NULL,
                kind TEXT NOT NULL,
                kind_name TEXT NOT NULL,
                verdict TEXT NOT NULL,
                may_leave_by_reason INTEGER NOT NULL,
                file TEXT NOT NULL,
                recipe TEXT NOT NULL,
                decided TEXT NOT NULL,
                evidence TEXT NOT NULL,
                files TEXT NOT NULL,
                seal TEXT NOT NULL
            )
            """,
            """
            CREATE TABLE request_document (
                request BIGINT PRIMARY KEY REFERENCES request (number),
                document TEXT NOT NULL
            )
            """,
            """
            CREATE TABLE request_state (
                request BIGINT PRIMARY KEY REFERENCES request (number),
                state TEXT NOT NULL,
                since TEXT NOT NULL,
                reviewer TEXT NOT NULL,
                reviewer_name TEXT NOT NULL,
                reason TEXT NOT NULL,
                expires TEXT NOT NULL,
                reassess TEXT NOT NULL
            )
            """,
            """
            CREATE TABLE request_comment (
                number {number},
                request BIGINT NOT NULL REFERENCES request (number),
                place TEXT NOT NULL,
                place_name TEXT NOT NULL,
                written TEXT NOT NULL,
                author TEXT NOT NULL,
                author_name TEXT NOT NULL,
                moment TEXT NOT NULL,
                is_open INTEGER NOT NULL,
                settled_by TEXT NOT NULL
            )
            """,
            """
            CREATE TABLE request_file (
                request BIGINT NOT NULL REFERENCES request (number),
                kind TEXT NOT NULL,
                sha256 TEXT NOT NULL,
                moment TEXT NOT NULL,
                PRIMARY KEY (request, kind)
            )
            """,
            """
            CREATE TABLE request_event (
                number {number},
                request BIGINT NOT NULL REFERENCES request (number),
                moment TEXT NOT NULL,
                act TEXT NOT NULL,
                name TEXT NOT NULL,
                note TEXT NOT NULL
            )
            """,
        ),
        sqlite=tuple(
            f"""
            CREATE TRIGGER {table}_not_{what} BEFORE {event} ON {table}
            BEGIN SELECT RAISE(ABORT, '{_FROZEN}'); END
            """
            for table in ("request", "request_document")
            for what, event in (("changed", "UPDATE"), ("removed", "DELETE"))
        ),
        postgresql=(
            f"""
            CREATE FUNCTION request_is_frozen() RETURNS trigger LANGUAGE plpgsql AS
            $$ BEGIN RAISE EXCEPTION '{_FROZEN}'; END $$
            """,
            *(
                f"""
                CREATE TRIGGER {table}_not_changed BEFORE UPDATE OR DELETE OR TRUNCATE ON {table}
                FOR EACH STATEMENT EXECUTE FUNCTION request_is_frozen()
                """
                for table in ("request", "request_document")
            ),
        ),
    ),
    Migration(
        tables=(
            """
            CREATE TABLE reidentification (
                number {number},
                asked TEXT NOT NULL,
                officer TEXT NOT NULL,
                officer_name TEXT NOT NULL,
                label TEXT NOT NULL,
                pseudonym TEXT NOT NULL,
                reason TEXT NOT NULL,
                state TEXT NOT NULL,
                decided TEXT NOT NULL,
                reviewer TEXT NOT NULL,
                reviewer_name TEXT NOT NULL,
                shown TEXT NOT NULL
            )
            """,
        ),
    ),
)
"""In the order in which they are applied; how many there are is the version of the tables."""


def upgrade(connection: Connection) -> None:
    """Bring the tables to this version, on an open transaction that writes.

    Raises
    ------
    InputError
        Where a newer Anonscope made them.
    """
    version = version_of(connection)
    if version > len(MIGRATIONS):
        raise InputError(
            "The department's store was made by a newer version of Anonscope. Install that one.",
            code="version-unknown",
        )
    for migration in MIGRATIONS[version:]:
        migration.apply(connection)
    if version == 0:
        connection.exec_driver_sql("CREATE TABLE store_version (version BIGINT NOT NULL)")
        connection.exec_driver_sql("INSERT INTO store_version VALUES (0)")
    connection.exec_driver_sql(f"UPDATE store_version SET version = {len(MIGRATIONS)}")


def version_of(connection: Connection) -> int:
    """The version of the tables; 0 before there are any."""
    if not inspect(connection).has_table("store_version"):
        return 0
    return int(connection.exec_driver_sql("SELECT version FROM store_version").scalar_one())

"""Tables with nothing in a column, no rows, one column or too many values: pages say so, and none fails."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import ibis
import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from anonlib.columns.roles import Role
from anonlib.filing.evidence import PART_NAMES
from anonlib.filing.project import LoadedTable
from anonlib.reading.connected import Offered, OpenedTable
from anonlib.reading.records import table as records_table
from anonlib.release.codebook import codebook
from tests.helpers.app import (
    DATA,
    GENERALIZE,
    INDIVIDUALS,
    LEAKAGE,
    PAGES,
    RELEASE,
    REPORT,
    RISK,
    VERDICT,
    App,
    computing_again,
    deciding,
    within,
)
from ui.files import connected
from ui.session import view
from ui.session.state import Session

QI = Role.QUASI_IDENTIFIER
N = 60
KNOWN = {
    "age": pa.array([str(20 + i % 5) for i in range(N)]),
    "zip": pa.array([f"0213{i % 3}" for i in range(N)]),
    "illness": pa.array([["flu", "gout"][i % 2] for i in range(N)]),
}
ROLES = {"age": QI, "zip": QI, "illness": Role.SENSITIVE}
MEASURED = (RISK, LEAKAGE, INDIVIDUALS, GENERALIZE)
TOO_MANY = "has more than 40 different values, too many to decide on each of them"


@pytest.fixture
def open_table(tmp_path, monkeypatch) -> Callable[[pa.Table], App]:
    """The Data page with a Parquet file of a folder opened."""
    monkeypatch.setenv(connected.FOLDER, str(tmp_path))

    def opened(table: pa.Table) -> App:
        pq.write_table(table, tmp_path / "odd.parquet")
        app = App(DATA)
        app.widget("selectbox", "Or connected data").select_index(0)
        app.run().press("Open table")
        assert isinstance(app.session.loaded, LoadedTable) and not app.errors
        return app

    return opened


def beside_it(app: App, role: Role, page: str) -> App:
    """A page of a session with this role for the odd column."""
    roles = {name: each for name, each in (ROLES | {"odd": role}).items() if name in app.session.loaded.raw.columns}
    return App(page, session=deciding(Session(loaded=app.session.loaded), roles=roles, k=3))


def message(app: App) -> str:
    return " ".join(app.errors).replace("\\", "")


@pytest.mark.parametrize(
    ("kind", "pages"),
    [(pa.string(), MEASURED), (pa.null(), MEASURED), (pa.float64(), (RISK,)), (pa.date32(), (RISK,))],
    ids=["text", "null", "double", "date"],
)
def test_a_column_in_which_nothing_is_can_be_counted(open_table, kind, pages):
    app = open_table(pa.table(KNOWN | {"odd": pa.nulls(N, kind)})).press("Accept suggestions")
    assert app.session.roles["odd"] is Role.OTHER and not app.errors
    for page in pages:
        assert not beside_it(app, QI, page).errors


def test_numbers_that_are_none_are_as_nothing(open_table):
    app = open_table(pa.table(KNOWN | {"odd": pa.array([float("nan")] * N)}))
    assert app.session.loaded.raw.counts_of("odd").missing == N
    assert not beside_it(app, QI, RISK).errors


def test_a_table_without_rows_is_stated_on_each_page(open_table):
    app = open_table(pa.table({name: cells[:0] for name, cells in KNOWN.items()}))
    for page in MEASURED:
        assert "has no records. Load another" in message(beside_it(app, QI, page))


@pytest.mark.parametrize("cells", [[str(i % 4) for i in range(N)], [None] * N], ids=["values", "nothing"])
def test_a_table_of_one_column_can_be_counted(open_table, cells):
    app = open_table(pa.table({"odd": pa.array(cells, pa.string())}))
    for page in MEASURED:
        assert not beside_it(app, QI, page).errors


@pytest.fixture
def too_many(open_table, monkeypatch) -> Iterator[App]:
    """A million and more are 40 and more here."""
    monkeypatch.setattr(records_table, "MOST_VALUES", 40)
    with computing_again():
        yield open_table(pa.table(KNOWN | {"odd": pa.array([f"v{i}" for i in range(N)])}))


@pytest.mark.parametrize(
    ("role", "pages", "refused"),
    [
        (QI, (*MEASURED, RELEASE, VERDICT), {GENERALIZE}),
        (Role.PLACE, (RISK, RELEASE), set()),
        (Role.SENSITIVE, (RISK, LEAKAGE, RELEASE), set()),
        (Role.IDENTIFIER, (RISK, RELEASE), set()),
        (Role.PERSON_ID, (RISK, RELEASE), set()),
        (Role.OTHER, (RISK, RELEASE), set()),
    ],
)
def test_a_column_of_too_many_values_is_a_sentence_at_most(too_many, role, pages, refused):
    for page in pages:
        app = beside_it(too_many, role, page)
        assert (TOO_MANY in message(app)) is bool(app.errors) is (page in refused), page


def test_one_that_is_known_is_dropped_by_the_first_recipe(too_many):
    app = beside_it(too_many, QI, RELEASE)
    assert "Drop odd" in app.text.replace("*", "") and "They keep **100%" in app.text
    assert not app.press("Start with these steps").errors
    assert "odd" not in within(app.session, lambda: view.now().applied.released.columns)


def test_one_that_leaves_is_in_the_codebook_without_its_values(too_many, monkeypatch):
    monkeypatch.setattr("anonlib.release.codebook.MOST_LEVELS", 40)
    app = beside_it(too_many, Role.OTHER, RELEASE)

    def columns() -> pd.DataFrame:
        now = view.now()
        return codebook(now.applied.released, now.recipe).columns.set_index("column")

    assert "not listed: more than 40 different values" in within(app.session, columns).loc["odd"].tolist()


def test_the_report_says_what_it_cannot_measure_and_is_made_without(too_many):
    app = beside_it(too_many, Role.OTHER, REPORT)
    assert TOO_MANY in message(app)
    assert not app.choose("toggle", PART_NAMES["utility"], False).errors


@dataclass(frozen=True)
class Visits(Offered):
    """A table of a connection of DuckDB."""

    database: Any

    def open(self) -> OpenedTable:
        return OpenedTable(self.database.table("visits"), "0" * 64)


@pytest.mark.parametrize(
    ("change", "pages"),
    [
        ("drop table visits", PAGES),
        ("alter table visits rename column age to years", (DATA, RISK, RELEASE)),
        ("alter table visits alter column age type integer", (DATA, RELEASE)),  # the counts of Risk are the same
    ],
)
def test_a_table_that_changed_is_stated_and_what_is_loaded_stays(change, pages):
    database = ibis.duckdb.connect()
    database.create_table("visits", pa.table(KNOWN))
    loaded = LoadedTable.of(Visits("visits", "DuckDB", database))
    database.raw_sql(change)
    with computing_again():
        for page in pages:
            app = App(page, session=deciding(Session(loaded=loaded), roles=ROLES, k=3))
            assert "Open the table again" in message(app), page
            assert app.session.loaded is loaded and app.session.roles == ROLES

"""Connected data: what a folder and the administrator's connections offer, and what a table is once it is open."""

from __future__ import annotations

import json
import os
from pathlib import Path

import ibis
import pandas as pd
import pytest

from anonlib.basics.errors import InputError
from anonlib.columns.roles import suggest_roles
from anonlib.filing.project import FileRead, LoadedFile, LoadedTable, Project, open_project
from anonlib.reading import connected
from anonlib.reading.connected import FolderListing, Offered, tables_defined, tables_in
from anonlib.reading.sources import AS_FOUND, ibis_table, lookalikes, missing_mark_candidates
from tests.helpers.app import visits
from tests.helpers.errors import refused
from tests.helpers.records import rows_of

PASSWORD = "hunter2"


def frame(n: int = 6) -> pd.DataFrame:
    return pd.DataFrame({"age": [str(30 + i % 3) for i in range(n)], "zip": ["02138"] * n})


def saved(cells: pd.DataFrame, place: Path) -> None:
    cells.to_parquet(place) if place.suffix == ".parquet" else cells.to_csv(place, index=False)


def only(place: Path) -> Offered:
    (offered,) = tables_in(place).tables
    return offered


def names(place: Path) -> list[tuple[str, str]]:
    return [(each.name, each.kind) for each in tables_in(place).tables]


def test_files_and_folders_of_parts_are_offered_by_their_place_within_the_folder(tmp_path):
    extracts, elsewhere = tmp_path / "extracts", tmp_path / "elsewhere"
    for place in ("", "visits", "mixed", ".hidden"):
        (extracts / place).mkdir(parents=True, exist_ok=True)
    elsewhere.mkdir()
    parts = [f"visits/{part}.parquet" for part in (1, 2, 3)]
    for name in ("B.csv", "a.parquet", *parts, "mixed/one.parquet", "mixed/two.csv", ".hidden/x.csv"):
        saved(frame(), extracts / name)
    saved(frame(), elsewhere / "secret.csv")
    (extracts / "notes.docx").write_text("nothing")
    (extracts / "link.csv").symlink_to(elsewhere / "secret.csv")
    assert names(extracts) == [
        ("a.parquet", "Parquet"),
        ("B.csv", "CSV"),
        ("mixed/one.parquet", "Parquet"),
        ("mixed/two.csv", "CSV"),
        ("visits", "Parquet, 3 files"),
    ]
    parts = next(each for each in tables_in(extracts).tables if each.name == "visits")
    assert LoadedTable.of(parts).raw.n_records == 18
    assert parts.n_bytes == sum(path.stat().st_size for path in (extracts / "visits").iterdir())
    assert str(tmp_path) not in repr(tables_in(extracts))


def test_a_folder_that_is_not_there_is_stated(tmp_path):
    with refused("folder-missing"):
        tables_in(tmp_path / "nowhere")
    assert tables_in(tmp_path) == FolderListing(())


LAYOUTS = {
    "semicolons": 'id;"name, first";zip\r\n1;"O""Neil; Ann";02138\r\n2;;\r\n3;x;NA\r\n',
    "a title above": "Visits of 2024\n\nid,name,zip\n1,a,02138\n2,b,?\n",
    "tabs": "id\tzip\n1\t02138\n2\t 02139 \n",
    "no header": "1,02138,5.5\n2,02139,6.5\n3,02140,7.5\n",
    "a mark of the encoding": "\ufeffid,näme\n1,é\n2,e\u0301\n",
    "quoted line ends": 'id,note\n1,"two\nlines"\n2,"plain"\n',
}


@pytest.mark.parametrize("held", [True, False], ids=["held", "in place"])
@pytest.mark.parametrize("text", LAYOUTS.values(), ids=LAYOUTS.keys())
def test_a_text_file_is_the_same_in_place_as_in_memory(text, held, tmp_path, monkeypatch):
    if not held:
        monkeypatch.setattr(connected, "_HELD", 0)
    (tmp_path / "x.csv").write_bytes(text.encode())
    here, there = LoadedFile.of(text.encode(), "x.csv"), LoadedTable.of(only(tmp_path))
    assert there.raw.columns == here.raw.columns
    assert rows_of(there.records()) == rows_of(here.records())


@pytest.mark.parametrize("block", [1 << 22, 7])
def test_lines_are_counted_whatever_block_they_end_in(block, tmp_path, monkeypatch):
    monkeypatch.setattr(connected, "_LOOKED_AT", block)
    for content, quote, n in (
        (b"a,b\n1,2\n", '"', 2),
        (b"a,b\r\n\r\n1,2\r\n\n\n3,4", '"', 3),
        (b'a,"b\nc"\n"x""\n""y",2\n', '"', 2),
        (b'a,"b\nc,d\n', None, 2),
        (b"", '"', 0),
    ):
        (tmp_path / "x.csv").write_bytes(content)
        assert connected._lines(tmp_path / "x.csv", quote) == n, content


EVEN = b"a,b\n" + b"1,2\n" * 2_000_000


@pytest.mark.parametrize("odd", [b"1,2,3\n", b"1\n" + b"1,2\n" * 20, b'1,"2\n'], ids=["more", "fewer", "open quote"])
def test_no_line_is_passed_over_where_the_engine_says_nothing_of_it(odd, tmp_path, monkeypatch):
    """DuckDB 1.5 counts two million records in the first two, and says nothing of the others."""
    monkeypatch.setattr(connected, "_HELD", 0)
    (tmp_path / "x.csv").write_bytes(EVEN + odd)
    with refused("rows-uneven"):
        only(tmp_path).open()


def test_what_cannot_be_read_in_place_is_stated(tmp_path, monkeypatch):
    monkeypatch.setattr(connected, "_HELD", 0)
    file = tmp_path / "x.csv"
    for content, message in (
        ("id,näme\n1,Jürgen Müller\n2,René\n".encode("latin-1") * 20, "Save it as UTF-8 or Parquet"),
        (b"id      name\n1       Ann\n2       Bob\n" * 5, "delimiter between them"),
    ):
        file.write_bytes(content)
        with pytest.raises(InputError, match=message):
            LoadedTable.of(only(tmp_path))
    file.unlink()
    (tmp_path / "x.parquet").write_bytes(b"PAR1 and no more")
    with refused("file-damaged"):
        LoadedTable.of(only(tmp_path))
    pd.DataFrame({"a": [[1, 2]]}).to_parquet(tmp_path / "x.parquet")
    with refused("cells-not-values"):
        LoadedTable.of(only(tmp_path))


def test_a_file_that_changed_or_went_is_noticed(tmp_path):
    file = tmp_path / "x.parquet"
    frame().to_parquet(file)
    offered = only(tmp_path)
    opened = offered.open()
    assert offered.why_changed(opened) == "" and offered.open().digest == opened.digest
    frame(7).to_parquet(file)
    os.utime(file, ns=(1, 1))
    assert "has changed since it was opened" in offered.why_changed(opened)
    with refused("file-changed"):
        offered.open()
    assert only(tmp_path).open().digest != opened.digest
    file.unlink()
    assert "not there any more" in offered.why_changed(opened)
    with refused("file-missing"):
        offered.open()


ODD_NAMES = "a[1] a1 b* bb c? cc [d-f] e {g,h} [!x]]".split()


@pytest.mark.parametrize("kind", ["held", "csv", "parquet"])
def test_a_name_is_a_file_and_no_pattern(kind, tmp_path, monkeypatch):
    if kind == "csv":
        monkeypatch.setattr(connected, "_HELD", 0)
    root = tmp_path / "data [2024]" / "x*y?"
    root.mkdir(parents=True)
    for i, name in enumerate(ODD_NAMES):
        saved(pd.DataFrame({"a": [f"cell {i}", f"of {i}"]}), root / f"{name}.{'csv' if kind == 'held' else kind}")
    opened = {each.name.rpartition(".")[0]: LoadedTable.of(each) for each in tables_in(root).tables}
    assert {name: set(table.records().values("a")) for name, table in opened.items()} == {
        name: {f"cell {i}", f"of {i}"} for i, name in enumerate(ODD_NAMES)
    }


def test_a_file_named_like_a_pattern_is_opened_by_the_library_too(tmp_path):
    for name in ("a[1]", "a1", "a2"):
        pd.DataFrame({"a": [name]}).to_parquet(tmp_path / f"{name}.parquet")
    assert ibis_table(tmp_path / "a[1].parquet").execute()["a"].tolist() == ["a[1]"]
    assert sorted(ibis_table(tmp_path / "a*.parquet").execute()["a"]) == ["a1", "a2", "a[1]"]


def test_links_that_lead_out_in_a_circle_or_nowhere_are_passed_over_and_stated(tmp_path):
    extracts = tmp_path / "extracts"
    extracts.mkdir()
    frame().to_csv(tmp_path / "secret.csv", index=False)
    frame().to_csv(extracts / "here.csv", index=False)
    for name, to in (
        ("out.csv", tmp_path / "secret.csv"), ("circle.csv", "circle.csv"), ("one.parquet", "other.parquet"),
        ("other.parquet", "one.parquet"), ("nowhere.csv", "gone.csv"), ("latest.csv", "here.csv"), ("up.csv", ".."),
    ):  # fmt: skip
        (extracts / name).symlink_to(to)
    (extracts / "round").symlink_to(extracts, target_is_directory=True)
    listing = tables_in(extracts)
    assert [each.name for each in listing.tables] == ["here.csv", "latest.csv"]
    left = ("circle.csv", "nowhere.csv", "one.parquet", "other.parquet", "out.csv", "up.csv")
    assert listing.passed_over == left
    circle = tmp_path / "circle"
    circle.symlink_to(circle)
    with refused("folder-missing"):
        tables_in(circle)


@pytest.mark.parametrize("ending", ["csv", "parquet"])
@pytest.mark.parametrize("how", ["link out", "link within", "other file", "folder"])
def test_what_was_exchanged_after_it_was_listed_is_not_opened(how, ending, tmp_path):
    extracts = tmp_path / "extracts"
    extracts.mkdir()
    places = extracts / f"a.{ending}", extracts / f"b.{ending}", tmp_path / f"secret.{ending}"
    for place in places:
        saved(frame(), place)
        os.utime(place, ns=(1, 1))  # alike in size and time
    offered = tables_in(extracts).tables[0]
    opened = offered.open()
    here, beside, secret = places
    here.rename(tmp_path / "moved")
    if how == "other file":
        secret.rename(here)
    elif how == "folder":
        here.mkdir()
    else:
        here.symlink_to(secret if how == "link out" else beside)
    with pytest.raises(InputError, match=r"has changed since it was listed|not there any more"):
        offered.open()
    assert offered.why_changed(opened) != ""


def test_names_that_are_shown_alike_are_distinguished(tmp_path):
    for i, name in enumerate(("a\u200b.csv", "a.csv")):
        pd.DataFrame({"a": [f"cell {i}"]}).to_csv(tmp_path / name, index=False)
    tables = tables_in(tmp_path).tables
    assert [each.name for each in tables] == ["a.csv", "a.csv (2)"]
    assert {LoadedTable.of(each).records().values("a")[0] for each in tables} == {"cell 0", "cell 1"}


@pytest.fixture
def both(tmp_path) -> tuple[LoadedFile, LoadedTable]:
    data = visits(200, seed=3).replace(b",Male,", b",male,", 20)
    (tmp_path / "visits.csv").write_bytes(data)
    return LoadedFile.of(data, "visits.csv"), LoadedTable.of(only(tmp_path))


def test_a_table_is_prepared_as_a_file_is(both):
    how = FileRead("", "visits.csv", 0, (), marks=("", "ok"), column_marks=(("zip", "01840"),), merged=("sex",))
    prepared = [each.read_as(how) for each in both]
    for here, there in (both, tuple(loaded for loaded, _ in prepared)):
        assert rows_of(there.records()) == rows_of(here.records())
        for name in here.raw.columns:
            assert there.records().values(name).tolist() == here.records().values(name).tolist()
        assert suggest_roles(there.records()) == suggest_roles(here.records())
    here, there = (each.unprepared.counts() for each in both)
    assert missing_mark_candidates(there) == missing_mark_candidates(here)
    assert lookalikes(there) == lookalikes(here) != ()
    assert set(prepared[1][0].records().values("sex")) == {"Female", "Male"}


def test_a_column_of_too_many_values_is_passed_over(both, monkeypatch):
    _, there = both
    monkeypatch.setattr("anonlib.reading.records.table.MOST_VALUES", 50)
    again = LoadedTable.of(there.offered)
    assert "full_name" not in again.counts() and "sex" in again.counts()
    assert again.records().columns == there.records().columns


def test_how_far_the_counting_is_is_reported_and_it_can_be_stopped(both):
    _, there = both
    reports: list[float] = []
    LoadedTable.of(there.offered, reports.append)
    assert reports == [i / 8 for i in range(8)]

    def stop(share: float) -> None:
        if share > 0.4:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        LoadedTable.of(there.offered, stop)


def test_a_project_is_used_on_a_table_as_on_a_file(both):
    roles = {each.column: each.role for each in suggest_roles(both[0].records())}
    project = Project(roles=roles)
    here, there = (open_project(project, each) for each in both)
    assert there.verdict.says == here.verdict.says
    assert there.data.content_digest == here.data.content_digest
    file = there.project.file
    assert file is not None and (file.name, file.n_records, file.options) == ("visits.csv", 200, AS_FOUND)
    saved = Project.from_json(there.project.to_json().encode())
    assert open_project(saved, both[1]).key == there.key


@pytest.fixture
def database(tmp_path) -> Path:
    place = tmp_path / "clinic.duckdb"
    connection = ibis.duckdb.connect(place)
    connection.create_table("visits", frame())
    connection.disconnect()
    return place


def defined(**settings) -> Offered:
    (offered,) = tables_defined({"registry": {"backend": "duckdb", **settings}})
    return offered


def test_a_table_or_a_query_of_a_database_is_opened(database):
    connection = {"database": str(database), "read_only": True}
    table = LoadedTable.of(defined(connection=connection, table="visits", columns=["age"]))
    assert (table.name, table.offered.kind, table.offered.n_bytes) == ("registry", "DuckDB", None)
    assert table.raw.columns == ["age"] and table.raw.n_records == 6
    query = LoadedTable.of(defined(connection=connection, query="select zip, age from visits where age <> '30'"))
    assert query.raw.columns == ["zip", "age"] and query.raw.n_records == 4
    assert len({table.digest, query.digest}) == 2


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"table": "nothing"}, "table of “registry” cannot be opened"),
        ({"query": "select nothing from"}, "query of “registry” cannot be opened"),
        ({"table": "visits", "columns": ["age", "gone"]}, "no column gone any more"),
    ],
)
def test_what_the_database_does_not_have_is_stated(settings, message, database):
    with pytest.raises(InputError, match=message):
        defined(connection={"database": str(database), "read_only": True}, **settings).open()


@pytest.mark.parametrize(
    "connection", [f"duckdb:///nowhere/{PASSWORD}/x.duckdb", {"database": f"/nowhere/{PASSWORD}/x"}]
)
def test_no_credentials_are_in_what_is_stated(connection):
    offered = defined(connection=connection, table="visits")
    with refused("database-silent") as raised:
        offered.open()
    assert PASSWORD not in str(raised.value) + repr(offered) and raised.value.__cause__ is None


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ("postgres://", "must be a table of settings"),
        ({"backend": "duckdb", "tabel": "x"}, "settings that are not known: tabel"),
        ({"table": "x"}, "needs a backend"),
        ({"backend": "duckdb"}, "either a table or a query"),
        ({"backend": "duckdb", "table": "x", "query": "y"}, "either a table or a query"),
        ({"backend": "duckdb", "table": "x", "columns": "age"}, "columns as a list"),
        ({"backend": "duckdb", "table": "x", "connection": 5}, "connection as an address"),
        ({"backend": "duckdb", "table": "x", "releases": ["keep"]}, "releases are text"),
        ({"backend": "mysql", "table": "x", "releases": PASSWORD}, "only DuckDB, PostgreSQL and Spark can have"),
        ({"backend": "spark", "table": "x", "releases": f"{PASSWORD}/x"}, "a whole path, or an address"),
    ],
)
def test_a_definition_that_is_wrong_is_stated(given, message):
    with pytest.raises(InputError, match=message) as raised:
        tables_defined({"registry": given})
    assert PASSWORD not in str(raised.value)


@pytest.mark.parametrize(
    ("backend", "place"),
    [("postgresql", "keep"), ("duckdb", "keep"), ("spark", "/keep/releases"), ("spark", "s3a://keep/releases")],
)
def test_a_place_for_releases_is_known_from_the_definition(backend, place):
    assert defined(backend=backend, table="x", releases=place).place_of_releases == place
    assert defined(backend=backend, table="x").place_of_releases is None


def test_a_driver_that_is_not_there_is_stated():
    with refused("package-missing"):
        defined(backend="nosuch", table="x").open()


def test_a_saved_project_of_a_table_names_no_path(both):
    _, there = both
    saved = json.loads(open_project(Project(), there).project.to_json())
    (table,) = saved["tables"]
    assert table["file"]["name"] == "visits.csv" and "/" not in json.dumps(table["file"])

"""The step that keeps at most so many rows of each person: which stay, where it stands, and what is said of it."""

from __future__ import annotations

from collections import Counter, defaultdict
from hashlib import sha256
from io import BytesIO

import ibis
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from openpyxl import load_workbook

from anonlib.basics.errors import InputError
from anonlib.coarsening.recoding import DateUnit, Intervals
from anonlib.columns.roles import Role
from anonlib.dataset import Dataset
from anonlib.release.codebook import NOT_HERE, codebook
from anonlib.release.export import write_released
from anonlib.release.recipe import Recipe
from anonlib.release.steps import AtMostRows, DropColumns, LeaveOut, Recode, ShiftDates
from tests.helpers.errors import refused
from tests.helpers.examples import settings
from tests.helpers.records import rows_of
from tests.helpers.three_tables import cases, dataset_of, in_duckdb, unzipped

SECRET = "00112233445566778899aabbccddeeff"
ROLES = {"id": Role.PERSON_ID, "seen": Role.QUASI_IDENTIFIER}
Row = tuple[str | None, str | None, str | None]


def data_of(rows: list[Row], **fields) -> Dataset:
    frame = pd.DataFrame(rows, columns=["id", "seen", "x"], dtype=object)
    return Dataset.from_frame(frame, roles=ROLES, **fields)


def kept(step: AtMostRows, rows: list[Row]) -> list[Row]:
    return sorted(rows_of(step.apply(data_of(rows)).held).elements(), key=repr)


VISITS: list[Row] = [
    ("a", "2021-03-01", "1"), ("a", "2020-12-31", "2"), ("a", None, "3"), ("b", "2021-01-01 10:30", "4"),
    ("b", "2021-01-01 09:15", "5"), (None, "2021-05-05", "6"), (None, "2021-05-05", "6"), ("c", None, "7"),
]  # fmt: skip


@pytest.mark.parametrize(
    ("n", "which", "expected"),
    [
        (1, "first", ["2", "5", "7"]),
        (1, "last", ["1", "4", "7"]),
        (2, "first", ["1", "2", "4", "5", "7"]),
        (3, "last", ["1", "2", "3", "4", "5", "7"]),
    ],
)
def test_the_first_or_last_rows_by_a_date_stay(n, which, expected):
    """Time of day counts, a missing date comes last, and rows without an id are persons of their own."""
    stays = kept(AtMostRows(n, which, "seen", secret=SECRET), VISITS)
    assert Counter(x for _, _, x in stays) == Counter([*expected, "6", "6"])


def test_numbers_are_put_in_order_as_numbers():
    rows: list[Row] = [("a", "9", "low"), ("a", "10", "high"), ("a", "-1", "least")]
    assert [x for *_, x in kept(AtMostRows(1, "first", "seen", secret=SECRET), rows)] == ["least"]
    assert [x for *_, x in kept(AtMostRows(1, "last", "seen", secret=SECRET), rows)] == ["high"]


def plainly(rows: list[Row], n: int, which: str) -> Counter[Row]:
    """The same by code that shares nothing with the step: dates of this test sort as texts."""
    of_person, stays = defaultdict(list), Counter[Row]()
    for row in rows:
        if row[0] is None:
            stays[row] += 1
        else:
            of_person[row[0]].append(row)
    for mine in of_person.values():
        mine.sort(key=lambda row: sha256((SECRET + " \x1f" + "\x1f".join(c or "" for c in row)).encode()).hexdigest())
        if which != "drawn":
            dated = sorted((row for row in mine if row[1]), key=lambda row: row[1], reverse=which == "last")
            if which == "last":  # of equal dates the order of the draw stays
                dated = sorted(dated, key=lambda row: mine.index(row))
                dated = sorted(dated, key=lambda row: row[1], reverse=True)
            mine = dated + [row for row in mine if not row[1]]
        stays.update(mine[:n])
    return stays


ANY_ROWS = st.lists(
    st.tuples(
        st.sampled_from([None, "a", "b", "c"]),
        st.sampled_from([None, "2020-01-01", "2020-02-01", "2021-01-01"]),
        st.sampled_from([None, "u", "v"]),
    ),
    min_size=1,
    max_size=14,
)


@settings(200, deadline=None)
@given(ANY_ROWS, st.integers(1, 4), st.sampled_from(["drawn", "first", "last"]))
def test_the_rows_that_stay_are_those_of_plain_code_and_the_same_in_an_engine(rows, n, which):
    by = "" if which == "drawn" else "seen"
    if by and not any(seen for _, seen, _ in rows):
        by, which = "", "drawn"
    step, data = AtMostRows(n, which, by, secret=SECRET), data_of(rows)
    found = rows_of(step.apply(data).held)
    assert found == plainly(rows, n, which)
    there = Dataset.from_ibis(
        ibis.memtable(pd.DataFrame(rows, columns=["id", "seen", "x"], dtype="string")), roles=ROLES
    )
    assert rows_of(step.apply(there).held) == found and step.persons_cut(there) == step.persons_cut(data)
    sizes = Counter(row[0] for row in rows if row[0] is not None)
    assert step.persons_cut(data) == sum(size > n for size in sizes.values())


def test_another_secret_draws_other_rows():
    rows: list[Row] = [("a", "2020-01-01", str(i)) for i in range(40)]
    drawn = {kept(AtMostRows(1, secret=f"{i:032x}"), rows)[0] for i in range(60)}
    assert len(drawn) > 20, "each row has its turn"


def test_what_it_did_is_counted_and_named():
    applied = Recipe.of([AtMostRows(1, "first", "seen", secret=SECRET)]).apply(data_of(VISITS))
    (effect,) = applied.effects
    assert (effect.records_removed, effect.persons_cut, effect.cells_changed) == (3, 2, 0)
    assert [AtMostRows(n, secret=SECRET).describe() for n in (1, 2)] == [
        "Keep at most 1 row of each person, drawn at random", "Keep at most 2 rows of each person, drawn at random"
    ]  # fmt: skip


@pytest.mark.parametrize("persons", [0, 9, 10])
def test_the_codebook_names_the_limit_and_not_how_many_had_more(persons):
    rows: list[Row] = [(f"p{i}", "2020-01-01", "u") for i in range(30)]
    rows += [(f"p{i}", "2020-01-02", "v") for i in range(persons) for _ in range(2)]
    recipe = Recipe.of([AtMostRows(1, "first", "seen", secret=SECRET)])
    book = codebook(recipe.apply(data_of(rows)).released, recipe)
    limit = "Keep at most 1 row of each person, the first by seen. Rows beyond that are not in this file."
    assert book.notes == (NOT_HERE, limit)
    assert load_workbook(BytesIO(book.to_excel())).sheetnames == ["Columns", "Levels", "Notes"]
    assert codebook(Recipe().apply(data_of(rows)).released, Recipe()).notes == (NOT_HERE,)


def test_it_stands_before_all_others_and_they_count_after_it():
    earlier = Recipe.of([Recode("seen", DateUnit("year")), LeaveOut(2)])
    first = AtMostRows(1, "first", "seen", secret=SECRET)
    assert earlier.take([first]).enabled == (first, *earlier.enabled)
    moved = ShiftDates(("seen",), secret=SECRET)
    both = earlier.take([moved]).take([first])
    assert both.enabled == (first, moved, *earlier.enabled) == earlier.take([first]).take([moved]).enabled
    assert both.take([Recode("x", Intervals(10))]).enabled[:2] == (first, moved)
    assert both.take([DropColumns(("seen",))]).enabled[:2] == (first, moved) and both.dropped == frozenset()
    rows: list[Row] = [("a", "2020-01-01", "u"), *((person, "2020-05-05", "u") for person in "abc")]
    data = Dataset.from_frame(data_of(rows).records, roles=ROLES | {"x": Role.OTHER})
    assert data.persons(["seen"]).n_persons == 3
    assert first.apply(data).classes(["seen"]).counts.tolist() == [1, 2], "leaving out a row parts a from b and c"


def test_searches_protect_what_it_leaves():
    data, first = data_of(VISITS), AtMostRows(1, "first", "seen", secret=SECRET)
    looked_at = Recipe.of([first, LeaveOut(2)]).to_protect(data)
    assert rows_of(looked_at.held) == rows_of(first.apply(data).held)


def test_it_is_kept_and_read_as_it_is():
    for step in (AtMostRows(3, secret=SECRET), AtMostRows(1, "last", "seen", "month", SECRET, "too many")):
        recipe = Recipe.of([step])
        again = Recipe.from_json(recipe.to_json())
        assert again == recipe and again.digest == recipe.digest
        assert step.without({"x"}) is step and (step.without({"seen"}) is None) == bool(step.by)
        assert step.knowing(data_of(VISITS)) is step and step.unseen(data_of(VISITS)) == () == step.emptied
    assert AtMostRows(1, secret=SECRET).apply_to_population(data := data_of(VISITS)) is data


WRONG = [
    {"n": 0}, {"n": "2"}, {"which": "best"}, {"which": "first"}, {"by": "seen"}, {"secret": ""},
    {"secret": SECRET[:-2]}, {"secret": "g" * 32}, {"which": "first", "by": "seen", "dates_begin_with": "year"},
]  # fmt: skip


@pytest.mark.parametrize("wrong", WRONG, ids=str)
def test_what_it_cannot_be_is_refused(wrong):
    with pytest.raises(InputError) as error:
        AtMostRows.from_dict({"n": 2, "secret": SECRET, **wrong})
    assert "gggg" not in str(error.value)


def test_its_secret_is_in_nothing_that_is_shown():
    step = AtMostRows(1, secret=SECRET)
    assert SECRET not in repr(step) + step.describe()
    recipe = Recipe.of([step])
    book = codebook(recipe.apply(data_of(VISITS)).released, recipe)
    assert SECRET not in book.columns.to_csv() + book.levels.to_csv() + str(book.notes)


def test_columns_that_are_in_no_order_are_refused_without_their_values():
    rows: list[Row] = [("a", "2020-01-01", "u"), ("a", "soon", "v"), ("b", "soon", "w")]
    with pytest.raises(
        InputError, match="2 rows of “seen” hold something that is not a date or a number, the first of"
    ) as e:
        AtMostRows(1, "first", "seen", secret=SECRET).apply(data_of(rows))
    assert "them row 2. Choose a column" in str(e.value) and "soon" not in str(e.value)
    with refused("column-unknown", "day"):
        AtMostRows(1, "first", "day", secret=SECRET).apply(data_of(rows))
    with refused("column-counts-persons", "id"):
        AtMostRows(1, "first", "id", secret=SECRET).apply(data_of(rows))
    with refused("no-person-id"):
        AtMostRows(1, secret=SECRET).apply(data_of(rows).with_roles({}))


TABLES = {
    "patients": pd.DataFrame({"patient": ["P0", "P1"], "age": ["30", "40"]}),
    "visits": pd.DataFrame({
        "visit": ["V0", "V1", "V2", "V3"], "patient": ["P0", "P0", "P0", "P1"], "ward": ["a", "a", "b", "a"],
        "month": ["2021-03-01", "2021-01-01", "2021-02-01", "2021-01-01"],
    }),
    "values": pd.DataFrame({"visit": ["V0", "V1", "V1", "V3"], "code": ["x", "y", "z", "x"], "result": ["1"] * 4}),
}  # fmt: skip


@pytest.mark.parametrize("opened", [dataset_of, in_duckdb], ids=["in memory", "in an engine"])
def test_rows_of_one_table_are_limited_and_what_hangs_below_them_goes_too(opened):
    data = opened(TABLES)
    recipe = Recipe.of([AtMostRows(1, "first", "month", secret=SECRET, table="visits")])
    applied = recipe.apply(data)
    tables = files_of(applied.released)
    assert [row["month"] for row in tables["visits"]] == ["2021-01-01", "2021-01-01"] and len(tables["patients"]) == 2
    assert sorted(row["code"] for row in tables["values"]) == ["x", "y", "z"]
    effect = applied.effects[0]
    assert effect is not None and effect.persons_cut == 1 and effect.records_removed == 3
    assert recipe.entries[0].step.describe() == "Keep at most 1 row of each person, the first by month, in “visits”"
    assert Recipe.from_json(recipe.to_json()).digest == recipe.digest
    no_table = Recipe.of([AtMostRows(1, secret=SECRET)]).apply(data).problems
    assert "Say of which table rows are limited: “patients”, “visits” and “values”." in str(no_table)


@settings(max_examples=25, deadline=None)
@given(cases(), st.sampled_from(["visits", "values"]), st.integers(1, 2))
def test_the_same_rows_of_tables_stay_in_memory_and_in_an_engine(frames, table, n):
    recipe = Recipe.of([AtMostRows(n, secret=SECRET, table=table)])
    here, there = (recipe.apply(opened(frames)) for opened in (dataset_of, in_duckdb))
    assert not here.problems and not there.problems
    columns = ["patient", "age", "month", "ward", "code", "result"]
    looks = [
        Counter(tuple(None if pd.isna(cell) else cell for cell in row) for row in rows[columns].itertuples(index=False))
        for rows in (each.released.held.head(1_000) for each in (here, there))
    ]
    assert looks[0] == looks[1]
    left = Counter(row["patient"] for row in rows_below(files_of(here.released), table))
    assert max(left.values(), default=0) <= n
    frames_left = rows_below({name: frame.to_dict("records") for name, frame in frames.items()}, table)
    had = Counter(row["patient"] for row in frames_left)
    assert table == "values" or sorted(left.values()) == sorted(min(n, each) for each in had.values())


def files_of(released: Dataset) -> dict[str, list[dict[str, str]]]:
    file = BytesIO()
    write_released(file, "CSV", released, [1])
    return unzipped(file.getvalue())


def rows_below(tables, table: str) -> list[dict[str, str]]:
    """The rows of a table, each with its patient."""
    of_visit = {row["visit"]: row["patient"] for row in tables["visits"]}
    return tables["visits"] if table == "visits" else [{"patient": of_visit[row["visit"]]} for row in tables["values"]]

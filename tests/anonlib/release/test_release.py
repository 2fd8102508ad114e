"""The released file, original and release side by side, and a first recipe, against obvious references."""

from __future__ import annotations

import csv
import io
import math
import sys
import unicodedata
from collections import Counter

import numpy as np
import pandas as pd
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

import tests.reference.criteria as counting
from anonlib.coarsening.recoding import DateUnit, Intervals, Mask, Redaction, ValueMap
from anonlib.columns.roles import Role
from anonlib.dataset import Dataset
from anonlib.reading.records import FrameRecords
from anonlib.reading.samples import SAMPLES
from anonlib.reading.sources import open_source
from anonlib.release.comparison import compare
from anonlib.release.export import neutralise, released_csv, table_csv, value_mapping
from anonlib.release.recipe import Entry, Recipe
from anonlib.release.steps import DropColumns, LeaveOut, Recode
from anonlib.release.suggestions import first_recipe, suggested_recoding
from tests.helpers.examples import settings
from tests.helpers.small_release import (
    COLUMNS,
    IDENTIFIER,
    OTHER,
    PERSON,
    QI,
    ROWS,
    SENSITIVE,
    STEPS,
    WEIGHT,
    column,
    rows_of,
    small,
)

# ---- what leaves -----------------------------------------------------------------------------------------------------


def read_csv(data: bytes) -> tuple[list[str], list[list[str]]]:
    rows = list(csv.reader(io.StringIO(data.decode("utf-8"), newline="")))
    return rows[0], rows[1:]


def test_the_released_csv_holds_the_released_cells_with_missing_ones_empty():
    header, rows = read_csv(released_csv(Recipe().apply(small()).released))
    assert header == COLUMNS[1:]
    assert sorted(rows) == sorted(["" if cell is None else cell for cell in row[1:]] for row in ROWS)


def test_identifiers_are_in_no_file_that_leaves():
    data = small()
    recipe = Recipe.of([Recode("name", Mask(1)), *STEPS])
    assert b"Ann" not in released_csv(recipe.apply(data).released)
    header, _ = read_csv(released_csv(recipe.apply(data).released))
    assert header == ["age", "zip", "illness"]


def persons(seed: int = 0) -> Dataset:
    rng = np.random.default_rng(seed)
    ids = [f"MRN{number:06d}" for number in rng.choice(10**6, 40, replace=False)]
    who = [*rng.choice(ids, 200), None, None]
    frame = pd.DataFrame({"mrn": pd.Series(who, dtype=object), "sex": list("FM") * 101, "visit": range(202)})
    return Dataset.from_frame(frame, roles={"mrn": PERSON, "sex": QI})


def with_originals(rows: list[list[str]], data: Dataset) -> list[tuple[str | None, str | None]]:
    """Of each visit, the original id and the released one."""
    original = dict(zip(column(data, "visit"), column(data, "mrn"), strict=True))
    return [(original[visit], new or None) for new, _, visit in rows]


def test_person_ids_are_replaced_one_to_one_by_numbers_that_are_not_the_originals():
    data = persons()
    _, rows = read_csv(released_csv(Recipe().apply(data).released))
    original, new = zip(*with_originals(rows, data), strict=True)
    pairs = set(zip(original, new, strict=True))
    assert len(pairs) == len(set(original)) == len(set(new)), "one to one"
    assert (None, None) in pairs and sum(value is None for value in new) == 2
    numbers = {value for value in new if value is not None}
    assert numbers == {str(number) for number in range(1, len(numbers) + 1)}


def test_person_ids_are_in_an_order_drawn_again_for_each_file():
    """Neither the order of the originals nor one that a second release or a known seed would repeat."""
    data = persons()
    files = {released_csv(Recipe().apply(data).released) for _ in range(5)}
    assert len(files) == 5
    by_original = sorted(
        {(a, int(new)) for a, new in with_originals(read_csv(files.pop())[1], data) if a is not None and new}
    )
    assert [number for _, number in by_original] != sorted(number for _, number in by_original)
    seeded = [released_csv(data, np.random.default_rng(7)) for _ in range(2)]
    assert seeded[0] == seeded[1]


@pytest.mark.parametrize(
    "text",
    [
        *(f"{start}HYPERLINK(1)" for start in "=+-@\t\r\n"), "-1+1", "+1-1", "-2*3", "=1", "=-1", "-(1)", "--1",
        "-1e5x", "+A1", "-cmd|' /C calc'!A0", "@SUM(1)", "\t=1+1", "\r=1", "-", "+", "\uff1d1+1", "\uff0b1+1",
        "\uff0d1+a", "\uff20SUM(1)", " =1+1",
    ],
)  # fmt: skip
def test_text_that_a_spreadsheet_would_run_gets_an_apostrophe(text):
    """Also what only begins like a number, and what begins with a full-width sign."""
    assert neutralise([text, "a", "-7"]) == [f"'{text}", "a", "-7"]


@pytest.mark.parametrize("text", ["-5", "+5", "-0.5", "-1,234.5", "-1e5", "+.5", "-3,5", "a; b", "10;-5"])
def test_numbers_with_a_sign_stay_numbers(text):
    assert neutralise([text]) == [text]


@pytest.mark.parametrize("text", ["a;{}=1+1", ";{}=1+1", "{}=1;{}\uff1d2", "a\n{}=1+1"])
def test_each_cell_that_a_semicolon_or_a_line_begins_is_neutralised(text):
    assert neutralise([text.format("", "")]) == [text.format("'", "'")]


@given(st.lists(st.text(max_size=6) | st.text("=;-1\n\t'a", max_size=6), max_size=8))
def test_no_text_leaves_with_a_formulas_first_character_unless_it_is_a_number(texts):
    for before, after in zip(texts, neutralise(texts), strict=True):
        assert after.replace("'", "") == before.replace("'", ""), "apostrophes are all that is added"
        assert ";=" not in after.replace("\t", "")
        if after[:1] in ("=", "@") or after[:1] in ("\t", "\r", "\n", "+", "-"):
            float(after.strip().replace(",", "").replace(" ", "").replace("'", "").replace("’", ""))


UNSEEN = [chr(i) for i in range(sys.maxunicode + 1) if unicodedata.category(chr(i)) in ("Cc", "Cf")]


@pytest.mark.parametrize("sign", ["=1+1", "@x", "+a", "-a", "\uff1d1"])
def test_what_is_not_seen_in_front_of_a_formula_hides_it_from_nobody(sign: str) -> None:
    hidden = [f"{unseen}{sign}" for unseen in [*UNSEEN, "\ufe0f", "\u115f", "\u3164", "\u200b \u2060"]]
    texts = [*hidden, *(f"a;{text}" for text in hidden)]
    assert [text for text, after in zip(texts, neutralise(texts), strict=True) if "'" not in after] == []


def test_formulas_are_neutralised_in_cells_headers_and_tables_alike():
    frame = pd.DataFrame({"=cmd()": ["=1+1", "-5", None], "age": ["+44", "@x", "44"]})
    header, rows = read_csv(released_csv(Dataset.from_frame(frame, roles={"age": QI})))
    assert header == ["'=cmd()", "age"]
    assert sorted(rows) == sorted([["'=1+1", "+44"], ["-5", "'@x"], ["", "44"]])
    header, rows = read_csv(table_csv(frame.assign(n=[-1, 0, 1])))
    assert header == ["'=cmd()", "age", "n"]
    assert rows == [["'=1+1", "+44", "-1"], ["-5", "'@x", "0"], ["", "44", "1"]]


def test_value_mappings_follow_the_values_through_the_steps():
    data = small()
    no_cancer = Recode("illness", ValueMap.of({"cancer": None}))
    steps = [Recode("zip", Mask(4)), DropColumns(("visit",)), Recode("zip", Mask(2)), Recode("visit", DateUnit())]
    recipe = Recipe.of([*steps, no_cancer, DropColumns(("age",)), Recode("age", Intervals(10))]).switch(1, False)
    table = value_mapping(recipe.apply(data), recipe)
    assert table.columns.tolist() == ["step", "column", "value", "released as", "records"]
    message = [tuple(None if pd.isna(v) else v for v in row) for row in table.itertuples(index=False)]
    assert message[:5] == [
        (1, "zip", "02138", "0213*", 3),
        (1, "zip", "02139", "0213*", 1),
        (1, "zip", "02141", "0214*", 2),
        (3, "zip", "0213*", "02***", 4),
        (3, "zip", "0214*", "02***", 2),
    ]
    assert {row[:2] for row in message} == {(1, "zip"), (3, "zip"), (4, "visit"), (5, "illness")}
    assert (5, "illness", "cancer", None, 1) in message
    assert value_mapping(Recipe().apply(data), Recipe()).empty


# ---- original and release side by side -------------------------------------------------------------------------------


def entropy(values: list) -> float:
    n = len(values)
    return -sum(count / n * math.log2(count / n) for count in Counter(values).values())


VALUES_HELD = ["12", "17", "34", "a", "ab", "2024-01-05", "=1", "-3", "x,y", 'q"q', " z", "é"]
VALUES = st.sampled_from([None, *VALUES_HELD])
QUASI = ["q1", "q2", "q3"]


@st.composite
def data_sets(draw, max_rows: int = 14) -> Dataset:
    """Few records of few values, so that classes of several sizes and single records both occur."""
    n = draw(st.integers(1, max_rows))
    few = st.lists(VALUES, min_size=1, max_size=4, unique=True)
    cells = {}
    for name in [*QUASI, "s", "name"]:
        cells[name] = draw(st.lists(st.sampled_from(draw(few)), min_size=n, max_size=n))
    cells["ward"] = ["A"] * n  # so that no row is blank, which a reader takes for the end of the table
    roles = {"q1": QI, "q2": Role.PLACE, "q3": QI, "s": SENSITIVE, "name": IDENTIFIER, "ward": OTHER}
    counted = draw(st.sampled_from(["records", "persons", "weights"]))
    if counted == "persons":
        cells["c"] = draw(st.lists(st.sampled_from([None, "p1", "p2", "p3", "p4", "p5"]), min_size=n, max_size=n))
        roles["c"] = PERSON
    elif counted == "weights":
        cells["c"] = draw(st.lists(st.sampled_from(["0", "1", "2", "7"]), min_size=n, max_size=n))
        roles["c"] = WEIGHT
    frame = pd.DataFrame({name: pd.Series(values, dtype=object) for name, values in cells.items()})
    return Dataset.from_frame(frame, roles=roles, missing=draw(st.sampled_from(["category", "drop"])))


COARSENINGS = st.one_of(
    st.builds(Intervals, st.sampled_from([1.0, 5.0, 10.0, 0.5]), st.sampled_from([0.0, 2.0])),
    st.builds(Intervals, cuts=st.sampled_from([(15.0,), (13.0, 20.0)])),
    st.builds(Mask, st.integers(0, 3), st.sampled_from(["start", "end"]), st.sampled_from(["*", ""])),
    st.builds(DateUnit, st.sampled_from(["year", "month"])),
    st.builds(
        ValueMap.of,
        st.dictionaries(VALUES.filter(bool), st.sampled_from([None, "a", "g"]), max_size=3),
        st.sampled_from([None, "rest"]),
    ),
)
FITTING_STEP = st.one_of(
    st.builds(Recode, st.sampled_from([*QUASI, "s"]), COARSENINGS),
    st.builds(DropColumns, st.sampled_from([("q1",), ("q2", "s"), ("q3",), ("c",)])),
    st.builds(LeaveOut, st.integers(1, 4)),
)
FITTING_RECIPES = st.lists(st.builds(Entry, FITTING_STEP, st.booleans()), max_size=4).map(
    lambda entries: Recipe(tuple(entries))
)


def table_rows(dataset: Dataset) -> list[dict]:
    """The rows, with what persons are counted by although it was dropped."""
    names = list(dataset.records.columns)
    return [dict(zip(names, row, strict=True)) for row in zip(*(column(dataset, n) for n in names), strict=True)]


def sizes_of(assessment) -> list[int]:
    vector = assessment.vector
    return np.repeat(vector.sizes, vector.classes).tolist()


@settings(max_examples=150)
@given(data_sets(), FITTING_RECIPES)
def test_the_comparison_counts_what_a_long_count_of_both_files_gives(data, recipe):
    applied = recipe.apply(data)
    result = compare(applied, recipe, k=3)
    for dataset, assessment, records in (
        (data, result.before, result.records_before),
        (applied.released, result.after, result.records_after),
    ):
        assert records == len(dataset.records)
        sizes: Counter = Counter()
        for person, weight in zip(*counting.people(dataset), strict=True):
            sizes[tuple(person[name] for name in dataset.quasi_identifiers)] += weight
        assert sizes_of(assessment) == sorted(sizes.values())
        assert assessment.k == min(sizes.values(), default=0)
    assert result.rows_kept == len(applied.released.frame) / len(data.frame)


@settings(max_examples=150)
@given(data_sets(), FITTING_RECIPES)
def test_entropy_kept_is_the_ratio_of_entropies(data, recipe):
    applied = recipe.apply(data)
    result = compare(applied, recipe)
    assert [loss.column for loss in result.columns] == [name for name in data.columns if name != "name"]
    for loss in result.columns:
        before = column(data, loss.column)
        after = column(applied.released, loss.column) if loss.column in applied.released.columns else []
        values = [len(set(cells) - {None}) for cells in (before, after)]
        assert [loss.values_before, loss.values_after] == values
        assert loss.entropy_before == pytest.approx(entropy(before), abs=1e-12)
        assert loss.entropy_after == pytest.approx(entropy(after) if after else 0, abs=1e-12)
        if not values[1]:
            assert loss.entropy_kept == (values[0] == 0)
        elif entropy(before) == 0:
            assert loss.entropy_kept == 1
        else:
            assert loss.entropy_kept == pytest.approx(min(1, entropy(after) / entropy(before)))
        numbers = (loss.entropy_before, loss.entropy_after, loss.entropy_kept)
        assert 0 <= loss.entropy_kept <= 1 and not np.signbit(numbers).any(), "no screen says -0%"


@settings(max_examples=200)
@given(data_sets(), FITTING_RECIPES)
def test_the_downloaded_file_has_the_classes_that_the_comparison_stated(data, recipe):
    """Read again with the roles that are left, and with blank cells as missing.

    Where what persons are counted by is dropped, nobody can count them in the file.
    """
    applied = recipe.apply(data)
    released = applied.released
    assume(released.n_records and released.quasi_identifiers and not released.withheld)
    message = compare(applied, recipe, k=3)
    source = open_source(released_csv(released), "released.csv")
    names = dict(zip(source.frame.columns, released.columns, strict=True))
    again = Dataset(
        "again",
        source.digest,
        FrameRecords(source.frame),
        roles={name: released.roles[old] for name, old in names.items() if old in released.roles},
        missing=data.missing,
    )
    assert again.n_records == message.records_after
    read = compare(Recipe().apply(again), Recipe(), k=3)
    assert sizes_of(read.after) == sizes_of(message.after)
    assert read.after.k == message.after.k and read.after.below_k == message.after.below_k


@pytest.mark.parametrize("inside", ["a\nb", "a\rb", "a\r\nb", 'a"b', "a,b", "'a", "a;b", "a\u2028b", "a\tb", "#a"])
def test_any_text_in_a_cell_comes_back_as_it_was(inside):
    frame = pd.DataFrame({"q": [inside, "x", inside], "s": ["1", "2", "3"]})
    source = open_source(released_csv(Dataset.from_frame(frame, roles={"q": QI})), "released.csv")
    assert sorted(source.frame["q"].tolist()) == sorted([inside, "x", inside])


def test_blank_labels_are_missing_in_the_release_as_they_will_be_when_it_is_read():
    """Else a class of blank labels and one of missing values are two on the page and one in the file."""
    frame = pd.DataFrame({"q": pd.Series(["a", "a", None, "b", "b"], dtype=object)})
    data = Dataset.from_frame(frame, roles={"q": QI})
    for label in ("", "  "):
        recipe = Recipe.of([Recode("q", ValueMap.of({"a": label}))])
        message = compare(recipe.apply(data), recipe).after
        source = open_source(released_csv(recipe.apply(data).released), "r.csv")
        read = Dataset("r", source.digest, FrameRecords(source.frame), roles={"q": QI}).classes()
        assert read.anonymity_vector == message.vector


@settings(max_examples=200)
@given(data_sets(), COARSENINGS, st.sampled_from(QUASI))
def test_recoding_never_raises_the_highest_risk(data, recoding, name):
    """A function of the value can only merge classes; under "drop", what becomes missing leaves, and may not count."""
    recipe = Recipe.of([Recode(name, recoding)])
    applied = recipe.apply(data)
    result = compare(applied, recipe)
    became_missing = applied.released.n_records < Recipe().apply(data).released.n_records
    if data.person_id or not became_missing:
        assume(not (data.person_id and became_missing))
        assert result.after.prosecutor.highest <= result.before.prosecutor.highest
        assert result.after.k >= result.before.k


LABELLED = st.builds(
    lambda labels, missing: ValueMap(tuple(labels.items()), otherwise="rest", missing=missing),
    st.dictionaries(VALUES.filter(bool), st.sampled_from([None, "a", "g"]), max_size=3),
    st.sampled_from(["a", "none", "rest"]),
)


@settings(max_examples=100)
@given(data_sets(), LABELLED, st.sampled_from(QUASI))
def test_a_label_of_missing_values_raises_no_risk(data, recoding, name):
    """A person's missing cell has it where they have no value, or that label too: it says no more of them."""
    data = data.with_missing("category").without_rows_of_nobody()
    recipe = Recipe.of([Recode(name, recoding)])
    applied = recipe.apply(data)
    result = compare(applied, recipe)
    assert result.after.prosecutor.highest <= result.before.prosecutor.highest and result.after.k >= result.before.k
    rows, labels = table_rows(data), column(applied.released, name)
    label_of = dict(zip(VALUES_HELD, recoding.labels(VALUES_HELD), strict=True))
    given = 0
    for i, (row, label) in enumerate(zip(rows, labels, strict=True)):
        own = [other for other in rows if data.person_id and row["c"] is not None and other["c"] == row["c"]]
        others = {label_of[other[name]] for other in own if other[name] is not None}
        if row[name] is None:
            assert label == (recoding.missing if not others or recoding.missing in others else None), i
            given += label is not None
    table = Recode(name, recoding).value_table(data)
    assert table["records"][table["value"].isna()].sum() == given


@settings(max_examples=200)
@given(data_sets(), FITTING_RECIPES, st.integers(1, 5))
def test_after_suppression_below_k_the_release_has_k_or_no_records(data, recipe, k):
    recipe = recipe.add(LeaveOut(k))
    result = compare(recipe.apply(data), recipe, k=k)
    assert result.after.n_records == 0 or result.after.k >= k
    assert result.after.below_k == 0
    again = recipe.add(LeaveOut(k))
    assert compare(again.apply(data), again).records_after == result.records_after, "and suppressing twice is once"


# ---- the journalist --------------------------------------------------------------------------------------------------


def test_a_population_table_is_recoded_like_the_data():
    data = Dataset.from_frame(
        pd.DataFrame({"age": ["31", "39", "52"], "sex": list("FFM")}), roles={"age": QI, "sex": QI}
    )
    people = pd.DataFrame({"age": ["31", "32", "39", "52", "58"], "n": ["1", "10", "2", "3", "4"]})
    population = Dataset.from_frame(people, roles={"n": WEIGHT})
    recipe = Recipe.of([DropColumns(("sex",)), Recode("age", Intervals(10)), LeaveOut(2)])
    recoded = recipe.apply_to_population(population)
    assert column(recoded, "age") == ["30-39", "30-39", "30-39", "50-59", "50-59"], "no step removes people of it"
    result = compare(recipe.apply(data), recipe, population=population)
    assert result.before.journalist.attributes == ("age",)
    assert result.before.journalist.highest == 1, "one person of 31 in the population"
    assert result.after.journalist.highest == 1 / 13 and result.after.n_records == 2
    assert compare(recipe.apply(data), recipe).after.journalist is None


def test_steps_that_do_not_fit_the_population_are_passed_over():
    population = Dataset.from_frame(pd.DataFrame({"age": ["thirty"], "sex": ["F"]}))
    recipe = Recipe.of(
        [Recode("age", Intervals(10)), DropColumns(("zip",)), Recode("zip", Mask(3)), Recode("sex", Mask(0))]
    )
    assert rows_of(recipe.apply_to_population(population)) == [("thirty", "*****")]
    assert rows_of(recipe.switch(3, False).apply_to_population(population)) == [("thirty", "F")]


# ---- a first recipe --------------------------------------------------------------------------------------------------


def series(values) -> pd.Series:
    return Dataset.from_frame(pd.DataFrame({"x": pd.Series(values, dtype=object)})).frame["x"]


@pytest.mark.parametrize(
    ("values", "expected"),
    [
        ([f"{code:05d}" for code in range(1000, 1100)], Mask(3)),
        ([f"{code}" for code in range(37000, 37050)], Mask(3)),
        ([f"2024-{m:02d}-{d:02d}" for m in range(1, 13) for d in (1, 15)], DateUnit("year")),
        ([str(age) for age in range(0, 95)], Intervals(10.0, top=90)),
        ([str(age) for age in range(18, 66)], Intervals(5.0)),
        ([str(weight) for weight in range(40, 85)], Intervals(5.0)),
        ([f"{age}-{age + 4}" for age in range(0, 90, 5)] + ["90+"], Intervals(10.0, top=90)),
        ([f"[{age}-{age + 10})" for age in range(0, 100, 10)], None),
        ([f"{y}-Q{q}" for y in range(2010, 2020) for q in (1, 2, 3, 4)], DateUnit("year")),
        (["F", "M"], None),
        (["1", "2"], None),
        (["red", "green", "blue", "white"], None),
        ([], None),
        ([None, None], None),
    ],
)
def test_suggested_recoding(values, expected):
    assert suggested_recoding(series(values).cat.categories) == expected


@given(
    st.lists(
        st.floats(-1e6, 1e6).map(lambda x: str(round(x, 2))) | st.integers(-5, 5).map(str), min_size=12, max_size=40
    )
)
def test_a_suggested_recoding_gives_some_ten_groups(values):
    recoding = suggested_recoding(series(values).cat.categories)
    if isinstance(recoding, Intervals):
        labels = set(recoding.labels(sorted(set(values))))
        assert len(labels) <= 22
        assert recoding.width > 0


def sample_data(key: str) -> Dataset:
    sample = next(s for s in SAMPLES if s.key == key)
    source = open_source(sample.read_bytes(), sample.filename)
    return Dataset(sample.filename, source.digest, FrameRecords(source.frame), roles=sample.roles)


@pytest.mark.parametrize("part_by_part", [True, False])
@pytest.mark.parametrize("k", [5, 11])
def test_a_first_recipe_recodes_quasi_identifiers_and_then_suppresses_little(k, part_by_part):
    data = sample_data("admissions")
    found = first_recipe(data, k, part_by_part=part_by_part)
    assert {name for step in found.steps[:-1] for name in step.recodes} <= {*data.quasi_identifiers}
    assert isinstance(found.steps[-1], LeaveOut) and found.steps[-1].k == k
    assert all(step.reason for step in found.steps)
    recipe = Recipe.of(found.steps)
    applied = recipe.apply(data)
    result = compare(applied, recipe, k=k)
    assert not applied.problems
    assert result.before.k == 1 and result.after.k == found.k >= k
    assert (found.records_kept, found.n_records) == (result.records_after, result.records_before)
    assert result.rows_kept >= 0.95


def random_people(n: int, seed: int = 4) -> Dataset:
    """Few people with an age and a postcode drawn at random, as in the published heart data."""
    rng = np.random.default_rng(seed)
    frame = pd.DataFrame(
        {"age": rng.integers(29, 78, n).astype(str), "zip": rng.integers(10_000, 99_999, n).astype(str)}
    )
    return Dataset.from_frame(frame, roles=dict.fromkeys(frame.columns, Role.QUASI_IDENTIFIER))


@pytest.mark.parametrize("k", [5, 11, 40])
def test_a_first_recipe_does_not_remove_a_small_file(k):
    """The suggested recodings alone leave nobody: the first digits of random postcodes are all different."""
    data = random_people(290)
    alone = [Recode(c, way) for c in data.columns if (way := suggested_recoding(data.held.values(c))) is not None]
    assert Recipe.of([*alone, LeaveOut(k)]).apply(data).released.n_records == 0
    found = first_recipe(data, k)
    assert found.records_kept >= 0.95 * 290 and found.k >= k


def test_a_first_recipe_says_when_nothing_is_left():
    found = first_recipe(random_people(4), 5)
    assert (found.records_kept, found.n_records, found.k) == (0, 4, 0) and found.steps == (
        LeaveOut(5, reason="as suggested"),
    )


def test_the_heart_data_keep_their_records(shared_data):
    path = shared_data("heart_cleveland.csv")
    source = open_source(path.read_bytes(), path.name)
    known = dict.fromkeys(("age", "sex", "zip"), Role.QUASI_IDENTIFIER)
    data = Dataset(path.name, source.digest, FrameRecords(source.frame), roles=known)
    assert first_recipe(data, 11, part_by_part=False).records_kept >= 0.95 * data.n_records
    parts = first_recipe(data, 11)
    assert parts.records_kept == data.n_records and parts.k >= 11
    ages = Recipe.of(parts.steps).apply(data).released.records["age"]
    assert (ages != "*").mean() > 0.9, "detail that whole columns lose"


@pytest.mark.parametrize("recoding", [Mask(3), Redaction(), ValueMap.of({"x": "y"}, "a text")])
def test_no_text_of_a_column_of_texts_is_in_the_value_mapping(recoding):
    texts = [f"The patient {i} was seen by Dr. Garcia on May 5 and complains of headache." for i in range(12)]
    data = Dataset.from_frame(pd.DataFrame({"age": ["31", "38", "52"] * 4, "note": texts}))
    recipe = Recipe.of([Recode("note", recoding), Recode("age", Intervals(10)), Recode("note", Mask(2))])
    table = value_mapping(recipe.apply(data), recipe)
    assert set(table["column"]) == {"age"} and table["records"].sum() == 12 and set(table["step"]) == {2}


def test_a_column_that_marks_were_put_into_is_one_of_texts():
    data = Dataset.from_frame(pd.DataFrame({"note": ["ok", "Dr. Garcia", "well"]}))
    recipe = Recipe.of([Recode("note", Redaction())])
    assert value_mapping(recipe.apply(data), recipe).empty

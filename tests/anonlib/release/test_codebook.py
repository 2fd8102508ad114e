"""The codebook: what it says of every column and label, and what it never tells."""

from __future__ import annotations

import io

import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from anonlib.coarsening.hierarchies import EVERYTHING, Hierarchy, codes
from anonlib.coarsening.recoding import CodeGroup, DateUnit, Intervals, Mask, Recoding, Rounding, ValueMap
from anonlib.columns.codes import SYSTEMS
from anonlib.columns.roles import Role
from anonlib.counting.guarantees import Shared
from anonlib.dataset import Dataset
from anonlib.reading.sources import ReadOptions, open_source
from anonlib.release import codebook as module
from anonlib.release.analysing import EMPTY_MAY_BE_BLANK, NOT_AT_RANDOM
from anonlib.release.codebook import codebook
from anonlib.release.meanings import AS_IT_WAS, GROUP, WITHHELD, meaning
from anonlib.release.recipe import Recipe
from anonlib.release.steps import AggregatePlaces, DropColumns, GeneralizeLocally, LeaveOut, MergeRare, Recode
from tests.helpers.examples import settings


@pytest.mark.parametrize(
    ("recoding", "label", "message"),
    [
        (Intervals(10), "20-29", "from 20 to 29"),
        (Intervals(1), "20", AS_IT_WAS),
        (Intervals(0.5), "[1, 1.5)", "from 1 to below 1.5"),
        (Intervals(5), "-5 to -1", "from -5 to -1"),
        (Intervals(10, bottom=20, top=90), "<20", "below 20"),
        (Intervals(10, bottom=20, top=90), "90+", "90 and above"),
        (Intervals(10), "unknown", AS_IT_WAS),
        (Intervals(10), "*", WITHHELD),
        (DateUnit("year"), "2024", "the year 2024"),
        (DateUnit("quarter"), "2024-Q4", "October to December 2024"),
        (DateUnit("month"), "2024-03", "March 2024"),
        (DateUnit("day"), "2024-03-07", "7 March 2024"),
        (DateUnit("day"), "in spring", AS_IT_WAS),
        (Intervals(20), "[60-80)", "from 60 to below 80"),
        (Intervals(20), "(60, 80]", "above 60 to 80"),
        (Intervals(20), "20-39 years", "from 20 to 39"),
        (Intervals(20), "≤20", "up to 20"),
        (DateUnit("half"), "H2 2019", "July to December 2019"),
        (DateUnit("half"), "2019-H1", "January to June 2019"),
        (Rounding(10), "150", "rounded to the nearest 10"),
        (Rounding(10), "unknown", AS_IT_WAS),
        (Mask(3), "021**", "begins with 021"),
        (Mask(2, "end"), "***38", "ends with 38"),
        (Mask(0), "*****", WITHHELD),
        (Mask(2, fill=""), "02", "begins with 02"),
        (ValueMap((("a", "ab"), ("b", "ab"))), "ab", GROUP),
        (ValueMap((("a", "A"),)), "A", "another name of one value"),
        (ValueMap((("1", "1-9"), ("9", "1-9"))), "1-9", "from 1 to 9"),
        (ValueMap((("a", "a"),), otherwise="others"), "others", "all other values of the original"),
        (ValueMap((("a", "a"),), otherwise="others"), "a", AS_IT_WAS),
        (ValueMap((), missing="none said"), "none said", "missing in the original"),
        (CodeGroup("icd-9-cm", "chapters"), "390-459", "ICD-9-CM diagnosis codes 390 to 459: circulatory system"),
        (CodeGroup("icd-10", "categories"), "I21", "ICD-10 diagnosis codes that begin with I21"),
        (CodeGroup("icd-9-cm", "chapters"), "not known", AS_IT_WAS),
    ],
)
def test_what_a_label_means(recoding, label, message):
    assert meaning(label, [Recode("c", recoding)]) == message


def test_groups_of_codes_that_a_step_reaches_along_a_hierarchy():
    along = codes(SYSTEMS["icd-9-cm"])
    local = GeneralizeLocally((("diag", along),), (Shared(columns=("diag", "age"), least=5),))
    for step in (MergeRare("diag", 5, hierarchy=along), local):
        assert meaning("249-259", [step], "diag") == "ICD-9-CM diagnosis codes 249 to 259"
        assert meaning("*", [step], "diag") == WITHHELD and meaning("flu", [step], "diag") == AS_IT_WAS
    assert meaning("20-29", [local], "age") == "from 20 to 29"


def test_of_several_steps_the_last_that_made_the_label_says_what_it_means():
    steps = [Recode("c", Intervals(10)), Recode("c", ValueMap((("10-19", "young"), ("20-29", "young"))))]
    assert meaning("young", steps) == GROUP and meaning("30-39", steps) == "from 30 to 39"
    assert meaning("x", [AggregatePlaces.__new__(AggregatePlaces)]).startswith("a region")


@settings(150)
@given(st.lists(st.integers(-200, 200), min_size=1, max_size=20), st.integers(1, 30), st.integers(-20, 20))
def test_an_interval_in_words_holds_the_numbers_of_its_label(numbers, width, start):
    way = Intervals(float(width), float(start))
    for number, label in zip(numbers, way.labels([str(number) for number in numbers]), strict=True):
        message = meaning(label, [Recode("c", way)])
        ends = [float(word) for word in message.split() if word.lstrip("-").isdigit()]
        if message == AS_IT_WAS:
            assert float(label) == number
        else:
            assert message == f"from {ends[0]:.0f} to {ends[1]:.0f}" and ends[0] <= number <= ends[1]
            assert ends[1] - ends[0] == width - 1


FRAME = pd.DataFrame(
    {
        "name": ["Ann", "Bob", "Cy", "Di"],
        "patient": ["p1", "p2", "p3", "p3"],
        "age": ["31", "38", None, "52"],
        "seen": ["2024-01-03", "2024-02-03", "2024-03-03", "2024-04-03"],
        "zip code": ["02138", "02139", "02138", "01840"],
        "stay": ["1", "2", "2.5", "4"],
        "illness": ["flu", "flu", "asthma", "rare disease"],
    }
)
ROLES = {
    "name": Role.IDENTIFIER, "patient": Role.PERSON_ID, "age": Role.QUASI_IDENTIFIER, "zip code": Role.QUASI_IDENTIFIER,
    "illness": Role.SENSITIVE, "seen": Role.OTHER,
}  # fmt: skip
RECIPE = Recipe.of(
    [
        Recode("age", Intervals(10)),
        Recode("zip code", Mask(3)),
        Recode("illness", ValueMap.of({"rare disease": "other"}), others="star", kept=("flu", "asthma")),
    ]
)


def made(recipe: Recipe = RECIPE):
    return codebook(recipe.apply(Dataset.from_frame(FRAME).with_roles(ROLES)), recipe)


def test_every_column_that_leaves_has_its_row():
    columns = made().columns.set_index("column")
    assert columns.index.tolist() == ["patient", "age", "seen", "zip code", "stay", "illness"], "no identifier"
    assert columns.loc["age", "what it is"] == "Known outside (quasi-identifier)"
    assert columns.loc["stay", "what it is"].startswith("Nobody has decided")
    assert columns["type"].to_dict() == {
        "patient": "number", "age": "text", "seen": "date", "zip code": "text", "stay": "number", "illness": "text",
    }  # fmt: skip
    assert columns.loc["age", "how it was recoded"] == "Recode age: intervals of 10"
    assert columns.loc["stay", "how it was recoded"] == AS_IT_WAS
    assert columns["different values"].to_dict()["age"] == 2
    assert columns["empty cells"].to_dict()["age"] == "missing" and columns["empty cells"].to_dict()["stay"] == "none"
    assert columns.loc["zip code", ["name in SPSS", "name in Stata"]].tolist() == ["zip_code", "zip_code"]


def test_every_level_that_leaves_is_listed_with_its_meaning_and_no_other():
    levels = made().levels
    released = RECIPE.apply(Dataset.from_frame(FRAME).with_roles(ROLES)).released
    for name in released.columns:
        listed, there = levels[levels["column"] == name]["level"], released.records[name].cat
        assert listed.dropna().tolist() == ([] if name == "patient" else there.categories.tolist())
        assert listed.isna().any() == (there.codes < 0).any()
    message = {(row.column, row.level): row.meaning for row in levels.itertuples()}
    assert message["age", "30-39"] == "from 30 to 39" and message["zip code", "021**"] == "begins with 021"
    assert message["illness", "flu"] == AS_IT_WAS and message["illness", "other"] == "another name of one value"


@pytest.mark.parametrize(
    ("values", "way", "message"),
    [
        (["$1,250", "$80", "$2,900"], Intervals(1000), "; amounts in $"),
        (["1.250,50 €", "80 €"], Rounding(100), "; amounts in €"),
        (["$1,250", "80 €"], Mask(1), ""),
        (["1,250", "80"], Intervals(1000), ""),
    ],
)
def test_labels_of_amounts_leave_their_currency_to_the_codebook(values, way, message):
    data = Dataset.from_frame(pd.DataFrame({"charge": values})).with_roles({"charge": Role.QUASI_IDENTIFIER})
    recipe = Recipe.of([Recode("charge", way)])
    how = codebook(recipe.apply(data), recipe).columns["how it was recoded"].tolist()
    assert how == [recipe.enabled[0].describe() + message]


def test_nothing_that_does_not_leave_and_no_count_of_records_is_reported():
    book = made()
    text = book.columns.to_csv() + book.levels.to_csv()
    for value in ("rare disease", "Ann", "p1", "02138", "31", "52"):
        assert value not in text
    assert set(book.levels.columns) == {"column", "level", "meaning"}
    assert not [name for name in book.columns.columns if "record" in name]


def test_steps_that_are_off_or_did_not_apply_are_not_stated():
    steps = [DropColumns(("stay",)), Recode("stay", Intervals(10)), Recode("age", Intervals(5)), LeaveOut(1)]
    recipe = Recipe.of(steps)
    columns = made(recipe).columns.set_index("column")["how it was recoded"]
    assert "stay" not in columns.index and columns["age"] == "Recode age: intervals of 5"
    assert made(recipe.switch(2, False)).columns.set_index("column")["how it was recoded"]["age"] == AS_IT_WAS


def test_many_levels_are_stated_and_not_listed(monkeypatch):
    monkeypatch.setattr(module, "MOST_LEVELS", 3)
    book = made()
    columns = book.columns.set_index("column")["levels"]
    assert columns["stay"].startswith("not listed: more than 3") and columns["age"] == "listed"
    assert "stay" not in set(book.levels["column"])
    assert columns["patient"].startswith("not listed: numbers drawn")


def test_the_workbook_holds_both_tables_and_no_formula():
    frame = FRAME.assign(stay=["=1+1", "a", "b", "c"])
    data = Dataset.from_frame(frame).with_roles(ROLES)
    book = codebook(RECIPE.apply(data), RECIPE)
    written = book.to_excel()
    for sheet, table in (("Columns", book.columns), ("Levels", book.levels)):
        options = ReadOptions(sheet=sheet, header=True, skip_rows=0, skip_footer=0, keep_lines=True)
        again = open_source(written, "codebook.xlsx", options).frame
        assert again.columns.tolist() == table.columns.tolist() and len(again) == len(table)
    assert "'=1+1" in again["level"].tolist() and "=1+1" not in again["level"].tolist()
    assert pd.ExcelFile(io.BytesIO(written), engine="calamine").sheet_names == ["Columns", "Levels"]


RECODINGS: list[Recoding] = [Intervals(7), DateUnit(), Mask(1)]


CELLS = st.lists(st.sampled_from(["1", "12", "2024-05-06", "x", None]), min_size=1, max_size=8)


@settings(60)
@given(CELLS, st.sampled_from(RECODINGS))
def test_a_codebook_of_any_small_release_lists_what_is_in_it(cells, recoding):
    recipe = Recipe.of([Recode("a", recoding)])
    applied = recipe.apply(Dataset.from_frame(pd.DataFrame({"a": cells, "b": ["z"] * len(cells)})))
    levels = codebook(applied, recipe).levels
    assert set(levels[levels["column"] == "a"]["level"].dropna()) == set(applied.released.records["a"].dropna())
    assert levels["meaning"].str.len().min() > 0


def mixed(cells: list[str | None]) -> dict[str, pd.Series]:
    """The codebook's rows, by column, of ages parted by town."""
    frame = pd.DataFrame({"age": cells, "town": (["a"] * 3 + ["b"] * len(cells))[: len(cells)]})
    data = Dataset.from_frame(frame).with_roles(dict.fromkeys(frame, Role.QUASI_IDENTIFIER))
    ages = Hierarchy((Intervals(10), EVERYTHING))
    step = GeneralizeLocally((("age", ages),), (Shared(columns=("age",), least=3),))
    recipe = Recipe.of([step])
    columns = codebook(recipe.apply(data), recipe).columns
    return {row["column"]: row for _, row in columns.iterrows()}


def test_labels_side_by_side_are_named_with_what_to_do_about_them():
    rows = mixed(["31", "31", "31", "52", "55", "58", "71", "72", "73"])
    assert rows["age"]["labels side by side"] == "as it was, intervals of 10"
    assert "bring all to the coarsest of them, intervals of 10" in rows["age"]["how to analyse it"]
    assert "interval-censored" in rows["age"]["how to analyse it"]
    assert rows["town"]["labels side by side"] == rows["town"]["how to analyse it"] == ""


@pytest.mark.parametrize("step", [Recode("a", ValueMap((("x", "x"),), otherwise="other")), MergeRare("a", 3)])
def test_values_beside_all_others_together_are_not_to_be_joined_before_they_are_counted(step):
    recipe = Recipe.of([step])
    data = Dataset.from_frame(pd.DataFrame({"a": list("xxxxyzw")})).with_roles({"a": Role.QUASI_IDENTIFIER})
    (row,) = codebook(recipe.apply(data), recipe).columns.to_dict("records")
    assert row["labels side by side"].startswith("as it was, ") and row["how to analyse it"] == ""


@pytest.mark.parametrize("cells", [["x", None, "y", "x"], ["x", "r", "y", "x"], ["x", None, "y", "r"]])
def test_of_empty_cells_it_is_not_known_which_had_a_value_by_whatever_they_are(cells):
    recipe = Recipe.of([Recode("a", ValueMap.of({"r": " "}), others="star", kept=("x", "y"))])
    applied = recipe.apply(Dataset.from_frame(pd.DataFrame({"a": cells, "b": ["z", None, "z", "z"]})))
    book = codebook(applied, recipe)
    rows = book.columns.set_index("column")
    assert rows.loc["a", "empty cells"] == EMPTY_MAY_BE_BLANK and rows.loc["b", "empty cells"] == "missing"
    assert rows.loc["a", "how to analyse it"] == NOT_AT_RANDOM and rows.loc["b", "how to analyse it"] == ""
    levels = book.levels[book.levels["level"].isna()].set_index("column")["meaning"]
    assert levels.to_dict() == {"a": EMPTY_MAY_BE_BLANK, "b": "missing"}

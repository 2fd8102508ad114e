"""The codebook: what it says of every column and label, and what it never tells."""

from __future__ import annotations

import io
from collections import Counter

import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from anonlib.coarsening.hierarchies import EVERYTHING, Hierarchy
from anonlib.coarsening.recoding import DateUnit, Intervals, Mask, Recoding, Redaction, ValueMap
from anonlib.columns.roles import Role
from anonlib.counting.privacy_models import KAnonymity
from anonlib.dataset import Dataset
from anonlib.reading.sources import Described, ReadOptions, open_source
from anonlib.release import codebook as module
from anonlib.release.analysing import EMPTY_MAY_BE_BLANK, NOT_AT_RANDOM
from anonlib.release.codebook import DONE, NOT_HERE, codebook, may_be_blank
from anonlib.release.meanings import ANY_VALUE, AS_IT_STANDS, ReadLabels
from anonlib.release.recipe import Recipe
from anonlib.release.steps import DropColumns, GeneralizeLocally, LeaveOut, MergeRare, Recode, ShiftDates, Step
from tests.helpers.examples import settings
from tests.helpers.records import rows_of


@pytest.mark.parametrize(
    ("label", "message"),
    [
        ("20-29", "from 20 to 29"),
        ("20", AS_IT_STANDS),
        ("[1, 1.5)", "from 1 to below 1.5"),
        ("-5 to -1", "from -5 to -1"),
        ("<20", "below 20"),
        ("90+", "90 and above"),
        ("unknown", AS_IT_STANDS),
        ("*", ANY_VALUE),
        ("*****", ANY_VALUE),
        ("2024", AS_IT_STANDS),
        ("2024-Q4", "October to December 2024"),
        ("2024-03", "March 2024"),
        ("2024-03-07", AS_IT_STANDS),
        ("2024-W03", AS_IT_STANDS),
        ("[60-80)", "from 60 to below 80"),
        ("(60, 80]", "above 60 to 80"),
        ("20-39 years", "from 20 to 39"),
        ("≤20", "up to 20"),
        ("H2 2019", "July to December 2019"),
        ("2019-H1", "January to June 2019"),
        ("021**", "begins with 021"),
        ("***38", "ends with 38"),
        ("10-19 or 20-29", "from 10 to 19 or from 20 to 29"),
        ("mild or severe", AS_IT_STANDS),
        ("others", AS_IT_STANDS),
    ],
)
def test_what_a_label_means_by_itself(label, message):
    assert ReadLabels.of([label]).meaning(label) == message


@pytest.mark.parametrize(
    ("labels", "label", "message"),
    [
        (["2024", "2024-Q4"], "2024", "the year 2024"),
        (["2024", "2024-03-07"], "2024", "the year 2024"),
        (["390-459", "240-279", "*"], "390-459", "ICD-9-CM diagnosis codes 390 to 459: circulatory system"),
        (["I21", "J45", "E11"], "I21", "ICD-10 diagnosis codes that begin with I21"),
        (["I21", "J45", "E11", "C50.1"], "C50.1", AS_IT_STANDS),
    ],
)
def test_what_a_label_means_beside_others(labels, label, message):
    name = "icd9" if "390-459" in labels else "icd10"
    assert ReadLabels.of(labels, name).meaning(label) == message


@pytest.mark.parametrize(
    ("labels", "held"),
    [
        (["20-29", "30-39", "90+"], None),
        (["20-39", "20-29", "30-39"], ("20-39", "20-29")),
        (["31", "30-39"], ("30-39", "31")),
        (["40", "30-39", "[40, 50)"], ("[40, 50)", "40")),
        (["[30, 40)", "40"], None),
        (["<20", "5-9"], ("<20", "5-9")),
        (["2024", "2025-03"], None),
        (["2024", "2024-03"], ("2024", "2024-03")),
        (["2024", "2024-03-07", "2023-12-31"], ("2024", "2024-03-07")),
        (["2024-03-07", "2024-03-08"], None),
        (["021**", "0213*", "01840"], ("021**", "0213*")),
        (["021**", "02139"], ("021**", "02139")),
        (["021**", "018**"], None),
        (["390-459", "401"], ("390-459", "401")),
        (["Europe", "Austria", "*"], None),
        ([], None),
    ],
)
def test_which_label_holds_another(labels, held):
    assert ReadLabels.of(labels).held == held


def test_groups_of_codes_hold_their_codes():
    assert ReadLabels.of(["I20-I25", "I21", "J45", "E11"], "icd10").held == ("I20-I25", "I21")


@settings(150)
@given(st.lists(st.integers(-200, 200), min_size=1, max_size=20), st.integers(1, 30), st.integers(-20, 20))
def test_an_interval_in_words_holds_the_numbers_of_its_label(numbers, width, start):
    way = Intervals(float(width), float(start))
    labels = way.labels([str(number) for number in numbers]).tolist()
    read = ReadLabels.of(sorted(set(labels)))
    assert read.held is None, "intervals of one width stand apart"
    for number, label in zip(numbers, labels, strict=True):
        message = read.meaning(label)
        ends = [float(word) for word in message.split() if word.lstrip("-").isdigit()]
        if width == 1:
            assert message == AS_IT_STANDS and float(label) == number
        elif message != AS_IT_STANDS:  # which it is where it may be an id, such as 126-132
            assert message == f"from {ends[0]:.0f} to {ends[1]:.0f}" and ends[0] <= number <= ends[1]
            assert ends[1] - ends[0] == width - 1


@settings(100)
@given(st.lists(st.sampled_from([(a, b) for a in range(12) for b in range(a, 12)]), max_size=7, unique=True))
def test_a_label_is_seen_to_hold_another_where_plain_looking_sees_it(spans):
    """Spans that cut one another hold what they share, as one that is whole in another does."""
    labels = [str(a) if a == b else f"{a}-{b}" for a, b in spans]
    shared = [(one, other) for one in spans for other in spans if one < other and other[0] <= one[1]]
    read = ReadLabels.of(labels)
    if all(read.is_range(label) or label.isdigit() for label in labels) and not _share_ends(spans):
        assert (read.held is not None) == bool(shared)


def _share_ends(spans) -> bool:
    """Whether they are read as 70-80, 80-90, in which 80 belongs to the second."""
    return any(a != b and b == c for a, b in spans for c, d in spans if c != d)


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
    return codebook(recipe.apply(Dataset.from_frame(FRAME).with_roles(ROLES)).released, recipe)


def test_every_column_that_leaves_has_its_row():
    columns = made().columns.set_index("column")
    assert columns.index.tolist() == ["patient", "age", "seen", "zip code", "stay", "illness"], "no identifier"
    assert columns.loc["age", "what it is"] == "Known outside (quasi-identifier)"
    assert columns.loc["stay", "what it is"].startswith("Nobody has decided")
    assert columns["type"].to_dict() == {
        "patient": "number", "age": "text", "seen": "date", "zip code": "text", "stay": "number", "illness": "text",
    }  # fmt: skip
    assert columns["different values"].to_dict()["age"] == 2
    empty = columns["empty cells"].to_dict()
    assert empty["age"] == EMPTY_MAY_BE_BLANK and empty["stay"] == "none"
    assert columns.loc["zip code", ["name in SPSS", "name in Stata"]].tolist() == ["zip_code", "zip_code"]


def test_every_level_that_leaves_is_listed_with_its_meaning_and_no_other():
    levels = made().levels
    released = RECIPE.apply(Dataset.from_frame(FRAME).with_roles(ROLES)).released
    for name in released.columns:
        listed, there = levels[levels["column"] == name]["level"], released.records[name].cat
        assert sorted(listed.dropna()) == ([] if name == "patient" else sorted(there.categories))
        assert listed.isna().any() == (there.codes < 0).any()
    message = {(row.column, row.level): row.meaning for row in levels.itertuples()}
    assert (
        message["age", "30-39"] == "from 30 to 39" and message["zip code", "021**"] == "ZIP codes that begin with 021"
    )
    assert message["illness", "flu"] == message["illness", "other"] == AS_IT_STANDS


def test_nothing_that_does_not_leave_and_no_count_of_records_is_reported():
    book = made()
    text = book.columns.to_csv() + book.levels.to_csv()
    for value in ("rare disease", "Ann", "p1", "02138", "31", "52"):
        assert value not in text
    assert set(book.levels.columns) == {"column", "level", "meaning"}
    assert not [name for name in book.columns.columns if "record" in name]


def test_how_a_column_was_recoded_is_in_nothing():
    """Each by other steps to the same rows: a search of each original may have gone another way."""
    frame = pd.DataFrame({"age": ["31", "38", "52", "57"] * 3, "paid": ["100 €"] * 12, "day": ["2024-01-03"] * 12})
    labels = ["30-39", "30-39", "50-59", "50-59"] * 3
    other = pd.DataFrame({"age": labels, "paid": ["0-499"] * 12, "day": ["2024"] * 12})
    ways: list[tuple[pd.DataFrame, list[Step]]] = [
        (frame, [Recode("age", Intervals(10)), Recode("paid", Intervals(500)), Recode("day", DateUnit("year"))]),
        (other, []),
        (
            pd.concat([other, pd.DataFrame({"age": ["90"], "paid": ["0-499"], "day": ["2024"]})], ignore_index=True),
            [MergeRare("paid", 3), LeaveOut(2)],
        ),
        (
            frame.assign(paid="5 $", day="2024-05-06"),
            [
                Recode("age", ValueMap.of({"31": "30-39", "38": "30-39", "52": "50-59", "57": "50-59"})),
                Recode("paid", ValueMap((), otherwise="0-499"), others="star"),
                Recode("day", Mask(4, fill="")),
            ],
        ),
    ]
    found = []
    for rows, steps in ways:
        recipe, roles = Recipe.of(steps), dict.fromkeys(frame.columns, Role.QUASI_IDENTIFIER)
        applied = recipe.apply(Dataset.from_frame(rows, roles=roles))
        assert not applied.problems and rows_of(applied.released.held) == Counter(map(tuple, other.to_numpy()))
        found.append(codebook(applied.released, recipe).to_excel())
    assert len(set(found)) == 1


def test_what_an_officer_decides_is_stated_of_every_cell_and_steps_that_are_off_are_not():
    moved = ShiftDates(("seen",), secret="00112233445566778899aabbccddeeff")
    recipe = Recipe.of([moved, Recode("age", Intervals(5)), Recode("illness", Redaction()), LeaveOut(1)])
    done = made(recipe).columns.set_index("column")[DONE]
    assert done["seen"].startswith(moved.describe()) and done["illness"].startswith(recipe.enabled[2].describe())
    assert done["patient"].startswith("numbers drawn") and done["age"] == done["stay"] == ""
    assert made(recipe.switch(0, False)).columns.set_index("column")[DONE]["seen"] == ""
    assert "stay" not in made(Recipe.of([DropColumns(("stay",))])).columns["column"].tolist()
    assert made(recipe).notes == (NOT_HERE,)


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
    book = codebook(RECIPE.apply(data).released, RECIPE)
    written = book.to_excel()
    for sheet, table in (("Columns", book.columns), ("Levels", book.levels)):
        options = ReadOptions(sheet=sheet, header=True, skip_rows=0, skip_footer=0, keep_lines=True)
        again = open_source(written, "codebook.xlsx", options).frame
        assert again.columns.tolist() == table.columns.tolist() and len(again) == len(table)
    assert "'=1+1" in again["level"].tolist() and "=1+1" not in again["level"].tolist()
    assert pd.ExcelFile(io.BytesIO(written), engine="calamine").sheet_names == ["Columns", "Levels", "Notes"]


RECODINGS: list[Recoding] = [Intervals(7), DateUnit(), Mask(1)]


CELLS = st.lists(st.sampled_from(["1", "12", "2024-05-06", "x", None]), min_size=1, max_size=8)


@settings(60)
@given(CELLS, st.sampled_from(RECODINGS))
def test_a_codebook_of_any_small_release_lists_what_is_in_it(cells, recoding):
    recipe = Recipe.of([Recode("a", recoding)])
    applied = recipe.apply(Dataset.from_frame(pd.DataFrame({"a": cells, "b": ["z"] * len(cells)})))
    levels = codebook(applied.released, recipe).levels
    assert set(levels[levels["column"] == "a"]["level"].dropna()) == set(applied.released.records["a"].dropna())
    assert levels["meaning"].str.len().min() > 0


def mixed(cells: list[str | None]) -> dict[str, pd.Series]:
    """The codebook's rows, by column, of ages parted by town."""
    frame = pd.DataFrame({"age": cells, "town": (["a"] * 3 + ["b"] * len(cells))[: len(cells)]})
    data = Dataset.from_frame(frame).with_roles(dict.fromkeys(frame, Role.QUASI_IDENTIFIER))
    ages = Hierarchy((Intervals(10), EVERYTHING))
    step = GeneralizeLocally((("age", ages),), (KAnonymity(columns=("age",), least=3),))
    recipe = Recipe.of([step])
    columns = codebook(recipe.apply(data).released, recipe).columns
    return {row["column"]: row for _, row in columns.iterrows()}


def test_labels_side_by_side_are_named_with_what_to_do_about_them():
    rows = mixed(["31", "31", "31", "52", "55", "58", "71", "72", "73"])
    assert rows["age"]["labels side by side"] == ""
    rows = mixed(["31", "31", "31", "31", "31", "31", "33", "37", "39"])
    assert rows["age"]["labels side by side"] == "labels of several widths, such as “30-39” and “31”"
    assert "bring all to the widest of them" in rows["age"]["how to analyse it"]
    assert "interval-censored" in rows["age"]["how to analyse it"]
    assert rows["town"]["labels side by side"] == rows["town"]["how to analyse it"] == ""
    rows = mixed(["31", "31", "31", "42", "56", "68"])
    assert rows["age"]["labels side by side"] == "“*” beside other labels"
    assert "stands for any value" in rows["age"]["how to analyse it"]


@pytest.mark.parametrize("step", [Recode("a", ValueMap((("x", "x"),), otherwise="other")), MergeRare("a", 3)])
def test_a_label_that_an_officer_typed_is_printed_as_it_stands(step):
    recipe = Recipe.of([step])
    data = Dataset.from_frame(pd.DataFrame({"a": list("xxxxyzw")})).with_roles({"a": Role.QUASI_IDENTIFIER})
    book = codebook(recipe.apply(data).released, recipe)
    (row,) = book.columns.to_dict("records")
    assert row["labels side by side"] == row["how to analyse it"] == ""
    assert book.levels[["level", "meaning"]].to_numpy().tolist() == [["other", AS_IT_STANDS], ["x", AS_IT_STANDS]]


@pytest.mark.parametrize("cells", [["x", None, "y", "x"], ["x", "r", "y", "x"], ["x", None, "y", "r"]])
def test_of_empty_cells_it_is_not_known_which_had_a_value_in_any_column(cells):
    recipe = Recipe.of([Recode("a", ValueMap.of({"r": " "}), others="star", kept=("x", "y"))])
    applied = recipe.apply(Dataset.from_frame(pd.DataFrame({"a": cells, "b": ["z", None, "z", "z"]})))
    book = codebook(applied.released, recipe)
    rows = book.columns.set_index("column")
    assert set(rows["empty cells"]) == {EMPTY_MAY_BE_BLANK} and set(rows["how to analyse it"]) == {NOT_AT_RANDOM}
    levels = book.levels[book.levels["level"].isna()].set_index("column")["meaning"]
    assert levels.to_dict() == {"a": EMPTY_MAY_BE_BLANK, "b": EMPTY_MAY_BE_BLANK}
    assert may_be_blank("a", list(recipe.enabled)) and not may_be_blank("b", [])


def test_of_a_scale_with_exceptions_the_words_are_those_of_the_original():
    """90 may be a number that was rounded."""
    labels = {
        "age": Described("age", labels=(("90", "90 or older"),)),
        "sex": Described("sex", labels=(("1", "Male"),)),
    }
    data = Dataset.from_frame(pd.DataFrame({"age": ["70", "80", "90"], "sex": ["1"] * 3}), described=labels)
    levels = codebook(data, Recipe()).levels
    assert levels["meaning"].tolist() == [AS_IT_STANDS, AS_IT_STANDS, "in the original, 90 or older", "Male"]

"""The hierarchy editor: each way, what is refused, grouping by hand, files, and that what was there stays."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from anonlib.coarsening.hierarchies import (
    EVERYTHING,
    Hierarchy,
    cuts,
    dates,
    from_csv,
    intervals,
    masking,
    suggested_hierarchy,
)
from anonlib.coarsening.recoding import Intervals, Rounding, ValueMap
from anonlib.dataset import Dataset
from anonlib.reading.sources import open_source
from pages.protect.generalize.hierarchies import editor as editing
from pages.protect.generalize.hierarchies import ways
from tests.helpers.app import App, app_of, visits

COLUMNS = ["age", "sex", "zip", "visit_date", "diagnosis"]
DRINKS = b"alcohol,code\n" + b"".join(
    f"{drink},{i}\n".encode() for i, drink in enumerate(["High", "Med", "Low", "No", "No", ""] * 3)
)


def script(data: bytes, columns: list[str]) -> None:
    """A page that shows the editor alone."""
    import streamlit as st

    from pages.protect.generalize.hierarchies import chosen, edit
    from ui.files import data_file
    from ui.kit import page
    from ui.session import guard, view

    if view.now().data is None:
        data_file.load(data, "visits.csv")
    with guard.sentences():
        page.header("Hierarchies", "How is each column made coarser?")
        loaded = view.now().data
        if st.toggle("Editor", value=True) and loaded is not None:
            edit(loaded, columns)
            st.session_state["chosen"] = chosen(loaded, columns)


class Editor(App):
    """One session of the editor."""

    def __init__(self, columns: list[str] | None = None, data: bytes | None = None) -> None:
        self.at = app_of(script, visits() if data is None else data, COLUMNS if columns is None else columns)
        self.run()

    @property
    def errors(self) -> list[str]:
        return [error.replace("\\", "") for error in super().errors]

    @property
    def hierarchies(self) -> dict[str, Hierarchy]:
        return self.at.session_state["chosen"]

    @property
    def chosen(self) -> dict[str, Hierarchy]:
        return self.session.hierarchies

    def widget(self, kind: str, label: str) -> Any:
        (found,) = [widget for widget in getattr(self.at, kind) if widget.label == label]
        return found

    def column(self, name: str) -> Editor:
        return self.choose("selectbox", "Column", name)

    def way(self, name: str) -> Editor:
        return self.choose("button_group", "Levels made by", name)

    @property
    def ways(self) -> list[str]:
        return [str(option) for option in self.widget("button_group", "Levels made by").options]

    def file(self, data: bytes) -> Editor:
        return self.upload(data, "hierarchy.csv", self.at.file_uploader[0].label)

    @property
    def labels(self) -> list[list]:
        shown = self.at.data_editor[0].value.astype(object)
        return shown.where(shown.notna(), None).values.tolist()


@pytest.fixture
def editor() -> Editor:
    return Editor()


def test_every_column_begins_as_suggested(editor):
    data = Dataset.from_frame(editor.session.loaded.cells().frame)
    assert editor.hierarchies == {name: suggested_hierarchy(data.held.values(name), name=name) for name in COLUMNS}
    assert editor.chosen == {}
    assert editor.hierarchies["zip"] == masking(5), "all in one State"
    assert editor.hierarchies["visit_date"] == dates()
    assert editor.hierarchies["age"] == intervals((5, 10, 20), top_group=90)
    assert editor.hierarchies["sex"] == Hierarchy((EVERYTHING,))
    (button,) = [button for button in editor.at.button if button.label == "As suggested"]
    assert button.disabled and button.help


def test_only_ways_that_fit_are_offered(editor):
    numbers = ["Equal widths", "Equal frequency", "Given cuts", "Rounding"]
    assert editor.ways == [*numbers, "Characters", "Rare values", "By hand"]
    assert editor.column("sex").ways == ["By hand"]
    ways = editor.column("zip").ways
    assert ways == ["Codes", "Characters", "Rare values", "By hand"], "a postcode's digits measure nothing"
    assert editor.column("visit_date").ways == ["Dates", "Characters", "Rare values", "By hand"]


def test_widths(editor):
    editor.choose("text_input", "Widths, one a level", "10, 30")
    assert editor.hierarchies["age"] == intervals((10, 30), top_group=90)
    editor.choose("number_input", "From here on", 80.0).choose("number_input", "Below together", 18.0)
    editor.choose("number_input", "Counted from", 3.0)
    assert editor.hierarchies["age"] == intervals((10, 30), start=3, bottom_group=18, top_group=80)
    assert set(editor.chosen) == {"age"}
    editor.press("As suggested")
    assert editor.chosen == {} and editor.widget("text_input", "Widths, one a level").value == "5 10 20"


@pytest.mark.parametrize(
    ("text", "sentence"),
    [("5 12", "12 is none of 5"), ("", "numbers with blanks"), ("a few", "numbers with blanks"), ("0", "above 0")],
)
def test_widths_that_are_refused_leave_what_was_there(editor, text, sentence):
    editor.choose("text_input", "Widths, one a level", "4 8")
    before = editor.hierarchies
    editor.choose("text_input", "Widths, one a level", text)
    (message,) = editor.errors
    assert sentence in message and message.endswith("The hierarchy stays as it was.")
    assert editor.hierarchies == before
    assert editor.widget("text_input", "Widths, one a level").value == text, "to be corrected"
    assert editor.run().errors == [message], "until it is"
    assert editor.column("sex").errors == []
    editor.column("age").choose("text_input", "Widths, one a level", "4 12")
    assert editor.errors == [] and editor.hierarchies["age"] == intervals((4, 12), top_group=90)


def test_equal_frequency(editor):
    editor.way("counts")
    eight = editor.hierarchies["age"].recodings[0]
    assert isinstance(eight, Intervals) and len(eight.cuts) == 7
    editor.choose("number_input", "Intervals on level 1", 4)
    assert editor.hierarchies["age"].n_levels == 4 and len(editor.hierarchies["age"].recodings[0].cuts) == 3


def test_given_cuts(editor):
    editor.way("cuts").choose("text_area", "Cuts, one line a level", "18 35 45 65\n\n45, 65")
    assert editor.hierarchies["age"] == cuts([(18, 35, 45, 65), (45, 65)])
    editor.choose("text_area", "Cuts, one line a level", "18 35\n40")
    assert "level 2 cuts at 40" in editor.errors[0]
    assert editor.hierarchies["age"] == cuts([(18, 35, 45, 65), (45, 65)])


def test_a_way_comes_back_as_it_was_left(editor):
    editor.choose("text_input", "Widths, one a level", "4 8")
    left = editor.hierarchies["age"]
    editor.way("cuts").choose("text_area", "Cuts, one line a level", "50")
    editor.way("widths")
    assert editor.hierarchies["age"] == left
    assert editor.way("cuts").hierarchies["age"] == cuts([(50,)])
    assert editor.column("sex").column("age").hierarchies["age"] == cuts([(50,)])
    assert editor.widget("text_area", "Cuts, one line a level").value == "50"


def test_settings_stay_while_another_page_is_open(editor):
    editor.way("counts").choose("number_input", "Intervals on level 1", 3)
    left = editor.hierarchies["age"]
    editor.choose("toggle", "Editor", False).run().choose("toggle", "Editor", True)
    assert editor.hierarchies["age"] == left
    assert editor.widget("number_input", "Intervals on level 1").value == 3


def test_characters_and_dates(editor):
    editor.column("zip").way("Characters").choose("number_input", "Characters a level", 2)
    assert editor.hierarchies["zip"] == masking(5, step=2)
    editor.choose("button_group", "Masked first", "the first")
    assert editor.hierarchies["zip"] == masking(5, step=2, side="end")
    editor.column("visit_date").choose("button_group", "Levels", ["year", "day", "month"])
    assert editor.hierarchies["visit_date"] == dates(("day", "month", "year"))
    editor.choose("button_group", "Levels", ["year", "month"])
    assert editor.hierarchies["visit_date"] == dates(("month", "year"))
    editor.choose("button_group", "Levels", [])
    assert "at least one of day" in editor.errors[0] and editor.hierarchies["visit_date"] == dates(("month", "year"))


def test_the_levels_ask_for_the_order_of_day_and_month_where_no_value_tells():
    rows = [f"{i % 12 + 1:02}/{(i + 3) % 12 + 1:02}/2021" for i in range(24)]
    editor = Editor(["seen"], "\n".join(["seen", *rows]).encode()).column("seen")
    assert editor.hierarchies["seen"] == dates()
    editor.choose("button_group", "Stands first", "month")
    assert editor.hierarchies["seen"] == dates(first="month")


def test_long_codes_have_few_levels():
    data = b"code\n" + b"".join(f"{i:064d}\n".encode() for i in range(20))
    editor = Editor(["code"], data)
    assert editor.hierarchies["code"].n_levels <= 8
    editor.choose("number_input", "Characters a level", 1)
    assert "at least 4 characters" in editor.errors[0]


# --- by hand -------------------------------------------------------------------------------------------------------


@pytest.fixture
def drinks() -> Editor:
    return Editor(["alcohol"], DRINKS)


def together(editor: Editor, level: int, names: list[str], label: str) -> Editor:
    editor.choose("selectbox", "On level", level)
    which = "Values to put together" if level == 1 else f"Groups of level {level - 1} to put together"
    options = editor.widget("multiselect", which).options
    editor.choose("multiselect", which, [options.index(name) for name in names]).choose("text_input", "Label", label)
    return editor.press("Group")


def test_grouping_several_values(drinks):
    assert drinks.button("Group").disabled and "Choose values" in drinks.button("Group").help
    together(drinks, 1, ["High", "Med", "Low"], "Yes")
    assert drinks.labels == [
        ["High", 3, "Yes", "Yes"], ["Low", 3, "Yes", "Yes"], ["Med", 3, "Yes", "Yes"], ["No", 6, "No", "No"],
        ["(missing)", 3, None, None],
    ]  # fmt: skip
    together(drinks, 2, ["Yes", "(missing)"], "Yes or unknown")
    levels = drinks.hierarchies["alcohol"].on(["High", "No", None])
    assert [levels.label(i).tolist() for i in (1, 2, 3)] == [
        ["Yes", "No", None], ["Yes or unknown", "No", "Yes or unknown"], ["*", "*", "*"],
    ]  # fmt: skip


def test_a_group_begun_stays_while_another_page_is_open(drinks):
    which = "Values to put together"
    drinks.choose("multiselect", which, [0, 2]).choose("text_input", "Label", "Yes")
    drinks.choose("toggle", "Editor", False).choose("toggle", "Editor", True)
    assert drinks.widget("multiselect", which).value == [0, 2] and drinks.widget("text_input", "Label").value == "Yes"
    drinks.press("Group")
    assert drinks.hierarchies["alcohol"].on(["High", "Med", "Low"]).label(1).tolist() == ["Yes", "Yes", "Low"]
    drinks.press("As suggested")
    assert drinks.widget("multiselect", which).value == [] and drinks.widget("text_input", "Label").value == ""


def test_editing_labels_in_the_table(drinks):
    drinks.edit("Level 1", {0: {"Level 1": "Yes"}, 1: {"Level 1": "Yes"}})
    drinks.edit("Level 1", {2: {"Level 1": "Yes"}, 4: {"Level 1": "Not said"}})
    assert [row[2] for row in drinks.labels] == ["Yes", "Yes", "Yes", "No", "Not said"]
    drinks.edit("Level 1", {3: {"Level 2": "Yes"}})
    assert [row[3] for row in drinks.labels] == ["Yes", "Yes", "Yes", "Yes", "Not said"]
    assert drinks.hierarchies["alcohol"].n_levels == 4
    drinks.edit("Level 1", {3: {"Level 2": "No"}})
    assert drinks.hierarchies["alcohol"].n_levels == 3, "a level that is the same as the one before is none"
    drinks.edit("Level 1", {0: {"Level 1": None}})
    assert drinks.hierarchies["alcohol"].on(["High", "Low"]).label(1).tolist() == [None, "Yes"]


def test_intervals_can_be_taken_over_and_changed(editor):
    editor.choose("text_input", "Widths, one a level", "20 40").way("hand")
    taken_over = editor.hierarchies["age"]
    assert taken_over.n_levels == 4 and all(isinstance(recoding, ValueMap) for recoding in taken_over.recodings)
    assert taken_over.on(["25", "39", None]).label(1).tolist() == ["20-39", "20-39", None]
    editor.way("widths")
    assert editor.hierarchies["age"] == intervals((20, 40), top_group=90)
    assert editor.way("hand").hierarchies["age"] == taken_over


def test_a_top_of_another_name_stays(drinks):
    drinks.file(b"High;Yes;Any\nMed;Yes;Any\nLow;Yes;Any\nNo;Any;Any\n")
    drinks.edit("Level 1", {3: {"Level 1": "No"}})
    assert drinks.hierarchies["alcohol"].recodings[-1] == ValueMap((), otherwise="Any", missing="Any")


def test_too_many_values_to_group_by_hand():
    data = b"name\n" + b"".join(f"word{'x' * (i % 3)} {i}\n".encode() for i in range(editing.MOST + 1))
    editor = Editor(["name"], data)
    assert any("too many to group by hand" in caption.value for caption in editor.at.caption)
    assert editor.hierarchies["name"] == Hierarchy((EVERYTHING,)) and not editor.at.data_editor


# --- files ---------------------------------------------------------------------------------------------------------


def test_a_file_is_imported_and_can_be_changed(drinks):
    file = b"High;Yes;*\nMed;Yes;*\nLow;Yes;*\nNo;No;*\n"
    drinks.file(file)
    assert drinks.errors == [] and drinks.hierarchies["alcohol"] == from_csv(file)
    drinks.edit("Level 1", {3: {"Level 1": "None"}})
    assert drinks.hierarchies["alcohol"].on(["No"]).label(1).tolist() == ["None"]
    drinks.press("As suggested")
    assert drinks.hierarchies["alcohol"] == Hierarchy((EVERYTHING,))


@pytest.mark.parametrize(
    ("file", "sentence"),
    [
        (b"High;Yes;*\nMed;Yes;*\nLow;Yes;*\n", "does not cover 1 value of 4"),
        (b"High;Yes;a\nMed;Yes;b\n", "not nested"),
        (b"High;Yes\nMed\n", "Row 2"),
        (b"High;x\nHigh;x\n", "repeats the value of row 1"),
        (b"", "empty"),
        (b"\xff\xfe\x00\xd8", ""),
    ],
)
def test_a_file_that_is_refused_leaves_what_was_there(drinks, file, sentence):
    together(drinks, 1, ["High", "Med"], "Much")
    before = drinks.hierarchies
    drinks.file(file)
    assert sentence in drinks.errors[0] and drinks.hierarchies == before


def test_labels_are_not_markdown():
    data = b"drug\n" + b"**bold**\n[a](http://b)\n$x$\n<b>\n=1+1\n" * 2
    editor = Editor(["drug"], data)
    editor.file(b"**bold**;x\nz;y\n")
    (message,) = [element.value for element in editor.at.error]
    assert "http://b" not in message and "](" not in message.replace("\\]\\(", "")


def test_a_hierarchy_that_no_longer_fits_says_so_and_can_be_reset(drinks):
    drinks.file(b"High;Yes\nMed;Yes\nLow;Yes\nNo;No\n")
    other = DRINKS.replace(b"Med", b"Some")
    session = drinks.session
    session.loaded = replace(session.loaded, data=other, source=open_source(other, "visits.csv"))
    drinks.run()
    assert any("does not cover 1 value of 4" in message for message in drinks.errors)
    assert drinks.press("As suggested").errors == []


# --- odd columns ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "cells",
    [
        [""] * 4, ["1"] * 4, ["1", "2"], ["x"], ["20", "20-24", "21", "x"] * 3, ["1e308", "-1e308", "3"] * 3,
        ["=1+1", "-5", "+a"], ["2024-01-01", "x", ""], ["🙂", "a|b", "<b>"], [str(i) for i in range(1200)],
        [f"{i:05d}" for i in range(700)], ["5e-324", "1e-300", "0"],
    ],
)  # fmt: skip
def test_odd_columns_in_every_way(cells):
    data = ("cell,n\n" + "".join(f"{cell},1\n" for cell in cells)).encode()
    editor = Editor(["cell"], data)
    for way in ("widths", "counts", "cuts", "dates", "masks", "hand"):
        label = ways.HAND_LABEL if way == "hand" else ways.WAYS[way].label
        if label in editor.ways:
            editor.way(way)
    assert editor.hierarchies["cell"].has_top


def test_without_columns_nothing_is_shown():
    editor = Editor([])
    assert editor.hierarchies == {} and not editor.at.selectbox and not editor.at.error


def ranges() -> Editor:
    """Ages in ranges, quarters, and ranges that overlap."""
    rows = [
        f"[{10 * (i % 10)}-{10 * (i % 10) + 10}),{2019 + i % 3}-Q{i % 4 + 1},{i % 5}-{i % 5 + 2}\n" for i in range(60)
    ]
    return Editor(["age", "admitted", "visits"], ("age,admitted,visits\n" + "".join(rows)).encode())


def test_ranges_are_merged_as_suggested_and_by_other_widths_and_cuts():
    editor = ranges()
    assert editor.ways == ["Equal widths", "Given cuts", "Characters", "Rare values", "By hand"]
    assert editor.widget("text_input", "Widths, one a level").value == "20 40 80"
    editor.choose("text_input", "Widths, one a level", "30 90")
    assert editor.chosen["age"].recodings[0] == Intervals(30.0) and not editor.errors
    values = [f"[{low}-{low + 10})" for low in range(0, 100, 10)]
    assert editor.hierarchies["age"].on(values).label(1).tolist()[:4] == ["[0-30)"] * 3 + ["[30-60)"]
    editor.way("cuts").choose("text_area", "Cuts, one line a level", "20 70")
    assert editor.hierarchies["age"].on(values).label(1).tolist()[-4:] == ["[20-70)", *["70+"] * 3]


def test_quarters_have_half_years_and_ranges_that_overlap_have_widths():
    editor = ranges().column("admitted")
    assert [level.unit for level in editor.hierarchies["admitted"].recodings[:-1]] == ["half", "year"]
    editor.column("visits")
    assert editor.hierarchies["visits"].n_levels == 2
    editor.way("widths")
    assert not editor.errors


def test_numbers_are_rounded_level_by_level():
    editor = Editor()
    editor.way("rounding").choose("text_input", "To the nearest, one a level", "10 50")
    assert editor.chosen["age"].recodings[:2] == (Rounding(10.0), Rounding(50.0, (10.0,)))
    editor.choose("text_input", "To the nearest, one a level", "50 10")
    assert any("each larger than the one before" in error for error in editor.errors)


def test_the_rare_are_put_together_on_a_level():
    editor = Editor(data=("drink\n" + "water\n" * 9 + "tea\n" * 6 + "gin\nrum\nale\n" * 2).encode(), columns=["drink"])
    editor.way("rare")
    (level, _) = editor.chosen["drink"].recodings
    assert level.labels(["water", "tea", "gin", "rum", "new"]).tolist() == ["water", "tea", "other", "other", "other"]
    editor.choose("text_input", "Fewer records than, one a level", "3 8").choose("text_input", "Label", "few")
    assert editor.hierarchies["drink"].on(["water", "tea", "gin"]).label(2).tolist() == ["water", "few", "few"]
    editor.choose("text_input", "Fewer records than, one a level", "8 3")
    assert any("ascending" in error for error in editor.errors)

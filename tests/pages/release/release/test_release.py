"""The Release page without a browser, and text of a file on every page."""

from __future__ import annotations

import re
from dataclasses import replace

import pandas as pd
import pytest

from anonlib.basics import words
from anonlib.coarsening.recoding import DateUnit, Intervals, Mask, ValueMap
from anonlib.columns.roles import Role
from anonlib.release.comparison import compare
from anonlib.release.export import table_csv
from anonlib.release.recipe import Recipe
from anonlib.release.steps import BlankCells, DropColumns, LeaveOut, MergeRare, Recode
from anonlib.release.suggestions import first_recipe
from pages.release.release.tabs.comparison import comparison_table
from tests.helpers.app import (
    DATA,
    EXPLAINED,
    PAGES,
    POPULATION,
    RELEASE,
    RELEASE_TABS,
    REPORT,
    RISK,
    RISK_TABS,
    SCHEDULES,
    App,
    dataset_of,
    loaded,
    sampled,
    seeded,
)
from tests.helpers.hostile import HOSTILE, MARK, check_text, hostile_file


@pytest.fixture
def app(file) -> App:
    return loaded(file, page=RELEASE)


def compared(app: App):
    return compare(app.session.recipe.apply(dataset_of(app)), app.session.recipe, k=app.session.k)


def test_rows_that_stand_for_nobody_are_stated():
    app = seeded(b"age,n\n30,4\n31,0\n30,3\n", page=RELEASE, roles={"age": "quasi_identifier", "n": "weight"})
    assert "2 records, 2 columns. 1 row of count 0 stands for nobody and is left out." in app.text


def test_suggested_steps_reach_k(app):
    (promised,) = re.findall(r"They keep \*\*([\d.]+%) \((\d+) of 300 rows\)\*\*, with k = (\d+)", app.text)
    result = compared(app.press("Start with these steps"))
    assert result.after.k >= 5
    assert app.metric("k, the smallest class") == f"1 → {result.after.k}"
    assert app.metric("Rows kept") == words.percent(result.rows_kept)
    assert promised == (words.percent(result.rows_kept), str(result.records_after), str(result.after.k))
    table = next(frame.value for frame in app.at.dataframe if "Marketer: average" in frame.value.columns)
    assert table["Marketer: expected"].tolist() == [side.n_classes for side in (result.before, result.after)]
    assert "Marketer: at risk" not in table.columns, "as on the Risk page"
    taken_home = comparison_table(result, "records", False)
    assert all(pd.api.types.is_numeric_dtype(taken_home[name]) for name in taken_home.columns[1:])
    row = table_csv(taken_home).decode().splitlines()[2].split(",")
    assert row[:4] == ["Release", str(result.records_after), str(result.after.k), "0"]
    assert float(row[-1]) == pytest.approx(result.after.marketer.average)
    assert not app.leave_anyway().download("Released CSV").proto.disabled
    assert "k does not hold" not in app.text


def choose_recode(app: App, column: str, way: str) -> App:
    """By the controls, each of which shows once the one before it is set."""
    app.choose("segmented_control", "Kind of step", "Recode")
    app.choose("selectbox", "Column", column)
    return app.choose("segmented_control", "Way", way)


def add_recode(app: App, column: str, way: str) -> App:
    """The same at once."""
    app.session.settings |= {"add-kind": "Recode", "add-column": column, f"add-{column}-way": way}
    assert app.run().widget("segmented_control", "Way").value == way
    return app


def test_a_recode_a_drop_and_a_suppression_are_added_by_hand(app):
    choose_recode(app, "age", "Intervals")
    app.set("number_input", "Width", 20.0).set("number_input", "From here on", 80.0)
    app.choose("text_input", "Reason", "ages are *too* fine").press("Add to recipe")
    assert app.session.recipe.enabled == (Recode("age", Intervals(20, top=80), "ages are *too* fine"),)
    choose_recode(app, "zip", "First or last characters").press("Add to recipe")
    choose_recode(app, "visit_date", "Date part").press("Add to recipe")
    app.choose("segmented_control", "Kind of step", "Drop columns")
    app.choose("multiselect", "Columns to drop", ["notes"]).press("Add to recipe")
    app.choose("segmented_control", "Kind of step", "Leave out").press("Add to recipe")
    steps = app.session.recipe.enabled
    assert [type(step) for step in steps] == [Recode, Recode, Recode, DropColumns, LeaveOut]
    assert isinstance(steps[1].recoding, Mask) and isinstance(steps[2].recoding, DateUnit)
    result = compared(app)
    assert result.after.k >= 5 and app.metric("k, the smallest class") == f"1 → {result.after.k}"


def test_values_are_grouped_by_giving_them_one_label(app):
    add_recode(app, "sex", "Group values")
    assert app.button("Add to recipe").disabled and app.button("Add to recipe").help
    app.edit("Label", {0: {"Label": "any"}, 1: {"Label": "any"}})
    app.press("Add to recipe")
    (step,) = app.session.recipe.enabled
    assert dict(step.recoding.labels_of) == {"Female": "any", "Male": "any"}


@pytest.fixture(scope="module")
def intervals(file) -> App:
    """The form of intervals of ages, in which nothing is added."""
    return add_recode(loaded(file, page=RELEASE), "age", "Intervals")


def choose_intervals(app: App, kind: str) -> None:
    if app.widget("radio", "Intervals").value != kind:
        app.choose("radio", "Intervals", kind)


@pytest.mark.parametrize("width", [0.0, -5.0, None, 1e-300, 1e300])
def test_an_impossible_width_is_a_sentence(width, intervals):
    choose_intervals(intervals, "of equal width")
    assert not intervals.choose("number_input", "Width", width).errors


@pytest.mark.parametrize(
    ("cuts", "accepted"),
    [("18 35 65", True), ("18;35", True), ("", False), ("a b", False), ("5 3", False), ("1 1", False)],
)
def test_cuts_are_taken_or_refused_in_a_sentence(cuts, accepted, intervals):
    choose_intervals(intervals, "between cuts")
    intervals.choose("text_input", "Cuts", cuts)
    assert intervals.button("Add to recipe").disabled != accepted
    assert not intervals.errors


def test_the_rare_are_merged_by_hand(app):
    app.choose("segmented_control", "Kind of step", "Rare values together").choose("selectbox", "Column", "zip")
    app.choose("number_input", "Merge values of fewer than", 70).press("Add to recipe")
    assert app.session.recipe.enabled == (MergeRare("zip", 70),)
    (effect,) = Recipe.of([MergeRare("zip", 70)]).apply(dataset_of(app)).effects
    assert effect.values_changed > 1
    assert f"{words.count(effect.cells_changed, 'cells')} of {words.count(effect.values_changed, 'values')}" in app.text
    app.press("Change step 1").choose("radio", "Into", "the nearest level of the column’s hierarchy")
    app.press("Keep the change")
    (step,) = app.session.recipe.enabled
    assert isinstance(step, MergeRare) and step.hierarchy is not None and not app.errors


def test_cells_are_left_blank_by_hand(app):
    app.choose("segmented_control", "Kind of step", "Single cells blank")
    app.choose("number_input", "Records that share all quasi-identifiers, at least", 3).press("Add to recipe")
    (step,) = app.session.recipe.enabled
    assert isinstance(step, BlankCells) and not app.errors
    released = Recipe.of([step]).apply(dataset_of(app)).released
    assert released.classes().counts.min() >= 3
    app.press("Change step 1").choose("slider", "May be left out", 5.0).press("Keep the change")
    (changed,) = app.session.recipe.enabled
    assert changed == replace(step, left_out_limit=0.05) and not app.errors


COLUMNS = ("full_name", "record_number", "age", "sex", "zip", "visit_date", "diagnosis", "notes")
WAYS = ("Intervals", "Rounding", "First or last characters", "Date part", "Group values")


@pytest.mark.parametrize("column", COLUMNS)
def test_every_way_can_be_tried_on_every_column(app, column):
    """What makes no sense is refused before it is added, or passed over with a problem; no page falls over."""
    if column not in app.widget("selectbox", "Column").options:
        return
    added = []
    for way in WAYS:
        app.session.recipe = Recipe()
        add_recode(app, column, way)
        assert not app.errors
        if not app.button("Add to recipe").disabled:
            assert not app.press("Add to recipe").errors
            added.append(app.session.recipe)
    if added:
        app.session.recipe = added[COLUMNS.index(column) % len(added)]  # one way of each column, each of several
        assert not app.open(RISK).errors


def test_a_recoding_added_by_hand_comes_before_the_suppression_that_is_there():
    """Behind it, 2,212 of the 5,000 admissions are kept."""
    ways = (Recode("zip", Mask(3)), Recode("admission_date", DateUnit("year")))
    app = sampled("admissions", RELEASE, recipe=Recipe.of([*ways, LeaveOut(5)]))
    add_recode(app, "age", "Intervals").set("number_input", "Width", 20.0)
    app.choose("number_input", "From here on", 120.0)
    assert app.metric("rows kept").endswith("→ 95.7%"), "before it is added"
    app.press("Add to recipe")
    assert app.session.recipe.enabled == (*ways, Recode("age", Intervals(20, top=120)), LeaveOut(5))
    assert app.session.recipe.apply(dataset_of(app)).released.n_records == 4784


def recipe_link(app: App) -> str:
    """What the sidebar says of the recipe."""
    labels = [each.proto.label for each in app.at.sidebar if each.type == "page_link"]
    (link,) = [label for label in labels if "Recipe" in label]
    return link


def test_steps_move_switch_off_and_go_away(app):
    data = dataset_of(app)
    app.session.recipe = Recipe().take(first_recipe(data, 5, part_by_part=False).steps, data)
    app.run()
    steps = app.session.recipe.enabled
    assert app.button("Step 1 earlier").disabled and app.button(f"Step {len(steps)} later").disabled
    assert "first" in app.button("Step 1 earlier").help
    app.press("Step 2 earlier")
    assert app.session.recipe.enabled == (steps[1], steps[0], *steps[2:])
    app.press("Step 1 later")
    assert app.session.recipe.enabled == steps
    before = app.metric("Rows kept")
    last = next(toggle for toggle in app.at.toggle if toggle.label == f"Step {len(steps)} is on")
    last.set_value(False)
    assert app.run().session.recipe.enabled == steps[:-1] and "Switched off" in app.text
    assert recipe_link(app) == f"Recipe: {len(steps) - 1} of {len(steps)} steps on"
    assert app.metric("Rows kept") == "100%" != before
    assert "Smallest class" in app.text and app.download("Released CSV").proto.disabled
    assert not app.leave_anyway().download("Released CSV").proto.disabled
    app.press(f"Remove step {len(steps)}")
    assert len(app.session.recipe) == len(steps) - 1


def test_a_step_can_be_changed(app):
    app.press("Start with these steps")
    n = len(app.session.recipe)
    app.press(f"Change step {n}")
    app.set("number_input", "Leave out records", 9).run().press("Keep the change")
    assert app.session.recipe.enabled[-1].k == 9 and len(app.session.recipe) == n
    app.press("Change step 1").press("Leave it as it was")
    assert app.session.editing is None


def test_what_a_step_would_do_is_what_it_then_does(file):
    roles = {"age": Role.QUASI_IDENTIFIER, "sex": Role.QUASI_IDENTIFIER}  # some records are left
    app = seeded(file, page=RELEASE, roles=roles).choose("segmented_control", "Kind of step", "Leave out")
    would = app.metric("Would make k"), app.metric("rows kept")
    assert would[0].startswith("1 → ")
    app.press("Add to recipe")
    assert (app.metric("k, the smallest class"), words.change("100%", app.metric("Rows kept"))) == would


def test_a_step_that_does_not_fit_stops_the_download_with_a_reason(file):
    steps = [DropColumns(("age",)), Recode("age", Intervals(10)), LeaveOut(2)]
    app = seeded(file, page=RELEASE, recipe=Recipe.of(steps))
    assert not app.errors
    download = app.download("Released CSV").proto
    assert download.disabled and "could not be applied" in download.help
    assert "no column “age”" in app.text.replace("\\", "")
    app.press("Remove step 2")
    assert not app.leave_anyway().download("Released CSV").proto.disabled


@pytest.fixture(scope="module")
def started(file) -> App:
    """A session with the steps that are suggested, to which every bad recipe is given in turn."""
    return loaded(file, page=RELEASE).press("Start with these steps")


@pytest.mark.parametrize(
    "text",
    [
        b"",
        b"not json",
        b"[1, 2]",
        b'{"format": "anonscope-recipe", "version": 9, "steps": []}',
        b'{"format": "anonscope-recipe", "version": 1, "steps": [{"kind": "suppress"}]}',
        b'{"format": "anonscope-recipe", "version": 1, "steps": [{"kind": ["x"]}]}',
        b'{"format": "anonscope-recipe", "version": 1, "steps": [{"kind": "drop_columns", "columns": [1]}]}',
        b'{"format": "anonscope-recipe", "version": 1, "steps": [{"kind": "recode", "column": ["a"], '
        b'"recoding": {"kind": "date"}}]}',
        b'{"format": "anonscope-recipe", "version": 1, "steps": [{"kind": "recode", "column": "age", '
        b'"recoding": {"kind": "mask", "keep": 2.5}}]}',
        b'{"format": "anonscope-recipe", "version": 1, "steps": [{"kind": "drop_columns", "columns": ["\\ud800"]}]}',
        b"\xff\xfe\xfa",
        b"%PDF-1.7",
        b"[" * 100_000,
    ],
)
def test_what_is_no_recipe_is_refused_and_the_recipe_stays(text, started):
    app = started
    before = app.session.recipe
    assert len(before)
    app.upload(text, "recipe.json", label="A recipe saved here")
    assert len(app.errors) == 1
    assert app.session.recipe == before


def test_a_recipe_for_another_file_shows_its_problems_and_loses_nothing(app):
    recipe = Recipe.of([DropColumns(("somewhere",)), Recode("age", Intervals(10)), Recode("place", Mask(2))])
    app.upload(recipe.to_json().encode(), "recipe.json", label="A recipe saved here")
    assert not app.errors and app.session.recipe == recipe
    assert app.text.replace("\\", "").count("There is no column") == 2
    for page in (RISK, RELEASE):
        assert not app.open(page).errors


@pytest.mark.parametrize(
    "pages",
    [(RISK, SCHEDULES, REPORT), pytest.param(PAGES, marks=pytest.mark.repeats)],  # drawn by app.py on each
    ids=["some", "all"],
)
def test_the_sidebar_says_original_and_now_on_every_page(file, pages):
    roles = {"age": Role.QUASI_IDENTIFIER, "sex": Role.QUASI_IDENTIFIER, "diagnosis": Role.SENSITIVE}
    app = seeded(file, page=RELEASE, roles=roles).press("Start with these steps")
    result = compared(app)
    assert result.after.k > result.before.k == 1
    for page in pages:
        app.open(page)
        sidebar = "\n".join(element.value for element in app.at.sidebar.markdown).replace("\\", "")
        assert f"1 → {result.after.k}" in sidebar and "visits.csv" in sidebar
        assert words.percent(result.rows_kept) in sidebar
        assert recipe_link(app).startswith("Recipe:") and str(len(app.session.recipe)) in recipe_link(app)


def test_the_date_part_asks_for_the_order_of_day_and_month_where_no_value_tells():
    rows = [f"{i % 12 + 1:02}/{(i + 3) % 12 + 1:02}/2021" for i in range(24)]
    app = seeded("\n".join(["seen", *rows]).encode(), page=RELEASE, roles={"seen": Role.QUASI_IDENTIFIER})
    add_recode(app, "seen", "Date part").choose("segmented_control", "Keep", "month")
    app.choose("segmented_control", "Stands first", "month").press("Add to recipe")
    assert [step.recoding for step in app.session.recipe.enabled] == [DateUnit("month", "month")]


def test_a_copy_of_a_recoded_column_that_leaves_is_named_with_the_way_out():
    years = {"none": "0", "some": "6", "college": "12"}
    rows = [f"{school},{years[school]},{i}" for i, school in enumerate(list(years) * 20)]
    roles = {"school": Role.QUASI_IDENTIFIER, "school_years": Role.OTHER}
    app = seeded("\n".join(["school,school_years,chol", *rows]).encode(), page=RELEASE, roles=roles)
    assert "can be read off" not in app.text, "nothing is recoded yet"
    app.session.recipe = Recipe.of([Recode("school", Mask(0))])
    text = app.run().text.replace("\\", "")
    assert "can be read off **school_years**: **school** for 100% (60 of 60 records). Recoding **school**" in text
    app.session.recipe = Recipe.of([Recode("school", Mask(0)), DropColumns(("school_years",))])
    assert "can be read off" not in app.run().text
    app.session.recipe = Recipe.of([DropColumns(("school",)), LeaveOut(2)])
    app.session.roles = {**app.session.roles, "chol": Role.QUASI_IDENTIFIER}
    assert "No record is left" in app.run().text and "can be read off" not in app.text


def test_a_column_that_tells_apart_is_named_until_nobody_outside_can_know_it():
    """21 of 30 have a value of their own, and nine share three values: with it all are below 5."""
    rows = [f"M,{i}" for i in range(21)] + [f"F,{100 + i % 3}" for i in range(9)]
    data = "\n".join(["sex,chol", *rows]).encode()
    app = seeded(data, page=RELEASE, roles={"sex": Role.QUASI_IDENTIFIER})
    assert "**chol** 100% (30 of 30 records)" in app.text
    assert "any 3 of the 2 columns that leave, sensitive ones too, finds **70% (21 of 30 records)** alone" in app.text
    assert "unique on any 3 released columns: **70%**" in app.text and "**1 column** could break k" in app.text
    app.choose("multiselect", "Nobody outside can know", ["chol"])
    assert app.session.unknowable == ("chol",) and "**chol** 100%" not in app.text and "could break k" not in app.text
    assert "Not looked at: **chol**" in app.text and "finds **0% (0 of 30 records)** alone" in app.text
    state_of = app.open(RISK).open(RELEASE).widget("multiselect", "Nobody outside can know")
    assert state_of.value == ["chol"]
    app.choose("multiselect", "Nobody outside can know", [])
    assert "**chol** 100% (30 of 30 records)" in app.text
    app.choose("multiselect", "Nobody outside can know", ["chol"]).open(DATA).upload(b"sex,chol\nM,1\n", "other.csv")
    assert app.session.unknowable == (), "another file is another question"
    app = seeded(data, page=RELEASE, roles={"sex": Role.QUASI_IDENTIFIER, "chol": Role.QUASI_IDENTIFIER})
    assert not [each for each in app.at.multiselect if each.label.startswith("Nobody outside")], "k counts it"


def test_what_can_be_inferred_is_stated_beside_k():
    rows = ["M,34,yes"] * 6 + ["M,52,no"] * 6 + ["F,34,yes", "F,34,no"] * 3
    roles = {"sex": Role.QUASI_IDENTIFIER, "age": Role.QUASI_IDENTIFIER}
    app = seeded("\n".join(["sex,age,readmitted", *rows]).encode(), page=RELEASE, roles=roles)
    assert "no sensitive column is chosen" in app.text and "No sensitive column is chosen" in app.text
    app.session.roles = app.session.roles | {"readmitted": Role.SENSITIVE}
    assert app.run().metric("Records below k") == "0"
    (message,) = [warning.value for warning in app.at.warning if "is certain for" in warning.value]
    assert "**readmitted** is certain for **66.7% (12 of 18 records)**" in message
    assert "at most two of **sex** and **age**" in message
    assert "certain from 2 quasi-identifiers:  \n:material/warning: readmitted: **12**" in app.text
    app.session.recipe = Recipe.of([DropColumns(("age",))])
    assert "certain from 2 quasi-identifiers:  \nreadmitted: **12 → 0**" in app.run().text
    assert "for **0% (0 of 18 records)**, in the original for 66.7%, to someone who knows at most two of" in app.text
    app.session.recipe = Recipe.of([DropColumns(("readmitted",))])
    assert "no sensitive column leaves" in app.run().text


def test_entropy_kept_is_of_all_columns_that_can_leave(file):
    """Grouping a diagnosis, which is no quasi-identifier, costs information too."""
    grouped = Recode("diagnosis", ValueMap.of({"E11 Diabetes": "x", "I10 Hypertension": "x"}))
    app = seeded(file, page=RELEASE, recipe=Recipe.of([grouped]))
    shown = compared(app)
    kept = [loss.entropy_kept for loss in shown.columns]
    assert app.metric("Entropy kept") == words.percent(sum(kept) / len(kept)) != "100%"
    help = next(metric.proto.help for metric in app.at.metric if metric.label == "Entropy kept")
    assert "of the quasi-identifiers alone 100%" in help


def test_a_release_of_no_record_is_no_success(file):
    app = seeded(file, page=RELEASE, recipe=Recipe.of([Recode("zip", Mask(4)), LeaveOut(200)]))
    assert "Recode the quasi-identifiers more coarsely" in app.text and "move “Leave out”" not in app.text
    app = seeded(file, page=RELEASE, recipe=Recipe.of([LeaveOut(200), Recode("zip", Mask(0))]))
    (message,) = [warning.value for warning in app.at.warning if "No record" in warning.value]
    assert message == "No record is left: move “Leave out” below the recodings, or recode more."
    assert app.download("Released CSV").proto.help == message
    assert [(metric.label, metric.value) for metric in app.at.metric] == [("Rows kept", "0%")]
    assert "No record is left" in "".join(element.value for element in app.at.sidebar.markdown)
    table = next(frame.value for frame in app.at.dataframe if "Marketer: average" in frame.value.columns)
    assert table["Rows"].tolist()[1] == 0 and table.iloc[1, 2:].isna().all()
    app.session.recipe = Recipe()
    app.run().choose("segmented_control", "Kind of step", "Leave out")
    app.widget("number_input", "Leave out records").set_value(999)
    assert "No record would be left." in app.run().text


# ---- text of a file is never markup ----------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def hostile() -> App:
    """At Data before and after roles are given."""
    app = App(DATA, hostile_file(), f"![{MARK}](http:h.example.png).csv")
    check_text(app)
    assert any(MARK in name for name in app.session.loaded.source.frame.columns)
    quasi = "Quasi-identifier"
    roles = [quasi, quasi, "Sensitive", quasi, "Identifier", "Place", "Person id"]
    app.give_roles(**dict(zip(HOSTILE, roles, strict=True)))
    assert any(MARK in text for text in app.rendered_text()), "they are shown"
    return app


@pytest.mark.parametrize("page", PAGES)
def test_hostile_names_and_cells_are_text_on_every_page(page, hostile):
    hostile.open(page)
    assert MARK in hostile.text, "the sidebar names the file"
    check_text(hostile)
    for key, tabs in {RISK: {"risk-tabs": RISK_TABS}, RELEASE: {"release-tabs": RELEASE_TABS}}.get(page, {}).items():
        for _ in hostile.each_tab(key, tabs):
            check_text(hostile)
        check_text(hostile.tab(key, EXPLAINED))


def test_hostile_names_are_text_in_steps_problems_and_reasons(hostile):
    columns = list(hostile.session.loaded.source.frame.columns)
    reason = HOSTILE[0]
    steps = [Recode(columns[0], Mask(2), reason), DropColumns((columns[1],), reason), Recode(HOSTILE[0] + "?", Mask(1))]
    hostile.session.recipe = Recipe.of([*steps, Recode(columns[3], Intervals(5), reason)])
    for page in (RISK, RELEASE):
        check_text(hostile.open(page))
    for position in range(4):
        check_text(hostile.press(f"Change step {position + 1}"))
    hostile.session.editing = None


def test_hostile_refusals_and_recipe_names_are_text(hostile):
    hostile.open(DATA).upload(b"a,b\n1,2\n1\n2,3,4,5\n", f"<img src=x>{MARK}.csv")
    assert hostile.errors
    check_text(hostile)
    hostile.press("Leave it")
    hostile.open(RELEASE).upload(Recipe().to_json().encode(), f"![{MARK}](x).json", label="A recipe saved here")
    check_text(hostile)
    hostile.open(RISK).upload(POPULATION, f"![{MARK}](x).csv", label="Load a population table")
    check_text(hostile)


def test_leaving_out_every_record_is_stated_and_shown_on_no_figure():
    """Every record lacks one quasi-identifier and the policy leaves such records out: nobody is left to count."""
    roles = {"age": Role.QUASI_IDENTIFIER, "zip": Role.QUASI_IDENTIFIER}
    app = seeded(b"age,zip\n34,\n35,\n,02138\n,02139\n", page=RISK, roles=roles, missing="drop")
    assert not app.errors and "nothing is left to single out" in app.text
    assert not app.open(RELEASE).errors and "each lacks a quasi-identifier" in app.text

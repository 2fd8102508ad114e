"""Undo and redo on every page: recipe, roles, missing values, hierarchies, tables beside the file, and files."""

from __future__ import annotations

import pytest

from anonlib.columns.roles import Role
from anonlib.release.recipe import Recipe
from anonlib.release.steps import DropColumns, LeaveOut
from tests.helpers.app import (
    ACCEPT,
    DATA,
    GENERALIZE,
    GENERALIZE_TABS,
    HOME,
    PAGES,
    POPULATION,
    RELEASE,
    RISK,
    SCHEDULES,
    SMALL,
    App,
    loaded,
    sampled,
    visits,
)
from tests.helpers.regions import of_files
from ui.session import history, state
from ui.session.companions import AreaTable, SlotTable

TABLES = ((AreaTable, "file"), (AreaTable, "columns"), (SlotTable, "table"))


def decided(app: App) -> dict[object, object]:
    """What can be undone, of a session and of the tables beside its file (which are the same where they are at all)."""
    session = app.session
    tables = {(kind, name): getattr(session.parts.get(kind) or kind(), name) for kind, name in TABLES}
    fields: dict[object, object] = {name: getattr(session, name) for name in state.DECIDED}
    return fields | {of: value if value is None else id(value) for of, value in tables.items()}


def label(app: App) -> str:
    """What the undo button says it would take back."""
    return app.button("undo").label.replace("\\", "").removeprefix("Undo: ")


def undone_and_redone(app: App, before: dict[object, object], what: str) -> None:
    """The last change is called so, one undo takes it back, and one redo makes it again."""
    after = decided(app)
    assert label(app) == what and app.button("redo").disabled
    app.press("undo")
    assert not app.errors and decided(app) == before
    assert f"Undone: {what}" in app.text.replace("\\", "")
    app.press("redo")
    assert not app.errors and decided(app) == after
    app.press("undo")
    assert decided(app) == before


def test_nothing_to_undo_is_stated_and_without_data_there_is_no_undo(file):
    assert not App(HOME).has_button("undo")
    app = App(DATA, file)
    for name in ("undo", "redo"):
        assert app.button(name).disabled and app.button(name).help


@pytest.fixture(scope="module")
def cleared() -> state.Session:
    """The sample after its roles were cleared on Data."""
    return sampled("admissions", DATA).press("Clear roles").session


@pytest.mark.parametrize("page", PAGES)
def test_cleared_roles_come_back_from_every_page(page, cleared, without_searches):
    app = App(page, session=cleared)
    assert app.session.roles == {}
    app.press("undo")
    assert not app.errors and app.session.roles[next(iter(app.session.roles))] and len(app.session.roles) == 12
    if page not in (DATA, RISK):
        return
    app.open(DATA)
    assert "Undecided" not in set(app.table("Role")["Role"]) and app.button(ACCEPT).disabled


def test_roles_set_accepted_and_cleared_are_undone_one_by_one(file):
    app = App(DATA, file)
    empty = decided(app)
    app.give_roles(age="Quasi-identifier")
    undone_and_redone(app, empty, "set role of age")
    app.give_roles(age="Quasi-identifier")
    one = decided(app)
    app.press(ACCEPT)
    undone_and_redone(app, one, "set roles of 5 columns")
    assert app.table("Role").set_index("Column")["Role"]["age"] == Role.QUASI_IDENTIFIER.answer
    app.press("redo").press("Clear roles")
    app.press("undo").press("undo").press("undo")
    assert decided(app) == empty and app.button("undo").disabled
    assert set(app.table("Role")["Role"]) == {"Undecided"}, "the table shows what holds"


def test_a_refused_role_and_a_click_without_effect_are_no_changes(file):
    app = App(DATA, file).give_roles(record_number="Person id")
    app.give_roles(full_name="Person id")
    assert app.errors and label(app) == "set role of record_number" and len(app.session.past) == 1


def test_the_table_of_roles_stays_the_same_widget_while_its_choices_hold(file):
    app = App(DATA, file)

    def identity() -> str:
        return next(table for table in app.at.data_editor if "Role" in table.value.columns).proto.id

    first = identity()
    app.give_roles(age="Quasi-identifier", sex="Quasi-identifier", record_number="Person id")
    assert identity() == first, "a new one would lose the keyboard's focus"
    app.give_roles(full_name="Person id")
    shown = app.table("Role").set_index("Column")["Role"]
    assert identity() != first and shown["full_name"] == "Undecided", "what was refused is not on show"


def test_what_a_missing_value_counts_as_is_undone_and_its_control_follows():
    app = loaded(SMALL)
    before = decided(app)
    app.choose("radio", "A record with a missing", "drop")
    undone_and_redone(app, before, "change what a missing value counts as")
    assert app.widget("radio", "A record with a missing").value == "category"


def test_missing_marks_and_merged_spellings_are_undone():
    app = App(DATA, b"sex,age\nF,34\nf ,35\nF,?\nM,37\n")
    before = decided(app)
    app.choose("multiselect", "Marks that mean", [])
    undone_and_redone(app, before, "set marks of missing values")
    assert "?" in app.widget("multiselect", "Marks that mean").value
    assert app.session.loaded.cells().frame["sex"].nunique() == 3
    app.choose("multiselect", "Columns in which to merge", ["sex"])
    assert app.session.loaded.cells().frame["sex"].nunique() == 2, "F and f are one"
    undone_and_redone(app, before, "merge spellings")
    assert app.widget("multiselect", "Columns in which to merge").value == []


def test_each_change_of_the_recipe_is_undone(file):
    app = loaded(file, page=RELEASE)
    before = decided(app)
    app.press("Start with these steps")
    n = len(app.session.recipe)
    undone_and_redone(app, before, f"take {n} steps")
    app.press("redo")
    started = decided(app)
    for button, what in (
        ("Remove step 2", "remove step 2"),
        ("Step 1 later", "move a step"),
        ("Remove step 1", "remove step 1"),
    ):
        app.press(button)
        undone_and_redone(app, started, what)
    toggle = next(toggle for toggle in app.at.toggle if toggle.label == "Step 1 is on")
    toggle.set_value(False)
    app.run()
    undone_and_redone(app, started, "switch step 1 off")
    assert next(toggle for toggle in app.at.toggle if toggle.label == "Step 1 is on").value is True
    app.upload(Recipe.of([DropColumns(("notes",))]).to_json().encode(), "recipe.json", "A recipe saved here")
    assert len(app.session.recipe) == 1
    undone_and_redone(app, started, "change the recipe")


def test_a_policy_taken_from_another_page_is_undone_there():
    app = sampled("admissions", GENERALIZE)
    before = decided(app)
    app.press("Add to recipe")
    assert len(app.session.recipe)
    app.open(RISK).press("undo")
    assert decided(app) == before and not app.errors


def test_a_hierarchy_is_undone_and_its_editor_follows():
    app = sampled("admissions", GENERALIZE, (f"generalize-tabs-{len(GENERALIZE_TABS)}", "Hierarchies"))
    before = decided(app)

    def widths() -> str:
        return app.widget("text_input", "Widths").value

    first = widths()
    app.choose("text_input", "Widths", "4 8 16")
    assert "age" in app.session.hierarchies and not app.errors
    undone_and_redone(app, before, "set hierarchy of age")
    assert widths() == first, "the editor shows what holds"
    app.press("redo")
    assert widths() == "4 8 16"


def test_a_population_table_is_undone(file):
    app = loaded(file, page=RISK)
    before = decided(app)
    app.upload(POPULATION, "people.csv", "Load a population table")
    undone_and_redone(app, before, "load population table")


def test_areas_and_slots_are_undone():
    app = of_files(tab="Areas")
    before = decided(app)
    app.press("Forget these areas")
    assert app.session.parts[AreaTable].file is None
    undone_and_redone(app, before, "remove areas")
    columns = app.session.parts[AreaTable].columns
    app.choose("selectbox", "People who live there", "(none)")
    undone_and_redone(app, before, "change columns of the areas")
    assert app.widget("selectbox", "People who live there").value == columns.population
    app = sampled("screening_county", SCHEDULES)
    before = decided(app)
    app.upload(b"slot,places\na,500\nb,3000\n", "slots.csv", "Load a table of slots")
    assert len(app.session.parts[SlotTable].table) == 2
    undone_and_redone(app, before, "change slots")
    app.tab("schedules-tabs", "Change slots").edit("places", {0: {"places": "99"}})
    assert app.session.parts[SlotTable].table["places"][0] == "99"
    app.press("undo")
    assert decided(app) == before and app.at.data_editor[0].value["places"][0] != "99", "the editor shows what holds"


def test_reading_a_file_again_is_undone_with_roles_and_hierarchies(file):
    app = loaded(file)
    before = decided(app)
    app.set("selectbox", "Delimiter", ";").press("Read again")
    assert app.metric("Columns") == "1" and not app.session.roles
    undone_and_redone(app, before, "read visits.csv again")
    assert app.metric("Columns") == "8"


@pytest.mark.parametrize("other", ["file", "sample"])
def test_another_file_and_a_sample_are_taken_back_with_everything(file, other):
    app = loaded(file, page=RELEASE).press("Start with these steps")
    app.open(RISK).choose("slider", "k:", 9)
    before = decided(app)
    if other == "file":
        app.open(DATA).upload(SMALL, "small.csv")
    else:
        app.open(HOME).press("open-province")
    assert not app.session.recipe.entries and app.session.k == 9 and bool(app.session.roles) == (other == "sample")
    what = "open small.csv" if other == "file" else "open province_records.csv"
    undone_and_redone(app, before, what)
    assert app.session.k == 9
    assert label(app).startswith("take "), "and what was done before it can be undone too"
    app.press("undo")
    assert not app.session.recipe.entries and app.session.roles


def test_settings_come_back_with_their_file(file):
    app = loaded(file, page=GENERALIZE)
    app.choose("slider", "May be left out", 20.0)
    app.open(HOME).press("open-province").press("undo").open(GENERALIZE)
    assert app.widget("slider", "May be left out").value == 20.0


def test_only_one_earlier_file_is_held(file):
    app = loaded(file)
    app.upload(SMALL, "small.csv").give_roles(age="Quasi-identifier")
    assert [change.what for change in app.session.past] == [
        "set roles of 8 columns", "open small.csv", "set role of age",
    ]  # fmt: skip
    app.upload(visits(40), "third.csv")
    assert [change.what for change in app.session.past] == ["set role of age", "open third.csv"]
    names = {change.session.loaded.source.name for change in app.session.past}
    assert names == {"small.csv"}


def test_no_more_changes_are_held_than_a_bound(monkeypatch, file):
    monkeypatch.setattr(history, "MOST", 3)
    app = App(DATA, file)
    for role in ("Quasi-identifier", "Sensitive", "Neither", "Identifier", "Quasi-identifier"):
        app.give_roles(age=role)
    assert len(app.session.past) == 3


def test_a_change_after_an_undo_ends_what_could_be_redone(file):
    app = loaded(file).press("Clear roles").press("undo")
    assert not app.button("redo").disabled
    app.give_roles(notes="Sensitive")
    assert app.button("redo").disabled and label(app) == "set role of notes"


def test_the_second_of_two_clicks_undoes_nothing_more(file, monkeypatch):
    app = App(DATA, file).give_roles(age="Quasi-identifier", sex="Quasi-identifier", zip="Place")
    monkeypatch.setattr(state, "session", lambda: app.session)
    number = app.session.past[-1].number
    for _ in range(2):
        history.undo(number)
    assert set(app.session.roles) == {"age", "sex"} and len(app.session.past) == 2
    history.shown()
    number = app.session.future[-1].number
    for _ in range(2):
        history.redo(number)
    assert set(app.session.roles) == {"age", "sex", "zip"} and not app.session.future


def test_a_click_that_cannot_have_read_the_button_undoes_nothing(file, monkeypatch):
    """On a slow machine the second of two clicks comes when the button names the next change already."""
    app = App(DATA, file).give_roles(age="Quasi-identifier", sex="Quasi-identifier")
    monkeypatch.setattr(history, "READ_IN", 60.0)
    app.press("undo").press("undo")
    assert set(app.session.roles) == {"age"} and len(app.session.past) == 1
    app.press("redo")
    assert set(app.session.roles) == {"age"}
    monkeypatch.setattr(history, "READ_IN", 0.0)
    app.press("redo")
    assert set(app.session.roles) == {"age", "sex"}


def test_forgetting_asks_first_and_leaves_nothing_to_undo(file):
    app = loaded(file).upload(SMALL, "small.csv")
    assert "cannot be undone" in app.text
    app.press("Forget this data for good")
    assert app.session == state.Session(generation=app.session.generation, shown=app.session.shown)
    assert app.session.past == app.session.future == () and not app.has_button("undo")
    app.upload(SMALL, "small.csv")
    assert app.button("undo").disabled, "a first file is nothing to undo"


@pytest.mark.parametrize(
    ("before", "now", "what"),
    [
        ([], [LeaveOut(5)], "add “{0}”"),
        ([DropColumns(("a",))], [DropColumns(("a",)), LeaveOut(5)], "add “{1}”"),
        ([DropColumns(("a",)), LeaveOut(5)], [LeaveOut(5)], "remove step 1"),
        ([DropColumns(("a",)), LeaveOut(5)], [LeaveOut(5), DropColumns(("a",))], "move a step"),
        ([LeaveOut(5)], [LeaveOut(7)], "change step 1"),
        ([LeaveOut(5)], [], "remove step 1"),
        ([DropColumns(("a",)), LeaveOut(5)], [], "empty the recipe"),
        ([], [DropColumns(("a",)), LeaveOut(5)], "take 2 steps"),
        ([LeaveOut(5)], [DropColumns(("a",)), DropColumns(("b",)), LeaveOut(5)], "change the recipe"),
    ],
)
def test_a_change_of_the_recipe_is_called_what_was_done(before, now, what):
    names = [step.describe() for step in now]
    assert history.recipe_request(Recipe.of(before).entries, Recipe.of(now).entries) == what.format(*names)


def test_what_nobody_outside_can_know_is_undone_where_it_was_stated():
    app = sampled("admissions", RELEASE)
    before = decided(app)
    app.choose("multiselect", "Nobody outside can know", ["length_of_stay"])
    assert app.session.unknowable == ("length_of_stay",)
    app.press("undo")
    assert decided(app) == before and app.widget("multiselect", "Nobody outside can know").value == []
    app.press("redo")
    assert app.widget("multiselect", "Nobody outside can know").value == ["length_of_stay"]

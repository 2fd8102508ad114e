"""A project saved and opened again: on the same file, on next year's, before any file; undone; refused."""

from __future__ import annotations

import json
from dataclasses import replace
from hashlib import sha256

import pytest

from anonlib.coarsening.recoding import Intervals, Mask, ValueMap
from anonlib.columns.roles import Role
from anonlib.filing.evidence import released_file
from anonlib.filing.project import Project
from anonlib.release.recipe import Recipe
from anonlib.release.steps import DropColumns, LeaveOut, Recode
from anonlib.verdict.criteria import Aim
from anonlib.verdict.criteria.sizes import SmallestClass
from tests.helpers.app import (
    DATA,
    HOME,
    PAGES,
    POPULATION,
    RELEASE,
    RISK,
    SMALL,
    VERDICT,
    App,
    deciding,
    loaded,
    sampled,
    seeded,
    visits,
    within,
)
from tests.helpers.documents import with_table
from tests.helpers.regions import of_files
from ui.files import projects
from ui.session import view
from ui.session.companions import AreaTable

LABEL = "A project saved here"
RECIPE = Recipe.of([DropColumns(("notes",)), Recode("zip", Mask(3)), Recode("age", Intervals(20)), LeaveOut(3)])


def project_of(app: App) -> Project:
    """The session's project, with the files that are loaded."""
    return within(app.session, projects.current)


def saved(app: App) -> bytes:
    """What “Save project” downloads."""
    return within(app.session, lambda: projects.text(projects.current()))


def opened(app: App, text: bytes, name: str = "mine.json") -> App:
    return app.upload(text, name, LABEL)


def verdict(app: App) -> str:
    return within(app.session, lambda: view.now().verdict.says)  # type: ignore[union-attr]


def message(app: App) -> str:
    return app.text.replace("\\", "")


@pytest.fixture(scope="module")
def mine() -> App:
    """The admissions sample with a recipe, a changed criterion, another k and what was said of columns."""
    app = sampled("admissions", RELEASE).press("Start with these steps")
    aim = app.session.aim
    smallest = next(each for each in aim.criteria if isinstance(each, SmallestClass))
    app.session.aim = aim.replacing(smallest, SmallestClass(7)).with_weight("age", 2)
    app.session.unknowable = ("length_of_stay",)
    app.session.k = 7
    return app.run()


def test_what_asks_more_than_when_the_project_was_saved_stands_under_the_verdict() -> None:
    app = loaded(b"age,sex\n" + b"95 years,f\n41 years,m\n" * 30, page=VERDICT)
    app.session.aim = Aim.for_recipient("safe_harbor")
    document = json.loads(saved(app))
    assert "asks more than when" not in message(opened(app, json.dumps(document).encode()))
    del document["aim"]["year"]
    earlier = opened(app, json.dumps(document).encode())
    assert "“Safe Harbor” asks more than when this project was saved" in message(earlier)
    assert "asks more than when" not in message(opened(app, saved(app))), "it is saved as it is judged today"


@pytest.mark.parametrize("page", PAGES)
def test_every_page_offers_it(page: str, file: bytes) -> None:
    for app in (App(page), loaded(file, page=page)):
        assert not app.errors and app.widget("file_uploader", LABEL)
        assert any("confidential as the file" in element.value for element in app.at.sidebar.markdown)
        downloads = [button.label for button in app.at.download_button]
        assert ("Save project" in downloads) is (app.session.loaded is not None)


def test_after_forgetting_and_loading_again_it_brings_everything_back(mine: App) -> None:
    text, before, says = saved(mine), project_of(mine), verdict(mine)
    again = opened(App(HOME).press("open-admissions"), text)
    assert not again.errors and "The project mine.json is open." in message(again)
    assert project_of(again) == before and again.session.seed == mine.session.seed
    assert verdict(again) == says and again.session.k == 7
    assert "another file" not in message(again) and "No step covers" not in message(again)


def test_opening_is_one_change_that_is_undone_and_made_again(mine: App) -> None:
    app = sampled("admissions", RISK).choose("slider", "k:", 9)
    before, seed = project_of(app), app.session.seed
    opened(app, saved(mine))
    after = project_of(app)
    assert after != before and len(app.session.past) == 1
    assert undo_message(app) == "open the project mine.json"
    app.press("undo")
    assert project_of(app) == before and app.session.seed == seed and app.session.k == 9
    assert app.widget("slider", "k:").value == 9, "the controls follow"
    app.press("redo")
    assert project_of(app) == after and app.session.k == 7 and app.session.seed == mine.session.seed
    app.press("undo").open(DATA).press("Clear roles")
    assert undo_message(app) == "clear roles", "what comes later has a name of its own"


def undo_message(app: App) -> str:
    return app.button("undo").label.replace("\\", "").removeprefix("Undo: ")


def test_a_project_that_changes_nothing_is_no_change(mine: App) -> None:
    app = App(DATA, session=deciding(mine.session, past=(), notice=""))
    opened(app, Project.to_json(replace(project_of(mine), seed=app.session.seed)).encode())
    assert not app.session.past and "is open" in message(app)


def test_k_that_came_with_a_change_is_undone_with_it_and_else_stays(file: bytes, without_searches: None) -> None:
    app = loaded(file, page=RISK).choose("slider", "k:", 9)
    assert undo_message(app) == "set roles of 8 columns", "k is turned to and fro, and is no change by itself"
    app.open(DATA).press("Clear roles")
    app.session.k = 8
    app.press("undo")
    assert app.session.k == 8 and app.session.roles
    app.open(VERDICT).choose("selectbox", "Recipient", "public")
    assert app.session.k == 11 and undo_message(app) == "change what the release must meet"
    app.press("undo")
    assert app.session.k == 8 and app.session.aim.recipient == "contract"
    app.press("redo")
    assert app.session.k == 11 and app.session.aim.recipient == "public"


NEXT_YEAR = b"age,zip,illness,ward\n" + b"34,02138,flu,n\n36,99999,flu,n\n51,02139,asthma,s\nunborn,02138,grief,s\n" * 4


def this_year(**roles: Role) -> App:
    step = Recode("zip", ValueMap.of({"02138": "a", "02139": "a", "02141": "b"}))
    given = {"age": "quasi_identifier", "sex": "quasi_identifier", "zip": "quasi_identifier", "illness": "sensitive"}
    return seeded(SMALL, "small.csv", roles=given | roles, recipe=Recipe.of([Recode("age", Intervals(10)), step]))


def test_next_years_file_is_opened_with_a_report_of_what_no_step_covers() -> None:
    app = opened(App(RELEASE, NEXT_YEAR, "later.csv"), saved(this_year()))
    assert not app.errors
    for sentence in (
        "decided on another file, small.csv", "lacks the column “sex”", "New in this file is the column “ward”",
        "No step covers 1 value of age (4 records): “unborn”", "No step covers 1 value of zip (4 records): “99999”",
    ):  # fmt: skip
        assert sentence in message(app), sentence
    (report,) = app.at.success
    assert "grief" not in report.value and "grief" not in app.text, "a sensitive value is never named"
    assert set(app.session.roles) == {"age", "zip", "illness"} and view_undecided(app) == ("ward",)
    download = app.download("Released CSV").proto
    assert download.disabled and "does not cover 2 values of age" in download.help
    assert app.session.loaded.source.name == "later.csv"
    app.press("undo")
    assert app.session.roles == {} and not app.session.recipe


def view_undecided(app: App) -> tuple[str, ...]:
    return within(app.session, lambda: view.now().undecided)


def test_another_file_has_lots_of_its_own() -> None:
    mine, later = this_year(), App(DATA, NEXT_YEAR, "later.csv")
    seed = later.session.seed
    assert opened(later, saved(mine)).session.seed == seed != mine.session.seed


def test_before_any_file_it_waits_and_is_used_on_the_one_that_is_loaded() -> None:
    mine = this_year()
    app = opened(App(DATA), saved(mine))
    assert app.session.waiting is not None and "load its file, small.csv" in message(app)
    assert "waits for its file" in message(app.open(HOME))
    app.open(DATA).upload(SMALL, "small.csv")
    assert not app.errors and app.session.waiting is None and "The project mine.json is open." in message(app)
    assert project_of(app) == project_of(mine) and app.session.seed == mine.session.seed
    assert not app.session.past, "with a first file there is nothing to go back to"


def test_it_waits_for_a_sample_too_and_for_a_file_that_was_refused_first(mine: App) -> None:
    app = opened(App(HOME), saved(mine)).press("open-admissions")
    assert project_of(app) == project_of(mine) and verdict(app) == verdict(mine)
    app = opened(App(DATA), saved(this_year())).upload(b"", "empty.csv")
    assert app.session.waiting is not None and app.session.refused is not None
    assert app.upload(SMALL, "small.csv").session.recipe == this_year().session.recipe


def test_what_waits_can_be_let_go_and_is_forgotten_with_everything() -> None:
    app = opened(App(DATA), saved(this_year())).press("Let it go")
    assert app.session.waiting is None
    app.upload(SMALL, "small.csv")
    assert app.session.roles == {} and "waits" not in app.text


def test_where_another_way_loaded_the_file_it_is_used_by_a_button() -> None:
    """As public data are, which come by a way of their own."""
    app, mine = App(DATA, SMALL, "small.csv"), this_year()
    app.session.waiting = opened(App(DATA), saved(mine)).session.waiting
    app.run().press("Use it on this file")
    assert app.session.waiting is None and project_of(app) == project_of(mine)


REFUSED = {
    "damaged": lambda text: text[:-5],
    "another kind": lambda text: Recipe().to_json().encode(),
    "newer": lambda text: json.dumps(json.loads(text) | {"version": 99}).encode(),
    "roles that cannot stand together": lambda text: json.dumps(
        with_table(json.loads(text), roles={"age": "person_id", "sex": "person_id"})
    ).encode(),
    "a weight that counts nothing": lambda text: json.dumps(
        with_table(json.loads(text), roles={"sex": "weight"})
    ).encode(),
}


@pytest.mark.parametrize("damage", REFUSED.values(), ids=REFUSED.keys())
def test_nothing_is_lost_when_a_project_is_refused(damage) -> None:
    app = this_year()
    project, held, generation = app.session.project, app.session.loaded, app.session.generation
    opened(app, damage(saved(app)))
    assert len(app.errors) == 1 and app.errors[0].endswith(".")
    assert app.session.project is project and app.session.loaded is held and app.session.generation == generation
    assert not app.session.past and app.session.opened == ()
    assert not App(DATA).upload(damage(saved(app)), "mine.json", LABEL).session.roles


def test_the_file_is_read_as_the_project_has_it_and_that_is_undone() -> None:
    data = b"age;note\n34;x,1\n52;n/a\n52;N/A \n?;y,2\n"
    mine = App(DATA, data, "notes.csv").set("selectbox", "Delimiter", ";").press("Read again")
    mine.choose("multiselect", "Marks that mean", ["?"])
    mine.give_roles(age="Quasi-identifier")
    app = App(DATA, data, "notes.csv").set("selectbox", "First row is", "No").press("Read again")
    before = app.session.loaded.source
    assert "age" not in before.frame.columns
    opened(app, saved(mine))
    assert not app.errors and app.session.loaded.options == mine.session.loaded.options
    assert app.session.loaded.marks == mine.session.loaded.marks and app.session.roles == {"age": "quasi_identifier"}
    assert project_of(app) == project_of(mine) and undo_message(app) == "open the project mine.json"
    app.press("undo")
    assert app.session.loaded.source is before and not app.session.roles
    app.press("redo")
    assert project_of(app) == project_of(mine)


def test_a_way_of_reading_that_does_not_fit_is_reported_and_left() -> None:
    mine = this_year()
    document = json.loads(saved(mine))
    document["tables"][0]["file"]["read"]["encoding"] = "no such encoding"
    app = opened(App(DATA, SMALL, "small.csv"), json.dumps(document).encode())
    assert not app.errors and "not read as the project says" in message(app)
    assert app.session.recipe == mine.session.recipe and app.session.loaded.options.encoding is None


def test_a_population_table_keeps_its_columns_when_it_is_loaded_afterwards(file: bytes) -> None:
    mine = loaded(file, page=RISK).upload(POPULATION, "people.csv", "Load a population table")
    mine.choose("selectbox", "age is", "").choose("selectbox", "People are counted by", "")
    assert mine.session.population.weight is None
    app = opened(loaded(file, page=RISK), saved(mine))
    assert "decided with people.csv, which is not loaded" in message(app) and app.session.population is None
    assert project_of(app) == project_of(mine), "saved again it still says so"
    app.upload(POPULATION, "people.csv", "Load a population table")
    assert project_of(app) == project_of(mine) and app.session.population.weight is None
    with_table = loaded(file, page=RISK).upload(POPULATION, "people.csv", "Load a population table")
    assert with_table.session.population.weight == "people"
    opened(with_table, saved(mine))
    assert project_of(with_table) == project_of(mine) and "not loaded" not in message(with_table)
    with_table.press("Remove it")
    assert project_of(with_table).population is None


def test_another_population_table_stays_with_its_own_columns(file: bytes) -> None:
    mine = loaded(file, page=RISK).upload(POPULATION, "people.csv", "Load a population table")
    mine.choose("selectbox", "age is", "")
    other = loaded(file, page=RISK).upload(POPULATION + b"61,02141,9\n", "others.csv", "Load a population table")
    opened(other, saved(mine))
    assert other.session.population.name == "others.csv" and dict(other.session.population_columns) == {}
    assert "decided with people.csv" in message(other)


def test_areas_have_the_columns_that_were_decided() -> None:
    mine = of_files(tab="Areas").choose("selectbox", "People who live there", "(none)")
    columns = mine.session.parts[AreaTable].columns
    app = of_files(tab="Areas")
    assert app.session.parts[AreaTable].columns != columns
    opened(app, saved(mine))
    assert app.session.parts[AreaTable].columns == columns and undo_message(app) == "open the project mine.json"
    app.press("undo")
    assert app.session.parts[AreaTable].columns != columns


def test_no_cell_of_an_identifier_or_a_sensitive_column_is_in_it() -> None:
    """However they got into the recipe: grouped by hand, kept, or in a column that was something else before."""
    data = visits(60)
    rows = [line.split(",") for line in data.decode().splitlines()[1:]]
    steps = [
        Recode("diagnosis", ValueMap.of({row[6]: f"some {row[6]}" for row in rows})),
        Recode("record_number", Intervals(10), kept=tuple(row[1] for row in rows)),
        Recode("zip", ValueMap.of({"02138": "021"})),
    ]
    app = seeded(data, recipe=Recipe.of(steps), page=RELEASE)
    assert app.session.roles["diagnosis"] == "sensitive" and app.session.roles["full_name"] == "identifier"
    text = saved(app).decode()
    assert not [cell for row in rows for cell in (row[0], row[1], row[6]) if cell in text]
    assert "02138" in text, "values of quasi-identifiers are named"
    assert any("diagnosis" in each.value and "saved without" in each.value for each in app.at.sidebar.caption)
    again = opened(loaded(data, page=RELEASE), text.encode())
    assert "does not hold values of the column “diagnosis”" in message(again)
    download = again.download("Released CSV").proto
    assert download.disabled and "could not be applied" in download.help, "the column does not leave as it is"


def test_a_release_on_record_keeps_the_digest_of_its_file() -> None:
    app = seeded(visits(60), recipe=RECIPE, page=RELEASE).press("Note as released")
    assert not app.errors and app.session.aim.earlier == (RECIPE,)

    def file() -> bytes:
        return released_file(projects.opened())

    assert app.session.project.released == {RECIPE.digest: sha256(within(app.session, file)).hexdigest()}
    read = Project.from_json(saved(app))
    assert read.released == app.session.project.released and read.aim.earlier == (RECIPE,)
    app.press("undo")
    assert not app.session.project.released and not app.session.aim.earlier


def test_a_sidebar_with_a_project_too_large_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("ui.kit.sidebar.MOST_NAMED", 1)
    app = this_year().run()
    assert app.download("Save project").proto.disabled and "more than 1 values" in app.download("Save project").help


def test_the_view_is_the_same_while_the_project_is() -> None:
    app = this_year()

    def views() -> tuple:
        first = view.now()
        current = projects.current()
        projects.text(current)
        return first, view.now()

    first, second = within(app.session, views)
    assert first is second

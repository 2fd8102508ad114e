"""Release with a recipe of last year: what it does not cover, where it was decided otherwise, and where steps go."""

from __future__ import annotations

import json

from anonlib.basics import words
from anonlib.coarsening.recoding import Intervals, ValueMap
from anonlib.columns.roles import Role
from anonlib.release.export import draws_for, released_csv
from anonlib.release.recipe import Recipe
from anonlib.release.saved import SavedRecipe
from anonlib.release.steps import DropColumns, LeaveOut, Recode
from tests.helpers.app import RELEASE, App, dataset_of, loaded, visits

QI, SENSITIVE = Role.QUASI_IDENTIFIER, Role.SENSITIVE
RACES = "age,race,illness\n" + "34,A,flu\n" * 6 + "52,B,secret sorrow\n" * 5 + "19,Zed,flu\n"


def next_year(recipe: Recipe, **roles: Role) -> App:
    app = loaded(RACES.encode(), page=RELEASE)
    app.session.roles = roles or {"age": QI, "race": QI, "illness": SENSITIVE}
    app.session.recipe = recipe
    return app.run()


def test_a_value_that_no_step_covers_stops_the_download_until_it_is_decided_on():
    app = next_year(Recipe.of([Recode("race", ValueMap.of({"A": "A or B", "B": "A or B"}))]))
    download = app.download("Released CSV").proto
    assert download.disabled and "does not cover 1 value of race" in download.help
    (warning,) = [one.value for one in app.at.warning if "not covered" in one.value]
    assert "1 value of race is not covered" in warning and "(1 record)" in warning and "**Zed**" in warning
    app.choose("selectbox", "What becomes of it?", "leave_out")
    assert app.session.recipe.entries[0].step.others == "leave_out"
    assert not app.leave_anyway().download("Released CSV").proto.disabled
    assert not any("not covered" in one.value for one in app.at.warning)
    assert "1 row left out" in app.text and app.metric("Rows kept") == words.percent(11 / 12)


def test_values_of_a_sensitive_column_are_counted_and_not_named():
    app = next_year(Recipe.of([Recode("illness", ValueMap.of({"flu": "any"}))]))
    (warning,) = [one.value for one in app.at.warning if "not covered" in one.value]
    assert "1 value of illness" in warning and "5 records" in warning
    assert not any("sorrow" in text for text in app.rendered_text())


def test_a_step_made_here_covers_all_that_is_here_and_says_what_becomes_of_the_rest():
    app = next_year(Recipe())
    app.choose("selectbox", "Column", "race").choose("segmented_control", "Way", "Group values")
    app.edit("Label", {0: {"Label": "A or B"}, 1: {"Label": "A or B"}})
    app.choose("selectbox", "Other values", "star").press("Add to recipe")
    (step,) = app.session.recipe.enabled
    assert dict(step.recoding.labels_of) == {"A": "A or B", "B": "A or B", "Zed": "Zed"} and step.others == "star"
    assert not app.leave_anyway().download("Released CSV").proto.disabled


def test_a_dropped_person_id_is_no_longer_counted_among_the_columns():
    app = App(RELEASE, b"patient_nbr,age\n" + b"".join(f"{i // 2},{40 + i % 2}\n".encode() for i in range(40)))
    app.session.roles = {"patient_nbr": Role.PERSON_ID, "age": QI}
    app.session.recipe = Recipe.of([DropColumns(("patient_nbr",))])
    assert "1 column dropped" in app.run().text and "20 records, 1 column" not in app.text
    assert "40 records, 1 column" in app.text
    assert "replaced by numbers" not in app.text


def test_a_second_press_gives_the_same_file_in_no_order_of_the_original(monkeypatch):
    files: list[bytes] = []
    app = loaded(visits(60), page=RELEASE)
    monkeypatch.setattr(
        "ui.kit.page.download", lambda label, make, *_, **how: files.append(make()) if label == "Released CSV" else None
    )
    app.run()
    app.run()
    assert len(files) == 2 and files[0] == files[1]
    header, *rows = files[0].decode().split("\r\n")[:-1]
    dates = [row.split(",")[header.split(",").index("visit_date")] for row in rows]
    original = dataset_of(app).records["visit_date"].tolist()
    assert sorted(dates) == sorted(original) and dates != original


def test_a_recipe_saved_in_one_session_makes_the_same_file_in_another():
    app = loaded(visits(60), page=RELEASE).press("Start with these steps")
    data = dataset_of(app)

    def file_of(one: App) -> bytes:
        released = one.session.recipe.apply(data).released
        return released_csv(released, draws_for(released, one.session.project.lot("release")))

    session = app.session
    saved = SavedRecipe.of(session.recipe, data, k=session.k, threshold=session.threshold, seed=session.seed)
    other = loaded(visits(60), page=RELEASE)
    assert other.session.seed != session.seed
    other.upload(saved.to_json().encode(), "recipe.json", label="A recipe saved here")
    assert other.session.recipe == session.recipe and "in the same order" in other.text
    assert file_of(other) == file_of(app)
    assert "saved with other" not in other.text.lower()


def test_roles_and_thresholds_of_a_loaded_recipe_are_offered_and_taken_when_asked():
    app = loaded(visits(60), page=RELEASE)
    roles = {**app.session.roles, "sex": SENSITIVE, "gone": QI}
    recipe = Recipe.of([Recode("age", Intervals(20))])
    saved = SavedRecipe(recipe, roles=roles, missing="drop", k=11, threshold=0.09, saved_on="2025-03-01")
    app.upload(saved.to_json().encode(), "recipe.json", label="A recipe saved here")
    message = app.text.replace("\\", "")
    assert "saved on 2025-03-01 with other decisions" in message
    assert "**sex** sensitive" in message and "k = 11" in message and "9%" in message
    assert "lacks 1 column of the one it was made for: gone" in message
    assert app.session.k == 5 and app.session.roles["sex"] != SENSITIVE, "nothing is taken unasked"
    app.press("Take them")
    assert (app.session.k, app.session.threshold, app.session.missing) == (11, 0.09, "drop")
    assert app.session.roles["sex"] == SENSITIVE and "gone" not in app.session.roles
    assert not app.has_button("Take them")


def test_a_damaged_recipe_is_refused_and_nothing_is_taken():
    app = loaded(visits(60), page=RELEASE).press("Start with these steps")
    before = app.session.recipe
    document = json.loads(SavedRecipe(Recipe.of([LeaveOut(2)])).to_json()) | {"made_with": {"k": "many"}}
    app.upload(json.dumps(document).encode(), "recipe.json", label="A recipe saved here")
    assert app.session.recipe == before and "k must be a whole number" in app.errors[0]

"""Every page, from a cold start to the release: what it shows, refuses, keeps and never lets through."""

from __future__ import annotations

import re

import pytest
from corpus import SECRETS, Refused, cases
from pages_app import DATA, HOME, OUR_FAULT, PAGES, RELEASE, RELEASE_TABS, RISK, RISK_TABS, App, visits

from anonlib import words
from anonlib.dataset import Dataset
from anonlib.recoding import DateUnit, Intervals, Mask
from anonlib.release.comparison import compare
from anonlib.release.recipe import Recipe
from anonlib.release.steps import DropColumns, Recode, Suppress
from anonlib.risk import assess, attribute_contributions, sensitive_risk
from anonlib.roles import Role, suggest_roles
from anonlib.samples import SAMPLES
from anonlib.sources import DEFAULT_MARKS, apply_missing_marks, open_source
from anonlib.thresholds import PRESETS
from ui import state

TITLES = {HOME: "Anonscope", DATA: "Data", RISK: "Risk", RELEASE: "Release"}
TRY = "Try with the admissions sample"
ACCEPT = "Accept all suggestions"
SMALL = b"age,sex,zip,illness\n34,F,02138,flu\n34,F,02138,flu\n52,M,02139,asthma\n?,M,02139,flu\n"


@pytest.fixture(scope="module")
def file() -> bytes:
    return visits()


def loaded(data: bytes, name: str = "visits.csv", page: str = DATA) -> App:
    """A session with the file and its suggested roles accepted."""
    return App(DATA, data, name).press(ACCEPT).open(page)


def dataset_of(app: App) -> Dataset:
    """The same data set, made by the library from the same bytes."""
    held = app.session.loaded
    source = open_source(held.data, held.source.name)
    frame = apply_missing_marks(source.frame, DEFAULT_MARKS)
    return Dataset(source.name, source.digest, frame, roles=app.session.roles, missing=app.session.missing)


# ---- cold -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("page", PAGES)
def test_a_page_without_data_says_what_it_does_and_offers_the_sample(page):
    app = App(page)
    assert app.at.title[0].value == TITLES[page] and not app.errors
    assert "Nothing you load leaves this machine" in app.text
    if page == HOME:
        app.press("open-admissions")
    else:
        assert "Nothing is loaded yet" in app.text
        app.press(TRY)
    assert app.at.title[0].value == TITLES[page], "the page stays"
    assert "is loaded, with its roles accepted" in app.text.replace("\\", "") and not app.errors
    assert "admissions\\.csv" in app.text, "the sidebar names the file"


@pytest.mark.parametrize("sample", SAMPLES, ids=lambda sample: sample.key)
def test_every_sample_says_something_on_every_page(sample):
    app = App(HOME).press(f"open-{sample.key}")
    assert set(app.session.roles) == set(sample.roles)
    for page in PAGES:
        app.open(page)
        assert not app.errors
    assert app.metric("k, the smallest class") == str(assess(dataset_of(app).classes()).k)


@pytest.mark.parametrize("tab", RISK_TABS)
def test_every_tab_of_risk_says_something(tab):
    app = App(RISK).press(TRY).tab("risk-tabs", tab)
    opened = [element for element in app.at.tabs if element.children]
    assert [element.label for element in opened] == [tab] and not app.errors


@pytest.mark.parametrize("tab", RELEASE_TABS)
def test_every_tab_of_release_says_something(tab):
    app = App(RELEASE).press(TRY).tab("release-tabs", tab)
    assert [element.label for element in app.at.tabs if element.children] == [tab] and not app.errors


def test_downloading_public_data_without_a_network_is_a_sentence(monkeypatch, tmp_path):
    import urllib.request

    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    monkeypatch.setenv("ANONSCOPE_CACHE", str(tmp_path))

    def refuse(*_: object, **__: object) -> None:
        raise OSError("no network at /secret/place")

    monkeypatch.setattr(urllib.request.OpenerDirector, "open", refuse)
    monkeypatch.setattr(urllib.request, "urlopen", refuse)
    app = App(HOME).press("fetch-adult")
    assert app.errors and "secret" not in app.text
    assert app.session.loaded is None


# ---- a file of one's own ------------------------------------------------------------------------------------------


def test_an_upload_is_shown_and_nothing_is_decided(file):
    app = App(DATA, file)
    assert "visits\\.csv is loaded" in app.text and not app.errors
    assert app.metric("Records") == "300" and app.metric("Columns") == "8"
    assert app.session.roles == {}
    assert set(app.table("Role")["Role"]) == {"—"}
    suggested = {s.column: s.role.label for s in suggest_roles(dataset_of(app).frame)}
    table = app.table("Role")
    assert dict(zip(table["Column"], table["Suggested"], strict=True)) == suggested
    app.open(RISK)
    assert "No quasi-identifiers are chosen" in app.text and app.has_button("Accept all suggested roles")
    app.press("Accept all suggested roles")
    assert app.metric("k, the smallest class") == "1"


def test_the_preview_shows_the_cells_as_they_are_in_the_file(file):
    preview = App(DATA, file).table("zip")
    assert preview["zip"].iloc[0].startswith("0") and len(preview) == 200
    assert preview.columns.tolist() == file.decode().splitlines()[0].split(",")


def test_accepting_all_suggestions_gives_every_column_its_role(file):
    app = loaded(file)
    expected = {s.column: s.role for s in suggest_roles(dataset_of(app).frame)}
    assert app.session.roles == expected
    assert app.button(ACCEPT).disabled and app.button(ACCEPT).help
    app.press("Clear roles")
    assert app.session.roles == {}


def test_accepting_keeps_the_roles_that_were_set_by_hand(file):
    app = App(DATA, file).give_roles(sex="Other").press(ACCEPT)
    assert app.session.roles["sex"] == Role.OTHER


def test_a_role_can_be_set_and_taken_away_in_the_table(file):
    app = App(DATA, file).give_roles(age="Quasi-identifier", sex="Quasi-identifier", diagnosis="Sensitive")
    assert app.session.roles == {
        "age": Role.QUASI_IDENTIFIER,
        "sex": Role.QUASI_IDENTIFIER,
        "diagnosis": Role.SENSITIVE,
    }
    app.give_roles(sex="—")
    assert "sex" not in app.session.roles


def test_two_person_ids_are_refused_in_a_sentence_and_nothing_changes(file):
    app = App(DATA, file).give_roles(record_number="Person id", age="Quasi-identifier")
    before = dict(app.session.roles)
    app.edit("Role", {0: {"Role": "Person id"}})
    assert len(app.errors) == 1 and "Only one column can be the person id" in app.errors[0]
    assert app.session.roles == before
    shown = app.table("Role").set_index("Column")["Role"]
    assert shown["full_name"] == "—" and shown["record_number"] == "Person id"
    app.run()
    assert not app.errors, "said once"
    app.give_roles(sex="Quasi-identifier")
    assert not app.errors and app.session.roles["sex"] == Role.QUASI_IDENTIFIER, "the refused choice is gone"


def test_a_person_id_and_a_weight_together_are_refused(file):
    app = App(DATA, file).give_roles(record_number="Person id")
    app.edit("Role", {2: {"Role": "Weight"}})
    assert len(app.errors) == 1 and "not both" in app.errors[0]
    assert "age" not in app.session.roles


@pytest.mark.parametrize("page", PAGES)
def test_a_weight_column_without_numbers_is_a_sentence_on_every_page(page):
    app = App(DATA, SMALL).give_roles(age="Quasi-identifier", illness="Weight").open(page)
    assert app.errors or "illness" not in app.session.roles
    assert all("whole numbers" in message and "“illness”" in message for message in app.errors)
    app.open(DATA).give_roles(illness="Sensitive")
    app.open(RISK)
    assert not app.errors, "and the way out works"


def test_forget_this_data_drops_everything(file):
    app = loaded(file, page=RELEASE).press("Start with these steps")
    app.open(DATA).press("Forget this data")
    assert "Nothing is loaded yet" in app.text and "visits" not in app.text
    assert app.session == state.Session(generation=app.session.generation)
    for page in PAGES:
        app.open(page)
        assert "visits" not in app.text and "Nothing you load leaves this machine" in app.text


def test_a_second_file_starts_anew_and_keeps_the_threshold(file):
    app = loaded(file, page=RISK).choose("slider", "k:", 11)
    app.open(RELEASE).press("Start with these steps")
    app.open(DATA).upload(SMALL, "small.csv")
    assert app.session.roles == {} and not app.session.recipe.entries
    assert app.session.k == 11
    assert app.metric("Records") == "4"


def test_missing_values_count_or_leave_as_the_officer_says():
    app = loaded(SMALL, page=RISK)
    assert app.session.missing == "category"
    app.open(DATA).choose("radio", "A record with a missing", "drop")
    assert app.session.missing == "drop"
    app.open(RISK)
    expected = assess(dataset_of(app).classes(), k=5)
    assert app.below(5) == str(expected.below_k) == "3"
    app.open(RELEASE)
    assert app.metric("Records kept") == "75%" and "1 record with a missing quasi\\-identifier" in app.text.replace(
        "quasi-identifier", "quasi\\-identifier"
    )
    app.open(DATA)
    assert app.widget("radio", "A record with a missing").value == "drop", "and it stays chosen"


def test_marks_for_missing_values_can_be_chosen_and_added():
    data = b"age,sex\n34,F\n?,M\n-,M\nNA,F\nzz,F\n"
    app = App(DATA, data)
    assert app.metric("Missing cells") == words.percent(2 / 10), "? and NA by default"
    marks = app.widget("multiselect", "Marks that mean")
    marks.set_value(["?", "-"])
    app.run()
    assert app.session.loaded.marks == ("", "?", "-")
    assert app.metric("Missing cells") == "20%"
    app.open(HOME).open(DATA)
    assert app.metric("Missing cells") == "20%" and sorted(app.widget("multiselect", "Marks").value) == ["-", "?"]


def test_values_that_look_alike_are_merged_when_asked():
    data = b"sex,age\nF,34\nf ,35\nF,36\nM,37\n"
    app = App(DATA, data)
    assert app.session.loaded.frame()["sex"].nunique() == 3
    next(widget for widget in app.at.multiselect if widget.key.startswith("merged")).set_value(["sex"])
    app.run()
    assert app.session.loaded.frame()["sex"].nunique() == 2


# ---- bad input ----------------------------------------------------------------------------------------------------


def test_a_bad_file_after_a_good_one_changes_nothing_and_can_be_read_in_another_way(file):
    app = loaded(file)
    roles, digest = dict(app.session.roles), app.session.loaded.source.digest
    ragged = b"a,b,c\n1,2,3\n4,5\n6,7,8\n"
    app.upload(ragged, "ragged.csv")
    assert len(app.errors) == 1 and "Line" in app.errors[0]
    assert app.session.roles == roles and app.session.loaded.source.digest == digest
    assert app.metric("Records") == "300"
    assert "ragged\\.csv" in app.text and "was not read" in app.text
    app.run()
    assert "was not read" in app.text, "the box stays until it is left"
    fill = next(box for box in app.at.checkbox if "refused" in box.key)
    fill.set_value(True)
    next(button for button in app.at.button if button.label == "Read again" and "refused" in button.key).click()
    app.run()
    assert app.metric("Records") == "3" and not app.errors and "was not read" not in app.text


def test_a_bad_file_can_be_left(file):
    app = loaded(file).upload(b"", "empty.csv")
    assert app.errors
    app.press("Leave it")
    assert "was not read" not in app.text and app.metric("Records") == "300"


def test_a_file_can_be_read_again_and_roles_of_columns_that_are_still_there_stay():
    app = App(DATA, b"age,sex\n34,F\n35,M\n").press(ACCEPT)
    roles = dict(app.session.roles)
    app.widget("selectbox", "First row is the header").set_value("No")
    app.press("Read again")
    assert app.metric("Records") == "3" and app.session.roles == {}
    app.widget("selectbox", "First row is the header").set_value("Yes")
    app.press("Read again")
    assert app.metric("Records") == "2"
    app.press(ACCEPT)
    assert app.session.roles == roles


def test_correcting_how_a_file_is_read_to_something_impossible_keeps_what_was_read(file):
    app = loaded(file)
    app.widget("number_input", "Lines to skip above").set_value(9_999)
    app.press("Read again")
    assert len(app.errors) == 1 and app.metric("Records") == "300"


@pytest.fixture(scope="module")
def kept() -> App:
    """A session with a good file, to which every bad one is given in turn."""
    return loaded(SMALL, "good.csv")


@pytest.mark.parametrize("case", cases(), ids=lambda case: case.name)
def test_every_odd_file_is_read_or_refused_in_a_sentence_and_every_page_still_works(case, kept, capfd):
    app = kept.open(DATA).upload(SMALL, "good.csv")
    digest = app.session.loaded.source.digest
    app.upload(case.data, case.filename)
    if app.session.loaded.source.digest == digest:
        assert len(app.errors) == 1 and app.errors[0].endswith("\\.")
        assert not any(secret in app.text for secret in SECRETS)
        assert app.metric("Records") == "4", "what was loaded is still here"
    else:
        assert not app.errors
        assert not isinstance(case.outcome, Refused) or case.options is not None
        app.press(ACCEPT)
    for page in (RISK, RELEASE):
        app.open(page)
        assert OUR_FAULT not in app.text
    printed = capfd.readouterr()
    assert not any(secret in printed.out + printed.err for secret in SECRETS)


@pytest.mark.parametrize(
    "data",
    [
        b"one\n" + b"1\n" * 30,
        b"one,two\n" + b"1,2\n" * 30,
        b"one,two\n" + b",\n" * 3 + b"1,\n",
        b"age,sex\n34,F\n",
        b"index,count,size,level_0,record,value,records,risk\n" + b"1,2,3,4,5,6,7,8\n" * 6,
        b"class of,Column,Role,Label,below k\n" + b"1,2,3,4,5\n" * 6,
        "age,age\u200b,Age,\u00e1ge,a\u0301ge\n34,35,36,37,38\n".encode() * 1 + b"1,2,3,4,5\n",
        "\u200b,\u202e,ok\n1,2,3\n4,5,6\n".encode(),
        ("x" * 5000 + ",b\n1,2\n3,4\n").encode(),
        ("a,b\n" + "y" * 30_000 + ",2\n1,4\n").encode(),
        b"age;weight\n1.234,5;70,5\n2.345,6;71,5\n",
        ("\n".join([",".join(f"c{i}" for i in range(200)), *[",".join("12" for _ in range(200))] * 2])).encode(),
    ],
    ids=["one value", "one value each", "missing", "one record", "our words", "our headings", "look-alike names",
         "invisible names", "long name", "long cell", "decimal comma", "wide"],
)  # fmt: skip
@pytest.mark.parametrize("role", ["Quasi-identifier", "Sensitive", "Person id", "Weight"])
def test_awkward_tables_with_any_role_on_any_page(data, role):
    app = App(DATA, data)
    if app.session.loaded is None:
        assert app.errors
        return
    columns = list(app.session.loaded.source.frame.columns)
    roles = {0: {"Role": "Quasi-identifier"}, len(columns) - 1: {"Role": role}}
    app.edit("Role", roles)
    for page, key, tabs in ((RISK, "risk-tabs", RISK_TABS), (RELEASE, "release-tabs", RELEASE_TABS)):
        app.open(page)
        for tab in tabs if "k, the smallest class" in [metric.label for metric in app.at.metric] else ():
            app.tab(key, tab)
            assert not app.errors


def test_ten_thousand_columns_are_refused_in_a_sentence():
    data = ",".join(f"c{i}" for i in range(10_000)).encode() + b"\n" + b"1," * 9_999 + b"1\n"
    app = App(DATA, data)
    assert len(app.errors) == 1 and app.session.loaded is None


def test_a_fault_of_ours_is_a_sentence_with_its_place_and_no_cell_value(file, monkeypatch, caplog):
    app = loaded(file, page=RISK)

    def fail(*_: object, **__: object) -> None:
        raise KeyError("Person 7 Example")

    monkeypatch.setattr("ui.state.comparison", fail)
    app.at.run()
    assert not app.at.exception
    assert app.errors and all(OUR_FAULT in message and "KeyError" in message for message in app.errors)
    assert "Person 7" not in app.text + caplog.text and "Traceback" not in app.text
    monkeypatch.undo()
    app.run()
    assert not app.errors and app.metric("k, the smallest class") == "1", "nothing is lost"


def test_a_fault_of_ours_in_a_click_is_a_sentence_too(file, monkeypatch, caplog):
    """A callback runs before the page: its exception must not reach the screen with a cell in it."""
    app = loaded(file, page=DATA)

    def fail(*_: object, **__: object) -> None:
        raise KeyError("Person 7 Example")

    monkeypatch.setattr("ui.state.set_roles", fail)
    app.press("Clear roles")
    app.button(ACCEPT).click()
    app.at.run()
    assert not app.at.exception, "an exception box instead of a sentence"
    assert "Person 7" not in app.text + caplog.text


# ---- risk ---------------------------------------------------------------------------------------------------------


def test_the_risk_page_has_the_numbers_of_the_library(file):
    app = loaded(file, page=RISK)
    data = dataset_of(app)
    expected = assess(data.classes(), k=5, threshold=0.2)
    assert app.metric("k, the smallest class") == str(expected.k)
    assert app.below(5) == f"{expected.below_k:,}"
    assert app.metric("Highest risk") == words.percent(expected.prosecutor.highest)
    assert app.metric("Average risk") == words.percent(expected.prosecutor.average)
    assert app.metric("Unique") == words.percent(expected.unique / expected.n_records)


@pytest.mark.parametrize("preset", PRESETS, ids=lambda preset: preset.title)
def test_a_preset_moves_both_sliders_and_the_numbers(preset, file):
    app = loaded(file, page=RISK).choose("slider", "k:", 42)
    assert app.widget("selectbox", "Threshold").value not in [p.title for p in PRESETS], "42 is nobody's preset"
    app.choose("selectbox", "Threshold", preset.title)
    assert app.widget("slider", "k:").value == preset.k
    assert app.widget("slider", "Risk threshold").value == round(100 * preset.threshold)
    assert (app.session.k, app.session.threshold) == (preset.k, preset.threshold)
    expected = assess(dataset_of(app).classes(), k=preset.k, threshold=preset.threshold)
    app.tab("risk-tabs", "Attackers")
    assert f"[{expected.prosecutor.at_risk:,}]" in app.text.replace("\\", "")
    app.open(DATA).open(RISK)
    assert app.widget("slider", "k:").value == preset.k, "and stays on another visit"


@pytest.mark.parametrize("k", [2, 3, 7, 50])
def test_the_k_slider_moves_the_numbers(k, file):
    app = App(DATA, file).give_roles(age="Quasi-identifier", sex="Quasi-identifier").open(RISK)
    app.choose("slider", "k:", k)
    expected = assess(dataset_of(app).classes(), k=k)
    assert app.below(k) == f"{expected.below_k:,}"
    assert f"below k \\= {k}" in app.text or f"below k = {k}" in app.text, "the sidebar follows"


@pytest.mark.parametrize("percent", [1, 9, 20, 33, 50])
def test_the_threshold_slider_moves_who_is_at_risk(percent, file):
    app = App(DATA, file).give_roles(age="Quasi-identifier", sex="Quasi-identifier").open(RISK)
    app.choose("slider", "Risk threshold", percent)
    expected = assess(dataset_of(app).classes(), threshold=percent / 100)
    app.tab("risk-tabs", "Attackers")
    assert f"[{expected.prosecutor.at_risk:,}]" in app.text.replace("\\", "")


def test_what_each_quasi_identifier_adds_is_what_the_library_says(file):
    app = loaded(file, page=RISK).tab("risk-tabs", "Quasi-identifiers")
    table = app.table("Quasi-identifier")
    expected = attribute_contributions(dataset_of(app).classes(), k=5)
    assert table["Quasi-identifier"].tolist() == expected["attribute"].tolist()
    columns = [table[name].tolist() for name in table.columns]
    for measure in ("values", "below_k_without", "k_without", "at_risk_without"):
        assert expected[measure].tolist() in columns, measure


def test_sensitive_columns_have_the_librarys_l_and_t(file):
    app = loaded(file, page=RISK).tab("risk-tabs", "Sensitive values")
    data = dataset_of(app)
    table = app.table("Distinct l").set_index("Sensitive column")
    for column in data.sensitive:
        expected = sensitive_risk(data.classes([*data.quasi_identifiers, column]), data.quasi_identifiers, column)
        assert table.loc[column, "Distinct l"] == expected.distinct_l
        assert table.loc[column, "t, equal distance"] == pytest.approx(expected.t_equal, abs=5e-4)


def test_records_below_k_are_shown_with_identifiers_masked(file):
    app = loaded(file, page=RISK).tab("risk-tabs", "Records below k")
    data = dataset_of(app)
    table = app.table("age")
    masked = data.columns_with(Role.IDENTIFIER, Role.PERSON_ID, Role.SENSITIVE)
    assert {"full_name", "diagnosis"} <= set(masked)
    for column in masked:
        assert set(table[column]) == {"•••"}
    sizes = data.classes().size_of_record
    for position, size in list(zip(table.index, table["class of"], strict=True))[:50]:
        assert sizes[position - 1] == size < 5
        assert table.loc[position, "zip"] == data.frame["zip"].iloc[position - 1]
    app.widget("toggle", "Show sensitive values").set_value(True)
    app.run()
    table = app.table("age")
    assert set(table["full_name"]) == {"•••"} and set(table["diagnosis"]) != {"•••"}


POPULATION = b"age,zip,people\n34,02138,100\n52,02139,7\n40,02139,3\n"


def population(app: App, data: bytes, name: str = "people.csv") -> App:
    return app.upload(data, name, label="Load a population table")


def test_a_population_table_gives_the_journalist():
    app = loaded(SMALL, page=RISK)
    app.tab("risk-tabs", "Attackers")
    assert "Needs a population table" in app.text
    population(app, POPULATION)
    assert not app.errors and "110" in app.text and "people" in app.text
    held = app.session.population
    names = [name for name in dataset_of(app).quasi_identifiers if name in ("age", "zip")]
    expected = assess(dataset_of(app).classes(), population=held.classes(names)).journalist
    assert f"highest **{words.percent(expected.highest)}**" in app.text
    app.press("Remove it")
    assert app.session.population is None and "Needs a population table" in app.text


@pytest.mark.parametrize(
    ("data", "refused"),
    [
        (b"colour,shape\nred,round\n", False),
        (b"age,people\n34,many\n35,few\n", False),
        (b"age,people\n34,2.5\n35,-1\n", True),
        (b"", True),
        (b"%PDF-1.7\n1 0 obj\n", True),
        (b"a,b\n1,2\n3\n", True),
    ],
)
def test_a_population_table_that_does_not_serve_is_said_and_nothing_is_lost(data, refused):
    app = population(loaded(SMALL, page=RISK), POPULATION)
    app.tab("risk-tabs", "Attackers")
    population(app, data, "other.csv")
    assert app.metric("k, the smallest class") == "1"
    if refused and app.errors:
        assert len(app.errors) == 1 and app.session.population.name == "people.csv"
    else:
        assert not app.errors
        assert app.session.population.name == "other.csv"


def test_a_population_table_in_other_words_than_the_file_is_pointed_out():
    """Wrong columns: the journalist's card says what is needed instead of a number."""
    app = population(loaded(SMALL, page=RISK), b"colour,shape\nred,round\n")
    app.tab("risk-tabs", "Attackers")
    assert "has some of the quasi-identifiers" in app.text


def test_looking_at_the_release_shows_the_releases_records(file):
    app = loaded(file, page=RELEASE).press("Start with these steps").open(RISK)
    recipe = app.session.recipe
    result = compare(recipe.apply(dataset_of(app)), recipe, k=5)
    assert app.metric("k, the smallest class") == words.change(str(result.before.k), str(result.after.k))
    for name, vector in (("Original", result.before.vector), ("Release", result.after.vector)):
        app.widget("segmented_control", "Look at").set_value(name)
        app.run().tab("risk-tabs", "Class sizes")
        assert app.table("Class size")["Class size"].tolist() == vector.sizes.tolist()


def test_a_recipe_that_leaves_nothing_is_said(file):
    app = loaded(file, page=RELEASE)
    app.session.recipe = Recipe.of([DropColumns(tuple(dataset_of(app).quasi_identifiers))])
    for page in (RELEASE, RISK):
        app.open(page)
        assert not app.errors
    app.session.recipe = Recipe.of([Suppress(1000)])
    for page in (RELEASE, RISK):
        app.open(page)
        assert not app.errors
    assert app.open(RELEASE).download("Released CSV").proto.disabled


# ---- release ------------------------------------------------------------------------------------------------------


def compared(app: App):
    return compare(app.session.recipe.apply(dataset_of(app)), app.session.recipe, k=app.session.k)


def test_suggested_steps_reach_k(file):
    app = loaded(file, page=RELEASE).press("Start with these steps")
    result = compared(app)
    assert result.after.k >= 5
    assert app.metric("k, the smallest class") == f"1 → {result.after.k}"
    assert app.metric("Records kept") == words.percent(result.share_kept)
    assert not app.download("Released CSV").proto.disabled
    assert "k does not hold" not in app.text


def add_recode(app: App, column: str, way: str) -> App:
    app.choose("segmented_control", "Kind of step", "Recode")
    app.choose("selectbox", "Column", column)
    app.choose("segmented_control", "Way", way)
    return app


def test_a_recode_a_drop_and_a_suppression_are_added_by_hand(file):
    app = loaded(file, page=RELEASE)
    add_recode(app, "age", "Intervals")
    app.widget("number_input", "Width").set_value(20.0)
    app.widget("number_input", "From here on").set_value(80.0)
    app.run()
    app.widget("text_input", "Reason").set_value("ages are *too* fine")
    app.run().press("Add to recipe")
    assert app.session.recipe.enabled == (Recode("age", Intervals(20, top=80), "ages are *too* fine"),)
    add_recode(app, "zip", "First or last characters").press("Add to recipe")
    add_recode(app, "visit_date", "Date part").press("Add to recipe")
    app.choose("segmented_control", "Kind of step", "Drop columns")
    app.widget("multiselect", "Columns to drop").set_value(["notes"])
    app.run().press("Add to recipe")
    app.choose("segmented_control", "Kind of step", "Suppress").press("Add to recipe")
    steps = app.session.recipe.enabled
    assert [type(step) for step in steps] == [Recode, Recode, Recode, DropColumns, Suppress]
    assert isinstance(steps[1].recoding, Mask) and isinstance(steps[2].recoding, DateUnit)
    result = compared(app)
    assert result.after.k >= 5 and app.metric("k, the smallest class") == f"1 → {result.after.k}"


def test_values_are_grouped_by_giving_them_one_label(file):
    app = loaded(file, page=RELEASE)
    add_recode(app, "sex", "Group values")
    assert app.button("Add to recipe").disabled and app.button("Add to recipe").help
    app.edit("Label", {0: {"Label": "any"}, 1: {"Label": "any"}})
    app.press("Add to recipe")
    (step,) = app.session.recipe.enabled
    assert dict(step.recoding.labels_of) == {"Female": "any", "Male": "any"}


@pytest.mark.parametrize(
    ("cuts", "accepted"),
    [("18 35 65", True), ("18;35", True), ("", False), ("a b", False), ("5 3", False), ("1 1", False)],
)
def test_cuts_are_taken_or_refused_in_a_sentence(cuts, accepted, file):
    app = loaded(file, page=RELEASE)
    add_recode(app, "age", "Intervals").choose("radio", "Intervals", "between cuts")
    app.widget("text_input", "Cuts").set_value(cuts)
    app.run()
    assert app.button("Add to recipe").disabled != accepted
    assert not app.errors


@pytest.mark.parametrize("width", [0.0, -5.0, None, 1e-300, 1e300])
def test_an_impossible_width_is_a_sentence(width, file):
    app = loaded(file, page=RELEASE)
    add_recode(app, "age", "Intervals")
    app.widget("number_input", "Width").set_value(width)
    app.run()
    assert not app.errors


@pytest.mark.parametrize(
    "column", ["full_name", "record_number", "age", "sex", "zip", "visit_date", "diagnosis", "notes"]
)
@pytest.mark.parametrize("way", ["Intervals", "First or last characters", "Date part", "Group values"])
def test_every_way_can_be_tried_on_every_column(column, way, file):
    """What makes no sense is refused before it is added, or passed over with a problem; no page falls over."""
    app = loaded(file, page=RELEASE)
    if column not in app.widget("selectbox", "Column").options:
        return
    add_recode(app, column, way)
    button = app.button("Add to recipe")
    assert not app.errors
    if not button.disabled:
        app.press("Add to recipe")
        for page in (RISK, RELEASE):
            assert not app.open(page).errors


def test_steps_move_switch_off_and_go_away(file):
    app = loaded(file, page=RELEASE).press("Start with these steps")
    steps = app.session.recipe.enabled
    assert app.button("Step 1 earlier").disabled and app.button(f"Step {len(steps)} later").disabled
    assert "first" in app.button("Step 1 earlier").help
    app.press("Step 2 earlier")
    assert app.session.recipe.enabled == (steps[1], steps[0], *steps[2:])
    app.press("Step 1 later")
    assert app.session.recipe.enabled == steps
    before = app.metric("Records kept")
    last = next(toggle for toggle in app.at.toggle if toggle.label == f"Step {len(steps)} is on")
    last.set_value(False)
    app.run()
    assert app.session.recipe.enabled == steps[:-1] and "Switched off" in app.text
    assert app.metric("Records kept") == "100%" != before
    assert "k does not hold yet" in app.text and not app.download("Released CSV").proto.disabled
    app.press(f"Remove step {len(steps)}")
    assert len(app.session.recipe) == len(steps) - 1


def test_a_step_can_be_changed(file):
    app = loaded(file, page=RELEASE).press("Start with these steps")
    n = len(app.session.recipe)
    app.press(f"Change step {n}")
    app.widget("number_input", "Suppress records").set_value(9)
    app.run().press("Keep the change")
    assert app.session.recipe.enabled[-1].k == 9 and len(app.session.recipe) == n
    app.press("Change step 1").press("Leave it as it was")
    assert app.session.editing is None


def test_what_a_step_would_do_is_what_it_then_does(file):
    app = loaded(file, page=RELEASE)
    app.choose("segmented_control", "Kind of step", "Suppress")
    would = app.metric("Would make k"), app.metric("records kept")
    app.press("Add to recipe")
    assert (app.metric("k, the smallest class"), words.change("100%", app.metric("Records kept"))) == would


def test_a_step_that_does_not_fit_stops_the_download_with_a_reason(file):
    app = loaded(file, page=RELEASE)
    app.session.recipe = Recipe.of([DropColumns(("age",)), Recode("age", Intervals(10)), Suppress(2)])
    app.run()
    assert not app.errors
    download = app.download("Released CSV").proto
    assert download.disabled and "could not be applied" in download.help
    assert "no column “age”" in app.text.replace("\\", "")
    app.press("Remove step 2")
    assert not app.download("Released CSV").proto.disabled


def test_a_saved_recipe_is_loaded_again(file):
    app = loaded(file, page=RELEASE).press("Start with these steps")
    saved = app.session.recipe.to_json().encode()
    steps = app.session.recipe
    app.press("Remove step 1")
    app.upload(saved, "recipe.json", label="A recipe saved here")
    assert app.session.recipe == steps and not app.errors


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
def test_what_is_no_recipe_is_refused_and_the_recipe_stays(text, file):
    app = loaded(file, page=RELEASE).press("Start with these steps")
    before = app.session.recipe
    app.upload(text, "recipe.json", label="A recipe saved here")
    assert len(app.errors) == 1
    assert app.session.recipe == before


def test_a_recipe_for_another_file_shows_its_problems_and_loses_nothing(file):
    recipe = Recipe.of([DropColumns(("somewhere",)), Recode("age", Intervals(10)), Recode("place", Mask(2))])
    app = loaded(file, page=RELEASE)
    app.upload(recipe.to_json().encode(), "recipe.json", label="A recipe saved here")
    assert not app.errors and app.session.recipe == recipe
    assert app.text.replace("\\", "").count("There is no column") == 2
    for page in (RISK, RELEASE):
        assert not app.open(page).errors


def test_the_sidebar_says_original_and_now_on_every_page(file):
    app = loaded(file, page=RELEASE).press("Start with these steps")
    result = compared(app)
    for page in PAGES:
        app.open(page)
        sidebar = "\n".join(element.value for element in app.at.sidebar.markdown).replace("\\", "")
        assert f"1 → {result.after.k}" in sidebar and "visits.csv" in sidebar
        assert words.percent(result.share_kept) in sidebar
        (link,) = [element.proto.label for element in app.at.sidebar if element.type == "page_link"]
        assert link.startswith("Recipe:") and str(len(app.session.recipe)) in link


# ---- text of a file is never markup -------------------------------------------------------------------------------

MARK = "ZQX"
HOSTILE = (
    f"![{MARK}](http://h.example/a.png)",
    f"<img src=x alt={MARK}>",
    f":red[{MARK}]",
    f"**{MARK}** $x$",
    f":material/{MARK}:",
    f"<script>{MARK}()</script>",
    f"[{MARK}](http://h.example)",
)
ACTIVE = ("![ZQX", "<img", "<script", ":red[ZQX", "**ZQX**", ":material/ZQX", "[ZQX](", "$x$", "http://h")


def hostile_file() -> bytes:
    """Column names, cells, missing marks and look-alikes, all of which want to be something else than text."""
    lines = [",".join([*HOSTILE, "age"])]
    for i in range(40):
        lines.append(
            ",".join([*(f"{name} {i * (j + 3) % (4 + 30 * (j == 6))}" for j, name in enumerate(HOSTILE)), "44"])
        )
    lines.append(",".join([*(name.upper() + " 1" for name in HOSTILE), "45"]))
    lines.append(",".join([*["-"] * len(HOSTILE), "46"]))
    return ("\n".join(lines) + "\n").encode()


def check_text(app: App) -> None:
    for text in app.rendered_text():
        unescaped = re.sub(r"\\[!-/:-@\[-`{-~]", "·", text)
        for active in ACTIVE:
            assert active not in unescaped, text[:300]


@pytest.fixture(scope="module")
def hostile() -> App:
    return App(DATA, hostile_file(), f"![{MARK}](http:h.example.png).csv")


@pytest.mark.parametrize("page", PAGES)
def test_hostile_names_and_cells_are_text_on_every_page(page, hostile):
    hostile.open(DATA)
    check_text(hostile)
    columns = list(hostile.session.loaded.source.frame.columns)
    assert any(MARK in name for name in columns)
    roles = [
        "Quasi-identifier",
        "Quasi-identifier",
        "Sensitive",
        "Quasi-identifier",
        "Identifier",
        "Place",
        "Person id",
    ]
    hostile.edit("Role", {i: {"Role": role} for i, role in enumerate(roles)})
    assert any(MARK in text for text in hostile.rendered_text()), "they are shown"
    hostile.open(page)
    assert MARK in hostile.text, "the sidebar names the file"
    check_text(hostile)
    for key, tabs in {RISK: {"risk-tabs": RISK_TABS}, RELEASE: {"release-tabs": RELEASE_TABS}}.get(page, {}).items():
        for tab in tabs:
            check_text(hostile.tab(key, tab))


def test_hostile_names_are_text_in_steps_problems_and_reasons(hostile):
    hostile.open(DATA)
    columns = list(hostile.session.loaded.source.frame.columns)
    hostile.edit("Role", {0: {"Role": "Quasi-identifier"}, 1: {"Role": "Quasi-identifier"}})
    reason = HOSTILE[0]
    steps = [Recode(columns[0], Mask(2), reason), DropColumns((columns[1],), reason), Recode(HOSTILE[0] + "?", Mask(1))]
    hostile.session.recipe = Recipe.of([*steps, Recode(columns[3], Intervals(5), reason)])
    for page in (RELEASE, RISK):
        check_text(hostile.open(page))
    hostile.open(RELEASE)
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


def test_leaving_out_every_record_is_said_and_shown_on_no_figure():
    """Every record lacks one quasi-identifier and the policy leaves such records out: nobody is left to count."""
    app = App(DATA, b"age,zip\n34,\n35,\n,02138\n,02139\n")
    app.session.roles = {"age": Role.QUASI_IDENTIFIER, "zip": Role.QUASI_IDENTIFIER}
    app.session.missing = "drop"
    for address in (RISK, RELEASE):
        app.open(address)
        assert not app.at.exception and not app.errors
    assert "nothing is left to single out" in app.open(RISK).text

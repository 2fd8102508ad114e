"""The Individuals page over time: work of more than a moment, downloads, and settings that stay."""

from __future__ import annotations

import io
from collections.abc import Callable

import numpy as np
import pandas as pd
import pytest
from streamlit.runtime.scriptrunner import StopException

from anonlib import words
from anonlib.errors import InputError
from anonlib.individuals import Attacker, breaching_sets, generalization_scan, privacy_profile
from anonlib.recoding import Intervals
from anonlib.release.recipe import Recipe
from anonlib.release.steps import Recode
from anonlib.roles import Role
from pages.measure.individuals import results
from pages.measure.individuals.tabs import MOST_SETS
from tests.helpers.app import DATA, INDIVIDUALS, INDIVIDUALS_TABS, RELEASE, RISK, SMALL, App, dataset_of, loaded, visits
from tests.pages.measure.individuals.test_individuals import TABS, Asked, ask, expected
from ui import page

SCAN = "Make a column coarser"
QUASI, SENSITIVE = "Quasi-identifier", "Sensitive"


@pytest.fixture
def slow(monkeypatch) -> None:
    """Everything but single known columns takes long."""
    monkeypatch.setattr(results, "AT_ONCE", 1e-12)


def exposed(app: App, asked: Asked) -> str:
    """The share exposed in the column looked at, by the library."""
    found = expected(dataset_of(app), asked)
    return words.percent(found.of(app.widget("selectbox", "Sensitive column").value).mean())


def first_figure(app: App) -> str:
    return app.metric(f"Exposed in {app.widget('selectbox', 'Sensitive column').value}")


# ---- long work -------------------------------------------------------------------------------------------------------


def test_what_takes_long_waits_for_the_button_and_then_is_the_librarys(slow, file):
    app = loaded(file, page=INDIVIDUALS)
    assert app.widget("selectbox", "The attacker knows").value == 1, "what is shown at first takes no button"
    assert not app.has_button("Start") and first_figure(app) == exposed(app, Asked(attacker=1))
    app.choose("selectbox", "The attacker knows", 4)
    assert app.has_button("Start") and "takes about" in app.text
    assert first_figure(app) == exposed(app, Asked(attacker=1)), "meanwhile what takes no time"
    app.press("Start")
    assert not any(app.has_button(label) for label in ("Start", "Stop", "Go on"))
    assert app.work.running is None and first_figure(app) == exposed(app, Asked())
    app.choose("slider", "Red up to", 30)
    assert not app.has_button("Start"), "another threshold is the same work"
    assert first_figure(app) == exposed(app, Asked(threshold=30))
    app.choose("segmented_control", "Measure", "npp")
    assert app.has_button("Start"), "another measure is not"
    app.choose("segmented_control", "Measure", "ppp")
    assert not app.has_button("Start") and first_figure(app) == exposed(app, Asked(threshold=30))
    app.open(DATA).open(INDIVIDUALS)
    app.choose("selectbox", "The attacker knows", 4)
    assert not app.has_button("Start"), "and is kept on other pages"


def stopping_at(known: int, looked_at: list[int]) -> Callable:
    """A profile that is interrupted, as by a click, in the midst of the sets of so many columns."""

    def profile(classes, attacker, **how):
        looked_at.append(attacker.knows)
        if attacker.knows == known:
            how["progress"](0.5)
            raise StopException
        return privacy_profile(classes, attacker, **how)

    return profile


def test_stopping_keeps_the_stages_that_are_done_and_going_on_does_the_others(slow, file, monkeypatch):
    app = loaded(file, page=INDIVIDUALS).choose("selectbox", "The attacker knows", 4)
    looked_at: list[int] = []
    monkeypatch.setattr(results, "privacy_profile", stopping_at(3, looked_at))
    app.press("Start")
    assert app.work.running and app.has_button("Stop") and not app.has_button("Start")
    monkeypatch.setattr(results, "privacy_profile", stopping_at(2, looked_at))  # what is done is not done again
    app.press("Stop")
    assert app.work.running is None and "Shown is how far it got" in app.text
    assert first_figure(app) == exposed(app, Asked(attacker=2))
    assert looked_at == [2, 3]
    app.open(DATA).open(INDIVIDUALS).choose("selectbox", "The attacker knows", 4)
    assert first_figure(app) == exposed(app, Asked(attacker=2)), "and after another page"
    monkeypatch.setattr(results, "privacy_profile", stopping_at(0, looked_at))
    app.press("Go on")
    assert looked_at == [2, 3, 3, 4] and first_figure(app) == exposed(app, Asked())
    assert not app.has_button("Go on") and app.work.running is None


def test_work_that_is_interrupted_by_the_page_itself_goes_on(slow, file, monkeypatch):
    """A slider that is moved while it runs stops the script, not the work."""
    app = loaded(file, page=INDIVIDUALS).choose("selectbox", "The attacker knows", 4)
    looked_at: list[int] = []
    monkeypatch.setattr(results, "privacy_profile", stopping_at(3, looked_at))
    app.press("Start")
    monkeypatch.setattr(results, "privacy_profile", stopping_at(0, looked_at))
    app.choose("slider", "Red up to", 10)
    assert first_figure(app) == exposed(app, Asked(threshold=10)) and looked_at == [2, 3, 3, 4]


def test_work_that_fails_is_said_and_does_not_start_again_by_itself(slow, file, monkeypatch):
    app = loaded(file, page=INDIVIDUALS).choose("selectbox", "The attacker knows", 4)
    tried: list[int] = []

    def refuse(classes, attacker, **how):
        tried.append(attacker.knows)
        raise InputError("This cannot be. Choose fewer.")

    monkeypatch.setattr(results, "privacy_profile", refuse)
    app.press("Start")
    assert any("This cannot be" in message for message in app.errors) and tried == [2]
    app.choose("slider", "Red up to", 10)
    assert tried == [2] and app.work.running is None and app.has_button("Start")


@pytest.mark.parametrize("measure", ["npp", "poac", "ppp"])
def test_an_attacker_with_a_probability_by_the_button(measure, slow, file):
    asked = Asked(measure, threshold=10, attacker="chance", chance=30)
    app = ask(loaded(file, page=INDIVIDUALS), asked)
    assert not app.at.metric and app.has_button("Start"), "nothing to show before"
    app.press("Start")
    assert first_figure(app) == exposed(app, asked) and not app.errors


@pytest.mark.parametrize("asked", [Asked(attacker=3), Asked(attacker="chance", chance=30)], ids=str)
def test_original_and_release_are_compared_for_one_and_the_same_attacker(asked, slow, file):
    app = ask(loaded(file, page=INDIVIDUALS), asked).press("Start")
    data = dataset_of(app)
    app.session.recipe = Recipe.of([Recode("age", Intervals(30))])
    ask(app.run(), asked)
    assert app.widget("segmented_control", "Look at").value == "Release"
    app.press("Start")
    released = app.session.recipe.apply(data).released
    both = [words.percent(expected(version, asked).of("diagnosis").mean()) for version in (data, released)]
    assert both[0] != both[1]
    assert app.metric("Exposed in diagnosis") == words.change(*both)


def test_the_work_of_one_session_is_not_in_anothers(slow, file):
    mine, theirs = (loaded(file, page=INDIVIDUALS) for _ in range(2))
    for app in (mine, theirs):
        app.choose("selectbox", "The attacker knows", 4)
    mine.press("Start")
    assert mine.work.latest and not theirs.run().work.latest
    assert theirs.has_button("Start") and first_figure(theirs) == exposed(theirs, Asked(attacker=1))
    assert first_figure(mine) == exposed(mine, Asked())
    mine.open(DATA).upload(visits(50, seed=1), "other.csv")
    assert not mine.work.latest and mine.work.running is None, "another file, other work"


def test_a_change_of_roles_is_other_work(slow, file):
    app = loaded(file, page=INDIVIDUALS).choose("selectbox", "The attacker knows", 4).press("Start")
    app.open(DATA).give_roles(zip="Other").open(INDIVIDUALS)
    app.choose("selectbox", "The attacker knows", 3)
    assert app.has_button("Start") and first_figure(app) == exposed(app, Asked(attacker=1))


# ---- the scan above zero ---------------------------------------------------------------------------------------------

NARROW = b"kids,sex,ill\n" + b"".join(b"%d,%s,%s\n" % (i * i % 9, b"FM"[i % 2 :][:1], b"abcd"[i * 7 % 4 :][:1])
                                      for i in range(90))  # fmt: skip


def scan_above(app: App, column: str, width: float, percent: int) -> None:
    app.tab(TABS, SCAN).choose("selectbox", "Column to make coarser", column)
    app.choose("slider", "Widest category", width).choose("slider", "Red up to", percent)
    assert not app.has_button("individuals-scan-add-1")
    app.press("Start")
    assert not app.errors and app.work.running is None
    data = dataset_of(app)
    names = [name for name in data.columns if name in (*data.quasi_identifiers, *data.sensitive)]
    focus = app.widget("selectbox", "Sensitive column").value
    found = generalization_scan(data.classes(names), focus, column, p=percent / 100, max_width=width)
    assert f"**{words.share(found.baseline, data.n_records, 'records')}** are protected" in app.text
    assert f"**Best cuts**: {words.count(found.optimum.categories, 'categories')}" in app.text
    assert f"**{words.share(found.optimum.protected, data.n_records)}** protected" in app.text
    assert f"Protected: PPP above {percent}%" in app.text


@pytest.mark.parametrize("width", [1.0, 2.0, 9.0, 40.0])
def test_a_scan_above_zero_by_the_button_is_the_librarys(width, file):
    scan_above(loaded(file, page=INDIVIDUALS), "age", width, 20)


@pytest.mark.parametrize("width", [1.0, 3.0, 8.0])
def test_a_scan_above_zero_of_a_column_of_few_numbers(width):
    app = App(DATA, NARROW).give_roles(kids=QUASI, sex=QUASI, ill=SENSITIVE).open(INDIVIDUALS)
    scan_above(app, "kids", width, 10)


# ---- downloads -------------------------------------------------------------------------------------------------------


@pytest.fixture
def made(monkeypatch) -> dict[str, Callable[[], bytes]]:
    """What each download button would make, by its key."""
    makers: dict[str, Callable[[], bytes]] = {}
    show = page.download

    def remember(label, make, file_name, key, **options) -> None:
        makers[key] = make
        assert file_name.endswith(".csv") and "/" not in file_name
        show(label, make, file_name, key, **options)

    monkeypatch.setattr(page, "download", remember)
    return makers


def read(made: dict, key: str) -> pd.DataFrame:
    return pd.read_csv(io.BytesIO(made[key]()), keep_default_na=False, na_values=[""])


@pytest.mark.parametrize("asked", [Asked(), Asked("poac", 40, 20), Asked("npp", 3, attacker=2)], ids=str)
def test_downloads_have_the_rows_that_are_shown(asked, made, file):
    app = ask(loaded(file, page=INDIVIDUALS), asked)
    for tab, key, column in (
        ("Columns", "download-variables", "Exposed"),
        ("What each column adds", "download-additions", "Column unknown"),
        ("Smallest sets", "download-sets", "Known columns"),
    ):
        app.tab(TABS, tab)
        taken_home, shown = read(made, key), app.table(column).reset_index(drop=True)
        if "Share" in shown:  # a number in the file, three digits on screen
            assert taken_home["Share"].map(words.percent).tolist() == shown["Share"].tolist()
            taken_home["Share"] = shown["Share"]
        pd.testing.assert_frame_equal(taken_home, shown, check_dtype=False)

    data = dataset_of(app)
    names = [name for name in data.columns if name in (*data.quasi_identifiers, *data.sensitive)]
    classes = data.classes(names)
    records = read(made, "download-records")
    found = expected(data, asked)
    assert records["record"].tolist() == list(range(1, data.n_records + 1))
    assert len(records.columns) == 1 + len(names)
    starts = np.cumsum(classes.counts) - classes.counts
    for j, name in enumerate(names):
        (column,) = [column for column in records.columns if column.endswith(f" {name}")]
        np.testing.assert_allclose(records[column], found.values[starts[classes.class_of_record], j], rtol=1e-9)


def test_the_scan_goes_home_with_every_partition(made, file):
    app = loaded(file, page=INDIVIDUALS).tab(TABS, SCAN).choose("slider", "Widest category", 12.0)
    data = dataset_of(app)
    names = [name for name in data.columns if name in (*data.quasi_identifiers, *data.sensitive)]
    found = generalization_scan(data.classes(names), "diagnosis", "age", max_width=12.0)
    shown = read(made, "download-scan")
    pd.testing.assert_frame_equal(shown, found.to_frame(), check_dtype=False)
    assert len(shown) == sum(range(1, 13))


def test_all_the_smallest_sets_go_home_not_just_those_shown(made):
    rng = np.random.default_rng(3)
    rows = [",".join(map(str, row)) for row in rng.integers(0, 3, (80, 12))]
    data = (",".join(f"c{j}" for j in range(12)) + "\n" + "\n".join(rows) + "\n").encode()
    app = App(DATA, data).edit("Role", {j: {"Role": QUASI if j else SENSITIVE} for j in range(12)})
    app.open(INDIVIDUALS).choose("selectbox", "Sensitive column", "c0").tab(TABS, "Smallest sets")
    known = app.widget("selectbox", "The attacker knows").value
    names = [f"c{j}" for j in range(12)]
    found = breaching_sets(dataset_of(app).classes(names), "c0", Attacker(knows=known)).minimal
    shown, home = app.table("Known columns"), read(made, "download-sets")
    assert home["Known columns"].tolist() == [" + ".join(names) for names in found.sets]
    assert home["Records"].tolist() == found.exposed.tolist() and f"{len(home):,} sets in all" in app.text
    assert len(shown) == MOST_SETS < len(home)
    assert home["Known columns"].tolist()[: len(shown)] == shown["Known columns"].tolist()


@pytest.mark.parametrize("asked", [Asked(), Asked("npp", 3, attacker=2), Asked("poac", q=10)], ids=str)
def test_every_threshold_goes_home_with_the_number_at_or_below_it(asked, made, file):
    app = ask(loaded(file, page=INDIVIDUALS), asked)
    found = expected(dataset_of(app), asked)
    home = read(made, "download-thresholds")
    assert set(home["column"]) == set(found.variables)
    assert home.iloc[:, 1].max() > 0.9 and (home.groupby("column").size() > 15).all()
    for name, threshold, number, share in home.itertuples(index=False):
        below = found.values[:, found.variables.index(name)] <= threshold
        assert number == below.sum() and share == pytest.approx(below.mean())


@pytest.mark.parametrize("missing", ["category", "drop"])
def test_no_download_holds_an_identifier_or_a_sensitive_value(missing, made, file):
    app = loaded(file, page=INDIVIDUALS)
    app.session.missing = missing
    for tab in INDIVIDUALS_TABS:
        app.tab(TABS, tab)
    data = dataset_of(app)
    assert {key.removeprefix("download-") for key in made} >= {"variables", "records", "additions", "scan", "sets"}
    for key, make in made.items():
        text = make().decode()
        for column in data.columns_with(Role.IDENTIFIER, Role.PERSON_ID, Role.SENSITIVE):
            for value in data.records[column].cat.categories:
                assert value not in text, (key, column)
    records = read(made, "download-records")
    left_out = data.records["age"].isna().to_numpy() if missing == "drop" else np.zeros(data.n_records, dtype=bool)
    assert records.iloc[:, 1].isna().tolist() == left_out.tolist()


def test_a_name_that_a_spreadsheet_would_run_is_neutralised(made):
    app = App(DATA, b"=1+1,-cmd,@ill\n1,2,x\n2,2,y\n1,1,x\n3,1,y\n")
    app.edit("Role", {0: {"Role": QUASI}, 1: {"Role": QUASI}, 2: {"Role": SENSITIVE}}).open(INDIVIDUALS)
    for tab in INDIVIDUALS_TABS:
        app.tab(TABS, tab)
    for make in made.values():
        for line in make().decode().splitlines():
            assert not any(cell.strip('"')[:1] in "=@" and cell.strip('"') for cell in line.split(",")), line


# ---- settings --------------------------------------------------------------------------------------------------------

SETTINGS = Asked("poac", 35, 15, attacker=3, empty=True)


def settings_of(app: App) -> dict[str, object]:
    kinds = ("segmented_control", "selectbox", "slider", "multiselect", "toggle")
    return {widget.label: widget.value for kind in kinds for widget in getattr(app.at, kind)}


def test_settings_are_still_there_after_another_page(file):
    app = ask(loaded(file, page=INDIVIDUALS), SETTINGS)
    app.choose("multiselect", "Columns", ["age", "sex", "zip", "diagnosis"])
    app.choose("selectbox", "Sensitive column", "zip").choose("selectbox", "The attacker knows", 2)
    app.choose("slider", "Records shown", (10, 60))
    before = settings_of(app)
    figure = first_figure(app)
    for other in (DATA, RISK, RELEASE):
        app.open(other).run().open(INDIVIDUALS)
        assert settings_of(app) == before and first_figure(app) == figure


@pytest.mark.parametrize(
    "asked", [Asked("npp", 7, attacker="chance", chance=20), Asked(threshold=5, near={"age": 4.0})]
)
def test_settings_of_every_kind_stay(asked, file):
    app = ask(loaded(file, page=INDIVIDUALS), asked)
    before, distances = settings_of(app), [box.value for box in app.at.number_input]
    app.open(RISK).run().open(INDIVIDUALS)
    assert settings_of(app) == before and [box.value for box in app.at.number_input] == distances
    found = expected(dataset_of(app), asked)
    assert first_figure(app) == words.percent(found.of("diagnosis").mean())


def test_a_tab_keeps_what_was_set_in_it(file):
    app = loaded(file, page=INDIVIDUALS).tab(TABS, "One individual").choose("number_input", "Record", 123)
    app.tab(TABS, SCAN).choose("slider", "Widest category", 17.0).tab(TABS, "Columns")
    assert app.tab(TABS, "One individual").widget("number_input", "Record").value == 123
    assert app.tab(TABS, SCAN).widget("slider", "Widest category").value == 17.0


def test_a_record_that_the_release_does_not_have_gives_way(file):
    app = loaded(file, page=INDIVIDUALS).tab(TABS, "One individual").choose("number_input", "Record", 300)
    app.open(RELEASE)
    app.session.recipe = Recipe.of([Recode("age", Intervals(30))])
    app.press("Start with these steps") if app.has_button("Start with these steps") else app.run()
    app.open(INDIVIDUALS).tab(TABS, "One individual")
    assert not app.errors
    assert app.widget("number_input", "Record").value <= app.widget("number_input", "Record").max


def test_another_file_begins_anew(file):
    app = ask(loaded(file, page=INDIVIDUALS), SETTINGS).tab(TABS, "One individual")
    app.choose("number_input", "Record", 222).choose("toggle", "Show sensitive values", True)
    fresh = settings_of(loaded(SMALL, page=INDIVIDUALS))
    app.open(DATA).upload(SMALL, "other.csv").press("Accept all suggestions").open(INDIVIDUALS)
    app.tab(TABS, "One individual")
    now = settings_of(app)
    assert now.pop("Show sensitive values") is False and now == fresh
    assert app.widget("number_input", "Record").value <= 4
    again = app.open(DATA).upload(file, "visits.csv").press("Accept all suggestions").open(INDIVIDUALS)
    assert settings_of(again.tab(TABS, "Columns")) == settings_of(loaded(file, page=INDIVIDUALS))


def test_the_words_are_of_the_attacker_that_was_looked_at(slow, file):
    app = loaded(file, page=INDIVIDUALS).choose("selectbox", "The attacker knows", 4)
    assert "the right one of the other" in app.text and app.has_button("Start")
    app.press("Start")
    assert "the right ones of the other 4 columns" in app.text


def test_what_exposed_means_is_said_for_the_attacker_that_is_shown(file):
    app = loaded(file, page=INDIVIDUALS)
    assert "Exposed: the value is certain (PPP 0)" in app.text and "“By up to 2”" in app.text
    app.choose("selectbox", "The attacker knows", "chance")
    assert "Exposed: the value is inferred with a probability above 20%" in app.text
    assert "Exposed: PPP" not in app.text and "“By up to 2”" not in app.text


def test_the_sets_looked_at_are_said_where_they_are_fewer_than_all(file):
    app = loaded(file, page=INDIVIDUALS).tab("individuals-tabs", "What each column adds")
    assert "All others are known." in app.text
    app.choose("segmented_control", "Of the columns that remain", "any set")
    assert "every set of up to 4" in app.text
    app.tab("individuals-tabs", "One individual")
    assert "Every set of the other columns" in app.text
    app.choose("selectbox", "The attacker knows", 2)
    assert "Every set of up to 2 of the other columns" in app.text

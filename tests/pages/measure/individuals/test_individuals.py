"""The Individuals page without a browser: its figures are those of the library, for everything that can be asked."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from anonlib.analyses.individuals import Attacker, breaching_sets, default_q, leave_one_out
from anonlib.basics import words
from anonlib.columns.roles import Role
from tests.helpers.app import INDIVIDUALS, INDIVIDUALS_TABS, SMALL, App, dataset_of, loaded, sampled, seeded
from tests.helpers.individuals import TABS, Asked, Expected, ask, expected, in_red, number

QUESTIONS = [
    Asked(),
    Asked(threshold=20),
    Asked(threshold=30, attacker=1),
    Asked(threshold=95, attacker=2),
    Asked(attacker=3, empty=True, threshold=70),
    Asked(attacker="all"),
    Asked(attacker="all", threshold=50),
    Asked(attacker="chance"),
    Asked(attacker="chance", chance=15, threshold=30, empty=True),
    Asked("npp"),
    Asked("npp", threshold=3),
    Asked("npp", threshold=50, attacker=1),
    Asked("npp", threshold=2, attacker="all"),
    Asked("npp", threshold=1, attacker="chance", chance=80),
    Asked("poac"),
    Asked("poac", threshold=60, q=30),
    Asked("poac", threshold=34, q=95, attacker=2, empty=True),
    Asked("poac", threshold=50, attacker="all"),
    Asked("poac", threshold=10, q=10, attacker="chance", chance=35),
    Asked("poac", downward=True),
    Asked("poac", downward=True, q=40, attacker=2),
    Asked(threshold=10, near={"age": 2.0}),
    Asked("npp", threshold=2, attacker=2, near={"age": 10.0}),
    Asked(attacker="chance", threshold=5, near={"age": 1.0}),
]


@pytest.fixture(scope="module")
def app(file) -> App:
    return loaded(file, page=INDIVIDUALS)


def test_without_quasi_identifiers_there_is_a_way_to_them(file):
    app = App(INDIVIDUALS, file)
    assert "No quasi-identifiers are chosen" in app.text and not app.at.metric
    app.press("Accept suggested roles")
    assert app.metric("Certain in diagnosis") and not app.errors


def test_one_column_is_too_few_and_the_page_says_so():
    app = seeded(SMALL, page=INDIVIDUALS, roles={"age": "quasi_identifier"})
    assert "Choose at least two columns under **More**" in app.text and not app.errors and not app.at.metric
    other = loaded(SMALL, page=INDIVIDUALS)
    for chosen in ([], ["age"]):
        other.choose("multiselect", "Columns", chosen)
        assert "Choose at least two columns" in other.text and not other.errors
    other.choose("multiselect", "Columns", ["age", "sex"])
    assert other.metric("Certain in")


@pytest.mark.parametrize("asked", QUESTIONS, ids=str)
def test_figures_and_table_are_the_librarys(asked, app):
    ask(app, asked, "Columns")
    assert not app.errors
    found = expected(dataset_of(app), asked)
    n = len(found.values)
    focus = app.widget("selectbox", "Sensitive column").value
    certain = "Not private" if asked.downward else "Certain"
    assert app.metric(f"{certain} in {focus}") == words.percent(found.of(focus).mean())
    anyone = np.any([found.of(name) for name in found.sensitive], axis=0)
    assert app.metric(f"{certain} in any sensitive column") == words.percent(anyone.mean())
    assert f"**{words.share(int(found.of(focus).sum()), n, 'records')}**" in app.text
    assert f"Red, with a dotted line through it: {in_red(asked)}" in app.text, "what red means"

    table = app.table("Certain").set_index("Column")
    assert set(table.index) == set(found.variables) and table.index[: len(found.sensitive)].tolist() == found.sensitive
    rest = table["Certain"].tolist()[len(found.sensitive) :]
    assert rest == sorted(rest, reverse=True), "those certain for most first"
    for j, name in enumerate(found.variables):
        assert table.loc[name, "Certain"] == found.certain[:, j].sum()
        assert table.loc[name, "Share"] == words.percent(found.certain[:, j].mean())
        mean = next(column for column in table.columns if column.endswith(", mean"))
        assert number(table.loc[name, mean]) == pytest.approx(np.nanmean(found.values[:, j]), abs=6e-4)
        if isinstance(asked.attacker, int):
            known = range(0 if asked.empty else 1, asked.attacker + 1)
            for most in list(known)[:4]:
                within = (found.depth[:, j] >= 0) & (found.depth[:, j] <= most)
                label = "from 1 other column" if most == 1 else f"from up to {most} others"
                assert table.loc[name, label] == within.sum()
    check_depth(app, asked, found)


def check_depth(app: App, asked: Asked, found: Expected) -> None:
    """The figures of how many known columns it takes, or of an attacker who knows each with a probability."""
    place = found.variables.index(app.widget("selectbox", "Sensitive column").value)
    if asked.attacker == "chance":
        chance = 1 - found.values[:, place]
        assert app.metric("Average probability") == words.percent(chance.mean())
        assert app.metric("Records expected") == f"{round(chance.sum()):,}"
    elif asked.attacker != "all":
        depth = found.depth[:, place]
        assert app.metric("From one other column") == words.percent(((depth >= 0) & (depth <= 1)).mean())
        certain = sorted(depth[depth >= 0].tolist())
        half = str(certain[(len(certain) + 1) // 2 - 1]) if certain else "none"
        assert app.metric("Other columns it takes") == half


def test_the_risk_threshold_says_which_probability_is_too_high(file):
    app = loaded(file, page=INDIVIDUALS)
    app.session.own_threshold = 0.6
    asked = Asked(attacker="chance", chance=40)
    ask(app, asked)
    found = expected(dataset_of(app), asked, risk=0.6)
    focus = app.widget("selectbox", "Sensitive column").value
    assert app.metric(f"Certain in {focus}") == words.percent(found.of(focus).mean())
    assert in_red(asked, "60%") in app.text


@pytest.mark.parametrize(
    ("asked", "focus"),
    [(Asked(), "diagnosis"), (Asked(), "age"), (Asked("poac", 40, 20), "sex"), (Asked("poac", 40, 20), "diagnosis"),
     (Asked("npp", 4, attacker=2), "age"), (Asked("npp", 4, attacker=2), "diagnosis"), (Asked(threshold=30), "sex")],
)  # fmt: skip
def test_the_views_of_a_column_are_the_librarys(asked, focus, app):
    app.put(individuals_add_minimum="all").set("selectbox", "Sensitive column", focus)
    ask(app, asked, "What each column adds")
    data = dataset_of(app)
    names = [name for name in data.columns if name in (*data.quasi_identifiers, *data.sensitive)]
    classes = data.classes(names)
    q = default_q(asked.q / 100, len(classes.categories[names.index(focus)]))
    attacker = Attacker(asked.measure, q, asked.attacker)

    for minimum in (False, True):
        if minimum:
            app.choose("segmented_control", "Of the columns that remain", "any set")
        knows = asked.attacker if minimum else "all"
        adds = leave_one_out(classes, focus, replace(attacker, knows=knows)).to_frame(asked.p)
        shown = app.table("Column unknown")
        assert shown["Column unknown"].tolist() == adds["variable"].tolist()
        assert shown["Freed"].tolist() == adds["freed"].tolist()
        assert shown["Still certain"].tolist() == adds["certain"].tolist()
        np.testing.assert_allclose(shown.iloc[:, 3].map(number), adds["gain"], atol=6e-4)
        if minimum and adds["freed"][0]:  # said of the attacker in force, who may know any set
            assert f"**{adds['freed'][0]:,}** more records would be safe" in app.text

    app.tab(TABS, "Smallest sets")
    sets = breaching_sets(classes, focus, attacker, p=asked.p).minimal
    shown = app.table("Known columns")
    assert shown["Known columns"].tolist() == [" + ".join(names) for names in sets.sets]
    assert shown["Records"].tolist() == sets.counts.tolist()
    assert words.share(sets.n_with_sets, data.n_records, "records") in app.text


def test_persons_are_counted_in_the_sample_of_admissions():
    app = sampled("admissions", INDIVIDUALS)
    data = dataset_of(app)
    first, text = app.widget("selectbox", "Sensitive column").value, app.text
    most = app.widget("selectbox", "The attacker knows").value
    found = expected(data, Asked(attacker=most))
    assert len(found.values) == data.classes([]).n_records < data.n_records
    for name in data.sensitive:
        app.choose("selectbox", "Sensitive column", name)
        assert app.metric(f"Certain in {name}") == words.percent(found.of(name).mean())
    asked = max(data.sensitive, key=lambda name: found.of(name).sum())
    assert first == asked, "what is certain for most is looked at first"
    assert f"**{words.share(int(found.of(asked).sum()), len(found.values), 'persons')}**" in text


def test_only_the_chosen_columns_are_looked_at(app):
    app.set("multiselect", "Columns", ["sex", "diagnosis", "zip"])
    app.put(individuals_measure="ppp", individuals_attacker="any", individuals_ppp=0, individuals_empty=False)
    app.put(individuals_near=[])
    app.tab(TABS, "Columns")
    data = dataset_of(app)
    few = data.with_roles({name: role for name, role in data.roles.items() if name in ("sex", "diagnosis", "zip")})
    found = expected(few, Asked(attacker=2))
    table = app.table("Certain").set_index("Column")
    assert {name: table.loc[name, "Certain"] for name in table.index} == {
        name: int(found.of(name).sum()) for name in ("sex", "diagnosis", "zip")
    }
    app.choose("multiselect", "Columns", ["age", "sex", "zip", "visit_date", "diagnosis"])


def test_poac_compares_exact_values_and_nearness_is_there_again_for_the_others(app):
    near = Asked(near={"age": 5.0})
    app.set("selectbox", "Sensitive column", "diagnosis")
    with_nearness = app.metric("Certain in diagnosis") if ask(app, near) else ""
    app.choose("segmented_control", "Measure", "poac")
    exact, data = Asked("poac"), dataset_of(app)
    assert app.metric("Certain in diagnosis") == words.percent(expected(data, exact).of("diagnosis").mean())
    assert "exact" in app.widget("multiselect", "Numbers that count").help
    app.choose("segmented_control", "Measure", "ppp")
    assert app.metric("Certain in diagnosis") == with_nearness
    assert with_nearness == words.percent(expected(data, near).of("diagnosis").mean())
    ask(app, Asked())


def test_every_tab_says_something_and_no_identifier_is_ever_among_the_columns(app):
    identifiers = {"full_name", "record_number"}
    data = dataset_of(app)
    assert identifiers <= set(data.columns_with(Role.IDENTIFIER, Role.PERSON_ID))
    for tab in INDIVIDUALS_TABS:
        app.tab(TABS, tab)
        assert [element.label for element in app.at.tabs if element.children] == [tab] and not app.errors
        for box in (*app.at.selectbox, *app.at.multiselect):
            assert not identifiers & set(box.options)

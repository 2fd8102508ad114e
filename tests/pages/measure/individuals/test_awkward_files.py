"""The Individuals page on odd data: few columns, few records, constant and missing values, hostile text, releases."""

from __future__ import annotations

import re
from itertools import cycle

import pytest

from anonlib import words
from anonlib.release.recipe import Recipe
from anonlib.release.steps import DropColumns
from anonlib.samples import SAMPLES
from tests.helpers.app import DATA, INDIVIDUALS, INDIVIDUALS_TABS, App, dataset_of
from tests.helpers.hostile import ACTIVE, MARK, hostile_file
from tests.helpers.individuals import TABS, VISITS, Asked, every_tab, expected

QUASI, SENSITIVE = "Quasi-identifier", "Sensitive"
BASIC = {"age": QUASI, "sex": QUASI, "ill": SENSITIVE}
FILES: dict[str, tuple[bytes, dict[str, str]]] = {
    "persons": (VISITS, BASIC | {"who": "Person id"}),
    "weights": (VISITS, BASIC | {"people": "Weight"}),
    "one known, one sensitive": (VISITS, {"sex": QUASI, "ill": SENSITIVE}),
    "nothing sensitive": (VISITS, {"sex": QUASI, "age": QUASI}),
    "two sensitive, one known": (VISITS, {"age": QUASI, "ill": SENSITIVE, "sex": SENSITIVE}),
    "constant sensitive": (b"age,sex,ill\n" + b"30,F,x\n31,M,x\n30,M,x\n32,F,x\n" * 5, BASIC),
    "constant": (b"age,sex,ill\n" + b"30,F,x\n" * 20, BASIC),
    "constant numbers": (b"age,sex,ill\n" + b"30,1,7\n" * 20, BASIC),
    "missing": (b"age,sex,ill\n30,F,x\n,F,y\n31,,x\n,,\n30,M,\n32,F,y\n" * 4, BASIC),
    "all missing": (b"age,sex,ill,n\n" + b",,,1\n" * 6 + b"3,,,1\n", BASIC),
    "two records": (b"age,sex,ill\n30,F,x\n31,M,y\n", BASIC),
    "two alike": (b"age,sex,ill\n30,F,x\n30,F,y\n", BASIC),
    "one record": (b"age,sex,ill\n30,F,x\n", BASIC),
    "not quite numbers": (b"age,sex,ill\n1e999,F,x\ninf,M,y\n-0,F,z\n1e-300,F,x\n1e300,M,y\nnan,F,z\n7,M,y\n", BASIC),
    "fractions": (b"age,sex,ill\n" + b"".join(b"%d.%d,F,%d\n" % (i, i % 10, i % 3) for i in range(40)), BASIC),
    "our words": (
        b"record,Column,Exposed,Mean PPP\n" + b"1,2,3,4\n2,2,3,5\n3,1,3,4\n" * 4,
        {"record": QUASI, "Column": QUASI, "Exposed": SENSITIVE, "Mean PPP": SENSITIVE},
    ),
    "long texts": ((f"{'a' * 400},{'b' * 400}\n" + f"{'y' * 3_000},1\n{'z' * 3_000},2\n").encode(), {}),
    "many columns": (
        (",".join(f"c{i}" for i in range(40)) + "\n" + "\n".join(",".join(str(i * j % 5) for j in range(40))
                                                                 for i in range(30)) + "\n").encode(),
        {},
    ),
}  # fmt: skip


def opened(name: str) -> App:
    data, roles = FILES[name]
    app = App(DATA, data)
    if roles:
        app.give_roles(**roles)
    else:
        columns = len(app.session.loaded.source.frame.columns)
        app.edit("Role", {i: {"Role": QUASI if i else SENSITIVE} for i in range(columns)})
    return app.open(INDIVIDUALS)


# ---- data ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("sample", SAMPLES, ids=lambda sample: sample.key)
def test_every_sample_opens_in_every_tab(sample):
    app = App().press(f"open-{sample.key}").open(INDIVIDUALS)
    if app.at.metric:
        every_tab(app)
    else:
        assert "at least two columns" in app.text or "No quasi-identifiers" in app.text


@pytest.mark.parametrize(("name", "measure"), list(zip(FILES, cycle(["ppp", "poac", "npp"]))))
def test_every_tab_opens_on_odd_data(name, measure):
    app = opened(name).choose("segmented_control", "Measure", measure)
    assert app.at.metric and not app.errors
    every_tab(app)


@pytest.mark.parametrize(
    ("name", "attacker"), list(zip((name for name in FILES if name != "many columns"), cycle([1, "chance", "all"])))
)
def test_every_attacker_on_odd_data(name, attacker):
    app = opened(name).choose("selectbox", "The attacker knows", attacker)
    app.choose("toggle", "An attacker may know nothing", True).choose("slider", "Red up to", 40)
    assert app.at.metric and not app.errors
    for tab in ("Columns", "One individual", "Smallest sets"):
        app.tab(TABS, tab)
        assert not app.errors


@pytest.mark.parametrize("name", ["persons", "weights", "missing", "two records", "constant", "nothing sensitive"])
def test_figures_of_odd_data_are_the_librarys(name):
    app = opened(name)
    data = dataset_of(app)
    found = expected(data, Asked(attacker=app.widget("selectbox", "The attacker knows").value))
    focus = app.widget("selectbox", "Sensitive column").value
    assert app.metric(f"Exposed in {focus}") == words.percent(found.of(focus).mean())
    table = app.table("Exposed").set_index("Column")
    rows = [c for c in found.variables if c in data.sensitive or len(data.classes([c]).categories[0]) > 1]
    assert {c: table.loc[c, "Exposed"] for c in table.index} == {c: found.of(c).sum() for c in rows}
    anywhere = "sensitive column" if data.sensitive else "column"
    assert app.metric(f"Exposed in any {anywhere}")
    assert words.share(int(found.of(focus).sum()), len(found.values), data.unit) in app.text


def test_poac_of_a_column_of_one_value_is_not_defined_and_said_so():
    app = opened("constant sensitive").choose("segmented_control", "Measure", "poac").tab(TABS, "One individual")
    assert app.table("Takes").set_index("Column").loc["ill", "Least PoAC"] == "n/a"
    app.tab(TABS, "Columns").choose("segmented_control", "Measure", "ppp")
    assert app.table("Exposed").set_index("Column").loc["ill", "Exposed"] == 20, "in PPP it is certain"


def test_two_records_are_slid_over_and_one_record_is_not():
    assert opened("two records").widget("slider", "Records shown").value == (1, 2)
    assert not any(slider.label.startswith("Records shown") for slider in opened("one record").at.slider)


@pytest.mark.parametrize(
    "data",
    [b"age,sex,ill\n1,,a\n,F,b\n,M,c\n", b"age,sex,ill\n,F,x\n,M,y\n,F,y\n3,,\n"],
    ids=["nobody is complete", "hardly anything there"],
)
def test_a_file_of_which_every_record_is_left_out_is_no_fault(data):
    app = App(DATA, data).give_roles(**BASIC)
    app.session.missing = "drop"
    app.open(INDIVIDUALS)
    for tab in INDIVIDUALS_TABS:
        app.tab(TABS, tab)


def test_weights_of_nought_count_nobody_and_are_no_fault():
    data = b"age,sex,ill,people\n" + b"".join(b"%d,F,%d,0\n" % (30 + i, i % 3) for i in range(9))
    app = App(DATA, data).give_roles(**BASIC, people="Weight").open(INDIVIDUALS)
    for tab in INDIVIDUALS_TABS:
        app.tab(TABS, tab)


# ---- hostile text ----------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def hostile() -> App:
    app = App(DATA, hostile_file(), f"![{MARK}](http:h.example.png).csv")
    names = app.session.loaded.source.frame.columns
    roles = [QUASI, QUASI, SENSITIVE, "Place", "Identifier", SENSITIVE, QUASI, QUASI]
    return app.edit("Role", {i: {"Role": role} for i, role in enumerate(roles[: len(names)])})


def check_text(app: App) -> App:
    """Nothing on the page is anything else than text; what a selectbox shows as chosen it shows as it is."""
    shown = app.rendered_text()
    for box in app.at.selectbox:
        if box.proto.raw_value in shown:
            shown.remove(box.proto.raw_value)
    for text in shown:
        unescaped = re.sub(r"\\[!-/:-@\[-`{-~]", "·", text)
        assert not any(active in unescaped for active in ACTIVE), text[:300]
    return app


@pytest.mark.parametrize("tab", INDIVIDUALS_TABS)
@pytest.mark.parametrize("measure", ["ppp", "poac"])
def test_hostile_names_and_cells_are_text_in_every_tab(measure, tab, hostile):
    app = hostile.open(INDIVIDUALS).choose("segmented_control", "Measure", measure).tab(TABS, tab)
    assert any(MARK in text for text in app.rendered_text()), "they are shown"
    for focus in app.widget("selectbox", "Sensitive column").options:
        app.choose("selectbox", "Sensitive column", focus)
        check_text(app)
        if tab == "One individual":
            app.choose("toggle", "Show sensitive values", True)
            check_text(app)


def test_hostile_names_are_text_for_every_attacker_and_in_a_recipe(hostile):
    app = hostile.open(INDIVIDUALS).choose("segmented_control", "Measure", "ppp")
    for attacker in ("all", "chance", 2):
        app.choose("selectbox", "The attacker knows", attacker)
        check_text(app)
    for name in app.widget("selectbox", "Sensitive column").options[:2]:
        app.session.recipe = Recipe.of([DropColumns((name,))])
        app.run()
        check_text(app)
    app.session.recipe = Recipe()
    app.run()


def test_numbers_of_a_hostile_name_are_asked_for_in_text():
    names = [f":red[{MARK}]", f"![{MARK}](http://h.example)"]
    rows = "".join(f"{i % 9},{i % 4},{'xyz'[i % 3]}\n" for i in range(40))
    app = App(DATA, (",".join([*names, "ill"]) + "\n" + rows).encode())
    app.edit("Role", {0: {"Role": QUASI}, 1: {"Role": QUASI}, 2: {"Role": SENSITIVE}}).open(INDIVIDUALS)
    app.choose("multiselect", "Numbers that count", list(app.session.loaded.source.frame.columns[:2]))
    assert len(app.at.number_input) == 2
    for tab in INDIVIDUALS_TABS:
        check_text(app.tab(TABS, tab))
    app.choose("multiselect", "Numbers that count", [])
    app.tab(TABS, "Make a column coarser").choose("slider", "Widest category", 5.0).press("individuals-scan-add-1")
    check_text(app)

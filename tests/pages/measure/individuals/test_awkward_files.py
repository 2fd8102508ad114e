"""The Individuals page on odd data: few columns, few records, constant and missing values, hostile text, releases."""

from __future__ import annotations

from itertools import cycle

import pytest

from anonlib.basics import words
from anonlib.reading.samples import SAMPLES
from anonlib.reading.sources import open_source
from anonlib.release.recipe import Recipe
from anonlib.release.steps import DropColumns
from tests.helpers.app import INDIVIDUALS, INDIVIDUALS_TABS, App, dataset_of, sampled, seeded
from tests.helpers.hostile import HOSTILE, MARK, check_text, hostile_file
from tests.helpers.individuals import TABS, VISITS, Asked, every_tab, expected

QUASI, SENSITIVE = "quasi_identifier", "sensitive"
BASIC = {"age": QUASI, "sex": QUASI, "ill": SENSITIVE}
FILES: dict[str, tuple[bytes, dict[str, str]]] = {
    "persons": (VISITS, BASIC | {"who": "person_id"}),
    "weights": (VISITS, BASIC | {"people": "weight"}),
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
        b"record,Column,Certain,Mean PPP\n" + b"1,2,3,4\n2,2,3,5\n3,1,3,4\n" * 4,
        {"record": QUASI, "Column": QUASI, "Certain": SENSITIVE, "Mean PPP": SENSITIVE},
    ),
    "long texts": ((f"{'a' * 400},{'b' * 400}\n" + f"{'y' * 3_000},1\n{'z' * 3_000},2\n").encode(), {}),
    "many columns": (
        (",".join(f"c{i}" for i in range(40)) + "\n" + "\n".join(",".join(str(i * j % 5) for j in range(40))
                                                                 for i in range(30)) + "\n").encode(),
        {},
    ),
}  # fmt: skip


def opened(name: str, tab: str = "Columns", **settings: object) -> App:
    data, roles = FILES[name]
    columns = open_source(data, "visits.csv").frame.columns
    roles = roles or {column: QUASI if i else SENSITIVE for i, column in enumerate(columns)}
    settings = {setting.replace("_", "-"): value for setting, value in settings.items()}
    return seeded(data, page=INDIVIDUALS, roles=roles, tab=(TABS, tab), settings=settings)


@pytest.mark.parametrize("sample", SAMPLES, ids=lambda sample: sample.key)
def test_every_sample_opens(sample):
    """Admissions in every tab, the others in one in turn; in the first all are seen by the tests of all pages."""
    app = sampled(sample.key, INDIVIDUALS, (TABS, INDIVIDUALS_TABS[1 + SAMPLES.index(sample) % 4]))
    if app.at.metric and sample is SAMPLES[0]:
        every_tab(app)
    elif app.at.metric:
        assert not app.errors
    else:
        assert "at least two columns" in app.text or "No quasi-identifiers" in app.text


MEASURES, ATTACKERS = ("ppp", "poac", "npp"), (1, "chance", "all")


@pytest.mark.parametrize("name", FILES)
def test_every_tab_opens_on_odd_data(name):
    """Each file in the first tab and two others, for each of the measures; each tab with files of each kind."""
    turn = list(FILES).index(name)
    others = INDIVIDUALS_TABS[1:-1]
    app = opened(name, individuals_measure=MEASURES[turn % 3])
    assert app.at.metric and not app.errors
    for i, tab in enumerate((others[turn % 4], others[(turn + 1 + turn // 4) % 4]), start=1):
        app.put(individuals_measure=MEASURES[(turn + i) % 3]).tab(TABS, tab)
        assert app.at.metric and not app.errors, (tab, app.errors)


@pytest.mark.parametrize(
    ("name", "attacker"), list(zip((name for name in FILES if name != "many columns"), cycle(ATTACKERS)))
)
def test_every_attacker_on_odd_data(name, attacker):
    """Each of them in every tab that is another for it, as the files take turns."""
    tab = ("Columns", "One individual", "Smallest sets")[list(FILES).index(name) // 3 % 3]
    app = opened(name, tab, individuals_attacker=attacker, individuals_empty=True, individuals_ppp=40)
    assert app.widget("selectbox", "The attacker knows").value == attacker
    assert app.at.metric and not app.errors


@pytest.mark.parametrize("name", ["persons", "weights", "missing", "two records", "constant", "nothing sensitive"])
def test_figures_of_odd_data_are_the_librarys(name):
    app = opened(name)
    data = dataset_of(app)
    found = expected(data, Asked(attacker=app.widget("selectbox", "The attacker knows").value))
    focus = app.widget("selectbox", "Sensitive column").value
    assert app.metric(f"Certain in {focus}") == words.percent(found.of(focus).mean())
    table = app.table("Certain").set_index("Column")
    rows = [c for c in found.variables if c in data.sensitive or len(data.classes([c]).categories[0]) > 1]
    assert {c: table.loc[c, "Certain"] for c in table.index} == {c: found.of(c).sum() for c in rows}
    anywhere = "sensitive column" if data.sensitive else "column"
    assert app.metric(f"Certain in any {anywhere}")
    assert words.share(int(found.of(focus).sum()), len(found.values), data.unit) in app.text


def test_poac_of_a_column_of_one_value_is_not_defined_and_stated():
    app = opened("constant sensitive", "One individual", individuals_measure="poac")
    assert app.table("Takes").set_index("Column").loc["ill", "Other values that are possible, least"] == "n/a"
    app.set("segmented_control", "Measure", "ppp").tab(TABS, "Columns")
    assert app.table("Certain").set_index("Column").loc["ill", "Certain"] == 20, "in PPP it is certain"


def test_two_records_are_slid_over_and_one_record_is_not():
    assert opened("two records").widget("slider", "Records shown").value == (1, 2)
    assert not any(slider.label.startswith("Records shown") for slider in opened("one record").at.slider)


@pytest.mark.parametrize(
    ("data", "roles"),
    [
        (b"age,sex,ill\n1,,a\n,F,b\n,M,c\n", BASIC),
        (b"age,sex,ill\n,F,x\n,M,y\n,F,y\n3,,\n", BASIC),
        (b"age,sex,ill,people\n" + b"".join(b"%d,F,%d,0\n" % (30 + i, i % 3) for i in range(9)),
         BASIC | {"people": "weight"}),
    ],
    ids=["nobody is complete", "hardly anything there", "weights of nought"],
)  # fmt: skip
def test_a_file_of_which_every_record_is_left_out_is_no_fault(data, roles):
    app = seeded(data, page=INDIVIDUALS, roles=roles, missing="drop")
    if app.at.metric:
        assert b"people" not in data
        every_tab(app)
    else:
        assert any("Nobody is left to look at" in info.value for info in app.at.info) and not app.errors


@pytest.fixture(scope="module")
def hostile() -> App:
    kinds = [QUASI, QUASI, SENSITIVE, "place", "identifier", SENSITIVE, QUASI, QUASI]
    roles = dict(zip([*HOSTILE, "age"], kinds, strict=True))
    return seeded(hostile_file(), f"![{MARK}](http:h.example.png).csv", INDIVIDUALS, roles=roles)


@pytest.mark.parametrize("tab", INDIVIDUALS_TABS)
def test_hostile_names_and_cells_are_text_in_every_tab(tab, hostile):
    """Every column that may be looked at in every other tab, for one measure and the other in turn."""
    columns, turn = hostile.widget("selectbox", "Sensitive column").options, INDIVIDUALS_TABS.index(tab)
    for i, focus in enumerate(columns[turn % 2 :: 2] if tab != "How it works" else columns[:1]):
        measure = ("ppp", "poac")[(i + turn // 2) % 2]
        app = hostile.put(individuals_measure=measure).set("selectbox", "Sensitive column", focus).tab(TABS, tab)
        assert any(MARK in text for text in app.rendered_text()), "they are shown"
        check_text(app, but_chosen=True)
        if tab == "One individual" and not app.widget("toggle", "Show sensitive values").value:
            check_text(app.choose("toggle", "Show sensitive values", True), but_chosen=True)


def test_hostile_names_are_text_for_every_attacker_and_in_a_recipe(hostile):
    app = hostile.put(individuals_measure="ppp")
    for attacker in ("all", "chance", 2):
        app.choose("selectbox", "The attacker knows", attacker)
        check_text(app, but_chosen=True)
    for name in app.widget("selectbox", "Sensitive column").options[:2]:
        app.session.recipe = Recipe.of([DropColumns((name,))])
        app.run()
        check_text(app, but_chosen=True)
    app.session.recipe = Recipe()


def test_numbers_of_a_hostile_name_are_asked_for_in_text():
    names = [f":red[{MARK}]", f"![{MARK}](http://h.example)"]
    rows = "".join(f"{i % 9},{i % 4},{'xyz'[i % 3]}\n" for i in range(40))
    data = (",".join([*names, "ill"]) + "\n" + rows).encode()
    app = seeded(data, page=INDIVIDUALS, roles=dict.fromkeys(names, QUASI) | {"ill": SENSITIVE})
    app.choose("multiselect", "Numbers that count", list(app.session.loaded.source.frame.columns[:2]))
    assert len(app.at.number_input) == 2
    check_text(app, but_chosen=True)
    for tab in INDIVIDUALS_TABS[1:-1]:
        check_text(app.tab(TABS, tab), but_chosen=True)
    app.set("multiselect", "Numbers that count", [])
    app.tab(TABS, "Make a column coarser").choose("slider", "Widest category", 5.0).press("individuals-scan-add-1")
    check_text(app, but_chosen=True)

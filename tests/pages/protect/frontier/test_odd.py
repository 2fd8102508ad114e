"""The Frontier page with odd files and orders: each has a frontier, or is a sentence with a way out."""

from __future__ import annotations

from collections import Counter

import pytest

from anonlib.frontier import Plane
from anonlib.roles import Role
from tests.helpers.app import DATA, FRONTIER, FRONTIER_TABS, RISK, App, dataset_of
from tests.pages.protect.frontier.test_frontier import (
    MENDING,
    QUASI,
    TABS,
    ZIPS,
    check_exact,
    every_tab,
    of_file,
    space_of,
)
from tests.pages.release.release.test_release import check_text, hostile_file


@pytest.fixture
def app() -> App:
    return of_file()


def file_of(*lines: str) -> bytes:
    return ("\n".join(lines) + "\n").encode()


@pytest.mark.parametrize(
    ("data", "roles"),
    [
        (b"age\n30\n", {"age": QUASI}),
        (b"age,sex\n" + b"30,F\n" * 9, {"age": QUASI, "sex": QUASI}),
        (b"age,sex\n30,F\n,F\n31,\n,\n", {"age": QUASI, "sex": QUASI}),
        (b"risk,loss,n\n1,2,3\n2,2,0\n1,3,1\n", {"risk": QUASI, "loss": QUASI, "n": "Weight"}),
        (b"column,policy,intervals\n1,2,3\n2,2,4\n1,3,1\n", {"column": QUASI, "policy": QUASI, "intervals": QUASI}),
        (b"who,age,zip\n1,30,02138\n1,31,02138\n2,40,02139\n", {"who": "Person id", "age": QUASI, "zip": QUASI}),
        (b"zip\n2138\n02139\nabc\n", {"zip": QUASI}),
        (b"birth_date\n2001-02-03\n2001-05-06\n1999-01-01\n", {"birth_date": QUASI}),
        (b"a,b\n" + b"".join(b"%d,%d\n" % (i % 7, i % 5) for i in range(40)), {"a": QUASI, "b": QUASI}),
    ],
    ids=["one record", "all alike", "missing", "our words and weights", "our headings", "several rows", "odd ZIP codes",
         "dates", "numbers"],
)  # fmt: skip
def test_odd_files_have_a_frontier(data, roles):
    app = of_file(data, **roles)
    assert not app.errors and app.at.metric
    every_tab(app)
    app.press("Add to recipe")
    assert not app.errors and not app.session.recipe.apply(dataset_of(app)).problems


def test_columns_of_too_many_values_are_a_sentence(monkeypatch):
    monkeypatch.setattr("pages.protect.frontier.settings.MOST_BITS", 30)
    app = of_file(file_of("age,sex", *(f"{i},{'FM'[i % 2]}" for i in range(40))), age=QUASI, sex=QUASI)
    assert len(app.errors) == 1 and "40 boundaries" in app.errors[0] and "“age”" in app.errors[0] and not app.at.metric
    app.choose("multiselect", "Quasi-identifiers to recode", ["sex"])
    assert not app.errors and app.at.metric


def test_a_population_that_knows_nobody_or_not_the_columns_is_a_sentence(app):
    app.tab(TABS, "Population").upload(b"age,sex,zip\n1,X,1\n", "people.csv", "Load a population")
    for what in ("count", "leave"):
        app.choose("radio", "Records that nobody", what)
        assert len(app.errors) == 1 and "written differently" in app.errors[0] and not app.at.metric
    app.tab(MENDING, "Population").upload(b"age,people\n30,5\n31,6\n", "people.csv", "Load a population")
    app.choose("radio", "Records that nobody", "count")
    assert not app.errors, "only what both have is recoded at first"
    app.choose("multiselect", "Quasi-identifiers to recode", ["age", "sex"])
    assert len(app.errors) == 1 and "“sex”" in app.errors[0].replace("\\", "") and not app.at.metric


def test_zip_codes_that_the_population_lacks_are_in_an_area_of_few_people():
    codes = ("37010", "38000", "99901")
    rows = (f"{30 + (i + j) % 3},{code}" for i in range(9) for j, code in enumerate(codes))
    people = (f"{30 + i},{code},{n}" for i in range(3) for code, n in (("37010", 20_000), ("99901", 5)))
    app = of_file(file_of("age,zip", *rows), age=QUASI, zip=QUASI)
    app.tab(TABS, "Population").upload(file_of("age,zip,people", *people), "people.csv", "Load a population")
    app.tab(TABS, "Order of values")
    said = app.text.replace("\\", "")
    assert "First to last: 38000, 99901, 37010" in said and "do not stand together" not in said and not app.errors


def test_the_text_of_files_is_text_everywhere():
    app = App(DATA, hostile_file(), "![ZQX](http:h.example.png).csv")
    roles = [QUASI, QUASI, "Sensitive", QUASI, "Identifier", QUASI, "Person id"]
    app.edit("Role", {i: {"Role": role} for i, role in enumerate(roles)}).open(FRONTIER)
    assert not app.errors and app.at.metric
    for tab in FRONTIER_TABS:
        check_text(app.tab(TABS, tab))
    check_text(app.press("Add to recipe"))


def test_the_order_of_values_decides_what_may_be_joined(app):
    app.tab(TABS, "Order of values")
    assert "First to last: 03601, 37010, 37011, 37203" in app.text.replace("\\", "")
    app.choose("selectbox", "Order of age", "given")
    app.choose("multiselect", "Values of age in their order", ["92", "30"])
    order = {"zip": list(ZIPS), "age": ["92", "30", "31", "45", "91"]}
    space = space_of(app, order=order)
    assert "Safe Harbor" in app.text and "do not stand together" in app.text.replace("\\", ""), "90 and more are apart"
    check_exact(app, Plane(space), safe_harbor=False)
    app.open(RISK).open(FRONTIER)
    check_exact(app, Plane(space), safe_harbor=False)
    app.tab(TABS, "Order of values").choose("selectbox", "Order of age", "natural")
    check_exact(app, Plane(space_of(app)))


def test_names_stand_with_the_commonest_first_and_groups_of_numbers_as_they_are():
    rows = [("30-39", "1 km"), ("20-29", "> 5 km"), ("40-49", "1 km"), ("<20", "2-5 km")]
    origins = ["Peru", *["Chile"] * 3, *["Bolivia"] * 2]
    lines = [f"{age},{way},{origin}" for age, way in rows for origin in origins]
    roles = dict.fromkeys(("age_group", "way", "origin"), QUASI)
    app = of_file(file_of("age_group,way,origin", *lines), **roles).tab(TABS, "Order of values")
    assert app.widget("selectbox", "Order of origin").value == "frequent"
    assert app.widget("selectbox", "Order of age").value == app.widget("selectbox", "Order of way").value == "scale"
    said = app.text.replace("\\", "")
    assert "First to last: Chile, Bolivia, Peru" in said and "First to last: <20, 20-29, 30-39, 40-49" in said
    assert "First to last: 1 km, 2-5 km, > 5 km" in said
    app.choose("selectbox", "Order of origin", "alphabetical")
    assert "First to last: Bolivia, Chile, Peru" in app.text
    app.choose("selectbox", "Order of origin", "given")
    app.choose("multiselect", "Values of origin", ["Peru"]).tab(TABS, "Policy")
    frame = app.table("from-to").set_index("column")
    values = [cell for cell in frame.loc["origin", "from-to"].strip("[]").replace("][", "-").split("-") if cell]
    assert values == [name for name in ("Peru", "Chile", "Bolivia") if name in values]
    assert not app.errors


def test_what_is_not_in_the_figures_is_said_above_them(app):
    assert "match nobody in" not in app.text and "released as it" not in app.text
    app.tab(TABS, "Population").upload(b"age,sex,people\n30,F,9\n31,F,9\n", "people.csv", "Load a population")
    said = app.text
    assert (
        "**zip** is released as it is, and k and risk here do not count it. The population table has no **zip**."
        in said
    )
    assert "match nobody in the population table, most often in **" in said and "before you believe the risk" in said
    app.press("Take the file itself as population")
    assert not app.errors and "released as it" not in app.text and "match nobody in" not in app.text
    app.choose("multiselect", "Quasi-identifiers to recode", ["age"])
    assert "**sex** and **zip** are released as they are, and k and risk here do not count them." in app.text


def test_persons_whose_rows_differ_are_said_to_be_missing():
    rows = [f"{i},{30 + i % 5},F" for i in range(60)] + [f"{i},{35 + i % 5},F" for i in range(20)]
    app = of_file(file_of("who,age,sex", *rows), who="Person id", age=QUASI, sex=QUASI)
    assert "33.3% (20 of 60 persons) have rows that differ and are not in these figures" in app.text


def released(app: App, *names: str) -> Counter:
    """What the recipe releases with the policy that has the least risk: labels -> records."""
    if any(slider.label.startswith("Policy") for slider in app.at.slider):
        app.choose("slider", "Policy", 1)
    app.press("Add to recipe")
    assert not app.errors
    return Counter(
        app.session.recipe.apply(dataset_of(app)).released.records[list(names)].itertuples(index=False, name=None)
    )


def test_who_is_left_out_of_the_search_is_recoded_all_the_same():
    app = of_file(file_of("age", *["30", "35"] * 4, "33", "97"), age=QUASI)
    app.tab(TABS, "Population").upload(b"age,people\n30,9\n35,9\n", "people.csv", "Load a population")
    app.choose("radio", "Records that nobody", "leave")
    assert released(app, "age") == {("*",): 10}, "all ages in one group, and who has an age of nobody"


def test_persons_whose_rows_differ_are_recoded_with_the_others():
    rows = [f"{i},{30 + i % 3}" for i in range(12)] + ["12,30", "12,57"]
    app = of_file(file_of("who,age", *rows), who="Person id", age=QUASI)
    assert set(released(app, "age")) == {("*",)}, "all ages in one group, and the sets of ages"


def test_who_lacks_a_value_and_is_left_out_is_not_let_in_by_a_label_for_missing_ones():
    rows = ["30,F", "30,F", "31,F", "31,M", "40,M", "40,M", ",M", ",F", ",F"]
    people = ["30,F,9", "31,F,9", "31,M,9", "40,M,9", "35,F,4", ",F,5", ",M,5"]
    app = App(DATA, file_of("age,sex", *rows))
    app.session.roles = {"age": Role.QUASI_IDENTIFIER, "sex": Role.QUASI_IDENTIFIER}
    app.session.missing = "drop"
    app.open(FRONTIER).tab(TABS, "Population").upload(file_of("age,sex,people", *people), "people.csv", "Load a pop")
    app.choose("toggle", "Only values that occur", False)
    assert "3 records lack a value and are left out" in app.text
    assert sum(released(app, "age", "sex").values()) == 6


def test_a_table_of_elsewhere_does_not_decide_which_areas_are_small():
    rows = [f"{30 + i % 3},{code}" for i in range(9) for code in ("37010", "03601", "40000", "40001")]
    app = of_file(file_of("age,zip", *rows), age=QUASI, zip=QUASI)
    app.tab(TABS, "Population").upload(b"age,zip,people\n30,37010,5\n", "people.csv", "Load a population")
    said = app.tab(TABS, "Order of values").text.replace("\\", "")
    assert "First to last: 03601, 37010, 40000, 40001" in said, "the small areas are those of the census"
    assert "Safe Harbor →" in " ".join(metric.label for metric in app.at.metric)


def test_a_bisection_is_of_its_own_safe_harbor():
    rows = [f"{60 + i % 40},{37000 + 37 * (i % 23)}" for i in range(400)]
    app = of_file(file_of("age,zip", *rows), age=QUASI, zip=QUASI)
    app.choose("selectbox", "Search", "bisection")
    before = app.tab(TABS, "Searches").table("looked at")
    app.choose("selectbox", "ZIP codes, for Safe Harbor", "(none)")
    found = app.tab(TABS, "Searches").table("looked at").set_index("search").loc["Bisection"]
    assert not app.errors
    assert found["policies"] != before.set_index("search").loc["Bisection", "policies"]

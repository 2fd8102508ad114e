"""The Frontier page with odd files of records and of people: each has a frontier, or is a sentence with a way out."""

from __future__ import annotations

import pytest
from pages_app import DATA, FRONTIER, FRONTIER_TABS, App, dataset_of
from test_pages_frontier import MENDING, QUASI, TABS, every_tab, of_file
from test_pages_release import check_text, hostile_file


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
    monkeypatch.setattr("ui.frontier.settings.MOST_BITS", 30)
    app = of_file(file_of("age,sex", *(f"{i},{'FM'[i % 2]}" for i in range(40))), age=QUASI, sex=QUASI)
    assert len(app.errors) == 1 and "40 boundaries" in app.errors[0] and "“age”" in app.errors[0] and not app.at.metric
    app.choose("multiselect", "Quasi-identifiers to recode", ["sex"])
    assert not app.errors and app.at.metric


def test_a_population_that_knows_nobody_or_not_the_columns_is_a_sentence(app):
    app.tab(TABS, "Population").upload(b"age,sex,zip\n1,X,1\n", "people.csv", "Load a population")
    assert not app.errors and "90 records match nobody" in app.text
    app.choose("radio", "Records that nobody", "leave")
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

"""The order of values on the Frontier page: what may be joined with what."""

from __future__ import annotations

from anonlib.analyses.frontier import Plane
from tests.helpers.app import FRONTIER, RISK, within
from tests.helpers.frontier import QUASI, TABS, ZIPS, check_exact, file_of, of_file, space_of
from ui.files import projects


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
    app.tab(TABS, "Order of values").press("undo")
    assert app.widget("selectbox", "Order of age").value == "given"
    app.press("undo")
    assert app.widget("multiselect", "Values of age in their order").value == ["30", "31", "45", "91", "92"]
    app.press("undo").press("redo").press("redo")
    assert app.widget("multiselect", "Values of age in their order").value == ["92", "30"]


def test_orders_are_in_the_project_and_come_back_on_next_years_file():
    this_year = of_file(file_of("age,way", "30,walk", "31,bus", "45,tram"), age=QUASI, way=QUASI)
    this_year.tab(TABS, "Order of values").choose("selectbox", "Order of way", "given")
    this_year.choose("multiselect", "Values of way in their order", ["tram", "walk"])
    saved = within(this_year.session, lambda: projects.text(projects.current()))
    next_year = of_file(file_of("age,way", "30,walk", "31,bus", "45,bike", "46,bike", "50,walk"), age=QUASI, way=QUASI)
    next_year.tab(TABS, "Order of values").upload(saved, "mine.json", "A project saved here")
    assert next_year.widget("selectbox", "Order of way").value == "given" and not next_year.errors
    assert next_year.widget("multiselect", "Values of way in their order").value == ["walk"]
    assert next_year.button("undo").label.replace("\\", "") == "Undo: open the project mine.json"
    other = of_file(file_of("age", "30", "31"), age=QUASI).upload(saved, "mine.json", "A project saved here")
    assert not other.errors and not other.session.orders


def test_names_stand_with_the_commonest_first_and_groups_of_numbers_as_they_are():
    rows = [("30-39", "1 km"), ("20-29", "> 5 km"), ("40-49", "1 km"), ("<20", "2-5 km")]
    origins = ["Peru", *["Chile"] * 3, *["Bolivia"] * 2]
    lines = [f"{age},{way},{origin}" for age, way in rows for origin in origins]
    roles = dict.fromkeys(("age_group", "way", "origin"), QUASI)
    app = of_file(file_of("age_group,way,origin", *lines), **roles).tab(TABS, "Order of values")
    assert app.widget("selectbox", "Order of origin").value == "frequent"
    assert app.widget("selectbox", "Order of age").value == "natural", "ranges have their order"
    assert app.widget("selectbox", "Order of way").value == "scale"
    message = app.text.replace("\\", "")
    assert "First to last: Chile, Bolivia, Peru" in message and "First to last: <20, 20-29, 30-39, 40-49" in message
    assert "First to last: 1 km, 2-5 km, > 5 km" in message
    app.choose("selectbox", "Order of origin", "alphabetical")
    assert "First to last: Bolivia, Chile, Peru" in app.text
    app.choose("selectbox", "Order of origin", "given")
    app.choose("multiselect", "Values of origin", ["Peru"]).tab(TABS, "Policy")
    frame = app.table("from-to").set_index("column")
    values = [cell for cell in frame.loc["origin", "from-to"].strip("[]").replace("][", "-").split("-") if cell]
    assert values == [name for name in ("Peru", "Chile", "Bolivia") if name in values]
    assert not app.errors


def test_zip_codes_that_the_population_lacks_are_in_an_area_of_few_people():
    codes = ("37010", "38000", "99901")
    rows = (f"{30 + (i + j) % 3},{code}" for i in range(9) for j, code in enumerate(codes))
    people = (f"{30 + i},{code},{n}" for i in range(3) for code, n in (("37010", 20_000), ("99901", 5)))
    app = of_file(file_of("age,zip", *rows), age=QUASI, zip=QUASI)
    app.tab(TABS, "Population").upload(file_of("age,zip,people", *people), "people.csv", "Load a population")
    app.tab(TABS, "Order of values")
    message = app.text.replace("\\", "")
    assert "First to last: 38000, 99901, 37010" in message and "do not stand together" not in message and not app.errors


def test_a_table_of_elsewhere_does_not_decide_which_areas_are_small():
    rows = [f"{30 + i % 3},{code}" for i in range(9) for code in ("37010", "03601", "40000", "40001")]
    app = of_file(file_of("age,zip", *rows), age=QUASI, zip=QUASI)
    app.tab(TABS, "Population").upload(b"age,zip,people\n30,37010,5\n", "people.csv", "Load a population")
    message = app.tab(TABS, "Order of values").text.replace("\\", "")
    assert "First to last: 03601, 37010, 40000, 40001" in message, "the small areas are those of the census"
    assert "Safe Harbor →" in " ".join(metric.label for metric in app.at.metric)


def test_codes_stand_by_the_groups_of_their_system():
    """``8`` is 008 without its zeros, and stands before 250; V and E codes are behind the numbers."""
    codes = ["V57.1", "250.83", "8", "E909", "250.01", "428", "401.9"]
    app = of_file(file_of("diag,n", *(f"{code},{i}" for i, code in enumerate(codes))), diag=QUASI)
    app.tab(TABS, "Order of values")
    assert app.widget("selectbox", "Order of diag").value == "codes" and not app.errors
    assert "First to last: 8, 250.01, 250.83, 401.9, 428, E909, V57.1" in app.text.replace("\\", "")

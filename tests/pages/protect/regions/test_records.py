"""Records on the Regions page: which are counted, and what is said of the others."""

from __future__ import annotations

import re
from collections import Counter

import pytest

from anonlib.analyses.regions import aggregate
from tests.helpers.app import REGIONS_TABS, dataset_of
from tests.helpers.regions import (
    BY_HAND,
    N_AREAS,
    PLACE,
    PROTECTED,
    QUASI,
    TABS,
    as_text,
    at_first,
    by_hand,
    check_figures,
    counted,
    file_of,
    of_files,
    records_csv,
)


def with_blanks() -> bytes:
    """The records without areas that are not in the file; some name no illness."""
    lines = records_csv().decode().replace(",9999,", ",,").splitlines()
    return file_of(*(re.sub("[a-z]+$", "", line) if i % 9 == 1 else line for i, line in enumerate(lines)))


@pytest.mark.parametrize("role", [PLACE, "other"])
def test_what_is_missing_in_no_quasi_identifier_is_a_value_and_without_an_area_nobody_is_released(role, made):
    known = ["age", "sex", "illness"]
    roles = {"name": "identifier", "age": QUASI, "sex": QUASI, "area": role}
    app = of_files(with_blanks(), roles=roles, missing="drop")
    app.choose("multiselect", "Known beside the place", known)
    frame = as_text(with_blanks())
    without, placed = frame[frame["area"] == ""], frame[frame["area"] != ""]
    assert len(without) and (placed["illness"] == "").any()
    assert f"{len(placed):,} records in {N_AREAS} areas" in app.text
    message = "lack a quasi-identifier" if role == PLACE else "name no area"
    assert f"**Not counted, and left out of a release:** {len(without)} records {message}" in app.text
    found = at_first(counted(app, tuple(known), dataset_of(app).with_missing("category")))
    check_figures(app, found)
    region = found.area_table().set_index("area")["region"]
    placed = placed.assign(area=placed["area"].map(region))
    kept = placed[placed.groupby([*known, "area"])["name"].transform("size") >= 5]
    assert (kept["illness"] == "").any() and len(kept) == found.measures.n_records - found.measures.left_out
    released, columns = as_text(made[PROTECTED]()), [*known, "area"]
    assert Counter(released[columns].itertuples(index=False)) == Counter(kept[columns].itertuples(index=False))


def test_records_without_a_value_are_left_out_when_the_data_page_says_so():
    lines = records_csv().decode().splitlines()
    some = (line.replace(",F,", ",,") if i % 9 == 0 else line for i, line in enumerate(lines[1:]))
    app = of_files(file_of(lines[0], *some), missing="drop")
    released = app.session.recipe.apply(dataset_of(app)).released
    found = at_first(counted(app, data=released))
    check_figures(app, found)
    app.press("Add to recipe")
    kept = app.session.recipe.apply(dataset_of(app)).released.n_records
    assert kept == found.measures.n_records - found.measures.left_out


def test_persons_with_rows_in_several_areas_are_not_counted_but_may_be_released(made):
    rows = [f"p{i % 400},{30 + 10 * (i % 3)},{4_700 + (i % 400 + (i > 700)) % 50}" for i in range(800)]
    app = of_files(file_of("who,age,area", *rows), roles={"who": "person_id", "age": QUASI, "area": PLACE})
    of = counted(app, ("age",))
    assert of.several and of.unit == "persons"
    check_figures(app, at_first(of))
    app.press("Add to recipe")
    applied = app.session.recipe.apply(dataset_of(app))
    assert not applied.problems and applied.released.classes(["area", "age"]).counts.min() >= 5
    app.press("undo")
    by_hand(app.choose("number_input", "k", 2), 2)
    assert f"{of.n_records} persons in {N_AREAS} areas" in app.text and of.n_records + of.several == 400
    assert f"{of.several} people have rows in several areas and are not counted here; the release keeps" in app.text
    assert "Not counted, and left out" not in app.text, "they are not left out for that"
    measures = aggregate(of, 2, number=2).measures
    released = as_text(made[PROTECTED]())["who"].nunique()
    assert measures.n_records - measures.left_out < released <= 400


ODD = (
    (b"age,area\n30,4700\n", {"age": QUASI, "area": PLACE}),
    (b"age,area\n" + b"30,4700\n31,4701\n" * 4, {"age": QUASI}),
    (b"age,area,n\n30,4700,6\n31,4701,0\n30,4702,3\n", {"age": QUASI, "area": PLACE, "n": "weight"}),
    (b"age,area\n,4700\n,4701\n30,4702\n", {"age": QUASI, "area": PLACE}),
    (
        b"region,area,records,left out\n" + b"1,4700,2,3\n2,4701,3,4\n" * 6,
        {"region": QUASI, "records": QUASI, "left out": QUASI},
    ),
    (b"count,area,persons\n" + b"1,4700,2\n2,4701,3\n" * 6, {"count": QUASI, "persons": "person_id"}),
)  # fmt: skip


@pytest.mark.parametrize(
    ("records", "roles"), ODD,
    ids=["one record", "area without a role", "weights", "gaps", "our headings", "our words"],
)  # fmt: skip
def test_odd_records_are_counted(records, roles):
    app = of_files(records, roles=roles)
    if app.errors:
        assert "one combination of values only" in app.errors[0].replace("\\", "") and not app.at.metric
        app.choose("selectbox", "Number of regions", BY_HAND)
    assert not app.errors and app.at.metric
    tab = REGIONS_TABS[1 + ODD.index((records, roles)) % 3]  # another besides the first, in turn
    worst = app.widget("selectbox", "Look at").options[1]
    app.set("selectbox", "Look at", worst).tab(TABS, tab)
    assert not app.errors
    app.press("Add to recipe")
    assert not app.errors and app.session.recipe.apply(dataset_of(app)).problems == ()


def test_records_that_name_none_of_the_areas_say_so():
    app = of_files(b"age,area\n" + b"30,north\n31,south\n" * 4, roles={"age": QUASI, "area": PLACE})
    assert len(app.errors) == 1 and "None of the areas is named in" in app.errors[0] and not app.at.metric
    app = of_files(b"age,area\n" + b"30,4700\n31,4701\n" * 4, roles={"age": QUASI, "area": "identifier"})
    assert len(app.errors) == 1 and "Identifier" in app.errors[0], "the way out is on the Data page"

"""The Generalize page with awkward files: few records, one column, persons, weights, gaps, names that want to act."""

from __future__ import annotations

from itertools import cycle

import pytest

from anonlib.coarsening.hierarchies import EVERYTHING, Hierarchy
from anonlib.coarsening.recoding import ValueMap
from anonlib.counting.privacy_models import KAnonymity
from pages.protect.generalize.question import METHODS
from tests.helpers.app import GENERALIZE, GENERALIZE_TABS, RELEASE, App, dataset_of, sampled, seeded
from tests.helpers.generalize import QUASI, SENSITIVE, TABS, check_figures, every_tab, expected
from tests.helpers.hostile import HOSTILE, check_text, hostile_file

BASIC = {"age": QUASI, "sex": QUASI, "ill": SENSITIVE}
ROWS = [f"{30 + i % 7},{'FM'[i % 2]},{'xyz'[i % 3]},{i // 2},{i % 4}" for i in range(60)]
FILE = ("age,sex,ill,who,people\n" + "\n".join(ROWS) + "\n").encode()
GAPS = b"age,sex,ill\n" + b"30,F,x\n,F,y\n31,,x\n,,\n30,M,\n32,F,y\n" * 4
FILES: dict[str, tuple[bytes, dict[str, str]]] = {
    "persons": (FILE, BASIC | {"who": "person_id"}),
    "weights": (FILE, BASIC | {"people": "weight"}),
    "one column": (FILE, {"age": QUASI}),
    "no sensitive": (FILE, {"age": QUASI, "sex": QUASI}),
    "a place": (FILE, {"age": QUASI, "sex": "place"}),
    "gaps": (GAPS, BASIC),
    "all missing": (b"age,sex,ill,n\n" + b",,,1\n" * 6 + b"3,,,1\n", BASIC),
    "all equal": (b"age,sex,ill\n" + b"30,F,x\n" * 20, BASIC),
    "all different": (("age,sex,ill\n" + "\n".join(f"{i},s{i},x" for i in range(40))).encode(), BASIC),
    "k records": (b"age,sex,ill\n" + b"30,F,x\n31,M,y\n32,F,z\n33,F,x\n34,F,y\n", BASIC),
}


def opened(name: str) -> App:
    data, roles = FILES[name]
    return seeded(data, page=GENERALIZE, roles=roles)


def released_counts(app: App) -> list[int]:
    released = app.session.recipe.apply(dataset_of(app)).released
    return released.classes().counts.tolist() if released.quasi_identifiers else []


@pytest.mark.parametrize(("name", "method"), list(zip(FILES, cycle(["parts", "iab"]))))
def test_odd_data_is_searched_and_released(name, method):
    """With the first tab and another, which take turns."""
    app = opened(name)
    check_figures(app, expected(app))
    tab = ("Original and result", "Search tree", "Fake records")[list(FILES).index(name) % 3]
    assert not app.set("selectbox", "Method", method).tab(TABS, tab).errors, (tab, app.errors)
    check_figures(app, expected(app, method=method))
    if not app.button("Add to recipe").disabled:
        app.press("Add to recipe")
        assert not app.errors and min(released_counts(app), default=5) >= 5
    assert not app.open(RELEASE).errors


@pytest.mark.parametrize("data", [b"age,sex,ill\n30,F,x\n", b"age,sex,ill\n30,F,x\n31,M,y\n"], ids=["one", "two"])
def test_fewer_records_than_k_is_a_sentence(data):
    app = seeded(data, page=GENERALIZE, roles=BASIC)
    for method in METHODS:
        app.choose("selectbox", "Method", method)
        assert len(app.errors) == 1 and "fewer than k = 5" in app.errors[0] and not app.at.metric
    app.tab("generalize-tabs-3", "Hierarchies")
    assert app.widget("selectbox", "Column").value == "age" and len(app.errors) == 1


def test_two_records_become_one_class_where_k_is_two():
    app = seeded(b"age,sex,ill\n30,F,x\n31,M,y\n", page=GENERALIZE, roles=BASIC)
    app.choose("number_input", "k", 2)
    check_figures(app, expected(app, KAnonymity(columns=("age", "sex"), least=2)))
    app.press("Add to recipe")
    assert released_counts(app) == [2]


def test_records_with_gaps_are_counted_or_left_out_as_the_data_page_says():
    app = opened("gaps")
    with_gaps = app.metric("Classes")
    app.session.missing = "drop"
    app.run()
    found = expected(app)
    check_figures(app, found)
    assert found.n_records == 12 and app.metric("Classes") != with_gaps
    app.press("Add to recipe") if not app.button("Add to recipe").disabled else None
    released = app.session.recipe.apply(dataset_of(app)).released
    assert released.n_records == 12 - found.left_out and min(released_counts(app)) >= 4


def test_a_hierarchy_that_would_leave_records_out_is_a_sentence_and_can_be_mended():
    app = opened("gaps")
    ages = tuple((age, None if age == "32" else "30+") for age in ("30", "31", "32"))
    app.session.hierarchies = {"age": Hierarchy((ValueMap(ages, missing="30+"), EVERYTHING))}
    assert not app.run().errors
    app.session.missing = "drop"
    assert len(app.run().errors) == 1 and "leaves a value without a label" in app.errors[0] and not app.at.metric
    app.press("As suggested")
    check_figures(app, expected(app))


@pytest.mark.parametrize("sample", ["weight_loss", "screening_schedule"])
def test_small_samples_open_in_every_tab(sample):
    app = sampled(sample, GENERALIZE)
    assert app.at.metric
    every_tab(app)


def test_text_of_a_file_is_text_everywhere():
    roles = dict(zip(HOSTILE, [QUASI, QUASI, SENSITIVE, QUASI, "identifier", "place", "person_id"], strict=False))
    app = seeded(hostile_file(), "![ZQX](http:h.example.png).csv", GENERALIZE, roles=roles)
    assert app.at.metric and not app.errors
    for _ in app.each_tab(TABS, GENERALIZE_TABS):
        check_text(app)
    assert any("ZQX" in text for text in app.rendered_text())
    app.choose("segmented_control", "Diversity", "distinct")
    check_text(app)
    app.press("Add to recipe") if app.has_button("Add to recipe") else None
    check_text(app)
    app.set("segmented_control", "Diversity", "off").choose("selectbox", "Method", "parts")
    check_text(app.press("Add to recipe"))
    check_text(app.open(RELEASE))
    app.press("Change step 1")
    check_text(app)
    app.open(GENERALIZE).choose("number_input", "k", 1000)
    assert app.errors
    check_text(app)

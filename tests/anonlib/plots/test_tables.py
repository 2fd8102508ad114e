"""The picture of tables and keys: every table and key once, persons at the left, text as text, the same each time."""

from __future__ import annotations

import random
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from anonlib.plots.still import svg
from anonlib.plots.tables import Place, in_words, places_of
from anonlib.plots.tables import tables as picture
from anonlib.plots.theme import Palette
from anonlib.reading.tables import Key, Linked
from tests.helpers.examples import settings
from tests.helpers.figures import FETCHING, HOSTILE, MOST, THEMES, sent, texts_of
from tests.helpers.tables import in_memory

TABLES = in_memory(
    labs={"visit_id": ["1", "1", "2"]}, patients={"patient_id": ["a", "b"], "sex": ["f", "m"]},
    visits={"visit_id": ["1", "2"], "patient_id": ["a", "b"]}, wards={"ward": ["x"]},
)  # fmt: skip
LINKED = Linked(
    "patients",
    {"patients": "patient_id", "visits": "patient_id"},
    (
        Key("visits", "patient_id", "patients", "patient_id", 0.95, 1.0),
        Key("labs", "visit_id", "visits", "visit_id", 1.0, 1.5),
    ),
)


def test_persons_stand_at_the_left_and_what_hangs_below_at_its_right():
    assert places_of([table.name for table in TABLES], LINKED) == {
        "patients": Place(0, 0.0), "visits": Place(1, 0.0), "labs": Place(2, 0.0), "wards": Place(0, 1.0),
    }  # fmt: skip


@THEMES
def test_each_table_is_a_box_with_its_size_and_each_key_an_arrow_with_its_rows(dark: bool, colours: Palette):
    chart = sent(picture(TABLES, LINKED, dark=dark))
    boxes, texts = chart["layout"]["shapes"], texts_of(chart)
    assert [box["line"]["dash"] for box in boxes] == ["solid", "solid", "solid", "dash"]
    assert [box["fillcolor"] == colours.little for box in boxes] == [False, True, False, False]
    expected = ["<b>patients</b>", "2 rows, 2 columns", "a row a person", "persons by its key", "names no person"]
    assert {*expected, "1.5 each"} <= set(texts)
    assert any(text.startswith("visits.patient_id names patients.patient_id<br>95% of its values") for text in texts)
    arrows = [trace for trace in chart["data"] if trace["mode"] == "lines+text"]
    assert [trace["x"][0] for trace in arrows] == pytest.approx([0.66, 1.66])
    assert [trace["x"][3] for trace in arrows] == [1, 2]
    assert colours.risky not in texts and "//" not in str(chart["data"])
    assert not {trace["type"] for trace in chart["data"]} & FETCHING


def test_the_picture_in_words_has_every_table_and_key():
    assert in_words(TABLES[:3], LINKED) == (
        "labs: 3 rows, 1 column, persons by its key; below visits by visit_id, 1.5 for each of its rows that has any. "
        "patients: 2 rows, 2 columns, a row a person. "
        "visits: 2 rows, 2 columns, person: patient_id; below patients by patient_id, 1 for each of its rows that has "
        "any."
    )


def test_it_stands_still_with_strange_names_and_many_tables():
    tables = in_memory(**{f"{HOSTILE} {i}": {HOSTILE: ["1"]} for i in range(30)})
    names = [table.name for table in tables]
    keys = tuple(Key(names[i], HOSTILE, names[(i - 1) // 3], HOSTILE, 1.0, 1234.5) for i in range(1, 30))
    chart = picture(tables, Linked(names[0], {names[0]: HOSTILE}, keys))
    assert len(chart.to_json()) < MOST and "<img" not in str(texts_of(sent(chart)))
    assert svg(chart, width=1000).count("<rect") >= 30 and "1,234 each" in svg(chart)
    assert svg(chart) == svg(picture(tables, Linked(names[0], {names[0]: HOSTILE}, keys)))
    assert picture((), Linked(None)).layout.height > 0


@settings(max_examples=100)
@given(st.integers(0, 2**32), st.integers(1, 30))
def test_no_two_boxes_lie_on_each_other(seed: int, n: int):
    rng = random.Random(seed)
    names = [str(i) for i in range(n)]
    keys = tuple(Key(names[i], "x", names[rng.randrange(i)], "x") for i in range(1, n) if rng.random() < 0.8)
    order = rng.sample(names, n)
    places = places_of(order, Linked(rng.choice([None, "0"]), {}, keys))
    assert set(places) == set(names)
    for column in {place.column for place in places.values()}:
        rows = sorted(place.row for place in places.values() if place.column == column)
        assert all(below - above >= 1 for above, below in pairwise(rows))
    for key in keys:
        assert places[key.table].column == places[key.parent].column + 1
    assert max(place.row for place in places.values()) < n


@pytest.mark.parametrize("rows", [0.0, 1.0, 12.345, 99.96, 100.0, 12345.6])
def test_rows_of_each_have_three_digits(rows: float):
    key = Key("labs", "visit_id", "visits", "visit_id", 1.0, rows)
    written = {0.0: "0", 1.0: "1", 12.345: "12.3", 99.96: "100", 100.0: "100", 12345.6: "12,346"}[rows]
    assert f"{written} each" in texts_of(sent(picture(TABLES, Linked(None, {}, (key,)))))

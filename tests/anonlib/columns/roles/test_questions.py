"""Which suggestions ask: what outsiders usually know of a patient, and what nothing in the file can tell."""

from __future__ import annotations

from itertools import combinations

import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from anonlib.columns.identifiers import evidence_of_values
from anonlib.columns.roles import Role, Suggestion, suggest_roles, undecided
from anonlib.dataset import Dataset
from tests.helpers.examples import settings
from tests.helpers.tables import text_frame

ANSWERS = {Role.QUASI_IDENTIFIER, Role.PLACE, Role.SENSITIVE, Role.OTHER}


def suggestion_for(values: list, name: str = "v17") -> Suggestion:
    return suggest_roles(text_frame({name: values}))[0]


def some(values: list, records: int = 60) -> list:
    return [values[i % len(values)] for i in range(records)]


# --- what others usually know of a patient ------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "values", "role", "says"),
    [
        ("length_of_stay", ["1", "2", "9"], Role.QUASI_IDENTIFIER, "how long somebody stayed"),
        ("Verweildauer", ["1", "2", "9"], Role.QUASI_IDENTIFIER, "how long somebody stayed"),
        ("department", ["A", "B", "C"], Role.QUASI_IDENTIFIER, "in which department"),
        ("admission_date", ["2024-03-01", "2024-04-02"], Role.QUASI_IDENTIFIER, "when something happened"),
        ("discharge_year", ["2023", "2024"], Role.QUASI_IDENTIFIER, "when something happened"),
        ("arrival_time", ["08:10", "23:55"], Role.QUASI_IDENTIFIER, "time of day"),
        ("admission_type_id", ["1", "2", "3"], Role.QUASI_IDENTIFIER, "planned or an emergency"),
        ("hospital", ["North", "South"], Role.QUASI_IDENTIFIER, "which hospital"),
        ("payer_code", ["MC", "SP"], Role.SENSITIVE, "how somebody is insured"),
        ("discharge_disposition", ["1", "2"], Role.SENSITIVE, "who comes home"),
        ("hiv_test", ["2020-01-02", "2020-02-03"], Role.QUASI_IDENTIFIER, "when something happened"),
    ],
)
def test_what_others_know_is_asked_and_suggested_on_the_safe_side(name, values, role, says):
    suggested = suggestion_for(some(values), name)
    assert suggested.role is role and says in suggested.asked


@pytest.mark.parametrize(
    ("kind", "values", "role"),
    [
        ("event_date", ["2024-03-01", "2024-04-02", "2024-05-03"], Role.QUASI_IDENTIFIER),
        ("event_time", ["08:10", "23:55", "7:05", "12:30:15", "1:15 PM"], Role.QUASI_IDENTIFIER),
        ("department", ["Cardiology", "Internal Medicine", "Neurology", "Emergency"], Role.QUASI_IDENTIFIER),
        ("department", ["Innere Medizin", "Kardiologie", "Chirurgie", "Gynäkologie"], Role.QUASI_IDENTIFIER),
        ("visit_type", ["Elective", "Emergency", "Urgent", "Newborn"], Role.QUASI_IDENTIFIER),
        ("insurance", ["Medicare", "Medicaid", "Private", "Self-pay"], Role.SENSITIVE),
        ("disposition", ["Home", "Hospice", "Expired", "Skilled nursing facility"], Role.SENSITIVE),
    ],
)
def test_it_is_recognised_by_its_values_too(kind, values, role):
    found = evidence_of_values(sorted(values)).kind
    assert found is not None and found.key == kind
    suggested = suggestion_for(some(values))
    assert suggested.role is role and suggested.asked


@pytest.mark.parametrize("values", [
    ["left", "right"], ["emergency", "kept at home"], ["home", "away"], ["none", "other", "unknown"],
    ["25:00", "08:99"], ["surgery", "medicine"],
])  # fmt: skip
def test_other_words_are_not_taken_for_it(values):
    assert evidence_of_values(values).kind is None


# --- what nothing tells -------------------------------------------------------------------------------------------


def test_a_column_that_nothing_tells_of_is_asked_about():
    sentence = "Neither the name nor the values tell what this is: could somebody outside know it?"
    for values in (["a", "b", "c"], [f"{i * 0.37:.2f}" for i in range(60)], [str(60000 + 513 * i) for i in range(60)]):
        suggested = suggestion_for(some(values))
        assert (suggested.role, suggested.asked) == (Role.OTHER, sentence)


def test_constant_and_empty_columns_need_no_question():
    for values in ([None] * 20, ["the same"] * 20, ["a"], []):
        suggested = suggestion_for(values)
        assert (suggested.role, suggested.asked) == (Role.OTHER, "")
    assert suggestion_for(["private"] * 20, "insurance").asked == ""


def test_a_single_value_that_some_records_lack_tells_them_apart():
    """A mark such as "x" for those who have something, and nothing for the others."""
    suggested = suggestion_for(["x", None] * 30)
    assert suggested.role is Role.OTHER and suggested.asked and not any("same" in r for r in suggested.reasons)
    assert suggestion_for(["F", None] * 30, "sex").role is Role.QUASI_IDENTIFIER


@pytest.mark.parametrize(
    ("name", "values"),
    [
        ("last_name", [f"Name {i}" for i in range(40)]),
        ("age", ["20", "30", "40"]),
        ("birth_date", [f"19{10 + i}-05-01" for i in range(40)]),
        ("zip", ["02138", "02139"]),
        ("diagnosis", ["flu", "cold"]),
        ("census_tract", ["a1", "a2"]),
        ("notes", [f"Long text number {i} in which somebody wrote what was said on a visit" for i in range(40)]),
    ],
)
def test_what_is_safe_as_suggested_is_not_asked(name, values):
    assert suggestion_for(some(values, 40), name).asked == ""


cells = st.one_of(st.none(), st.sampled_from(["a", "b", "10", "9", "2024-01-02", "Home", "M", "02138"]))
names = st.sampled_from(["age", "x", "ward", "insurance", "id", "n", "notes", "date", "education", "income", "area"])


@settings(max_examples=150, deadline=None)
@given(st.dictionaries(names, st.lists(cells, min_size=6, max_size=6), min_size=1, max_size=6))
def test_whatever_is_suggested_as_unknown_to_all_is_asked_if_any_two_records_differ(columns):
    for suggested in suggest_roles(text_frame(columns)):
        differ = any(a != b for a, b in combinations(columns[suggested.column], 2))
        if suggested.role is Role.OTHER:
            assert bool(suggested.asked) == differ
        if suggested.asked:
            assert suggested.role in ANSWERS, "what is asked can be answered"
            assert suggested.asked[-1] in ".?" and suggested.asked.count(". ") == 0, "one sentence"
            assert not any(cell in suggested.asked.split() for cell in columns[suggested.column] if cell)


# --- undecided ----------------------------------------------------------------------------------------------------


@settings(max_examples=50, deadline=None)
@given(st.lists(st.text(max_size=3), unique=True, max_size=8), st.data())
def test_undecided_are_those_without_a_role_in_the_order_of_the_columns(columns, data):
    decided = data.draw(st.dictionaries(st.sampled_from(columns), st.sampled_from(list(Role)))) if columns else {}
    found = undecided(columns, decided)
    assert set(found) == set(columns) - set(decided) and found == sorted(found, key=columns.index)


def test_other_is_a_decision_and_a_data_set_says_what_is_undecided():
    data = Dataset.from_frame(pd.DataFrame({"age": ["1"], "ward": ["a"]})).with_roles({"age": Role.OTHER})
    assert undecided(data.columns, data.roles) == ["ward"]

"""Which column of one table is which of another."""

from hypothesis import given
from hypothesis import strategies as st

from anonlib.columns.identifiers import pair_columns


def test_the_same_name_then_the_same_words_then_the_same_kind() -> None:
    found = pair_columns(["age", "zip", "Admission Date", "sex"], ["SEX", "ZCTA5", "admission_date", "Alter"])
    assert found == {"age": "Alter", "zip": "ZCTA5", "Admission Date": "admission_date", "sex": "SEX"}
    assert list(found) == ["age", "zip", "Admission Date", "sex"], "in the order of the first table"


def test_an_equal_name_is_never_given_away() -> None:
    assert pair_columns(["age", "age_years"], ["age", "leeftijd"]) == {"age": "age", "age_years": "leeftijd"}


def test_two_candidates_are_nobody() -> None:
    assert pair_columns(["age"], ["AGE_FROM", "age_group"]) == {}
    assert pair_columns(["birth city", "zip"], ["zip3", "postcode"]) == {}
    assert pair_columns(["a b", "a_b"], ["A.B"]) == {}


def test_only_facts_about_people_are_paired_by_their_kind() -> None:
    assert pair_columns(["patient id"], ["mrn"]) == {}
    assert pair_columns(["diagnosis"], ["disease"]) == {}
    assert pair_columns(["colour"], ["shape"]) == {}


NAMES = st.lists(
    st.sampled_from(["age", "AGE", "Age group", "zip", "ZIP code", "sex", "x", "X", "?", "1"]), unique=True
)


@given(NAMES, NAMES)
def test_no_column_is_taken_twice_and_equal_names_are_always_paired(names: list[str], others: list[str]) -> None:
    pairs = pair_columns(names, others)
    assert set(pairs) <= set(names) and set(pairs.values()) <= set(others)
    assert len(set(pairs.values())) == len(pairs)
    assert all(pairs[name] == name for name in names if name in others)

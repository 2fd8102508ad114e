"""Dataset: cells as text, roles, keys and digests."""

from __future__ import annotations

import ibis
import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from anonlib.analyses.risk import journalist_risk
from anonlib.basics.errors import InputError
from anonlib.columns.roles import Role
from anonlib.counting.classes import ClassTable
from anonlib.dataset import Dataset
from tests.helpers.errors import refused


def small(**fields) -> Dataset:
    frame = pd.DataFrame(
        {
            "zip": ["02138", "02139", None, "02138"],
            "age": ["9", "10", "9", "9"],
            "flu": ["yes", "no", "yes", "yes"],
            "n": ["1", "2", "3", "1,000"],
        }
    )
    return Dataset.from_frame(frame, **fields)


def test_every_column_is_text_in_natural_order():
    frame = pd.DataFrame(
        {
            "zip": ["02138", None, "2138"],
            "age": [10, 9, 9],
            "bmi": [25.0, np.nan, 24.5],
            "kind": pd.Categorical(["10", "9", None], categories=["10", "9", "never"]),
            "stage": pd.Categorical(["low", "high", None], categories=["low", "mid", "high"], ordered=True),
        },
        index=[7, 7, 9],
    )
    data = Dataset.from_frame(frame, "file.csv")
    assert all(isinstance(dtype, pd.CategoricalDtype) for dtype in data.frame.dtypes)
    assert data.frame.index.tolist() == [0, 1, 2]
    values = {name: data.frame[name].cat.categories.tolist() for name in data.columns}
    assert values["zip"] == ["02138", "2138"]
    assert values["age"] == ["9", "10"]
    assert values["bmi"] == ["24.5", "25.0"]
    assert values["kind"] == ["9", "10"]
    assert values["stage"] == ["low", "mid", "high"], "an order that is stated is kept"
    assert all(type(value) is str for column in values.values() for value in column)
    absent = data.frame.isna()
    assert [absent.columns[row].tolist() for row in absent.to_numpy()] == [[], ["zip", "bmi"], ["kind", "stage"]]
    assert (data.name, data.n_records, data.unit) == ("file.csv", 3, "records")


def test_the_frame_that_was_given_is_left_alone():
    frame = pd.DataFrame({"x": [1, 2]}, index=[5, 6])
    Dataset.from_frame(frame)
    assert frame["x"].tolist() == [1, 2] and frame.index.tolist() == [5, 6]


CELLS = st.one_of(st.none(), st.sampled_from(["a", "b", "10", "9"]))


@given(
    st.lists(CELLS, min_size=1, max_size=8),
    st.lists(CELLS, min_size=1, max_size=8),
    st.permutations(["a", "b", "10", "9"]),
)
def test_equal_values_have_equal_digests_and_others_do_not(one, other, order):
    def digest(values, categories=None):
        return Dataset.from_frame(pd.DataFrame({"x": pd.Categorical(values, categories=categories)})).digest

    assert digest(one) == digest(one, order)
    assert (digest(one) == digest(other)) == (one == other)
    assert len(digest(one)) == 64


def test_a_digest_knows_names_and_cells():
    digests = {
        Dataset.from_frame(pd.DataFrame(columns)).digest
        for columns in (
            {"x": ["ab", "c"]},
            {"x": ["a", "bc"]},
            {"y": ["ab", "c"]},
            {"x": ["c", "ab"]},
            {"x": ["ab", None]},
        )
    }
    assert len(digests) == 5
    rows = pd.DataFrame({"x": np.arange(60_000) % 97})
    changed = rows.copy()
    changed.loc[41_234, "x"] += 1
    assert Dataset.from_frame(rows).digest != Dataset.from_frame(changed).digest


def test_the_key_changes_with_every_input_of_an_analysis():
    data = small(roles={"zip": "quasi_identifier"})
    others = [
        data.with_missing("drop"),
        data.with_roles({"zip": Role.PLACE}),
        data.with_roles({"zip": Role.QUASI_IDENTIFIER, "age": Role.QUASI_IDENTIFIER}),
        data.with_roles({}),
        data.with_frame(data.frame.drop(columns="flu"), "drop flu"),
        small(digest="0" * 64, roles={"zip": "quasi_identifier"}),
    ]
    assert len({each.key for each in [data, *others]}) == 7
    assert small(roles={"zip": "quasi_identifier"}).key == data.key
    assert small(name="other.csv", roles={"zip": "quasi_identifier"}).key == data.key, "a name is no input"


def test_roles_are_read_in_the_files_order():
    data = small().with_roles({"age": "quasi_identifier", "flu": Role.SENSITIVE, "zip": "place", "n": "weight"})
    assert data.quasi_identifiers == ["zip", "age"]
    assert (data.sensitive, data.identifiers, data.weight, data.person_id) == (["flu"], [], "n", None)
    assert data.unit == "persons"
    assert small().roles == {}
    with pytest.raises(TypeError):
        data.roles["zip"] = Role.OTHER


@pytest.mark.parametrize(
    ("roles", "message"),
    [
        ({"nope": "other"}, "no column named “nope”"),
        ({"zip": "secret-role"}, "role given to “zip”"),
        ({"zip": "weight", "age": "weight"}, "Only one column can be the weight"),
        ({"zip": "person_id", "age": "person_id"}, "Only one column can be the person id"),
        ({"zip": "person_id", "age": "weight"}, "not both"),
    ],
)
def test_roles_that_cannot_be(roles, message):
    for give in (lambda: small(roles=roles), lambda: small().with_roles(roles)):
        with pytest.raises(InputError, match=message):
            give()


def test_a_change_keeps_the_roles_of_the_columns_that_stay():
    data = small(roles={"zip": "place", "flu": "sensitive"}, prepared="marks")
    changed = data.with_frame(data.frame.drop(columns="zip"), "; drop zip")
    assert changed.roles == {"flu": Role.SENSITIVE} and changed.prepared == "marks; drop zip"
    assert data.columns == ["zip", "age", "flu", "n"], "the data set before the change is as it was"


def test_columns_of_one_name_are_refused():
    for columns in (["x", "x"], [1, "1"]):
        with pytest.raises(InputError, match="2 columns are named"):
            Dataset.from_frame(pd.DataFrame([[1, 2]], columns=columns))


def test_classes_follow_the_roles():
    data = small(roles={"zip": "place", "age": "quasi_identifier", "n": "weight"})
    assert data.classes().to_frame()["count"].tolist() == [1001, 2, 3]
    assert data.with_missing("drop").classes().n_records == 1003
    assert data.classes(["flu"]).to_frame().values.tolist() == [["no", 2], ["yes", 1004]]
    persons = small(roles={"zip": "quasi_identifier", "age": "person_id"})
    assert persons.classes().n_records == 2
    assert persons.classes([]).counts.tolist() == [2]
    with refused("no-column-known"):
        small().classes()


def test_a_file_without_records_has_no_classes():
    data = Dataset.from_frame(pd.DataFrame({"x": []}), roles={"x": "quasi_identifier"})
    assert (data.n_records, data.classes().n_classes) == (0, 0)


@pytest.mark.parametrize("missing", ["category", "drop"])
@pytest.mark.parametrize("roles", [{}, {"w": "weight"}, {"id": "person_id"}])
def test_a_table_in_a_database_gives_the_classes_of_its_frame(roles, missing):
    rng = np.random.default_rng(3)
    frame = pd.DataFrame(
        {
            "age": pd.array(rng.integers(8, 13, 60), dtype="Int64"),
            "zip": rng.choice(["02138", "9", "10"], 60),
            "id": rng.integers(0, 40, 60),
            "w": rng.integers(0, 4, 60),
        }
    )
    frame.loc[::7, "age"] = pd.NA
    roles = {"age": "quasi_identifier", "zip": "place"} | roles
    here = Dataset.from_frame(frame, roles=roles, missing=missing)
    there = Dataset.from_ibis(ibis.memtable(frame), roles=roles, missing=missing)
    assert (there.columns, there.n_records, there.unit) == (here.columns, 60, here.unit)
    pd.testing.assert_frame_equal(there.classes().to_frame(), here.classes().to_frame())
    assert there.classes().categories[1].tolist()[:3] == ["9", "10", "02138"]
    with refused("no-column-known"):
        Dataset.from_ibis(ibis.memtable(frame)).classes()


def test_a_population_in_a_database_matches_a_file():
    """Its ages are numbers and the file's are text: the same people all the same."""
    file = Dataset.from_frame(pd.DataFrame({"age": ["30", "41"]}), roles={"age": "quasi_identifier"})
    population = ClassTable.from_ibis(ibis.memtable({"age": [30, 41], "people": [50, 70]}), weights="people")
    risk = journalist_risk(file.classes(), population, 0.2)
    assert (risk.unmatched, risk.highest) == (0, 1 / 50)

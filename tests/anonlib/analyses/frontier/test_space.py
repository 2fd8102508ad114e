"""The space of policies: domains and their orders, bits, notation, labels, recoding, Safe Harbor."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from anonlib.analyses.frontier.domains import SPARSE_ZIP3, Domain, alphabetical, place_on_a_scale, safe_harbor_order
from anonlib.analyses.frontier.evaluation import Plane, evaluate
from anonlib.analyses.frontier.matching import with_records
from anonlib.analyses.frontier.space import PolicySpace, sparse_zip3
from anonlib.basics.errors import InputError
from anonlib.counting.classes import ClassTable
from anonlib.dataset import Dataset
from anonlib.values.cells import text_categorical
from tests.helpers.errors import refused
from tests.helpers.examples import settings
from tests.helpers.policy_spaces import space_of_values as space_of
from tests.reference.frontier import Case, all_policies, cases, table

FEW = settings(max_examples=40)


def column(values: list[str | None], name: str = "a") -> ClassTable:
    return table([(value,) for value in values], (name,))


def policy_of(space: PolicySpace, bits: list[int]) -> np.ndarray:
    return space.checked(np.array(bits))


def bits_of_groups(space: PolicySpace, groups: list[list[str | None]]) -> np.ndarray:
    """The bits of one attribute from its intervals, written out."""
    assert [value for group in groups for value in group] == list(space.domains[0].values)
    return np.array([bit for group in groups for bit in [0] * (len(group) - 1) + [1]][:-1], dtype=bool)


# Bits and notation


def test_the_policy_of_figure_1() -> None:
    rows = [(str(age), sex, zip_code) for age in range(1, 11) for sex, zip_code in [("male", "37201")]]
    rows += [("1", "female", str(zip_code)) for zip_code in range(37201, 37230)]
    space = PolicySpace(table(rows, ("Age", "Gender", "ZIP")))
    assert space.starts.tolist() == [0, 9, 10, 38]
    policy = np.array([0, 1, 0, 0, 0, 1, 0, 0, 0] + [1] + [0] * 27 + [1])
    assert space.describe(policy) == {
        "Age": "[1-2][3-6][7-10]", "Gender": "[female][male]", "ZIP": "[37201-37228][37229]",
    }  # fmt: skip
    assert space.bits_of(policy, 2).tolist() == [0] * 27 + [1]
    assert space.intervals(policy.astype(bool), 0) == [(0, 1), (2, 5), (6, 9)]
    assert (space.n_bits, space.n_levels, space.n_policies) == (38, 39, 2**38)


def test_names_and_single_values_as_figure_9_writes_them() -> None:
    race = ["White alone", "Black or African American alone", "Asian alone", "Two or more races"]
    space = space_of(list(race), order={"a": race})
    assert space.describe(policy_of(space, [1, 0, 0])) == {
        "a": "[White alone][Black or African American alone-Two or more races]"
    }
    ages = space_of([*map(str, range(40, 46)), None])
    assert ages.describe(policy_of(ages, [0, 0, 1, 1, 0, 1])) == {"a": "[40-42][43][44-45][(missing)]"}


def test_top_is_all_0_and_bottom_all_1() -> None:
    space = space_of(["1", "2", "3"])
    assert not space.top.any() and space.bottom.all()
    assert space.describe(space.top) == {"a": "[1-3]"}
    assert space.recode(space.bottom) == {}
    assert evaluate(space, space.bottom)[0] == [1.0]


@pytest.mark.parametrize("policy", [[1], [1, 0, 1], [1, 2], [[1, 0]], "10", [None, 1], [0.5, 1]])
def test_what_is_no_policy_of_the_space_is_refused(policy: object) -> None:
    with pytest.raises(InputError, match="a row of 2 bits"):
        space_of(["1", "2", "3"]).describe(np.array(policy))


def test_an_attribute_of_one_value_has_no_bits() -> None:
    space = PolicySpace(table([("1", "x"), ("2", "x")], ("a", "b")))
    assert space.n_bits == 1
    assert space.describe(space.top) == {"a": "[1-2]", "b": "[x]"}
    alone = space_of(["x", "x"])
    assert alone.n_bits == 0
    assert [float(x[0]) for x in evaluate(alone, alone.top)] == [1.0, 0.0]


# Orders


@pytest.mark.parametrize(
    ("values", "expected"),
    [
        (["10", "9", "-1", "100"], ["-1", "9", "10", "100"]),
        (["b", "a", None, "B"], ["B", "a", "b", None]),
        (["02/01/2024", "01/12/2023", "15/01/2024"], ["01/12/2023", "02/01/2024", "15/01/2024"]),
        ([*map(str, range(5, 15)), "unknown", None], [*map(str, range(5, 15)), "unknown", None]),
        (["5", "10", "about 7", "x"], ["10", "5", "about 7", "x"]),
    ],
)
def test_values_are_in_their_natural_order_missing_last(values: list, expected: list) -> None:
    assert list(space_of(values).domains[0].values) == expected


def test_a_text_in_the_population_does_not_turn_ages_into_text() -> None:
    people = column(["9", "10", "95", "100", "unknown", "55"])
    space = space_of(["9", "10", "100"], population=people)
    assert space.domains[0].values == ("9", "10", "100")
    assert space.domains[0].between == ((), ("55", "95"))
    wide = space_of(["9", "10", "100"], population=people, observed_only=False)
    assert wide.domains[0].values == ("9", "10", "55", "95", "100", "unknown")


def test_a_large_area_without_postcodes_stands_among_the_postcodes() -> None:
    space = space_of(["37301", "37402"], population=column(["37301", "373xx", "37402"]))
    assert space.domains[0].between == (("373xx",),)
    zips = [*map(str, range(37301, 37310)), "373xx", "37402"]
    assert list(space_of([*reversed(zips)]).domains[0].values) == zips


def test_orders_given_and_alphabetical() -> None:
    values = ["low", "High", "medium"]
    space = space_of([*values, None], order={"a": ["low", "medium", "High"]})
    assert space.domains[0].values == ("low", "medium", "High", None)
    assert alphabetical([*values, None, "high"]) == ["High", "high", "low", "medium"]
    assert space_of([*values], order={"a": iter(alphabetical(values))}).domains[0].values == ("High", "low", "medium")


def test_an_order_may_name_more_but_not_less_and_nothing_twice() -> None:
    named = ["3", "2", "1", "0"]
    assert space_of(["1", "3"], order={"a": named}).domains[0].values == ("3", "1")
    assert space_of(["1", "3"], order={"a": named}, observed_only=False).domains[0].values == ("3", "2", "1", "0")
    with pytest.raises(InputError, match="leaves out 1 of its values"):
        space_of(["1", "3"], order={"a": ["1"]}).n_bits  # noqa: B018
    with refused("order-names-value-twice", "a"):
        space_of(["1", "3"], order={"a": ["1", "3", "1"]}).n_bits  # noqa: B018


# The population


def test_values_of_the_population_between_those_of_records() -> None:
    people = column(["1", "2", "3", "3", "4", "5", "9", None])
    space = space_of(["2", "4", "5"], population=people)
    assert space.domains[0] == Domain("a", ("2", "4", "5"), (("3",), ()))
    assert space.cells.places.ravel().tolist() == [0, 1, 2, 4]
    assert space.cells.records.tolist() == [1, 0, 1, 1]
    assert space.cells.people.tolist() == [1, 2, 1, 1]
    assert space.interval_of_place(policy_of(space, [0, 1]), 0).tolist() == [0, 0, 0, -1, 1]
    assert space.interval_of_place(policy_of(space, [1, 0]), 0).tolist() == [0, -1, 1, 1, 1]
    # Whoever is between is released so as well: the policy can recode the population along.
    assert space.recode(policy_of(space, [0, 1]))["a"].labels_of == (("2", "<5"), ("4", "<5"), ("3", "<5"), ("5", "5+"))
    wide = space_of(["2", "4", "5"], population=people, observed_only=False)
    assert wide.domains[0].values == ("1", "2", "3", "4", "5", "9", None)
    assert wide.cells.people.sum() == 8


def test_nobody_is_between_the_last_value_and_a_missing_one() -> None:
    space = space_of(["2", "4", None], population=column(["2", "4", "7", None]))
    assert space.domains[0].between == ((), ())
    assert space.recode(space.top)["a"].labels_of == (("2", "*"), ("4", "*"))


def test_people_at_values_without_a_place_in_the_order_are_in_no_interval() -> None:
    people = column(["x", "x", "y", "z"])
    space = space_of(["x", "z"], population=people, order={"a": ["z", "x"]})
    assert Plane(space).groups(space.top)[1].tolist() == [3]
    reaching = space_of(["x", "z"], population=people, order={"a": ["z", "y", "x"]})
    assert Plane(reaching).groups(reaching.top)[1].tolist() == [4]


def test_records_that_nobody_matches_are_an_error_that_says_how_many() -> None:
    people = table([("1", "x"), ("2", "y")], ("a", "b"))
    with pytest.raises(InputError, match=r"^3 records have a combination of values that nobody"):
        PolicySpace(table([("1", "x"), ("1", "y"), ("1", "y"), ("3", "x")], ("a", "b")), people)
    assert PolicySpace(table([("1", "x")], ("a", "b")), people).n_bits == 0


def test_a_population_without_a_column_is_refused_and_further_columns_are_not_looked_at() -> None:
    records = table([("1", "x"), ("2", "x")], ("a", "b"))
    with refused("population-lacks-columns"):
        PolicySpace(records, column(["1", "2"]))
    people = table([("x", "u", "1"), ("x", "v", "1"), ("x", "u", "2")], ("b", "c", "a"))
    assert PolicySpace(records, people).cells.people.tolist() == [2, 1]


def test_sets_of_values_and_empty_tables_are_refused() -> None:
    frame = pd.DataFrame({"id": ["p", "p", "q"], "a": text_categorical(["1", "2", "1"])})
    with refused("persons-have-several-values", "a"):
        PolicySpace(ClassTable.from_frame(frame, ["a"], person="id"))
    with refused("nothing-to-count"):
        PolicySpace(ClassTable.from_frame(frame.iloc[:0], ["a"]))
    with refused("nothing-to-count"):
        PolicySpace(ClassTable.from_frame(frame, []))


def test_values_that_are_not_text_are_refused() -> None:
    numbers = ClassTable.from_frame(pd.DataFrame({"a": [1, 2, 2]}))
    with pytest.raises(InputError, match=r"^The values of “a” are not text\. Make the table a Dataset"):
        PolicySpace(numbers)
    with pytest.raises(InputError, match=r"^The values of “a” are not text"):
        PolicySpace(column(["1", "2"]), numbers)
    data = Dataset.from_frame(pd.DataFrame({"a": [1, 10, 2]}))
    assert PolicySpace(data.classes(["a"])).domains[0].values == ("1", "2", "10")


# Records that are recoded and not counted


def test_values_of_records_that_are_not_counted_are_recoded_and_change_no_figure() -> None:
    people = column(["1", "2", "3", "3", "4", "9"])
    space = space_of(["2", "4", "9"], population=people, also={"a": ["7", "4", "12", None], "b": ["x"]})
    assert space.domains[0] == Domain("a", ("2", "4", "9"), (("3",), ("7",)))
    released = space.recode(policy_of(space, [1, 0]))["a"]
    assert released.labels(["2", "4", "7", "9", "12"]).tolist() == ["<3", "4+", "4+", "4+", "*"]
    assert released.missing == "*" and space.recode(space.bottom) == {}
    without = space_of(["2", "4", "9"], population=people)
    for policy in all_policies(2):
        for one, same in zip(Plane(space).groups(policy), Plane(without).groups(policy), strict=True):
            assert one.tolist() == same.tolist()
        assert evaluate(space, policy) == evaluate(without, policy)
    assert space_of(["1", None], also={"a": [None]}).recode(np.array([0]))["a"].missing == "*"
    wide = space_of(["2", "4"], also={"a": ["3", None]}, observed_only=False)
    assert wide.domains[0].values == ("2", "3", "4", None)


# Recoding


@FEW
@given(cases(n_bits=9), st.data())
def test_recoded_records_are_those_that_the_value_maps_make(case: Case, data: st.DataObject) -> None:
    space = case.space()
    policy = np.array(data.draw(st.lists(st.booleans(), min_size=space.n_bits, max_size=space.n_bits)), dtype=bool)
    maps = space.recode(policy)
    frame = pd.DataFrame(case.rows, columns=list(case.names), dtype=object)
    for name, way in maps.items():
        known = frame[name].notna()
        frame.loc[known, name] = way.labels(frame.loc[known, name].tolist())
        frame.loc[~known, name] = way.missing
    by_maps = Counter(frame.where(frame.notna(), None).itertuples(index=False, name=None))
    recoded = space.recoded(policy)
    # The step's intervals at both ends are open, which changes what they are called and not who is in them.
    assert sorted(recoded.counts.tolist()) == sorted(by_maps.values())
    groups = Counter(case.box(policy, row) for row in case.rows)
    assert sorted(by_maps.values()) == sorted(groups.values()) == sorted(Plane(space).groups(policy)[0].tolist())
    assert set(maps) == {name for j, name in enumerate(case.names) if not space.bits_of(policy, j).all()}


def test_keys_tell_spaces_apart() -> None:
    people = column(["1", "2", "3", "3"])
    spaces = [
        space_of(["1", "3"]), space_of(["1", "3", "3"]), space_of(["1", "3"], population=people),
        space_of(["1", "3"], order={"a": ["3", "1"]}), space_of(["1", "3"], population=people, observed_only=False),
    ]  # fmt: skip
    assert len({space.key for space in spaces}) == len(spaces)
    assert space_of(["3", "1"]).key == spaces[0].key


# Safe Harbor


def test_ages_of_90_and_more_are_one_group() -> None:
    space = space_of(["9", "88", "89", "90", "101", None])
    policy = space.safe_harbor(age="a")
    assert policy.tolist() == bits_of_groups(space, [["9"], ["88"], ["89"], ["90", "101"], [None]]).tolist()
    assert space.describe(policy) == {"a": "[9][88][89][90-101][(missing)]"}
    assert space_of(["89", "89.5"]).safe_harbor(age="a").tolist() == [True]


def test_postcodes_keep_three_digits_and_sparse_areas_are_one_group() -> None:
    zips = ["03601", "10001", "10002", "10101", "20301", "20302", "99901", None]
    with refused("order-splits-groups", "a"):
        space_of(zips).safe_harbor(zip_code="a")
    space = space_of(zips, order={"a": safe_harbor_order(zips)})
    groups: list[list[str | None]] = [
        ["03601", "20301", "20302"], ["10001", "10002"], ["10101"], ["99901"], [None],
    ]  # fmt: skip
    assert space.safe_harbor(zip_code="a").tolist() == bits_of_groups(space, groups).tolist()
    none = space.safe_harbor(zip_code="a", sparse=())
    assert space.describe(none) == {"a": "[03601][20301-20302][10001-10002][10101][99901][(missing)]"}


def test_what_is_sparse_is_counted_in_the_population() -> None:
    people = ClassTable.from_frame(
        pd.DataFrame({"a": ["10001", "10002", "20001", None], "n": [10_000, 10_000, 20_001, 5]}), ["a"], weights="n"
    )
    assert sparse_zip3(people, "a") == {"100"}
    assert sparse_zip3(None, "a") == sparse_zip3(people, "b") == SPARSE_ZIP3
    space = space_of(["10001", "10002", "20001", "20002"], population=with_records(people, column(["20002"])))
    assert space.safe_harbor(zip_code="a").tolist() == [False, True, False]
    assert len(SPARSE_ZIP3) == 17 and all(len(area) == 3 for area in SPARSE_ZIP3)


def test_texts_among_postcodes_stay_and_are_not_cut_to_three_letters() -> None:
    zips = ["10001", "10002", "unk", "unknown", "unknown place", None]
    space = space_of(zips)
    for sparse in ((), ("100", "unk")):
        policy = space.safe_harbor(zip_code="a", sparse=sparse)
        assert space.describe(policy) == {"a": "[10001-10002][unk][unknown][unknown place][(missing)]"}
    with pytest.raises(InputError, match=r"^1 value of “a” cannot be read as ZIP codes"):
        space_of([*zips, "1000"]).safe_harbor(zip_code="a")


def test_an_order_that_parts_a_group_is_refused_with_one_that_does_not() -> None:
    ages = ["30", "unknown", "95", "91", "refused", "45"]
    with refused("order-splits-groups", "a"):
        space_of(ages, order={"a": ["91", "unknown", "95", "30", "45", "refused"]}).safe_harbor(age="a")
    by_number = space_of(ages, order={"a": sorted(ages, key=lambda age: place_on_a_scale(age) or (np.inf, 0))})
    assert by_number.describe(by_number.safe_harbor(age="a"))["a"].startswith("[30][45][91-95][")


def test_dates_keep_their_year() -> None:
    space = space_of(["2023-12-31", "2024-01-01", "2024-05-05", "2025-01-01", None])
    assert space.safe_harbor(dates=["a"]).tolist() == [True, False, True, True]
    slashed = space_of(["31/12/2023", "01/01/2024", "05/05/2024"])
    assert slashed.safe_harbor(dates=["a"]).tolist() == [True, False]


def test_years_and_words_are_left_but_what_may_be_an_age_or_a_date_is_not_guessed() -> None:
    years = space_of(["2023", "2024", "unknown"])
    assert years.safe_harbor(dates=["a"]).all()
    ages = space_of([*map(str, range(80, 95)), "unknown"])
    assert ages.describe(ages.safe_harbor(age="a"))["a"].endswith("[89][90-94][unknown]")
    with pytest.raises(InputError, match=r"^1 value of “a” cannot be read as ages"):
        space_of([*map(str, range(80, 95)), "about 95"]).safe_harbor(age="a")
    with pytest.raises(InputError, match=r"^2 values of “a” cannot be read as dates"):
        space_of(["spring 2024", "2023-2024", "2024-05-01"]).safe_harbor(dates=["a"])


def test_ranges_of_ages_and_months_are_grouped_as_the_rule_has_it() -> None:
    def safe_harbor(values: list[str], **which: object) -> str:
        space = space_of(values)
        return space.describe(space.safe_harbor(**which))["a"]  # type: ignore[arg-type]

    assert safe_harbor([*map(str, range(88, 95)), "95+"], age="a") == "[88][89][90+]"
    tens = ["[70-80)", "[80-90)", "[90-100)", "[100-110)"]
    assert safe_harbor(tens, age="a") == "[70-80)[80-90)[90-110)"
    assert safe_harbor(["75-84", "85-94", "95+"], age="a") == "[75-84][85+]"
    assert safe_harbor(["2019-Q3", "2019-Q4", "2020-Q1"], dates=["a"]) == "[2019-Q3 to 2019-Q4][2020-Q1]"


def test_other_attributes_stay_as_they_are() -> None:
    space = PolicySpace(table([("95", "x"), ("96", "y")], ("age", "sex")))
    assert space.safe_harbor(age="age").tolist() == [False, True]
    with refused("column-unknown", "zip"):
        space.safe_harbor(zip_code="zip")


def test_safe_harbor_on_the_adult_data_of_tennessee(tennessee) -> None:
    space = tennessee()
    assert space.n_bits == 738
    assert len(space.domains[space.attributes.index("zip")]) == 622
    (risk,), (loss,) = evaluate(space, space.safe_harbor(age="age", zip_code="zip"))
    assert (round(risk, 4), round(loss, 4)) == (0.0765, 0.3686)
    plane = Plane(space)
    nats = (plane.sums(space.top)[1] - plane.sums(space.bottom)[1]) / space.n_records
    assert round(nats, 3) == 3.989

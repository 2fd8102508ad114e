"""Information loss against its definition record by record, the paper's Tables 2 and 8, and bad input."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import combinations
from math import inf, log2, nan
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from anonlib.analyses.leakage import LeakageTable, compare_leakage, estimated_seconds, information_loss
from anonlib.analyses.leakage import loss as loss_module
from anonlib.basics.errors import InputError
from anonlib.counting.classes import ClassTable
from tests.reference.individuals import tables
from tests.reference.leakage import class_table, entropy, reference

SAMPLES = Path(__file__).resolve().parents[4] / "data" / "samples"
WEIGHT_LOSS = ["sex", "alcohol_consumption", "age", "zip", "weight", "race"]
ADULT_NINE = [
    "sex", "age", "race", "marital_status", "education", "native_country", "workclass", "occupation", "salary",
]  # fmt: skip


# --- the definition, slowly -----------------------------------------------------------------------------------------


def check(table: LeakageTable, rows: Sequence[tuple], p: Sequence[float], k: int) -> None:
    frame = table.to_frame()
    for i, names in enumerate(table.sets):
        expected = reference(rows, p, [table.attributes.index(name) for name in names], k)
        for name, value in expected.items():
            assert frame[name][i] == pytest.approx(value, abs=1e-9), (names, name)


@given(tables(columns=(1, 4), rows=(1, 10)), st.integers(1, 4), st.integers(1, 4))
def test_every_set_is_measured_as_defined(table, max_size, k):
    """Missing values are values; sets come by size and each once."""
    names, rows = table
    found = information_loss(class_table(table), max_size=max_size, k=k)
    check(found, rows, [1 / len(rows)] * len(rows), k)
    expected = [one for size in range(1, max_size + 1) for one in combinations(names, size)]
    assert list(found.sets) == expected
    assert found.entropy == found.highest == log2(len(rows)) and found.n_records == len(rows)


@given(tables(columns=(1, 3), rows=(1, 7)), st.data())
def test_a_weight_is_so_many_records(table, data):
    rows = table[1]
    weights = data.draw(st.lists(st.integers(1, 6), min_size=len(rows), max_size=len(rows)))
    repeated = [row for row, weight in zip(rows, weights, strict=True) for _ in range(weight)]
    found = information_loss(class_table(table, weights=weights), max_size=3, k=3)
    check(found, repeated, [1 / len(repeated)] * len(repeated), 3)


@given(tables(columns=(1, 3), rows=(1, 8)), st.data())
def test_any_probabilities_are_taken_as_defined(table, data):
    """Per class of the table: scaled to sum 1, shared equally among the class's records."""
    classes = class_table(table)
    mass = data.draw(
        st.lists(st.sampled_from([0, 0.1, 1, 2.5, 40]), min_size=classes.n_classes, max_size=classes.n_classes).filter(
            any
        )
    )
    assert classes.class_of_record is not None
    share = np.array(mass) / sum(mass) / classes.counts
    p = share[classes.class_of_record].tolist()
    found = information_loss(classes, max_size=3, probabilities=mass, k=2)
    check(found, table[1], p, 2)
    assert found.entropy == pytest.approx(entropy(p), abs=1e-12)


@given(tables(columns=(1, 4), rows=(1, 9)), st.sampled_from([1.0, 7, 1e-300, 1e300]))
def test_equal_probabilities_change_nothing_whatever_their_sum(table, factor):
    classes = class_table(table)
    plain = information_loss(classes, max_size=2).to_frame()
    same = information_loss(classes, max_size=2, probabilities=classes.counts / classes.counts.max() * factor)
    pd.testing.assert_frame_equal(plain, same.to_frame(), rtol=0, atol=1e-12)


def test_the_loss_by_hand():
    """Two women and six men, four of whom are of a rare age: bits of 8 records that one can count on fingers."""
    rows = [("F", "30"), ("F", "30"), *[("M", "30")] * 2, *[("M", "40")] * 4]
    found = information_loss(class_table((["sex", "age"], rows)), max_size=2, k=3)
    assert found.sets == (("sex",), ("age",), ("sex", "age"))
    assert found.loss.tolist() == pytest.approx([2 / 8 * 2 + 6 / 8 * log2(8 / 6), 1.0, 1.5])
    assert found.worst.tolist() == [2.0, 1.0, 2.0] and found.partitions.tolist() == [2, 2, 3]
    assert found.smallest.tolist() == [2, 4, 2] and found.below_k.tolist() == [2, 0, 4]
    assert found.normalized[2] == 0.5 and found.worst_normalized[0] == pytest.approx(2 / 3)


def test_filling_rare_groups_raises_the_average_and_lowers_the_worst():
    """Why the average alone points the wrong way: nobody is alone any more, and the average is higher."""
    alone = information_loss(class_table((["a"], [("x",)] * 31 + [("y",)])))
    filled = information_loss(class_table((["a"], [("x",)] * 16 + [("y",)] * 16)))
    assert filled.normalized[0] > alone.normalized[0]
    assert filled.worst[0] < alone.worst[0] and filled.below_k[0] < alone.below_k[0]


# --- published numbers ----------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def profiles() -> LeakageTable:
    frame = pd.read_csv(SAMPLES / "weight_loss.csv", dtype=str)
    return information_loss(ClassTable.from_frame(frame, WEIGHT_LOSS), max_size=3)


def test_table_2(profiles):
    """Within 0.01 of what is printed (the paper cuts off), and its own numbers to four digits."""
    printed = [(2, 0.99, 0.16), (4, 1.86, 0.31), (13, 3.55, 0.60), (8, 2.75, 0.46), (5, 2.24, 0.38), (6, 2.52, 0.42)]
    exact = [
        (0.9928, 0.1681), (1.8616, 0.3152), (3.5581, 0.6024), (2.7574, 0.4668), (2.2428, 0.3797), (2.5224, 0.4270),
    ]  # fmt: skip
    assert profiles.n_records == 60 and profiles.entropy == log2(60)
    for name, (partitions, bits, share), digits in zip(WEIGHT_LOSS, printed, exact, strict=True):
        i = profiles.place([name])
        assert profiles.partitions[i] == partitions
        assert abs(profiles.loss[i] - bits) < 0.01 and abs(profiles.normalized[i] - share) < 0.01
        assert (round(profiles.loss[i], 4), round(profiles.normalized[i], 4)) == digits


def test_the_loss_of_sex_step_by_step(profiles):
    """Section 3.1: 5.9 bits to lose; a woman is one of 27 (4.75 bits left), a man one of 33 (5): .99, .16 of all."""
    to_lose, woman, man = log2(60), log2(27), log2(33)
    printed = (5.9, 4.75, 5)  # cut off, as .99 and .16
    assert all(0 <= bits - cut < 0.1 for bits, cut in zip((to_lose, woman, man), printed, strict=True))
    i = profiles.place(["sex"])
    assert profiles.loss[i] == pytest.approx(27 / 60 * (to_lose - woman) + 33 / 60 * (to_lose - man))
    assert 0 <= profiles.loss[i] - 0.99 < 0.01 and 0 <= profiles.normalized[i] - 0.16 < 0.01


def test_the_leakiest_combinations_of_table_1(profiles):
    sets = [profiles.sets[i] for i in profiles.ranked()]
    pairs = [one for one in sets if len(one) == 2]
    assert [set(pair) for pair in pairs[:2]] == [{"alcohol_consumption", "age"}, {"zip", "weight"}]
    assert next(one for one in sets if len(one) == 3) == ("alcohol_consumption", "age", "zip")
    shares = [profiles.normalized[profiles.place(one)] for one in (*pairs[:2], ["zip", "age", "alcohol_consumption"])]
    assert [round(float(share), 4) for share in shares] == [0.6855, 0.6594, 0.7237]


HEART = ["age", "zip", "smoker", "sex", "chol", "bs"]


def test_table_8(shared_data: Callable[[str], Path]):
    """Before, and after the release of <{Age, Zip}, 5>: one age, the first digit of the ZIP code."""
    frame = pd.read_csv(shared_data("heart_cleveland.csv"), dtype=str)
    before = information_loss(ClassTable.from_frame(frame, HEART))
    after = information_loss(ClassTable.from_frame(frame.assign(age="any", zip=frame["zip"].str[:1]), HEART))
    found = compare_leakage(before, after)
    for share, printed in zip(found.normalized_before, [0.61, 0.99, 0.12, 0.11, 0.85, 0.07], strict=True):
        assert abs(share - printed) < 0.01
    for share, printed in zip(found.normalized_after, [0, 0.40, 0.12, 0.11, 0.85, 0.07], strict=True):
        assert abs(share - printed) < 0.01
    assert found.fates == ("utility gone", "", "", "", "", "")


def test_adult(shared_data: Callable[[str], Path]):
    """All 129 sets of up to three of the papers' nine variables, against pandas' own grouping."""
    frame = pd.read_csv(shared_data("adult.csv"), dtype=str, na_values="?", keep_default_na=False).dropna()[ADULT_NINE]
    found = information_loss(ClassTable.from_frame(frame), max_size=3)
    assert len(found.sets) == 9 + 36 + 84 and found.n_records == 30_162
    for names in found.sets[::16]:
        sizes = frame.groupby(list(names), observed=True).size().to_numpy()
        i = found.place(names)
        assert found.loss[i] == pytest.approx(entropy(sizes / sizes.sum()), rel=1e-12)
        assert found.worst[i] == pytest.approx(log2(30_162 / sizes.min()), rel=1e-12)
        assert (found.partitions[i], found.smallest[i]) == (len(sizes), sizes.min())
        assert found.below_k[i] == sizes[sizes < 5].sum()


# --- properties -----------------------------------------------------------------------------------------------------


@given(tables(columns=(2, 4), rows=(1, 12)), st.booleans(), st.data())
def test_losses_lie_in_their_range_grow_with_the_set_and_never_more_than_add_up(table, uniform, data):
    classes = class_table(table)
    weights = st.lists(st.floats(0, 10), min_size=classes.n_classes, max_size=classes.n_classes)
    mass = None if uniform else data.draw(weights.filter(lambda one: sum(one) > 1e-3))
    found = information_loss(classes, max_size=4, probabilities=mass)
    assert ((found.normalized >= 0) & (found.normalized <= 1)).all()
    assert ((found.worst_normalized >= 0) & (found.worst_normalized <= 1)).all()
    assert (found.loss <= found.worst).all() and (found.worst <= found.highest).all()
    if uniform:
        assert ((found.worst_normalized == 1) == ((found.smallest == 1) & (found.n_records > 1))).all()
        assert ((found.loss == 0) == ((found.partitions == 1) | (found.n_records == 1))).all()
    for one in found.sets:
        for other in found.sets:
            i, j = found.place(one), found.place(other)
            union = found.place(tuple({*one, *other}))
            assert found.loss[union] <= found.loss[i] + found.loss[j] + 1e-9
            if set(one) <= set(other):
                assert found.loss[i] <= found.loss[j] + 1e-9 and found.worst[i] <= found.worst[j] + 1e-9
                assert found.smallest[i] >= found.smallest[j] and found.below_k[i] <= found.below_k[j]


@given(tables(columns=(2, 4), rows=(1, 9)), st.data())
def test_sets_that_are_given_are_measured_in_their_order(table, data):
    names, _ = table
    one_set = st.lists(st.sampled_from(names), min_size=1, max_size=len(names), unique=True)
    sets = data.draw(st.lists(st.one_of(one_set, st.sampled_from(names)), min_size=1, max_size=5))
    classes = class_table(table)
    every, given_ones = information_loss(classes, max_size=len(names)), information_loss(classes, sets)
    asked = [[one] if isinstance(one, str) else one for one in sets]
    assert [set(one) for one in given_ones.sets] == [set(one) for one in asked] and given_ones.max_size is None
    for i, one in enumerate(asked):
        j = every.place(one)
        assert given_ones.loss[i] == pytest.approx(every.loss[j], abs=1e-12)
        assert given_ones.partitions[i] == every.partitions[j]


def test_ranked_is_by_loss_and_of_equal_averages_the_worse_worst_person_comes_first_and_then_fewer_attributes():
    """Groups of 1, 1, 1, 1 and 4 say as much on average as four groups of 2, and leave someone alone."""
    rows = [("p", "a", "z"), ("p", "b", "z"), ("q", "c", "z"), ("q", "d", "z"), *[("r", "e", "z")] * 2]
    rows += [("s", "e", "z")] * 2
    found = information_loss(class_table((["twos", "ones", "none"], rows)), max_size=2)
    assert found.loss[0] == found.loss[1] == 2.0 and found.worst[0] < found.worst[1]
    ranked = [found.sets[i] for i in found.ranked()]
    assert ranked == [("twos", "ones"), ("ones",), ("ones", "none"), ("twos",), ("twos", "none"), ("none",)]
    assert (np.diff(found.loss[found.ranked()]) <= 0).all()


def test_at_most_is_what_smaller_sets_alone_give():
    classes = class_table((["a", "b", "c"], [("x", "1", "p"), ("y", "1", "p"), ("y", "2", "q")]))
    whole = information_loss(classes, max_size=3)
    for size in (1, 2, 3, 9):
        smaller = whole.at_most(size)
        assert smaller.max_size == min(size, 3)
        pd.testing.assert_frame_equal(smaller.to_frame(), information_loss(classes, max_size=size).to_frame())
    given_ones = information_loss(classes, [["a", "b"], ["c"]]).at_most(1)
    assert given_ones.sets == (("c",),) and given_ones.max_size is None


def test_who_all_share_a_value_lose_exactly_nothing():
    for n in range(1, 400):
        found = information_loss(class_table((["a", "b"], [("x", "1"), ("x", "2")]), weights=[n, 7]))
        assert found.loss[0] == found.worst[0] == 0
    for n in range(2, 60):
        classes = class_table((["a", "b"], [("x", str(i)) for i in range(n)]))
        found = information_loss(classes, probabilities=np.linspace(0.1, 0.7, n))
        assert found.loss[0] == found.worst[0] == 0


def test_one_record_a_point_mass_and_no_record_have_nothing_to_lose():
    one = information_loss(class_table((["a", "b"], [("x", "y")])), max_size=2)
    assert one.entropy == 0 and not one.loss.any() and not one.normalized.any() and not one.worst_normalized.any()
    assert one.smallest.tolist() == [1, 1, 1] and one.below_k.tolist() == [1, 1, 1]
    classes = class_table((["a"], [("x",), ("y",)]))
    point = information_loss(classes, probabilities=[0, 3])
    assert point.entropy == point.highest == 0 and point.normalized[0] == point.worst_normalized[0] == 0
    assert point.partitions[0] == 2
    nobody = information_loss(class_table((["a"], [])))
    assert nobody.n_records == 0 and nobody.to_frame().iloc[0, 1:].tolist() == [1, 0, 0, 0, 0, 0, 0, 0]


def test_the_least_probability_there_is_has_finite_bits():
    classes = class_table((["a"], [("x",), ("y",), ("y",)]))
    table = information_loss(classes, probabilities=[1.0, 5e-324])
    assert table.worst.tolist() == [1074.0] and table.worst_normalized.tolist() == [1074 / 1075]
    assert table.normalized[0] == pytest.approx(1074 / 1075, abs=1e-3) and table.loss[0] > 0


def test_progress_is_reported_and_can_stop_the_work():
    classes = class_table((["a", "b", "c"], [("x", "y", "z"), ("x", "w", "v")]))
    reports: list[float] = []
    information_loss(classes, max_size=2, progress=reports.append)
    assert reports[-1] == 1 and len(reports) == 6 and reports == sorted(reports)

    def stop(share: float) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        information_loss(classes, max_size=2, progress=stop)


# --- bad input ------------------------------------------------------------------------------------------------------


TWO = class_table((["a", "b"], [("x", "1"), ("y", "1"), ("y", "2")]))


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"sets": []}, "at least one set"),
        ({"sets": "a"}, "list of lists"),
        ({"sets": [["a"], []]}, "set of columns is empty"),
        ({"sets": [["c"]]}, "no column named “c”"),
        ({"sets": [["a", "a"]]}, "named twice"),
        ({"max_size": 0}, "max_size must be a whole number, 1 or more"),
        ({"max_size": 1.5}, "max_size"),
        ({"k": 0}, "k must be a whole number"),
        ({"probabilities": [1, 2]}, "one number for each class of the table: 3"),
        ({"probabilities": [[1, 2, 3]]}, "one number for each class of the table: 3"),
        ({"probabilities": [1, -1, 1]}, "that of class 2 is not"),
        ({"probabilities": [1, 1, nan]}, "that of class 3 is not"),
        ({"probabilities": [inf, 1, 1]}, "that of class 1 is not"),
        ({"probabilities": [0, 0, 0]}, "are all 0"),
        ({"probabilities": ["much", "little", "none"]}, "must be numbers"),
    ],
)
def test_bad_input_is_stated_in_a_sentence(arguments, message):
    with pytest.raises(InputError, match=message):
        information_loss(TWO, **arguments)


def test_too_many_sets_are_refused_before_they_are_counted(monkeypatch):
    monkeypatch.setattr(loss_module, "MOST_SETS", 2)
    with pytest.raises(InputError, match=r"2 columns have 3 combinations of up to 2"):
        information_loss(TWO, max_size=2)
    assert estimated_seconds(TWO, 2) == inf
    assert len(information_loss(TWO).sets) == 2 and estimated_seconds(TWO, 1) < 1

"""What must survive: against slow counting of random releases, and what holds of any."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from anonlib.analyses.utility import predict
from anonlib.analyses.utility.associations import cramers_v
from anonlib.analyses.utility.purposes import (
    GroupMeans,
    Learnt,
    MeanByGroup,
    Model,
    SharedTables,
    Together,
    UsefulColumns,
    in_a_sentence,
    kept,
    named_by,
    named_columns,
    purpose_from_dict,
)
from anonlib.basics.errors import InputError
from anonlib.dataset import Dataset
from tests.helpers.examples import settings
from tests.helpers.small_release import QI, column
from tests.reference.utility import released_of

BLANK = (None, "*")
MIDDLES = {"1": 1.0, "2": 2.0, "8": 8.0, "1-2": 1.5, "2-8": 5.0}
TOGETHER, MEAN = Together("g", "x"), MeanByGroup("x", "g")
PURPOSES = (Model("y", ("g", "x")), TOGETHER, MEAN)


def dataset_of(**cells: list) -> Dataset:
    frame = pd.DataFrame({name: pd.Series(values, dtype=object) for name, values in cells.items()})
    return Dataset.from_frame(frame, roles=dict.fromkeys(cells, QI))


@st.composite
def releases(draw) -> tuple[Dataset, Dataset]:
    """A few records with a group and a number, of which some are left, with truthful labels of any level in both."""
    n = draw(st.integers(2, 14))
    group = draw(st.lists(st.sampled_from(["a", "b", "c", None]), min_size=n, max_size=n))
    number = draw(st.lists(st.sampled_from(["1", "2", "8", None]), min_size=n, max_size=n))
    stays = draw(st.lists(st.booleans(), min_size=n, max_size=n).filter(any))
    coarser = {"a": ["a", "ab", "*", None], "b": ["b", "ab", "*"], "c": ["c", "c", None], None: [None]}
    wider = {"1": ["1", "1-2", None], "2": ["2", "1-2", "2-8", "*"], "8": ["8", "2-8"], None: [None]}
    labels = {
        "g": [draw(st.sampled_from(coarser[each])) for each, stay in zip(group, stays, strict=True) if stay],
        "x": [draw(st.sampled_from(wider[each])) for each, stay in zip(number, stays, strict=True) if stay],
    }
    original = dataset_of(g=group, x=number)
    return original, released_of(original, stays, labels)


def pairs_of(dataset: Dataset) -> list[tuple]:
    return list(zip(column(dataset, "g"), column(dataset, "x"), strict=True))


@settings(max_examples=150)
@given(releases())
def test_means_by_group_are_those_counted_record_by_record(both):
    original, released = both
    (found,) = kept([MEAN], original, released)
    before, after = pairs_of(original), pairs_of(released)
    complete = [(g, MIDDLES[x]) for g, x in before if g is not None and x is not None]
    labelled = [(g, MIDDLES[x]) for g, x in after if g not in BLANK and x not in BLANK]
    if not any(g not in BLANK for g, _ in after) or not any(x not in BLANK for _, x in after):
        assert found.share == 0 and found.detail is None
        return
    if not complete:
        assert found.share is None
        return
    label_mean = {label: np.mean([x for g, x in labelled if g == label]) for label, _ in labelled}
    overall = np.mean([x for _, x in complete])
    errors, spread, any_mean = 0.0, 0.0, False
    rows = original.rows_of(released).tolist()
    assert isinstance(found.detail, GroupMeans)
    for group, n in Counter(g for g, _ in complete).items():
        mine = [after[i][0] for i, row in enumerate(rows) if before[row][0] == group]
        means = [label_mean[label] for label in mine if label in label_mean]
        mean = np.mean([x for g, x in complete if g == group])
        place = found.detail.groups.index(group)
        assert found.detail.records[place] == n
        assert found.detail.before[place] == pytest.approx(mean)
        any_mean = any_mean or bool(means)
        read = np.mean(means) if means else overall
        assert found.detail.after[place] == pytest.approx(np.mean(means) if means else np.nan, nan_ok=True)
        errors, spread = errors + n * abs(read - mean), spread + n * abs(mean - overall)
    if not any_mean:
        assert found.share == 0
    elif spread > 1e-9:
        assert found.share == pytest.approx(max(0.0, 1 - errors / spread), abs=1e-9)


@settings(max_examples=150)
@given(releases())
def test_named_columns_keep_what_counting_bits_record_by_record_gives(both):
    original, released = both
    (found,) = kept([UsefulColumns(("g", "x"))], original, released)
    rows, shares = original.rows_of(released).tolist(), {}
    for place, name in enumerate(("g", "x")):
        before, after = ([pair[place] for pair in pairs_of(each)] for each in both)
        most = sum(np.log2(len(before) / before.count(value)) for value in before)
        lost = sum(np.log2(len(before) / before.count(before[row])) for row in range(len(before)) if row not in rows)
        together = list(zip([before[row] for row in rows], after, strict=True))
        lost += sum(np.log2(after.count(label) / together.count((value, label))) for value, label in together)
        shares[name] = max(0.0, 1 - lost / most) if most else 1.0
    assert dict(named_columns(["g", "x"], original, released).shares) == pytest.approx(shares, abs=1e-9)
    assert found.share == pytest.approx(np.mean(list(shares.values())), abs=1e-9)
    kept_half = sum(share >= 0.5 for share in shares.values())
    assert f"half of their entropy: {kept_half} of 2" in found.sentence or min(
        abs(share - 0.5) for share in shares.values()
    ) < 1e-9  # fmt: skip


def test_what_is_named_is_a_sentence_for_the_case_and_names_every_column():
    assert in_a_sentence([]) == "" and named_by(PURPOSES) == ("y", "g", "x")
    columns = UsefulColumns(("a", "b", "c", "d", "e", "f", "a"))
    assert columns.names == tuple("abcdef") and columns.title == "Use of “a”, “b”, “c”, “d”, “e” and “f”"
    assert in_a_sentence([columns, MEAN]) == (
        "The data are needed to analyse “a”, “b”, “c”, “d”, “e” and “f” and to compare the mean of “x” between groups "
        "of “g”."
    )
    assert columns.on(["b", "z"]) == UsefulColumns(("b",)) and columns.on(["z"]) is None
    with pytest.raises(InputError):
        UsefulColumns(())
    with pytest.raises(InputError):
        purpose_from_dict({"kind": "columns", "names": "a"})


@settings(max_examples=150)
@given(releases())
def test_tables_share_each_label_out_over_the_values_it_stands_for(both):
    original, released = both
    (found,) = kept([TOGETHER], original, released)
    if not isinstance(found.detail, SharedTables):
        assert found.share == 0
        return
    before, after, rows = pairs_of(original), pairs_of(released), original.rows_of(released).tolist()
    tables = found.detail
    shared = np.zeros((len(tables.rows), len(tables.across)))
    stands_for: tuple[dict, dict] = ({}, {})
    for i, row in enumerate(rows):
        for j in range(2):
            if after[i][j] not in BLANK and before[row][j] is not None:
                stands_for[j].setdefault(after[i][j], Counter())[before[row][j]] += 1
    for pair in after:
        if pair[0] in BLANK or pair[1] in BLANK:
            continue
        one, other = (stands_for[j][pair[j]] for j in range(2))
        for a, n in one.items():
            for b, m in other.items():
                part = n / one.total() * m / other.total()
                shared[tables.rows.index(a), tables.across.index(b)] += part
    assert tables.after == pytest.approx(shared)
    plain = Counter(pair for pair in before if None not in pair)
    for (a, b), n in plain.items():
        assert tables.before[tables.rows.index(a), tables.across.index(b)] == n
    assert tables.before.sum() == plain.total()
    assert tables.strength_after == pytest.approx(cramers_v(shared), abs=1e-9)
    assert 0 <= found.share <= 1


def a_file(n: int = 240, seed: int = 3) -> Dataset:
    """Records of which a number and a group say something about a third column."""
    rng = np.random.default_rng(seed)
    group = rng.integers(0, 3, n)
    number = group * 10 + rng.integers(0, 15, n)
    answer = np.where(number + rng.integers(-6, 7, n) > 17, "yes", "no")
    return dataset_of(g=[f"g{each}" for each in group], x=[str(each) for each in number], y=answer.tolist())


def test_the_original_itself_keeps_everything():
    original = a_file()
    found = kept(PURPOSES, original, original.with_records(np.ones(240, dtype=bool), " all"))
    assert [each.share for each in found] == pytest.approx([1, 1, 1])
    assert all(each.original == pytest.approx(each.release) for each in found)
    assert not [each for each in found if "g0" in each.sentence or "yes" in each.sentence], "sentences hold no cell"


@pytest.mark.parametrize("blank", ["*", None])
def test_nothing_is_kept_where_all_is_blank(blank):
    original = a_file()
    everything = [True] * 240
    for columns in (("g", "x", "y"), ("g", "x"), ("y", "g"), ("x", "y")):
        released = released_of(original, everything, dict.fromkeys(columns, [blank] * 240))
        found = kept(PURPOSES, original, released)
        asked = [each for each in found if set(columns) >= {"g", "x"} or each.purpose is not PURPOSES[0]]
        assert all(each.share == 0 for each in asked), columns
    assert [each.share for each in kept(PURPOSES, original, original.without_columns(["x", "y", "g"]))] == [0, 0, 0]


def test_a_column_to_predict_from_that_is_gone_is_missed():
    original = a_file()
    model = Model("y", ("x", "g"))
    (without,) = kept([model], original, original.without_columns(["x"]))
    assert isinstance(without.detail, Learnt) and without.detail.gone == ("x",)
    assert without.share is not None and without.share < 0.95
    assert "“x”" in without.sentence


def test_a_model_learns_what_the_slower_measure_learns():
    original = a_file()
    released = released_of(
        original, [True] * 240, {"x": ["0-20" if int(each) < 20 else "20-44" for each in column(original, "x")]}
    )
    (found,) = kept([Model("y", ("x", "g"))], original, released)
    slower = predict(original, released, "y", ["x", "g"])
    boosting = {each.learnt_from: each.auc for each in slower.scores if each.model == "gradient boosting"}
    assert (found.original, found.release) == pytest.approx((boosting["original"], boosting["release"]))


def test_what_cannot_be_measured_is_not_called_kept():
    original = a_file()
    (no_numbers,) = kept([MeanByGroup("g", "y")], original, original)
    assert no_numbers.share is None and "no numbers" in no_numbers.sentence
    (too_many,) = kept([Model("x", ("g",))], original, original)
    assert too_many.share is None and "too many" in too_many.sentence
    (absent,) = kept([Together("g", "other")], original, original)
    assert absent.share is None and "no column" in absent.sentence


def test_a_stronger_link_than_there_is_keeps_less_than_all():
    original = dataset_of(g=["a", "a", "b", "b"] * 20, x=["u", "u", "u", "v"] * 20)
    released = released_of(original, [i % 4 != 2 for i in range(80)], {})
    (found,) = kept([Together("g", "x")], original, released)
    assert found.release > found.original
    assert found.share == pytest.approx(found.original / found.release)
    assert "closer link" in found.sentence


@pytest.mark.parametrize("purpose", PURPOSES)
def test_a_purpose_is_kept_as_plain_values(purpose):
    assert purpose_from_dict(purpose.to_dict()) == purpose
    assert purpose.on(("g", "x", "y")) == purpose
    assert purpose.on(("y",)) is None
    damaged = {name: value for name, value in purpose.to_dict().items() if name == "kind"}
    for wrong in (damaged, {"kind": "another"}, {"kind": ["model"]}, [], None):
        with pytest.raises(InputError):
            purpose_from_dict(wrong)


def test_a_model_goes_on_with_the_columns_that_there_are():
    assert Model("y", ("x", "g")).on(("y", "g")) == Model("y", ("g",))


@pytest.mark.parametrize(
    "make",
    [lambda: Model("y", ()), lambda: Model("y", ("y",)), lambda: Together("g", "g"), lambda: MeanByGroup("x", "x")],
)
def test_a_purpose_is_about_several_columns(make):
    with pytest.raises(InputError):
        make()

"""What a release keeps: against the definitions record by record, and against scipy's measures of association."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from anonlib.analyses.utility import Alongside, association, measure
from anonlib.analyses.utility import associations as associations_module
from anonlib.analyses.utility.associations import cramers_v, ranks_of
from anonlib.basics.errors import InputError
from anonlib.coarsening.recoding import Intervals, Mask
from anonlib.columns.roles import Role
from anonlib.dataset import Dataset
from anonlib.release.recipe import Recipe
from anonlib.release.steps import DropColumns, LeaveOut, Recode
from tests.helpers.errors import refused
from tests.helpers.examples import settings
from tests.helpers.small_release import QI, STEPS, column, small
from tests.reference import utility as reference

VALUES = st.sampled_from(["a", "b", "c", None])
LABELS = st.sampled_from(["a", "x", "y", "*", None])


@st.composite
def releases(draw) -> tuple[Dataset, Dataset]:
    """A few records, of which some are left, with any labels in one column, and another column as it was."""
    n = draw(st.integers(2, 12))
    cells = {name: draw(st.lists(VALUES, min_size=n, max_size=n)) for name in ("q", "r")}
    kept = draw(st.lists(st.booleans(), min_size=n, max_size=n).filter(any))
    left = sum(kept)
    labels = {"q": draw(st.lists(LABELS, min_size=left, max_size=left))}
    frame = pd.DataFrame({name: pd.Series(values, dtype=object) for name, values in cells.items()})
    original = Dataset.from_frame(frame, roles={"q": QI, "r": QI})
    return original, reference.released_of(original, kept, labels)


@settings(max_examples=120)
@given(releases())
def test_cells_distance_and_entropy_are_as_defined(both):
    original, released = both
    found = measure(original, released)
    rows = original.rows_of(released).tolist()
    assert found.rows_kept == len(rows) / original.n_records
    expected = {}
    for each in found.columns:
        before, after = column(original, each.column), column(released, each.column)
        expected[each.column] = before, after
        assert each.cells_kept == sum(before[row] == label for row, label in zip(rows, after, strict=True))
        assert each.distance == pytest.approx(float(reference.distance(before, rows, after)), abs=1e-12)
    assert found.cells_kept == sum(each.cells_kept for each in found.columns) / (2 * original.n_records)
    assert found.classes is not None
    assert found.classes.entropy_lost == pytest.approx(
        reference.entropy_lost([expected["q"], expected["r"]], rows), abs=1e-9
    )
    before, after = (pd.Series(list(zip(*pairs, strict=True))) for pairs in zip(*expected.values(), strict=True))
    sizes = pd.Series(map(str, after)).groupby(lambda i: str(after[i])).size()
    squares = int((sizes**2).sum()) + (len(before) - len(after)) * len(before)
    assert found.classes.discernibility_after == squares and found.classes.classes_after == len(sizes)
    assert found.classes.normalized_average == pytest.approx(len(after) / len(sizes) / 5)


@settings(max_examples=60)
@given(releases())
def test_an_unchanged_release_keeps_everything_and_says_so(both):
    original, _ = both
    found = measure(original, original)
    assert found.rows_kept == found.cells_kept == found.entropy_kept == found.association.kept == 1
    assert all(each.distance == 0 for each in found.columns)
    assert (found.association.difference == 0).all()
    assert found.classes is not None and found.classes.entropy_lost == 0
    assert found.sentences[:2] == (
        f"All {original.n_records} rows are in the release, so nobody is missing from an analysis.",
        "Every cell holds what it held in the original.",
    )


@settings(max_examples=100)
@given(st.lists(st.integers(0, 60), min_size=3, max_size=40), st.sampled_from([5.0, 20.0]))
def test_coarser_labels_alone_cost_entropy_and_no_distance(ages, width):
    data = Dataset.from_frame(pd.DataFrame({"age": [str(age) for age in ages]}), roles={"age": QI})
    released = Recipe.of([Recode("age", Intervals(width))]).apply(data).released
    (found,) = measure(data, released).columns
    assert found.distance == 0 and found.entropy_after <= found.entropy_before + 1e-12


def test_a_value_of_which_none_is_left_counts_for_the_label_that_it_would_have():
    """Half are 31, of which none is left; their label 30-39 is still there: the shares did not move."""
    data = Dataset.from_frame(pd.DataFrame({"age": ["31", "38"] * 4, "zip": ["02138", "02139"] * 4}))
    recipe = Recipe.of([Recode("age", Intervals(10)), Recode("zip", Mask(3))])
    released = recipe.apply(data).released.with_records(np.array([False, True] * 4), " half")
    assert [each.distance for each in measure(data, released).columns] == [0, 0]


def test_a_blank_cell_among_others_of_its_value_counts_as_left_out():
    data = Dataset.from_frame(pd.DataFrame({"sex": ["F"] * 6 + ["M"] * 4}))
    some = reference.released_of(data, [True] * 10, {"sex": ["F"] * 5 + ["*"] + ["M"] * 4})
    assert measure(data, some).columns[0].distance == pytest.approx(0.1)
    none = reference.released_of(data, [True] * 10, {"sex": ["*"] * 10})
    assert measure(data, none).columns[0].distance == 0, "all alike is only coarse"


# ---- association -----------------------------------------------------------------------------------------------------


@settings(max_examples=100)
@given(st.lists(st.tuples(VALUES, VALUES), min_size=2, max_size=30))
def test_cramers_v_is_as_defined(pairs):
    data = Dataset.from_frame(pd.DataFrame(pairs, columns=["a", "b"], dtype=object))
    found = association(Alongside.of(data, data))
    one, other = ([pair[i] for pair in pairs] for i in (0, 1))
    assert found.before[0, 1] ** 2 == pytest.approx(reference.cramers_v(one, other) ** 2, abs=1e-9)
    assert not found.ranked.any()


def test_without_the_correction_it_is_the_v_of_scipy():
    rng = np.random.default_rng(4)
    for _ in range(20):
        table = rng.integers(1, 40, (int(rng.integers(2, 6)), int(rng.integers(2, 6))))
        n, (r, c) = table.sum(), table.shape
        biased = stats.contingency.association(table, method="cramer")
        phi2 = max(0.0, biased**2 * (min(r, c) - 1) - (r - 1) * (c - 1) / (n - 1))
        room = min(r - (r - 1) ** 2 / (n - 1), c - (c - 1) ** 2 / (n - 1)) - 1
        assert cramers_v(table) == pytest.approx(np.sqrt(phi2 / room))
    assert cramers_v(np.diag([50, 50, 50])) == pytest.approx(1) and cramers_v(np.full((3, 3), 20)) == 0


@settings(max_examples=150)
@given(st.lists(st.tuples(*[st.integers(0, 9) | st.none()] * 2), min_size=3, max_size=40))
def test_numbers_go_by_spearmans_correlation_over_the_records_that_have_both(pairs):
    frame = pd.DataFrame([[None if v is None else str(v) for v in pair] for pair in pairs], columns=["a", "b"])
    data = Dataset.from_frame(frame.astype(object))
    found = association(Alongside.of(data, data))
    known = [pair for pair in pairs if None not in pair]
    if found.ranked[0, 1] and len({a for a, _ in known}) > 1 and len({b for _, b in known}) > 1:
        expected = stats.spearmanr(*zip(*known, strict=True)).statistic
        assert found.before[0, 1] == pytest.approx(abs(expected), abs=1e-9)
    numbers = np.array([np.nan if a is None else float(a) for a, _ in pairs])
    whole = numbers[~np.isnan(numbers)]
    assert ranks_of(whole) == pytest.approx(stats.rankdata(whole)) and np.isnan(ranks_of(numbers)).sum() == len(
        numbers
    ) - len(whole)


def numeric(n: int = 400) -> Dataset:
    rng = np.random.default_rng(7)
    age = rng.integers(20, 80, n)
    frame = pd.DataFrame({"age": age, "income": age * 10 + rng.integers(0, 99, n), "city": rng.integers(0, 4, n)})
    frame["city"] = "city " + frame["city"].astype(str)
    return Dataset.from_frame(frame.astype(str), roles=dict.fromkeys(frame.columns, QI))


def test_intervals_stand_at_their_middle_and_what_is_lost_is_named():
    data = numeric()
    applied = Recipe.of([Recode("age", Intervals(20)), DropColumns(("city",))]).apply(data)
    found = measure(data, applied.released).association
    assert found.ranked[0, 1] and 0.9 < found.after[0, 1] < found.before[0, 1]
    assert np.isnan(found.after[2]).all() and [pair.columns for pair in found.pairs()] == [("age", "income")]
    above = np.triu_indices(3, 1)
    assert found.kept == pytest.approx(found.after[0, 1] / found.before[above].sum())
    frame = found.to_frame()
    assert frame["difference"].tolist() == [found.after[0, 1] - found.before[0, 1]]
    sentences = " ".join(measure(data, applied.released).sentences)
    assert "“age” and “income”" in sentences and "Not released at all: “city”." in sentences


def test_at_most_so_many_columns_and_records_are_looked_at_and_the_rest_is_stated(monkeypatch):
    data = numeric()
    monkeypatch.setattr(associations_module, "MOST_RECORDS", 150)
    monkeypatch.setattr(associations_module, "MOST_COLUMNS", 2)
    found = measure(data, data, seed=3)
    assert found.association.columns == ("age", "income") and found.association.passed_over == ("city",)
    assert found.association.sampled and (found.association.difference == 0).all(), "the same records of both"
    assert found.association.before[0, 1] == measure(data, data, seed=3).association.before[0, 1]
    assert found.association.before[0, 1] != measure(data, data, seed=4).association.before[0, 1]
    message = next(figure.sentence for figure in found.figures if figure.key == "association_kept")
    assert "beyond 2 columns: “city”" in message and "sample" in message


# ---- as a whole ------------------------------------------------------------------------------------------------------


def test_the_small_release_in_numbers_and_in_words():
    data = small()
    released = Recipe.of(STEPS).apply(data).released
    found = measure(data, released, k=2)
    frame = found.to_frame()
    assert frame["column"].tolist() == ["age", "zip", "visit", "illness"]
    assert frame["cells_kept"].tolist() == [0, 0, 0, pytest.approx(3 / 6)]
    assert frame["distance"].isna().tolist() == [False, False, True, False]
    assert found.farthest is not None and found.farthest.distance == frame["distance"].max()
    assert [figure.key for figure in found.figures] == [
        "records_kept", "cells_kept", "information_kept", "largest_distance", "association_kept",
        "average_class_size",
    ]  # fmt: skip
    assert found.sentences == tuple(figure.sentence for figure in found.figures)
    message = " ".join(found.sentences)
    assert not [cell for cell in ("Ann", "flu", "cancer", "asthma") if cell in message], "no cell"


def test_of_a_column_that_is_all_blank_no_share_is_stated_to_be_wrong():
    """One value is left out and the other cells are missing or *: the distance is none of shares that can be read."""
    frame = pd.DataFrame({"zip": ["1", "2", None, None, "3", "3"], "age": list("aaaabb")})
    data = Dataset.from_frame(frame, roles={"zip": QI, "age": QI})
    stars = Recipe.of([Recode("zip", Mask(0))])
    released = stars.apply(data).released.with_records(np.array([True, True, True, True, False, True]), " less")
    found = measure(data, released)
    zips, ages = found.columns
    assert zips.is_blank and not ages.is_blank and found.farthest == ages
    message = next(figure.sentence for figure in found.figures if figure.key == "largest_distance")
    assert "moved most in “age”" in message and message.endswith(
        "Nothing can be read off “zip”, of which every cell is blank or *."
    )
    alone = measure(
        data.with_roles({"zip": QI}), Recipe.of([Recode("zip", Mask(0)), DropColumns(("age",))]).apply(data).released
    )
    (message,) = [figure.sentence for figure in alone.figures if figure.key == "largest_distance"]
    assert message == "Nothing can be read off “zip”, of which every cell is blank or *." and alone.farthest is None
    assert not measure(data, data.with_records(np.ones(6, dtype=bool), "")).columns[0].is_blank


def test_person_ids_and_weights_are_not_looked_at_and_classes_are_of_persons():
    frame = pd.DataFrame({"p": ["1", "1", "2"], "age": ["30", "30", "40"], "name": list("xyz")})
    roles = {"p": Role.PERSON_ID, "age": QI, "name": Role.IDENTIFIER}
    data = Dataset.from_frame(frame, roles=roles)
    found = measure(data, Recipe.of([DropColumns(("p",))]).apply(data).released)
    assert [each.column for each in found.columns] == ["age"] and found.cells_kept == 1
    assert found.classes is not None and (found.classes.unit, found.classes.n_before) == ("persons", 2)


def test_a_file_without_quasi_identifiers_has_no_classes():
    data = small(roles={})
    assert measure(data, data).classes is None and len(measure(data, data).figures) == 5


def test_what_cannot_be_measured_is_stated():
    data = small()
    empty = Recipe.of([LeaveOut(9)]).apply(data).released
    with refused("no-record-left"):
        measure(data, empty)
    read_again = Dataset.from_frame(data.records.iloc[:3], roles=data.roles)
    with refused("rows-not-known"):
        measure(data, read_again)
    with refused("number-out-of-range"):
        measure(data, data, k=0)
    with refused("no-records"):
        measure(Dataset.from_frame(pd.DataFrame({"a": []})), data)


@settings(max_examples=80)
@given(st.lists(st.lists(st.booleans(), min_size=6, max_size=6), min_size=1, max_size=3))
def test_a_data_set_knows_which_records_of_the_file_it_has(masks):
    data, numbers = small(), np.arange(6)
    now = data
    for mask in masks:
        kept = np.array(mask[: now.n_records], dtype=bool)
        now, numbers = now.with_records(kept, ""), numbers[kept]
    now = now.without_columns(["zip"]).with_missing("drop")
    assert data.rows_of(now).tolist() == numbers.tolist()
    part = data.with_records(np.array(masks[0]), "")
    again = part.rows_of(part)
    assert again.tolist() == list(range(part.n_records))
    if part.n_records < 6 and part.n_records:
        with pytest.raises(InputError):
            part.rows_of(data)
    longer = data.with_frame(pd.concat([data.records, data.records], ignore_index=True), " twice")
    with pytest.raises(InputError):
        data.rows_of(longer)

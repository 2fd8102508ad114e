"""Hierarchies and the ways to build them, against slow and obvious references."""

from __future__ import annotations

from contextlib import suppress
from itertools import combinations

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from anonlib.basics.errors import InputError
from anonlib.coarsening.hierarchies import (
    EVERYTHING,
    Hierarchy,
    Levels,
    cuts,
    dates,
    equal_frequency,
    from_labels,
    generalized,
    intervals,
    levels_of,
    masking,
    relabelled,
    tree,
)
from anonlib.coarsening.recoding import DateUnit, Intervals, Mask, ValueMap
from anonlib.counting.classes import ClassTable
from anonlib.dataset import Dataset
from anonlib.release.steps import Recode
from anonlib.values.cells import text_categorical
from tests.helpers.errors import refused
from tests.helpers.tables import text_frame
from tests.reference.generalization import counted


def table(hierarchy: Hierarchy, *values: str | None) -> list[list[str | None]]:
    """Per level, the label of each value."""
    levels = hierarchy.on(values)
    return [levels.label(level).tolist() for level in range(levels.n_levels)]


def is_nested(labels: list[list[str | None]]) -> bool:
    """By looking at every pair of values on every two levels."""
    return all(
        finer[i] != finer[j] or coarser[i] == coarser[j]
        for finer, coarser in combinations(labels, 2)
        for i, j in combinations(range(len(finer)), 2)
    )


# --- the paper's Figure 2 ------------------------------------------------------------------------------------------


def test_alcohol_steps_up_value_by_value():
    alcohol = tree({"High": ("Yes", "Any"), "Med": ("Yes", "Any"), "Low": ("Yes", "Any"), "No": ("Any",)})
    assert table(alcohol, "High", "Med", "Low", "No", None) == [
        ["High", "Med", "Low", "No", None],
        ["Yes", "Yes", "Yes", "Any", None],
        ["Any", "Any", "Any", "Any", "Any"],
    ]
    assert alcohol.has_top and alcohol.n_levels == 3
    assert [alcohol.describe(level) for level in range(3)] == ["as it is", "grouped into 2", "removed"]


def test_ages_with_given_cuts():
    ages = cuts([(20, 35, 45, 65, 86), (20, 45, 86), (20, 86)], top=False)
    assert table(ages, "20", "34", "35", "44", "45", "64", "65", "85")[1:] == [
        ["20-34", "20-34", "35-44", "35-44", "45-64", "45-64", "65-85", "65-85"],
        ["20-44"] * 4 + ["45-85"] * 4,
        ["20-85"] * 8,
    ]
    assert ages.describe(2) == "intervals cut at 20, 45, 86"


def test_zip_codes_lose_a_digit_a_level():
    assert [level[0] for level in table(masking(5), "52003")] == ["52003", "5200*", "520**", "52***", "5****", "*"]
    assert masking(["52003"]) == masking(5)
    assert [masking(5).describe(level) for level in (1, 4, 5)] == [
        "first 4 characters kept", "first character kept", "removed",
    ]  # fmt: skip


# --- builders ------------------------------------------------------------------------------------------------------


def test_masks_from_either_side_and_several_characters_a_level():
    assert [level[0] for level in table(masking(5, side="end", step=2, top=False), "K1A0B")] == [
        "K1A0B", "**A0B", "****B", "*****",
    ]  # fmt: skip
    assert [level[0] for level in table(masking(4, step=3, fill=""), "E119")] == ["E119", "E", "*"]
    assert table(masking(0), None) == [[None], ["*"]]


def test_intervals_of_growing_width_keep_their_end_groups():
    ages = intervals((5, 10, 20), bottom_group=18, top_group=90)
    assert table(ages, "3", "18", "20", "39", "89", "90", "103", "unknown")[1:] == [
        ["<18", "18-19", "20-24", "35-39", "85-89", "90+", "90+", "unknown"],
        ["<18", "18-19", "20-29", "30-39", "80-89", "90+", "90+", "unknown"],
        ["<18", "18-19", "20-39", "20-39", "80-89", "90+", "90+", "unknown"],
        ["*"] * 8,
    ]


def test_days_to_months_quarters_and_years():
    assert table(dates(), "2024-05-17", None) == [
        ["2024-05-17", None], ["2024-05", None], ["2024-Q2", None], ["2024", None], ["*", "*"],
    ]  # fmt: skip
    assert dates(("year",), top=False).recodings == (DateUnit("year"),)


@given(
    st.lists(st.integers(0, 40), min_size=2, max_size=25, unique=True).flatmap(
        lambda values: st.tuples(
            st.just(values), st.lists(st.integers(1, 30), min_size=len(values), max_size=len(values))
        )
    ),
    st.integers(2, 9),
)
def test_equal_frequency_cuts_where_the_records_are(column, groups):
    values, counts = column
    hierarchy = equal_frequency([str(v) for v in values], counts, groups=groups)
    first = hierarchy.recodings[0]
    assert isinstance(first, Intervals)
    ordered = sorted(zip(values, counts, strict=True))
    total = sum(counts)
    for i in range(1, groups):  # each wanted share has its nearest possible cut
        offs = {cut: abs(sum(c for v, c in ordered if v < cut) - total * i / groups) for cut, _ in ordered[1:]}
        assert any(offs[cut] == min(offs.values()) for cut in first.cuts)
    assert 1 <= len(first.cuts) < groups
    for finer, coarser in zip(hierarchy.recodings, hierarchy.recodings[1:-1], strict=False):
        assert isinstance(finer, Intervals) and isinstance(coarser, Intervals)
        assert coarser.cuts == finer.cuts[1::2]
    assert is_nested(table(hierarchy, *map(str, values)))


def test_equal_frequency_of_skewed_numbers_has_fewer_intervals():
    zeros = equal_frequency(["0", "5", "9", "x"], [97, 1, 2, 50], groups=4)
    assert zeros.recodings[:-1] == (Intervals(cuts=(5.0,)),)


@pytest.mark.parametrize(
    ("make", "sentence"),
    [
        (lambda: intervals((5, 12)), "12 is none of 5"),
        (lambda: intervals((0.1, 0.3, 0.5)), "0.5 is none of 0.3"),
        (lambda: intervals((10, 5)), "5 is none of 10"),
        (lambda: intervals((5, 5)), "multiple"),
        (lambda: intervals(()), "at least one width"),
        (lambda: intervals((0, 5)), "above 0"),
        (lambda: intervals((5,), bottom_group=9, top_group=9), "below the upper"),
        (lambda: cuts([(18, 35), (18, 40)]), "level 2 cuts at 40"),
        (lambda: cuts([(18, 35), (18, 35)]), "same cuts"),
        (lambda: cuts([]), "at least one level"),
        (lambda: cuts([(5, 1)]), "ascending"),
        (lambda: equal_frequency(["a", "1"]), "two different numbers"),
        (lambda: equal_frequency(["1", "2"], groups=1), "2 or more"),
        (lambda: equal_frequency(["1", "2"], [1]), "one count for each value"),
        (lambda: masking(5, step=0), "1 or more"),
        (lambda: Hierarchy((Mask(5, side="middle"),)), "start or at the end"),  # type: ignore[arg-type]
        (lambda: dates(()), "at least one"),
        (lambda: dates(("year", "month")), "in this order"),
        (lambda: dates(("month", "month")), "each once"),
        (lambda: tree({"a": ("x", "p"), "b": ("x", "q")}), "number 1 and 2 .* share a label on level 1 but part"),
        (lambda: from_labels(["a", "b"], [["x"]]), "1 labels for 2 values"),
        (lambda: from_labels(["a", "a"], [["x", "x"], ["x", "y"]]), "not nested"),
    ],
)
def test_hierarchies_that_cannot_be(make, sentence):
    with pytest.raises(InputError, match=sentence):
        make()


def test_widths_are_compared_as_they_are_written():
    assert intervals((0.1, 0.3, 0.6)).n_levels == 5


def test_a_last_label_that_all_share_is_the_level_of_everything():
    named = tree({"a": ("x", "Any"), "b": ("Any",)})
    assert named.recodings[-1] == ValueMap((), otherwise="Any", missing="Any") and named.has_top
    assert named.with_top() is named
    assert tree({"a": ("x",), "b": ("y",)}).recodings[-1] == EVERYTHING
    alone = tree({"a": ("Any",), "b": ("Any",)})
    with pytest.raises(InputError, match="does not cover 1 value of 2"):
        alone.on(["a", "c"])
    assert tree({"a": ("*",), "b": ("*",)}) == Hierarchy((EVERYTHING,))
    explicit = tree({"a": ("Any",), "b": ("Any",)}, top=False)
    assert not explicit.has_top and table(explicit, "a", "b", None)[1] == ["Any", "Any", None]
    with_missing = tree({"a": ("Any",), "b": ("Any",), None: ("Not said",)})
    assert table(with_missing, "b", None)[1:] == [["Any", "Not said"], ["*", "*"]]


def test_a_path_that_is_empty_leaves_the_value():
    assert table(tree({"a": (), "b": ("x",), "c": ("x",)}), "a", "b", "c")[1] == ["a", "x", "x"]
    assert tree({}) == Hierarchy((EVERYTHING,))


def test_blank_labels_are_missing():
    assert table(from_labels(["a", "b"], [[" ", "x"]]), "a", "b", None)[1] == [None, "x", None]


# --- labels of values ----------------------------------------------------------------------------------------------


def test_a_value_that_is_not_covered_is_counted_and_not_quoted():
    with pytest.raises(
        InputError, match=r"of “drinks” does not cover 1 value of 2 on level 1; .* number 2\b.*each level"
    ):
        tree({"High": ("Yes",), "No": ("No",)}).on(["High", "Some"], "drinks")
    with pytest.raises(InputError, match="2 values of 2"):
        tree({"High": ("Yes",), "No": ("No",)}).on(["x", "y"])


def test_values_that_part_again_are_stated_by_their_place():
    wrong = Hierarchy((Intervals(10), Intervals(4)))
    with pytest.raises(
        InputError,
        match="“age” is not nested: the values number 1 and 2 in the column’s order share a label on level 1 but part",
    ):
        wrong.on(["11", "13"], "age")
    with pytest.raises(InputError, match="but part again on level 2"):
        Levels.of([np.array(["1", "2"], object), np.array(["x", "x"], object), np.array([None, "b"], object)])


def test_missing_values_stay_missing_until_everything_is_one():
    assert table(intervals((10,)), "35", None) == [["35", None], ["30-39", None], ["*", "*"]]
    assert table(intervals((10,), top=False), "35", None)[-1] == ["30-39", None]


LABELS = st.lists(
    st.lists(st.sampled_from(["a", "b", "c", None]), min_size=6, max_size=6), min_size=1, max_size=4
)  # fmt: skip


@given(LABELS)
def test_levels_that_are_not_nested_are_refused_and_others_are_not(labels):
    levels = [["1", "2", "3", "4", "5", None], *labels]
    arrays = [np.array(level, dtype=object) for level in levels]
    if is_nested(levels):
        found = Levels.of(arrays)
        assert [found.label(i).tolist() for i in range(found.n_levels)] == levels
        for i, level in enumerate(levels):
            assert found.leaves[i].tolist() == [level.count(label) for label in level]
            assert found.loss(i).tolist() == [(level.count(label) - 1) / 5 for label in level]
    else:
        with pytest.raises(InputError, match="not nested"):
            Levels.of(arrays)


CELLS = st.one_of(
    st.integers(-30, 130).map(str),
    st.floats(-30, 130, allow_nan=False).map(lambda x: f"{x:.1f}"),
    st.sampled_from(["unknown", "n/a", "x"]),
)


@given(
    st.lists(CELLS, min_size=1, max_size=20, unique=True),
    st.sampled_from([0.5, 1, 2, 5]),
    st.lists(st.integers(2, 4), max_size=3),
    st.sampled_from([0, 0.25, -3]),
    st.sampled_from([(None, None), (10, None), (None, 90), (18.5, 65)]),
)
def test_intervals_are_nested(values, width, factors, start, ends):
    widths = (width * np.cumprod([1, *factors])).tolist()
    made = table(intervals(widths, start=start, bottom_group=ends[0], top_group=ends[1]), *values, None)
    assert is_nested(made) and set(made[-1]) == {"*"}


@given(
    st.lists(st.text("01*A ", max_size=6).filter(str.strip), unique=True, max_size=15), st.integers(1, 3), st.booleans()
)
def test_masks_are_nested(values, step, from_end):
    made = table(masking(values, step=step, side="end" if from_end else "start"), *values)
    assert is_nested(made)


# --- names, tops, keys ---------------------------------------------------------------------------------------------


def test_descriptions():
    ages = intervals((5, 10), top_group=90)
    assert [ages.describe(i) for i in range(4)] == [
        "as it is",
        "intervals of 5, 90 and above together",
        "intervals of 10, 90 and above together",
        "removed",
    ]
    assert dates(("month",)).describe(1) == "dates to month"
    assert Hierarchy((ValueMap.of({"a": "x"}, otherwise="rest"),)).describe(1).endswith("all others together")


def test_equal_hierarchies_have_one_key():
    assert intervals((5,)).key == intervals((5.0,)).key != intervals((5,), top=False).key
    assert len({h.key for h in (masking(5), masking(4), dates(), tree({"a": ("b",)}), tree({"a": ("c",)}))}) == 5


# --- class tables --------------------------------------------------------------------------------------------------

AGES = st.one_of(st.none(), st.integers(18, 99).map(str), st.just("unknown"))
DRINKS = st.one_of(st.none(), st.sampled_from(["High", "Med", "Low", "No"]))
DRINKING = {"High": ("Yes", "Any"), "Med": ("Yes", "Any"), "Low": ("Yes", "Any"), "No": ("Any",)}
UNKNOWN = st.sampled_from([{}, {None: ("Unknown", "Any")}, {None: ("Yes", "Any")}, {None: ("Any",)}])
HIERARCHIES = UNKNOWN.map(
    lambda missing: {"age": intervals((5, 10), top_group=90), "alcohol": tree(DRINKING | missing)}
)


@st.composite
def frames(draw) -> pd.DataFrame:
    n = draw(st.integers(0, 30))
    columns = {"age": AGES, "alcohol": DRINKS, "sex": st.sampled_from(["F", "M"])}
    return text_frame({name: draw(st.lists(cells, min_size=n, max_size=n)) for name, cells in columns.items()})


def recoded_frame(frame: pd.DataFrame, ways: dict[str, Hierarchy], levels: dict[str, int], **roles) -> pd.DataFrame:
    data = Dataset.from_frame(frame, roles=roles)
    for name, level in levels.items():
        if level:
            with suppress(InputError):  # no value is a number: all stay as they are
                data = Recode(name, ways[name].recodings[level - 1]).apply(data)
    return data.records


@given(frames(), HIERARCHIES, st.integers(0, 3), st.integers(0, 2))
def test_generalizing_classes_is_recoding_the_frame_and_counting_again(frame, ways, age, alcohol):
    classes = ClassTable.from_frame(frame)
    levels = {"age": age, "alcohol": alcohol}
    made = generalized(classes, ways, levels)
    again = ClassTable.from_frame(recoded_frame(frame, ways, levels))
    assert counted(made) == counted(again)
    assert made.size_of_record.tolist() == again.size_of_record.tolist()


PERSONS = st.lists(st.integers(0, 6), min_size=30, max_size=30)


@given(frames(), HIERARCHIES, PERSONS, st.integers(0, 3), st.integers(0, 2))
def test_persons_have_the_labels_of_all_their_rows(frame, ways, persons, age, alcohol):
    """Counting persons and then generalizing is generalizing their rows and then counting persons.

    A missing value gives way to one that is present, also where missing values get a label.
    """
    frame["id"] = text_categorical([str(i) for i in persons[: len(frame)]])
    levels = {"age": age, "alcohol": alcohol}
    names = ["age", "alcohol", "sex"]
    made = generalized(ClassTable.from_frame(frame, names, person="id"), ways, levels)
    again = ClassTable.from_frame(recoded_frame(frame, ways, levels, id="person_id"), names, person="id")

    def of_sets(table: ClassTable) -> dict[tuple, int]:
        return {tuple(tuple(sorted(getattr(v, "members", (v,)))) for v in row): n for row, n in counted(table).items()}

    assert of_sets(made) == of_sets(again)
    assert made.size_of_record.tolist() == again.size_of_record.tolist()


def test_levels_that_are_not_there():
    classes = ClassTable.from_frame(pd.DataFrame({"age": text_categorical(["30", "40"])}))
    ages = {"age": intervals((5,))}
    for levels, sentence in (({"age": 3}, "levels 0 to 2, not 3"), ({"zip": 1}, "no hierarchy for “zip”")):
        with pytest.raises(InputError, match=sentence):
            generalized(classes, ages, levels)
    with refused("column-unknown", "zip"):
        levels_of(classes, {"zip": masking(5)})


# --- changing labels by hand ---------------------------------------------------------------------------------------


def test_joining_a_group_takes_its_higher_labels():
    levels = [["Yes", "Yes", "Low", "No"], ["Any", "Any", "Rest", "Rest"]]
    assert relabelled(levels, {(2, 1): "Yes"}) == [["Yes", "Yes", "Yes", "No"], ["Any", "Any", "Any", "Rest"]]
    assert relabelled(levels, {(0, 2): "Rest"}) == [levels[0], ["Rest"] * 4]
    assert relabelled(levels, {(0, 1): " "})[0] == [None, "Yes", "Low", "No"]


def test_a_label_that_is_only_carried_on_changes_with_the_value():
    levels = [["High", "Med", "No"], ["High", "Med", "No"], ["Any", "Any", "No"]]
    once = relabelled(levels, {(0, 1): "Yes"})
    assert once == [["Yes", "Med", "No"], ["Yes", "Med", "No"], ["Any", "Any", "No"]]
    assert relabelled(once, {(1, 1): "Yes"}) == [["Yes", "Yes", "No"], ["Yes", "Yes", "No"], ["Any", "Any", "No"]]


@given(
    st.lists(st.integers(0, 3), min_size=5, max_size=5),
    st.dictionaries(
        st.tuples(st.integers(0, 4), st.integers(1, 3)), st.sampled_from(["a", "b", "x", "", None]), max_size=6
    ),
)
def test_whatever_is_changed_stays_nested(first, changes):
    level = [str(label) for label in first]
    before = [["1", "2", "3", "4", "5"], level, level, ["top"] * 5]
    after = relabelled(before[1:], changes)
    assert is_nested([before[0], *after])
    if len(changes) == 1:
        ((value, where), label), *_ = changes.items()
        assert after[where - 1][value] == (label or None)
        assert after[: where - 1] == before[1:where]


def test_a_hierarchy_of_nothing():
    assert Hierarchy().n_levels == 1 and not Hierarchy().has_top
    assert Hierarchy().with_top() == Hierarchy((EVERYTHING,))
    assert Hierarchy((Mask(3),)).on([]).n_values == 0
    assert table(Hierarchy(), "a", None) == [["a", None]]

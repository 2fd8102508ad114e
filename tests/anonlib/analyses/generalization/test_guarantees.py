"""l-diversity and t-closeness: published examples, exact fractions on random groups, and where they are asked of."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

import tests.reference.generalization as slow
from anonlib.analyses.generalization import NodeEvaluation, WholeClasses, generalize
from anonlib.coarsening.hierarchies import EVERYTHING, Hierarchy
from anonlib.coarsening.recoding import Intervals, Mask
from anonlib.counting.classes import ClassTable
from anonlib.counting.guarantees import AttributeDisclosure, AverageRiskLimit, KAnonymity, LDiversity, lacking_groups
from anonlib.release.steps.of_cells import EarlierLDiversity, EarlierTCloseness, Requirement, Rule, guarantees_of
from anonlib.values.cells import text_categorical
from tests.helpers.errors import refused
from tests.helpers.examples import settings
from tests.helpers.weight_loss import ANY


def as_it_is(classes: ClassTable, asked: list[Requirement], *rules: Rule, **options) -> NodeEvaluation:
    """A table of which nothing can be generalized."""
    return WholeClasses(classes, {}, guarantees_of(asked, rules), **options).evaluate(())


# --- published examples ---------------------------------------------------------------------------------------------

# Machanavajjhala et al. 2007, Figure 1: zip code, age, nationality, condition.
INPATIENTS = """
13053 28 Russian Heart|13068 29 American Heart|13068 21 Japanese Viral|13053 23 American Viral
14853 50 Indian Cancer|14853 55 Russian Heart|14850 47 American Viral|14850 49 American Viral
13053 31 American Cancer|13053 37 Indian Cancer|13068 36 Japanese Cancer|13068 35 American Cancer
"""
FIGURE_2, FIGURE_3 = (2, 1, 1), (1, 2, 1)  # 130**, <30, *  and  1305*, <40, *


def inpatients(*rules) -> WholeClasses:
    rows = [row.split() for row in INPATIENTS.replace("\n", "|").split("|") if row]
    classes = ClassTable.from_frame(pd.DataFrame(rows, columns=["zip", "age", "nationality", "condition"]))
    hierarchies = {
        "zip": Hierarchy((Mask(4), Mask(3), EVERYTHING)),
        "age": Hierarchy((Intervals(cuts=(30, 40)), Intervals(cuts=(40,)), EVERYTHING)),
        "nationality": ANY,
    }
    return WholeClasses(classes, hierarchies, guarantees_of([Requirement(("zip", "age", "nationality"), 4)], rules))


@pytest.mark.parametrize(
    ("state", "l", "groups"),
    [
        (FIGURE_2, 1, 0),
        (FIGURE_2, 2, 1),  # one group of four has cancer, each of them
        (FIGURE_2, 3, 2),  # and one has two conditions
        (FIGURE_3, 3, 0),
        (FIGURE_3, 4, 3),
    ],
)
def test_the_four_anonymous_and_the_three_diverse_table(state, l, groups):  # noqa: E741 - the measure's own name
    found = inpatients(EarlierLDiversity("condition", l)).evaluate(state)
    assert (found.groups, found.records) == (groups, 4 * groups)
    assert found.satisfied == (groups == 0)


def test_entropy_asks_for_more_than_distinct_values():
    """1, 1 and 2 of four: 1.5 bits, which is log2 of 2.83."""
    for level, groups in [(2.0, 0), (2.8, 0), (2.9, 3), (3.0, 3)]:
        found = inpatients(EarlierLDiversity("condition", level, "entropy")).evaluate(FIGURE_3)
        assert found.groups == groups


def in_groups(salaries: str, rule: EarlierTCloseness) -> NodeEvaluation:
    """Groups as they are given, apart by |, of salaries in thousands."""
    rows = [(str(i), salary) for i, group in enumerate(salaries.split("|")) for salary in group.split()]
    frame = pd.DataFrame({"group": [i for i, _ in rows], "salary": text_categorical([salary for _, salary in rows])})
    return as_it_is(ClassTable.from_frame(frame), [Requirement(("group",), 3)], rule)


@pytest.mark.parametrize(("t", "groups"), [(0.374, 1), (0.375, 0), (0.166, 3), (0.167, 2)])
def test_distances_of_the_three_diverse_table(t, groups):
    """Li et al. 2007: of salaries from 3K to 11K, {3, 4, 5} is .375 away from all and {6, 8, 11} .167."""
    assert in_groups("3 4 5|6 8 11|7 9 10", EarlierTCloseness("salary", t, "ordered")).groups == groups


def test_the_table_of_closeness_one_sixth():
    """Li et al. 2007, Table 5: .167-close in salary, and no closer."""
    for t, satisfied in [(0.167, True), (0.166, False)]:
        assert in_groups("3 5 9|6 11 8|4 7 10", EarlierTCloseness("salary", t, "ordered")).satisfied == satisfied


def test_equal_distances_do_not_know_order():
    """Any three of nine values are 2/3 away from all of them."""
    for salaries in ("3 4 5|6 8 11|7 9 10", "3 5 9|6 11 8|4 7 10"):
        assert in_groups(salaries, EarlierTCloseness("salary", 0.667)).groups == 0
        assert in_groups(salaries, EarlierTCloseness("salary", 0.666)).groups == 3


# --- random groups --------------------------------------------------------------------------------------------------


@st.composite
def grouped(draw: st.DrawFn) -> tuple[list[int], list[int], list[int], list[int]]:
    """Per row its group of six, value of five and records; and the records of each value in the original."""
    n = draw(st.integers(0, 14))
    ids = draw(st.lists(st.integers(0, 5), min_size=n, max_size=n))
    m = draw(st.integers(1, 5))
    values = draw(st.lists(st.integers(0, m - 1), min_size=n, max_size=n))
    counts = draw(st.lists(st.sampled_from([1, 1, 2, 3, 0, 40]), min_size=n, max_size=n))
    original = draw(st.lists(st.integers(1, 60), min_size=m, max_size=m))
    return ids, values, counts, original


@settings(max_examples=200)
@given(grouped(), slow.L_DIVERSITY | slow.T_CLOSENESS)
def test_groups_against_exact_fractions(table, rule):
    ids, values, counts, original = table
    sizes = np.bincount(ids, weights=counts, minlength=6).astype(np.int64) if ids else np.zeros(6, dtype=np.int64)
    overall = np.array(original) / sum(original)
    arrays = (np.array(column, dtype=np.intp) for column in (ids, values, counts))
    number, value, records = arrays
    _, asked = guarantees_of([Requirement(("a",), 1)], [rule])
    found = lacking_groups(asked, number, sizes, value, records, overall)
    whole = Counter({str(v): count for v, count in enumerate(original)})
    for i in range(6):
        held = Counter()
        for group, v, count in zip(ids, values, counts, strict=True):
            if group == i and count:
                held[str(v)] += count
        assert found[i] == (bool(held) and not slow.holds(rule, held, whole))


@pytest.mark.parametrize("m", range(1, 12))
def test_equality_is_enough_whatever_floats_make_of_it(m):
    """m values of equal shares have entropy log m; a table of one group is at distance 0 of itself."""
    for times in (1, 3, 7):
        frame = pd.DataFrame({"a": ["x"] * m * times, "s": [f"{i:02d}" for i in range(m)] * times})
        classes, k = ClassTable.from_frame(frame), [Requirement(("a",), 1)]
        for l in (m, m + 0.001):  # noqa: E741
            assert as_it_is(classes, k, EarlierLDiversity("s", float(l), "entropy")).satisfied == (l == m)
        for distance in ("equal", "ordered"):
            assert as_it_is(classes, k, EarlierTCloseness("s", 0.0, distance)).satisfied


def test_a_distance_that_floats_make_larger_than_t():
    """1/2 of a group of two and 7/20 of all are 3/20 apart, which floats make 0.15000000000000002."""
    frame = pd.DataFrame({"a": ["x"] * 2 + ["y"] * 18, "s": list("uv") + ["u"] * 6 + ["v"] * 12})
    classes, k = ClassTable.from_frame(frame), [Requirement(("a",), 2)]
    for distance in ("equal", "ordered"):
        for t, groups in [(0.15, 0), (0.1499, 1)]:
            assert as_it_is(classes, k, EarlierTCloseness("s", t, distance)).groups == groups


# --- what they are asked of -----------------------------------------------------------------------------------------


def table(text: str) -> ClassTable:
    """One record a word, with a letter a column: a, b, s."""
    return ClassTable.from_frame(pd.DataFrame([list(word) for word in text.split()], columns=["a", "b", "s"]))


def test_rules_are_asked_of_the_groups_of_every_guarantee():
    classes = table("xpu xqv ypu yqv")
    apart = [Requirement(("a",), 1), Requirement(("b",), 1)]
    rule = EarlierLDiversity("s", 2)
    assert as_it_is(classes, apart[:1], rule).groups == 0
    assert as_it_is(classes, apart, rule).groups == 2
    found = generalize(classes, {"b": ANY}, guarantees_of(apart, [rule]))
    assert found.levels == {"b": 1} and found.guarantees == guarantees_of(apart, [rule])


def test_all_rules_hold_at_once():
    classes = table("xpu xpu xpv yqu yqu yqu yqv yqv")
    diverse, close, closer = (
        EarlierLDiversity("s", 2),
        EarlierTCloseness("s", 0.05),
        EarlierTCloseness("s", 0.03, "ordered"),
    )
    # u is 2/3 of one group, 3/5 of the other and 5/8 of all: .042 and .025 away; their entropies are those of 1.89,
    # 1.96 and 1.94 values of equal shares.
    for rules, level in (
        ([diverse], 0),
        ([diverse, close], 0),
        ([diverse, close, closer], 1),
        ([diverse, EarlierLDiversity("s", 1.92, "entropy")], 1),
    ):
        asked = guarantees_of([Requirement(("a",), 3)], rules)
        assert generalize(classes, {"a": ANY}, asked).levels == {"a": level}, rules


def test_closeness_is_to_the_records_that_leave():
    """Without the four who are alone u has 9/16 and not 13/20: x, of which it has 3/4, is 3/16 away and not 1/10."""
    classes = table("xpu xpu xpu xpv " + "ypu ypv " * 6 + "1pu 2pu 3pu 4pu")
    k = [Requirement(("a",), 2)]
    for distance in ("equal", "ordered"):
        for t, left_out in [(0.19, 4), (0.18, 8), (0.0, 20)]:
            rule = EarlierTCloseness("s", t, distance)
            assert as_it_is(classes, k, rule, left_out_limit=1.0).left_out == left_out
            assert as_it_is(classes, k, rule, left_out_limit=0.3).satisfied == (left_out == 4)


def test_values_that_do_not_leave_are_no_step_between_others():
    """Once the one w is gone x and y are 1/4 from all in the order of two values; it would be 1/8 in that of three."""
    classes = table("xpu xpu xpu xpv ypu ypv ypv ypv 1pw")
    for t, left_out in [(0.25, 1), (0.24, 9)]:
        rule = EarlierTCloseness("s", t, "ordered")
        assert as_it_is(classes, [Requirement(("a",), 2)], rule, left_out_limit=1.0).left_out == left_out


def test_a_missing_sensitive_value_is_a_value():
    frame = pd.DataFrame({"a": list("xxyy"), "s": ["u", None, None, None]}, dtype=object)
    found = as_it_is(ClassTable.from_frame(frame), [Requirement(("a",), 2)], EarlierLDiversity("s", 2))
    assert (found.groups, found.rows, found.records) == (1, 1, 2)


def test_a_sensitive_column_may_have_one_value_only():
    for rule in (
        EarlierTCloseness("s", 0.0, "equal"),
        EarlierTCloseness("s", 0.0, "ordered"),
        EarlierLDiversity("s", 1),
    ):
        assert generalize(table("xpu ypu"), {}, guarantees_of([Requirement(("a",), 1)], [rule])).k == (1,)


def test_the_sensitive_column_stays_as_it_is():
    """Though it has a hierarchy, and though rows are counted of it."""
    classes = table("xpu xpv yqu yqv")
    found = generalize(
        classes, dict.fromkeys("as", ANY), guarantees_of([Requirement(("a",), 3)], [EarlierLDiversity("s", 2)])
    )
    assert found.attributes == ("a",) and set(found.classes.column("s")) == {"u", "v"}
    assert found.utility.rows == 4


@pytest.mark.parametrize(
    "guarantee",
    [
        KAnonymity(columns=("a",), least=2, share=0.1),
        KAnonymity(columns=("a", "b"), least=2, known=1),
        KAnonymity(columns=("a",), least=2, rows=1),
        LDiversity(columns=("a",), sensitive="s", l=2, share=0.1),
        AttributeDisclosure(columns=("a",), sensitive="s"),
        AverageRiskLimit(columns=("a",), limit=0.5),
    ],
)
def test_guarantees_that_are_not_of_whole_classes_for_everybody_are_refused(guarantee):
    with refused("guarantee-not-possible"):
        WholeClasses(table("xpu xqv"), {}, [KAnonymity(columns=("a",), least=2), guarantee])


def test_how_many_share_some_columns_must_be_asked():
    for guarantees in ([], [LDiversity(columns=("a",), sensitive="s", l=2)]):
        with refused("guarantee-missing"):
            WholeClasses(table("xpu xqv"), {}, guarantees)
    with refused("guarantee-without-columns"):
        WholeClasses(table("xpu xqv"), {}, [KAnonymity(columns=(), least=2)])


def test_columns_are_both_known_and_sensitive_in_no_two_guarantees():
    asked = [KAnonymity(columns=("a", "s"), least=2), LDiversity(columns=("a",), sensitive="s", l=2)]
    with refused("column-in-two-roles", "s"):
        WholeClasses(table("xpu xqv"), {}, asked)

"""Mondrian on hierarchies: every part has enough, labels are true of their values, and less is lost."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

import tests.reference.generalization as slow
from anonlib.basics.errors import InputError
from anonlib.release.steps.of_cells import EarlierLDiversity, EarlierTCloseness, Requirement
from tests.helpers.examples import settings
from tests.helpers.generalization import HALF, RULES, TENS, a_second_a_look, check_local, kept_rows, levels_of_rows, run


@settings(max_examples=350)
@given(slow.cases(rules=RULES) | slow.cases() | slow.cases(weighted=True, columns=[2, 3, 3]))
def test_every_group_has_enough_and_never_more_is_lost_than_at_the_top(case):
    """It splits what is at the top. It is greedy: now and then a single state elsewhere loses less than its parts."""
    found = check_local(case)
    assume(found is not None)
    top = slow.look_at(case, tuple(len(case.ladders[name]) - 1 for name in case.laddered))
    assert found.utility.cell_loss <= top.utility["cell_loss"] + 1e-9
    assert (found.violations.groups, found.violations.rows, found.violations.records) == (
        (0, 0, 0) if found.kept.all() else (top.groups, top.rows, top.records)
    )


@HALF
@given(
    slow.cases(rules=RULES, limits=["0"], max_requirements=1) | slow.cases(limits=["0"], max_requirements=1),
    st.sampled_from(["mondrian", "parts"]),
)
def test_what_satisfies_already_loses_nothing(case, method):
    """Every part of such a table can be split until its records are as they were."""
    (asked,) = case.requirements
    classes = slow.groups(case, case.rows, asked.attributes, set(range(len(case.rows)))).values()
    smallest = min((slow.records(case, set(members)) for members in classes), default=0)
    case = replace(case, requirements=(replace(asked, k=max(1, smallest)),))
    if not smallest or not slow.look_at(case, (0,) * len(case.laddered)).satisfied:
        return
    found = run(case, method)
    assert not found.cell_levels.any() and found.left_out == 0 and found.utility.cell_loss == 0


# --- several guarantees ---------------------------------------------------------------------------------------------


def test_parts_too_small_to_stand_alone_stay_at_the_top():
    """The two rows share a, which no level takes away, only if z is at its top: b, of another guarantee, parts them.

    Each by itself could go back to its own z, and would be alone with it.
    """
    requirements = (Requirement(("a", "z"), 2), Requirement(("b",), 1))
    case = slow.Case(("a", "b", "z"), [("x", "p", "1"), ("x", "q", "2")], [1, 1], {"z": TENS[::2]}, requirements)
    found = check_local(case)
    assert slow.counted(found.classes) == {("x", "p", slow.TOP): 1, ("x", "q", slow.TOP): 1}


def test_parts_that_stand_alone_are_split_beside_such():
    """What shares a = y has nothing to do with the small part, and goes down."""
    requirements = (Requirement(("a", "z"), 2), Requirement(("b",), 1))
    rows = [("x", "p", "1"), ("x", "q", "2"), ("y", "r", "1"), ("y", "r", "2")]
    case = slow.Case(("a", "b", "z"), rows, [1, 5, 2, 3], {"z": TENS[::2]}, requirements)
    found = check_local(case)
    assert slow.counted(found.classes) == {
        ("x", "p", slow.TOP): 1, ("x", "q", slow.TOP): 5, ("y", "r", "1"): 2, ("y", "r", "2"): 3,
    }  # fmt: skip


def test_the_largest_k_is_kept_by_all():
    """Both guarantees hold of the columns of both: 3 records and not 2."""
    rows = [("1", "1"), ("2", "1"), ("3", "2")]
    case = slow.Case(
        ("a", "b"), rows, [2, 3, 4], dict.fromkeys("ab", TENS[::2]), (Requirement(("a",), 2), Requirement(("b",), 3))
    )
    assert min(slow.counted(check_local(case).classes).values()) >= 3


# --- parts by hand --------------------------------------------------------------------------------------------------


def of_counts(counts: dict[str, int], k: int, **changes) -> slow.Case:
    options = {"ladders": {"a": TENS}, "requirements": (Requirement(("a",), k),)} | changes
    return slow.Case(("a",), [(value,) for value in counts], list(counts.values()), **options)


@pytest.mark.parametrize(
    ("counts", "expected"),
    [
        # Everybody can stand alone.
        ({"1": 3, "2": 3, "11": 3}, {"1": 3, "2": 3, "11": 3}),
        # 2 and 3 are too few, and together they are enough at the level above.
        ({"1": 3, "2": 1, "3": 2, "11": 3}, {"1": 3, "0x": 3, "11": 3}),
        # 3 is too few even with the rest of nobody: the smallest that could stand alone stays with it.
        ({"1": 3, "2": 4, "3": 1}, {"0x": 4, "2": 4}),
        # Labels of three levels side by side.
        ({"1": 3, "2": 4, "3": 1, "11": 1, "12": 1}, {slow.TOP: 10}),
        ({"1": 3, "2": 1, "3": 2, "11": 1, "12": 2}, {"1": 3, "0x": 3, "1x": 3}),
    ],
)
def test_who_cannot_stand_alone_stays_at_the_level_above(counts, expected):
    assert slow.counted(check_local(of_counts(counts, 3)).classes) == {(label,): n for label, n in expected.items()}


def test_missing_values_are_a_value():
    case = slow.Case(("a",), [("1",), (None,), ("2",)], [3, 3, 3], {"a": TENS}, (Requirement(("a",), 3),))
    assert slow.counted(check_local(case).classes) == {("1",): 3, (None,): 3, ("2",): 3}
    rare = slow.Case(("a",), [("1",), (None,), ("2",)], [3, 1, 3], {"a": TENS}, (Requirement(("a",), 3),))
    assert slow.TOP in {label for (label,) in slow.counted(check_local(rare).classes)}


def test_what_no_level_takes_away_parts_the_table_from_the_start():
    rows = [("1", "x"), ("2", "x"), ("11", "y"), ("12", "y")]
    case = slow.Case(("a", "b"), rows, [2, 1, 3, 4], {"a": TENS}, (Requirement(("a", "b"), 3),))
    assert slow.counted(check_local(case).classes) == {("0x", "x"): 3, ("11", "y"): 3, ("12", "y"): 4}


def test_rules_hold_parts_together():
    """Of one value each, 1 and 2 do not stand alone where two are required, and so neither does the other."""
    rows = [("1", "u"), ("2", "v"), ("11", "u"), ("11", "v")]
    k = Requirement(("a",), 2)
    free = slow.Case(("a", "s"), rows, [2, 2, 2, 2], {"a": TENS}, (k,))
    assert {label for label, _ in slow.counted(check_local(free).classes)} == {"1", "2", "11"}
    for rule in (EarlierLDiversity("s", 2), EarlierLDiversity("s", 2, "entropy"), EarlierTCloseness("s", 0.0)):
        found = check_local(slow.Case(("a", "s"), rows, [2, 2, 2, 2], {"a": TENS}, (k,), rules=(rule,)))
        assert {label for label, _ in slow.counted(found.classes)} == {"0x", "11"}


def test_a_top_that_breaks_a_rule_is_stated():
    """Where records may be left out a state may satisfy though the top does not; Mondrian begins at the top."""
    rows = [("1", "u"), ("1", "v"), ("2", "u")]
    rule = EarlierLDiversity("s", 2, "entropy")
    case = slow.Case(("a", "s"), rows, [5, 5, 1], {"a": TENS}, (Requirement(("a",), 1),), "0.2", (rule,))
    assert run(case, "optimal").left_out == 1
    with pytest.raises(InputError, match="11 of 11 records are in classes that do not meet the criteria, and 2 may"):
        run(case, "mondrian")


# --- larger tables --------------------------------------------------------------------------------------------------


def larger(n: int = 3000) -> slow.Case:
    rng = np.random.default_rng(11)
    rows = [tuple(map(str, row)) for row in rng.integers(0, 20, (n, 3)).tolist()]
    ladders = dict.fromkeys("abc", TENS)
    return slow.Case(("a", "b", "c"), rows, [1] * n, ladders, (Requirement(("c", "a", "b"), 2),))


def test_many_parts():
    case = larger()
    found = check_local(case)
    best = run(case, "optimal", "cell_loss")
    assert found.tables > 256 and found.utility.cell_loss < best.utility.cell_loss
    reports: list[float] = []
    run(case, "mondrian", progress=lambda share, best: reports.append(share) if best is None else reports.append(-1))
    assert reports and all(0 <= share <= 1 for share in reports)


@pytest.mark.parametrize(("limit", "splits"), [(0, 256), (4, 512)])
def test_time_ends_the_splitting_and_parts_that_it_leaves_whole_satisfy(limit, splits):
    case = larger(9000)
    with a_second_a_look():
        found = run(case, "mondrian", time_limit=limit)
    assert not found.finished and found.k[0] >= 2 and found.tables == splits
    levels = levels_of_rows(case, found)
    assert slow.broken(case, slow.recoded(case, levels), kept_rows(case, found)) == (set(), 0)
    assert (found.cell_levels < 2).any(axis=1).all(), "parts that wait have the levels they were split to"

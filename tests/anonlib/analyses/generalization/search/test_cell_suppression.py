"""Blank cells: what is asked holds of the labels of every row, few rows lose the least, and losses are of the cells."""

from __future__ import annotations

from fractions import Fraction
from itertools import product

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

import tests.reference.guarantees as slow
from anonlib.analyses.generalization.search import cell_suppression
from anonlib.analyses.generalization.search.cell_suppression import CellSuppression, blank_cells, with_blanks
from anonlib.basics.budget import A_SECOND, Budget
from anonlib.counting.privacy_models import AttributeDisclosure, KAnonymity, LDiversity
from tests.helpers.adviser import SAME, in_another_order, of_many, problem_of, topped
from tests.helpers.errors import refused
from tests.helpers.examples import settings

CASES = slow.cases(most_rows=14) | slow.cases(most_rows=14, leaving_out=(0,))


def released(case: slow.Case, found: CellSuppression) -> tuple[list[slow.Row], list[int]]:
    """The rows that leave, each with its labels, blank as None, and their weights."""
    rows, weights = [], []
    for row, weight, place in zip(case.rows, case.weights, case.classes.class_of_record.tolist(), strict=True):
        if found.cells.kept[place]:
            rows.append({name: label for name, (_, label) in labels_of(case, found, row, place).items()})
            weights.append(weight)
    return rows, weights


def labels_of(case: slow.Case, found: CellSuppression, row: slow.Row, place: int) -> dict[str, tuple[int, str | None]]:
    """By column its level and what a row's cell is released as."""
    at = dict(zip(problem_of(case).columns, found.levels, strict=True))
    blank = dict(zip(found.cells.columns, found.cells.blank[place].tolist(), strict=True))
    labels = {}
    for name, value in row.items():
        label = case.ladders[name][at[name]][value] if name in at else value
        labels[name] = at.get(name, 0), None if blank.get(name) else label
    return labels


def loss(case: slow.Case, found: CellSuppression) -> float:
    """The mean over all cells of what they lose, all of it where they are blank or left out."""
    lost = whole = Fraction(0)
    for row, weight, place in zip(case.rows, case.weights, case.classes.class_of_record.tolist(), strict=True):
        blank = dict(zip(found.cells.columns, found.cells.blank[place].tolist(), strict=True))
        for name, (level, _) in labels_of(case, found, row, place).items():
            matters = case.matter.get(name, 1) * weight
            gone = blank.get(name) or not found.cells.kept[place]
            lost += matters * (1 if gone else case.cell_loss(name, level, row[name]))
            whole += matters
    return float(lost / whole) if whole else 0.0


@pytest.mark.parametrize("most_rows", [12, 0], ids=["every way weighed", "split from the top"])
@settings(max_examples=200)
@given(case=CASES, data=st.data())
def test_what_is_asked_holds_of_the_labels(most_rows, case, data):
    problem = problem_of(case)
    state = tuple(data.draw(st.integers(0, level)) for level in problem.highest)
    sensitive = {name for each in case.guarantees if (name := getattr(each, "sensitive", None))}
    state = tuple(0 if name in sensitive else level for name, level in zip(problem.columns, state, strict=True))
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(cell_suppression, "MOST_ROWS", most_rows)
        found = blank_cells(problem, state)
    if found is None:
        return
    rows, weights = released(case, found)
    assert case.n - sum(weights) == found.cells.left_out <= case.most
    assert slow.all_hold(rows, weights, case.guarantees)
    assert found.loss == pytest.approx(loss(case, found), abs=SAME)


@settings(max_examples=60)
@given(case=CASES)
def test_the_search_answers_with_what_its_levels_take(case):
    problem = problem_of(case)
    shown: list[CellSuppression] = []
    found = with_blanks(problem, progress=lambda share, best: shown.append(best) if best is not None else None)
    assert found is None or all(found.loss <= each.loss + SAME for each in shown)
    if found is not None:
        again = blank_cells(problem, found.levels)
        assert again is not None and again.loss == found.loss
        assert (again.cells.blank == found.cells.blank).all() and (again.cells.kept == found.cells.kept).all()


@settings(max_examples=60)
@given(CASES, st.randoms(use_true_random=False), st.sampled_from([12, 0]))
def test_the_same_records_have_the_same_blanks_in_any_order(case, random, most_rows):
    shuffled = in_another_order(case, random)
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(cell_suppression, "MOST_ROWS", most_rows)
        found, again = (blank_cells(problem_of(each), problem_of(each).bottom) for each in (case, shuffled))
    assert (found is None) == (again is None)
    if found is not None and again is not None:
        both = [sorted(map(str, zip(*released(version, each), strict=True)))
                for version, each in ((case, found), (shuffled, again))]  # fmt: skip
        assert found.loss == again.loss and both[0] == both[1]


LETTERS = topped("pqxyz")
ONE_LEVEL = [LETTERS[0]]


def table(words: list[str], guarantees, ladder: list | None = None) -> slow.Case:
    """One record a word, with a letter a column: a, b, s; a dot is a missing value."""
    rows = [dict(zip("abs", (None if v == "." else v for v in word), strict=True)) for word in words]
    ladders = {"a": ladder or ONE_LEVEL, "b": ladder or ONE_LEVEL}
    return slow.Case(("a", "b", "s"), rows, [1] * len(rows), ladders, tuple(guarantees))


ASKED = [
    [KAnonymity(columns=("a", "b"), least=2)],
    [KAnonymity(columns=("a", "b"), least=2), AttributeDisclosure(columns=("a", "b"), sensitive="s")],
    [KAnonymity(columns=("a", "b"), least=3), LDiversity(columns=("a", "b"), sensitive="s", l=2)],
]


def fewest_blanks(case: slow.Case) -> int | None:
    """The fewest blanks of all choices that are alike in rows that are asked the same, one after another."""
    asked_about = "abs" if any(not isinstance(each, KAnonymity) for each in case.guarantees) else "ab"
    rows = [{name: row[name] for name in asked_about} for row in case.rows]
    distinct = [dict(each) for each in dict.fromkeys(tuple(row.items()) for row in rows)]
    full = [(i, name) for i, row in enumerate(distinct) for name in "ab" if row[name] is not None]
    best = None
    for chosen in product([False, True], repeat=len(full)):
        blank = {place for place, is_blank in zip(full, chosen, strict=True) if is_blank}
        left = [
            {name: None if (distinct.index(row), name) in blank else value for name, value in row.items()}
            for row in rows
        ]
        number = sum((distinct.index(row), name) in blank for row in rows for name in "ab")
        if (best is None or number < best) and slow.all_hold(left, case.weights, case.guarantees):
            best = number
    return best


@settings(max_examples=120)
@example(["xxu", "xyu", "xyu", "xyv"], ASKED[0])
@given(
    st.lists(st.tuples(*(st.sampled_from(v) for v in ("xy.", "xyz", "uv"))).map("".join), min_size=1, max_size=5),
    st.sampled_from(ASKED),
)
def test_few_rows_have_the_fewest_blanks_there_are(words, guarantees):
    case = table(words, guarantees)
    found, fewest = blank_cells(problem_of(case), (0, 0)), fewest_blanks(case)
    assert (found is None) == (fewest is None)
    if found is not None:
        counted = (problem_of(case).counts[:, None] * found.cells.blank).sum()
        assert (counted, found.cells.left_out) == (fewest, 0)


def test_levels_of_few_rows_are_all_looked_at():
    case = table(["xpu", "xqv", "yxu", "yzv", "zxu"], ASKED[0], LETTERS)
    problem = problem_of(case)
    found = with_blanks(problem)
    least = min(each.loss for state in product(range(2), repeat=2) if (each := blank_cells(problem, state)))
    assert found is not None and found.loss == least


def test_sensitive_values_do_not_become_several_by_blanks():
    """All have one value: no blank makes it uncertain."""
    assert blank_cells(problem_of(table(["xpu", "ypu"], ASKED[1])), (0, 0)) is None


def test_a_search_that_is_short_of_work_answers_with_levels_at_hand():
    asked = KAnonymity(columns=("a", "b"), least=40), AttributeDisclosure(columns=("a", "b"), sensitive="s")
    problem = problem_of(of_many(500, "abs", "ab", *asked))
    first, whole = with_blanks(problem, Budget(work=0)), with_blanks(problem)
    assert first is not None and whole is not None and whole.loss <= first.loss
    shares: list[float] = []
    with_blanks(problem, Budget(work=A_SECOND / 5), lambda share, _: shares.append(share))
    assert shares == sorted(shares) and all(0 <= share <= 1 for share in shares)
    with refused("not-a-number"):
        with_blanks(problem, Budget("long"))

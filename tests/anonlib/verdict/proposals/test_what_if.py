"""What is said of a search: how sure it is, and why nothing was found, so that the numbers explain it."""

from __future__ import annotations

import pandas as pd
import pytest

from anonlib.analyses.generalization.search import LeastChange, NothingFound, Solution
from anonlib.basics.budget import Budget
from anonlib.coarsening.hierarchies import Hierarchy
from anonlib.coarsening.recoding import ValueMap
from anonlib.dataset import Dataset
from anonlib.verdict.criteria import (
    AverageRisk,
    Combinations,
    Criterion,
    Diversity,
    Inference,
    RecordsKept,
    SmallestClass,
)
from anonlib.verdict.proposals import Adviser, Asked, how_sure, none_found, what_ifs, why_none
from tests.helpers.small_release import QI, SENSITIVE

SEARCHED = "Every combination of levels was tried, not every choice of whom to leave out: another may do."


def adviser_of(cells: str, *criteria: Criterion, **fields) -> Adviser:
    """A record a word: a, and where it has a second letter the sensitive s; a “-” is missing. All of a can go."""
    rows = [[None if letter == "-" else letter for letter in word] for word in cells.split()]
    names = ["a", "s"][: len(rows[0])]
    roles = {"a": QI, "s": SENSITIVE}
    missing = fields.pop("missing", "category")
    data = Dataset.from_frame(
        pd.DataFrame(rows, columns=names, dtype=object), roles={name: roles[name] for name in names}, missing=missing
    )
    return Adviser(Asked(data, criteria, {"a": Hierarchy().with_top()}, **fields))


def message(adviser: Adviser) -> str:
    nothing = adviser.most_detail()
    assert isinstance(nothing, NothingFound)
    return why_none(adviser, nothing)


FIVE = "1x 1x 1x 1y 1y"


@pytest.mark.parametrize(
    ("cells", "criteria", "fields", "says"),
    [
        (FIVE, (Inference(0, p=0.4, most=0.2), RecordsKept(0.6)), {},
         "No change was found that meets the criterion “Inference”: with every column at its coarsest, 3 of 5 records "
         "still violate it (20% may); once they are left out others do, 5 in all, and 2 may be left out. " + SEARCHED),
        (FIVE, (Diversity(2, "entropy"), RecordsKept(0.6)), {},
         "No change was found that meets the criterion “Diversity”: with every column at its coarsest, 5 of 5 "
         "records still violate it, and 2 may be left out. " + SEARCHED),
        (FIVE, (Inference(0, p=0.4, most=0.0), RecordsKept(0.9)), {},
         "Nothing that is allowed meets the criterion “Inference”: with every column at its coarsest, 3 of 5 records "
         "still violate it; at least 1 would have to go, and none may be left out."),
        (FIVE, (SmallestClass(6), RecordsKept(0.6)), {},
         "Nothing that is allowed meets the criterion “Smallest class”: with every column at its coarsest, 5 of 5 "
         "records still violate it, and 2 may be left out."),
        ("x y y", (AverageRisk(0.4), RecordsKept(0.9)), {"fixed": ("a",)},
         "Nothing that is allowed meets the criterion “Average risk” while a must stay as it is: with every column at "
         "its coarsest, 3 of 3 records are in classes that are too small for it, and none may be left out."),
        ("x x y y - -", (SmallestClass(2), RecordsKept(0.8)), {"missing": "drop"},
         "Nothing that is allowed meets the criterion “Records kept”: 2 of 6 records are left out already, since a "
         "quasi-identifier of theirs is missing, and 1 may be left out. Let a missing value count as a value of its "
         "own (Data page), or keep fewer."),
    ],
)  # fmt: skip
def test_why_nothing_was_found(cells, criteria, fields, says):
    assert message(adviser_of(cells, *criteria, **fields)) == says


def test_two_criteria_that_do_not_hold_together():
    """Of 20 two are alone and two others certain: two may be left out, for either."""
    adviser = adviser_of(
        "1x 2x 3x 3x " + "4x 4y " * 8, SmallestClass(2), Inference(0, most=0.0), RecordsKept(0.9), fixed=("a",)
    )
    assert message(adviser).startswith(
        "Nothing that is allowed meets the criterion “Inference” while a must stay as it is: with every column at its "
        "coarsest, 4 of 20 records still violate it, and 2 may be left out."
    )
    adviser = adviser_of(
        "1x 1y 3x 3x 3x " + "4x 4y " * 8, SmallestClass(3), Inference(0, most=0.0), RecordsKept(0.85), fixed=("a",)
    )
    assert message(adviser) == (
        "Nothing that is allowed meets the criteria “Smallest class” and “Inference” while a must stay as it is: with "
        "every column at its coarsest, 5 of 21 records still violate one of them, and 3 may be left out."
    )


def test_where_every_level_was_tried_and_none_does():
    """Ages apart are too small classes; put together they make x likely for more than may be."""
    frame = pd.DataFrame([("b", "s"), ("b", "s"), ("b", "t"), ("c", "s"), ("d", "t")], columns=["a", "s"])
    data = Dataset.from_frame(frame.astype(object), roles={"a": QI, "s": SENSITIVE})
    ways = Hierarchy((ValueMap((("b", "bc"), ("c", "bc"), ("d", "d"))),))
    criteria = (Combinations(1, 2, 0.2), Inference(0, p=0.25, most=0.4), RecordsKept(1.0))
    adviser = Adviser(Asked(data, criteria, {"a": ways}))
    assert message(adviser) == (
        "Nothing that is allowed meets all criteria: every combination of levels was tried, and none may be left out. "
        "What stands against it is “Inference”: with every column at its coarsest, 4 of 5 records still violate it "
        "(40% may)."
    )
    no_time = adviser.most_detail(Budget(work=0))
    assert not no_time.finished
    assert why_none(adviser, no_time).startswith("No change was found that meets the criterion “Inference”")
    assert why_none(adviser, no_time).endswith("The work given was done before every combination of levels was tried.")


def test_who_is_left_out_already_counts():
    """Two of six have no value; where five must be kept, to keep all the others would not do."""
    adviser = adviser_of("x x y y - -", SmallestClass(2), RecordsKept(0.8), missing="drop")
    assert adviser.problem.suppression_limit == -1 and adviser.left_out_already == 2
    for search in (adviser.most_detail, adviser.most_records, adviser.fewest_columns):
        assert search() == NothingFound(proven=True, finished=True)
    assert adviser.marginal_costs() == ()
    (what_if,) = what_ifs(adviser).ways
    assert what_if.new == RecordsKept(0.666) and what_if.says == "33.4% of the records left out at most"
    allowed = adviser_of("x x y y - -", SmallestClass(2), what_if.new, missing="drop").most_detail()
    assert not allowed.left_out and allowed.least_change.proven


def test_how_sure_an_answer_is():
    best = Solution((0,), 0.0, 0)
    assert "Proven" in how_sure(LeastChange(best, 0.0, proven=True, finished=True, seconds=0.0))
    assert "not proven" in how_sure(LeastChange(best, 0.0, proven=False, finished=True, seconds=0.0))
    assert "with the work given" in how_sure(LeastChange(best, 0.0, proven=False, finished=False, seconds=0.0))
    assert none_found(NothingFound(proven=True, finished=True)) == "Nothing that is allowed does."
    assert none_found(NothingFound(proven=False, finished=True)) == f"None was found. {SEARCHED}"
    assert "The work given was done" in none_found(NothingFound(proven=False, finished=False))
    assert "another machine" in none_found(NothingFound(proven=False, finished=False, ended_early=True))
    for seconds, words in ((20.4, "The best found in 20 s: "), (0.2, "The best found so far: ")):
        early = LeastChange(best, 0.0, proven=False, finished=False, seconds=seconds, ended_early=True)
        assert how_sure(early).startswith(words) and "another machine may find another" in how_sure(early)

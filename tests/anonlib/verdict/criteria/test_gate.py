"""What is let out, and with what reason."""

from __future__ import annotations

import pandas as pd

from anonlib.coarsening.recoding import ValueMap
from anonlib.dataset import Dataset
from anonlib.filing.project.opened import case_of, verdict_of
from anonlib.release.recipe import Recipe
from anonlib.release.steps import LeaveOut, Recode
from anonlib.verdict.criteria import Aim, SmallestClass, why_it_stays

ROLES = {"sex": "quasi_identifier", "ill": "sensitive"}


def stays(*steps, k: int = 2, reason: str = "", roles: dict[str, str] = ROLES) -> str:
    data = Dataset.from_frame(pd.DataFrame({"sex": ["f", "f", "m"], "ill": ["a", "b", "c"]}), roles=roles)
    recipe, aim = Recipe.of(steps), Aim("own", (SmallestClass(k),))
    applied = recipe.apply(data)
    undecided = tuple(name for name in data.columns if name not in roles)
    return why_it_stays(applied, verdict_of(case_of(applied, recipe, None, aim), aim, undecided), reason)


def test_what_meets_its_criteria_is_let_out_and_what_does_not_with_a_reason_alone():
    assert "verdict is against it" in stays() and "verdict is against it" in stays(reason="  ")
    assert stays(reason="Agreed in writing.") == "" == stays(LeaveOut(2))


def test_what_nobody_has_decided_on_stays():
    assert "verdict is against it" in stays(LeaveOut(2), roles={"sex": "quasi_identifier"})


def test_no_reason_lets_out_what_has_no_record_or_does_not_fit():
    assert "No record is left" in stays(LeaveOut(4), reason="Agreed.")
    unfit = Recode("sex", ValueMap.of({"f": "woman"}))
    assert "m" not in stays(unfit, reason="Agreed.").split() and stays(unfit, reason="Agreed.")


def test_without_a_verdict_nothing_is_let_out():
    data = Dataset.from_frame(pd.DataFrame({"sex": ["f", "m"]}), roles={})
    assert "accept their roles" in why_it_stays(Recipe().apply(data), None, "Agreed.")

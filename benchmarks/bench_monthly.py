"""A monthly delivery of a growing file: how often it meets *earlier releases*, and how many newcomers have to wait.

``python -m benchmarks.bench_monthly`` prints the table of docs/analyses/together.md. The sample of admissions, one row
a person, is taken as a register that grows: it begins with 3,000 persons, and so many are new each month. All months
have the same steps, which leave out whom each release alone would give away, and nobody's data change.
"""

from __future__ import annotations

import numpy as np
import pandas as pd

from anonlib.coarsening.recoding import Intervals, Mask
from anonlib.columns.roles import Role
from anonlib.counting.privacy_models import AttributeDisclosure, KAnonymity
from anonlib.dataset import Dataset
from anonlib.release.recipe import Recipe
from anonlib.release.steps import HoldBack, LeaveOut, Recode, Step
from anonlib.verdict.criteria import Case, EarlierReleases
from anonlib.verdict.proposals.hold_back import hold_back
from anonlib.verdict.together import Release

SEED = 20261130
BEGINS_WITH, K = 3_000, 5
ROLES = {
    "medical_record_number": Role.PERSON_ID, "age": Role.QUASI_IDENTIFIER, "sex": Role.QUASI_IDENTIFIER,
    "zip": Role.QUASI_IDENTIFIER, "diagnosis": Role.SENSITIVE,
}  # fmt: skip
KNOWN = ("age", "sex", "zip")
ALONE = LeaveOut(
    guarantees=(KAnonymity(columns=KNOWN, least=K), AttributeDisclosure(columns=KNOWN, sensitive="diagnosis"))
)
STEPS: dict[str, tuple[Step, ...]] = {
    "age in tens, ZIP of 3 digits": (Recode("age", Intervals(10)), Recode("zip", Mask(3)), ALONE),
    "age in tens, no ZIP": (Recode("age", Intervals(10)), Recode("zip", Mask(0)), ALONE),
    "age in forties, no ZIP": (Recode("age", Intervals(40)), Recode("zip", Mask(0)), ALONE),
}
MONTHS = {1: 12, 20: 12, 500: 3}
"""By how many are new a month, how many months are delivered after the first."""


def persons() -> pd.DataFrame:
    """The sample, one row a person, in a random order."""
    frame = pd.read_csv("data/samples/admissions.csv", dtype=str)[list(ROLES)]
    frame = frame.drop_duplicates("medical_record_number")
    return frame.iloc[np.random.default_rng(SEED).permutation(len(frame))].reset_index(drop=True)


def month(frame: pd.DataFrame, n: int) -> Dataset:
    return Dataset.from_frame(frame.iloc[:n].reset_index(drop=True), roles=ROLES)


def delivered(frame: pd.DataFrame, new: int, steps: tuple[Step, ...]) -> tuple[int, int, int, float]:
    """Months that meet it as they come; months that do with newcomers held back; of the last month, who is held back,
    and the share of all newcomers."""
    criterion, recipe = EarlierReleases(K, 0.0), Recipe.of(steps)
    plain: list[Release] = [Release.of(month(frame, BEGINS_WITH), recipe)]
    held = list(plain)
    met, met_held, waiting = 0, 0, 0
    for i in range(1, MONTHS[new] + 1):
        data = month(frame, BEGINS_WITH + i * new)
        case = Case(recipe.apply(data), recipe, beside=tuple(plain))
        met += criterion.check(case).is_met
        plain.append(case.as_release)
        case = Case(recipe.apply(data), recipe, beside=tuple(held))
        mended = hold_back(case, criterion)
        assert mended is not None
        met_held += mended.finding.is_met
        held.append(Release.of(data, mended.recipe))
        waiting = sum(len(step.rows) for step in mended.recipe.enabled if isinstance(step, HoldBack))
    return met, met_held, waiting, waiting / (new * MONTHS[new])


def main() -> None:
    frame = persons()
    print("| steps | new a month | months | met as they come | met with newcomers held back | waiting at the end |")
    print("|---|---|---|---|---|---|")
    for name, steps in STEPS.items():
        for new in MONTHS:
            met, met_held, waiting, share = delivered(frame, new, steps)
            months = MONTHS[new]
            print(
                f"| {name} | {new} | {months} | {met} of {months} | {met_held} of {months} "
                f"| {waiting:,} of {new * months:,} ({share:.0%}) |"
            )


if __name__ == "__main__":
    main()

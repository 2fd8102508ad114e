"""How many records must go whatever is done: what proves that nothing that is allowed does."""

from __future__ import annotations

import math
from dataclasses import replace

from anonlib.analyses.generalization.search.persons import PersonProblem
from anonlib.analyses.generalization.search.problem import Problem
from anonlib.counting.guarantees import (
    AttributeDisclosure,
    AverageRiskLimit,
    CodedRows,
    LDiversity,
    PrivacyModel,
    TCloseness,
    least_to_go,
    left_after,
)
from anonlib.counting.guarantees.kinds import sensitive_of
from anonlib.counting.guarantees.leaving_out import too_many_classes
from anonlib.counting.guarantees.violating import violating


def is_impossible(problem: Problem) -> bool:
    """Whether it is proven that no state that is allowed does, no matter who is left out there."""
    return fewest_to_go(problem) > problem.most


def fewest_to_go(problem: Problem) -> int:
    """A number of records that no state that is allowed, and no choice of whom to leave out, goes below.

    Of persons with several rows it is a number of these (:attr:`PersonProblem.fewest_rows_to_go`).

    What holds of some records goes on holding of the same ones at a state above, so the highest is looked at. There the
    largest part of the records is left in which everything holds that is asked for everybody and that who violates goes
    on violating; shares and averages say how many of it must go besides. Of an entropy of at least log l is used that
    it takes l values; of values that may not be likely, that they may not be certain, and how common each is.
    """
    if isinstance(problem, PersonProblem):
        return problem.fewest_rows_to_go
    alike = _made_alike(problem)
    above = [each for each in problem.guarantees if sensitive_of(each) not in alike]
    rows, _, _, _ = problem.rolled_up(problem.highest)
    levels = dict(zip(problem.columns, problem.highest, strict=True))
    implied = [on_labels for each in above if (on_labels := problem.on_labels(_implied(each), levels)) is not None]
    strict = [each for each in implied if each.stays and not each.share]
    left = left_after(rows, strict)
    assert left is not None
    part = rows.left(left)
    besides = max((_least(part, each) for each in implied if each not in strict), default=0)
    for_likely = max(map(problem.least_by_nothing, _always_asked(problem)), default=0)
    lasting = [each for each in above if not _may_come_with_coarsening(each)]
    _, _, all_may_stay = problem.changed(guarantees=lasting).least_out(problem.highest)
    return max(rows.n_records - part.n_records + besides, for_likely, int(not all_may_stay))


def _made_alike(problem: Problem) -> set[str]:
    """Columns that can be coarsened without being dropped: of a sensitive one that makes the values more alike."""
    return {
        name
        for name, highest in zip(problem.columns, problem.highest, strict=True)
        if any(len(labels) > 1 for labels in problem.levels[name].labels[1 : highest + 1])
    }


def _always_asked(problem: Problem) -> list[AttributeDisclosure]:
    """What is asked of the likely values of sensitive columns that stay as they are at every state."""
    fixed = {name for name, highest in zip(problem.columns, problem.highest, strict=True) if not highest}
    return [
        each
        for each in problem.guarantees
        if isinstance(each, AttributeDisclosure) and (each.sensitive not in problem.columns or each.sensitive in fixed)
    ]


def _may_come_with_coarsening(guarantee: PrivacyModel) -> bool:
    """Whether records that meet it may violate it at a state above: more may have a likely value in a larger class."""
    return isinstance(guarantee, AttributeDisclosure) and guarantee.p > 0 and guarantee.share > 0


def _implied(guarantee: PrivacyModel) -> PrivacyModel:
    """What a guarantee implies of which who violates goes on violating it; itself where there is no such thing."""
    if isinstance(guarantee, AttributeDisclosure):
        return replace(guarantee, p=0.0)
    if isinstance(guarantee, LDiversity):
        return replace(guarantee, l=math.ceil(guarantee.l - 1e-9), by="distinct")
    return guarantee


def _least(rows: CodedRows, guarantee: PrivacyModel) -> int:
    """The fewest of these records that must go for what is asked; 0 where that is not known."""
    if isinstance(guarantee, AverageRiskLimit):
        return too_many_classes(rows.groups(guarantee.columns)[1], guarantee.limit)
    if isinstance(guarantee, TCloseness):
        return 0
    return least_to_go(int(rows.counts[violating(rows, guarantee)].sum()), rows.n_records, guarantee.share)

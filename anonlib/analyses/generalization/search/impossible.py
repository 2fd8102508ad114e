"""Why nothing was found to do.

First how many records must go whatever is done, which can prove that nothing that is allowed does. Then the smallest
set of privacy models that do not hold together, and whether that is proven.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import numpy as np

from anonlib.analyses.generalization.search.persons import PersonProblem
from anonlib.analyses.generalization.search.problem import Problem
from anonlib.basics.progress import Progress, nobody
from anonlib.counting.privacy_models import (
    AttributeDisclosure,
    AverageRiskLimit,
    CodedRows,
    LDiversity,
    PrivacyModel,
    TCloseness,
    least_to_go,
    left_after,
)
from anonlib.counting.privacy_models.models import sensitive_of
from anonlib.counting.privacy_models.record_suppression import too_many_classes
from anonlib.counting.privacy_models.violations import violating

# ---- what must go whatever is done ----


def is_impossible(problem: Problem) -> bool:
    """Whether it is proven that no node that is allowed does, no matter who is left out there."""
    return fewest_to_go(problem) > problem.suppression_limit


def fewest_to_go(problem: Problem) -> int:
    """A number of records that no node that is allowed, and no choice of whom to leave out, goes below.

    Of persons with several rows it is a number of these (:attr:`PersonProblem.fewest_rows_to_go`).

    What holds of some records goes on holding of the same ones at a node above, so the highest is looked at. There the
    largest part of the records is left in which everything holds that is asked for everybody and that who violates goes
    on violating; shares and averages say how many of it must go besides. Of an entropy of at least log l is used that
    it takes l values; of values that may not be likely, that they may not be certain, and how common each is.
    """
    if isinstance(problem, PersonProblem):
        return problem.fewest_rows_to_go
    alike = _made_alike(problem)
    above = [guarantee for guarantee in problem.guarantees if sensitive_of(guarantee) not in alike]
    rows, _, _, _ = problem.rolled_up(problem.highest)
    levels = dict(zip(problem.columns, problem.highest, strict=True))
    implied = [
        on_labels for guarantee in above if (on_labels := problem.on_labels(_implied(guarantee), levels)) is not None
    ]
    strict = [guarantee for guarantee in implied if guarantee.stays and not guarantee.share]
    left = left_after(rows, strict)
    assert left is not None
    part = rows.left(left)
    besides = max((_least(part, guarantee) for guarantee in implied if guarantee not in strict), default=0)
    for_likely = max(map(problem.least_by_nothing, _always_asked(problem)), default=0)
    lasting = [guarantee for guarantee in above if not _may_come_with_coarsening(guarantee)]
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
    """What is asked of the likely values of sensitive columns that stay as they are at every node."""
    fixed = {name for name, highest in zip(problem.columns, problem.highest, strict=True) if not highest}
    return [
        guarantee
        for guarantee in problem.guarantees
        if isinstance(guarantee, AttributeDisclosure)
        and (guarantee.sensitive not in problem.columns or guarantee.sensitive in fixed)
    ]


def _may_come_with_coarsening(guarantee: PrivacyModel) -> bool:
    """Whether records that meet it may violate it at a node above: more may have a likely value in a larger class."""
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


# ---- why nothing does ----


@dataclass(frozen=True)
class Conflict:
    """Guarantees that do not hold together at the highest levels allowed.

    Attributes
    ----------
    guarantees : tuple[int, ...]
        Positions in the problem's, one where it does not hold by itself; none where more records than may be are left
        out already.
    proven : bool
        They hold together at no node that is allowed, no matter who is left out.
    violating : int
        Records that violate one of them at the highest levels; of an average those in too small classes.
    must_go : int
        Records that would have to be left out for all of them together, at least; no more than may be where it is not
        proven. Of persons with several rows, here and below, these.
    goes : int
        Records that the search leaves out there until all of them hold.
    most : int
        How many may be.
    """

    guarantees: tuple[int, ...]
    proven: bool
    violating: int
    must_go: int
    goes: int
    most: int


def conflict(problem: Problem, progress: Progress | None = None) -> Conflict | None:
    """Why the highest levels allowed were not found to do; None where they do.

    Each guarantee is tried alone first. Where every one holds by itself, they are taken away one by one as long as
    what is left does not hold (a deletion filter). Where it is proven that nothing does, so it is of those named.

    Parameters
    ----------
    problem : Problem
        What is searched.
    progress : Progress, optional
        Called with the share of the guarantees that was tried, in [0, 1]; what it raises stops the work.

    Returns
    -------
    Conflict or None

    References
    ----------
    Chinneck and Dravnieks (1991).
    """
    if problem.settle(problem.highest) is not None:
        return None
    proven = is_impossible(problem)
    failing = _fewest_that_fail(problem, is_impossible if proven else _fails_at_the_top, progress or nobody)
    part = only(problem, failing)
    lenient = problem.changed(values_refuse=False)
    everybody = only(lenient, failing, most=problem.n_rows).settle(problem.highest)
    assert everybody is not None
    goes = everybody.rows_out or everybody.left_out
    return Conflict(
        failing, proven, _violating(part, problem.highest), fewest_to_go(part), goes, problem.suppression_limit
    )


def only(problem: Problem, guarantees: Sequence[int], *, most: int | None = None) -> Problem:
    """The problem with some of its guarantees alone."""
    return problem.changed(guarantees=[problem.guarantees[i] for i in guarantees], suppression_limit=most)


def _fewest_that_fail(problem: Problem, fails: Callable[[Problem], bool], progress: Progress) -> tuple[int, ...]:
    """Positions of guarantees that fail together, of which none can be spared; of single ones the first."""
    if fails(only(problem, ())):
        return ()
    every = range(len(problem.guarantees))
    for i in every:
        progress(i / len(every))
        if fails(only(problem, [i])):
            return (i,)
    failing = list(every)
    for i in every:
        progress(i / len(every))
        others = [other for other in failing if other != i]
        if fails(only(problem, others)):
            failing = others
    return tuple(failing)


def _fails_at_the_top(problem: Problem) -> bool:
    return problem.settle(problem.highest) is None


def _violating(problem: Problem, node: tuple[int, ...]) -> int:
    """Records that violate one of the guarantees at a node; of averages the most that are in too small classes."""
    violating, in_small_classes = np.zeros(len(problem.counts), dtype=bool), 0
    for guarantee in problem.guarantees:
        if isinstance(guarantee, AverageRiskLimit):
            in_small_classes = max(in_small_classes, problem.in_small_classes(guarantee, node))
        else:
            violating |= problem.violating(guarantee, node)
    return max(problem.records(violating), in_small_classes)

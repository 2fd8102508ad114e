"""The best k-anonymous policies of full-domain generalization, against all combinations of levels."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from anonlib.analyses.frontier import LOSSES, RISKS, Plane, full_domain
from anonlib.coarsening.hierarchies import EVERYTHING, Hierarchy
from anonlib.coarsening.recoding import Intervals
from tests.helpers.errors import refused
from tests.helpers.examples import settings
from tests.reference.frontier import Case, cases
from tests.reference.placement import K, shares, slow

LEVELS = ((1, 2), (3,), (2, 6), ())
"""Widths of intervals, by attribute; a last level is one label for everything but in the last."""


def hierarchy(j: int) -> Hierarchy:
    recodings = tuple(Intervals(width) for width in LEVELS[j])
    return Hierarchy((*recodings, EVERYTHING) if j < 3 else recodings)


def label(j: int, level: int, value: str | None, domain: list) -> frozenset:
    """The values of the domain that are one with a value at a level; what is missing stays apart but at the last."""
    widths = LEVELS[j]
    if level == 0:
        return frozenset([value])
    if level > len(widths):
        return frozenset(domain)
    if value is None:
        return frozenset([None])
    width = widths[level - 1]
    return frozenset(v for v in domain if v is not None and int(v) // width == int(value) // width)


@settings(max_examples=150, deadline=None)
@given(st.data())
def test_no_other_combination_of_levels_with_the_k_loses_less(data):
    case: Case = data.draw(cases(population=False))
    risk = data.draw(st.sampled_from([key for key in RISKS if not RISKS[key].needs_population]))
    loss = data.draw(st.sampled_from([*LOSSES]))
    plane, domains = Plane(case.space(), risk, loss, K), case.domains()
    hierarchies = {name: hierarchy(j) for j, name in enumerate(case.names)}
    best: dict[int, tuple[float, float]] = {}
    for node in product(*(range(len(hierarchies[name].recodings) + 1) for name in case.names)):
        release = [
            tuple(label(j, level, value, domains[j]) for j, (level, value) in enumerate(zip(node, row, strict=True)))
            for row in case.rows
        ]
        k = min(release.count(labels) for labels in release)
        lost = round(min(1.0, shares(case, release)[loss]), 9), round(slow(case, release)[0][risk], 9)
        for asked in (1, 2, 3, 5):
            if k >= asked:
                best[asked] = min(best.get(asked, (2.0, 2.0)), lost)
    for solution in full_domain(plane, hierarchies, (1, 2, 3, 5), work=None):
        assert solution.proven
        if solution.k not in best:
            assert solution.levels is None and solution.placement is None
            continue
        assert solution.placement is not None and solution.placement.k >= solution.k
        assert not solution.placement.left_out
        assert (solution.placement.loss, solution.placement.risk) == pytest.approx(best[solution.k], abs=1e-7)


def _file(n: int = 200) -> Plane:
    rng = np.random.default_rng(2)
    rows = [tuple(map(str, row)) for row in zip(rng.integers(0, 60, n), rng.integers(0, 9, n), strict=True)]
    return Plane(Case(rows, None).space())


def test_where_the_work_is_spent_a_climb_is_the_answer_and_not_proven():
    plane = _file()
    hierarchies = {
        "a": Hierarchy((Intervals(2), Intervals(10), EVERYTHING)),
        "b": Hierarchy((Intervals(3), EVERYTHING)),
    }
    whole = full_domain(plane, hierarchies, (2, 5, 11))
    for solution, best in zip(full_domain(plane, hierarchies, (2, 5, 11), work=1), whole, strict=True):
        assert best.proven and not solution.proven
        assert solution.placement.k >= solution.k and solution.placement.loss >= best.placement.loss
    assert [s.placement.loss for s in whole] == sorted(s.placement.loss for s in whole)


def test_a_k_that_no_combination_has_has_no_solution():
    (solution,) = full_domain(_file(10), {"a": hierarchy(0)}, (11,))
    assert (solution.levels, solution.placement, solution.proven) == (None, None, True)
    with refused("number-out-of-range"):
        full_domain(_file(10), {}, (0,))


def test_it_can_be_stopped():
    class Stopped(Exception):
        pass

    def stop(share: float, _so_far: object = None, /) -> None:
        assert 0 <= share <= 1
        raise Stopped

    with pytest.raises(Stopped):
        full_domain(_file(), {"a": hierarchy(0), "b": hierarchy(1)}, (2,), progress=stop)

"""What the heuristic predicts of sublattices, against each policy of each chain; and Figure 6 of the paper."""

from __future__ import annotations

import numpy as np
import pytest

from anonlib.analyses.frontier import Plane, UpdateRates, evaluate, random_chains, update_rates
from anonlib.analyses.frontier import chains as module
from anonlib.analyses.frontier.update_rates import IN_PAPER
from tests.helpers.errors import refused
from tests.reference.frontier import Case


def a_plane(n: int = 120) -> Plane:
    rng = np.random.default_rng(1)
    rows = zip(rng.integers(0, 12, n).astype(str), rng.integers(0, 6, n).astype(str), strict=True)
    return Plane(Case([*rows], None).space())


def test_each_rate_is_of_the_policies_of_a_chain_one_by_one(monkeypatch):
    """Every chain that is looked at is looked at again, policy by policy."""
    plane, seen = a_plane(), []
    evaluate_chain = module.Chains.evaluate

    def noted(self, start, removed):
        seen.append(module.along(start, np.asarray(removed)))
        return evaluate_chain(self, start, removed)

    monkeypatch.setattr(module.Chains, "evaluate", noted)
    (*_, rates) = update_rates(plane, sublattices=30, work=None)
    assert len(rates) == 30 and rates.finished and not rates.ended_early
    first, *others = seen
    frontier = [*zip(*evaluate(plane.space, first), strict=True)]
    assert len(others) == 30
    for policies, h, e in zip(others, rates.predicted, rates.observed, strict=True):
        points = [*zip(*evaluate(plane.space, policies), strict=True)]
        better = [not any(r <= risk and u <= loss for r, u in frontier) for risk, loss in points]
        assert e == pytest.approx(sum(better) / len(better))
        (low, high), (right, bottom) = points[-1], points[0]
        if right > low and high > bottom:
            xs = low + (np.arange(400) + 0.5) / 400 * (right - low)
            below = [min([1.0, *(u for r, u in frontier if r <= x)]) for x in xs]
            share = np.mean(
                [(min(stair, high) - bottom) / (high - bottom) if stair > bottom else 0.0 for stair in below]
            )
            assert h == pytest.approx(share, abs=0.01)


def test_groups_are_the_tenths_of_figure_6():
    rates = UpdateRates(np.array([0.0, 0.1, 0.10001, 0.95, 1.0]), np.array([0.0, 0.5, 0.3, 0.9, 0.7]), 1.0, 0.0, True)
    frame = rates.to_frame()
    assert frame["up_to"].tolist() == [0.1, 0.2, 1.0] and frame["sublattices"].tolist() == [2, 1, 2]
    assert frame["observed"].tolist() == pytest.approx([0.25, 0.3, 0.8])
    assert frame["within"][0] == pytest.approx(1.96 * np.std([0.0, 0.5], ddof=1) / np.sqrt(2), rel=1e-3)
    assert np.isnan(frame["within"][1])
    assert rates.correlation == pytest.approx(np.corrcoef(rates.predicted, rates.observed)[0, 1])


def test_the_same_work_has_the_same_sublattices_and_one_policy_has_no_correlation():
    plane = a_plane()
    one, other = ([*update_rates(plane, sublattices=20)][-1] for _ in range(2))
    assert np.array_equal(one.predicted, other.predicted) and np.array_equal(one.observed, other.observed)
    (alone,) = update_rates(Plane(Case([("1",)], None).space()), sublattices=3)
    assert np.isnan(alone.correlation)
    with refused("number-out-of-range"):
        update_rates(plane, sublattices=0)


def test_prediction_and_rate_go_together_on_the_data_of_the_paper(tennessee):
    """.864 in the paper; .7 and more here, where sublattices are drawn and Equation 1 is mended as the errata say."""
    (*_, rates) = update_rates(Plane(tennessee()), sublattices=60, work=None)
    assert 0.5 < rates.correlation < 0.95 and IN_PAPER == 0.8643536
    means = rates.to_frame()["observed"]
    assert means.iloc[-1] > means.iloc[0]


def test_a_search_notes_its_course_from_the_first_policies_on():
    plane = a_plane()
    (*_, frontier) = random_chains(plane, budget=600)
    policies, seconds, areas = zip(*frontier.history, strict=True)
    assert (policies[0], seconds[0]) == (2, 0.0)
    assert areas[0] == pytest.approx(float(evaluate(plane.space, plane.space.bottom)[0][0]))
    assert policies[1:7] == (100, 200, 300, 400, 500, 600) and policies[-1] == 602
    assert list(seconds) == sorted(seconds) and list(areas) == sorted(areas, reverse=True)
    assert areas[-1] == frontier.area()

"""What Xia et al. 2013 print and what it is: the slips that docs/errata.md lists, and their experiments again."""

from __future__ import annotations

from collections import deque
from itertools import product
from math import log, sqrt

import numpy as np
import pandas as pd
import pytest
from scipy.stats import t as student

from anonlib.analyses.frontier.chains import Chains, evaluate_chain
from anonlib.analyses.frontier.domains import safe_harbor_order
from anonlib.analyses.frontier.evaluation import Plane, evaluate
from anonlib.analyses.frontier.result import non_dominated, stair_area
from anonlib.analyses.frontier.searches import bisection, random_chains
from anonlib.analyses.frontier.space import PolicySpace
from anonlib.analyses.frontier.sublattices import Literals, corners, sublattices, update_probability
from tests.helpers.policy_spaces import one_column
from tests.reference.frontier import all_policies, divergence, table

Policy = tuple[int, ...]
Literal = tuple[int, int]  # a bit and its value


def precedes(alpha: Policy, beta: Policy) -> bool:
    """Definition 3.3."""
    pairs = [*zip(alpha, beta, strict=True)]
    return all(b == 1 for a, b in pairs if a == 1) and any((a, b) == (0, 1) for a, b in pairs)


# Measures


def test_the_divergence_is_not_bounded_by_1() -> None:
    # Three values of which one has records: the top spreads them evenly, P/Q = 3 where P = 1.
    case = one_column([5, 0, 0], [9, 1, 1])
    plane = Plane(case.space())
    nats = (plane.sums(plane.space.top)[1] - plane.sums(plane.space.bottom)[1]) / 5
    assert nats == pytest.approx(log(3)) == pytest.approx(divergence(case, plane.space.top))
    assert nats > 1


def test_a_record_counts_the_less_the_larger_its_group() -> None:
    people = [("39", "male", "white", "37203")] * 5 + [("40", "male", "white", "37203")] * 2
    space = PolicySpace(table([people[0], people[-1]], tuple("abcd")), table(people, tuple("abcd")))
    assert Plane(space).sums(space.bottom)[0] == pytest.approx(0.2 + 0.5)
    assert evaluate(space, space.top)[0] == pytest.approx([2 / 7 / 0.7])


def test_neighbouring_policies_can_tie_in_risk_and_in_loss() -> None:
    # Ages without records: whether they are kept apart changes neither.
    space = one_column([0, 0, 5, 1], [1, 2, 9, 1]).space()
    risk, loss = evaluate(space, np.array([[1, 1, 1], [0, 1, 1]]))
    assert risk.tolist() == [1, 1]
    assert loss.tolist() == [0, 0]
    assert non_dominated(risk, loss)[0].tolist() == [True, True]  # both are policies of the frontier


def test_risk_rises_where_loss_falls() -> None:
    space = one_column([1, 4, 2], [3, 9, 2]).space()
    risk, loss = evaluate(space, np.array([space.top, [0, 1], space.bottom]))
    assert (np.diff(risk) > 0).all()
    assert (np.diff(loss) < 0).all()


def test_policies_of_a_chain_may_dominate_one_another() -> None:
    # Equal counts: spreading them evenly loses nothing, and the coarser policy risks less.
    space = one_column([3, 3, 1], [3, 3, 1]).space()
    risk, loss = evaluate(space, np.array([[0, 0], [0, 1], [1, 1]]))
    assert loss[1] == loss[2] == 0
    assert non_dominated(risk, loss)[0].tolist() == [True, True, False]


# Lattice


def test_a_policy_has_a_greatest_lower_bound_for_each_of_its_ones() -> None:
    policies = [*product((0, 1), repeat=4)]
    for beta in policies:
        bounds = [a for a in policies if precedes(a, beta) and sum(beta) - sum(a) == 1]
        assert len(bounds) == sum(beta)


def test_definition_3_6_leaves_out_the_ends_that_its_example_has() -> None:
    alpha, beta = (0, 0, 0, 1), (1, 0, 1, 1)
    printed = {p for p in product((0, 1), repeat=4) if precedes(alpha, p) and precedes(p, beta)}
    assert printed == {(0, 0, 1, 1), (1, 0, 0, 1)}
    assert printed | {alpha, beta} == {(0, 0, 0, 1), (0, 0, 1, 1), (1, 0, 0, 1), (1, 0, 1, 1)}


def test_a_sublattice_is_bounded_by_its_own_ends() -> None:
    space = one_column([1, 4, 2, 6, 3], [3, 9, 2, 7, 5]).space()
    alpha, beta = np.array([0, 0, 0, 1]), np.array([1, 0, 1, 1])
    policies = np.array([p for p in all_policies(4) if (alpha <= p).all() and (p <= beta).all()])
    risk, loss = evaluate(space, policies)
    (low, high), (most, least) = evaluate(space, np.array([alpha, beta]))
    assert ((low <= risk) & (risk <= high) & (least <= loss) & (loss <= most)).all()
    assert low > 0 and high < 1


def test_the_bits_of_the_example_of_the_appendix() -> None:
    alpha, beta = (0, 0, 0, 0, 1), (1, 0, 1, 0, 1)
    same = {(i, a) for i, (a, b) in enumerate(zip(alpha, beta, strict=True)) if a == b}
    assert same == {(4, 1), (1, 0), (3, 0)}  # as its clause has them: B[4] = 0 or B[1] = 1 or B[3] = 1


def test_a_chain_has_a_policy_more_than_a_policy_has_bits() -> None:
    space = one_column([1, 4, 2, 6, 3], [3, 9, 2, 7, 5]).space()
    risk, _ = evaluate_chain(Plane(space), space.bottom, np.arange(space.n_bits))
    assert (len(risk), space.n_levels, space.n_bits) == (5, 5, 4)
    assert 20 * 739 == 14_780 == 20 * 738 + 20


# Searches


def equation_1(box: tuple[float, float, float, float], frontier: list[tuple[float, float]]) -> float:
    """H as it is printed."""
    r_alpha, u_alpha, r_beta, u_beta = box
    ends = [*frontier, (float("inf"), 0.0)]
    reach = [
        max(0, (u - u_beta) * (min(r_beta, after) - max(r, r_alpha)))
        for (r, u), (after, _) in zip(frontier, ends[1:], strict=True)
        if after > r_alpha and r < r_beta
    ]
    return sum(reach) / ((r_beta - r_alpha) * (u_alpha - u_beta))


def test_equation_1_needs_the_smaller_of_two_losses() -> None:
    box, frontier = (0.4, 0.3, 0.6, 0.1), [(0.0, 1.0), (0.5, 0.2), (1.0, 0.0)]
    assert equation_1(box, frontier) == pytest.approx((0.9 * 0.1 + 0.1 * 0.1) / 0.04)  # 2.5, a probability
    assert update_probability(*box, *np.array(frontier).T) == pytest.approx((0.2 * 0.1 + 0.1 * 0.1) / 0.04)
    low = (0.4, 1.0, 0.6, 0.1)  # where the stair is within the rectangle they agree
    assert update_probability(*low, *np.array(frontier).T) == pytest.approx(equation_1(low, frontier))


def algorithm_3(constraints: list[list[Literal]], rng: np.random.Generator) -> list[Literal]:
    """As it is printed, with nothing for the shortest of no clauses."""

    def shortest(clauses: list[list[Literal]]) -> list[Literal]:
        return next((list(clause) for clause in sorted(clauses, key=len)), [])

    def unsatisfied(path: list[Literal]) -> list[list[Literal]]:
        return [clause for clause in constraints if not set(clause) & set(path)]

    path: list[Literal] = []
    stack = deque([shortest(constraints)])
    while stack:
        clause = stack.pop()
        if clause:
            literal = clause.pop(int(rng.integers(len(clause))))
            stack.append(clause)
            if (literal[0], 1 - literal[1]) in path:
                continue
            path.append(literal)
            left = unsatisfied(path)
            if not left:
                return path
            stack.append(shortest(left))
        elif path:
            path.pop()
    return path


def test_algorithm_3_says_the_same_of_no_clauses_and_of_no_solution() -> None:
    rng = np.random.default_rng(0)
    assert algorithm_3([[(4, 1)], [(2, 0), (4, 0)], [(1, 1), (2, 0), (3, 1)]], rng) == [(4, 1), (2, 0)]  # its example
    assert algorithm_3([], rng) == []
    assert algorithm_3([[(0, 1)], [(0, 0)]], rng) == []


def test_algorithm_2_never_prunes() -> None:
    # It begins with no clauses, so its first sublattice is the whole lattice. Its rectangle is the unit square, from
    # top to bottom, and p is the area under the stair: 0 for no frontier that has anything to trade.
    space = one_column([1, 4, 2, 6], [3, 9, 2, 7]).space()
    policies = all_policies(space.n_bits)
    risk, loss = evaluate(space, policies)
    kept, order = non_dominated(risk, loss)
    best = order[kept[order]]
    least = float(risk.min())
    p = equation_1((least, 1.0, 1.0, 0.0), [*zip(risk[best].tolist(), loss[best].tolist(), strict=True)])
    assert p == pytest.approx((stair_area(risk[best], loss[best]) - least) / (1 - least))
    assert p > 0.1  # with the whole frontier known already


# Experiments


def test_the_p_value_is_of_no_number_of_pairs_named() -> None:
    r = 0.8643536

    def p_value(n: int) -> float:
        return float(2 * student.sf(r * sqrt((n - 2) / (1 - r * r)), n - 2))

    assert p_value(24_240) == 0  # below every float; 2.2e-16 is where R stops writing p-values
    assert p_value(10) == pytest.approx(1.3e-3, rel=0.05)


def test_rows_of_the_adult_data_with_and_without_missing_values(shared_data) -> None:
    frame = pd.read_csv(shared_data("adult.csv"), dtype=str, na_values="?", keep_default_na=False)
    assert len(frame) == 32_561
    assert len(frame.dropna()) == 30_162
    assert frame[["age", "race", "sex"]].notna().all(axis=None)
    assert (frame["age"] == "90").sum() == 43  # section 4.1.2: whose ages the paper draws again


def test_the_first_policies_of_a_chain_are_at_one_end(tennessee) -> None:
    space = tennessee()
    assert (space.n_levels, 20 * space.n_levels) == (739, 14_780)
    removed = np.random.default_rng(0).permutation(space.n_bits)
    risk, loss = evaluate_chain(Plane(space), space.bottom, removed)

    def area(looked_at: np.ndarray) -> float:
        picked = np.unique([0, *looked_at, 738])[::-1]  # from the top: a chain's points are all on its stair
        return stair_area(risk[picked], loss[picked])

    first, spread = area(np.arange(100)), area(np.linspace(0, 738, 100).round().astype(int))
    assert first > 0.7
    assert spread < 0.4 * first


@pytest.fixture(scope="module")
def plane(tennessee) -> Plane:
    """Races in the order of the census tables, and small areas side by side, so that Safe Harbor is a policy."""
    races = ["White", "Black", "American Indian", "Asian", "Pacific Islander", "Other", "Two or more"]
    zips = next(domain.values for domain in tennessee().domains if domain.attribute == "zip")
    return Plane(tennessee(race=races, zip=safe_harbor_order(zips)))


def test_sublattices_against_chains_and_bisection_and_safe_harbor(plane) -> None:
    """Section 4.2, with a fifth of its 14,780 policies: docs/benchmarks.md has them all.

    It prints 24 policies that dominate Safe Harbor, which dominate 98% of the 500 that bisection finds.
    """
    (*_, chains), (*_, found) = (search(plane, budget=3_000) for search in (random_chains, sublattices))
    assert found.area() < 0.95 * chains.area()
    safe_harbor = plane.space.safe_harbor("age", "zip")
    better = found.dominating(safe_harbor)
    assert len(better) > 24
    (risk,), (loss,) = evaluate(plane.space, safe_harbor)
    away = np.hypot(found.risk[better] - risk, found.loss[better] - loss).mean()
    assert 0.025 < away < 0.1  # the paper's are nearer, 0.025 on average
    *_, bisected = bisection(plane, safe_harbor, budget=60)
    dominating = bisected.dominating(safe_harbor)
    assert len(dominating) > 0
    for i in dominating:
        no_worse = (found.risk[better] <= bisected.risk[i]) & (found.loss[better] <= bisected.loss[i])
        assert no_worse.any()


def test_what_the_heuristic_foretells_goes_with_what_enters_the_frontier(plane) -> None:
    """Section 4.2.1, Figure 6: a correlation of .864 there; docs/benchmarks.md has ours of 2,000 sublattices."""
    rng, search = np.random.default_rng(0), Chains(plane)
    free = np.zeros(plane.space.n_bits, dtype=bool)
    risk, loss = (column[::-1] for column in search.evaluate(plane.space.bottom, rng.permutation(len(free))))
    stair = np.concatenate([[np.inf], loss])
    pairs = []
    for _ in range(40):
        alpha, beta = corners(plane.space, Literals(free, free), rng)
        r, u = search.evaluate(beta, rng.permutation(np.flatnonzero(beta & ~alpha)))
        entering = u < stair[np.searchsorted(risk, r, side="right")]
        pairs.append((update_probability(r[-1], u[-1], r[0], u[0], risk, loss), entering.mean()))
    assert 0.5 < np.corrcoef(np.array(pairs).T)[0, 1] < 1

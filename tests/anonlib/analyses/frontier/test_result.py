"""Frontiers: what is dominated, the area under the stair, looking up, saving; and the archive a search fills."""

from __future__ import annotations

import json
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from anonlib.analyses.frontier.archive import Archive
from anonlib.analyses.frontier.evaluation import DIGITS, Plane, evaluate
from anonlib.analyses.frontier.result import Frontier, non_dominated, stair_area, summary
from anonlib.analyses.frontier.space import PolicySpace
from anonlib.basics.errors import InputError
from tests.helpers.errors import refused
from tests.helpers.examples import settings
from tests.helpers.policy_spaces import space_of_values as space_of
from tests.reference.frontier import Case, all_policies, cases, table

FEW = settings(max_examples=40)
AREA = [(0.1, 0.9), (0.3, 0.5), (0.6, 0.2), (1.0, 0.0)]
POINTS = st.lists(st.tuples(*[st.integers(0, 5).map(lambda x: x / 5)] * 2), max_size=25)


def plane_of_bits(n_bits: int) -> Plane:
    return Plane(space_of([str(value) for value in range(n_bits + 1) for _ in range(1 + value % 3)]))


def frontier_of(points: list[tuple[float, float]]) -> Frontier:
    """Points as if they were of different policies."""
    plane = plane_of_bits(5)
    risk, loss = np.array(points).T
    return Frontier(plane, all_policies(5)[: len(points)], risk, loss, method="by hand", evaluations=32, seconds=1.25)


def exact(plane: Plane) -> Frontier:
    """All policies looked at."""
    policies = all_policies(plane.space.n_bits)
    archive = Archive(plane, "all")
    archive.add(policies, *evaluate(plane.space, policies, plane.risk_key, plane.loss_key, plane.k))
    archive.evaluations = len(policies)
    return archive.frontier(finished=True, exact=True)


def dominated(point: tuple[float, float], others: list[tuple[float, float]]) -> bool:
    """Definition 3.9."""
    r, u = point
    return any(x <= r and y <= u and (x < r or y < u) for x, y in others)


# The definitions


def test_the_area_of_a_stair() -> None:
    frontier = frontier_of(AREA)
    assert frontier.area() == pytest.approx(0.51)
    assert frontier_of([*AREA[:2], AREA[1], *AREA[2:]]).area() == pytest.approx(0.51)
    assert stair_area(np.array([0.0]), np.array([0.0])) == 0
    assert stair_area(np.zeros(0), np.zeros(0)) == 1


@given(POINTS)
def test_the_area_is_what_no_point_covers(points: list[tuple[float, float]]) -> None:
    risk, loss = np.array(points).reshape(-1, 2).T
    kept, order = non_dominated(risk, loss)
    picked = order[kept[order]]
    covered = sum(any(r <= x and u <= y for r, u in points) for x in np.arange(5) / 5 for y in np.arange(5) / 5)
    assert stair_area(risk[picked], loss[picked]) == pytest.approx(1 - covered / 25)


@given(POINTS)
def test_non_dominated_is_definition_3_10_and_keeps_what_ties(points: list[tuple[float, float]]) -> None:
    risk, loss = np.array(points).reshape(-1, 2).T
    kept, order = non_dominated(risk, loss)
    assert kept.tolist() == [not dominated(point, points) for point in points]
    assert [points[i] for i in order] == sorted(points)


def test_policies_of_one_point_dominate_neither_one_another() -> None:
    # 796 policies on about 750 points, as in section 4.2.2, are a frontier by Definitions 3.9 and 3.10.
    kept, _ = non_dominated(np.array([0.5, 0.5, 0.5]), np.array([0.25, 0.25, 0.5]))
    assert kept.tolist() == [True, True, False]
    frontier = frontier_of([*AREA[:2], AREA[1], *AREA[2:]])
    assert (len(frontier), frontier.n_points) == (5, 4)


# Looking up


def test_dominating_is_strict() -> None:
    frontier = frontier_of(AREA)
    assert frontier.dominating_point(0.3, 0.5).tolist() == []
    assert frontier.dominating_point(0.31, 0.5).tolist() == [1]
    assert frontier.dominating_point(0.65, 0.55).tolist() == [1, 2]
    assert frontier.dominating_point(0.05, 1.0).tolist() == []


@FEW
@given(cases(n_bits=5))
def test_dominating_policies_are_those_of_the_definition(case: Case) -> None:
    plane = Plane(case.space())
    frontier = exact(plane)
    risk, loss = evaluate(plane.space, all_policies(plane.space.n_bits))
    for policy, r, u in zip(all_policies(plane.space.n_bits), risk, loss, strict=True):
        found = [
            i for i, point in enumerate(zip(frontier.risk, frontier.loss, strict=True)) if dominated((r, u), [point])
        ]
        assert frontier.dominating(policy).tolist() == found
        assert bool(found) == dominated((r, u), [*zip(risk, loss, strict=True)])


def test_nearest_and_least() -> None:
    frontier = frontier_of(AREA)
    assert frontier.nearest(risk=0.3) == 1
    assert frontier.nearest(loss=0.11) == 2
    assert frontier.nearest(loss=0.75) == 0
    assert frontier.nearest(risk=0.9, loss=0.9) == 1
    assert frontier.nearest(risk=0.9, loss=0.1) == 3
    assert [frontier.least_loss(risk) for risk in (0.05, 0.1, 0.59, 1.0)] == [None, 0, 1, 3]
    assert [frontier.least_risk(loss) for loss in (-0.1, 0.0, 0.3, 1.0)] == [None, 3, 2, 0]
    with refused("choice-missing"):
        frontier.nearest()


def test_a_policy_in_figures() -> None:
    people = table([(str(v), s) for v in (1, 2, 2, 3, 4, 9) for s in "xy"], ("a", "b"))
    plane = Plane(PolicySpace(table([("1", "x"), ("4", "x"), ("4", "y"), ("4", "y")], ("a", "b")), people))
    found = summary(plane, np.array([0, 1]))
    assert (found.k, found.groups, found.least_people, found.intervals) == (2, 2, 5, {"a": 1, "b": 2})
    assert [found.risk, found.loss] == [float(x[0]) for x in evaluate(plane.space, np.array([0, 1]))]


def test_a_table_of_policies() -> None:
    space = PolicySpace(table([("1", "x"), ("2", "x"), ("2", "y")], ("risk", "b")))
    frame = exact(Plane(space)).to_frame()
    assert list(frame.columns) == ["risk", "loss", "risk (values)", "b"]
    assert frame.iloc[0].tolist() == [pytest.approx(1 / 3), 1.0, "[1-2]", "[x-y]"]
    assert frame.iloc[-1].tolist() == [1.0, 0.0, "[1][2]", "[x][y]"]


def test_columns_of_that_table_all_have_names_of_their_own() -> None:
    names = ("risk (values)", "risk", "loss", "risk (values)_")
    frame = exact(Plane(PolicySpace(table([("1", "2", "3", "4"), ("1", "2", "5", "4")], names)))).to_frame()
    assert list(frame.columns) == [
        "risk", "loss", "risk (values)", "risk (values)__", "loss (values)", "risk (values)_",
    ]  # fmt: skip
    assert frame.iloc[-1, 2:].tolist() == ["[1]", "[2]", "[3-5]", "[4]"]


# Saving


@FEW
@given(cases(n_bits=5))
def test_what_is_saved_is_read_again(case: Case) -> None:
    plane = Plane(case.space(), loss_key="ncp")
    frontier = exact(plane)
    read = Frontier.from_json(frontier.to_json().encode(), plane)
    for name in ("policies", "risk", "loss"):
        assert np.array_equal(getattr(read, name), getattr(frontier, name))
    reports = ("method", "evaluations", "finished", "exact")
    assert [getattr(read, name) for name in reports] == ["all", 2**plane.space.n_bits, True, True]
    assert read.area() == frontier.area()


def test_what_ended_a_search_is_saved_and_of_earlier_files_it_was_a_clock() -> None:
    plane = plane_of_bits(3)
    stopped = replace(exact(plane), finished=False, exact=False, work=7.0, ended_early=True)
    for found in (exact(plane), stopped, replace(stopped, finished=True, method="interval_programs")):
        read = Frontier.from_json(found.to_json(), plane)
        assert (read.work, read.ended_early) == (found.work, found.ended_early)
        document = json.loads(found.to_json())
        del document["work"], document["ended_early"]
        assert Frontier.from_json(json.dumps(document), plane).ended_early == found.ended_early


def test_any_text_can_be_saved() -> None:
    plane = Plane(space_of(['"', "é", "\ud83d", "\U0001f600", "\\ud83d"]))
    saved = exact(plane).to_json().encode()
    assert np.array_equal(Frontier.from_json(saved, plane).policies, exact(plane).policies)


def test_a_frontier_of_other_records_is_counted_again_and_no_longer_exact() -> None:
    saved = exact(Plane(space_of(["1", "2", "2", "3"]))).to_json()
    plane = Plane(space_of(["1", "1", "1", "2", "3", "3"]))
    read = Frontier.from_json(saved, plane)
    assert not read.exact
    risk, loss = evaluate(plane.space, read.policies)
    assert read.risk.tolist() == risk.tolist() and read.loss.tolist() == loss.tolist()
    assert all(non_dominated(risk, loss)[0])


def test_a_frontier_of_another_space_or_of_other_measures_is_refused() -> None:
    plane = plane_of_bits(3)
    saved = exact(plane).to_json()
    for other in (plane_of_bits(4), Plane(PolicySpace(table([(v,) for v in "0123"], ("b",))))):
        with refused("saved-for-others"):
            Frontier.from_json(saved, other)
    turned = PolicySpace(plane.space.classes, order={"a": ["3", "2", "1", "0"]})
    with refused("saved-for-others"):
        Frontier.from_json(saved, Plane(turned))
    for other in (replace(plane, risk_key="average"), replace(plane, loss_key="ncp")):
        with refused("saved-for-others"):
            Frontier.from_json(saved, other)


def broken(plane: Plane) -> dict[str, str]:
    """What a saved frontier may be after it was edited or cut."""
    whole = exact(plane).to_json()
    found = {"": "", "cut": whole[:-20], "list": "[]", "deep": "[" * 5_000, "number": "1", "nothing": "null"}
    for name in json.loads(whole):
        if name == "area":  # only said, never read
            continue
        if name not in ("work", "ended_early"):  # which earlier files lack
            document = json.loads(whole)
            del document[name]
            found[f"without {name}"] = json.dumps(document)
        for wrong in (None, {"x": 1}, 7.5, "2", [1]):
            if (
                not (name in ("seconds", "work") and wrong == 7.5)
                and not (name == "method" and wrong == "2")
                and name != "k"
            ):
                found[f"{name} = {wrong}"] = json.dumps({**json.loads(whole), name: wrong})
    for bits in ("", "11", "1111", "1x1", 111, None, ["1", "1", "1"]):
        document = json.loads(whole)
        document["policies"][0]["boundaries"]["a"] = bits
        found[f"bits {bits}"] = json.dumps(document)
    document = json.loads(whole)
    document["policies"][0]["boundaries"] = {"b": "111"}
    return found | {"other name": json.dumps(document), "empty": json.dumps({**json.loads(whole), "policies": []})}


def test_damaged_files_are_refused_in_words() -> None:
    plane = plane_of_bits(3)
    accepted = []
    for what, text in broken(plane).items():
        try:
            Frontier.from_json(text, plane)
        except InputError:
            continue
        accepted.append(what)
    assert not accepted


def test_bits_of_one_attribute_are_not_those_of_another() -> None:
    plane = Plane(PolicySpace(table([("1", "x"), ("2", "y"), ("3", "z")], ("a", "b"))))
    document = json.loads(exact(plane).to_json())
    document["policies"][0]["boundaries"] = {"a": "1", "b": "111"}
    with refused("file-damaged"):
        Frontier.from_json(json.dumps(document), plane)


def test_a_policy_that_is_saved_twice_is_one() -> None:
    plane = plane_of_bits(3)
    document = json.loads(exact(plane).to_json())
    document["policies"] *= 2
    assert len(Frontier.from_json(json.dumps(document), plane)) == len(exact(plane))


# The archive


@FEW
@given(st.lists(st.lists(st.tuples(st.integers(0, 31), st.integers(0, 4), st.integers(0, 4)), max_size=12), max_size=6))
def test_an_archive_holds_what_nothing_added_dominates(batches: list[list[tuple[int, int, int]]]) -> None:
    archive, policies = Archive(plane_of_bits(5), "any"), all_policies(5)
    points: dict[int, tuple[float, float]] = {}
    for batch in batches:
        held = {policy.tobytes() for policy in archive.bits()}
        for i, r, u in batch:
            points.setdefault(i, (r / 4, u / 4))  # a policy has one point
        ids = [i for i, _, _ in batch]
        risk, loss = np.array([points[i] for i in ids]).reshape(-1, 2).T
        entered = archive.add(policies[ids], risk, loss)
        best = {i for i, point in points.items() if not dominated(point, list(points.values()))}
        assert {policy.tobytes() for policy in archive.bits()} == {policies[i].tobytes() for i in best}
        assert len(archive.risk) == len(best)
        assert {i for i, new in zip(ids, entered, strict=True) if new} == {
            i for i in best if i in ids and policies[i].tobytes() not in held
        }
        assert entered.sum() == len({i for i, new in zip(ids, entered, strict=True) if new})
        found = archive.frontier()
        of_policy = {policies[i].tobytes(): points[i] for i in best}
        assert [of_policy[policy.tobytes()] for policy in found.policies] == [*zip(found.risk, found.loss, strict=True)]
        assert (np.diff(found.risk) >= 0).all() and (np.diff(found.loss) <= 0).all()
        assert archive.area() == found.area()


def test_an_archive_of_no_bits() -> None:
    plane = Plane(space_of(["x", "x"]))
    frontier = exact(plane)
    assert (len(frontier), frontier.policies.shape) == (1, (1, 0))
    assert Frontier.from_json(frontier.to_json(), plane).policies.shape == (1, 0)


def test_points_for_the_picture_are_spread_over_all_that_were_looked_at() -> None:
    archive = Archive(plane_of_bits(5), "any")
    n = 40_000
    for first in range(0, n, 700):
        x = np.arange(first, min(first + 700, n)) / n
        archive.add(np.zeros((len(x), 5), dtype=bool), x, 1 - x)
    visited = archive.frontier().visited[:, 0]
    assert 3_000 <= len(visited) <= 6_000
    assert np.allclose(np.diff(visited), visited[1] - visited[0])
    assert visited[0] == 0 and visited[-1] > 0.999


def test_sums_that_differ_by_their_order_of_adding_tie() -> None:
    plane = plane_of_bits(5)
    risk, loss = plane.sums(plane.space.bottom)
    for away in (-1e-13, 1e-13):
        assert plane.finish(risk * (1 + away), loss + away) == plane.finish(risk, loss) == (1.0, 0.0)
    assert plane.finish(risk * (1 - 3e-11), loss)[0] == pytest.approx(1 - 3e-11, abs=1e-12) != 1.0
    assert DIGITS == 11

"""Releases that are no policies, on the plane: against a count of every record, every person and every combination."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from itertools import cycle
from math import prod

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from anonlib.analyses.frontier import LOSSES, RISKS, LabelledRecords, Plane, place
from anonlib.basics.errors import InputError
from tests.helpers.errors import refused
from tests.helpers.examples import settings
from tests.reference.frontier import Case, cases
from tests.reference.placement import K, Release, shares, slow


@st.composite
def releases(draw: st.DrawFn, case: Case) -> Release:
    """Labels of any kind that cover the record's values: alone, with some others, of all; some records left out."""
    domains = case.domains()
    labels = [
        [frozenset(draw(st.sets(st.sampled_from(domain)))) for _ in range(2)] + [frozenset(domain)]
        for domain in domains
    ]
    left = []
    for row in case.rows:
        choice = tuple(
            draw(st.sampled_from([*(label for label in of if value in label), frozenset([value])]))
            for value, of in zip(row, labels, strict=True)
        )
        left.append(None if draw(st.integers(0, 5)) == 0 else choice)
    return left


def labelled(case: Case, release: Release) -> LabelledRecords:
    """The same as the library has it."""
    space = case.space()
    names, kept = range(len(case.names)), [i for i, labels in enumerate(release) if labels is not None]
    known = [[*dict.fromkeys(labels[j] for labels in release if labels is not None)] for j in names]
    covers = []
    for j, domain in enumerate(space.domains):
        of_values = np.array([[value in label for label in known[j]] for value in domain.values], dtype=bool)
        of_values = of_values.reshape(len(domain), len(known[j]))
        covering = np.zeros((2 * len(domain) - 1, len(known[j])), dtype=bool)
        covering[::2], covering[1::2] = of_values, of_values[1:] & of_values[:-1]
        covers.append(covering)
    values = [[space.domains[j].values.index(case.rows[i][j]) for j in names] for i in kept]
    labels = [[known[j].index(release[i][j]) for j in names] for i in kept]
    return LabelledRecords(
        np.array(values, dtype=np.int64).reshape(-1, len(names)),
        np.array(labels, dtype=np.int64).reshape(-1, len(names)),
        np.ones(len(kept), dtype=np.int64), tuple(covers),
    )  # fmt: skip


def pairs(risks: Iterable[str]) -> Iterable[tuple[str, str]]:
    """Each loss once, with the risks in turn: neither depends on the other."""
    return zip(cycle(sorted(risks)), LOSSES, strict=False)


@settings(max_examples=300, deadline=None)
@given(st.data())
def test_any_release_stands_where_its_records_one_by_one_put_it(data):
    case = data.draw(cases())
    release = data.draw(releases(case))
    if all(labels is None for labels in release):
        with refused("release-not-on-plane"):
            place(Plane(case.space()), labelled(case, release))
        return
    risks, losses = slow(case, release)[0], shares(case, release)
    space, records = case.space(), labelled(case, release)
    sizes = Counter(labels for labels in release if labels is not None)
    for risk, loss in pairs(risks):
        plane = Plane(space, risk, loss, K)
        expected = losses[loss]
        try:
            placement = place(plane, records)
        except InputError as error:
            assert error.code == "release-not-on-plane" and expected > 1
            continue
        assert placement.risk == pytest.approx(risks[risk], abs=1e-9)
        assert placement.loss == pytest.approx(max(0.0, min(1.0, expected)), abs=1e-7) and expected < 1 + 1e-6
        assert (placement.k, placement.groups) == (min(sizes.values()), len(sizes))
        assert placement.left_out == sum(labels is None for labels in release)


@settings(max_examples=200, deadline=None)
@given(st.data())
def test_a_policy_stands_where_the_map_has_it(data):
    case = data.draw(cases())
    space = case.space()
    policy = np.array(data.draw(st.lists(st.booleans(), min_size=space.n_bits, max_size=space.n_bits)), dtype=bool)
    release: Release = [tuple(map(frozenset, case.box(policy, row))) for row in case.rows]
    records = labelled(case, release)
    for risk, loss in pairs(key for key in RISKS if case.people is not None or not RISKS[key].needs_population):
        plane = Plane(space, risk, loss, K)
        placement = place(plane, records)
        assert (placement.risk, placement.loss) == tuple(map(float, plane.finish(*plane.sums(policy))))
        assert placement.policy is not None and not placement.left_out
        released = [space.recoded(space.checked(way)).n_classes for way in (placement.policy, policy)]
        assert released[0] == released[1] == placement.groups


def _ages(values: list[str], labels: list[str], covers: dict[str, list[str]], domain: list[str]) -> LabelledRecords:
    known = [*dict.fromkeys(labels)]
    of_values = np.array([[value in covers[label] for label in known] for value in domain], dtype=bool)
    covering = np.zeros((2 * len(domain) - 1, len(known)), dtype=bool)
    covering[::2], covering[1::2] = of_values, of_values[1:] & of_values[:-1]
    return LabelledRecords(
        np.array([[domain.index(value)] for value in values]), np.array([[known.index(label)] for label in labels]),
        np.ones(len(values), dtype=np.int64), (covering,),
    )  # fmt: skip


def test_labels_of_two_levels_by_hand():
    """Ages 30, 30, 31, 60; one of 30 leaves as 30, the others as 30-31, and 60 alone."""
    case = Case([("30",), ("30",), ("31",), ("60",)], None)
    records = _ages(
        ["30", "30", "31", "60"], ["30", "30-31", "30-31", "60"],
        {"30": ["30"], "30-31": ["30", "31"], "60": ["60"]}, ["30", "31", "60"],
    )  # fmt: skip
    placement = place(Plane(case.space()), records)
    # 30 is one of two, each of 30-31 one of three, 60 one of one; as they are the classes are three.
    assert placement.risk == pytest.approx((1 / 2 + 2 / 3 + 1) / 3)
    # Onto 30 come 1 + 1, onto 31 one, onto 60 one: just what there is.
    assert placement.loss == 0 and placement.policy is None
    assert (placement.k, placement.groups, placement.left_out) == (1, 3, 0)
    assert prod(placement.labels.values()) == 3


def test_labels_that_do_not_cover_their_values_are_refused():
    case = Case([("30",), ("31",)], None)
    records = _ages(["30", "31"], ["30", "30"], {"30": ["30"]}, ["30", "31"])
    with refused("release-not-on-plane"):
        place(Plane(case.space()), records)


def test_more_records_than_the_plane_has_are_refused():
    case = Case([("30",), ("31",)], None)
    records = _ages(["30", "30"], ["30", "30"], {"30": ["30"]}, ["30", "31"])
    with refused("release-not-on-plane"):
        place(Plane(case.space()), records)

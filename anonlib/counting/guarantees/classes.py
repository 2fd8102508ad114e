"""What those who share what is known have of a sensitive column: l-diversity and t-closeness."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Literal

import numpy as np

from anonlib.counting.classes import diversity
from anonlib.counting.guarantees.coded_persons import Coded, CodedPersons
from anonlib.counting.guarantees.kinds import Close, Diverse
from anonlib.counting.guarantees.knowing import RowsKnown
from anonlib.counting.guarantees.peers import Peers, sure

_SLACK = 1e-12  # figures that are equal but for the rounding of floats are equal
Measure = Literal["distinct", "entropy", "equal", "ordered"]
"""Distinct values; the entropy of values as a number of equally likely ones; distances from all values, either all
equally far apart or in their order."""


def worst(coded: Coded, columns: Iterable[str], sensitive: str, measure: Measure, rows: RowsKnown) -> float:
    """The least diversity, or the largest distance, of those who share something that may be known; 0 of nobody.

    Machanavajjhala et al. (2007); Li et al. (2007). A missing value is a value.
    """
    peers = coded.peers(columns, rows)
    found = _of_things(coded, peers, sensitive, measure)[
        peers.thing if peers.asked is None else peers.thing[peers.asked]
    ]
    return float(found.max(initial=0.0) if measure in ("equal", "ordered") else found.min()) if len(found) else 0.0


def lacking(coded: Coded, guarantee: Diverse | Close) -> np.ndarray:
    """bool, a holder each: those who share something that may be known of it lack l-diversity or t-closeness."""
    peers = coded.peers(guarantee.columns, guarantee.rows)
    if isinstance(guarantee, Diverse):
        bad = _of_things(coded, peers, guarantee.sensitive, guarantee.by) < guarantee.l - _SLACK * guarantee.l
    else:
        bad = _of_things(coded, peers, guarantee.sensitive, guarantee.distance) > guarantee.t + _SLACK
    return peers.any_of(bad[peers.thing])


def _of_things(coded: Coded, peers: Peers, sensitive: str, measure: Measure) -> np.ndarray:
    """float, a thing each: the measure of those of whom it is true.

    A person's value is the set of those in their rows. Where one value is everybody's, there is one value.
    """
    if not len(peers.thing):
        return np.zeros(0)
    value, span = coded.alike(sensitive)
    holder = peers.of_item
    things, group = np.unique(peers.thing, return_inverse=True)
    pairs, of_item = np.unique(group * span + value[holder], return_inverse=True)
    of_group, of_value = np.divmod(pairs, span)
    share = np.bincount(of_item, weights=coded.counts[holder]) / peers.sizes[things][of_group]
    overall = np.bincount(value, weights=coded.counts, minlength=span) / coded.counts.sum()
    n = len(things)
    match measure:
        case "distinct":
            found = diversity.distinct_values(of_group, n).astype(float)
        case "entropy":
            found = np.exp(diversity.entropy(of_group, share, n))
        case "equal":
            found = diversity.equal_distance(of_group, of_value, share, overall, n)
        case _:
            used = overall > 0  # values that do not occur are no step between others
            rank = np.cumsum(used) - 1
            found = diversity.ordered_distance(of_group, rank[of_value], share, overall[used])
    if isinstance(coded, CodedPersons) and measure in ("distinct", "entropy"):
        held = coded.held(sensitive)
        told = sure(peers, coded.counts, held, np.ones(held.span, dtype=bool), 0.0)
        found[group[told.item]] = 1.0
    of_thing = np.zeros(len(peers.sizes))
    of_thing[things] = found
    return of_thing

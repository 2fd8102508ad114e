"""Which groups lack l-diversity or t-closeness."""

from __future__ import annotations

import numpy as np

from anonlib.analyses.generalization.requirements import LDiversity, TCloseness
from anonlib.counting.classes import diversity
from anonlib.counting.classes.coding import group

_SLACK = 1e-12  # figures that are equal but for the rounding of floats are equal


def unmet(
    rule: LDiversity | TCloseness,
    ids: np.ndarray,
    sizes: np.ndarray,
    value: np.ndarray,
    counts: np.ndarray,
    overall: np.ndarray,
) -> np.ndarray:
    """bool, per group: it has records and does not meet the rule.

    Per row: its group ``ids``, its sensitive ``value`` and its records ``counts`` (rows of none do not count); per
    group its records ``sizes``; per value its share of the records that leave, ``overall``.
    """
    occupied = np.flatnonzero(counts > 0)
    used = np.flatnonzero(sizes > 0)
    if not len(used):
        return np.zeros(len(sizes), dtype=bool)
    number = np.zeros(len(sizes), dtype=np.intp)
    number[used] = np.arange(len(used))
    codes = np.column_stack([number[ids[occupied]], value[occupied]])
    pairs, first = group(codes, [len(used), len(overall)])
    of_group, of_value = codes[first].T
    share = np.bincount(pairs, weights=counts[occupied]) / sizes[used][of_group]
    bad = np.zeros(len(sizes), dtype=bool)
    bad[used] = _unmet(rule, of_group, of_value, share, overall, len(used))
    return bad


def _unmet(rule, of_group, of_value, share, overall, n_groups) -> np.ndarray:
    match rule:
        case LDiversity(kind="distinct"):
            return diversity.distinct_values(of_group, n_groups) < rule.l
        case LDiversity():
            return diversity.entropy(of_group, share, n_groups) < np.log(rule.l) - _SLACK
        case TCloseness(distance="equal"):
            return diversity.equal_distance(of_group, of_value, share, overall, n_groups) > rule.t + _SLACK
        case _:
            used = overall > 0  # values that do not leave are no step between others
            rank = np.cumsum(used) - 1
            return diversity.ordered_distance(of_group, rank[of_value], share, overall[used]) > rule.t + _SLACK

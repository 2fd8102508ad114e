"""What each class gives away of a sensitive attribute: l-diversity and t-closeness, a figure a class."""

from __future__ import annotations

import numpy as np


def distinct_values(group: np.ndarray, n_groups: int) -> np.ndarray:
    """int64, per group the distinct values in it (rows are distinct pairs of group and value)."""
    return np.bincount(group, minlength=n_groups)


def entropy(group: np.ndarray, share: np.ndarray, n_groups: int) -> np.ndarray:
    """Per group the entropy of its values, in nats. ``share`` is each row's share of its group."""
    return -np.bincount(group, weights=share * np.log(share), minlength=n_groups)


def equal_distance(
    group: np.ndarray, value: np.ndarray, share: np.ndarray, overall: np.ndarray, n_groups: int
) -> np.ndarray:
    """Per group the distance of its values from ``overall``, all values equally far apart: half the summed changes."""
    return np.bincount(group, weights=np.maximum(share - overall[value], 0), minlength=n_groups)


def ordered_distance(group: np.ndarray, value: np.ndarray, share: np.ndarray, overall: np.ndarray) -> np.ndarray:
    """Per group the ordered (earth mover's) distance to the whole: sum |F_group - F_all| / (m - 1).

    Every group from 0 on has a row; rows are sorted by group and value. Between two values of a group F_group is
    constant and F_all rises, so each stretch is two prefix sums of F_all on either side of where they cross.
    """
    m = len(overall)
    if m < 2:
        return np.zeros(int(group.max()) + 1)
    cumulative = np.cumsum(overall)
    prefix = np.concatenate([[0.0], np.cumsum(cumulative)])
    starts = np.flatnonzero(np.diff(group, prepend=-1))
    running = np.cumsum(share)
    level = running - (running[starts] - share[starts])[group]
    ends = np.append(value[1:], m)
    ends[np.append(starts[1:], len(value)) - 1] = m
    crossing = np.clip(np.searchsorted(cumulative, level), value, ends)
    above = level * (crossing - value) - (prefix[crossing] - prefix[value])
    below = (prefix[ends] - prefix[crossing]) - level * (ends - crossing)
    distance = np.bincount(group, weights=above + below) + prefix[value[starts]]
    return distance / (m - 1)

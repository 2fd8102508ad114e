"""The smallest sets of attributes that give too much away."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np
import pandas as pd

from anonlib.analyses.leakage.loss import LeakageTable, information_loss
from anonlib.basics import checks
from anonlib.basics.errors import InputError
from anonlib.basics.thresholds import is_at_most
from anonlib.counting.classes import ClassTable

Reason = Literal["average", "worst", "smallest"]


@dataclass(frozen=True)
class Alert:
    """A minimal set of attributes that is past a threshold: no part of it is.

    Attributes
    ----------
    attributes : tuple[str, ...]
        The set.
    reasons : tuple[Reason, ...]
        Which thresholds it is past: "average", "worst", "smallest".
    normalized, worst_normalized : float
        The average and the worst person's loss, in [0, 1].
    smallest, below_k : int
        Records in the smallest group, and in groups below the table's k.
    """

    attributes: tuple[str, ...]
    reasons: tuple[Reason, ...]
    normalized: float
    worst_normalized: float
    smallest: int
    below_k: int


@dataclass(frozen=True)
class Alerts:
    """The minimal sets past a threshold, and the attributes that say nothing any more.

    Attributes
    ----------
    average : float
        Limit of the normalized average loss, 0 to 1; 1 switches it off.
    worst : float
        Limit of the worst person's normalized loss, 0 to 1; 1 switches it off.
    smallest : int
        Records that the smallest group must have; 1 switches it off.
    max_size : int
        Attributes in a set, at most.
    alerts : tuple[Alert, ...]
        Those of fewer attributes first, then by average loss, the largest first.
    utility_gone : tuple[str, ...]
        Attributes of loss 0: nobody can be found by them, and nothing can be learnt from them either. That is a price,
        not a success.
    """

    average: float
    worst: float
    smallest: int
    max_size: int
    alerts: tuple[Alert, ...]
    utility_gone: tuple[str, ...]

    def to_frame(self) -> pd.DataFrame:
        """One row an alert: ``variables`` (a tuple), ``reasons`` (a tuple) and its measures."""
        columns = ["variables", "reasons", "normalized", "worst_normalized", "smallest", "below_k"]
        rows = [(a.attributes, a.reasons, a.normalized, a.worst_normalized, a.smallest, a.below_k) for a in self.alerts]
        return pd.DataFrame(rows, columns=columns)


def alerts(
    classes: ClassTable,
    *,
    average: float,
    worst: float,
    smallest: int,
    max_size: int,
    probabilities: Sequence[float] | np.ndarray | None = None,
) -> Alerts:
    """The minimal sets of attributes of a class table that give too much away.

    Parameters
    ----------
    classes : ClassTable
        The attributes that somebody may know; a missing value is a value.
    average : float
        Limit of the normalized average loss, 0 to 1; 1 switches it off.
    worst : float
        Limit of the worst person's normalized loss, 0 to 1; 1 switches it off.
    smallest : int
        Records that the smallest group must have; 1 switches it off.
    max_size : int
        Attributes in a set, at most.
    probabilities : Sequence[float] | np.ndarray, optional
        Per class, how likely it is that the person sought is one of its records: 0 or more, scaled to sum 1. Left out,
        every record is equally likely.

    Returns
    -------
    Alerts

    Raises
    ------
    InputError
        For a limit out of range.

    Examples
    --------
    Two of eight people are women. It takes 3 bits to name somebody: a woman loses 2 of them, and the average is 0.811.

    >>> people = pd.DataFrame({"sex": ["F"] * 2 + ["M"] * 6})
    >>> found = alerts(ClassTable.from_frame(people), average=0.5, worst=0.5, smallest=2, max_size=1).alerts[0]
    >>> found.reasons, round(found.normalized, 2), round(found.worst_normalized, 3)
    (('worst',), 0.27, 0.667)
    """
    _checked_limits(average, worst, smallest)
    table = information_loss(classes, max_size=max_size, probabilities=probabilities, k=smallest)
    return alerts_in(table, average=average, worst=worst, smallest=smallest)


def alerts_in(table: LeakageTable, *, average: float, worst: float, smallest: int) -> Alerts:
    """The minimal sets of a leakage table that are past a limit.

    A larger set is past every limit that its parts are past, so only sets without such a part are named. The worst loss
    is taken normalized, as the average is: both then are the share of what it takes to name somebody, comparable
    between files and on one axis; how few records a group has at least is what ``smallest`` says.

    Parameters
    ----------
    table : LeakageTable
        The leakage of every set up to some size.
    average : float
        Limit of the normalized average loss, 0 to 1; 1 switches it off.
    worst : float
        Limit of the worst person's normalized loss, 0 to 1; 1 switches it off.
    smallest : int
        Records that the smallest group must have; 1 switches it off.

    Returns
    -------
    Alerts

    Raises
    ------
    InputError
        For a limit out of range, and for a table whose sets were given one by one.
    """
    average, worst, smallest = _checked_limits(average, worst, smallest)
    if table.max_size is None:
        raise InputError(
            "Alerts look at every combination of up to a size: make the table with max_size.", code="set-not-measured"
        )
    normalized, worst_normalized = table.normalized, table.worst_normalized
    past = np.array([~is_at_most(normalized, average), ~is_at_most(worst_normalized, worst), table.smallest < smallest])
    reached: set[frozenset[str]] = set()
    all_alerts = []
    for i, names in enumerate(table.sets):
        whole = frozenset(names)
        by_part = len(names) > 1 and any(whole - {name} in reached for name in names)
        if by_part or past[:, i].any():
            reached.add(whole)
        if past[:, i].any() and not by_part:
            kinds: tuple[Reason, ...] = ("average", "worst", "smallest")
            reasons = tuple(kind for kind, is_past in zip(kinds, past[:, i], strict=True) if is_past)
            measures = float(normalized[i]), float(worst_normalized[i]), int(table.smallest[i]), int(table.below_k[i])
            all_alerts.append(Alert(names, reasons, *measures))
    all_alerts.sort(key=lambda alert: (len(alert.attributes), -alert.normalized))
    gone = tuple(names[0] for names, loss in zip(table.sets, table.loss, strict=True) if len(names) == 1 and loss == 0)
    return Alerts(average, worst, smallest, table.max_size, tuple(all_alerts), gone)


def _checked_limits(average: float, worst: float, smallest: int) -> tuple[float, float, int]:
    for value, what in ((average, "The limit of the average loss"), (worst, "The limit of the worst person's loss")):
        if not 0 <= checks.number(value, what) <= 1:
            raise InputError(
                f"{what} is a share of the most there is to lose: choose 0 to 1.", code="number-out-of-range"
            )
    return float(average), float(worst), checks.whole(smallest, "The smallest class that is accepted", 1)

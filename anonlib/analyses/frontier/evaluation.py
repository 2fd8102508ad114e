"""Risk and loss of policies, each counted from the cells: plain. Searches have quicker ways, tested against this."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from scipy.special import xlogy

from anonlib.analyses.frontier.measures import Measure, interval_terms, loss_measure, risk_measure, terms
from anonlib.analyses.frontier.space import PolicySpace
from anonlib.basics import checks
from anonlib.basics.errors import InputError
from anonlib.counting.classes.coding import tally

DIGITS = 11
"""Risks and losses are rounded to so many decimal places before they are compared: policies that tie do tie."""
_SAME = 1e-12  # of themselves
_A_PLACE, _A_POLICY = 4.0, 30_000  # work of a place of a cell, and of a policy besides


@dataclass(frozen=True, eq=False)
class Plane:
    """Two measures on one space: how sums of terms become a risk and a loss, both 0 to 1.

    A loss is (its sum - that of the bottom) / (that of the top - that of the bottom): 0 for the data as they are, 1 for
    one group. A risk is as its measure says.

    Attributes
    ----------
    space : PolicySpace
        The policies of a class table.
    risk_key : str, default "population"
        A key of ``RISKS``.
    loss_key : str, default "kl"
        A key of ``LOSSES``.
    k : int, default 5
        For the risk ``below_k``, which counts records in groups smaller than this; 2 or more.

    Raises
    ------
    InputError
        For measures that are not offered, a risk that needs a population if there is none, and a k below 2.
    """

    space: PolicySpace
    risk_key: str = "population"
    loss_key: str = "kl"
    k: int = 5

    def __post_init__(self) -> None:
        checks.whole(self.k, "k", 2)
        if self.risk.needs_population and self.space.population is None:
            raise InputError(
                f"“{self.risk.name}” needs a population table. Load one, or choose another measure.",
                code="population-missing",
            )
        loss_measure(self.loss_key)

    @cached_property
    def risk(self) -> Measure:
        """The measure of risk."""
        return risk_measure(self.risk_key)

    @cached_property
    def loss(self) -> Measure:
        """The measure of information loss."""
        return loss_measure(self.loss_key)

    @property
    def additive(self) -> bool:
        """Both measures are sums, as the interval programs need."""
        return self.risk.additive and self.loss.additive

    @cached_property
    def key(self) -> str:
        """A name for the policies and measures, equal for equal ones."""
        return f"{self.space.key}-{self.risk_key}-{self.loss_key}-{self.k}"

    def groups(self, policy: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """int64, one for each group with records: its records, people and cells."""
        space, cells = self.space, self.space.cells
        of_place = [space.interval_of_place(policy, j) for j in range(len(space.domains))]
        columns = [intervals[cells.places[:, j]] for j, intervals in enumerate(of_place)]
        kept = np.logical_and.reduce([column >= 0 for column in columns])
        spans = [int(intervals.max()) + 1 for intervals in of_place]
        if not kept.all():
            columns = [column[kept] for column in columns]
        records, people = cells.records[kept], cells.people[kept]
        key, n = tally(columns, spans, records)
        # Sums of whole numbers below 2^53 are exact.
        p = np.bincount(key, weights=people, minlength=len(n)).astype(np.int64)
        c = np.bincount(key, weights=records > 0, minlength=len(n)).astype(np.int64)
        some = n > 0
        return n[some], p[some], c[some]

    def sums(self, policy: np.ndarray) -> tuple[float, float]:
        """The combined terms of risk and of loss, those of intervals included."""
        n, p, c = self.groups(policy)
        risk = terms(self.risk.term, n, p, c, self.k)
        loss = terms(self.loss.term, n, p, c, self.k).sum() + self.interval_sum(policy)
        return float(risk.max() if self.risk.combined == "max" else risk.sum()), float(loss)

    @cached_property
    def work_of_sums(self) -> float:
        """What it is to count one policy (:class:`anonlib.basics.budget.Budget`)."""
        return _A_PLACE * self.space.cells.places.size + _A_POLICY

    def interval_sum(self, policy: np.ndarray) -> float:
        """The loss terms of all intervals."""
        if not self.loss.per_interval:
            return 0.0
        return sum(float(self._interval_terms(policy, j).sum()) for j in range(len(self.space.domains)))

    def _interval_terms(self, policy: np.ndarray, j: int) -> np.ndarray:
        ends = np.array(self.space.intervals(policy, j))
        return self.interval_costs(j, ends[:, 0], ends[:, 1] + 1)

    def interval_costs(self, j: int, first: np.ndarray, end: np.ndarray) -> np.ndarray:
        """float64, the loss term of the intervals [first, end) of attribute j."""
        records, spread = self.prefixes[j]
        n, within = records[end] - records[first], spread[end] - spread[first]
        return interval_terms(self.loss.per_interval, n, end - first, within, len(self.space.domains[j]))

    @cached_property
    def prefixes(self) -> list[tuple[np.ndarray, np.ndarray]]:
        """Per attribute the records, and the sum of m ln m of records m a value, before each value and in all."""
        prefix_sums = []
        for j, domain in enumerate(self.space.domains):
            m = np.bincount(
                self.space.cells.places[:, j], weights=self.space.cells.records, minlength=2 * len(domain) - 1
            )[::2]  # no record lies between values
            prefix_sums.append((np.concatenate([[0], np.cumsum(m)]), np.concatenate([[0], np.cumsum(xlogy(m, m))])))
        return prefix_sums

    @cached_property
    def ends(self) -> tuple[tuple[float, float], tuple[float, float]]:
        """The combined terms of risk and of loss of the bottom, and those of the top."""
        return self.sums(self.space.bottom), self.sums(self.space.top)

    def finish(self, risk: np.ndarray | float, loss: np.ndarray | float) -> tuple[np.ndarray, np.ndarray]:
        """Risk and loss from sums of terms, rounded to :data:`DIGITS` places."""
        (worst, least), (_, most) = self.ends
        n = self.space.n_records
        if self.risk.key == "population":
            risk = risk / worst
        elif self.risk.combined == "sum":
            risk = risk / n
        if self.loss.combined == "mean size":
            loss, least, most = n / loss, n / least, n / most
        # Sums as close as rounding leaves them are one: then no policy loses anything.
        loses = most - least > _SAME * max(abs(most), abs(least))
        lost = (loss - least) / (most - least) if loses else 0.0 * loss
        # -0.0 and 1 + 1e-16 are what is left of rounding.
        return tuple(np.clip(np.round(np.asarray(x, dtype=float), DIGITS), 0.0, 1.0) + 0.0 for x in (risk, lost))  # type: ignore[return-value]


def evaluate(
    space: PolicySpace, policies: np.ndarray, risk: str = "population", loss: str = "kl", k: int = 5
) -> tuple[np.ndarray, np.ndarray]:
    """Risk and loss of policies.

    Parameters
    ----------
    space : PolicySpace
        The policies of a class table.
    policies : np.ndarray
        bool, policies x bits, or one policy: whether each boundary is kept.
    risk : str, default "population"
        A key of ``RISKS``.
    loss : str, default "kl"
        A key of ``LOSSES``.
    k : int, default 5
        For the risk ``below_k``, which counts records in groups smaller than this; 2 or more.

    Returns
    -------
    risk, loss : float64 arrays in [0, 1], one item a policy

    Raises
    ------
    InputError
        For measures that are not offered, a risk that needs a population if there is none, and policies of another
        space.

    References
    ----------
    Xia et al. 2013, Equations 2 to 4. All measures are defined in docs/analyses/frontier.md.

    Examples
    --------
    Four records and a population of thirty people. With 31 and 60 together nothing is lost, since both are equally
    frequent, and the risk falls: that policy dominates the data as they are.

    >>> import pandas as pd
    >>> from anonlib.counting.classes import ClassTable
    >>> from anonlib.analyses.frontier import PolicySpace
    >>> records = ClassTable.from_frame(pd.DataFrame({"age": ["30", "30", "31", "60"]}))
    >>> people = ClassTable.from_frame(pd.DataFrame({"age": ["30", "31", "60"] * 10}))
    >>> space = PolicySpace(records, people)
    >>> policies = np.array([[True, True], [True, False], [False, True], [False, False]])
    >>> for risk, loss in zip(*evaluate(space, policies), strict=True):
    ...     print(f"risk {risk:.3f}, loss {loss:.2f}")
    risk 1.000, loss 0.00
    risk 0.750, loss 0.00
    risk 0.625, loss 0.72
    risk 0.333, loss 1.00
    """
    plane = Plane(space, risk, loss, k)
    rows = [space.checked(policy) for policy in np.atleast_2d(policies)]
    sums = np.array([plane.sums(policy) for policy in rows]).reshape(-1, 2)
    return plane.finish(sums[:, 0], sums[:, 1])

"""What a policy risks and what it loses. Every measure here is weakly monotone: finer policies risk more and lose less.

A measure is a sum over groups (records that a policy makes alike) of a term of the group's records n, people p of the
population and cells c with records, plus a sum over the intervals of each attribute; or it is the largest term.
Not offered, because they are not monotone: the mean of 1/p over groups, L1 and Hellinger distances.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Literal

import numpy as np
from scipy.special import xlogy

from anonlib.basics.errors import InputError

Combined = Literal["sum", "max", "mean size"]


@dataclass(frozen=True)
class Measure:
    """One measure of risk or of loss.

    Attributes
    ----------
    key : str
        Its name in code and files.
    name : str
        Its name on screen.
    meaning : str
        What it says, in a sentence.
    source : str
        Where it comes from.
    term : int
        Number of the term of a group, see :func:`terms`.
    combined : Combined, default "sum"
        The terms are summed, or the largest counts, or the records are divided by their sum.
    per_interval : int, default 0
        Number of the term of an interval, see :func:`interval_terms`; 0 for none.
    additive : bool
        The sum of its terms, which the interval programs need.
    needs_population : bool, default False
        It means nothing without a population table.
    """

    key: str
    name: str
    meaning: str
    source: str
    term: int
    combined: Combined = "sum"
    per_interval: int = 0
    needs_population: bool = False

    @property
    def additive(self) -> bool:
        """Whether it is a sum over groups and intervals."""
        return self.combined == "sum"


PEOPLE, ONE, BELOW_K, ONE_OF_PEOPLE, ONE_OF_RECORDS, KL, KL_OBSERVED, SQUARE, NOTHING = range(9)
"""Numbers of the terms of a group."""
NO_INTERVALS, VOLUME, ENTROPY, WIDTH = range(4)
"""Numbers of the terms of an interval."""

RISKS: Mapping[str, Measure] = MappingProxyType(
    {
        measure.key: measure
        for measure in (
            Measure(
                "population", "Expected re-identifications",
                "Each record counts 1 / the people of the population with the same released values; as a share of what "
                "the original risks.", "Xia et al. 2013, Equations 2 and 3", PEOPLE,
            ),
            Measure(
                "highest_population", "Highest risk in the population (journalist)",
                "1 / the fewest people of the population who share the released values of a record.",
                "journalist risk, El Emam 2013", ONE_OF_PEOPLE, "max", needs_population=True,
            ),
            Measure(
                "average", "Average risk in the file (marketer)",
                "Classes / records: the mean over the records of 1 / the records with the same released values.",
                "marketer risk, El Emam 2013", ONE,
            ),
            Measure(
                "highest", "Highest risk in the file (prosecutor)",
                "1 / k: 1 / the fewest records that share their released values.", "prosecutor risk, El Emam 2013",
                ONE_OF_RECORDS, "max",
            ),
            Measure(
                "below_k", "Records below k", "The share of the records in classes smaller than k.",
                "k-anonymity, Samarati and Sweeney 1998", BELOW_K,
            ),
        )
    }
)  # fmt: skip
LOSSES: Mapping[str, Measure] = MappingProxyType(
    {
        measure.key: measure
        for measure in (
            Measure(
                "kl", "Information (KL)",
                "Kullback-Leibler divergence of the released from the original data, each class spread evenly over all "
                "combinations of values in it.", "Xia et al. 2013, Equation 4", KL, per_interval=VOLUME,
            ),
            Measure(
                "kl_observed", "Information, observed combinations",
                "As information, each class spread evenly over those of its combinations that have records.",
                "Xia et al. 2013, Equation 4, on the cells with records", KL_OBSERVED,
            ),
            Measure(
                "entropy", "Non-uniform entropy",
                "How much less is known of each value from its interval, summed over records and attributes.",
                "de Waal and Willenborg 1999", NOTHING, per_interval=ENTROPY,
            ),
            Measure(
                "ncp", "Detail of cells (NCP)",
                "(Values in the interval - 1) / (values - 1), averaged over records and attributes.",
                "Xu et al. 2006, normalized certainty penalty", NOTHING, per_interval=WIDTH,
            ),
            Measure(
                "discernibility", "Discernibility", "The sum of the squares of class sizes.",
                "Bayardo and Agrawal 2005", SQUARE,
            ),
            Measure(
                "class_size", "Average class size", "Records / classes.", "LeFevre et al. 2006", ONE, "mean size"
            ),
        )
    }
)  # fmt: skip


def risk_measure(key: str) -> Measure:
    """Raises InputError for a measure that is not offered."""
    return _named(key, RISKS, "risk")


def loss_measure(key: str) -> Measure:
    """Raises InputError for a measure that is not offered."""
    return _named(key, LOSSES, "loss")


def _named(key: str, offered: Mapping[str, Measure], what: str) -> Measure:
    if not isinstance(key, str) or key not in offered:
        raise InputError(
            f"There is no such measure of {what}. Choose one of: {', '.join(offered)}.", code="choice-unknown"
        )
    return offered[key]


def terms(number: int, n: np.ndarray, p: np.ndarray, c: np.ndarray, k: int) -> np.ndarray:
    """float64, one for each group with records: its term. ``n``, ``p`` and ``c`` are its records, people and cells."""
    n = n.astype(float)
    if number == PEOPLE:
        return n / p
    if number == ONE:
        return np.ones(len(n))
    if number == BELOW_K:
        return np.where(n < k, n, 0.0)
    if number == ONE_OF_PEOPLE:
        return 1 / p
    if number == ONE_OF_RECORDS:
        return 1 / n
    if number == KL:
        return -xlogy(n, n)
    if number == KL_OBSERVED:
        return -xlogy(n, n) + xlogy(n, c)
    if number == SQUARE:
        return n * n
    return np.zeros(len(n))


def interval_terms(number: int, n: np.ndarray, width: np.ndarray, spread: np.ndarray, values: int) -> np.ndarray:
    """float64, one an interval: its term. ``n`` are its records, ``width`` its values of the domain's ``values``, and
    ``spread`` the sum of m ln m over the records m of each of its values."""
    if number == VOLUME:
        return n * np.log(width)
    if number == ENTROPY:
        return xlogy(n, n) - spread
    if number == WIDTH:
        return n * (width - 1) / max(1, values - 1)
    return np.zeros(len(n))

"""Pitman's sampling formula: its two parameters by maximum likelihood, and the people who are alone under it."""

from __future__ import annotations

from math import exp, log, log1p

from scipy.optimize import brentq
from scipy.special import betaln, digamma

from anonlib.counting.classes import AnonymityVector

_ASYMPTOTIC = 1e3  # from here on a difference of digammas loses digits, and its series has lost none
_NEAREST_TO_1 = 1 - 1e-12


def fit(vector: AnonymityVector) -> tuple[float, float] | None:
    """The parameters under which the file's class sizes are likeliest.

    Parameters
    ----------
    vector : AnonymityVector
        The file's class sizes.

    Returns
    -------
    (float, float) or None
        ``theta`` above ``-alpha``, and ``alpha`` in [0, 1). None where every record is alone, or all are in one class:
        the likelihood then has no maximum.

    Notes
    -----
    ``sum_{i<u} log(theta + i alpha) - sum_{i<n} log(theta + i) + sum_j C_j sum_{i<j} log(i - alpha)`` rises and then
    falls in ``theta`` for each ``alpha``; ``alpha`` is where the derivative along these maxima is 0, or 0 where it is
    falling from the start (Ewens's formula). Sums of reciprocals are differences of digammas, so that nothing grows
    with the number of records.

    References
    ----------
    Hoshino 2001, equation of the likelihood; Pitman 1995.
    """
    n, u = vector.n_records, int(vector.classes.sum())
    if not 1 < u < n:
        return None
    if _slope_in_alpha(vector, 0.0, _best_theta(n, u, 0.0)) <= 0:
        return _best_theta(n, u, 0.0), 0.0

    def slope(alpha: float) -> float:
        return _slope_in_alpha(vector, alpha, _best_theta(n, u, alpha))

    if slope(_NEAREST_TO_1) >= 0:
        return None
    alpha = float(brentq(slope, 0.0, _NEAREST_TO_1, xtol=1e-12))
    return _best_theta(n, u, alpha), alpha


def expected_alone(theta: float, alpha: float, people: int) -> float:
    """People who are alone among so many, as Pitman's formula expects them.

    Parameters
    ----------
    theta, alpha : float
        As :func:`fit` gives them.
    people : int
        1 or more.

    Returns
    -------
    float
        ``N (theta + alpha) ... (theta + alpha + N - 2) / ((theta + 1) ... (theta + N - 1))``, of which
        ``Gamma(theta + 1) / Gamma(theta + alpha) N^alpha`` is the limit for many people.

    References
    ----------
    Hoshino 2001; Pitman 1995.
    """
    return exp(log(people) + betaln(theta + alpha + people - 1, 1 - alpha) - betaln(theta + alpha, 1 - alpha))


def reciprocals(start: float, terms: int) -> float:
    """``1 / start + 1 / (start + 1) + ...``, so many terms; ``start`` above 0."""
    if start < _ASYMPTOTIC:
        return float(digamma(start + terms) - digamma(start))
    end = start + terms
    first = terms / (start * end)  # 1 / start - 1 / end, without the cancellation
    return log1p(terms / start) + first / 2 + first * (1 / start + 1 / end) / 12


def _slope_in_theta(n: int, u: int, alpha: float, theta: float) -> float:
    """Derivative of the log-likelihood in ``theta``."""
    of_classes = (u - 1) / theta if alpha == 0 else reciprocals(theta / alpha + 1, u - 1) / alpha
    return of_classes - reciprocals(theta + 1, n - 1)


def _best_theta(n: int, u: int, alpha: float) -> float:
    """The ``theta`` that is likeliest for an ``alpha``."""
    # Below the first the slope is positive and above the last negative, by the largest and smallest of its terms.
    least = 1 / (1 / (1 - alpha) + 2 + log(n))
    most = n * (n - 1) / (2 * (n - u)) + 1
    above = brentq(lambda x: _slope_in_theta(n, u, alpha, exp(x) - alpha), log(least), log(most + alpha), xtol=1e-13)
    return exp(above) - alpha


def _slope_in_alpha(vector: AnonymityVector, alpha: float, theta: float) -> float:
    """Derivative of the log-likelihood in ``alpha``."""
    u = int(vector.classes.sum())
    if alpha == 0:
        of_classes = u * (u - 1) / (2 * theta)
    else:
        of_classes = ((u - 1) - theta * reciprocals(theta / alpha + 1, u - 1) / alpha) / alpha
    within = digamma(vector.sizes - alpha) - digamma(1 - alpha)
    return of_classes - float(vector.classes @ within)

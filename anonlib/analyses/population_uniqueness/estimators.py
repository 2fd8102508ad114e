"""Three estimators of who is alone in the population, from the class sizes of the file.

Zayatz's estimator comes first: the population's classes are taken to be of the sizes that the file's have. Next is
Pitman's sampling formula: its two parameters by maximum likelihood, and the people who are alone under it. The last is
the slide negative binomial (SNB): class sizes of the population are 1 and a negative binomial number more.
"""

from __future__ import annotations

from math import exp, log, log1p, sqrt

import numpy as np
from scipy.optimize import brentq
from scipy.special import betaln, digamma

from anonlib.counting.classes import AnonymityVector


def share_alone(vector: AnonymityVector, people: int) -> float:
    """The probability that who is alone in the file is alone in the population.

    Parameters
    ----------
    vector : AnonymityVector
        The file's class sizes, of which 1 is one.
    people : int
        People of the population, at least the records of the file.

    Returns
    -------
    float
        ``C_1 h(1) / sum_i C_i h(i)``, in (0, 1], with ``h(i)`` the hypergeometric probability that of ``i`` of ``N``
        people one is among the ``n`` drawn.

    References
    ----------
    Zayatz 1991.
    """
    drawn_once = np.exp(_log_drawn_once(vector.sizes, vector.n_records, people))
    return float(vector.classes[0] / (vector.classes @ drawn_once))


def _log_drawn_once(sizes: np.ndarray, n: int, people: int) -> np.ndarray:
    """``log(h(i) / h(1))``: ``i`` may be the one, and each of the other ``i - 1`` is not drawn, given those before."""
    most = min(int(sizes[-1]), people - n + 1)  # of more people than are left out, more than one is drawn for sure
    others = np.arange(1, most)
    none_of_others = np.append(0.0, np.cumsum(np.log1p(-(n - 1) / (people - others))))
    possible = sizes <= most
    logs = np.full(len(sizes), -np.inf)
    logs[possible] = np.log(sizes[possible]) + none_of_others[sizes[possible] - 1]
    return logs


_ASYMPTOTIC = 1e3  # from here on a difference of digammas loses digits, and its series has lost none
_NEAREST_TO_1 = 1 - 1e-12


def fit_pitman(vector: AnonymityVector) -> tuple[float, float] | None:
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


def expected_alone_by_pitman(theta: float, alpha: float, people: int) -> float:
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


# Where a change of sign is looked for: the ends are where classes have the sizes of a Poisson law, and where all but a
# few are of size 1.
_GRID = np.concatenate([np.geomspace(1e-9, 0.05, 40), np.linspace(0.06, 0.94, 45), 1 - np.geomspace(0.05, 1e-12, 40)])


def expected_classes(vector: AnonymityVector, people: int) -> float:
    """Shlosser's estimate of how many classes the population has.

    Parameters
    ----------
    vector : AnonymityVector
        The file's class sizes, of which 1 is one.
    people : int
        People of the population, more than the records of the file.

    Returns
    -------
    float
        ``u + C_1 sum_i (1 - f)^i C_i / sum_i i f (1 - f)^(i - 1) C_i``, from ``u`` to ``people``.

    References
    ----------
    Shlosser 1981, as in Haas and Stokes 1998.
    """
    f = vector.n_records / people
    unseen = np.exp(vector.sizes * log1p(-f)) * vector.classes
    once = vector.sizes * f / (1 - f) * unseen
    return float(vector.classes.sum() + vector.classes[0] * unseen.sum() / once.sum())


def fit_negative_binomial(vector: AnonymityVector, people: int) -> tuple[float, float, float] | None:
    """The parameters that give the file's numbers of classes of 1 and of 2.

    Parameters
    ----------
    vector : AnonymityVector
        The file's class sizes, of which 1 is one.
    people : int
        People of the population, more than the records of the file.

    Returns
    -------
    (float, float, float) or None
        ``K``, the population's classes; ``alpha`` above 0 and ``beta`` in (0, 1), of which the sizes less 1 follow the
        negative binomial law of success probability ``beta``. None where the two equations have no solution, or no
        class has two records.

    Notes
    -----
    With each person in the file with probability ``f`` and ``q = f (1 - beta) / (1 - (1 - f)(1 - beta))``, a class has
    ``i`` records with the probability that ``(1 - f + f s) (1 - q)^alpha (1 - q s)^-alpha`` has for ``s^i``. So
    ``E[C_1] = K (1 - q)^alpha (f + (1 - f) alpha q)`` and
    ``E[C_2] = K (1 - q)^alpha alpha q (f + (1 - f)(alpha + 1) q / 2)``. Their quotient is quadratic in ``alpha q``.

    References
    ----------
    Chen and McNulty 1998; both equations are derived again here.
    """
    once, twice = (int(vector.classes[vector.sizes == size].sum()) for size in (1, 2))
    if not twice:
        return None
    f, classes = vector.n_records / people, expected_classes(vector, people)

    def excess(q: float) -> float:
        """``log(E[C_1] / C_1)`` where ``E[C_2] / E[C_1]`` is as in the file."""
        product = _alpha_q(q, f, twice / once)
        return log(classes / once) + product / q * log1p(-q) + log(f + (1 - f) * product)

    values = np.array([excess(q) for q in _GRID])
    falls = np.flatnonzero((values[:-1] > 0) & (values[1:] <= 0))
    if not len(falls):
        return None
    q = float(brentq(excess, _GRID[falls[0]], _GRID[falls[0] + 1], xtol=1e-14))
    return classes, _alpha_q(q, f, twice / once) / q, f * (1 - q) / (f + (1 - f) * q)


def expected_alone_by_negative_binomial(classes: float, alpha: float, beta: float) -> float:
    """People who are alone in the population: ``K beta^alpha``, at most ``C_1 / f`` for what :func:`fit` gives."""
    return classes * exp(alpha * log(beta))


def _alpha_q(q: float, f: float, ratio: float) -> float:
    """``alpha q`` for which ``E[C_2] / E[C_1]`` is the ``ratio``: the one positive root of a quadratic equation."""
    half = f + (1 - f) * (q / 2 - ratio)
    root = sqrt(half * half + 2 * (1 - f) * ratio * f)
    return 2 * ratio * f / (half + root) if half > 0 else (root - half) / (1 - f)

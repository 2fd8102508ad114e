"""The slide negative binomial (SNB): class sizes of the population are 1 and a negative binomial number more."""

from __future__ import annotations

from math import exp, log, log1p, sqrt

import numpy as np
from scipy.optimize import brentq

from anonlib.counting.classes import AnonymityVector

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


def fit(vector: AnonymityVector, people: int) -> tuple[float, float, float] | None:
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


def expected_alone(classes: float, alpha: float, beta: float) -> float:
    """People who are alone in the population: ``K beta^alpha``, at most ``C_1 / f`` for what :func:`fit` gives."""
    return classes * exp(alpha * log(beta))


def _alpha_q(q: float, f: float, ratio: float) -> float:
    """``alpha q`` for which ``E[C_2] / E[C_1]`` is the ``ratio``: the one positive root of a quadratic equation."""
    half = f + (1 - f) * (q / 2 - ratio)
    root = sqrt(half * half + 2 * (1 - f) * ratio * f)
    return 2 * ratio * f / (half + root) if half > 0 else (root - half) / (1 - f)

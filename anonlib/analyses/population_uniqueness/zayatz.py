"""Zayatz's estimator: the population's classes are taken to be of the sizes that the file's have."""

from __future__ import annotations

import numpy as np

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

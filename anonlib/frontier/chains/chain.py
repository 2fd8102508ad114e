"""Chains of the lattice (Xia et al. 2013, Definition 3.5): their policies, and their risk and loss."""

from __future__ import annotations

import numpy as np

from anonlib.frontier.evaluation import Plane


def evaluate_chain(plane: Plane, start: np.ndarray, removed: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Risk and loss of the policy ``start``, and after each boundary of ``removed`` is taken away.

    Two arrays of float64 in [0, 1], ``len(removed)`` + 1 long: what :func:`~anonlib.frontier.evaluation.evaluate` says
    of the same policies, up to rounding. ``start`` is bool, ``n_bits`` long, and need not be the bottom of the lattice;
    ``removed`` are positions of its bits that are 1, each once. Raises InputError for others. For several chains of a
    plane, :class:`~anonlib.frontier.chains.evaluator.Chains` is quicker.
    """
    from anonlib.frontier.chains.evaluator import Chains  # loads the compiler, which takes half a second

    return Chains(plane).evaluate(start, removed)


def along(start: np.ndarray, removed: np.ndarray) -> np.ndarray:
    """bool, ``len(removed)`` + 1 x bits: the policies of the chain."""
    last = np.where(start, len(removed), -1)  # the last step at which the boundary is there
    last[removed] = np.arange(len(removed))
    return np.arange(len(removed) + 1)[:, None] <= last

"""Chains of the lattice (Xia et al. 2013, Definition 3.5): their policies, and their risk and loss."""

from __future__ import annotations

import numpy as np

from anonlib.analyses.frontier.evaluation import Plane


def evaluate_chain(plane: Plane, start: np.ndarray, removed: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Risk and loss along a chain of policies, each with one boundary less than the one before.

    For several chains of a plane, :class:`anonlib.analyses.frontier.chains.evaluator.Chains` is quicker.

    Parameters
    ----------
    plane : Plane
        The policies and their measures.
    start : np.ndarray
        bool, ``n_bits`` long: the first policy, which need not be the bottom of the lattice.
    removed : np.ndarray
        Positions of bits of ``start`` that are 1, each once, in the order in which they go.

    Returns
    -------
    risk, loss : float64 arrays in [0, 1], ``len(removed)`` + 1 long
        What :func:`anonlib.analyses.frontier.evaluation.evaluate` says of the same policies, up to rounding.

    Raises
    ------
    InputError
        For another start, or other positions.
    """
    from anonlib.analyses.frontier.chains.evaluator import Chains  # loads the compiler, which takes half a second

    return Chains(plane).evaluate(start, removed)


def along(start: np.ndarray, removed: np.ndarray) -> np.ndarray:
    """The policies of a chain, the first one included.

    Parameters
    ----------
    start : np.ndarray
        bool, ``n_bits`` long: the first policy, which need not be the bottom of the lattice.
    removed : np.ndarray
        Positions of bits of ``start`` that are 1, each once, in the order in which they go.

    Returns
    -------
    bool array, ``len(removed)`` + 1 x bits
    """
    last = np.where(start, len(removed), -1)  # the last step at which the boundary is there
    last[removed] = np.arange(len(removed))
    return np.arange(len(removed) + 1)[:, None] <= last

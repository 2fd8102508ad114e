"""From a policy of the frontier to steps of the recipe."""

from __future__ import annotations

import numpy as np

from anonlib.analyses.frontier import PolicySpace
from anonlib.basics import words
from anonlib.release.steps import Recode


def steps_of(space: PolicySpace, policy: np.ndarray, reason: str = "") -> tuple[Recode, ...]:
    """A recoding of each column that the policy changes.

    A policy says of each of its columns how it is released, those that it leaves alone included: its steps replace the
    recodings of ``space.attributes`` (``Scope.POLICY``).

    Parameters
    ----------
    space : PolicySpace
        What the policy is one of.
    policy : np.ndarray
        One item a boundary of the space: whether it is kept.
    reason : str
        Why. How many values only the population has is added to it: the file has so many fewer than the mapping.

    Returns
    -------
    tuple of Recode
        One step a column that changes.
    """
    steps = []
    for name, recoding in space.recode(policy).items():
        of_file = {*space.domains[space.attributes.index(name)].values, *(space.also or {}).get(name, ())}
        more = sum(value not in of_file for value, _ in recoding.labels_of)
        only = f"{words.count(more, 'values')} only in the population" if more else ""
        steps.append(Recode(name, recoding, "; ".join(part for part in (reason, only) if part)))
    return tuple(steps)

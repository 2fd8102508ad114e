"""All policies of a small space: the frontier itself."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from anonlib.analyses.frontier.evaluation import Plane
from anonlib.analyses.frontier.pace import Pace
from anonlib.analyses.frontier.result import Frontier
from anonlib.basics.budget import UNLIMITED
from anonlib.basics.errors import InputError

MOST_BITS = 14
_AT_ONCE = 64


def enumeration(plane: Plane) -> Iterator[Frontier]:
    """Look at every policy.

    Parameters
    ----------
    plane : Plane
        The policies and their measures.

    Returns
    -------
    iterator of Frontier
        What was found so far, every so much work; the last one is ``exact`` and ``finished``.

    Raises
    ------
    InputError
        For more than 14 boundaries (16,384 policies).
    """
    n_bits = plane.space.n_bits
    if n_bits > MOST_BITS:
        raise InputError(
            f"There are {n_bits:,} boundaries; with more than {MOST_BITS} there are too many policies to look at all. "
            "Choose another search, or fewer attributes or values.",
            code="too-many-policies",
        )
    return _frontiers(Pace(plane, "enumeration", None, UNLIMITED))


def _frontiers(pace: Pace) -> Iterator[Frontier]:
    archive = pace.archive
    plane, n_bits = archive.plane, archive.plane.space.n_bits
    last = plane.space.n_policies - 1
    for first in range(1, last, _AT_ONCE):  # top and bottom, all 0 and all 1, are there from the start
        numbers = np.arange(first, min(first + _AT_ONCE, last))
        policies = (numbers[:, None] >> np.arange(n_bits)) % 2 == 1
        sums = np.array([plane.sums(policy) for policy in policies])
        archive.evaluations += len(policies)
        archive.add(policies, *plane.finish(sums[:, 0], sums[:, 1]))
        if pace.due(plane.work_of_sums * len(policies)):
            yield from archive.show()
    yield from archive.show(finished=True, exact=True)

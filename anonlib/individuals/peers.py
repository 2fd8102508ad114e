"""An individual's peers for one set of known variables (Kroes et al. 2021, “Privacy measures”)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from anonlib.classes import ClassTable
from anonlib.classes.subsets import Subset, Subsets
from anonlib.errors import InputError
from anonlib.individuals.measures import NOT_NEAR, Measure, checked_measure, checked_share, poac
from anonlib.individuals.proximity import Proximity, position


@dataclass(frozen=True, eq=False)
class PeerCounts:
    """Peers of each class for known variables A and a sensitive variable s.

    Attributes
    ----------
    sensitive, known : names of s and of the variables in A.
    peers : int64, per class of the table the records equal to it in A, itself included: c_A.
    same : int64, those among them with its value of s: c_{A+s}.
    values : the values of s (None: missing).
    value : per class the position of its own value of s.
    near : numbers within a distance counted as equal.
    """

    sensitive: str
    known: tuple[str, ...]
    peers: np.ndarray
    same: np.ndarray
    values: np.ndarray
    value: np.ndarray
    _known: Subset  # the classes of A
    _both: Subset  # the classes of A and s
    near: bool = False

    @property
    def npp(self) -> np.ndarray:
        """int64, number of protective peers: peers with another value of s."""
        return self.peers - self.same

    @property
    def ppp(self) -> np.ndarray:
        """float64 in [0, 1), proportion of protective peers: NPP / peers."""
        return self.npp / self.peers

    def pp(self, value: str | None) -> np.ndarray:
        """float64, per class the share of its peers that have ``value``: PP_v where that is not its own."""
        self._exact()
        found = [i for i, other in enumerate(self.values) if other == value]
        if not found:
            raise InputError(f"“{self.sensitive}” has no such value.")
        share = np.zeros(len(self._known.sizes))
        having = self.value == found[0]
        group = self._known.group[having]
        share[group] = self._both.sizes[self._both.group[having]] / self._known.sizes[group]
        return share[self._known.group]

    def poac(self, q: float = 0.0) -> np.ndarray:
        """float64 in [0, 1], share of the other values of s that more than q of the peers have; NaN if s has one."""
        self._exact()
        return poac(self._known, self._both, len(self.values), checked_share(q, "q"))

    def measure(self, measure: Measure, q: float = 0.0) -> np.ndarray:
        """float64, the measure of this name."""
        checked_measure(measure)
        if measure == "poac":
            return self.poac(q)
        return self.ppp if measure == "ppp" else self.npp.astype(np.float64)

    def _exact(self) -> None:
        if self.near:
            raise InputError(NOT_NEAR)


def protective_peers(
    classes: ClassTable, sensitive: str, known: Sequence[str], *, within: Mapping[str, float] | None = None
) -> PeerCounts:
    """Peers, and peers with the same value of ``sensitive``, for the known variables (none: everyone is a peer).

    ``within``: variable -> distance within which its numbers count as equal. Raises InputError for an unknown
    variable, or when the sensitive one is known.
    Source: Kroes et al. 2021, “Privacy measures”: PPP, NPP and PP.
    """
    s, members = position(classes, sensitive), [position(classes, name) for name in known]
    if s in members or len(set(members)) < len(members):
        raise InputError(f"Known variables are named once each, and “{sensitive}”, being sensitive, is not among them.")
    return counted(classes, s, members, Proximity.of(classes, within or {}))


def counted(classes: ClassTable, s: int, members: Sequence[int], proximity: Proximity) -> PeerCounts:
    """:func:`protective_peers` by positions of attributes."""
    walk = Subsets(classes)
    known = walk.everyone()
    for j in members:
        known = walk.refine(known, j)
    both = walk.refine(known, s)
    return PeerCounts(
        classes.attributes[s],
        tuple(classes.attributes[j] for j in members),
        proximity.sizes(classes, known)[known.group],
        proximity.sizes(classes, both)[both.group],
        classes.categories[s],
        classes.codes[:, s],
        known,
        both,
        bool(proximity),
    )

"""An individual's peers for one set of known variables (Kroes et al. 2021, “Privacy measures”)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from anonlib.analyses.individuals.attacker import KNOWS_ANY, NOT_NEAR, Attacker
from anonlib.analyses.individuals.proximity import Proximity, position
from anonlib.basics.errors import InputError
from anonlib.counting.classes import ClassTable
from anonlib.counting.classes.coding import sum_by
from anonlib.counting.classes.covering import CoveredSubset, CoveredSubsets, subsets_of
from anonlib.counting.classes.subsets import Subset


@dataclass(frozen=True, eq=False)
class PeerCounts:
    """Peers of each class for known variables A and a sensitive variable s.

    Attributes
    ----------
    attacker : Attacker
        Gives the measure, q, and what counts as equal.
    sensitive : str
        The sensitive variable s.
    known : tuple[str, ...]
        The known variables A.
    peers : np.ndarray
        int64, per class of the table the records equal to it in A, itself included: c_A.
    same : np.ndarray
        int64, those among them with its value of s: c_{A+s}. Spellings that a person reads as one value are one.
    n_values : int
        How many values s has.
    """

    attacker: Attacker
    sensitive: str
    known: tuple[str, ...]
    peers: np.ndarray
    same: np.ndarray
    n_values: int
    _known: Subset  # the classes of A
    _both: Subset  # the classes of A and s
    _spelled: PeerCounts | None = None  # the same by spellings, where some are read as one value
    _poac: np.ndarray | None = None  # where it is not to be had from these, labels being of several levels

    @property
    def npp(self) -> np.ndarray:
        """int64, number of protective peers: peers with another value of s."""
        return self.peers - self.same

    @property
    def ppp(self) -> np.ndarray:
        """float64 in [0, 1), proportion of protective peers: NPP / peers."""
        return self.npp / self.peers

    @property
    def poac(self) -> np.ndarray:
        """float64 in [0, 1], share of the other values of s that more than q of the peers have; NaN if s has one."""
        if self.attacker.is_near:
            raise InputError(NOT_NEAR, code="knowledge-unclear")
        by_labels = poac(self._known, self._both, self.n_values, self.attacker.q_of(self.sensitive))
        as_read = by_labels if self._poac is None else self._poac
        return as_read if self._spelled is None else np.fmin(as_read, self._spelled.poac)

    @property
    def values(self) -> np.ndarray:
        """float64, the attacker's measure."""
        if self.attacker.measure == "poac":
            return self.poac
        return self.ppp if self.attacker.measure == "ppp" else self.npp.astype(np.float64)


def protective_peers(
    classes: ClassTable, sensitive: str, known: Sequence[str], attacker: Attacker = KNOWS_ANY
) -> PeerCounts:
    """Peers, and peers with the same value of a sensitive variable, for one set of known variables.

    Parameters
    ----------
    classes : ClassTable
        The variables, known and sensitive together.
    sensitive : str
        The sensitive variable s.
    known : Sequence[str]
        The known variables A; none: everyone is a peer.
    attacker : Attacker, default KNOWS_ANY
        The measure, q, and which numbers count as equal; what it knows is ``known``.

    Returns
    -------
    PeerCounts

    Raises
    ------
    InputError
        For an unknown variable, or when the sensitive one is known.

    References
    ----------
    Kroes et al. 2021, “Privacy measures”, Examples 1 to 3.

    Examples
    --------
    Table 1 with ages by ten years. Alice, the first, is one of two women of 45 to 54; the other one has diabetes, and
    that is one of the two diagnoses that are not Alice's.

    >>> import pandas as pd
    >>> people = pd.DataFrame({
    ...     "diagnosis": ["Cancer", "Cancer", "Cancer", "Arthrosis", "Diabetes"],
    ...     "gender": ["Female", "Male", "Female", "Male", "Female"],
    ...     "age": ["45-54", "35-44", "35-44", "55-64", "45-54"],
    ... })
    >>> classes = ClassTable.from_frame(people)
    >>> alice = classes.class_of_record[0]
    >>> peers = protective_peers(classes, "diagnosis", ["age", "gender"])
    >>> int(peers.npp[alice]), float(peers.ppp[alice]), float(peers.poac[alice])
    (1, 0.5, 0.5)
    """
    s, members = position(classes, sensitive), [position(classes, name) for name in known]
    if s in members or len(set(members)) < len(members):
        raise InputError(
            f"Known variables are named once each, and “{sensitive}”, being sensitive, is not among them.",
            code="column-in-two-roles",
            column=sensitive,
        )
    return counted(classes, s, members, attacker, Proximity.of(classes, attacker))


def counted(
    classes: ClassTable,
    s: int,
    members: Sequence[int],
    attacker: Attacker,
    proximity: Proximity,
    *,
    spelled: bool = False,
) -> PeerCounts:
    """:func:`protective_peers` by positions of attributes; ``spelled`` tells values of s apart by their spelling."""
    if not spelled and (read := classes.read(classes.attributes[s])) is not None:
        as_read = counted(read, s, members, attacker, Proximity.of(read, attacker), spelled=True)
        return replace(as_read, _spelled=counted(classes, s, members, attacker, proximity, spelled=True))
    walk = subsets_of(classes)
    known = walk.everyone()
    for j in members:
        known = walk.refine(known, j)
    both = walk.refine(known, s)
    return PeerCounts(
        attacker=attacker,
        sensitive=classes.attributes[s],
        known=tuple(classes.attributes[j] for j in members),
        peers=proximity.sizes(classes, known)[known.group],
        same=proximity.sizes(classes, both)[both.group],
        n_values=classes.n_values(s),
        _known=known,
        _both=both,
        _poac=poac_of_candidates(walk, known, s, attacker.q_of(classes.attributes[s]))
        if isinstance(walk, CoveredSubsets) and attacker.measure == "poac"
        else None,
    )


def poac(known: Subset, both: Subset, n_values: int, q: float) -> np.ndarray:
    """float64, per class of the table: the share of the other values of s that more than q of its peers have.

    ``known`` are the classes of A, ``both`` those of A and s. NaN when s has one value: there is no other.
    """
    if n_values == 1:
        return np.full(len(known.group), np.nan)
    parent = known.group.take(both.row)
    considered = both.sizes / known.sizes.take(parent) > q
    number = np.bincount(parent, weights=considered, minlength=len(known.sizes))
    return (number.take(known.group) - considered.take(both.group)) / (n_values - 1)


def poac_of_candidates(walk: CoveredSubsets, known: Subset, s: int, q: float) -> np.ndarray:
    """The same where labels are of several levels: a value comes into question for all whose label covers it."""
    assert isinstance(known, CoveredSubset)
    n_values = walk.spans[s]
    if n_values == 1:
        return np.full(len(known.group), np.nan)
    of_class, value, candidates = walk.having(known, s)
    considered = candidates / known.sizes[of_class] > q
    number = sum_by(of_class, len(known.sizes), considered.astype(np.int64))
    own = np.searchsorted(of_class * n_values + value, known.group * n_values + walk.columns[s])
    return (number[known.group] - considered[own]) / (n_values - 1)

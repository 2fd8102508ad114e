"""What a file made elsewhere lets infer of the people of the original: each of them is looked up in it.

Nobody knows whose the records of such a file are, and they may be nobody's: it is synthetic, or another program
protected it. So an individual's peers for known variables A are the records *of that file* whose labels in A are true
of the individual's values, and *same* are those whose label in s is true of their value there. Who has no peers for A
has nothing inferred of them from A. A record whose label in s is true of every value says nothing of s, and is nobody's
peer where s is inferred.

What a file says of somebody may hold of everybody alike. So the same is asked of the original without the individual's
own record: what is certain there too is no doing of the file. This is how Kroes et al. 2023 compare donors that their
synthetic data were made of with donors that they were not made of; here each is compared with all others.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial

import numpy as np
import pandas as pd

from anonlib.analyses.individuals.attacker import KNOWS_ANY, Attacker
from anonlib.analyses.individuals.measures import AttackOnTable
from anonlib.analyses.individuals.profile import PrivacyProfile, least_by_size, profile_of
from anonlib.analyses.individuals.sampling import MEMORY, Individuals
from anonlib.basics.progress import Progress, share_of
from anonlib.counting.classes.beside import PeopleBeside
from anonlib.counting.classes.covering import CoveredSubset, CoveredSubsets, CoveredTable, subsets_of
from anonlib.counting.classes.subsets import Subset, Subsets


@dataclass(frozen=True, eq=False)
class UnanimousPeers:
    """What the records of another file that are like an individual say of one variable, all others being known.

    Attributes
    ----------
    peers : np.ndarray
        int64, per individual looked at the records that are like it and say something of the variable.
    right : np.ndarray
        bool: there are some, and all of them have its value.
    wrong : np.ndarray
        bool: all of them have one value, which is not its own; its own is known.
    """

    peers: np.ndarray
    right: np.ndarray
    wrong: np.ndarray


@dataclass(frozen=True, eq=False)
class PrivacyElsewhere:
    """What a file made elsewhere lets infer of each individual of the original.

    Attributes
    ----------
    profile : PrivacyProfile
        The least value over what may be known, peers being records of the other file. NaN in its ``values`` is who has
        nothing to infer, or no peers (``profile.without_peers``).
    from_others : PrivacyProfile
        The same of the original without the individual's own record, by what the other file distinguishes.
    agreement : tuple[UnanimousPeers, ...]
        Per sensitive variable, with all others known.
    commonest : tuple[float, ...]
        Per sensitive variable the share of the individuals with something to infer whose value is the commonest one in
        the other file, in [0, 1]; of several as common ones their mean. NaN where nobody has something to infer.
    """

    profile: PrivacyProfile
    from_others: PrivacyProfile
    agreement: tuple[UnanimousPeers, ...]
    commonest: tuple[float, ...]

    @property
    def people(self) -> Individuals:
        """The individuals looked at, a row a class of the original."""
        return self.profile.people

    def anyway(self, p: float) -> np.ndarray:
        """bool, rows x sensitive: the value is certain at ``p`` from the other people of the original, too."""
        return self.from_others.values <= p

    def at_most(self, known: int) -> PrivacyElsewhere:
        """Against an attacker who knows at most so many variables; costs nothing. InputError as the profile's."""
        return replace(self, profile=self.profile.at_most(known), from_others=self.from_others.at_most(known))

    def to_frame(self, p: float) -> pd.DataFrame:
        """One row a sensitive variable, in numbers of individuals (of all, estimated where a sample was taken).

        Parameters
        ----------
        p : float
            The threshold of the measure.

        Returns
        -------
        DataFrame
            Columns ``variable``, ``individuals`` (at or below ``p`` in the other file), ``share``, ``anyway`` (of
            these, so too from the other people of the original), ``without_peers``, ``right`` and ``wrong`` (whose
            peers agree when all other variables are known), ``commonest`` (share).
        """
        certain, number = self.profile.values <= p, self.people.number
        return pd.DataFrame(
            {
                "variable": self.profile.sensitive,
                "individuals": number(certain),
                "share": self.people.share(certain),
                "anyway": number(certain & self.anyway(p)),
                "without_peers": number(self.profile.without_peers),
                "right": [int(number(agreement.right)) for agreement in self.agreement],
                "wrong": [int(number(agreement.wrong)) for agreement in self.agreement],
                "commonest": self.commonest,
            }
        )


def privacy_elsewhere(
    beside: PeopleBeside,
    attacker: Attacker = KNOWS_ANY,
    *,
    sensitive: str | Sequence[str] | None = None,
    memory: int = MEMORY,
    rng: np.random.Generator | None = None,
    progress: Progress | None = None,
) -> PrivacyElsewhere:
    """What a file made elsewhere lets infer of every individual of the original, each variable being sensitive in turn.

    Parameters
    ----------
    beside : PeopleBeside
        The people of the original, and the records of the other file.
    attacker : Attacker, default KNOWS_ANY
        What may be known, and the measure.
    sensitive : str | Sequence[str], optional
        The sensitive variables; all when left out.
    memory : int, default MEMORY
        Bytes for counts and results; past it a random sample of individuals is looked at, each still looked up in all
        records.
    rng : np.random.Generator, optional
        Draws the seed of that sample; seed 0 without it.
    progress : Progress, optional
        Called with the share done; what it raises stops the work.

    Returns
    -------
    PrivacyElsewhere

    Raises
    ------
    InputError
        As ``privacy_profile``.

    References
    ----------
    Kroes et al. 2021, “Privacy measures”; Kroes et al. 2023, “Evaluating cluster-based synthetic data generation for
    blood-transfusion analysis”, who look originals up in what was made of them and of others.

    Examples
    --------
    A file of two records is made of three people. It is right of the first, wrong of the second, and has nobody like
    the third; that who is 30 has flu was not known from the others.

    >>> from anonlib.counting.classes import ClassTable
    >>> from anonlib.counting.classes.beside import TrueLabels
    >>> people = ClassTable.from_frame(pd.DataFrame({"age": ["30", "31", "40"], "ill": ["flu", "flu", "gout"]}))
    >>> made = ClassTable.from_frame(pd.DataFrame({"age": ["30", "31"], "ill": ["flu", "gout"]}))
    >>> ages, illnesses = TrueLabels.of([[0], [1], []]), TrueLabels.of([[0], [1]])
    >>> beside = PeopleBeside.of(people, made, [ages, illnesses])
    >>> lookup = privacy_elsewhere(beside, sensitive="ill")
    >>> lookup.profile.values[:, 0].tolist(), lookup.profile.without_peers[:, 0].tolist()
    ([0.0, 1.0, nan], [False, False, True])
    >>> lookup.anyway(0)[:, 0].tolist(), lookup.agreement[0].wrong.tolist()
    ([False, False, False], [False, True, False])
    """
    table = beside.table
    attack = AttackOnTable.of(table, sensitive, attacker)
    names = [table.attributes[s] for s in attack.sensitive]
    silent = [i for i, s in enumerate(attack.sensitive) if beside.silent[s] is not None]
    n_parts = 2 + len(silent)

    def part(i: int) -> Progress | None:
        return progress and share_of(progress, i / n_parts, (i + 1) / n_parts)

    people, by_size = least_by_size(table, attack, partial(_chosen, beside, memory, rng), part(0))
    for done, i in enumerate(silent):
        about = beside.about(attack.sensitive[i])
        _, of_one = least_by_size(about, attack.against(about, i), lambda _: people, part(1 + done))
        by_size[:, i] = of_one[:, 0]
    shown = beside.as_shown
    of_others = replace(AttackOnTable.of(shown, names, attacker), own=1)
    _, from_others = least_by_size(shown, of_others, lambda _: people, part(n_parts - 1))
    profile = profile_of(table, attack, people, by_size, beside.people)
    looked_up = [_looked_up(beside, s, people.rows, attacker) for s in attack.sensitive]
    return PrivacyElsewhere(
        profile,
        profile_of(shown, of_others, people, from_others, beside.people),
        tuple(
            replace(agreement, right=agreement.right & ~unharmed, wrong=agreement.wrong & ~unharmed)
            for (agreement, _), unharmed in zip(looked_up, profile.unharmed.T, strict=True)
        ),
        tuple(
            _mean(commonest, people.counts * ~unharmed)
            for (_, commonest), unharmed in zip(looked_up, profile.unharmed.T, strict=True)
        ),
    )


def _chosen(beside: PeopleBeside, memory: int, rng: np.random.Generator | None, bytes_each: int) -> Individuals:
    return Individuals.chosen(beside.people, bytes_each, memory, rng)


def _mean(values: np.ndarray, weights: np.ndarray) -> float:
    return float(values @ weights / weights.sum()) if weights.any() else float("nan")


def _looked_up(beside: PeopleBeside, s: int, rows: np.ndarray, attacker: Attacker) -> tuple[UnanimousPeers, np.ndarray]:
    """What records say of the s-th variable with all others known; and for each individual its value's share of the
    commonest ones in the other file: 1 divided by how many are as common, 0 if its value is none of them."""
    name = beside.table.attributes[s]
    about = beside.about(s)
    read = about.read(name) or about
    walk = subsets_of(read)
    nothing = known = walk.everyone()
    for j in range(len(read.attributes)):
        if j != s:
            known = walk.refine(known, j)
    value = walk.columns[s]
    ruled_out = np.zeros(walk.spans[s], dtype=bool)  # as a value that somebody could be certain of
    if not attacker.missing_is_harm:
        if isinstance(read, CoveredTable):
            ruled_out[value[: beside.people.n_classes][beside.people.is_missing(s)]] = True
        else:  # a missing value may be under a label that others have too
            ruled_out[: len(read.categories[s])] |= np.array([text is None for text in read.categories[s]], dtype=bool)
    group, of_value, records = _having(walk, known, s)
    peers = known.sizes
    is_all = (records == peers[group]) & (records > 0) & ~ruled_out[of_value]
    some = np.bincount(group, weights=is_all, minlength=len(peers)) > 0
    agreed = group[is_all] * walk.spans[s] + of_value[is_all]
    right = np.isin(known.group[rows] * walk.spans[s] + value[rows], agreed)
    _, every_value, of_all = _having(walk, nothing, s)
    total = np.zeros(walk.spans[s])
    total[every_value] = np.where(ruled_out[every_value], 0, of_all)
    commonest = (total == total.max(initial=0)) & (total > 0)
    return (
        UnanimousPeers(peers[known.group][rows], right, some[known.group][rows] & ~right),
        commonest[value[rows]] / max(1, int(commonest.sum())),
    )


def _having(walk: Subsets, known: Subset, s: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Class of a subset, value of the s-th variable, and the records of the class that may have it."""
    if isinstance(walk, CoveredSubsets):
        assert isinstance(known, CoveredSubset)
        return walk.having(known, s)
    both = walk.refine(known, s)
    return known.group[both.row], walk.columns[s][both.row], both.sizes

"""What each variable adds to an attacker's knowledge: privacy when it alone is unknown (Figure 3)."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
import pandas as pd

from anonlib.analyses.individuals.attacker import KNOWS_ALL, Attacker
from anonlib.analyses.individuals.measures import AttackOnTable, evaluate, n_tabled
from anonlib.analyses.individuals.peers import counted
from anonlib.analyses.individuals.sampling import MEMORY, Individuals
from anonlib.basics.errors import InputError
from anonlib.basics.progress import Progress
from anonlib.counting.classes import ClassTable


@dataclass(frozen=True, eq=False)
class LeaveOneOut:
    """A measure of one sensitive variable, with each auxiliary variable unknown in turn.

    Attributes
    ----------
    people : Individuals
        The individuals looked at, a row a class.
    attacker : Attacker
        What may be known of the variables that are left, and the measure.
    sensitive : str
        The sensitive variable.
    auxiliary : tuple[str, ...]
        The others, each unknown in turn.
    values : np.ndarray
        float64, rows x auxiliary: the value when that variable is unknown; NaN for an individual who has nothing to
        infer, their sensitive value being missing.
    baseline : np.ndarray
        float64, per row the value when none is unknown.
    """

    people: Individuals
    attacker: Attacker
    sensitive: str
    auxiliary: tuple[str, ...]
    values: np.ndarray
    baseline: np.ndarray

    def to_frame(self, p: float) -> pd.DataFrame:
        """One row an auxiliary variable, the one whose hiding protects most first.

        Parameters
        ----------
        p : float
            The threshold of the measure.

        Returns
        -------
        DataFrame
            Columns ``variable``; ``certain`` and ``share_certain``, individuals at or below ``p`` when it is unknown;
        ``freed``, those among the individuals at or below ``p`` now who would no longer be; ``gain``, the mean rise of
        the measure over the individuals who have something to infer. Numbers are of all individuals, estimated when
        a sample was taken.
        """
        certain, now = self.values <= p, (self.baseline <= p)[:, None]
        table = pd.DataFrame(
            {
                "variable": self.auxiliary,
                "certain": self.people.number(certain),
                "share_certain": self.people.share(certain),
                "freed": self.people.number(now & ~certain),
                "gain": self.people.mean_of(self.values - self.baseline[:, None]),
            }
        )
        return table.sort_values(["freed", "gain"], ascending=False, kind="stable", ignore_index=True)


def leave_one_out(
    classes: ClassTable,
    sensitive: str,
    attacker: Attacker = KNOWS_ALL,
    *,
    memory: int = MEMORY,
    rng: np.random.Generator | None = None,
    progress: Progress | None = None,
) -> LeaveOneOut:
    """The privacy of one variable when each other variable of the table is unknown in turn.

    Parameters
    ----------
    classes : ClassTable
        The variables, known and sensitive together.
    sensitive : str
        The sensitive variable.
    attacker : Attacker, default KNOWS_ALL
        Knows all variables that are left (maximum information), or any set, or at most a number of them: then the least
        over these sets. Where one variable is all there is, leaving it out leaves the empty set.
    memory : int, default MEMORY
        Bytes for counts and results; past it a random sample of individuals is looked at, each still counted against
        all records.
    rng : np.random.Generator, optional
        Draws the seed of that sample; seed 0 without it.
    progress : Progress, optional
        Called with the share done; what it raises stops the work.

    Returns
    -------
    LeaveOneOut

    Raises
    ------
    InputError
        When there is no other variable, and as ``privacy_profile``.

    References
    ----------
    Kroes et al. 2021, “Detecting the origin of vulnerabilities”, Figure 3.
    """
    if len(classes.attributes) < 2:
        raise InputError(
            "There is no variable to leave out besides the sensitive one. Choose more.", code="nothing-to-infer-from"
        )
    attack = AttackOnTable.of(classes, sensitive, attacker)
    if len(classes.attributes) == 2:  # alone with the sensitive variable, the one left out leaves nothing to know
        attack = replace(attack, least_known=0)
    (s,) = attack.sensitive
    others = [j for j in range(len(classes.attributes)) if j != s]
    bytes_each = 8 * (len(others) + 1) + 4 * n_tabled(classes, attack)
    people = Individuals.chosen(classes, bytes_each, memory, rng)
    of_each = _all_left if attacker.knows == "all" else _least
    values, baseline = of_each(classes, attack, others, people, progress)
    unharmed = attack.unharmed(classes, people.rows)
    return LeaveOneOut(
        people=people,
        attacker=attacker,
        sensitive=classes.attributes[s],
        auxiliary=tuple(classes.attributes[j] for j in others),
        values=np.where(unharmed, np.nan, values.T),
        baseline=np.where(unharmed[:, 0], np.nan, baseline),
    )


def _all_left(
    classes: ClassTable, attack: AttackOnTable, others: list[int], people: Individuals, progress: Progress | None
) -> tuple[np.ndarray, np.ndarray]:
    """Per variable left out the value when the rest is known, and the value when all are."""

    def with_known(known: list[int]) -> np.ndarray:
        (s,) = attack.sensitive
        return counted(classes, s, known, attack.attacker, attack.proximity).values[people.rows]

    baseline, values = with_known(others), np.empty((len(others), len(people.rows)))
    for i, left in enumerate(others):
        values[i] = with_known([j for j in others if j != left])
        if progress:
            progress((i + 1) / len(others))
    return values, baseline


def _least(
    classes: ClassTable, attack: AttackOnTable, others: list[int], people: Individuals, progress: Progress | None
) -> tuple[np.ndarray, np.ndarray]:
    """Per variable left out the least value over the sets without it, and the least over all sets."""
    values, baseline = np.full((len(others), len(people.rows)), np.inf), np.full(len(people.rows), np.inf)
    for evaluation in evaluate(classes, attack, people.selection(classes), progress):
        for i, j in enumerate(others):
            if not evaluation.mask >> j & 1:
                np.minimum(values[i], evaluation.values, out=values[i])
        if evaluation.known or attack.attacker.include_empty:
            np.minimum(baseline, evaluation.values, out=baseline)
    return values, baseline

"""What each variable adds to an attacker's knowledge: privacy when it alone is unknown (Figure 3)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
import pandas as pd

from anonlib.classes import ClassTable
from anonlib.errors import InputError
from anonlib.individuals.measures import Measure, Progress, Question, evaluate, n_tabled, value_is_missing
from anonlib.individuals.peers import counted
from anonlib.individuals.sampling import MEMORY, Individuals


@dataclass(frozen=True, eq=False)
class LeaveOneOut(Individuals):
    """A measure of one sensitive variable, with each auxiliary variable unknown in turn.

    Attributes
    ----------
    sensitive, auxiliary : the sensitive variable, and the others.
    measure, q : the measure, and PoAC's threshold.
    minimum : the least value over all sets of the variables still known, instead of the value with all of them known.
    values : float64, rows x auxiliary: the value when that variable is unknown; NaN for an individual who has nothing
        to infer, their sensitive value being missing.
    baseline : float64, per row the value when none is unknown.

    The individuals they are of are as in :class:`~anonlib.individuals.sampling.Individuals`.
    """

    sensitive: str
    auxiliary: tuple[str, ...]
    measure: Measure
    q: float
    minimum: bool
    values: np.ndarray
    baseline: np.ndarray

    def to_frame(self, p: float) -> pd.DataFrame:
        """One row an auxiliary variable, the one whose hiding protects most first.

        Columns: ``variable``; ``exposed`` and ``share_exposed``, individuals at or below ``p`` when it is unknown;
        ``freed``, those among the individuals at or below ``p`` now who would no longer be; ``gain``, the mean rise of
        the measure over the individuals who have something to infer. Numbers are of all individuals, estimated when
        a sample was taken.
        """
        exposed, now = self.values <= p, (self.baseline <= p)[:, None]
        table = pd.DataFrame(
            {
                "variable": self.auxiliary,
                "exposed": self.number(exposed),
                "share_exposed": self.share(exposed),
                "freed": self.number(now & ~exposed),
                "gain": self.mean_of(self.values - self.baseline[:, None]),
            }
        )
        return table.sort_values(["freed", "gain"], ascending=False, kind="stable", ignore_index=True)


def leave_one_out(
    classes: ClassTable,
    sensitive: str,
    *,
    measure: Measure = "ppp",
    q: float = 0.0,
    minimum: bool = False,
    max_known: int | None = None,
    within: Mapping[str, float] | None = None,
    missing_is_harm: bool = False,
    memory: int = MEMORY,
    rng: np.random.Generator | None = None,
    progress: Progress | None = None,
) -> LeaveOneOut:
    """The privacy of ``sensitive`` when each other variable of the table is unknown in turn.

    At maximum information (all others known) or, with ``minimum``, the least over the sets of at most ``max_known`` of
    them. Where one variable is all there is, leaving it out leaves the attacker who knows nothing.
    Raises InputError as :func:`~anonlib.individuals.profile.privacy_profile` does.
    Source: Kroes et al. 2021, “Detecting the origin of vulnerabilities”, Figure 3.
    """
    if len(classes.attributes) < 2:
        raise InputError("There is no variable to leave out besides the sensitive one. Choose more.")
    # Alone with the sensitive variable, the one left out leaves nothing to know.
    nothing = len(classes.attributes) == 2
    most = max_known if minimum else 1
    question = Question.of(classes, sensitive, measure, q, most, nothing, within, missing_is_harm)
    (s,) = question.sensitive
    others = [j for j in range(len(classes.attributes)) if j != s]
    each = 8 * (len(others) + 1) + (4 * n_tabled(classes, question) if minimum else 0)
    people = Individuals.chosen(classes, each, memory, rng)
    if minimum:
        values, baseline = _least(classes, question, others, people, progress)
    else:

        def with_known(known: list[int]) -> np.ndarray:
            return counted(classes, s, known, question.proximity).measure(measure, question.q[0])[people.rows]

        baseline, each_left = with_known(others), []
        for done, left in enumerate(others):
            each_left.append(with_known([j for j in others if j != left]))
            if progress:
                progress((done + 1) / len(others))
        values = np.array(each_left)
    unharmed = question.unharmed(value_is_missing(classes, s)[people.rows])
    return LeaveOneOut(
        **vars(people),
        sensitive=classes.attributes[s],
        auxiliary=tuple(classes.attributes[j] for j in others),
        measure=measure,
        q=question.q[0],
        minimum=minimum,
        values=np.where(unharmed[:, None], np.nan, values.T),
        baseline=np.where(unharmed, np.nan, baseline),
    )


def _least(classes, question, others, people, progress) -> tuple[np.ndarray, np.ndarray]:
    """Per variable left out the least value over the sets without it, and the least over all sets."""
    values, baseline = np.full((len(others), len(people.rows)), np.inf), np.full(len(people.rows), np.inf)
    for found in evaluate(classes, question, people.selection(classes), progress):
        for i, j in enumerate(others):
            if not found.mask >> j & 1:
                np.minimum(values[i], found.values, out=values[i])
        if found.known:
            np.minimum(baseline, found.values, out=baseline)
    return values, baseline

"""An attacker who knows each variable with a given probability."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd

from anonlib.analyses.individuals.attacker import KNOWS_ANY, Attacker
from anonlib.analyses.individuals.measures import AttackOnTable, evaluate, n_tabled
from anonlib.analyses.individuals.peers import position
from anonlib.analyses.individuals.sampling import MEMORY, Individuals
from anonlib.basics import checks
from anonlib.basics.errors import InputError
from anonlib.basics.progress import Progress
from anonlib.counting.classes import ClassTable


@dataclass(frozen=True, eq=False)
class BreachProbability:
    """How likely each sensitive value is to be inferred, per class and sensitive variable.

    Attributes
    ----------
    people : Individuals
        The individuals looked at, a row a class.
    attacker : Attacker
        The measure.
    sensitive : tuple[str, ...]
        The sensitive variables, each in turn.
    knowledge : Mapping[str, float]
        Variable -> probability that the attacker knows it, independently of the others.
    p : float
        A set of known variables breaches where the measure is at or below it.
    values : np.ndarray
        float64 in [0, 1], rows x sensitive: the probability that what is known breaches; 0 for who lacks the sensitive
        value, unless that was to count as harm.
    missing : np.ndarray
        float64, rows x sensitive: that a missing value is inferred to be missing; 0 for who has one.
    """

    people: Individuals
    attacker: Attacker
    sensitive: tuple[str, ...]
    knowledge: Mapping[str, float]
    p: float
    values: np.ndarray
    missing: np.ndarray

    @property
    def mean(self) -> np.ndarray:
        """Per sensitive variable, the probability for an individual drawn at random."""
        return self.people.share(self.values)

    def to_frame(self) -> pd.DataFrame:
        """One row a sensitive variable: ``variable``, ``mean`` probability, ``expected`` individuals, ``highest``."""
        return pd.DataFrame(
            {
                "variable": self.sensitive,
                "mean": self.mean,
                "expected": self.mean * self.people.n_records,
                "highest": self.values.max(axis=0, initial=0.0),
            }
        )


def breach_probability(
    classes: ClassTable,
    sensitive: str | Sequence[str] | None,
    knowledge_probability: float | Mapping[str, float],
    attacker: Attacker = KNOWS_ANY,
    *,
    p: float = 0.0,
    memory: int = MEMORY,
    rng: np.random.Generator | None = None,
    progress: Progress | None = None,
) -> BreachProbability:
    """The probability that an attacker who knows each variable with some probability can infer a sensitive value.

    The result is exact: the sum over all sets A of known variables of P(A) times whether A breaches.

    Parameters
    ----------
    classes : ClassTable
        The variables, known and sensitive together.
    sensitive : str | Sequence[str] | None
        The sensitive variables, each unknown in its turn; None for all of the table.
    knowledge_probability : float | Mapping[str, float]
        In [0, 1], one number for all variables, or one a variable (0 for those not named).
    attacker : Attacker, default KNOWS_ANY
        The measure. It may know any set; to know nothing breaches only with ``include_empty``.
    p : float, default 0.0
        A set breaches where it brings the measure to ``p`` or below.
    memory : int, default MEMORY
        Bytes for counts and results; past it a random sample of individuals is looked at, each still counted against
        all records.
    rng : np.random.Generator, optional
        Draws the seed of that sample; seed 0 without it.
    progress : Progress, optional
        Called with the share done; what it raises stops the work.

    Returns
    -------
    BreachProbability

    Raises
    ------
    InputError
        For a probability outside [0, 1] or of an unknown variable, an attacker who knows so many variables or all,
        and as ``privacy_profile``.

    Examples
    --------
    Table 1 of Kroes et al. 2021 with ages by ten years. The diagnosis of three of the five follows from their age, with
    or without their gender; that of the two aged 45 to 54 does not follow from anything.

    >>> people = pd.DataFrame({
    ...     "diagnosis": ["Cancer", "Cancer", "Cancer", "Arthrosis", "Diabetes"],
    ...     "gender": ["Female", "Male", "Female", "Male", "Female"],
    ...     "age": ["45-54", "35-44", "35-44", "55-64", "45-54"],
    ... })
    >>> found = breach_probability(ClassTable.from_frame(people), "diagnosis", {"age": 0.5, "gender": 0.9})
    >>> found.people.by_record(found.values[:, 0]).tolist()
    [0.0, 0.5, 0.5, 0.5, 0.0]
    """
    checks.number(p, "p")
    if attacker.knows != "any":
        raise InputError(
            "Who knows each variable with a probability may know any of them: set no number.", code="knowledge-unclear"
        )
    known = _probabilities(classes, knowledge_probability)
    attack = AttackOnTable.of(classes, sensitive, attacker)
    bytes_each = 4 * n_tabled(classes, attack) + 8 * len(attack.sensitive)
    people = Individuals.chosen(classes, bytes_each, memory, rng)
    values = np.zeros((len(attack.sensitive), len(people.rows)))
    for evaluation in evaluate(classes, attack, people.selection(classes), progress):
        s = attack.sensitive[evaluation.sensitive]
        chance = np.prod([x if evaluation.mask >> j & 1 else 1 - x for j, x in enumerate(known) if j != s])
        if chance:
            values[evaluation.sensitive] += chance * (evaluation.values <= p)
    values = np.minimum(values, 1).T
    missing = attack.missing(classes, people.rows)
    return BreachProbability(
        people=people,
        attacker=attacker,
        sensitive=tuple(classes.attributes[s] for s in attack.sensitive),
        knowledge=dict(zip(classes.attributes, known, strict=True)),
        p=p,
        values=np.where(attack.unharmed(classes, people.rows), 0.0, values),
        missing=np.where(missing, values, 0.0),
    )


def _probabilities(classes: ClassTable, given: float | Mapping[str, float]) -> list[float]:
    by_name = given if isinstance(given, Mapping) else dict.fromkeys(classes.attributes, given)
    for name, x in by_name.items():
        position(classes, name)
        if not 0 <= x <= 1:
            raise InputError(
                f"The probability that “{name}” is known must be between 0 and 1.",
                code="number-out-of-range",
                column=name,
            )
    return [float(by_name.get(name, 0.0)) for name in classes.attributes]

"""How likely a match with a record that is alone is right: for a file (DIS), and for each record by its score.

Data intrusion simulation (DIS): somebody of the population whose values are those of exactly one record is looked up in
the file. The more pairs a file has beside records that are alone, the likelier the person found is another one.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from anonlib.analyses.individuals.minimal import SinglingOut
from anonlib.basics import checks
from anonlib.basics.errors import InputError
from anonlib.basics.words import count
from anonlib.counting.classes import AnonymityVector, ClassTable

_COLUMNS_OF_LINEAR = 8  # at so many quasi-identifiers the odds of a record go with its score
_COLUMNS_OF_LEVEL = 28  # from so many on they are the same for all


@dataclass(frozen=True, eq=False)
class Intrusion:
    """What a match with a record that is alone is worth.

    Attributes
    ----------
    of_file : float
        The probability that a match with a record of the file that is alone is correct, in [0, 1].
    of_row : np.ndarray
        float64, per individual looked at the same for this record; in [0, 1], NaN for a record without a score.
    singled_out : SinglingOut
        The scores that it follows.
    """

    of_file: float
    of_row: np.ndarray
    singled_out: SinglingOut

    def records(self) -> np.ndarray:
        """float64, the probability of each record in the file's order; NaN where it has none."""
        return self.singled_out.minimal.people.by_record(self.of_row)


def correct_match(vector: AnonymityVector, people: int) -> float:
    """The probability that a match with a record that is alone in the file is the right one.

    Parameters
    ----------
    vector : AnonymityVector
        The file's class sizes.
    people : int
        People of the population that the file was drawn from, at least its records.

    Returns
    -------
    float
        ``C_1 f / (C_1 f + 2 C_2 (1 - f))``, ``C_i`` being classes of size ``i`` and ``f`` the share of the people who
        are in the file; 0 where nobody is alone, 1 where nobody is one of two.

    Raises
    ------
    InputError
        If there are fewer people than records.

    References
    ----------
    Elliot 2000; Skinner and Elliot 2002.

    Examples
    --------
    >>> from anonlib.counting.classes.vector import anonymity_vector
    >>> round(correct_match(anonymity_vector([1, 1, 1, 1, 2]), 15), 3)
    0.571
    """
    people, n = checks.whole(people, "The number of people", 0), vector.n_records
    if people < n:
        raise InputError(
            f"The population has {count(people, 'people')}, but {count(n)} of them are in the file. "
            "Give the size of the whole population that the file was drawn from.",
            code="population-too-small",
        )
    alone, of_pairs = vector.people_below(2), vector.people_below(3) - vector.people_below(2)
    return alone * n / (alone * n + of_pairs * (people - n)) if alone else 0.0


def intrusion(classes: ClassTable, singling_out: SinglingOut, people: int) -> Intrusion:
    """How likely a match with each record is correct: the file's probability, more for a higher score (DIS-SUDA).

    Parameters
    ----------
    classes : ClassTable
        The quasi-identifiers that ``singling_out`` is of.
    singling_out : SinglingOut
        Who is alone, and the score of each.
    people : int
        People of the population that the file was drawn from, at least its records.

    Returns
    -------
    Intrusion
        The odds ``p / (1 - p)`` of a record with score ``s`` are those of the file times ``s^Q`` and times the mean of
        ``s^-Q`` over the records with a score, so that the harmonic mean of the records' ``p`` is that of the file.
        ``Q = 1 + (8 - K) / 20`` for ``K`` quasi-identifiers, not below 0.

    Raises
    ------
    InputError
        If there are fewer people than records, or if ``singling_out`` is of records below a k other than 2.

    References
    ----------
    Elliot and Manning 2003; the spreading and Q as in sdcMicro's ``suda2`` (Templ, Kowarik and Meindl 2015).
    """
    if singling_out.k != 2:
        raise InputError(
            "A match is only claimed for records that are alone. Let only those count as singled out.",
            code="choices-do-not-fit",
        )
    of_file = correct_match(classes.anonymity_vector, people)
    scored = singling_out.score > 0
    of_row = np.full(len(scored), np.nan)
    if scored.any():
        power = max(0, _COLUMNS_OF_LEVEL - len(classes.attributes)) / (_COLUMNS_OF_LEVEL - _COLUMNS_OF_LINEAR)
        log_score = power * np.log(singling_out.score[scored])
        weight = np.exp(log_score) * np.average(np.exp(-log_score), weights=singling_out.minimal.people.counts[scored])
        of_row[scored] = of_file * weight / (of_file * weight + (1 - of_file))
    return Intrusion(of_file, of_row, singling_out)

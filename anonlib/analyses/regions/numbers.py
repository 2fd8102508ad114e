"""How many regions: the cutoff of the GAPS models and what follows from it (Croft et al. 2015, section 3.1)."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Literal

import numpy as np

from anonlib.basics import checks
from anonlib.basics.errors import InputError
from anonlib.counting.classes import ClassTable

Model = Literal["entropy", "max_combinations"]


@dataclass(frozen=True)
class Gaps:
    """A model of the population an area needs: ``factor`` x measure ^ ``exponent`` persons (Table 1).

    The factors are the paper's. The exponents are lost in its text and unconfirmed.

    Attributes
    ----------
    factor : float
        Persons that an area needs at a measure of 1, above 0.
    exponent : float
        The power of the measure; with 0 it does not matter.

    Raises
    ------
    InputError
        For a factor that is not above 0, and for what is no number.
    """

    factor: float
    exponent: float

    def __post_init__(self) -> None:
        if checks.number(self.factor, "The factor of the cutoff") <= 0:
            raise InputError("The factor of the cutoff must be above 0.", code="number-out-of-range")
        checks.number(self.exponent, "The exponent of the cutoff")


GAPS: dict[str, Gaps] = {
    "Western Canada": Gaps(1588, 0.42),
    "Central Canada": Gaps(1436, 0.43),
    "Eastern Canada": Gaps(1978, 0.304),
}
"""By region the models were fitted in, the same for entropy and maximum combinations."""


def class_entropy(classes: ClassTable) -> float:
    """Entropy of the class of a record, over the classes of the whole file.

    Parameters
    ----------
    classes : ClassTable
        The classes of what is known of a person beside the place.

    Returns
    -------
    float
        Bits, from 0 to log2 of the number of classes.

    References
    ----------
    Croft et al. 2015, Equation 1.

    Examples
    --------
    >>> import pandas as pd
    >>> from anonlib.counting.classes import ClassTable
    >>> four = pd.DataFrame({"sex": ["F", "F", "M", "M"], "smoker": ["y", "n", "y", "n"]})
    >>> class_entropy(ClassTable.from_frame(four))
    2.0
    """
    share = classes.counts / classes.n_records
    return max(0.0, float(-(share * np.log2(share)).sum()))  # a single class may come out as -0.0


def max_combinations(classes: ClassTable) -> int:
    """The combinations of values that there could be: the product of the numbers of values of the quasi-identifiers.

    Parameters
    ----------
    classes : ClassTable
        The classes of what is known of a person beside the place.

    Returns
    -------
    int

    References
    ----------
    Croft et al. 2015, Equation 4.

    Examples
    --------
    >>> import pandas as pd
    >>> from anonlib.counting.classes import ClassTable
    >>> three = pd.DataFrame({"sex": ["F", "M", "M"], "age": ["40", "50", "60"]})
    >>> max_combinations(ClassTable.from_frame(three))
    6
    """
    return math.prod(len(values) for values in classes.categories)


def gaps_cutoff(classes: ClassTable, model: Model = "entropy", gaps: Gaps = GAPS["Western Canada"]) -> float:
    """The population that a region should have.

    Parameters
    ----------
    classes : ClassTable
        The classes of what is known of a person beside the place.
    model : Model, default "entropy"
        ``"entropy"`` or ``"max_combinations"``.
    gaps : Gaps, default GAPS["Western Canada"]
        Factors and exponents of a part of Canada.

    Returns
    -------
    float
        Persons.

    Raises
    ------
    InputError
        If the quasi-identifiers tell too few classes apart for the model: below one bit of entropy, or with one
        combination, the cutoff says nothing.

    References
    ----------
    Croft et al. 2015, Equations 2 and 5, Table 1.
    """
    if model == "entropy":
        measure: float = class_entropy(classes)
        if measure < 1:
            raise InputError(
                f"The quasi-identifiers have an entropy of {measure:.2g} bits, and the entropy model needs 1 or more. "
                "Choose more quasi-identifiers, or another way to choose the number of regions.",
                code="too-little-known",
            )
    elif model == "max_combinations":
        measure = max_combinations(classes)
        if measure < 2:
            raise InputError(
                "The quasi-identifiers have one combination of values only, and the cutoff needs two or more. "
                "Choose more quasi-identifiers, or another way to choose the number of regions.",
                code="too-little-known",
            )
    else:
        raise InputError("The model of the cutoff is “entropy” or “max_combinations”.", code="choice-unknown")
    try:
        cutoff = gaps.factor * float(measure) ** gaps.exponent
    except OverflowError:
        cutoff = math.inf
    if not math.isfinite(cutoff) or cutoff <= 0:
        raise InputError(
            "This cutoff is too large to be counted. Choose a smaller exponent.", code="number-out-of-range"
        )
    return cutoff


def number_of_sites(population: int, cutoff: float, n_areas: int) -> int:
    """How many regions a population makes.

    Parameters
    ----------
    population : int
        Persons in all areas.
    cutoff : float
        Persons that a region should have.
    n_areas : int
        The most regions there can be.

    Returns
    -------
    int
        Population / cutoff, rounded half up, at least 1 and at most ``n_areas``.

    References
    ----------
    Croft et al. 2015, Equations 3 and 6.

    Examples
    --------
    >>> number_of_sites(25_000, 10_000, 400), number_of_sites(3_000, 10_000, 400)
    (3, 1)
    """
    return max(1, min(n_areas, math.floor(population / cutoff + 0.5)))

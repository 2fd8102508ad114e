"""How identifiable a file is: k, uniqueness, the three attackers, and what is known of sensitive values.

Terms follow El Emam, "Guide to the De-Identification of Personal Health Information" (2013) and ISO/IEC 27559:
the prosecutor knows that the target is in the file, the journalist only that the target is in a larger
population, the marketer wants to re-identify as many as possible. A risk is a probability in [0, 1].
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, fields, replace
from typing import Any

import numpy as np
import pandas as pd

from anonlib.basics import checks
from anonlib.basics.errors import InputError
from anonlib.basics.thresholds import mean_risk
from anonlib.basics.words import quoted
from anonlib.counting.classes import AnonymityVector, ClassTable, counts_in
from anonlib.counting.classes.table import distinct_values, entropy, equal_distance, ordered_distance

_CONTRIBUTION = [
    "attribute", "values", "k_without", "below_k_without", "at_risk_without", "unique_without",
    "adds_below_k", "adds_at_risk",
]  # fmt: skip


@dataclass(frozen=True)
class AttackerRisk:
    """One attacker's risk over the records of a file.

    Attributes
    ----------
    attacker : str
        "prosecutor", "journalist" or "marketer".
    threshold : float
        Records whose risk is above it are at risk.
    at_risk, n_records : int
        Records at risk, and all records.
    highest, average : float
        The largest and the mean of the records' risks, in [0, 1]; 0 without records.
    unmatched : int, default 0
        Records whose combination has nobody in the population table (journalist).
    attributes : tuple[str, ...], default ()
        What the attacker is taken to know.
    in_population : bool, default False
        Whether the risk is among the people of a population table, or in the file alone.
    """

    attacker: str
    threshold: float
    at_risk: int
    n_records: int
    highest: float
    average: float
    unmatched: int = 0
    attributes: tuple[str, ...] = ()
    in_population: bool = False


@dataclass(frozen=True)
class SensitiveRisk:
    """What the classes give away of one sensitive column: the worst class of each measure.

    Attributes
    ----------
    column : str
        The sensitive column.
    distinct_l : int
        Distinct values in the poorest class (Machanavajjhala et al. 2007, distinct l-diversity).
    entropy_l : float
        Exp of the smallest entropy of a class (entropy l-diversity), at least 1.
    t_equal : float
        Largest distance of a class from the whole file, all values equally far apart (Li et al. 2007): the total
        variation distance, in [0, 1].
    t_ordered : float
        The same with values in their order, in [0, 1]; 0 for a column of one value.
    records_disclosed : int
        Records in classes where all have the same sensitive value, and it is not missing.
    records_missing : int
        Records in classes where the sensitive value of all is missing.
    n_records : int
        Records counted.
    """

    column: str
    distinct_l: int
    entropy_l: float
    t_equal: float
    t_ordered: float
    records_disclosed: int
    records_missing: int
    n_records: int


@dataclass(frozen=True)
class Assessment:
    """A file's risk at a glance: what the sidebar, the Risk page and the Release page all show.

    Attributes
    ----------
    k_wanted : int
        Smallest class size wanted.
    threshold : float
        Highest risk accepted, in [0, 1].
    vector : AnonymityVector
        How many classes there are of each size.
    prosecutor : AttackerRisk
        The risk if the target is known to be in the file.
    journalist : AttackerRisk | None
        The risk if the target is in the population; None without a population table, or without an
        attribute in common with it.
    marketer : AttackerRisk
        The risk if any target will do.
    """

    k_wanted: int
    threshold: float
    vector: AnonymityVector
    prosecutor: AttackerRisk
    journalist: AttackerRisk | None
    marketer: AttackerRisk

    @property
    def k(self) -> int:
        """The smallest class size; 0 without records."""
        return self.vector.k

    @property
    def n_records(self) -> int:
        """Records (persons, summed weights)."""
        return self.vector.n_records

    @property
    def n_classes(self) -> int:
        """Combinations of values that occur."""
        return int(self.vector.classes.sum())

    @property
    def unique(self) -> int:
        """Records alone in their class."""
        return self.vector.people_below(2)

    @property
    def below_k(self) -> int:
        """Records in classes smaller than the k asked for."""
        return self.vector.people_below(self.k_wanted)

    @property
    def attackers(self) -> tuple[AttackerRisk, ...]:
        """The risks of the attackers that there are."""
        return tuple(risk for risk in (self.prosecutor, self.journalist, self.marketer) if risk is not None)


def assess(
    classes: ClassTable, *, k: int = 5, threshold: float | None = None, population: ClassTable | None = None
) -> Assessment:
    """All the risk figures of a class table of quasi-identifiers.

    Parameters
    ----------
    classes : ClassTable
        The quasi-identifiers.
    k : int, default 5
        Smallest class size wanted.
    threshold : float, optional
        Highest risk accepted; 1 / k when left out, so that as many records are at risk for a prosecutor as are below k.
    population : ClassTable, optional
        A population table. The journalist is taken to know the attributes that it has too (``attributes`` of the result
        says which), and the marketer matches the file against it by them. Without one, or without an attribute in
        common, there is no journalist, and the marketer has the file alone.

    Returns
    -------
    Assessment

    References
    ----------
    El Emam 2013; definitions in docs/analyses/risk.md.

    Examples
    --------
    >>> import pandas as pd
    >>> people = pd.DataFrame({"sex": ["F", "F", "F", "M"], "age": ["40", "40", "40", "52"]})
    >>> found = assess(ClassTable.from_frame(people), k=2)
    >>> found.k, found.unique, found.prosecutor.at_risk, found.prosecutor.highest, found.prosecutor.average
    (1, 1, 1, 1.0, 0.5)
    """
    k = checks.whole(k, "k", 1)
    threshold = 1 / k if threshold is None else threshold
    common = [] if population is None else [name for name in classes.attributes if name in population.attributes]
    journalist, marketer = None, marketer_risk(classes, threshold)
    if population is not None and common:
        known = classes.project(common)
        journalist = journalist_risk(known, population, threshold)
        marketer = marketer_risk(known, threshold, population)
    return Assessment(
        k,
        threshold,
        classes.anonymity_vector,
        prosecutor_risk(classes, threshold),
        journalist,
        marketer,
    )


def prosecutor_risk(classes: ClassTable, threshold: float) -> AttackerRisk:
    """The risk if the target is known to be in the file: 1 / class size. Its average is classes / records.

    Parameters
    ----------
    classes : ClassTable
        The quasi-identifiers.
    threshold : float
        Highest risk accepted.
    """
    vector = classes.anonymity_vector
    return _attack("prosecutor", classes, vector.sizes * vector.classes, vector.sizes, threshold)


def journalist_risk(classes: ClassTable, population: ClassTable, threshold: float) -> AttackerRisk:
    """The risk if the target is in the population: 1 / people in the population with the same values.

    Parameters
    ----------
    classes : ClassTable
        The quasi-identifiers.
    population : ClassTable
        The people. A combination with fewer people than records is taken at the number of records (the file is part of
        the population); records with nobody in the population are reported as ``unmatched``.
    threshold : float
        Highest risk accepted.
    """
    people = population_sizes(classes, population)
    risk = _attack("journalist", classes, classes.counts, np.maximum(people, classes.counts), threshold, people == 0)
    return replace(risk, in_population=True)


def marketer_risk(classes: ClassTable, threshold: float, population: ClassTable | None = None) -> AttackerRisk:
    """The risk if any target will do: the share of records expected to be re-identified, equal for every record.

    Parameters
    ----------
    classes : ClassTable
        The quasi-identifiers.
    threshold : float
        Highest risk accepted. All records are at risk if the average is above it, else none.
    population : ClassTable, optional
        The people, if they are known.

    Returns
    -------
    AttackerRisk
        Average of 1 / class size over the records (classes / records on the file alone), or of 1 / people in the
        population.
    """
    base = (
        prosecutor_risk(classes, threshold) if population is None else journalist_risk(classes, population, threshold)
    )
    at_risk = base.n_records if base.average > threshold else 0
    return replace(base, attacker="marketer", at_risk=at_risk, highest=base.average)


def population_sizes(classes: ClassTable, population: ClassTable) -> np.ndarray:
    """The people of the population in each class.

    Parameters
    ----------
    classes : ClassTable
        The quasi-identifiers.
    population : ClassTable
        The people.

    Returns
    -------
    int64 array, one item a class
        People with the same values; 0 if there is nobody.

    Raises
    ------
    InputError
        If the population lacks a quasi-identifier.
    """
    absent = [name for name in classes.attributes if name not in population.attributes]
    if absent:
        raise InputError(
            f"The population table lacks the quasi-identifiers {quoted(absent)}. "
            "Add these columns to it, under the same names.",
            code="population-lacks-columns",
        )
    return counts_in(classes, population)


def attribute_contributions(classes: ClassTable, *, k: int = 5, threshold: float | None = None) -> pd.DataFrame:
    """What each quasi-identifier adds to the risk.

    Parameters
    ----------
    classes : ClassTable
        The quasi-identifiers.
    k : int, default 5
        Smallest class size wanted.
    threshold : float, optional
        Highest risk accepted; 1 / k when left out.

    Returns
    -------
    DataFrame
        One row an attribute, the largest addition first: ``values`` (distinct), ``k_without`` and ``below_k_without``
        (k and records in classes below k if the attacker does not know it), ``at_risk_without`` (records above the
        threshold), ``unique_without``, ``adds_below_k`` and ``adds_at_risk`` (with it minus without it). Attributes
        that add as many below k are in the order of the unique records they add.
    """
    k = checks.whole(k, "k", 1)
    threshold = 1 / k if threshold is None else _checked(threshold)
    whole, rows = classes.anonymity_vector, []
    for name, values, rest in zip(classes.attributes, classes.categories, classes.vectors_without, strict=True):
        below_k, at_risk = rest.people_below(k), rest.people_above(threshold)
        rows.append(
            {
                "attribute": name,
                "values": len(values),
                "k_without": rest.k,
                "below_k_without": below_k,
                "at_risk_without": at_risk,
                "unique_without": rest.people_below(2),
                "adds_below_k": whole.people_below(k) - below_k,
                "adds_at_risk": whole.people_above(threshold) - at_risk,
            }
        )
    return pd.DataFrame(rows, columns=_CONTRIBUTION).sort_values(
        ["adds_below_k", "unique_without"], ascending=[False, True], kind="stable", ignore_index=True
    )


def sensitive_risk(classes: ClassTable, quasi_identifiers: Sequence[str], sensitive: str) -> SensitiveRisk:
    """l-diversity and t-closeness of a sensitive column over the classes of the quasi-identifiers.

    Parameters
    ----------
    classes : ClassTable
        The quasi-identifiers and the sensitive column.
    quasi_identifiers : Sequence[str]
        Their names.
    sensitive : str
        The sensitive column.

    Returns
    -------
    SensitiveRisk
        A missing sensitive value is a value of its own, except that being sure of it discloses nothing: such records
        are ``records_missing``. Spellings that a person reads as one value are counted as one and as several, and the
        worse figure is given.

    Raises
    ------
    InputError
        If the sensitive column is one of the quasi-identifiers.

    References
    ----------
    Machanavajjhala et al. 2007; Li et al. 2007.

    Examples
    --------
    Example 4 of Li et al. 2007: of nine salaries one class has the three lowest.

    >>> people = pd.DataFrame({"class": list("aaabbbccc"), "salary": [3, 4, 5, 6, 11, 8, 7, 9, 10]})
    >>> found = sensitive_risk(ClassTable.from_frame(people), ["class"], "salary")
    >>> found.distinct_l, round(found.t_ordered, 3)
    (3, 0.375)
    """
    if sensitive in quasi_identifiers:
        raise InputError(
            f"“{sensitive}” cannot be both sensitive and a quasi-identifier here.",
            code="column-in-two-roles",
            column=sensitive,
        )
    table = classes.project([*quasi_identifiers, sensitive])
    if table.n_classes == 0:
        return SensitiveRisk(sensitive, 0, 0.0, 0.0, 0.0, 0, 0, 0)
    exact, read = _sensitive_risk(table, quasi_identifiers, sensitive), table.read(sensitive)
    if read is None:
        return exact
    as_read = _sensitive_risk(read.project(read.attributes), quasi_identifiers, sensitive)
    # Values that become one are fewer and no further apart, but for their order: fewer steps lead from end to end.
    return replace(as_read, t_equal=exact.t_equal, t_ordered=max(exact.t_ordered, as_read.t_ordered))


def _sensitive_risk(table: ClassTable, quasi_identifiers: Sequence[str], sensitive: str) -> SensitiveRisk:
    """As :func:`sensitive_risk`, of a table of these columns with the sensitive one last, by its labels."""
    group = table.membership(quasi_identifiers)
    n_groups = int(group.max()) + 1
    size = np.bincount(group, weights=table.counts, minlength=n_groups)
    share = table.counts / size[group]
    distinct = distinct_values(group, n_groups)
    value = table.codes[:, -1]
    overall = np.bincount(value, weights=table.counts) / table.n_records
    alike = distinct[group] == 1
    missing = pd.isna(table.column(sensitive))
    return SensitiveRisk(
        sensitive,
        int(distinct.min()),
        float(np.exp(entropy(group, share, n_groups).min())),
        float(equal_distance(group, value, share, overall, n_groups).max()),
        float(ordered_distance(group, value, share, overall).max()),
        int(table.counts[alike & ~missing].sum()),
        int(table.counts[alike & missing].sum()),
        table.n_records,
    )


def as_row(risk: AttackerRisk | SensitiveRisk) -> dict[str, Any]:
    """The fields of a result, for a table."""
    return {field.name: getattr(risk, field.name) for field in fields(risk)}


def _attack(
    attacker: str,
    classes: ClassTable,
    records: np.ndarray,
    sizes: np.ndarray,
    threshold: float,
    unmatched: np.ndarray | None = None,
) -> AttackerRisk:
    """The risk of records, so many of each item, that are among as many people as ``sizes`` says."""
    n, risk = classes.n_records, 1 / sizes
    return AttackerRisk(
        attacker,
        _checked(threshold),
        int(records[risk > threshold].sum()),
        n,
        float(risk.max()) if n else 0.0,
        mean_risk(records, sizes),
        0 if unmatched is None else int(records[unmatched].sum()),
        classes.attributes,
    )


def _checked(threshold: float) -> float:
    if not 0 <= threshold <= 1:
        raise InputError("A risk threshold is a probability: choose one between 0 and 1.", code="number-out-of-range")
    return threshold

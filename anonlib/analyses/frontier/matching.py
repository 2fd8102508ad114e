"""The records against a population table: who matches nobody, why, and the two ways out."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pandas as pd

from anonlib.analyses.frontier.domains import Value
from anonlib.basics.errors import InputError
from anonlib.basics.words import quoted
from anonlib.counting.classes import ClassTable, counts_in
from anonlib.counting.classes.coding import sum_by
from anonlib.counting.classes.rows_of_persons import ValueSet
from anonlib.reading.records.names import unused_name


@dataclass(frozen=True)
class Match:
    """How the records fit a population table.

    Attributes
    ----------
    attributes : tuple[str, ...]
        The attributes compared.
    n_records : int
        All records.
    unmatched : int
        Records whose combination nobody in the population has.
    exceeding : int
        Records in combinations with fewer people in the population than records, those without any included.
    unknown : dict[str, int]
        Attribute -> records whose value nobody in the population has. A record can be in several.
    unknown_values : dict[str, tuple[Value, ...]]
        Attribute -> these values, those of most records first; None is a missing one.
    """

    attributes: tuple[str, ...]
    n_records: int
    unmatched: int
    exceeding: int
    unknown: dict[str, int]
    unknown_values: dict[str, tuple[Value, ...]]

    @property
    def by_combination(self) -> int:
        """Records that match nobody though each of their values is known, at least."""
        return max(0, self.unmatched - sum(self.unknown.values()))


def match(classes: ClassTable, population: ClassTable) -> Match:
    """Compare the records with the people of a population.

    Parameters
    ----------
    classes : ClassTable
        The records.
    population : ClassTable
        The people, with all attributes of the records.

    Returns
    -------
    Match

    Raises
    ------
    InputError
        If the population lacks an attribute.
    """
    absent = [name for name in classes.attributes if name not in population.attributes]
    if absent:
        raise InputError(
            f"The population table has no column {quoted(absent)}. Add it to the table, under the same name.",
            code="population-lacks-columns",
        )
    people = counts_in(classes, population)
    unknown: dict[str, int] = {}
    unknown_values: dict[str, tuple[Value, ...]] = {}
    for j, name in enumerate(classes.attributes):
        known, values = set(population.categories[population.attributes.index(name)]), classes.categories[j]
        records = sum_by(classes.codes[:, j], len(values), classes.counts)
        foreign = np.flatnonzero([value not in known for value in values])
        unknown[name] = int(records[foreign].sum())
        unknown_values[name] = tuple(values[foreign[np.argsort(-records[foreign], kind="stable")]].tolist())
    counts = classes.counts
    return Match(
        classes.attributes, classes.n_records, int(counts[people == 0].sum()), int(counts[people < counts].sum()),
        unknown, unknown_values,
    )  # fmt: skip


def matched_only(classes: ClassTable, population: ClassTable) -> ClassTable:
    """The records whose combination of values somebody in the population has.

    Parameters
    ----------
    classes : ClassTable
        The records.
    population : ClassTable
        The people, with all attributes of the records.

    Returns
    -------
    ClassTable
    """
    return classes.keep(counts_in(classes, population) > 0)


def with_records(population: ClassTable, classes: ClassTable) -> ClassTable:
    """The population with at least as many people of each combination as there are records: the file is part of it.

    Parameters
    ----------
    population : ClassTable
        The people.
    classes : ClassTable
        The records.

    Returns
    -------
    ClassTable
    """
    people = population.project(classes.attributes)
    lacking = np.maximum(classes.counts - counts_in(classes, people), 0)
    size = unused_name("people", classes.attributes)
    extra = classes.keep(lacking > 0).to_frame(size).assign(**{size: lacking[lacking > 0]})
    both = pd.concat([people.to_frame(size), extra], ignore_index=True)
    return ClassTable.from_frame(both, classes.attributes, weights=size)


def one_value_a_person(classes: ClassTable) -> ClassTable:
    """The persons whose rows agree in every attribute: an interval of a set of values is not defined.

    Parameters
    ----------
    classes : ClassTable
        Persons, of whom some may have sets of values.

    Returns
    -------
    ClassTable
    """
    several = np.zeros(classes.n_classes, dtype=bool)
    for j, values in enumerate(classes.categories):
        several |= np.array([isinstance(value, ValueSet) for value in values], dtype=bool)[classes.codes[:, j]]
    return classes.keep(~several)

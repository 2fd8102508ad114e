"""Where a population table is at hand: how many of those alone in the file are alone in it, counted."""

from __future__ import annotations

from dataclasses import dataclass

from anonlib.basics.errors import InputError
from anonlib.counting.classes import ClassTable, counts_in


@dataclass(frozen=True)
class CountedUniques:
    """Those alone in a file, looked up in a population table by what both have.

    Attributes
    ----------
    attributes : tuple[str, ...]
        The quasi-identifiers that the table has too.
    people : int
        People of the table.
    alone : int
        Records that are alone in the file by these attributes.
    alone_in_population : int
        Of them, records with exactly one person like them in the table.
    unmatched : int
        Of them, records with nobody like them in the table.
    """

    attributes: tuple[str, ...]
    people: int
    alone: int
    alone_in_population: int
    unmatched: int

    @property
    def share(self) -> float:
        """Of the records alone in the file and found in the table, those alone in it; 0 where there are none."""
        return self.alone_in_population / max(1, self.alone - self.unmatched)


def counted_uniques(classes: ClassTable, population: ClassTable) -> CountedUniques:
    """How many of those alone in a file are alone in a population table.

    Parameters
    ----------
    classes : ClassTable
        The quasi-identifiers of the file.
    population : ClassTable
        The people. Both are compared by the attributes that both have.

    Returns
    -------
    CountedUniques

    Raises
    ------
    InputError
        If they have no attribute in common.

    References
    ----------
    El Emam 2013.

    Examples
    --------
    >>> import pandas as pd
    >>> file = ClassTable.from_frame(pd.DataFrame({"sex": ["F", "M", "M"], "age": ["40", "52", "53"]}))
    >>> people = ClassTable.from_frame(pd.DataFrame({"sex": ["F", "F", "M"], "age": ["40", "40", "52"]}))
    >>> found = counted_uniques(file, people)
    >>> found.alone, found.alone_in_population, found.unmatched
    (3, 1, 1)
    """
    common = tuple(name for name in classes.attributes if name in population.attributes)
    if not common:
        raise InputError(
            "The population table has none of the quasi-identifiers. "
            "Say on the Risk page, under More, which of its columns they are.",
            code="population-lacks-columns",
        )
    file = classes.project(common)
    people = counts_in(file, population)[file.counts == 1]
    return CountedUniques(common, population.n_records, len(people), int((people == 1).sum()), int((people == 0).sum()))

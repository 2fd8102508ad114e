"""The space of de-identification policies: which boundaries between neighbouring values are kept (Xia et al. 2013)."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import pairwise

import numpy as np

from anonlib.analyses.frontier.domains import (
    LEAST_ZIP3,
    SPARSE_ZIP3,
    Domain,
    Value,
    age_groups,
    ordered,
    year_groups,
    zip3_groups,
)
from anonlib.basics import words
from anonlib.basics.errors import InputError
from anonlib.basics.words import quoted
from anonlib.coarsening.hierarchies import TOP
from anonlib.coarsening.recoding import ValueMap
from anonlib.counting.classes import ClassTable, counts_in
from anonlib.counting.classes.coding import group, sum_by
from anonlib.counting.classes.rows_of_persons import ValueSet

TOP_AGE = 90
"""Safe Harbor puts all ages from here on in one group."""


@dataclass(frozen=True, eq=False)
class PolicyCells:
    """Distinct combinations of places, a place being a value of a domain or what lies between two.

    Attributes
    ----------
    places : np.ndarray
        int32, cells x attributes: 2 i for the value at position i, 2 i + 1 for what lies between it and the next.
    records : np.ndarray
        int64, records of each cell; 0 where only the population has somebody.
    people : np.ndarray
        int64, people of the population in each cell; at least 1 where there are records.
    """

    places: np.ndarray
    records: np.ndarray
    people: np.ndarray

    @property
    def occupied(self) -> np.ndarray:
        """bool, per cell: it has records."""
        return self.records > 0


@dataclass(frozen=True, eq=False)
class PolicySpace:
    """All policies over the attributes of a class table: a lattice of bit-strings, 1 for a boundary that is kept.

    A policy is a bool array as long as ``n_bits``: the boundaries of the first attribute, then those of the next. All 1
    is the bottom of the lattice (the data as they are), all 0 its top (Definitions 3.1 to 3.4).

    Attributes
    ----------
    classes : ClassTable
        The records, by the attributes that are recoded. No value may be a set of values of one person.
    population : ClassTable, optional
        The people they come from, by at least the same attributes; None: the records are the population.
    order : Mapping[str, Iterable[Value]], optional
        Attribute -> its values in their order; those left out are in their natural order.
    observed_only : bool, default True
        Domains have the values of records only (people between them count in intervals that reach over them); else
        those of the population and of ``order`` as well.
    also : Mapping[str, Iterable[Value]], optional
        Attribute -> its values of records of the file that are not counted, but are released and so recoded too.

    Raises
    ------
    InputError
        For a class table without records or attributes, for records whose combination has nobody in the population (see
        :func:`anonlib.analyses.frontier.matching.match`), for an order that leaves values out, for sets, and for
        values that are not text.
    """

    classes: ClassTable
    population: ClassTable | None = None
    order: Mapping[str, Iterable[Value]] | None = None
    observed_only: bool = True
    also: Mapping[str, Iterable[Value]] | None = None

    def __post_init__(self) -> None:
        if not self.attributes or not self.classes.n_records:
            raise InputError("Policies need at least one quasi-identifier and one record.", code="nothing-to-count")
        for name, values in zip(self.attributes, self.classes.categories, strict=True):
            if any(isinstance(value, ValueSet) for value in values):
                raise InputError(
                    f"Some persons have several values of “{name}”. Leave these persons out first.",
                    code="persons-have-several-values",
                    column=name,
                )
            _refuse_numbers(name, values)
        if self.population is not None:
            absent = [name for name in self.attributes if name not in self.population.attributes]
            if absent:
                raise InputError(
                    f"The population table has no column {quoted(absent)}. Leave it out of the policies.",
                    code="population-lacks-columns",
                )
            for name in self.attributes:
                _refuse_numbers(name, self.population.categories[self.population.attributes.index(name)])
            alone = int(self.classes.counts[counts_in(self.classes, self.population) == 0].sum())
            if alone:
                raise InputError(
                    f"{words.count(alone, 'records')} have a combination of values that nobody in the population table "
                    "has. Leave these records out, or count the records as people of the population.",
                    code="records-not-in-population",
                )

    @property
    def attributes(self) -> tuple[str, ...]:
        """The quasi-identifiers, in the order of their bits."""
        return self.classes.attributes

    @property
    def n_records(self) -> int:
        """Records (persons, summed weights) that are counted."""
        return self.classes.n_records

    @cached_property
    def domains(self) -> tuple[Domain, ...]:
        """The values of each attribute in their order."""
        return tuple(self._domain(name) for name in self.attributes)

    def _domain(self, name: str) -> Domain:
        of_records = set(self.classes.categories[self.attributes.index(name)])
        all_values = {*of_records, *self._also(name)}
        given = None if self.order is None or name not in self.order else list(self.order[name])
        if self.population is not None:
            people = set(self.population.categories[self.population.attributes.index(name)])
            # People at values without a place in the order given belong to no interval.
            all_values |= people if given is None or not self.observed_only else people.intersection(given)
        if not self.observed_only:
            all_values |= set(given or ())
        values = ordered(name, all_values, given, of_records)
        if not self.observed_only:
            return Domain(name, tuple(values), ((),) * (len(values) - 1))
        places = [i for i, value in enumerate(values) if value in of_records]
        # Nothing is between the last value and a missing one: “90 or missing” does not say 95.
        between = tuple(
            () if values[b] is None else tuple(v for v in values[a + 1 : b] if v is not None and v in all_values)
            for a, b in pairwise(places)
        )
        return Domain(name, tuple(values[i] for i in places), between)

    def _also(self, name: str) -> set[Value]:
        return set((self.also or {}).get(name, ()))

    @cached_property
    def starts(self) -> np.ndarray:
        """int64, attributes + 1: where each attribute's bits begin; the last is ``n_bits``."""
        return np.cumsum([0, *(domain.n_bits for domain in self.domains)])

    @property
    def n_bits(self) -> int:
        """Boundaries of all attributes."""
        return int(self.starts[-1])

    @property
    def n_levels(self) -> int:
        """Policies on a maximal chain."""
        return self.n_bits + 1

    @property
    def n_policies(self) -> int:
        """Policies there are: 2 to the number of bits."""
        return 2**self.n_bits

    @cached_property
    def top(self) -> np.ndarray:
        """bool, the policy with one interval an attribute."""
        return np.zeros(self.n_bits, dtype=bool)

    @cached_property
    def bottom(self) -> np.ndarray:
        """bool, the policy that leaves the data as they are."""
        return np.ones(self.n_bits, dtype=bool)

    @cached_property
    def cells(self) -> PolicyCells:
        """Combinations of values with their records and people."""
        places, records = [self._places_of(self.classes)], [self.classes.counts]
        people = [self.classes.counts if self.population is None else np.zeros_like(self.classes.counts)]
        if self.population is not None:
            theirs = self.population.project(self.attributes)
            known = self._places_of(theirs)
            kept = (known >= 0).all(axis=1)
            places.append(known[kept])
            people.append(theirs.counts[kept])
            records.append(np.zeros(int(kept.sum()), dtype=np.int64))
        stacked = np.vstack(places)
        ids, first = group(stacked, [2 * len(domain) - 1 for domain in self.domains])
        n = len(first)
        return PolicyCells(
            stacked[first], sum_by(ids, n, np.concatenate(records)), sum_by(ids, n, np.concatenate(people))
        )

    def _places_of(self, table: ClassTable) -> np.ndarray:
        """int32, classes x attributes: the place of each value, -1 where it has none."""
        places = np.empty(table.codes.shape, dtype=np.int32)
        for j, (domain, values) in enumerate(zip(self.domains, table.categories, strict=True)):
            place: dict[Value, int] = {value: 2 * i for i, value in enumerate(domain.values)}
            place |= {value: 2 * i + 1 for i, values in enumerate(domain.between) for value in values}
            places[:, j] = np.array([place.get(value, -1) for value in values], dtype=np.int32)[table.codes[:, j]]
        return places

    def bits_of(self, policy: np.ndarray, j: int) -> np.ndarray:
        """bool, the bits of attribute j."""
        return policy[self.starts[j] : self.starts[j + 1]]

    def interval_of_value(self, policy: np.ndarray, j: int) -> np.ndarray:
        """int64, per value of attribute j the number of its interval, from 0."""
        return np.concatenate([[0], np.cumsum(self.bits_of(policy, j))])

    def interval_of_place(self, policy: np.ndarray, j: int) -> np.ndarray:
        """int64, per place of attribute j the number of its interval; -1 for what lies between two intervals."""
        of_value = self.interval_of_value(policy, j)
        of_place = np.repeat(of_value, 2)[:-1]
        of_place[1::2][self.bits_of(policy, j)] = -1
        return of_place

    def intervals(self, policy: np.ndarray, j: int) -> list[tuple[int, int]]:
        """The intervals of an attribute.

        Parameters
        ----------
        policy : np.ndarray
            bool, ``n_bits`` long.
        j : int
            Position of the attribute.

        Returns
        -------
        list of pairs
            First and last position of each.
        """
        cuts = np.flatnonzero(self.bits_of(policy, j)) + 1
        return list(zip([0, *cuts.tolist()], [*(cuts - 1).tolist(), len(self.domains[j]) - 1], strict=True))

    def describe(self, policy: np.ndarray) -> dict[str, str]:
        """The intervals of a policy as the paper's Figure 9 writes them.

        Parameters
        ----------
        policy : np.ndarray
            bool, ``n_bits`` long.

        Returns
        -------
        dict of str by attribute

        Examples
        --------
        >>> import pandas as pd
        >>> space = PolicySpace(ClassTable.from_frame(pd.DataFrame({"age": ["17", "20", "21", "22", "90"]})))
        >>> space.describe(np.array([False, True, True, False]))
        {'age': '[17-20][21][22-90]'}
        """
        checked = self.checked(policy)
        return {
            domain.attribute: "".join(domain.notation(*ends) for ends in self.intervals(checked, j))
            for j, domain in enumerate(self.domains)
        }

    def recode(self, policy: np.ndarray) -> dict[str, ValueMap]:
        """What a policy makes of the values of the attributes that it changes.

        Values of the population, and of records that are not counted, become the interval that reaches over them. What
        else records that are not counted have becomes ``*``: as it is it would single them out.

        Parameters
        ----------
        policy : np.ndarray
            bool, ``n_bits`` long.

        Returns
        -------
        dict of ValueMap by attribute
        """
        checked = self.checked(policy)
        return {
            domain.attribute: self._of_everyone(domain, domain.value_map(self.intervals(checked, j)))
            for j, domain in enumerate(self.domains)
            if not self.bits_of(checked, j).all()
        }

    def _of_everyone(self, domain: Domain, recoding: ValueMap) -> ValueMap:
        """The recoding, with ``*`` for what else the file has."""
        others = self._also(domain.attribute).difference(dict(recoding.labels_of), domain.values)
        named = tuple((value, TOP) for value in sorted(value for value in others if value is not None))
        return replace(
            recoding,
            labels_of=(*recoding.labels_of, *named),
            missing=TOP if None in others else recoding.missing,
        )

    def recoded(self, policy: np.ndarray) -> ClassTable:
        """The class table of the records as a policy releases them.

        Parameters
        ----------
        policy : np.ndarray
            bool, ``n_bits`` long.

        Returns
        -------
        ClassTable
        """
        checked = self.checked(policy)
        columns = {}
        for j, domain in enumerate(self.domains):
            labels = domain.label_of(self.intervals(checked, j))
            columns[domain.attribute] = np.array([labels[v] for v in self.classes.categories[j]] + [None], object)[:-1]
        return self.classes.recode(columns)

    def safe_harbor(
        self,
        age: str | None = None,
        zip_code: str | None = None,
        dates: Iterable[str] = (),
        sparse: Iterable[str] | None = None,
    ) -> np.ndarray:
        """The policy of HIPAA's Safe Harbor; attributes that are not named stay as they are.

        Parameters
        ----------
        age : str, optional
            The attribute of ages: those of 90 and more are one group.
        zip_code : str, optional
            The attribute of ZIP codes: three digits stay.
        dates : Iterable[str], default ()
            Attributes of dates: the year stays.
        sparse : Iterable[str], optional
            Three-digit areas of 20,000 people or fewer, which are one group 000; by default what :func:`sparse_zip3`
            finds.

        Returns
        -------
        bool array, ``n_bits`` long

        Raises
        ------
        InputError
            If the order of a domain parts a group, and for texts with digits that are no age or date: nobody can tell
            which group they are in.

        References
        ----------
        45 CFR 164.514(b)(2)(i).

        Examples
        --------
        >>> import pandas as pd
        >>> space = PolicySpace(ClassTable.from_frame(pd.DataFrame({"age": ["88", "89", "90", "91"]})))
        >>> space.describe(space.safe_harbor(age="age"))
        {'age': '[88][89][90-91]'}
        """
        groups: dict[str, np.ndarray] = {}
        if age is not None:
            groups[age] = age_groups(self._domain_of(age), TOP_AGE)
        if zip_code is not None:
            few = sparse_zip3(self.population, zip_code) if sparse is None else sparse
            groups[zip_code] = zip3_groups(self._domain_of(zip_code), set(few))
        groups |= {name: year_groups(self._domain_of(name)) for name in dates}
        return np.concatenate([
            groups.get(domain.attribute, np.ones(domain.n_bits, dtype=bool)) for domain in self.domains
        ])  # fmt: skip

    def _domain_of(self, name: str) -> Domain:
        if name not in self.attributes:
            raise InputError(
                f"“{name}” is not among the attributes of the policies.", code="column-unknown", column=name
            )
        return self.domains[self.attributes.index(name)]

    def checked(self, policy: np.ndarray) -> np.ndarray:
        """The policy as a bool array.

        Parameters
        ----------
        policy : np.ndarray
            Its bits.

        Returns
        -------
        bool array, ``n_bits`` long

        Raises
        ------
        InputError
            If it is none of this space.
        """
        bits = np.asarray(policy)
        if bits.shape != (self.n_bits,) or not (bits.dtype == bool or np.isin(bits, (0, 1)).all()):
            raise InputError(f"A policy here is a row of {self.n_bits:,} bits, 0 or 1.", code="policy-wrong")
        return bits.astype(bool)

    @cached_property
    def key(self) -> str:
        """Names the content: the same key, the same policies with the same risk and loss."""
        domains = repr([
            (d.attribute, d.values, d.between, sorted(map(repr, self._also(d.attribute)))) for d in self.domains
        ])  # fmt: skip
        digest = hashlib.sha256(domains.encode("utf-8", "surrogatepass"))
        for array in (self.cells.places, self.cells.records, self.cells.people):
            digest.update(np.ascontiguousarray(array).tobytes())
        return digest.hexdigest()


def _refuse_numbers(name: str, values: np.ndarray) -> None:
    if any(value is not None and not isinstance(value, str) for value in values):
        raise InputError(
            f"The values of “{name}” are not text. Make the table a Dataset and take its classes, or write the column "
            "as text first.",
            code="values-not-text",
            column=name,
        )


def sparse_zip3(population: ClassTable | None, zip_code: str) -> frozenset[str]:
    """Three-digit ZIP codes with at most 20,000 people, which Safe Harbor does not let stay.

    Parameters
    ----------
    population : ClassTable | None
        The people; None stands for the Census of 2000.
    zip_code : str
        The attribute of the population that holds ZIP codes.

    Returns
    -------
    frozenset of str

    References
    ----------
    45 CFR 164.514(b)(2)(i)(B); the areas of 2000 are listed in docs/thresholds.md.
    """
    if population is None or zip_code not in population.attributes:
        return SPARSE_ZIP3
    places = population.project([zip_code])
    people: dict[str, int] = {}
    for value, count in zip(places.column(zip_code), places.counts, strict=True):
        if value is not None:
            people[value[:3]] = people.get(value[:3], 0) + int(count)
    return frozenset(area for area, count in people.items() if count <= LEAST_ZIP3)

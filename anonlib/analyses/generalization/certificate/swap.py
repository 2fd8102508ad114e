"""The swap certificate: of whom what a search refused can make no value certain, and of whom it does.

Somebody who knows the known columns of everybody in a file, and that a release is the least change that meets what is
asked, knows which finer releases the known columns alone would have allowed. A sensitive value refused each of these
*states*: some set of persons there violates what is asked. Two persons of one released class can change places where
each state has enough violating sets left that hold neither or both of them: the same release comes out then, so of
neither a value is certain that the other has not. What such a swap violates besides does not matter.

First the persons and the states, then the certificate, what a state shows for certain by itself, and which of what is
asked looks at values.

References
----------
Wong, Fu, Wang, Pei, "Minimality attack in privacy preserving data publishing", VLDB 2007. Zhang, Jajodia, Brodsky,
"Information disclosure under realistic assumptions: privacy versus optimality", CCS 2007.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import chain

import numpy as np

from anonlib.analyses.generalization.search.lattice import Node
from anonlib.basics.budget import A_SECOND, Over
from anonlib.counting.classes.coding import group
from anonlib.counting.privacy_models import (
    AttributeDisclosure,
    AverageRiskLimit,
    KAnonymity,
    LDiversity,
    PrivacyModel,
    TCloseness,
)
from anonlib.counting.privacy_models.models import sensitive_of

MOST_WORK = 5 * A_SECOND
"""Rows times sets of columns that are looked at for one certificate; beyond, it cannot be counted."""
_MOST_PAIRS = 100_000_000  # kinds of persons of a class, times each other, times states
_MOST_CANDIDATES = 20_000_000  # rows, times values
ALWAYS = 2**60  # what may be lost of a state that no swap ends
NOT_RELEASED = -1
"""The released class of who is left out."""
ValueModel = KAnonymity | AttributeDisclosure | LDiversity | TCloseness
"""A guarantee that a value can violate: of a sensitive column, or of how many share one."""


class TooMuchWork(Over):
    """States take more work than may be spent on them."""


# ---- persons and states ----


@dataclass(frozen=True, eq=False)
class ReleasedValues:
    """What a release shows of a sensitive column, an item a row of persons.

    Attributes
    ----------
    value : np.ndarray
        Intp: the code of their value, as it is released and read.
    harms : np.ndarray
        bool: to be sure of it does harm.
    apart : np.ndarray, optional
        bool, codes x codes: who has the first has nothing of what the second says; without it, where codes differ.
    """

    value: np.ndarray
    harms: np.ndarray
    apart: np.ndarray | None = None

    def differ(self, first: np.ndarray, second: np.ndarray) -> np.ndarray:
        """bool: whether codes say nothing in common, so that neither is certain of two who can change places."""
        return first != second if self.apart is None else self.apart[first, second]

    def at(self, rows: np.ndarray) -> ReleasedValues:
        """Those of some rows."""
        return replace(self, value=self.value[rows], harms=self.harms[rows])


@dataclass(frozen=True, eq=False)
class ReleasedPersons:
    """Persons of a file, those with equal values in a row, with what a release shows of them.

    Attributes
    ----------
    counts : np.ndarray
        int64, persons (records, summed weights) of each row.
    released : np.ndarray
        Intp, an item a row: their class in the release, whose persons somebody who knows all known columns cannot tell
        apart there; :data:`NOT_RELEASED` where they are left out.
    columns : Mapping[str, ReleasedValues]
        The sensitive columns.
    known : frozenset[str]
        The columns that may be known of everybody.
    """

    counts: np.ndarray
    released: np.ndarray
    columns: Mapping[str, ReleasedValues]
    known: frozenset[str]

    def several(self, name: str) -> np.ndarray:
        """bool, an item a row: their released class shows several values of a sensitive column."""
        value, is_released = self.columns[name].value, self.released >= 0
        n = int(self.released.max(initial=-1)) + 1
        least, most = np.full(n, np.iinfo(np.intp).max), np.full(n, -1)
        np.minimum.at(least, self.released[is_released], value[is_released])
        np.maximum.at(most, self.released[is_released], value[is_released])
        return is_released & np.append(least < most, False)[self.released]


@dataclass(frozen=True, eq=False)
class Witnesses:
    """Sets of persons that violate what is asked at a state, and how much of them swaps take away.

    Attributes
    ----------
    spare : np.ndarray
        int64, an item a row: how much of the sets' weight may be lost with the state still refused, to those in the
        row; below 0 where nothing shows that it is.
    touched : np.ndarray
        int64, an item a row: the weight of the sets that hold them.
    sets : tuple[np.ndarray, ...], default ()
        Intp, an item a row each: by family of sets that share no person, the set that holds them; -1 without.
    weights : tuple[np.ndarray, ...], default ()
        int64, by family, an item a set.
    """

    spare: np.ndarray
    touched: np.ndarray
    sets: tuple[np.ndarray, ...] = ()
    weights: tuple[np.ndarray, ...] = ()

    def at(self, rows: np.ndarray) -> Witnesses:
        """Those of some rows."""
        return replace(
            self, spare=self.spare[rows], touched=self.touched[rows], sets=tuple(ids[rows] for ids in self.sets)
        )

    @property
    def kinds(self) -> list[np.ndarray]:
        """What distinguishes rows by what swaps with them take away."""
        return [self.spare, self.touched, *self.sets]

    @property
    def never_end(self) -> bool:
        """Whether no swap takes away so much."""
        most = 2 * int(self.touched.max(initial=0))
        if len(self.weights) == 1:  # two persons are in two sets of it at most
            most = int(np.sort(self.weights[0])[-2:].sum())
        return bool((self.spare >= most).all())

    def stay(self) -> np.ndarray:
        """bool, rows x rows: enough is left when a person of the first changes places with one of the second."""
        lost = self.touched[:, None] + self.touched[None, :]
        for ids, weights in zip(self.sets, self.weights, strict=True):
            of_set = np.append(weights, 0)[ids]
            lost = lost - np.where((ids[:, None] == ids[None, :]) & (ids >= 0)[:, None], 2 * of_set[:, None], 0)
        return lost <= self.spare[:, None]


@dataclass(frozen=True, eq=False)
class RefusedState:
    """A state that the known columns allow, and that a sensitive value refused.

    Attributes
    ----------
    witnesses : tuple[Witnesses, ...]
        What shows that it is refused, any of these.
    certain : Mapping[str, np.ndarray], optional
        By sensitive column, bool an item a row: the state by itself makes their value certain.
    node : Node, optional
        The node that it is; None of a class that could have been split.
    """

    witnesses: tuple[Witnesses, ...]
    certain: Mapping[str, np.ndarray] = field(default_factory=dict)
    node: Node | None = None


@dataclass(frozen=True, eq=False)
class PossibleValues:
    """Whose value of a sensitive column can be another one, with all states refused; an item a row.

    Attributes
    ----------
    another : np.ndarray
        bool: it can be another one.
    certain : np.ndarray
        bool: it cannot.
    """

    another: np.ndarray
    certain: np.ndarray


@dataclass(frozen=True, eq=False)
class States:
    """The states that the known columns allow beside a release.

    Attributes
    ----------
    refused : tuple[RefusedState, ...]
        Those that a value refused and that some swap could end.
    n_refused : int
        All that a value refused.
    n_silent : int
        Those that nothing refused: the release is not the least change there, and they say nothing.
    possible : Mapping[str, PossibleValues], optional
        By sensitive column, what all states together leave possible, where that can be looked at.
    """

    refused: tuple[RefusedState, ...]
    n_refused: int
    n_silent: int
    possible: Mapping[str, PossibleValues] = field(default_factory=dict)


# ---- the certificate ----


@dataclass(frozen=True, eq=False)
class SwapCertificate:
    """Of whom what was refused makes no value of a sensitive column certain, and of whom it does.

    Attributes
    ----------
    asked : np.ndarray
        bool, an item a row: their value does harm, and their released class shows several.
    safe : np.ndarray
        bool: of these, those who can change places with somebody.
    certain : np.ndarray
        bool: of these, those whose value a state shows by itself.
    """

    asked: np.ndarray
    safe: np.ndarray
    certain: np.ndarray

    @property
    def uncertified(self) -> np.ndarray:
        """bool, an item a row: neither is shown."""
        return self.asked & ~self.safe & ~self.certain


def certify(persons: ReleasedPersons, states: States) -> dict[str, SwapCertificate]:
    """The certificate of each sensitive column.

    Parameters
    ----------
    persons : ReleasedPersons
        Those of the file.
    states : States
        What was refused.

    Returns
    -------
    dict of str to SwapCertificate
    """
    certificates = {}
    for name, column in persons.columns.items():
        asked = persons.several(name) & column.harms
        certain = np.zeros(len(asked), dtype=bool)
        for state in states.refused:
            if name in state.certain:
                certain |= state.certain[name]
        safe = np.zeros(len(asked), dtype=bool)
        if name in states.possible:
            safe |= asked & states.possible[name].another
            certain |= states.possible[name].certain
        safe |= who_can_swap(persons, column, asked & ~safe & ~certain, states.refused)
        certificates[name] = SwapCertificate(asked, safe, certain & asked)
    return certificates


def who_can_swap(
    persons: ReleasedPersons, column: ReleasedValues, asked: np.ndarray, states: Sequence[RefusedState]
) -> np.ndarray:
    """bool, an item a row: of those asked about, who can change places with somebody of another value."""
    untouched, alone = np.ones(len(asked), dtype=bool), np.ones(len(asked), dtype=bool)
    for state in states:
        stays = np.zeros(len(asked), dtype=bool)
        for witnesses in state.witnesses:
            untouched &= (witnesses.touched == 0) & (witnesses.spare >= 0)
            stays |= witnesses.touched <= witnesses.spare
        alone &= stays
    safe = np.zeros(len(asked), dtype=bool)
    if column.apart is None:  # somebody whom no state holds is there to change places with
        safe = asked & alone & _some_other(persons.released, column.value, untouched)
    left = asked & ~safe
    if not left.any():
        return safe
    order = np.argsort(persons.released, kind="stable")
    begins = np.searchsorted(persons.released[order], np.arange(int(persons.released.max()) + 2))
    pairs = 0
    for number in np.unique(persons.released[left]):
        rows = order[begins[number] : begins[number + 1]]
        here = [tuple(witnesses.at(rows) for witnesses in state.witnesses) for state in states]
        here = [any_of for any_of in here if not any(witnesses.never_end for witnesses in any_of)]
        kinds = [column.value[rows], *(kind for witnesses in chain(*here) for kind in witnesses.kinds)]
        kind, first = kinds_of(kinds)
        pairs += len(first) ** 2 * (1 + len(here))
        if pairs > _MOST_PAIRS:
            break  # those who are left are not shown to be safe
        value = column.value[rows][first]
        can = column.differ(value[:, None], value[None, :])
        for any_of in here:
            can &= np.logical_or.reduce([witnesses.at(first).stay() for witnesses in any_of])
        some: np.ndarray = np.any(can, axis=1)
        safe[rows] |= asked[rows] & some[kind]
    return safe


def kinds_of(columns: Sequence[np.ndarray]) -> tuple[np.ndarray, np.ndarray]:
    """The kinds of rows: those that are alike in some numbers.

    Parameters
    ----------
    columns : Sequence[np.ndarray]
        Whole numbers or bool, an item a row each.

    Returns
    -------
    tuple of ndarray
        intp per row its kind, and per kind a row of it.
    """
    ranks = [np.unique(column, return_inverse=True)[1].ravel() for column in columns]
    return group(np.column_stack(ranks), [int(rank.max(initial=0)) + 1 for rank in ranks])


def _some_other(released: np.ndarray, value: np.ndarray, among: np.ndarray) -> np.ndarray:
    """bool, an item a row: some row of its class that is among these has another value."""
    among = among & (released >= 0)
    n = int(released.max(initial=-1)) + 1
    least, most = np.full(n + 1, np.iinfo(np.intp).max), np.full(n + 1, -1)
    np.minimum.at(least, released[among], value[among])
    np.maximum.at(most, released[among], value[among])
    has = most[released] >= 0
    return has & ((least[released] != value) | (most[released] != value))


# ---- what a state shows by itself ----


@dataclass(frozen=True, eq=False)
class SetsOfOneValue:
    """Sets that violate a guarantee where all who are in one have one value.

    Attributes
    ----------
    column : str
        The sensitive column.
    ids, sizes : np.ndarray
        Intp per row the set that holds it, -1 without; int64 per set its persons.
    any_value : bool
        Whether harmless and missing values count too.
    """

    column: str
    ids: np.ndarray
    sizes: np.ndarray
    any_value: bool


def certain_by_itself(
    persons: ReleasedPersons, left: np.ndarray, families: Sequence[SetsOfOneValue], scope: np.ndarray
) -> dict[str, np.ndarray]:
    """By sensitive column, bool an item a row: in all sets that can have refused, and with one value in all of them.

    A set can have one value where each released class meets it with at most as many persons as it has of the value;
    who is left out can have any. ``left`` are the persons of each row who are there at the state, ``scope`` which state
    a row is of, where several have no row in common.
    """
    n_scopes = int(scope.max(initial=-1)) + 1
    candidates = np.zeros(n_scopes + 1, dtype=np.int64)
    holding: dict[str, np.ndarray] = {}
    for family in families:
        column = persons.columns[family.column]
        n_values = int(column.value.max(initial=-1)) + 1
        if len(left) * n_values > _MOST_CANDIDATES or column.apart is not None:
            return {}
        can = _can_have(persons, left, family, column, n_values)
        in_set = family.ids >= 0
        scope_of = np.full(len(family.sizes), n_scopes)
        scope_of[family.ids[in_set]] = scope[in_set]
        np.add.at(candidates, scope_of, can.sum(axis=1))
        mine = np.zeros(len(left), dtype=np.int64)
        mine[in_set] = can[family.ids[in_set], column.value[in_set]]
        holding[family.column] = holding.get(family.column, 0) + mine
    return {name: (held > 0) & (held == candidates[scope]) for name, held in holding.items()}


def _can_have(
    persons: ReleasedPersons, left: np.ndarray, family: SetsOfOneValue, column: ReleasedValues, n_values: int
) -> np.ndarray:
    """bool, sets x values: everybody in the set can have the value, as far as released classes show."""
    n_classes = int(persons.released.max(initial=-1)) + 1
    is_released = persons.released >= 0
    having = np.zeros((n_classes, n_values), dtype=np.int64)
    np.add.at(having, (persons.released[is_released], column.value[is_released]), persons.counts[is_released])
    allowed = np.ones(n_values, dtype=bool)
    if not family.any_value:
        allowed[:] = False
        allowed[column.value[column.harms]] = True
    can = np.repeat((allowed & (having.sum(axis=0) > 0))[None, :], len(family.sizes), axis=0)
    can[family.sizes == 0] = False
    rows = np.flatnonzero((family.ids >= 0) & is_released & (left > 0))
    key = family.ids[rows] * max(1, n_classes) + persons.released[rows]
    pair, number = np.unique(key, return_inverse=True)
    meeting = np.bincount(number.ravel(), weights=left[rows], minlength=len(pair)).astype(np.int64)
    for begin in range(0, len(pair), max(1, _MOST_CANDIDATES // max(1, n_values))):
        part = slice(begin, begin + max(1, _MOST_CANDIDATES // max(1, n_values)))
        of_set, of_class = np.divmod(pair[part], max(1, n_classes))
        too_many = having[of_class] < meeting[part, None]
        np.logical_and.at(can, of_set, ~too_many)
    return can


def is_of_one_value(guarantee: PrivacyModel) -> bool:
    """Whether sets violate it where all in them have one value, and no others."""
    match guarantee:
        case AttributeDisclosure():
            return guarantee.p == 0
        case LDiversity():
            return guarantee.by == "distinct" and 1 < guarantee.l <= 2
    return False


# ---- what is asked ----


def by_knowledge(
    guarantees: Iterable[PrivacyModel], known: frozenset[str]
) -> tuple[tuple[KAnonymity | AverageRiskLimit, ...], tuple[ValueModel, ...]]:
    """What is asked of known columns alone, and what looks at values that are not known.

    Of how many share columns of both kinds, those that are known are asked by themselves too.

    Parameters
    ----------
    guarantees : Iterable[PrivacyModel]
        What is asked.
    known : frozenset[str]
        The columns that may be known.

    Returns
    -------
    tuple
        The first and the second.
    """
    sizes, of_values = list[KAnonymity | AverageRiskLimit](), list[ValueModel]()
    for guarantee in guarantees:
        if isinstance(guarantee, KAnonymity | AverageRiskLimit):
            on_known = guarantee.on(known)
            if on_known is not None and on_known.columns:
                sizes.append(on_known)
            if isinstance(guarantee, AverageRiskLimit) or set(guarantee.columns) <= known:
                continue
        of_values.append(guarantee)
    return tuple(dict.fromkeys(sizes)), tuple(dict.fromkeys(of_values))


def looks_at_values(guarantee: PrivacyModel, known: frozenset[str]) -> bool:
    """Whether it depends on more than the columns that may be known."""
    return sensitive_of(guarantee) is not None or not set(guarantee.columns) <= known


def sets_of(guarantee: ValueModel) -> Iterator[tuple[str, ...]]:
    """The sets of known columns by which somebody can violate a guarantee."""
    if isinstance(guarantee, KAnonymity | AttributeDisclosure):
        yield from guarantee.sets()
    else:
        yield guarantee.columns


def is_of_all(guarantee: PrivacyModel) -> bool:
    """Whether one set of columns settles it."""
    if isinstance(guarantee, KAnonymity | AttributeDisclosure):
        return guarantee.n_sets == 1
    return True

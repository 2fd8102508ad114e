"""The swap certificate: of whom what a search refused can make no value certain, and of whom it does.

Somebody who knows the known columns of everybody in a file, and that a release is the least change that meets what is
asked, knows which finer releases the known columns alone would have allowed. A sensitive value refused each of these
*states*: some set of persons there violates what is asked. Two persons of one released class can change places where
each state has enough violating sets left that hold neither or both of them: the same release comes out then, so of
neither a value is certain that the other has not. What such a swap violates besides does not matter.

First the persons and the states, then the certificate, and what a state shows for certain by itself. Then the two ways
to have states: nodes of the lattice that lose less than a release of whole columns, and classes of a release part by
part that could have been split.

References
----------
Wong, Fu, Wang, Pei, "Minimality attack in privacy preserving data publishing", VLDB 2007. Zhang, Jajodia, Brodsky,
"Information disclosure under realistic assumptions: privacy versus optimality", CCS 2007.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import chain

import numpy as np

from anonlib.analyses.generalization.search.lattice import Node
from anonlib.analyses.generalization.search.persons import PersonProblem
from anonlib.analyses.generalization.search.problem import Problem, Solution
from anonlib.basics.budget import A_SECOND, Over
from anonlib.counting.classes.coding import sum_by, tally
from anonlib.counting.privacy_models import (
    VALUES,
    AttributeDisclosure,
    AverageRiskLimit,
    CodedRows,
    KAnonymity,
    LDiversity,
    PrivacyModel,
    TCloseness,
    least_to_go,
    left_after,
)
from anonlib.counting.privacy_models.coded import Groups
from anonlib.counting.privacy_models.models import is_finer_stricter, sensitive_of
from anonlib.counting.privacy_models.record_suppression import too_many_classes
from anonlib.counting.privacy_models.violations import violating_in

MOST_WORK = 10 * A_SECOND
"""Rows times sets of columns that are looked at for one certificate; beyond, it cannot be counted."""
_MOST_PAIRS = 100_000_000  # kinds of persons of a class, times each other, times states
_MOST_TRIED, _MOST_TRIED_OF_A_CLASS = 1_000_000, 50_000  # parts of one value, of all classes and of one
_MOST_CANDIDATES = 20_000_000  # rows, times values
_ALWAYS = 2**60  # what may be lost of a state that no swap ends
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
class Certificate:
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


def certify(persons: ReleasedPersons, states: States) -> dict[str, Certificate]:
    """The certificate of each sensitive column.

    Parameters
    ----------
    persons : ReleasedPersons
        Those of the file.
    states : States
        What was refused.

    Returns
    -------
    dict of str to Certificate
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
        safe |= _safe(persons, column, asked & ~safe & ~certain, states.refused)
        certificates[name] = Certificate(asked, safe, certain & asked)
    return certificates


def _safe(
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
        _, first, kind = np.unique(np.column_stack(kinds), axis=0, return_index=True, return_inverse=True)
        pairs += len(first) ** 2 * (1 + len(here))
        if pairs > _MOST_PAIRS:
            break  # those who are left are not shown to be safe
        value = column.value[rows][first]
        can = column.differ(value[:, None], value[None, :])
        for any_of in here:
            can &= np.logical_or.reduce([witnesses.at(first).stay() for witnesses in any_of])
        safe[rows] |= asked[rows] & can.any(axis=1)[kind.ravel()]
    return safe


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
class _SetsOfOneValue:
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


def _certain(
    persons: ReleasedPersons, left: np.ndarray, families: Sequence[_SetsOfOneValue], scope: np.ndarray
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
    persons: ReleasedPersons, left: np.ndarray, family: _SetsOfOneValue, column: ReleasedValues, n_values: int
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


def _of_one_value(guarantee: PrivacyModel) -> bool:
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


def _sets_of(guarantee: ValueModel) -> Iterator[tuple[str, ...]]:
    if isinstance(guarantee, KAnonymity | AttributeDisclosure):
        yield from guarantee.sets()
    else:
        yield guarantee.columns


def _is_of_all(guarantee: PrivacyModel) -> bool:
    """Whether one set of columns settles it."""
    if isinstance(guarantee, KAnonymity | AttributeDisclosure):
        return guarantee.n_sets == 1
    return True


def _is_implied(guarantee: KAnonymity | AverageRiskLimit, other: KAnonymity | AverageRiskLimit) -> bool:
    """Whether it holds wherever the other one does, which asks of everybody how many share all of more columns."""
    if not isinstance(other, KAnonymity) or other.share or not _is_of_all(other):
        return False
    if not set(guarantee.columns) <= set(other.columns) or (guarantee.rows, other.rows) != (VALUES, VALUES):
        return False
    return 1 / other.least <= (1 / guarantee.least if isinstance(guarantee, KAnonymity) else guarantee.limit)


def _read(rows: CodedRows, guarantee: PrivacyModel, columns: Sequence[str]) -> CodedRows:
    """The rows by whose groups sets are held: those that a person reads as one are in one, where that matters."""
    return rows if is_finer_stricter(guarantee, True) else rows.as_read(columns)


# ---- nodes that lose less than a release of whole columns ----


@dataclass(frozen=True)
class Released:
    """The release beside which nodes are looked at.

    Attributes
    ----------
    loss : float
        The share of the cells' detail that it loses, as :attr:`Solution.information_loss`.
    left_out : int
        Records (persons) that it leaves out.
    node : Node, optional
        The node that it is at; None where its labels are on no levels of the hierarchies.
    for_values : bool, default False
        Whether records may be left out for their values, so that a state was refused only where too many had to go.
    """

    loss: float
    left_out: int
    node: Node | None = None
    for_values: bool = False

    def loses_more_than(self, solution: Solution) -> bool:
        """Whether a search would have taken a node rather than this release."""
        if self.node is None:
            return (solution.information_loss, solution.left_out) < (self.loss, self.left_out)
        return solution.rank < Solution(self.node, self.loss, self.left_out).rank


def states_of_nodes(
    problem: Problem, persons: ReleasedPersons, release: Released, most_work: float = MOST_WORK
) -> States:
    """The nodes that lose less than a release and that the known columns allow: refused by a value.

    They are walked from coarse to fine, column by column. Nothing finer is looked at where the sizes of classes leave
    out more than may be, nor where so many disjoint sets violate that no swap ends that whatever records are left out
    for their sizes.

    Parameters
    ----------
    problem : Problem
        What was searched, whose rows are those of ``persons``, with its weights and the most that may be left out.
    persons : ReleasedPersons
        Those of the file with what is released of them.
    release : Released
        What the release loses.
    most_work : float, default MOST_WORK
        Rows times sets of columns that may be looked at.

    Returns
    -------
    States

    Raises
    ------
    TooMuchWork
        Where it takes more.
    """
    return _Nodes(problem, persons, release, most_work).states()


class _Nodes:
    """The nodes below a release, walked once."""

    def __init__(self, problem: Problem, persons: ReleasedPersons, release: Released, most_work: float) -> None:
        self.problem, self.persons, self.release, self.most_work = problem, persons, release, most_work
        self.limit = max(0, problem.suppression_limit, release.left_out)
        sizes, self.values = by_knowledge(problem.guarantees, persons.known)
        self.sizes = [g for g in sizes if not any(_is_implied(g, other) for other in sizes if other != g)]
        self.work = 0.0
        self.strict = [g for g in self.values if g.share == 0]
        self.lenient = [g for g in self.values if g.share > 0]
        fixed = {name for name, level in zip(problem.columns, problem.highest, strict=True) if not level}
        self.shrinking_sizes = [g for g in self.sizes if isinstance(g, KAnonymity) and g.share == 0 and _is_of_all(g)]
        self.lasting_values = [
            g
            for g in self.strict
            if _is_of_all(g)
            and set(g.columns) <= persons.known
            and (g.stays or self.limit == 0)
            and (sensitive_of(g) not in problem.columns or sensitive_of(g) in fixed)
        ]  # fmt: skip
        self.refused, self.n_refused, self.n_silent = list[RefusedState](), 0, 0

    def spend(self, sets: float) -> None:
        self.work += len(self.problem.counts) * sets
        if self.work > self.most_work:
            raise TooMuchWork

    # ---- the walk ----

    def states(self) -> States:
        problem = self.problem
        self.order = sorted(
            range(len(problem.columns)),
            key=lambda j: (-problem.highest[j], -problem.levels[problem.columns[j]].n_values),
        )
        self.order = [j for j in self.order if problem.highest[j]]
        asked = {tuple(sorted(g.columns)) for g in (*self.shrinking_sizes, *self.lasting_values)}
        top = dict(zip(problem.columns, problem.highest, strict=True))
        groups = {} if isinstance(problem, PersonProblem) else {names: problem.groups(names, top) for names in asked}
        cheapest = [float(costs[0]) for costs in problem.level_costs]
        self.walk(0, list(problem.highest), groups, sum(cheapest), cheapest, self.is_over(groups, problem.highest))
        return States(tuple(self.refused), self.n_refused, self.n_silent)

    def walk(
        self,
        depth: int,
        node: list[int],
        groups: Mapping[tuple[str, ...], Groups],
        least: float,
        cheapest: Sequence[float],
        is_over: bool,
    ) -> None:
        """Nodes with the columns decided so far at these levels; ``least`` is what they lose at least."""
        if is_over:
            return
        if depth == len(self.order):
            self.look(tuple(node))
            return
        problem, j = self.problem, self.order[depth]
        name, top = problem.columns[j], problem.highest[j]
        for level in range(top, -1, -1):
            lost = least - cheapest[j] + float(problem.level_costs[j][level])
            if problem.share(lost) > self.release.loss:
                continue
            node[j] = level
            finer = groups if level == top else self.refined(groups, name, level)
            if level < top and self.is_over(finer, tuple(node)):
                break
            self.walk(depth + 1, node, finer, lost, cheapest, False)
        node[j] = top

    def refined(self, groups: Mapping[tuple[str, ...], Groups], name: str, level: int) -> dict[tuple[str, ...], Groups]:
        problem, finer = self.problem, dict[tuple[str, ...], Groups]()
        for names, (ids, sizes) in groups.items():
            if name not in names:
                finer[names] = ids, sizes
                continue
            self.spend(1)
            codes, span = problem.rows.codes_at(name, level), len(problem.levels[name].labels[level])
            finer[names] = tally([ids, codes], [len(sizes), span], problem.counts)
        return finer

    def is_over(self, groups: Mapping[tuple[str, ...], Groups], node: Node) -> bool:
        """Whether no node at these levels or finer ones has to be looked at."""
        if isinstance(self.problem, PersonProblem):
            return self.is_over_of_persons(node)
        for g in self.shrinking_sizes:
            _, sizes = groups[tuple(sorted(g.columns))]
            if int(sizes[sizes < g.least].sum()) > self.limit:
                return True
        return any(self.is_hopeless(g, groups[tuple(sorted(g.columns))]) for g in self.lasting_values)

    def is_hopeless(self, guarantee: ValueModel, groups: Groups) -> bool:
        """Whether so many sets violate it that no swap ends that, whoever is left out for sizes, here and below."""
        self.spend(1)
        sensitive, ids = sensitive_of(guarantee), groups[0]
        assert sensitive is not None
        coded = self.problem.rows.coded([sensitive], {})
        violates = violating_in(coded, guarantee, groups)
        of_set = np.bincount(ids[violates], weights=self.problem.counts[violates])
        of_set = np.sort(of_set[of_set > 0])
        return len(of_set) >= 3 and of_set[:-2].sum() > self.limit

    def is_over_of_persons(self, node: Node) -> bool:
        """The same where persons have several rows."""
        for g in self.sizes:
            if isinstance(g, KAnonymity) and self.problem.lasts(g):
                self.spend(max(1, g.n_sets))
                violate = self.problem.records(self.problem.violating(g, node))
                if least_to_go(violate, self.problem.n_records, g.share) > self.limit:
                    return True
        return False

    # ---- a node ----

    def look(self, node: Node) -> None:
        """Count a node that loses less than the release by its levels alone."""
        problem = self.problem
        levels = dict(zip(problem.columns, node, strict=True))
        if node == self.release.node:
            return
        left = self.left(node, levels)
        if left is None:
            return
        solution = self.solution(node, left)
        if not self.release.loses_more_than(solution):
            return
        n_out = solution.left_out
        witnesses, is_refused = [], False
        for asked, is_strict in ((self.strict, True), *(([g], False) for g in self.lenient)):
            if not asked:
                continue
            if is_refused and any(found.never_end for found in witnesses):
                break
            slack = self.slack(asked, is_strict, n_out, left)
            if not is_strict and problem.records(problem.violating(asked[0], node)) <= slack:
                self.spend(1)
                continue
            sets = self.violating_sets(asked, levels, left, slack)
            if sets is not None:
                is_refused = True
                witnesses.append(sets)
        if not is_refused:
            self.n_silent += 1
            return
        self.n_refused += 1
        if not any(found.never_end for found in witnesses):
            self.refused.append(RefusedState(tuple(witnesses), self.shown(levels, left), node))

    def left(self, node: Node, levels: Mapping[str, int]) -> np.ndarray | None:
        """int64 per row, who is left at a node when all that is asked of sizes holds; None where more than may go."""
        problem, counts = self.problem, self.problem.counts
        gone, holds = np.zeros(len(counts), dtype=bool), True
        for g in self.sizes:
            if isinstance(g, AverageRiskLimit):
                holds &= not too_many_classes(problem.groups(g.columns, levels)[1], g.limit)
                continue
            self.spend(g.n_sets)
            violates = problem.violating(g, node)
            number = least_to_go(problem.records(violates), problem.n_records, g.share)
            holds &= not number
            if g.share == 0:
                gone |= violates
            if number > self.limit:
                return None
        if holds:
            return counts
        if problem.records(gone) > self.limit or isinstance(problem, PersonProblem):
            return None
        if len(self.sizes) == 1 and len(self.shrinking_sizes) == 1:
            return np.where(gone, 0, counts)
        self.spend(4 * sum(g.n_sets if isinstance(g, KAnonymity) else 1 for g in self.sizes))
        rows, _, weighed, place = problem.rolled_up(node)
        after = left_after(rows, self.sizes, weighed, most=self.limit, divisible=problem.divisible)
        if after is None:
            return None
        # Rows that are alike by known columns go alike, whichever of them are counted here.
        share_left = np.where(rows.counts > 0, after / np.maximum(1, rows.counts), 1.0)
        return np.where(share_left[place] >= 1, counts, np.floor(counts * share_left[place]).astype(np.int64))

    def solution(self, node: Node, left: np.ndarray) -> Solution:
        """A node with what it loses when these are left."""
        problem, gone = self.problem, self.problem.counts - left
        n_gone = int(gone.sum())
        cost = problem.cost(node)
        if n_gone:
            rows = np.flatnonzero(gone)
            cost += n_gone * problem.fixed_worth
            for j, level in enumerate(node):
                worth = problem._worth(j, level)[problem.rows.codes_at(problem.columns[j], level)[rows]]
                cost += float((gone[rows] * worth).sum())
        return Solution(node, problem.share(cost), n_gone)

    def slack(self, asked: Sequence[ValueModel], is_strict: bool, n_out: int, left: np.ndarray) -> int:
        """So many may violate with the node still taken."""
        may_go = max(0, self.limit - n_out) if self.release.for_values else 0
        if is_strict:
            return may_go
        n_left = int(left.sum())
        return math.floor(may_go + asked[0].share * (n_left - may_go) + 1e-9)

    def violating_sets(
        self, asked: Sequence[ValueModel], levels: Mapping[str, int], left: np.ndarray, slack: int
    ) -> Witnesses | None:
        """The sets of those left who violate some of this; None where no more than may do."""
        problem, n_rows = self.problem, len(left)
        families, weights = list[np.ndarray](), list[np.ndarray]()
        violating, lasting, touched = np.zeros(n_rows, bool), np.zeros(n_rows, bool), np.zeros(n_rows, np.int64)
        for g in asked:
            for columns in _sets_of(g):
                self.spend(1)
                mask = self.mask(g, columns, levels, left)
                if not mask.any():
                    continue
                violating |= mask
                known = [name for name in columns if name in self.persons.known]
                if sensitive_of(g) is None and len(known) == len(columns):
                    lasting |= mask  # of known columns alone, which no swap changes
                    continue
                ids, _ = _read(problem.rows.coded(known, levels), g, known).groups(known)
                weight = np.bincount(ids[mask], weights=left[mask], minlength=int(ids.max(initial=-1)) + 1)
                if slack == 0:
                    weight = np.minimum(weight, 1)
                weight = weight.astype(np.int64)
                touched += weight[ids]
                families.append(np.where(weight[ids] > 0, ids, -1))
                weights.append(weight)
        total = int(left[violating].sum())
        if total <= slack:
            return None
        if slack == 0:
            total = sum(int(weight.sum()) for weight in weights) + int(lasting.any())
        if left is not problem.counts and any(isinstance(g, TCloseness) for g in asked):
            # What all who are left have stays as it is where both are left, or neither.
            families.append(np.where(left > 0, 0, 1))
            weights.append(np.full(2, _ALWAYS))
            touched = touched + _ALWAYS
        return Witnesses(np.full(n_rows, total - slack - 1, dtype=np.int64), touched, tuple(families), tuple(weights))

    def mask(
        self, guarantee: ValueModel, columns: tuple[str, ...], levels: Mapping[str, int], left: np.ndarray
    ) -> np.ndarray:
        """bool per row: somebody left violates it by these columns."""
        problem = self.problem
        nobody_out = left is problem.counts
        whole_classes = len(self.sizes) == 1 and set(self.sizes[0].columns) <= set(columns)
        if nobody_out or (whole_classes and not isinstance(guarantee, TCloseness)):
            return problem.mask(guarantee, columns, levels) & (left > 0)
        on_labels = problem.on_labels(guarantee, levels)
        mask = np.zeros(len(left), dtype=bool)
        if on_labels is None:
            return mask
        sensitive = sensitive_of(guarantee)
        named = columns if sensitive is None else (*columns, sensitive)
        rows = np.flatnonzero(left > 0)
        coded = problem.rows.coded(named, levels)
        coded = CodedRows({name: codes[rows] for name, codes in coded.codes.items()}, coded.labels, left[rows])
        mask[rows] = violating_in(coded, on_labels, coded.groups(columns))
        return mask

    def shown(self, levels: Mapping[str, int], left: np.ndarray) -> dict[str, np.ndarray]:
        """What the node shows by itself, where what refused it can only be sets of one value."""
        problem = self.problem
        if self.release.for_values or isinstance(problem, PersonProblem):
            return {}
        families = []
        for g in self.values:
            sensitive = sensitive_of(g)
            if g.share or not _of_one_value(g) or sensitive is None or not set(g.columns) <= self.persons.known:
                return {}
            if levels.get(sensitive, 0) or sensitive not in self.persons.columns:
                return {}
            for columns in _sets_of(g):
                self.spend(2)
                ids, sizes = tally(*self._codes(columns, levels), left)
                ids = np.where(left > 0, ids, -1)
                families.append(_SetsOfOneValue(sensitive, ids, sizes, isinstance(g, LDiversity)))
        return _certain(self.persons, left, families, np.zeros(len(left), dtype=np.intp))

    def _codes(self, columns: Sequence[str], levels: Mapping[str, int]) -> tuple[list[np.ndarray], list[int]]:
        rows = self.problem.rows
        return (
            [rows.codes_at(name, levels.get(name, 0)) for name in columns],
            [max(1, len(rows.labels_at(name, levels.get(name, 0)))) for name in columns],
        )


# ---- classes that could have been split ----


@dataclass(frozen=True, eq=False)
class ReleasedLabels:
    """The labels of a release part by part, and those that its cells would have one level finer, by row of persons.

    Attributes
    ----------
    rows : CodedRows
        Known columns by their released labels, and sensitive columns; every row is released.
    finer : Mapping[str, np.ndarray]
        By known column that can be finer, intp, an item a row: the code of its next finer label, among those of the
        released labels; of who can have none its own.
    """

    rows: CodedRows
    finer: Mapping[str, np.ndarray]


def states_of_parts(
    labels: ReleasedLabels,
    persons: ReleasedPersons,
    guarantees: Sequence[PrivacyModel],
    most_work: float = MOST_WORK,
) -> States:
    """Released classes that the known columns allow to be split by one column at one finer level: refused by a value.

    A part that could split would have. Those who are too few at the finer level stay together at the coarser one, none
    of them or enough. What is asked is asked of each part and for everybody.

    Parameters
    ----------
    labels : ReleasedLabels
        What is released, and what would be finer.
    persons : ReleasedPersons
        Those who are released, in the same rows.
    guarantees : Sequence[PrivacyModel]
        What is asked.
    most_work : float, default MOST_WORK
        Rows times sets of columns that may be looked at.

    Returns
    -------
    States
        One an item of ``finer``; each is of all classes that can be split by the column, a state a class.

    Raises
    ------
    TooMuchWork
        Where it takes more.
    """
    return _Parts(labels, persons, guarantees, most_work).states()


class _Assignments:
    """The ways in which the values of a class can be spread over its persons with every split of it refused.

    A split is refused where some part of it has one value. Which part that is, and which value, is gone through for all
    splits together: those in such a part have its value, and the others any of what is left.

    Attributes
    ----------
    possible : dict[str, np.ndarray]
        By sensitive column, bool, kinds of persons x values: what may be possible.
    shown : dict[str, np.ndarray]
        The same: what is possible for certain, since all that is asked in a way is of this column.
    tried : int
        Parts that were looked at.
    """

    def __init__(self, sizes: np.ndarray, having: Mapping[str, np.ndarray]) -> None:
        self.sizes, self.having = [int(size) for size in sizes], having
        self.possible = {name: np.zeros((len(sizes), len(counts)), dtype=bool) for name, counts in having.items()}
        self.shown = {name: np.zeros((len(sizes), len(counts)), dtype=bool) for name, counts in having.items()}
        self.tried = 0
        self.options = dict[tuple[tuple[int, str, int], ...], None]()

    def add(self, part_of: np.ndarray, asked: Sequence[tuple[str, np.ndarray]]) -> None:
        """A split: of each kind its part, and by column which values refuse a part that has nothing else."""
        options = list[tuple[int, str, int]]()
        for part in np.unique(part_of):
            kinds = sum(1 << int(kind) for kind in np.flatnonzero(part_of == part))
            size = self.size(kinds)
            for name, allowed in asked:
                for value in np.flatnonzero(allowed & (self.having[name] >= size)):
                    options.append((kinds, name, int(value)))
        self.options[tuple(dict.fromkeys(options))] = None

    def size(self, kinds: int) -> int:
        """The persons of some kinds, which are bits."""
        return sum(size for kind, size in enumerate(self.sizes) if kinds >> kind & 1)

    def run(self) -> bool:
        """Go through all ways; whether none was left out for being too many."""
        splits = sorted(self.options, key=len)
        waiting: list[tuple[int, dict[tuple[str, int], int]]] = [(0, {})]
        seen = set[tuple[int, frozenset[tuple[tuple[str, int], int]]]]()
        while waiting:
            depth, having = waiting.pop()
            if depth == len(splits):
                self.enter(having)
                continue
            for kinds, name, value in splits[depth]:
                self.tried += 1
                together = having.get((name, value), 0) | kinds
                if (
                    any(other & together for (column, of), other in having.items() if column == name and of != value)
                    or self.size(together) > self.having[name][value]
                ):
                    continue
                further = {**having, (name, value): together}
                key = (depth + 1, frozenset(further.items()))
                if key not in seen:
                    seen.add(key)
                    waiting.append((depth + 1, further))
            if self.tried > _MOST_TRIED_OF_A_CLASS:
                return False
        return True

    def enter(self, having: Mapping[tuple[str, int], int]) -> None:
        """What is possible where these kinds have these values."""
        asked = {name for name, _ in having}
        for name, counts in self.having.items():
            left = counts.copy()
            fixed = np.full(len(self.sizes), -1)
            for (column, value), kinds in having.items():
                if column == name:
                    left[value] -= self.size(kinds)
                    fixed[[kind for kind in range(len(fixed)) if kinds >> kind & 1]] = value
            now = (fixed[:, None] == np.arange(len(counts))[None, :]) | ((fixed < 0)[:, None] & (left > 0)[None, :])
            self.possible[name] |= now
            if asked <= {name}:
                self.shown[name] |= now


class _Parts:
    """The splits of the classes of a release."""

    def __init__(
        self,
        labels: ReleasedLabels,
        persons: ReleasedPersons,
        guarantees: Sequence[PrivacyModel],
        most_work: float,
    ) -> None:
        self.labels, self.persons, self.rows, self.most_work = labels, persons, labels.rows, most_work
        sizes, of_values = by_knowledge((replace(g, share=0.0) for g in guarantees), persons.known)
        of_class = [g.least for g in sizes if isinstance(g, KAnonymity) and _is_of_all(g)]
        of_class += [math.ceil(round(1 / g.limit, 9)) for g in sizes if isinstance(g, AverageRiskLimit) and g.limit]
        self.least = max(of_class, default=1)
        self.of_few = [g for g in sizes if isinstance(g, KAnonymity) and not _is_of_all(g) and g.least > self.least]
        self.values = of_values
        self.released = persons.released
        self.n_classes = int(self.released.max(initial=-1)) + 1
        self.work = 0.0
        self.n_refused = self.n_silent = 0
        # By column that splits classes, the parts of those that are refused, and the guarantees that may have been.
        self.splits = list[tuple[np.ndarray, list[_SetsOfOneValue]]]()
        self.unclear = np.zeros(self.n_classes, dtype=bool)
        self.by_all = True  # all known columns, which one class alone settles

    def spend(self, sets: float) -> None:
        self.work += len(self.rows.counts) * sets
        if self.work > self.most_work:
            raise TooMuchWork

    def states(self) -> States:
        states = [state for name in self.labels.finer if (state := self.split(name)) is not None]
        return States(tuple(states), self.n_refused, self.n_silent, self.possible())

    def split(self, name: str) -> RefusedState | None:
        """The states that split classes by a column; None where none of them is refused."""
        rows, counts, released = self.rows, self.rows.counts, self.released
        self.spend(4)
        finer = self.labels.finer[name]
        span = max(1, len(rows.labels[name]))
        child, sizes = tally([released, finer], [self.n_classes, span], counts)
        own = rows.codes[name]
        is_part = (sizes[child] >= self.least) & (finer != own)
        part, part_sizes = tally([released, np.where(is_part, finer, span)], [self.n_classes, span + 1], counts)
        has_parts = np.zeros(self.n_classes, dtype=bool)
        has_parts[released[is_part]] = True
        is_whole = part_sizes[part] == np.bincount(released, weights=counts, minlength=self.n_classes)[released]
        can = has_parts.copy()
        can[released[(part_sizes[part] < self.least) | is_whole]] = False  # too few stay together, or all of them
        can_row = can[released]
        if not can.any():
            return None
        families, unclear = list[_SetsOfOneValue](), np.zeros(self.n_classes, dtype=bool)
        ids, label = np.where(can_row, part, -1), np.where(is_part, finer, own)
        weight = np.zeros(len(part_sizes), dtype=np.int64)
        of_one_value = True
        for g in self.values:
            violating, is_clear = self.violating_parts(g, name, ids, part_sizes, label, can)
            weight += violating
            unclear |= can & ~is_clear
            sensitive = sensitive_of(g)
            if name not in g.columns or (sensitive is not None and sensitive not in self.rows.codes):
                continue
            if (
                not _of_one_value(g)
                or sensitive not in self.persons.columns
                or not set(g.columns) <= self.persons.known
            ):
                of_one_value = False
                continue
            families.append(_SetsOfOneValue(sensitive, ids, part_sizes, isinstance(g, LDiversity)))
            self.by_all &= _is_of_all(g)
        if self.of_few:
            can &= self.few_hold(name, ids, label, can, weight > 0)
            weight[part[~can[released]]] = 0
            unclear &= can
        total = np.zeros(self.n_classes, dtype=np.int64)
        class_of_part = np.zeros(len(part_sizes), dtype=np.intp)
        class_of_part[part] = released
        np.add.at(total, class_of_part, weight)
        refused = total > 0
        unclear &= ~refused
        self.n_refused += int((refused | unclear).sum())
        self.n_silent += int((can & ~refused & ~unclear).sum())
        if not (refused | unclear).any():
            return None
        self.unclear |= unclear
        refused_ids = np.where(refused[released], part, -1)
        if of_one_value:
            self.splits.append((refused_ids, families))
        else:
            self.unclear |= refused
        touched = np.where(refused[released], weight[part], 0)
        spare = np.where(refused, total - 1, np.where(unclear, -1, _ALWAYS))[released]
        return RefusedState((Witnesses(spare, touched, (np.where(touched > 0, part, -1),), (weight,)),))

    def possible(self) -> dict[str, PossibleValues]:
        """By sensitive column, whose value can be another one with all splits of their class refused."""
        counts, released, columns = self.rows.counts, self.released, self.persons.columns
        possible = {
            name: PossibleValues(np.zeros(len(counts), dtype=bool), np.zeros(len(counts), dtype=bool))
            for name in {family.column for _, families in self.splits for family in families}
        }
        order = np.argsort(released, kind="stable")
        begins = np.searchsorted(released[order], np.arange(self.n_classes + 1))
        work = 0
        in_splits = [released[ids >= 0] for ids, _ in self.splits]
        for number in np.unique(np.concatenate([released[:0], *in_splits])):
            rows = order[begins[number] : begins[number + 1]]
            splits = [(ids[rows], families) for ids, families in self.splits if ids[rows[0]] >= 0]
            _, first, kind = np.unique(
                np.column_stack([ids for ids, _ in splits]), axis=0, return_index=True, return_inverse=True
            )
            values = {name: np.unique(columns[name].value[rows], return_inverse=True) for name in possible}
            search = _Assignments(
                sum_by(kind.ravel(), len(first), counts[rows]),
                {name: sum_by(of_row.ravel(), len(codes), counts[rows]) for name, (codes, of_row) in values.items()},
            )
            for ids, families in splits:
                search.add(ids[first], [(family.column, self.allowed(family, rows, values)) for family in families])
            is_whole = search.run()
            work += search.tried
            for name, shown in possible.items():
                at = kind.ravel(), values[name][1].ravel()
                own, others = search.possible[name][at], search.possible[name].sum(axis=1)[at[0]]
                if is_whole:
                    shown.certain[rows] = own & (others == 1)
                if self.by_all and not self.unclear[number] and columns[name].apart is None:
                    shown.another[rows] = search.shown[name].sum(axis=1)[at[0]] > search.shown[name][at]
            if work > _MOST_TRIED:
                break
        return possible

    def allowed(
        self, family: _SetsOfOneValue, rows: np.ndarray, values: Mapping[str, tuple[np.ndarray, np.ndarray]]
    ) -> np.ndarray:
        """bool, a value of the class each: a set that has it alone violates the guarantee."""
        codes, of_row = values[family.column]
        allowed = np.full(len(codes), family.any_value)
        allowed[of_row.ravel()[self.persons.columns[family.column].harms[rows]]] = True
        return allowed

    def violating_parts(
        self,
        guarantee: ValueModel,
        name: str,
        ids: np.ndarray,
        sizes: np.ndarray,
        label: np.ndarray,
        can: np.ndarray,
    ) -> tuple[np.ndarray, np.ndarray]:
        """int64 per part, 1 where it violates a guarantee; and bool per class whether that is all that may do so."""
        violating, is_clear = np.zeros(len(sizes), dtype=np.int64), np.ones(len(can), dtype=bool)
        sensitive = sensitive_of(guarantee)
        if name not in guarantee.columns or (sensitive is not None and sensitive not in self.rows.codes):
            return violating, is_clear
        if sensitive is None or not set(guarantee.columns) <= self.persons.known:
            return violating, ~can  # values of several columns together: not looked at part by part
        self.spend(2)
        inside = np.flatnonzero(ids >= 0)
        coded = CodedRows(
            {sensitive: self.rows.codes[sensitive][inside]}, {sensitive: self.rows.labels[sensitive]},
            self.rows.counts[inside],
        )  # fmt: skip
        violates = violating_in(coded, guarantee, (ids[inside], sizes))
        violating[ids[inside[violates]]] = 1
        if isinstance(guarantee, TCloseness):
            violating, is_clear = self.far_parts(guarantee, ids, sizes, can)
        if _is_of_all(guarantee):
            return violating, is_clear
        if isinstance(guarantee, AttributeDisclosure) and guarantee.p == 0:
            return self.by_few(guarantee, name, violating, ids, label), is_clear
        refused = np.zeros(len(can), dtype=bool)
        refused[self.released[inside[violates]]] = True
        return violating, ~can | refused  # a few of the columns may make a value likely across classes

    def far_parts(
        self, guarantee: TCloseness, ids: np.ndarray, sizes: np.ndarray, can: np.ndarray
    ) -> tuple[np.ndarray, np.ndarray]:
        """The parts further from all who leave than may be: these are all of them, not those who can be split."""
        violating = np.zeros(len(sizes), dtype=np.int64)
        everybody = np.where(ids >= 0, ids, len(sizes))
        all_sizes = np.append(sizes, self.rows.counts[ids < 0].sum())
        coded = CodedRows(
            {guarantee.sensitive: self.rows.codes[guarantee.sensitive]},
            {guarantee.sensitive: self.rows.labels[guarantee.sensitive]},
            self.rows.counts,
        )
        violates = violating_in(coded, guarantee, (everybody, all_sizes)) & (ids >= 0)
        violating[ids[violates]] = 1
        return violating, np.ones(len(can), dtype=bool)

    def by_few(
        self, guarantee: AttributeDisclosure, name: str, violating: np.ndarray, ids: np.ndarray, label: np.ndarray
    ) -> np.ndarray:
        """Of parts of one value, those that some few columns show: all who share these with them have it too."""
        value = self.rows.as_read([guarantee.sensitive]).codes[guarantee.sensitive]
        shown = violating.copy()
        for part in np.flatnonzero(violating):
            mine = np.flatnonzero(ids == part)
            alike = self.alike(mine[0], name, label)
            same = value == value[mine[0]]
            shown[part] = 0
            for columns in guarantee.sets():
                if name not in columns:
                    continue
                self.spend(0.5)
                if same[np.logical_and.reduce([alike[column] for column in columns])].all():
                    shown[part] = 1
                    break
        return shown

    def few_hold(
        self, name: str, ids: np.ndarray, label: np.ndarray, can: np.ndarray, of_interest: np.ndarray
    ) -> np.ndarray:
        """bool per class: by every few columns enough share the labels of its parts, of which some are of interest."""
        holds = np.ones(len(can), dtype=bool)
        interesting = np.unique(self.released[(ids >= 0) & of_interest[ids]])
        for number in interesting:
            for part in np.unique(ids[self.released == number]):
                alike = self.alike(int(np.flatnonzero(ids == part)[0]), name, label)
                for g in self.of_few:
                    for columns in g.sets():
                        if name not in columns:
                            continue
                        self.spend(0.5)
                        sharing = np.logical_and.reduce([alike[column] for column in columns])
                        holds[number] &= int(self.rows.counts[sharing].sum()) >= g.least
        return holds

    def alike(self, row: int, name: str, label: np.ndarray) -> dict[str, np.ndarray]:
        """By known column, bool an item a row: it has the label of a row when the row's class alone is split."""
        here = self.released == self.released[row]
        alike = {column: codes == codes[row] for column, codes in self.rows.codes.items()}
        alike[name] = np.where(here, label, self.rows.codes[name]) == label[row]
        return alike

"""Levels for each part of persons with several rows.

First the rows of persons one by one: how many of them can stay, and what holds of them with their labels. Then what
must hold of the persons of a part; last the units that are put into parts.

Persons with equally many rows are looked at together, the rows of each in one order: a person of n rows and c columns
is one unit of n times c cells. All units of a part have equal labels in each of these, so whatever is known of their
rows (one, several, the values of each column, all with their number) is true of all or of none of them: who shares it
is a union of parts, and what is certain of a union is certain of each of its parts. So what is asked is asked of the
persons of each part. Where a single row alone can be known, rows are units: of a person no two in the same table, so
that a part of so many rows is of as many persons.

With a coin (:mod:`.with_coins`) known columns alone decide who stands, loses rows and is tried with whom. Rows of a
person with the same known values come in an order drawn with the coins: that of their sensitive values would show which
of two is the less. Values change places among whole persons, so single rows are units only
where nobody can link them and no person has two that are alike: then no other table depends on a row's value.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, partial

import numpy as np

from anonlib.analyses.generalization.search.coins import LARGE, Coin, Coins, drawn_of, mixed, numbers_of_rows, summed
from anonlib.analyses.generalization.search.local_recoding.few_facts import numbered_labels
from anonlib.analyses.generalization.search.local_recoding.of_records import ROUNDS, Splits, rules_for
from anonlib.analyses.generalization.search.local_recoding.splitting_kernel import (
    DISTINCT,
    ENTROPY,
    EQUAL,
    NOT_CERTAIN,
    ORDERED,
    LabelTable,
    PartLimits,
    SplitRule,
    cannot_stand,
)
from anonlib.analyses.generalization.search.local_recoding.with_coins import CoinSplits, without_values
from anonlib.analyses.generalization.search.persons import PersonProblem
from anonlib.basics.progress import Progress, nobody, share_of
from anonlib.basics.thresholds import smallest_class
from anonlib.counting.classes.coding import group, sum_by
from anonlib.counting.privacy_models import (
    ALL,
    ONE,
    AttributeDisclosure,
    AverageRiskLimit,
    CodedPersons,
    CodedRows,
    KAnonymity,
    LDiversity,
    PrivacyModel,
    TCloseness,
    rows_left,
    sensitive_readings,
)
from anonlib.counting.privacy_models.models import sensitive_of

# ---- single rows ----

_MOST_SETS = 64  # of columns that part the file, where each set of them would have to be looked at


@dataclass(frozen=True, eq=False)
class LocalRecodingOfPersons:
    """Levels of each cell of persons with several rows, at which everything asked holds.

    Rows are single: of each profile of the person table each row as often as a person has it, equal ones side by side.

    Attributes
    ----------
    cell_levels : np.ndarray
        int16, single rows x columns that can be coarsened.
    kept : np.ndarray
        bool, per single row: not left out.
    persons : np.ndarray
        int64, per single row the persons who have it.
    loss : float
        The share of the cells' detail that is lost, in [0, 1]; a row that is left out loses all of its own.
    left_out, rows_out : int
        Persons of whom no row is left, and rows that are left out.
    part : np.ndarray, optional
        int64, per single row the number of its part, -1 of those that are in none; None where nobody asks.
    """

    cell_levels: np.ndarray
    kept: np.ndarray
    persons: np.ndarray
    loss: float
    left_out: int
    rows_out: int
    part: np.ndarray | None = None


class SingleRows:
    """The single rows of a problem.

    Attributes
    ----------
    item : intp, each one's place in ``row`` of the person table.
    profile, row : intp, its profile and its distinct row.
    persons : int64, how many persons have it.
    sensitive : the columns of which something must not be certain, or must be diverse or close.
    coarsened : the places of the columns that can be coarsened and are not sensitive.
    """

    def __init__(self, problem: PersonProblem) -> None:
        table = problem.table
        self.problem = problem
        self.item = np.repeat(np.arange(len(table.row)), table.times)
        self.profile, self.row = table.profile[self.item], table.row[self.item]
        self.persons = table.persons[self.profile]
        self.sensitive = {name for guarantee in problem.guarantees if (name := sensitive_of(guarantee)) is not None}
        self.coarsened = [
            j for j, name in enumerate(problem.columns) if name not in self.sensitive and problem.highest[j]
        ]

    def __len__(self) -> int:
        return len(self.row)

    def values(self, j: int) -> np.ndarray:
        """intp, the code of each one's value in column j of those that can be coarsened."""
        return self.problem.rows.columns[j][self.row]

    @cached_property
    def at_top(self) -> np.ndarray:
        """int16, as ``cell_levels`` of :class:`LocalRecodingOfPersons`: all as coarse as can be."""
        levels = np.zeros((len(self), len(self.problem.columns)), dtype=np.int16)
        for j in self.coarsened:
            levels[:, j] = self.problem.highest[j]
        return levels

    @cached_property
    def apart(self) -> list[tuple[np.ndarray, int]]:
        """What parts the file whatever is coarsened: per column that may be known the codes of its labels at the top,
        and what they are below, where these are several."""
        return [self._codes_at_top[name] for name in self.names_apart]

    @cached_property
    def known(self) -> list[np.ndarray]:
        """intp each, codes by which rows are put in order: by what parts the file, then by their values, columns of few
        values first, so that equal ones come side by side."""
        columns = sorted(self.coarsened, key=lambda j: self.problem.ladders.levels[j].n_values)
        return [*(codes for codes, _ in self.apart), *(self.values(j) for j in columns)]

    @cached_property
    def names_apart(self) -> list[str]:
        """Those columns."""
        return [name for name, (codes, _) in self._codes_at_top.items() if len(codes) and codes.min() < codes.max()]

    @cached_property
    def _codes_at_top(self) -> dict[str, tuple[np.ndarray, int]]:
        known = {name for guarantee in self.problem.guarantees for name in guarantee.columns} - self.sensitive
        rows = self.labelled(self.at_top).rows
        names = [name for name in self.problem.classes.attributes if name in known]
        return {name: (rows.codes[name], len(rows.labels[name])) for name in names}

    def labelled(self, cell_levels: np.ndarray) -> CodedPersons:
        """The persons with the labels of their cells in columns that are asked about; equal labels have one code."""
        problem = self.problem
        names = [name for name in problem.classes.attributes if name in {*problem.names, *problem.needed}]
        codes, labels = dict[str, np.ndarray](), dict[str, np.ndarray]()
        for name in names:
            if name in problem.columns:
                j = problem.columns.index(name)
                of_value, number = numbered_labels(problem, j)
                codes[name] = of_value[cell_levels[:, j], self.values(j)].astype(np.intp)
                labels[name] = np.array([*number, None], dtype=object)[:-1]
            else:
                codes[name], labels[name] = problem.rows.others[name][self.row], problem.rows.labels[name]
        counts = problem.table.persons
        start = np.searchsorted(self.profile, np.arange(len(counts) + 1)).astype(np.int64)
        once = np.ones(len(self), dtype=np.intp)
        rows = CodedRows(codes, labels, self.persons)
        return CodedPersons(rows, counts, start, np.arange(len(self)), once, problem.linked)

    # ---- who stays ----

    def standing(self, ties: np.ndarray | None = None) -> np.ndarray | None:
        """bool per single row: it stays where all rows of persons are looked at, with everything at the top.

        Persons of whom too few have as many rows lose some of theirs. None where more would have to go than may. With
        ``ties`` (uint64 per single row) known columns alone decide, and among rows that are alike in these that number.
        Then so many must have as many rows that values hardly ever refuse all of them: who had most rows would be known
        to have what refused them. Fewer may where else too many rows would go.
        """
        guarantees, worth = self._of_all_rows(), np.zeros(len(self))
        if ties is None:
            return self._left(self.labelled(self.at_top), guarantees, worth)
        worth[np.lexsort([ties, *reversed(self.known)])] = np.arange(len(self))
        of_size = guarantees[0]
        assert isinstance(of_size, KAnonymity)
        for times in (LARGE, 1):
            asked = [replace(of_size, least=times * of_size.least)]
            kept = self._left(self.labelled(self.at_top), asked, worth)
            if kept is not None:
                return kept
        return None

    def _of_all_rows(self) -> list[PrivacyModel]:
        """What is asked, for everybody and against who knows all rows, of columns that part the file at the top."""
        guarantees: list[PrivacyModel] = [
            KAnonymity(columns=tuple(self.names_apart), least=least_of(self.problem), rows=ALL)
        ]
        for guarantee in self.problem.guarantees:
            columns = tuple(name for name in self.names_apart if name in guarantee.columns)
            if isinstance(guarantee, AttributeDisclosure):
                if guarantee.p == 0 or 2 ** len(columns) <= _MOST_SETS:
                    guarantees.append(replace(guarantee, columns=columns, known=None, rows=ALL, share=0.0))
            elif isinstance(guarantee, LDiversity | TCloseness):
                guarantees.append(replace(guarantee, columns=columns, rows=ALL, share=0.0))
        return list(dict.fromkeys(guarantees))

    def counted_again(self, cell_levels: np.ndarray, kept: np.ndarray) -> LocalRecodingOfPersons | None:
        """The levels with those rows left out, of these that are kept, that it takes for what is asked of labels.

        It is asked for everybody, whatever share may violate it: where labels of several levels stand side by side,
        counts of them can understate a share. None where too many rows or persons would have to go.
        """
        worth = self._worth(cell_levels)
        left = self._left(self.labelled(cell_levels), for_everybody(self.problem.guarantees), worth, kept)
        if left is None:
            return None
        loss, gone = self.loss(cell_levels, left), ~left
        return LocalRecodingOfPersons(cell_levels, left, self.persons, loss, self.n_persons(gone), self.n_rows(gone))

    def loss(self, cell_levels: np.ndarray, left: np.ndarray) -> float:
        """The share of the cells' detail that is lost where these rows are left (bool)."""
        problem = self.problem
        whole = problem.losses.most + problem.fixed_worth * problem.n_rows
        return problem.share(whole - float((self.persons * self._worth(cell_levels))[left].sum()))

    def n_rows(self, mask: np.ndarray) -> int:
        """How many rows of the file are marked."""
        return int(self.persons[mask].sum())

    def n_persons(self, gone: np.ndarray) -> int:
        """How many persons have no row that is not marked."""
        remain = np.zeros(len(self.problem.counts), dtype=bool)
        remain[self.profile[~gone]] = True
        return int(self.problem.counts[~remain].sum())

    def _worth(self, cell_levels: np.ndarray) -> np.ndarray:
        """What each row is worth that stays: all that would be lost without it, less what its cells lose."""
        problem = self.problem
        worth = np.full(len(self), problem.fixed_worth)
        for j in range(len(problem.columns)):
            values, losses = self.values(j), problem.losses
            of_values = np.array([losses.of_values(j, level) for level in range(problem.highest[j] + 1)])
            worth += losses.of_left_out(j)[values] - of_values[cell_levels[:, j], values]
        return worth

    def _left(
        self,
        persons: CodedPersons,
        guarantees: Collection[PrivacyModel],
        worth: np.ndarray,
        kept: np.ndarray | None = None,
    ) -> np.ndarray | None:
        """bool per single row, of those that are kept: it stays where guarantees hold; None where too many would go."""
        problem, stays = self.problem, np.ones(len(self), dtype=bool) if kept is None else kept
        most_rows = problem.suppression_limit - self.n_rows(~stays)
        most_persons = problem.most_persons - self.n_persons(~stays)
        if min(most_rows, most_persons) < 0:
            return None
        now, _, place = persons.with_times(stays.astype(np.intp))
        times = rows_left(
            now, list(guarantees), worth, needed=problem.needed, most_rows=most_rows, most_persons=most_persons,
            check_stop=problem.check_stop,
        )  # fmt: skip
        if times is None:
            return None
        left = np.zeros(len(self), dtype=bool)
        left[place] = times > 0
        return left


def for_everybody(guarantees: Iterable[PrivacyModel]) -> list[PrivacyModel]:
    """Guarantees with no share that may violate them."""
    return [
        guarantee if isinstance(guarantee, AverageRiskLimit) else replace(guarantee, share=0.0)
        for guarantee in guarantees
    ]


def least_of(problem: PersonProblem) -> int:
    """How many persons a part must have."""
    least = 1
    for guarantee in problem.guarantees:
        if isinstance(guarantee, KAnonymity):
            least = max(least, guarantee.least)
        elif isinstance(guarantee, AverageRiskLimit):
            n = problem.n_records + 1 if not guarantee.limit else smallest_class(guarantee.limit)
            least = max(least, n)
    return least


# ---- what must hold of a part ----

_KINDS = {"distinct": DISTINCT, "entropy": ENTROPY, "equal": EQUAL, "ordered": ORDERED}


@dataclass(frozen=True)
class _Condition:
    """What is asked of a sensitive column, by the codes of labels or by what these are read as: of each value that
    somebody has, or of the set of these as one."""

    column: str
    as_read: bool
    of_sets: bool
    kind: int
    limit: float
    harmless: tuple[str, ...] = ()


@dataclass(frozen=True, eq=False)
class _HeldByPerson:
    """What each person has in a column: a first code below ``span``, and further ones of ``more`` in from and to."""

    first: np.ndarray
    span: int
    starts: np.ndarray
    ends: np.ndarray
    more: np.ndarray


def asked_of(rows: SingleRows, kept: np.ndarray, single: bool) -> PartLimits:
    """What must hold of each part, with an item for each single row: what its person holds.

    Where rows are put into parts one by one (``single``) and nobody can link them, it is what the row holds itself.
    ``kept`` is bool, per single row; at least one is.
    """
    persons, owner = _persons(rows, kept, single)
    conditions = list(
        dict.fromkeys(
            condition for guarantee in rows.problem.guarantees for condition in _conditions(persons, guarantee)
        )
    )
    columns = list(dict.fromkeys((condition.column, condition.as_read, condition.of_sets) for condition in conditions))
    held = [_held(persons.as_read([name]) if as_read else persons, name, of_sets) for name, as_read, of_sets in columns]
    empty = np.zeros(0, dtype=bool)
    harms = [
        np.append(persons.as_read([condition.column]).harms(condition.column, condition.harmless), False)
        if condition.kind == NOT_CERTAIN
        else empty
        for condition in conditions
    ]
    overall = [
        sum_by(column_values.first, column_values.span, persons.counts) / max(1, persons.n_records)
        for column_values in held
    ]
    spans = np.array([column_values.span for column_values in held], dtype=np.int64)
    before = np.append(0, np.cumsum([len(column_values.more) for column_values in held])).astype(np.int64)

    def of_each_row(items: list[np.ndarray], kind: type[np.signedinteger]) -> np.ndarray:
        return np.array([of_person[owner] for of_person in items], dtype=kind).reshape(len(held), len(rows))

    return PartLimits(
        least_of(rows.problem),
        np.array(
            [columns.index((condition.column, condition.as_read, condition.of_sets)) for condition in conditions],
            dtype=np.int64,
        ),
        np.array([condition.kind for condition in conditions], dtype=np.int64),
        np.array([condition.limit for condition in conditions], dtype=np.float64),
        of_each_row([column_values.first for column_values in held], np.int32),
        spans,
        np.append(0, np.cumsum(spans)).astype(np.int64),
        np.concatenate([empty, *harms]),
        np.append(0, np.cumsum([len(of_condition) for of_condition in harms])).astype(np.int64),
        np.concatenate([np.zeros(0), *overall]),
        of_each_row([column_values.starts + at for column_values, at in zip(held, before, strict=False)], np.int64),
        of_each_row([column_values.ends + at for column_values, at in zip(held, before, strict=False)], np.int64),
        np.concatenate([np.zeros(0, dtype=np.int32), *(column_values.more for column_values in held)]).astype(np.int32),
    )


def of_rows(limits: PartLimits, rows: np.ndarray) -> PartLimits:
    """The same with items for some rows alone (intp), in their order."""
    return limits._replace(
        sensitive=np.ascontiguousarray(limits.sensitive[:, rows]),
        more_from=np.ascontiguousarray(limits.more_from[:, rows]),
        more_to=np.ascontiguousarray(limits.more_to[:, rows]),
    )


def _conditions(persons: CodedPersons, guarantee: PrivacyModel) -> Iterator[_Condition]:
    if not isinstance(guarantee, AttributeDisclosure | LDiversity | TCloseness):
        return
    for reading in sensitive_readings(persons, guarantee):
        of_column = partial(_Condition, guarantee.sensitive, reading is not persons)
        match guarantee:
            case AttributeDisclosure():
                yield of_column(False, NOT_CERTAIN, guarantee.p, guarantee.harmless)
            case LDiversity():
                yield of_column(True, _KINDS[guarantee.by], guarantee.l)
                if guarantee.l > 1:  # sets that differ are not diverse where all of them hold a value
                    yield of_column(False, NOT_CERTAIN, 0.0)
            case TCloseness():
                yield of_column(True, _KINDS[guarantee.distance], guarantee.t)


def _persons(rows: SingleRows, kept: np.ndarray, single: bool) -> tuple[CodedPersons, np.ndarray]:
    """Those whose values are looked at, and of each single row its place among them (0 where it is not kept)."""
    persons, profiles, _ = rows.labelled(np.zeros_like(rows.at_top)).with_times(kept.astype(np.intp))
    if single and not rows.problem.linked:
        n = len(persons.row)
        each_row = CodedPersons(persons.rows, rows.persons[kept], np.arange(n + 1), persons.row, persons.times)
        owner = np.zeros(len(rows), dtype=np.intp)
        owner[kept] = np.arange(n)
        return each_row, owner
    place = np.zeros(len(rows.problem.counts), dtype=np.intp)
    place[profiles] = np.arange(len(profiles))
    return persons, place[rows.profile]


def _held(persons: CodedPersons, column: str, of_sets: bool) -> _HeldByPerson:
    nothing = np.zeros(len(persons.counts), dtype=np.int64)
    if of_sets:
        codes, span = persons.alike(column)
        return _HeldByPerson(codes, span, nothing, nothing, np.zeros(0, dtype=np.intp))
    held = persons.held(column)
    starts, ends = held.start[:-1], held.start[1:]
    first = np.where(ends > starts, np.append(held.value, 0)[starts], held.span)  # its last code is to have none
    return _HeldByPerson(first, held.span + 1, starts + 1, ends, held.value)


# ---- units and their parts ----


def parts_of_persons(
    problem: PersonProblem, *, coin: Coin | None = None, rounds: int = ROUNDS, progress: Progress | None = None
) -> LocalRecodingOfPersons | None:
    """As :func:`anonlib.analyses.generalization.search.local_recoding.part_by_part`, of persons with several rows.

    Where the number of a person's rows may be known, persons of whom too few have as many lose some of theirs.

    Parameters
    ----------
    problem : PersonProblem
        The persons, and what must hold. Columns that can be coarsened and are sensitive stay as they are.
    coin : Coin, optional
        Where something is asked of values, how a coin refuses as they do (:func:`.parts_with_coins`); None: they alone.
    rounds : int, default ROUNDS
        How often each small part is split (:data:`.of_records.ROUNDS`); 1 for the quickest answer.
    progress : Progress, optional
        Called with the share of the work that is done; see :data:`anonlib.basics.progress.Progress`.

    Returns
    -------
    LocalRecodingOfPersons, or None where more rows or persons than may be would have to be left out, or with a coin
    where values refuse the whole
    """
    if problem.suppression_limit < 0 or problem.most_persons < 0:
        return None
    rules, rows = rules_for(problem.n_rows), SingleRows(problem)
    if coin is not None and rows.sensitive:
        return _with_coins(rows, _Drawn(rows, coin), rules, rounds, progress or nobody)
    units = _Units.of(rows)
    if units is None:
        return None
    recodings = [
        units.split(rule, rounds, share_of(progress or nobody, i / len(rules), (i + 1) / len(rules)))
        for i, rule in enumerate(rules)
    ]
    return min((parts for parts in recodings if parts is not None), key=lambda parts: parts.loss, default=None)


class _Drawn:
    """What the coins of persons are drawn of: the known values of a unit's rows, in whatever order these come.

    Attributes
    ----------
    coin : Coin
        The chance of a refusal, and the budget.
    ties : np.ndarray
        Uint64 per single row, which tells rows of a person apart that are alike in what is known.
    """

    def __init__(self, rows: SingleRows, coin: Coin) -> None:
        problem = rows.problem
        known, whole = numbers_of_rows(problem.classes, problem.guarantees, coin)
        of_profile = summed(whole[rows.row], rows.profile, len(problem.counts))
        self.coin = coin
        self.coins = drawn_of(of_profile, of_profile, problem.counts, problem.guarantees, coin)
        self.ties = mixed(mixed(whole[rows.row] ^ self.coins.key) ^ of_profile[rows.profile])
        self._known = known[rows.row]

    def of(self, alike: _Alike) -> Coins:
        """The coins of units."""
        owner = np.repeat(np.arange(len(alike.rows)), alike.rows.shape[1])
        return self.coins._replace(
            row=mixed(summed(self._known[alike.rows].ravel(), owner, len(alike.rows)) ^ self.coins.key)
        )


def _with_coins(
    rows: SingleRows, drawn: _Drawn, rules: Sequence[SplitRule], rounds: int, progress: Progress
) -> LocalRecodingOfPersons | None:
    """The parts where coins refuse as values do."""
    units = _Units.by_sizes(rows, drawn.ties)
    if units is None:
        return None
    levels, part = units.levels(units.rule_by_sizes(rules), rounds, progress, drawn)
    recoding = rows.counted_again(levels, units.kept)
    if recoding is None or (recoding.kept != units.kept).any():  # somebody would lose a row for a value
        return None
    return replace(recoding, part=part)


def is_of_single_rows(guarantee: PrivacyModel) -> bool:
    """Whether it is against who knows one row, and holds where it does of parts of rows that share persons."""
    if guarantee.rows != ONE:
        return False
    match guarantee:
        case AttributeDisclosure():
            return guarantee.p == 0
        case LDiversity():
            return guarantee.by == "distinct"
        case TCloseness():
            return False
    return True


@dataclass(frozen=True, eq=False)
class _Alike:
    """Units with equally many rows.

    Attributes
    ----------
    rows : np.ndarray
        Intp, units x rows of each, in their order: places among the single rows.
    runs : list[tuple[int, int]]
        The units that columns without levels part: from, to in ``order``.
    order : np.ndarray
        Intp, the units.
    """

    rows: np.ndarray
    runs: list[tuple[int, int]]
    order: np.ndarray

    @property
    def first(self) -> np.ndarray:
        """The first row of each unit, by which its person is known."""
        return self.rows[:, 0]


class _Units:
    """Persons, or single rows, that are put into parts."""

    def __init__(self, rows: SingleRows, alike: list[_Alike], limits: PartLimits, kept: np.ndarray) -> None:
        self.rows, self.alike, self.asked, self.kept = rows, alike, limits, kept

    @classmethod
    def of(cls, rows: SingleRows) -> _Units | None:
        """The units that can stand; None where more would have to go than may."""
        single = all(is_of_single_rows(guarantee) for guarantee in rows.problem.guarantees)
        kept = np.ones(len(rows), dtype=bool) if single else rows.standing()
        if kept is None:
            return None
        alike = list(_alike(rows, kept, single))
        while kept.any():
            limits = asked_of(rows, kept, single)
            held = np.zeros(int(limits.span.max(initial=1)), dtype=np.int64)
            weak = [
                (units, run)
                for units in alike
                for run in units.runs
                if cannot_stand(of_rows(limits, units.first), rows.persons[units.first], units.order, *run, held)
            ]
            if not weak:
                return cls(rows, alike, limits, kept)
            kept = kept.copy()
            for alike_units, run in weak:
                kept[alike_units.rows[alike_units.order[slice(*run)]]] = False
                alike_units.runs.remove(run)
            problem = rows.problem
            if rows.n_rows(~kept) > problem.suppression_limit or rows.n_persons(~kept) > problem.most_persons:
                return None
        return None

    @classmethod
    def by_sizes(cls, rows: SingleRows, ties: np.ndarray) -> _Units | None:
        """The same where known columns alone decide who stands; None too where values refuse the whole."""
        problem = rows.problem
        single = all(is_of_single_rows(guarantee) for guarantee in problem.guarantees)
        single = single and not problem.linked and not _some_are_alike(rows)
        kept = np.ones(len(rows), dtype=bool) if single else rows.standing(ties)
        if kept is None:
            return None
        alike, kept = list(_alike(rows, kept, single, ties)), kept.copy()
        for units in alike:
            for run in list(units.runs):
                members = units.rows[units.order[slice(*run)]]
                if rows.persons[members[:, 0]].sum() < least_of(problem):
                    kept[members] = False
                    units.runs.remove(run)
        if not kept.any() or (
            rows.n_rows(~kept) > problem.suppression_limit or rows.n_persons(~kept) > problem.most_persons
        ):
            return None
        limits = asked_of(rows, kept, single)
        held = np.zeros(int(limits.span.max(initial=1)), dtype=np.int64)
        whole_holds = not any(
            cannot_stand(of_rows(limits, units.first), rows.persons[units.first], units.order, *run, held)
            for units in alike
            for run in units.runs
        )
        return cls(rows, alike, limits, kept) if whole_holds else None

    def split(self, rule: SplitRule, rounds: int, progress: Progress) -> LocalRecodingOfPersons | None:
        """The parts by one way to compare splits."""
        return self.rows.counted_again(self.levels(rule, rounds, progress)[0], self.kept)

    def levels(
        self, rule: SplitRule, rounds: int, progress: Progress, drawn: _Drawn | None = None
    ) -> tuple[np.ndarray, np.ndarray]:
        """int16 and int64 per single row: the levels of its cells in the parts by one way to compare splits, as values
        refuse them or coins do too, and the number of its part, -1 of none."""
        rows = self.rows
        cell_levels, part = np.zeros(rows.at_top.shape, dtype=np.int16), np.full(len(rows), -1, dtype=np.int64)
        steady = [j for j in rows.coarsened if self._is_steady(j)]
        done, whole = 0, sum(units.rows.size for units in self.alike) or 1
        for alike_units in self.alike:
            slots = [
                (j, slot) for j in rows.coarsened for slot in range(1 if j in steady else alike_units.rows.shape[1])
            ]
            table = _table(rows, alike_units, slots, steady)
            top = np.array([rows.problem.highest[j] for j, _ in slots], dtype=np.int16)
            span, order = int(self.asked.span.max(initial=1)), alike_units.order.copy()
            if drawn is None:
                splits = Splits(table, top, rule, rounds, span)
            else:
                splits = CoinSplits(table, top, rule, rounds, span, drawn.of(alike_units), drawn.coin.budget)
            of_these = share_of(progress, done / whole, (done + alike_units.rows.size) / whole)
            splits.run(of_rows(self.asked, alike_units.first), order, alike_units.runs, of_these)
            for place, (j, slot) in enumerate(slots):
                of_slot = alike_units.rows if j in steady else alike_units.rows[:, slot : slot + 1]
                cell_levels[of_slot, j] = splits.split.levels[:, place : place + 1]
            if alike_units.runs:
                in_parts = np.concatenate([np.arange(*run) for run in alike_units.runs])
                number = part.max(initial=-1) + np.cumsum(splits.split.begins[in_parts])
                part[alike_units.rows[splits.order[in_parts]]] = number[:, None]
            done += alike_units.rows.size
            rows.problem.check_stop()
        return cell_levels, part

    def rule_by_sizes(self, rules: Sequence[SplitRule]) -> SplitRule:
        """The way to compare splits that loses least where nothing is asked of values."""
        if len(rules) == 1:
            return rules[0]
        sizes = _Units(self.rows, self.alike, without_values(self.asked), self.kept)
        return min(rules, key=lambda rule: self.rows.loss(sizes.levels(rule, 1, nobody)[0], self.kept))

    def _is_steady(self, j: int) -> bool:
        """Whether a column never changes for a person: then it is coarsened once for all rows, never apart."""
        values = self.rows.values(j)
        return all((values[units.rows] == values[units.first][:, None]).all() for units in self.alike)


def _alike(rows: SingleRows, kept: np.ndarray, single: bool, ties: np.ndarray | None = None) -> Iterator[_Alike]:
    """The persons with equally many rows; or a row of each person, another one of each who has two, and so on.

    With ``ties`` (uint64 per single row) they come in the order of their known values, rows alike in these by that.
    """
    order = _in_order(rows, np.flatnonzero(kept), ties)
    profile = rows.profile[order]
    begins = np.flatnonzero(np.diff(profile, prepend=-1))
    n_rows = np.diff(np.append(begins, len(order)))
    if single:
        place = np.arange(len(order)) - np.repeat(begins, n_rows)
        for i in range(int(n_rows.max(initial=0))):
            yield _in_runs(rows, order[place == i][:, None], by_known=ties is not None)
    else:
        for n in np.unique(n_rows).tolist():
            yield _in_runs(rows, order[begins[n_rows == n][:, None] + np.arange(n)], by_known=ties is not None)


def _in_order(rows: SingleRows, chosen: np.ndarray, ties: np.ndarray | None = None) -> np.ndarray:
    """Single rows by their persons, those of each by their known values."""
    last = [] if ties is None else [ties]
    keys = [*last, *reversed(rows.known), rows.profile]
    return chosen[np.lexsort([key[chosen] for key in keys])]


def _in_runs(rows: SingleRows, members: np.ndarray, *, by_known: bool) -> _Alike:
    """Units with these rows, in the runs that columns without levels part."""
    nothing, ones = np.zeros(len(members), dtype=np.intp), [1]
    codes = np.column_stack([nothing, *(column_codes[members] for column_codes, _ in rows.apart)])
    ids, _ = group(codes, ones + [span for _, span in rows.apart for _ in range(members.shape[1])])
    order = np.argsort(ids, kind="stable")
    if by_known:
        order = np.lexsort([*(key for codes in reversed(rows.known) for key in codes[members].T[::-1]), ids])
    ends = np.append(np.flatnonzero(np.diff(ids[order])) + 1, len(ids)).tolist()
    return _Alike(members, list(zip([0, *ends[:-1]], ends, strict=True)) if len(ids) else [], order)


def _some_are_alike(rows: SingleRows) -> bool:
    """Whether a person has two rows with the same known values."""
    order = _in_order(rows, np.arange(len(rows)))
    same = np.ones(max(0, len(order) - 1), dtype=bool)
    for key in (*rows.known, rows.profile):
        same &= np.diff(key[order]) == 0
    return bool(same.any())


def _table(rows: SingleRows, alike: _Alike, slots: list[tuple[int, int]], steady: list[int]) -> LabelTable:
    """The cells of units as arrays: a column of the table is one of one row, or of all where it is steady."""
    problem, n_rows = rows.problem, alike.rows.shape[1]
    labels, losses, at, end = [np.zeros(0)], [np.zeros(0)], dict[int, int](), 0
    for j in rows.coarsened:
        at[j] = end
        for level in range(problem.highest[j] + 1):
            labels.append(problem.ladders.levels[j].group[level])
            losses.append(problem.losses.of_values(j, level) * (n_rows if j in steady else 1))
            end += len(labels[-1])
    values = np.zeros((len(slots), len(alike.rows)), dtype=np.int32)
    for place, (j, slot) in enumerate(slots):
        values[place] = rows.values(j)[alike.rows[:, slot]]
    return LabelTable(
        values,
        np.concatenate(labels).astype(np.int32),
        np.concatenate(losses),
        np.array([at[j] for j, _ in slots], dtype=np.int64),
        np.array([problem.ladders.levels[j].n_values for j, _ in slots], dtype=np.int64),
        rows.persons[alike.first],
        np.zeros(len(slots), dtype=np.int64),
    )

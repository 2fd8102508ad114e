"""What must hold of the persons of a part: how many they are, and of their sensitive values."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial

import numpy as np

from anonlib.analyses.generalization.search.parts.kernel import (
    DISTINCT,
    ENTROPY,
    EQUAL,
    NOT_CERTAIN,
    ORDERED,
    PartLimits,
)
from anonlib.analyses.generalization.search.parts.single_rows import SingleRows, least_of
from anonlib.counting.classes.coding import sum_by
from anonlib.counting.guarantees import (
    AttributeDisclosure,
    CodedPersons,
    LDiversity,
    PrivacyModel,
    TCloseness,
    sensitive_readings,
)

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
class _Held:
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
        dict.fromkeys(each for guarantee in rows.problem.guarantees for each in _conditions(persons, guarantee))
    )
    columns = list(dict.fromkeys((each.column, each.as_read, each.of_sets) for each in conditions))
    held = [_held(persons.as_read([name]) if as_read else persons, name, of_sets) for name, as_read, of_sets in columns]
    empty = np.zeros(0, dtype=bool)
    harms = [
        np.append(persons.as_read([each.column]).harms(each.column, each.harmless), False)
        if each.kind == NOT_CERTAIN
        else empty
        for each in conditions
    ]
    overall = [sum_by(each.first, each.span, persons.counts) / max(1, persons.n_records) for each in held]
    spans = np.array([each.span for each in held], dtype=np.int64)
    before = np.append(0, np.cumsum([len(each.more) for each in held])).astype(np.int64)

    def of_each_row(items: list[np.ndarray], kind: type[np.signedinteger]) -> np.ndarray:
        return np.array([each[owner] for each in items], dtype=kind).reshape(len(held), len(rows))

    return PartLimits(
        least_of(rows.problem),
        np.array([columns.index((each.column, each.as_read, each.of_sets)) for each in conditions], dtype=np.int64),
        np.array([each.kind for each in conditions], dtype=np.int64),
        np.array([each.limit for each in conditions], dtype=np.float64),
        of_each_row([each.first for each in held], np.int32),
        spans,
        np.append(0, np.cumsum(spans)).astype(np.int64),
        np.concatenate([empty, *harms]),
        np.append(0, np.cumsum([len(each) for each in harms])).astype(np.int64),
        np.concatenate([np.zeros(0), *overall]),
        of_each_row([each.starts + at for each, at in zip(held, before, strict=False)], np.int64),
        of_each_row([each.ends + at for each, at in zip(held, before, strict=False)], np.int64),
        np.concatenate([np.zeros(0, dtype=np.int32), *(each.more for each in held)]).astype(np.int32),
    )


def of_rows(asked: PartLimits, rows: np.ndarray) -> PartLimits:
    """The same with items for some rows alone (intp), in their order."""
    return asked._replace(
        sensitive=np.ascontiguousarray(asked.sensitive[:, rows]),
        more_from=np.ascontiguousarray(asked.more_from[:, rows]),
        more_to=np.ascontiguousarray(asked.more_to[:, rows]),
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


def _held(persons: CodedPersons, column: str, of_sets: bool) -> _Held:
    nothing = np.zeros(len(persons.counts), dtype=np.int64)
    if of_sets:
        codes, span = persons.alike(column)
        return _Held(codes, span, nothing, nothing, np.zeros(0, dtype=np.intp))
    held = persons.held(column)
    starts, ends = held.start[:-1], held.start[1:]
    first = np.where(ends > starts, np.append(held.value, 0)[starts], held.span)  # its last code is to have none
    return _Held(first, held.span + 1, starts + 1, ends, held.value)

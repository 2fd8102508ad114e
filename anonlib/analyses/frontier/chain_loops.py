"""The compiled loop of a chain: groups merge as boundaries go, and sums of terms follow.

First come the terms of one group as compiled loops count them; those of many are in
`anonlib.analyses.frontier.measures`. Then come the loop of a chain and, at the end, the loop that follows intervals
along a chain.

An entry is a group of cells: those that have the same label (interval, or what lies between two) in every attribute. A
boundary that goes makes two neighbouring labels one. The entries of the label with fewer are given the other's label;
one that finds an entry there already adds up with it and is gone.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from anonlib.analyses.frontier.measures import (
    BELOW_K,
    KL,
    KL_OBSERVED,
    ONE,
    ONE_OF_PEOPLE,
    ONE_OF_RECORDS,
    PEOPLE,
    SQUARE,
)
from anonlib.basics.machine_code import compiled


@compiled
def risk_term(number, n, p, k):
    """The term of risk of a group of n records and p people."""
    if number == PEOPLE:
        return np.divide(n, p)
    if number == ONE:
        return 1.0
    if number == BELOW_K:
        return n if n < k else 0.0
    return 0.0


@compiled
def loss_term(number, n, c, xlogx):
    """The term of loss of a group of n records in c cells; ``xlogx`` is a table of n ln n."""
    if number == KL:
        return -_xlogx(n, xlogx)
    if number == KL_OBSERVED:
        return n * np.log(c) - _xlogx(n, xlogx) if n > 0.0 else 0.0
    if number == SQUARE:
        return n * n
    return 0.0


@compiled
def _xlogx(n, table):
    i = np.int64(n)
    return table[i] if i < len(table) else n * np.log(n)


NOBODY = -1
GONE = -1  # the key of an entry that was added to another
_KEY_BITS = np.int64(2**63 - 1)
_SCATTER = np.uint64(0x9E3779B97F4A7C15)  # 2^64 / golden ratio: spreads keys over the slots
_KEY, _RECORDS, _PEOPLE, _CELLS = range(4)


class Start(NamedTuple):
    """The cells and the labels that the chain's first policy gives them. Labels are numbered through all attributes."""

    places: np.ndarray  # int32, cells x attributes
    records: np.ndarray  # int64, a cell
    people: np.ndarray
    label_of: np.ndarray  # int32, attributes x places; -1: such a cell joins no group along the chain
    first_label: np.ndarray  # int64, attributes + 1: where each attribute's labels begin
    unit: np.ndarray  # int64, an attribute: a key is the sum of (label - first label) x unit
    wide: bool  # keys may coincide, so that labels are compared as well
    direct: bool  # keys are below the number of slots, each at its own
    n_slots: int  # a power of 2 where keys are scattered over them
    shift: int  # 64 - its logarithm


class Steps(NamedTuple):
    """Which labels become one: ``left`` and the next one, of ``attribute``, at ``step`` 1, 2, ... of the chain."""

    attribute: np.ndarray  # int32
    left: np.ndarray  # int32, the label that stood left of the boundary at the start
    step: np.ndarray  # int32


class Terms(NamedTuple):
    """Numbers of the two measures' terms; see :mod:`anonlib.analyses.frontier.measures`."""

    risk: int
    loss: int
    k: int
    largest: bool  # the risk is the largest term


class ChainRoom(NamedTuple):
    """Where entries are kept, room for as many as there are cells; used for one chain after the other."""

    of: np.ndarray  # int64, entries x 4: key, records, people, cells with records
    cell: np.ndarray  # int32: one cell of each entry
    labels: np.ndarray  # int32, attributes x entries, where keys are wide; else without entries
    slots: np.ndarray  # int32: an entry, or -1
    order: np.ndarray  # int32, attributes x entries: sorted by label


class Entries(NamedTuple):
    """The entries of one chain, as :class:`ChainRoom` holds them, and where those of each label lie in their order."""

    of: np.ndarray
    labels: np.ndarray
    slots: np.ndarray
    order: np.ndarray
    begin: np.ndarray  # int64, a label: where its entries begin and end in the order
    end: np.ndarray


@compiled
def walk(start, steps, terms, room, n_steps):
    """Sums of the terms of risk and of loss after 0, 1, ... steps: two arrays of float64, ``n_steps`` + 1.

    Of a largest term, the largest one of the groups that each step ends; in the last place, of those that remain.
    """
    n_entries = _group(start, room)
    begin, end = np.zeros(start.first_label[-1], dtype=np.int64), np.zeros(start.first_label[-1], dtype=np.int64)
    if n_steps:
        _sort(start, room, n_entries, begin, end)
    entries = Entries(room.of, room.labels, room.slots[: start.n_slots], room.order, begin, end)
    of = entries.of
    risk, loss = np.zeros(n_steps + 1), np.zeros(n_steps + 1)
    if not terms.largest:
        for e in range(n_entries):
            if of[e, _RECORDS] > 0:
                risk[0] += _term(terms.risk, of[e, _RECORDS], of[e, _PEOPLE], of[e, _CELLS], terms.k)
    for e in range(n_entries):
        if of[e, _RECORDS] > 0:
            loss[0] += _term(terms.loss, of[e, _RECORDS], of[e, _PEOPLE], of[e, _CELLS], terms.k)
    owner = np.arange(
        start.first_label[-1]
    )  # of the first and the last label of an interval: the label its entries have
    other_end = np.arange(start.first_label[-1])
    used, most_used = n_entries, len(entries.slots) // 2
    for i in range(len(steps.left)):
        j, left, step = steps.attribute[i], steps.left[i], steps.step[i]
        first, last = other_end[left], other_end[left + 1]
        a, b = owner[left], owner[left + 1]
        leftwards = end[a] - begin[a] <= end[b] - begin[b]  # the left interval moves; its rest stays next to the right
        small, large = (a, b) if leftwards else (b, a)
        used += _join(entries, terms, j, small, large, start, leftwards, risk, loss, step)
        owner[first] = owner[last] = large
        other_end[first], other_end[last] = last, first
        if used > most_used and not start.direct:
            used = _rebuild_slots(entries, n_entries, start)
    if terms.largest:
        for e in range(n_entries):
            if of[e, _KEY] != GONE and of[e, _RECORDS] > 0:
                term = _term(terms.risk, of[e, _RECORDS], of[e, _PEOPLE], of[e, _CELLS], terms.k)
                risk[n_steps] = max(risk[n_steps], term)
    return risk, loss


@compiled
def _join(entries, terms, j, small, large, start, leftwards, risk, loss, step):
    """Give the entries of a label another one, and note what that changes. Returns how many slots it took."""
    of, order, slots = entries.of, entries.order[j], entries.slots
    begin, end = entries.begin[small], entries.end[small]
    away = (large - small) * start.unit[j]
    at, sign = (end - 1, -1) if leftwards else (begin, 1)
    write_at = entries.begin[large] - 1 if leftwards else entries.end[large]  # beside the other's
    taken = 0
    change_risk = change_loss = 0.0
    for _ in range(end - begin):
        e = order[at]
        at += sign
        if of[e, _KEY] == GONE:
            continue
        key = (of[e, _KEY] + away) & _KEY_BITS
        if start.wide:
            entries.labels[j, e] = large
        slot = key if start.direct else _slot(of, entries.labels, slots, key, e, start)
        g = slots[slot]
        if g == NOBODY:
            slots[slot] = e
            of[e, _KEY] = key
            order[write_at] = e
            write_at += sign
            taken += 1
            continue
        n, p, c = of[e, _RECORDS], of[e, _PEOPLE], of[e, _CELLS]
        m, q, d = of[g, _RECORDS], of[g, _PEOPLE], of[g, _CELLS]
        of[e, _KEY] = GONE
        of[g, _RECORDS], of[g, _PEOPLE], of[g, _CELLS] = n + m, p + q, c + d
        if n + m == 0:
            continue
        old = _term(terms.risk, n, p, c, terms.k) if n > 0 else 0.0
        theirs = _term(terms.risk, m, q, d, terms.k) if m > 0 else 0.0
        if terms.largest:
            risk[step - 1] = max(risk[step - 1], old, theirs)
        else:
            change_risk += _term(terms.risk, n + m, p + q, c + d, terms.k) - old - theirs
        if n > 0 and m > 0:  # people without records lose nothing
            change_loss += _term(terms.loss, n + m, p + q, c + d, terms.k)
            change_loss -= _term(terms.loss, n, p, c, terms.k) + _term(terms.loss, m, q, d, terms.k)
    if not terms.largest:
        risk[step] += change_risk
    loss[step] += change_loss
    if leftwards:
        entries.begin[large] = write_at + 1
    else:
        entries.end[large] = write_at
    return taken


@compiled
def _group(start, room):
    """Make an entry of the cells that share their labels. Returns how many entries there are."""
    n_cells, n_attributes = start.places.shape
    of, cell, labels = room.of, room.cell, room.labels
    slots = room.slots[: start.n_slots]
    slots[:] = NOBODY
    n = 0
    for i in range(n_cells):
        key = np.int64(0)
        joins = True
        for j in range(n_attributes):
            label = start.label_of[j, start.places[i, j]]
            joins = joins and label >= 0
            key += (label - start.first_label[j]) * start.unit[j]
            if start.wide:
                labels[j, n] = label
        if not joins:
            continue
        key &= _KEY_BITS
        slot = key if start.direct else _slot(of, labels, slots, key, n, start)
        e = slots[slot]
        if e == NOBODY:
            slots[slot] = n
            cell[n] = i
            of[n, _KEY] = key
            of[n, _RECORDS], of[n, _PEOPLE], of[n, _CELLS] = start.records[i], start.people[i], start.records[i] > 0
            n += 1
        else:
            of[e, _RECORDS] += start.records[i]
            of[e, _PEOPLE] += start.people[i]
            of[e, _CELLS] += start.records[i] > 0
    return n


@compiled
def _sort(start, room, n_entries, begin, end):
    """Sort the entries by their label in each attribute, and note where each label's begin and end."""
    n_attributes = start.places.shape[1]
    cell, order = room.cell[:n_entries], room.order
    for e in range(len(cell)):
        for j in range(n_attributes):
            end[start.label_of[j, start.places[cell[e], j]]] += 1
    for j in range(n_attributes):
        position = np.int64(0)
        for label in range(start.first_label[j], start.first_label[j + 1]):
            begin[label] = position
            position += end[label]
            end[label] = begin[label]
    for e in range(len(cell)):
        for j in range(n_attributes):
            label = start.label_of[j, start.places[cell[e], j]]
            order[j, end[label]] = e
            end[label] += 1


@compiled
def _slot(of, labels, slots, key, e, start):
    """The slot of the entry that has a key (and, where keys are wide, the labels of entry e), else an empty one."""
    slot = np.int64((np.uint64(key) * _SCATTER) >> np.uint64(start.shift))
    while slots[slot] != NOBODY:
        g = slots[slot]
        if of[g, _KEY] == key:
            same = True
            if start.wide:
                for j in range(len(labels)):
                    same = same and labels[j, g] == labels[j, e]
            if same:
                return slot
        slot = (slot + 1) & (len(slots) - 1)
    return slot


@compiled
def _rebuild_slots(entries, n_entries, start):
    """Empty the slots of keys that are no more. Returns how many are taken."""
    of, labels, slots = entries.of, entries.labels, entries.slots
    slots[:] = NOBODY
    taken = 0
    for e in range(n_entries):
        if of[e, _KEY] != GONE:
            slots[_slot(of, labels, slots, of[e, _KEY], e, start)] = e
            taken += 1
    return taken


@compiled
def _term(number, n, p, c, k):
    """The term of a group with records, as :func:`anonlib.analyses.frontier.measures.terms`."""
    if number == PEOPLE:
        return n / p
    if number == ONE:
        return 1.0
    if number == BELOW_K:
        return float(n) if n < k else 0.0
    if number == ONE_OF_PEOPLE:
        return 1.0 / p
    if number == ONE_OF_RECORDS:
        return 1.0 / n
    if number == KL:
        return -n * np.log(n)
    if number == KL_OBSERVED:
        return n * (np.log(c) - np.log(n))
    if number == SQUARE:
        return float(n) * n
    return 0.0


@compiled
def spans(policy, starts, removed):
    """int64, steps x 3: the first value of the interval that each step makes, the one after the boundary, and the one
    after the last; numbered from 0 in each attribute."""
    n_attributes = len(starts) - 1
    other_end = np.arange(len(policy) + n_attributes)
    attribute = np.empty(len(policy), dtype=np.int64)
    for j in range(n_attributes):
        for bit in range(starts[j], starts[j + 1]):
            attribute[bit] = j
            if not policy[bit]:
                _span(other_end, bit + j)
    bounds = np.empty((len(removed), 3), dtype=np.int64)
    for i in range(len(removed)):
        j = attribute[removed[i]]
        first, last = _span(other_end, removed[i] + j)
        offset = starts[j] + j
        bounds[i, 0], bounds[i, 1], bounds[i, 2] = first - offset, removed[i] - starts[j] + 1, last - offset + 1
    return bounds


@compiled
def _span(other_end, left):
    """Join the interval that ends at ``left`` with the next one; their first and last value."""
    first, last = other_end[left], other_end[left + 1]
    other_end[first], other_end[last] = last, first
    return first, last

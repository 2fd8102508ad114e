"""The compiled loop that parts candidates by one more column: of those of a group, whose label covers a value."""

from __future__ import annotations

import numpy as np

from anonlib.basics.machine_code import compiled


@compiled
def narrow(parent, value, begin, entry, records, label, start, covering, n_labels, merged, n_merged, sizes):
    """The candidates of each group that remain when a true value more is known, those alike in what is left as one.

    Parameters
    ----------
    parent, value : int64, a group each, groups of one parent side by side: the group that it is a part of, and its
        true value in the new column.
    begin : int64, parents + 1: where the candidates of each begin.
    entry, records : int64, a candidate each: its kind, and how many records are of it.
    label, merged : int64, a kind each: its label in the new column, and the kind it is by the columns that are left.
    start, covering : int64: per value where the labels that cover it begin, and these labels.
    n_labels, n_merged : above all labels, and above all kinds by the columns that are left.
    sizes : int64, a group each: where the number of records that remain goes.

    Returns
    -------
    int64, groups + 1, and two of a candidate each, as ``begin``, ``entry`` and ``records``.
    """
    first_of_label = np.full(n_labels, -1, np.int64)
    longest = 0
    for g in range(len(begin) - 1):
        longest = max(longest, begin[g + 1] - begin[g])
    following = np.empty(longest, np.int64)
    sums = np.zeros(n_merged, np.int64)
    new_begin = np.zeros(len(parent) + 1, np.int64)
    room = max(len(entry), 16)
    new_entry, new_records = np.empty(room, np.int64), np.empty(room, np.int64)
    n, of = 0, -1
    if n_merged == 1:  # nothing is left by which they differ: their number alone is asked for
        return _numbers(parent, value, begin, entry, records, label, start, covering, n_labels, sizes)
    for c in range(len(parent)):
        if parent[c] != of:
            if of >= 0:
                for e in range(begin[of], begin[of + 1]):
                    first_of_label[label[entry[e]]] = -1
            of = parent[c]
            for e in range(begin[of + 1] - 1, begin[of] - 1, -1):
                its_label = label[entry[e]]
                following[e - begin[of]] = first_of_label[its_label]
                first_of_label[its_label] = e - begin[of]
        low, total = n, 0
        for at in range(start[value[c]], start[value[c] + 1]):
            e = first_of_label[covering[at]]
            while e >= 0:
                kind = merged[entry[begin[of] + e]]
                if sums[kind] == 0:
                    if n == room:
                        room *= 2
                        more_entry, more_records = np.empty(room, np.int64), np.empty(room, np.int64)
                        more_entry[:n], more_records[:n] = new_entry[:n], new_records[:n]
                        new_entry, new_records = more_entry, more_records
                    new_entry[n] = kind
                    n += 1
                sums[kind] += records[begin[of] + e]
                total += records[begin[of] + e]
                e = following[e]
        for i in range(low, n):
            new_records[i] = sums[new_entry[i]]
            sums[new_entry[i]] = 0
        sizes[c] = total
        new_begin[c + 1] = n
    return new_begin, new_entry[:n].copy(), new_records[:n].copy()


@compiled
def _numbers(parent, value, begin, entry, records, label, start, covering, n_labels, sizes):
    """The same where all candidates that remain are of one kind."""
    of_label = np.zeros(n_labels, np.int64)
    of = -1
    for c in range(len(parent)):
        if parent[c] != of:
            if of >= 0:
                for e in range(begin[of], begin[of + 1]):
                    of_label[label[entry[e]]] = 0
            of = parent[c]
            for e in range(begin[of], begin[of + 1]):
                of_label[label[entry[e]]] += records[e]
        sizes[c] = 0
        for at in range(start[value[c]], start[value[c] + 1]):
            sizes[c] += of_label[covering[at]]
    return np.arange(len(parent) + 1), np.zeros(len(parent), np.int64), sizes.copy()

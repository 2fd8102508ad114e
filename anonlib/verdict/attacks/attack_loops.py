"""The compiled loops of attacks: which released rows people may be, which are nearest, who fulfils a predicate."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from anonlib.basics.machine_code import compiled, compiled_in_place

EQUAL, DIFFERENT, AT_LEAST, AT_MOST, MORE, LESS = range(6)
"""What a condition of a predicate asks of a column."""


class Arrays(NamedTuple):
    """Released rows, people's rows, and which labels a value fulfils.

    Attributes
    ----------
    released : np.ndarray
        int32, columns x released rows: the label; -1 is blank and fits everything.
    owner, counts : np.ndarray
        int64, a released row each: whose it is (-1: nobody knows), and how many it stands for.
    values : np.ndarray
        int32, columns x rows of people: the true value.
    person, people : np.ndarray
        int64, a row of people each: whose it is, and how many it stands for.
    fits : np.ndarray
        int32, the labels of each value one after the other, -2 where it has fewer.
    begin, width : np.ndarray
        int64, a column each: where its values begin in ``fits``, and how many labels each has there.
    low, high : np.ndarray
        float64, the least and the greatest number of each label, NaN where it is none.
    number : np.ndarray
        float64, the number of each value, NaN where it is none.
    of_label, of_value : np.ndarray
        int64, a column each: where it begins in these.
    n_labels : np.ndarray
        int64, a column each: how many labels it has.
    scale : np.ndarray
        float64, a column each: the distance between its ends; 0 where it has no numbers.
    order, starts : np.ndarray
        int32, columns x released rows, the rows by their label, blank first and else as they come; and int64, one
        column's after the other's, where there the blank label, each label and the end begin.
    """

    released: np.ndarray
    owner: np.ndarray
    counts: np.ndarray
    values: np.ndarray
    person: np.ndarray
    people: np.ndarray
    fits: np.ndarray
    begin: np.ndarray
    width: np.ndarray
    low: np.ndarray
    high: np.ndarray
    number: np.ndarray
    of_label: np.ndarray
    of_value: np.ndarray
    n_labels: np.ndarray
    scale: np.ndarray
    order: np.ndarray
    starts: np.ndarray


class PeopleRows(NamedTuple):
    """Rows of some people, and where among them each label is true.

    Attributes
    ----------
    rows : np.ndarray
        int64, rows of people, those of one person beside one another.
    order : np.ndarray
        int32, places in ``rows``: of each column, one after the other, those of whom its first label is true, in their
        order, then those of the second, and so on.
    starts : np.ndarray
        int64, one column's after the other's, where in ``order`` each label and the end begin.
    """

    rows: np.ndarray
    order: np.ndarray
    starts: np.ndarray


@compiled_in_place
def fulfils(a, column, value, label):
    """Whether a label of a column is true of a value."""
    if label < 0:
        return True
    begin = a.begin[column] + value * a.width[column]
    for i in range(begin, begin + a.width[column]):  # noqa: SIM110  (as a loop that can be compiled)
        if a.fits[i] == label:
            return True
    return False


@compiled_in_place
def _begin(a, column):
    """Where a column begins in ``starts``."""
    return a.of_label[column] + 2 * column


@compiled_in_place
def _distances(a, row, known, first, far):
    """Write to ``far`` how far each label of each known column is from a target's value, the blank label first.

    0 where the label is true of the value, else up to 1: of numbers how far it is off, as a share of the scale.
    ``first`` (int64, a known column each), written, is where the blank label of each stands.
    """
    place = 0
    for j in range(len(known)):
        column = known[j]
        if column < 0:
            continue
        first[j] = place + 1
        far[place] = 0.0
        value, n = a.values[column, row], a.n_labels[column]
        number = a.number[a.of_value[column] + value]
        for label in range(n):
            off = np.inf
            if a.scale[column] > 0.0:
                at = a.of_label[column] + label
                off = max(a.low[at] - number, number - a.high[at]) / a.scale[column]
            far[place + 1 + label] = min(1.0, off) if off >= 0.0 else 1.0  # NaN beside what is no number
        begin = a.begin[column] + value * a.width[column]
        for i in range(begin, begin + a.width[column]):
            if a.fits[i] >= 0:
                far[place + 1 + a.fits[i]] = 0.0
        place += n + 1


@compiled
def candidates(a, rows, known, counts):
    """Write to ``counts`` (int64, targets x 3) who the target may be of all released, by what is known of it.

    Parameters
    ----------
    a : the arrays.
    rows : int64, a target each: the row of people that is known.
    known : int32, targets x columns known; -1 where fewer are.
    counts : how many are counted by the rows that fit; how many of these rows are the target's; and whether all that
        fit are of one person (1).
    """
    first, far = np.empty(known.shape[1], np.int64), np.empty(len(a.low) + len(a.n_labels), np.float64)
    for t in range(len(rows)):
        _distances(a, rows[t], known[t], first, far)
        person, total, own, owner, of_one = a.person[rows[t]], 0, 0, np.int64(-2), 1
        by, least = -1, len(a.owner) + 1
        for j in range(known.shape[1]):  # the column by which fewest rows are left to look at
            column = known[t, j]
            if column >= 0:
                left, begin = 0, _begin(a, column)
                for label in range(-1, a.n_labels[column]):
                    if far[first[j] + label] == 0.0:
                        left += a.starts[begin + label + 2] - a.starts[begin + label + 1]
                if left < least:
                    by, least = j, left
        n_labels = 0 if by < 0 else a.n_labels[known[t, by]]
        for label in range(-1, n_labels):
            start, end = 0, len(a.owner)
            if by >= 0:
                if far[first[by] + label] > 0.0:
                    continue
                begin = _begin(a, known[t, by]) + label + 1
                start, end = a.starts[begin], a.starts[begin + 1]
            for i in range(start, end):
                r = i if by < 0 else a.order[known[t, by], i]
                hit = True
                for j in range(known.shape[1]):
                    column = known[t, j]
                    if column >= 0 and far[first[j] + a.released[column, r]] > 0.0:
                        hit = False
                        break
                if hit:
                    total += a.counts[r]
                    if a.owner[r] == person:
                        own += 1
                    if a.counts[r] > 1:
                        of_one = 0
                    if owner == -2:
                        owner = a.owner[r]
                    elif owner != a.owner[r] or owner == -1:
                        of_one = 0
        counts[t, 0], counts[t, 1], counts[t, 2] = total, own, of_one if total else 0


@compiled
def nearest(a, rows, known, secret, n_labels, guess, best, drawn):
    """The released rows nearest to each target by what is known of it.

    Parameters
    ----------
    a, rows, known : as of :func:`candidates`.
    secret : int, the column that is guessed; -1: none.
    n_labels : how many labels that has.
    guess : int32, a target each, written: the label that most of the nearest rows have; -1 where none has one.
    best : float64, a target each, written: how far the nearest are, in columns.
    drawn : int64, a target each: a number of 62 random bits on the way in, a nearest row drawn by it on the way out.
    """
    first, far = np.empty(known.shape[1], np.int64), np.empty(len(a.low) + len(a.n_labels), np.float64)
    tally = np.zeros(n_labels + 1, np.int64)
    ties = np.empty(len(a.owner), np.int64)
    for t in range(len(rows)):
        _distances(a, rows[t], known[t], first, far)
        least, n_ties = np.inf, 0
        for r in range(len(a.owner)):
            off = 0.0
            for j in range(known.shape[1]):
                column = known[t, j]
                if column >= 0:
                    off += far[first[j] + a.released[column, r]]
                    if off > least:
                        break
            if off < least:
                least, n_ties = off, 0
            if off == least:
                ties[n_ties] = r
                n_ties += 1
        best[t] = least
        if n_ties == 0:
            guess[t], drawn[t] = -1, -1
            continue
        drawn[t] = ties[drawn[t] % n_ties]
        if secret < 0:
            continue
        most = 0
        guess[t] = -1
        for i in range(n_ties):
            label = a.released[secret, ties[i]]
            if label >= 0:
                tally[label] += a.counts[ties[i]]
                if tally[label] > most:
                    most, guess[t] = tally[label], label
        for i in range(n_ties):
            label = a.released[secret, ties[i]]
            if label >= 0:
                tally[label] = 0


@compiled_in_place
def _asks(operator, low, high, number):
    """Whether what is from ``low`` to ``high`` fulfils a condition on a number; what is no number fulfils none."""
    if operator == AT_LEAST:
        return low >= number
    if operator == AT_MOST:
        return high <= number
    if operator == MORE:
        return low > number
    return high < number


@compiled
def draw(a, places, chance, rows, is_number, middle, columns, operators, labels):
    """Write predicates of drawn released rows: of each the labels in a few drawn columns.

    Parameters
    ----------
    a : the arrays.
    places : int32, the columns that are drawn from, in order.
    chance : float64, predicates x columns drawn from: random numbers, of which the least draw theirs.
    rows : int64, a predicate each: the released row.
    is_number, middle : bool and float64, a column each: whether its labels are plain numbers, and their median, above
        which a condition is "at least", else "at most".
    columns, operators, labels : int32, predicates x conditions, written; columns in order, -1 where the row is blank.
    """
    size, last = columns.shape[1], columns.shape[1] - 1
    least = np.empty(size, np.float64)
    for q in range(len(rows)):
        least[:] = np.inf
        for i in range(len(places)):  # the least numbers so far, in order
            number, at = chance[q, i], last
            if number < least[last]:
                while at > 0 and least[at - 1] > number:
                    least[at] = least[at - 1]
                    at -= 1
                least[at] = number
        j = 0
        for i in range(len(places)):
            if j < size and chance[q, i] <= least[last]:
                column = places[i]
                label = a.released[column, rows[q]]
                columns[q, j] = column if label >= 0 else -1  # what is blank is no condition
                operators[q, j], labels[q, j] = EQUAL, label
                low = a.low[a.of_label[column] + label] if label >= 0 else np.nan
                if is_number[column] and not np.isnan(low):  # as an empty cell is
                    is_above = low > middle[column]
                    operators[q, j] = AT_LEAST if is_above else AT_MOST
                j += 1


@compiled_in_place
def count_released(a, columns, operators, labels, counts):
    """Write to ``counts`` (int64, a predicate each) of how many released it is true by their labels; 2 is several.

    Parameters
    ----------
    a : the arrays.
    columns, operators, labels : int32, predicates x conditions; column -1 where it has fewer.
    """
    for q in range(len(columns)):
        n, first = 0, np.int64(-2)
        by, start, n_rows = -1, 0, len(a.owner)
        for j in range(columns.shape[1]):  # the label that fewest have, of those that are asked for
            if columns[q, j] >= 0 and operators[q, j] == EQUAL:
                begin = _begin(a, columns[q, j]) + labels[q, j] + 1
                if a.starts[begin + 1] - a.starts[begin] < n_rows:
                    by, start, n_rows = columns[q, j], a.starts[begin], a.starts[begin + 1] - a.starts[begin]
        for i in range(n_rows):
            r = i if by < 0 else a.order[by, start + i]
            hit = True
            for j in range(columns.shape[1]):
                column = columns[q, j]
                if column < 0:
                    continue
                label, operator = a.released[column, r], operators[q, j]
                if operator == EQUAL:
                    hit = label == labels[q, j]
                elif operator == DIFFERENT:
                    hit = label != labels[q, j]
                else:
                    place = a.of_label[column]
                    number = a.low[place + labels[q, j]]
                    hit = label >= 0 and _asks(operator, a.low[place + label], a.high[place + label], number)
                if not hit:
                    break
            if hit and (a.owner[r] != first or first == -1):
                n += a.counts[r]
                first = a.owner[r]
                if n > 1:
                    break
        counts[q] = n


@compiled_in_place
def count_people(a, people, columns, operators, labels, most, counts):
    """The same of how many of some people (:class:`PeopleRows`) it is true by the true values of one of their rows.

    Counting ends past ``most``.
    """
    for q in range(len(columns)):
        n, first = 0, np.int64(-2)
        by_label, start, n_rows = False, 0, len(people.rows)
        for j in range(columns.shape[1]):  # the label that is true of fewest, of those that are asked for
            column = columns[q, j]
            if column >= 0 and operators[q, j] == EQUAL:
                begin = a.of_label[column] + column + labels[q, j]
                if people.starts[begin + 1] - people.starts[begin] < n_rows:
                    by_label, start = True, people.starts[begin]
                    n_rows = people.starts[begin + 1] - start
        for i in range(n_rows):
            row = people.rows[people.order[start + i] if by_label else i]
            hit = True
            for j in range(columns.shape[1]):
                column = columns[q, j]
                if column < 0:
                    continue
                value, operator = a.values[column, row], operators[q, j]
                if operator == EQUAL:
                    hit = fulfils(a, column, value, labels[q, j])
                elif operator == DIFFERENT:
                    hit = not fulfils(a, column, value, labels[q, j])
                else:
                    number = a.number[a.of_value[column] + value]
                    hit = _asks(operator, number, number, a.low[a.of_label[column] + labels[q, j]])
                if not hit:
                    break
            if hit and a.person[row] != first:
                n += a.people[row]
                first = a.person[row]
                if n > most:
                    break
        counts[q] = n

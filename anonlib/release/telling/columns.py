"""The columns that tell: alone, beside the label of what they tell, and two together."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from itertools import combinations

import numpy as np

from anonlib.basics.progress import Progress, nobody, share_of
from anonlib.counting.classes.subsets import Subset, Subsets
from anonlib.release.applied import Applied
from anonlib.release.readings import MOST_VALUES, Cells, Reading, digits_of, places_of, readings
from anonlib.release.recipe import Recipe
from anonlib.release.telling.found import Tellers, Telling
from anonlib.release.telling.hidden import KNOWN, Hidden, known_by_class, most_alike, shared_by_nearly_all
from anonlib.release.telling.leaving import Leaving
from anonlib.release.telling.sums import Sums

_MOST_CELLS = 5_000_000_000  # rows times pairs times hidden columns that are looked at: some half a minute


def tellers(applied: Applied, recipe: Recipe, progress: Progress = nobody) -> Tellers:
    """The columns, alone and two together, by which what the recipe recodes or drops is known all the same.

    A released column that is no quasi-identifier tells one when the original value is known by its labels of at least
    95% of the records that leave, and the others are at most a fifth of those that one would get wrong by always
    guessing the commonest value (1 - lambda; else every column would tell one in which nearly all are alike). A record
    is no evidence of itself, so that the values of a column of ids tell nothing as they are. A missing value is a
    value.

    A quasi-identifier that is recoded leaves with a label. What tells it beside that label is found too: who shares
    both with others is taken for what more than half of these are, anybody else for the commonest value of the label.
    Of a column that is recoded, and beside a label, only that counts which goes beyond the label: the others are at
    most a fifth of those that one would get wrong by always guessing the commonest value of the label (lambda given the
    label), and it is right of at least ten records whose value is not the commonest there. Nothing goes beyond a label
    by which nearly all are known anyway.

    Where whatever is read off a value can be right of fewer (of those that share it, at most of those whose hidden
    value is the commonest there), equal values settle it. In the values of other columns is read what
    :mod:`anonlib.release.readings` lists, and what is read counts as values do, if it is right of at least ten
    records whose hidden value is not the commonest: there are many readings, and a few records agree by chance. What
    stands whole in its values, or is made of the digits of its label and theirs, is known without others. The same is
    so of sums and differences of two numbers or dates. Of two columns one may be a quasi-identifier that leaves, for
    what it does not tell by itself. Where persons have several rows, what two columns come to is counted by rows.

    Parameters
    ----------
    applied : Applied
        What the recipe made of the original.
    recipe : Recipe
        The steps.
    progress : Progress, default nobody
        Called with the share that is looked at; may raise to stop.

    Returns
    -------
    Tellers

    References
    ----------
    Goodman and Kruskal (1954), lambda, and its partial form.
    """
    telling = _TellingColumns(applied, recipe)
    alone = telling.alone(share_of(progress, 0.0, 0.5))
    pairs = telling.pairs(alone, share_of(progress, 0.5, 1.0))
    in_pairs = {name for pair in pairs or () for name in (pair.column, pair.beside)}
    nearly_unique = tuple(name for name in telling.nearly_unique if name not in in_pairs)
    unread = tuple(name for name in nearly_unique if name in telling.unread)
    return Tellers(alone, pairs, nearly_unique, unread, telling.release.is_asked)


def telling_columns(applied: Applied, recipe: Recipe) -> tuple[Telling, ...]:
    """The columns that tell one alone, in the file's order: see :func:`tellers`.

    Parameters
    ----------
    applied : Applied
        What the recipe made of the original.
    recipe : Recipe
        The steps.

    Returns
    -------
    tuple[Telling, ...]
    """
    return _TellingColumns(applied, recipe).alone()


class _TellingColumns:
    """What the columns that leave tell of those that a recipe hides."""

    def __init__(self, applied: Applied, recipe: Recipe) -> None:
        self.release = Leaving(applied, recipe)
        self.hidden, self.left = self.release.hidden, self.release.left
        self.leaving = [*self.left, *self.release.counted]  # behind, what k counts
        table = self.release.wide.classes([*self.release.before, *self.leaving])
        self.rows, self.subsets = Hidden(table, self.release.labels), Subsets(table)
        self.n, self.everyone = table.n_records, self.subsets.everyone()
        self.nearly_unique: list[str] = []
        self.unread: list[str] = []

    def alone(self, progress: Progress = nobody) -> tuple[Telling, ...]:
        """The columns that tell one alone; :attr:`nearly_unique` are then those that may and are not found to."""
        tellings, self.nearly_unique, self.unread = list[Telling](), [], []
        for j, column in enumerate(self.left):
            progress(j / len(self.left))
            alike = self._alike(self.everyone, j)
            by_equal_values = self._known_by(alike, range(len(self.hidden)), self._is_recoded(column))
            open_to = [i for i in range(len(self.hidden)) if i not in by_equal_values and self._could(alike, i, j)]
            read = self._read(j, open_to) if open_to else {}
            known = {i: (n, "") for i, n in by_equal_values.items()} | read
            tellings += [Telling(column, self.hidden[i], n, self.n, by=by) for i, (n, by) in sorted(known.items())]
            if open_to and not known and not shared_by_nearly_all(alike, self.n):
                self.nearly_unique.append(column)
        return tuple(tellings)

    def pairs(self, alone: Sequence[Telling], progress: Progress) -> tuple[Telling, ...] | None:
        """Those that tell one beside its label, and two that do together; None where they are too many."""
        pairs = [(j, k) for j, k in combinations(range(len(self.leaving)), 2) if j < len(self.left)]
        sums = Sums(self.release, self.rows) if self.hidden else None
        work = len(pairs) * len(self.everyone.group) + (0 if sums is None else sums.work)
        if work * (1 + len(self.hidden)) > _MOST_CELLS:
            return None
        tellings = self._beside_labels(alone, share_of(progress, 0.0, 0.4))
        by_equal_values = {(telling.column, telling.tells) for telling in (*alone, *tellings)}
        by_one = [self._alike(self.everyone, j) for j in range(len(self.leaving))]
        for j in range(len(self.left), len(self.leaving)):  # what these tell alone, k counts
            known_by_it = self._known_by(by_one[j], range(len(self.hidden)))
            by_equal_values |= {(self.leaving[j], self.hidden[i]) for i in known_by_it}
        for done, (j, k) in enumerate(pairs):
            progress(0.4 + 0.3 * done / len(pairs))
            one, other = self.leaving[j], self.leaving[k]
            known = {tells for name, tells in by_equal_values if name in (one, other)} | {other}
            hidden = [i for i, name in enumerate(self.hidden) if name not in known]
            by_both = self._known_by(self._alike(by_one[j], k), hidden, self._is_recoded(one, other))
            tellings += [Telling(one, self.hidden[i], n, self.n, other) for i, n in by_both.items()]
        if sums is not None:
            tellings += sums.found([*alone, *tellings], share_of(progress, 0.7, 1.0))
        return tuple(tellings)

    def _is_recoded(self, *names: str) -> bool:
        return not self.release.recoded.isdisjoint(names)

    def _alike(self, subset: Subset, j: int) -> Subset:
        """Who shares the value of a column that leaves, of those alike already."""
        return self.subsets.refine(subset, len(self.hidden) + j)

    def _known_by(self, alike: Subset, hidden: Sequence[int], beyond_label: bool = False) -> dict[int, int]:
        """Of some of the hidden columns those that can be read off who is alike, and of how many records."""
        if not shared_by_nearly_all(alike, self.n):
            return {}
        known = {}
        for i in hidden:
            if self.rows.wrong[i]:
                is_known = known_by_class(alike, self.subsets.refine(alike, i))
                if n_enough := self.rows.enough(is_known, i, beyond_label=beyond_label):
                    known[i] = n_enough
        return known

    def _could(self, alike: Subset, i: int, j: int) -> bool:
        """Whether something in the values of a column could tell a hidden one, as far as those who share one show."""
        most = most_alike(alike, self.subsets.refine(alike, i))
        return self.rows.tells(int(most.sum()), i, self._is_recoded(self.left[j]))

    def _values(self, j: int) -> tuple[np.ndarray, np.ndarray]:
        """The values of a column that leaves, and intp per class the place of its value."""
        at = len(self.hidden) + j
        return self.rows.table.categories[at], self.subsets.columns[at]

    def _read(self, j: int, hidden: Sequence[int]) -> dict[int, tuple[int, str]]:
        """By hidden column of how many it is read in another, and what is read: the reading that tells most."""
        values, codes = self._values(j)
        best: dict[int, tuple[int, str]] = {}
        if len(values) > MOST_VALUES:
            self.unread.append(self.left[j])
            return best
        is_recoded = self._is_recoded(self.left[j])
        for chain in readings(self.rows.cells(self.left[j])):
            for reading in chain:
                known = self.rows.known_of(reading.codes[codes], reading.n, hidden, is_recoded)
                if known is None:
                    break  # what tells even more values apart is shared by fewer
                _take_better(best, known, reading)
            if len(best) == len(hidden) and all(n == self.n for n, _ in best.values()):
                break
        for i in hidden:
            if i not in best and not self.rows.is_shared[i]:
                known_whole, by = self._standing_whole(values[codes], i)
                best |= {i: (known_whole, by)} if self.rows.tells(known_whole, i, is_recoded) else {}
        return best

    def _standing_whole(self, values: np.ndarray, i: int) -> tuple[int, str]:
        """Of how many the value of a hidden column stands whole at one place of another's, and which place."""
        hidden, counts = self.rows.table.categories[i][self.rows.columns[i]], self.rows.table.counts
        known, missed = Counter[str](), self.n
        for value, tells, n in zip(values, hidden, counts.tolist(), strict=True):
            if value is not None and tells is not None and not (hasattr(value, "members") or hasattr(tells, "members")):
                for place in places_of(value.strip(), tells.strip()):
                    known[place] += n
            missed -= n
            if max(known.values(), default=0) + missed < KNOWN * self.n:
                break
        return max(((n, by) for by, n in known.items()), default=(0, ""))

    def _beside_labels(self, alone: Sequence[Telling], progress: Progress) -> list[Telling]:
        """The columns that tell a hidden one beside the label with which it leaves, and not alone."""
        tell_alone, tellings = {(telling.column, telling.tells) for telling in alone}, list[Telling]()
        for j, column in enumerate(self.left):
            progress(j / len(self.left))
            values, codes = self._values(j)
            open_to = {
                i
                for i, tells in enumerate(self.hidden)
                if (column, tells) not in tell_alone and self.rows.could_beside_label(codes, len(values), i)
            }
            known = {i: (n, "") for i, n in self.rows.known_beside_label(codes, len(values), open_to).items() if n}
            open_to -= known.keys()
            if open_to and len(values) > MOST_VALUES:
                self.unread.append(column)
                self.nearly_unique += [column] if column not in self.nearly_unique else []
            elif open_to:
                known |= self._read_beside_labels(self.rows.cells(column), codes, open_to)
            for i in open_to - known.keys():
                n = 0 if self.rows.is_shared[i] else self._completing(values[codes], i)
                known |= {i: (n, "digits")} if self.rows.tells(n, i, beyond_label=True) else {}
            tellings += [
                Telling(column, self.hidden[i], n, self.n, self.hidden[i], by) for i, (n, by) in sorted(known.items())
            ]
        return tellings

    def _completing(self, values: np.ndarray, i: int) -> int:
        """Of how many the digits of a hidden value are made of those of its label and of a column, in one way."""
        label = self.release.labels[i]
        if label is None:
            return 0
        labels = self.rows.table.column(label)
        hidden, counts = self.rows.table.categories[i][self.rows.columns[i]], self.rows.table.counts
        known, missed = Counter[int](), self.n
        for value, of_label, tells, n in zip(values, labels, hidden, counts.tolist(), strict=True):
            if all(type(text) is str for text in (value, of_label, tells)):
                first, second, whole = map(digits_of, (of_label, value, tells))
                if first and second:
                    known.update(
                        {way: n for way, digits in enumerate(_put_together(first, second, whole)) if digits == whole}
                    )
            missed -= n
            if max(known.values(), default=0) + missed < KNOWN * self.n:
                break
        return max(known.values(), default=0)

    def _read_beside_labels(self, cells: Cells, codes: np.ndarray, hidden: set[int]) -> dict[int, tuple[int, str]]:
        best: dict[int, tuple[int, str]] = {}
        for chain in readings(cells):
            open_to = set(hidden)
            for reading in chain:
                known = self.rows.known_beside_label(reading.codes[codes], reading.n, open_to)
                _take_better(best, {i: n for i, n in known.items() if n}, reading)
                open_to -= {i for i, n in known.items() if n is None}
                if not open_to:
                    break
        return best


def _put_together(label: str, other: str, whole: str) -> tuple[str, ...]:
    """Digits of a label and of another column as those of a value may be made of them: one behind the other, with zeros
    in front, and of a date the year of its label, whose quarter or month stands behind it, with the month and day."""
    year, day_first = label[:4], other[2:] + other[:2]
    return (
        label + other.zfill(len(whole) - len(label)),
        other + label,
        year + other.zfill(len(whole) - len(year)),
        other + year,
        year + day_first,
        day_first + year,
    )


def _take_better(best: dict[int, tuple[int, str]], known: Mapping[int, int], reading: Reading) -> None:
    """Put the reading in the place of one that tells fewer."""
    best |= {i: (n, reading.by) for i, n in known.items() if n > best.get(i, (0, ""))[0]}

"""Somebody who has a release, the known columns of everybody in the file, and the way in which the release came about.

Two ways to conclude whose value is certain. *Exact* (``posteriors``): all files that could have led to the release,
with what the way makes of them, which takes tiny files. *By rules* (``Release.conclude``): which finer releases sizes
alone would have allowed, so that a value must have refused them, and which classes can have been it. Beside them stands
what a search that refuses by values or by a coin makes of a tiny file, with each outcome's probability
(``CoinSearch``).

Plain Python that shares nothing with the product.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import product
from typing import Any

Part = frozenset[int]  # persons, by their number
Levels = tuple[int, ...]  # of known columns, 0 for the value as it is
Candidate = tuple[int, int]  # a column and a finer level of it
Pair = frozenset[Part]  # two parts, in no order
Values = Sequence[Any]  # the sensitive value of everybody
Ranking = Callable[[Part, Levels, list[Candidate]], list[Candidate]]


# ---- what is known ----


@dataclass(frozen=True)
class Known:
    """The known columns of everybody in the file.

    Attributes
    ----------
    rows : sequence of tuple of str
        A person each.
    hierarchies : sequence of mapping from str to sequence of str
        Of each column the labels of each value, level by level, from the value itself to the coarsest.
    """

    rows: Sequence[tuple[str, ...]]
    hierarchies: Sequence[Mapping[str, Sequence[str]]]

    @cached_property
    def everybody(self) -> Part:
        return frozenset(range(len(self.rows)))

    @cached_property
    def top(self) -> Levels:
        return tuple(len(next(iter(ladder.values()))) - 1 for ladder in self.hierarchies)

    def label(self, person: int, column: int, level: int) -> str:
        return self.hierarchies[column][self.rows[person][column]][level]

    def children(self, part: Part, column: int, level: int) -> dict[str, Part]:
        """A part by the labels that its persons have in a column on a level."""
        of_label = defaultdict(set)
        for person in sorted(part):
            of_label[self.label(person, column, level)].add(person)
        return {label: frozenset(child) for label, child in of_label.items()}

    def classes(self, node: Levels) -> list[Part]:
        """Everybody by the labels that they have on a level of each column."""
        of_labels = defaultdict(set)
        for person in sorted(self.everybody):
            of_labels[tuple(self.label(person, column, level) for column, level in enumerate(node))].add(person)
        return [frozenset(part) for part in of_labels.values()]

    def lowered(self, part: Part, levels: Levels) -> tuple[str, ...]:
        """The labels of a part on the lowest levels, up to these, on which all of it share one."""
        labels = []
        for column, top in enumerate(levels):
            shared = (self.children(part, column, level) for level in range(top + 1))
            labels.append(next(next(iter(children)) for children in shared if len(children) == 1))
        return tuple(labels)


def two_values(values: Iterable[Hashable]) -> bool:
    """Nobody's value is certain."""
    return len(set(values)) >= 2


# ---- a search that refuses by values or by a coin ----


Try = tuple[Pair, int]  # two parts that are to be parted, and what it costs if they are not
Cuts = tuple[tuple[Part, int], ...]  # parts that were to be parted off and were not, with what that cost


@dataclass(frozen=True)
class Course:
    """One way in which a search can go: the leaves that it ends in, and how the tries fared that were made."""

    leaves: tuple[tuple[Part, tuple[str, ...]], ...]
    parted: tuple[Try, ...]
    refused: tuple[Try, ...]


@dataclass(frozen=True)
class CoinSearch:
    """A table split part by part, where each try is refused by values, or else by a coin.

    A candidate, a column on a finer level, parts off its children, the largest first. Those below ``k`` are a rest,
    which the smallest others join until it is empty or has ``k``. A child is parted off what remains where both are
    diverse and a coin, one for each pair of parts, does not refuse all the same. A refusal costs two persons of whom
    one is in the child and one remains; a try is not made where that could bring any two of them beyond the budget.
    Where both parts have ``large`` persons a try costs 2, and its coin refuses with the chance q squared; where they
    have ``larger``, 3 and to the third.

    Where two persons of a leaf exchange values, only tries with one of them on each side differ, each by the factor
    ``q`` to its cost at most. All of these were refused, and cost no more than the budget. So the odds of a value of
    share s in a leaf are at most those of the share, s / (1 - s), times (1 / q) to the budget.

    Attributes
    ----------
    ranking : callable
        The order in which a part's candidates are tried, by known columns alone.
    sums, remembers, a_path, squares : bool
        False for searches that are wrong: where two persons pay the costliest try alone, where a pair that comes again
        costs nothing and has another coin, where every part begins anew, and where a try of many costs 1 all the same.
    """

    known: Known
    k: int
    q: float
    budget: int
    ranking: Ranking
    is_diverse: Callable[[Iterable[Any]], bool] = two_values
    large: int = 99
    larger: int = 99
    sums: bool = True
    remembers: bool = True
    a_path: bool = True
    squares: bool = True

    @cached_property
    def courses(self) -> list[Course]:
        """Every way in which the search can go, whatever the values are."""
        return list(self._from(self.known.everybody, self.known.top, (), frozenset()))

    def alone(self, part: Part, candidate: Candidate) -> list[Part]:
        """The children that a candidate may part off, the largest first; none where it would part nobody."""
        children = sorted(self.known.children(part, *candidate).values(), key=lambda child: (-len(child), min(child)))
        large = [child for child in children if len(child) >= self.k]
        rest = len(part) - sum(map(len, large))
        while large and 0 < rest < self.k:
            rest += len(large.pop())
        return large if len(children) > 1 else []

    def cost(self, child: Part, remainder: Part, cuts: Cuts) -> int:
        """What a refusal may cost: 1 or 2, 0 where two persons whom it would part have nothing left."""
        of_pairs = (
            [cost for cut, cost in cuts if (one_person in cut) != (other in cut)]
            for one_person in child
            for other in remainder
        )
        left = self.budget - max((sum if self.sums else max)([0, *costs]) for costs in of_pairs)
        smaller = min(len(child), len(remainder))
        return max(0, min(left, 1 + (smaller >= self.large) + (smaller >= self.larger)))

    def _from(self, part: Part, levels: Levels, cuts: Cuts, refused: frozenset[Pair]) -> Iterator[Course]:
        """The courses from a part on."""
        allowed = [
            (column, level)
            for column, current in enumerate(levels)
            for level in range(current)
            if self.alone(part, (column, level))
        ]
        yield from self._by(self.ranking(part, levels, allowed), part, levels, cuts, refused)

    def _by(
        self, candidates: Sequence[Candidate], part: Part, levels: Levels, cuts: Cuts, refused: frozenset[Pair]
    ) -> Iterator[Course]:
        """The courses from a part on that has these candidates left."""
        if not candidates:
            yield Course(((part, self.known.lowered(part, levels)),), (), ())
            return
        column, level = candidates[0]
        finer = (*levels[:column], level, *levels[column + 1 :])
        for parted, remainder, new, new_cuts in self._tries(self.alone(part, candidates[0]), part, cuts, refused, ()):
            again = refused.union(pair for pair, _ in new)
            if not parted:
                for course in self._by(candidates[1:], part, levels, new_cuts, again):
                    yield Course(course.leaves, course.parted, new + course.refused)
                continue
            after = new_cuts if self.a_path else ()
            ways = [list(self._from(child, finer, after, frozenset())) for child, _ in parted]
            ways.append(list(self._from(remainder, levels, after, again)))
            for way in product(*ways):
                yield Course(
                    tuple(leaf for course in way for leaf in course.leaves),
                    tuple(tried for _, tried in parted) + tuple(each for course in way for each in course.parted),
                    new + tuple(each for course in way for each in course.refused),
                )

    def _tries(
        self, children: Sequence[Part], part: Part, cuts: Cuts, refused: frozenset[Pair], new: tuple[Try, ...]
    ) -> Iterator[tuple[list[tuple[Part, Try]], Part, tuple[Try, ...], Cuts]]:
        """How the children of a candidate can fare: who is parted off, who remains, tries refused and what they cut."""
        if not children:
            yield [], part, new, cuts
            return
        child, later, remainder = children[0], children[1:], part - children[0]
        pair = frozenset((child, remainder))
        is_known = pair in refused or any(pair == earlier for earlier, _ in new)
        cost = self.cost(child, remainder, cuts) if len(remainder) >= self.k else 0
        if is_known and not self.remembers and len(remainder) >= self.k:
            cost = 1
        elif is_known or not cost:
            yield from self._tries(later, part, cuts, refused, new)
            return
        for parted, last, refusals, after in self._tries(later, remainder, cuts, refused, new):
            yield [(child, (pair, cost)), *parted], last, refusals, after
        pays = 0 if is_known else cost if self.squares else 1
        yield from self._tries(later, part, (*cuts, (child, pays)), refused, (*new, (pair, cost)))

    def release_probabilities(self, values: Values, by_leaf: bool = True) -> dict[Hashable, float]:
        """The releases of a file, with the probability of each.

        A release is its records in order, labels and value; with ``by_leaf`` it also shows who is in which leaf.
        """
        probabilities: dict[Hashable, float] = defaultdict(float)
        if self.is_diverse(values):
            diverse: dict[Pair, bool] = {}
            for course in self.courses:
                probability = 1.0
                for pair, cost in course.parted:
                    probability *= 1 - self.q**cost if self._both(pair, values, diverse) else 0.0
                    if not probability:
                        break
                else:
                    for pair, cost in course.refused:
                        probability *= self.q**cost if self._both(pair, values, diverse) else 1.0
                if probability:
                    probabilities[release_of(course, values, by_leaf)] += probability
        return dict(probabilities)

    def course(self, values: Values, refuses: Callable[[Pair, int], bool]) -> Course:
        """How the search goes with coins that are known, of each pair whether it is refused at a cost."""
        diverse: dict[Pair, bool] = {}

        def is_parted(pair: Pair, cost: int) -> bool:
            return self._both(pair, values, diverse) and not refuses(pair, cost)

        (course,) = (
            course
            for course in self.courses
            if all(is_parted(*each) for each in course.parted) and not any(is_parted(*each) for each in course.refused)
        )
        return course

    def _both(self, pair: Pair, values: Values, diverse: dict[Pair, bool]) -> bool:
        if pair not in diverse:
            diverse[pair] = all(self.is_diverse([values[person] for person in part]) for part in pair)
        return diverse[pair]


def release_of(course: Course, values: Values, by_leaf: bool) -> Hashable:
    """What leaves where a search goes so: labels and values in order, beside the persons of each leaf if they show."""
    if by_leaf:
        return frozenset(
            (part, labels, tuple(sorted(values[person] for person in part))) for part, labels in course.leaves
        )
    return tuple(sorted((labels, values[person]) for part, labels in course.leaves for person in part))


# ---- exact: every file that could have led to the release ----


def arrangements(values: Values) -> Iterator[tuple[Any, ...]]:
    """Every order of values, equal ones once."""
    if not values:
        yield ()
        return
    for value in sorted(set(values)):
        rest = list(values)
        rest.remove(value)
        for others in arrangements(rest):
            yield (value, *others)


def posteriors(
    files: Iterable[tuple[Any, ...]],
    release_probabilities: Callable[[tuple[Any, ...]], Mapping[Hashable, float]],
    prior: Callable[[tuple[Any, ...]], float] = lambda values: 1.0,
) -> dict[Hashable, list[dict[Any, float]]]:
    """Of each release that can be, the probability of each value of each person.

    ``files`` are all that are possible, everybody's values; ``prior`` is how likely they are before the release, up to
    a factor. A value that a person has in no file that could have led to the release is not among the person's.
    """
    weights: dict[Hashable, list[dict[Any, float]]] = {}
    for values in files:
        for outcome, probability in release_probabilities(values).items():
            if outcome not in weights:
                weights[outcome] = [defaultdict(float) for _ in values]
            for of_person, value in zip(weights[outcome], values, strict=True):
                of_person[value] += prior(values) * probability
    return {
        outcome: [
            {value: weight / sum(of_person.values()) for value, weight in of_person.items()} for of_person in of_release
        ]
        for outcome, of_release in weights.items()
    }


def independent(frequencies: Mapping[Any, float]) -> Callable[[tuple[Any, ...]], float]:
    """How likely a file is where each person's value is drawn for itself."""

    def prior(values: tuple[Any, ...]) -> float:
        likely = 1.0
        for value in values:
            likely *= frequencies[value]
        return likely

    return prior


# ---- by rules: what must have been refused for a value ----


@dataclass(frozen=True)
class Sensitive:
    """What no class may show: all of it with one value of a column, unless the value is harmless there."""

    n_columns: int = 1
    harmless: tuple[frozenset[str], ...] = (frozenset(),)

    def is_diverse(self, values: Iterable[tuple[str, ...]]) -> bool:
        """``values`` are a tuple a person."""
        for column, of_column in enumerate(zip(*values, strict=True)):
            if len(set(of_column)) == 1 and of_column[0] not in self.harmless[column]:
                return False
        return True


UNSEEN = "(of nobody in the release)"
Domains = dict[int, tuple[frozenset[str], ...]]  # of each person the values that each sensitive column may have


@dataclass(frozen=True)
class Conclusion:
    """What the method gives away.

    Attributes
    ----------
    certain : dict of tuple of (int, int) to str
        The value of a person's sensitive column that is certain though the person's released class shows several.
    refusals : int
        Finer releases that sizes alone allow, which a value must have refused.
    domains : dict
        What each person's values can still be.
    """

    certain: dict[tuple[int, int], str]
    refusals: int
    domains: Domains


class Release:
    """A release as it is read by somebody who knows everybody's known columns.

    ``rows`` are labels and sensitive values (a tuple) of each record, in any order.
    """

    def __init__(
        self, known: Known, rows: Sequence[tuple[tuple[str, ...], tuple[str, ...]]], sensitive: Sensitive
    ) -> None:
        self.known, self.sensitive = known, sensitive
        self.values: dict[tuple[str, ...], list[tuple[str, ...]]] = defaultdict(list)
        for labels, values in rows:
            self.values[labels].append(values)
        self.all_values = tuple(frozenset(value) for value in zip(*(values for _, values in rows), strict=True))
        self.persons, self.left_out = self._placed(len(rows) == len(known.rows))

    def _placed(self, all_stay: bool) -> tuple[dict[tuple[str, ...], Part], Part]:
        """The persons of each class as far as labels and sizes show them, and who is in none."""
        possible = {
            person: {labels for labels in self.values if self._fits(person, labels)} for person in self.known.everybody
        }
        placed: dict[tuple[str, ...], set[int]] = {labels: set() for labels in self.values}
        changed = True
        while changed:
            changed = False
            for labels, persons in placed.items():
                can = {person for person in possible if labels in possible[person]}
                if len(can) == len(self.values[labels]) and can != persons:
                    for person in can:
                        possible[person] = {labels}
                    placed[labels], changed = can, True
                sure = {person for person in can if all_stay and len(possible[person]) == 1}
                if len(sure) == len(self.values[labels]) < len(can):
                    for person in can - sure:
                        possible[person].discard(labels)
                    changed = True
        left_out = frozenset(person for person in possible if not possible[person])
        return {labels: frozenset(persons) for labels, persons in placed.items() if persons}, left_out

    def _fits(self, person: int, labels: tuple[str, ...]) -> bool:
        of_columns = zip(self.known.rows[person], self.known.hierarchies, labels, strict=True)
        return all(label in hierarchy[value] for value, hierarchy, label in of_columns)

    def level(self, labels: tuple[str, ...], column: int) -> int:
        """The lowest level on which all of a class share its label."""
        ladders = [self.known.hierarchies[column][self.known.rows[person][column]] for person in self.persons[labels]]
        return next(
            level for level in range(len(ladders[0])) if all(ladder[level] == labels[column] for ladder in ladders)
        )

    # ---- who can have what ----

    def at_first(self) -> Domains:
        """What the release shows by itself."""
        unseen = tuple(values | {UNSEEN} for values in self.all_values)
        domains = dict.fromkeys(self.known.everybody, unseen)
        if not self.left_out:
            domains = dict.fromkeys(domains, self.all_values)
        for labels, persons in self.persons.items():
            shown = tuple(frozenset(values) for values in zip(*self.values[labels], strict=True))
            domains |= dict.fromkeys(persons, shown)
        return domains

    def settled(self, domains: Domains) -> Domains | None:
        """What follows from how many of each class have each value; None where it cannot be."""
        domains = dict(domains)
        for labels, persons in self.persons.items():
            for column in range(self.sensitive.n_columns):
                shown = Counter(values[column] for values in self.values[labels])
                if not self._settle(domains, persons, column, shown):
                    return None
        return domains

    @staticmethod
    def _settle(domains: Domains, persons: Part, column: int, shown: Counter[str]) -> bool:
        """Narrow what the persons of a class can have in a column, until nothing follows any more."""
        changed = True
        while changed:
            changed = False
            for value, number in shown.items():
                can = [person for person in persons if value in domains[person][column]]
                sure = [person for person in can if len(domains[person][column]) == 1]
                if len(can) < number or len(sure) > number:
                    return False
                narrowed: dict[int, frozenset[str]] = {}
                if len(can) == number > len(sure):
                    narrowed = dict.fromkeys(can, frozenset((value,)))
                elif len(sure) == number < len(can):
                    narrowed = {p: domains[p][column] - {value} for p in can if p not in sure}
                for person, values in narrowed.items():
                    if not values:
                        return False
                    domains[person] = (*domains[person][:column], values, *domains[person][column + 1 :])
                    changed = True
        return True

    def can_refuse(self, part: Part, domains: Domains) -> Iterator[Domains]:
        """What holds wherever all of a part have one harmful value; nothing where they cannot."""
        for column in range(self.sensitive.n_columns):
            shared = frozenset.intersection(*(domains[person][column] for person in part))
            for value in sorted(shared - self.sensitive.harmless[column]):
                narrowed = dict(domains)
                for person in part:
                    of_person = domains[person]
                    narrowed[person] = (*of_person[:column], frozenset((value,)), *of_person[column + 1 :])
                settled = self.settled(narrowed)
                if settled is not None:
                    yield settled

    # ---- what a value refused ----

    def conclude(self, refusals: Sequence[Sequence[Part]]) -> Conclusion:
        """What follows from finer releases that did not come about: in each, a part must have one harmful value.

        Where several parts can have been it, what is common to all that they imply holds.
        """
        domains = self.settled(self.at_first())
        assert domains is not None
        changed = True
        while changed:
            changed = False
            for parts in refusals:
                ways = [way for part in parts for way in self.can_refuse(part, domains)]
                if not ways:
                    continue  # The release is not what the method would have come to.
                joined = {
                    person: tuple(
                        frozenset().union(*(way[person][column] for way in ways))
                        for column in range(self.sensitive.n_columns)
                    )
                    for person in domains
                }
                narrowed = self.settled(joined) or domains
                changed = changed or narrowed != domains
                domains = narrowed
        shown = self.at_first()
        certain = {
            (person, column): next(iter(values))
            for person, of_person in domains.items()
            for column, values in enumerate(of_person)
            if len(values) == 1 < len(shown[person][column])
        }
        return Conclusion(certain, len(refusals), domains)

    def of_parts(self, k: int) -> list[list[Part]]:
        """A part that could split, would: of each class, each child that sizes let be parted off from the others."""
        refusals = []
        for labels, persons in self.persons.items():
            for column in range(len(labels)):
                for level in range(self.level(labels, column)):
                    for child in self.known.children(persons, column, level).values():
                        others = persons - child
                        if len(child) >= k and len(others) >= k and [child, others] not in refusals:
                            refusals.append([child, others])
        return refusals

    def of_nodes(
        self, k: int, loss: Callable[[Known, Levels, Part], float], most_left_out: int = 0
    ) -> list[list[Part]]:
        """One level a column: the classes of each node that sizes allow and that loses less than the release.

        Who is left out there for size is counted as lost. Of the released node, whose classes all met, nothing follows.
        """
        now = tuple(
            max(self.level(labels, column) for labels in self.persons) for column in range(len(self.known.hierarchies))
        )
        lost = loss(self.known, now, self.left_out)
        refusals = []
        for node in product(*(range(top + 1) for top in self.known.top)):
            classes = self.known.classes(node)
            small = frozenset(person for part in classes if len(part) < k for person in part)
            if node != now and len(small) <= most_left_out and loss(self.known, node, small) < lost - 1e-9:
                refusals.append([part for part in classes if len(part) >= k])
        return refusals

    def vanished(self, k: int) -> list[Part]:
        """Classes that met every size and of which nobody is in the release, where all have one level a column."""
        now = tuple(
            max(self.level(labels, column) for labels in self.persons) for column in range(len(self.known.hierarchies))
        )
        return [part for part in self.known.classes(now) if len(part) >= k and part <= self.left_out]

"""What the method says, against every assignment of values to small tables, by plain code that shares nothing."""

from __future__ import annotations

import random
from collections import Counter, defaultdict
from collections.abc import Iterator
from dataclasses import replace
from itertools import combinations, permutations, product

import numpy as np
import pandas as pd
import pytest

from anonlib.analyses.generalization.certificate import (
    FinerLabels,
    Released,
    ReleasedLabels,
    ReleasedPersons,
    ReleasedValues,
    certify,
    states_of_nodes,
    states_of_parts,
)
from anonlib.analyses.generalization.search import Problem
from anonlib.coarsening.hierarchies import Hierarchy
from anonlib.coarsening.recoding import ValueMap
from anonlib.counting.classes import ClassTable
from anonlib.counting.privacy_models import AttributeDisclosure, CodedRows, KAnonymity, LDiversity, TCloseness

# By column, on each level the label of each value.
LADDERS = {
    "a": [dict(zip("pqrs", "pqrs", strict=True)), dict(zip("pqrs", "PPRR", strict=True)), dict.fromkeys("pqrs", "*")],
    "b": [dict(zip("xyz", "xyz", strict=True)), dict.fromkeys("xyz", "*")],
}
NAMES = tuple(LADDERS)
People = list[tuple[str, str]]


def people_at_random(draw: random.Random, n: int) -> tuple[People, list[str]]:
    """The known values of so many persons, and their sensitive ones."""
    people = [(draw.choice("pqrs"), draw.choice("xyz"[: draw.randint(1, 3)])) for _ in range(n)]
    return people, [draw.choice("uuv" if draw.random() < 0.7 else "uvw") for _ in range(n)]


def labels_at(people: People, node: tuple[int, ...]) -> list[tuple[str, ...]]:
    return [
        tuple(LADDERS[name][level][value] for name, level, value in zip(NAMES, node, person, strict=True))
        for person in people
    ]


def parted(labels: list) -> list[list[int]]:
    groups = defaultdict(list)
    for i, label in enumerate(labels):
        groups[label].append(i)
    return list(groups.values())


def allowed(people: People, k: int, most: int) -> dict[tuple[int, ...], tuple[tuple, list[list[int]]]]:
    """The nodes that sizes allow, with what they lose and the classes that are left."""
    nodes = {}
    n_values = [len({person[j] for person in people}) for j in range(len(NAMES))]
    for node in product(*(range(len(LADDERS[name])) for name in NAMES)):
        classes = parted(labels_at(people, node))
        left = [members for members in classes if len(members) >= k]
        gone = len(people) - sum(map(len, left))
        if gone > most:
            continue
        lost = float(gone * (len(NAMES) + 2))  # sensitive cells of who is left out are lost too
        for j, (name, level) in enumerate(zip(NAMES, node, strict=True)):
            to = LADDERS[name][level]
            in_file = {person[j] for person in people}
            for i in (i for members in left for i in members):
                alike = sum(to[other] == to[people[i][j]] for other in in_file)
                lost += (alike - 1) / max(1, n_values[j] - 1)
        loss = round(lost / (len(people) * (len(NAMES) + 2)), 12)
        nodes[node] = ((loss, gone, sum(node), node), left)
    return nodes


def has_one_value(values: list[str], members: list[int]) -> bool:
    return len({values[i] for i in members}) == 1


def spread(classes: list[list[int]], values: list, rest: list[int]) -> Iterator[list]:
    """Every assignment with the same values in each class; those of the rest can have any."""
    of_class = [set(permutations([values[i] for i in members])) for members in classes]
    of_rest = product(sorted(set(values)), repeat=len(rest))
    for chosen in product(*of_class, of_rest):
        world = list(values)
        for members, given in zip([*classes, rest], chosen, strict=True):
            for i, value in zip(members, given, strict=True):
                world[i] = value
        yield world


def hierarchy(name: str) -> Hierarchy:
    return Hierarchy(tuple(ValueMap(tuple(labels.items())) for labels in LADDERS[name][1:]))


def persons_of(released: list[int], columns: dict[str, list[str]]) -> ReleasedPersons:
    """Persons, each in a row of their own."""
    codes = {name: pd.factorize(pd.Series(values), sort=True)[0] for name, values in columns.items()}
    ones = np.ones(len(released), dtype=np.int64)
    shown = {name: ReleasedValues(of_row, ones.astype(bool)) for name, of_row in codes.items()}
    return ReleasedPersons(ones, np.array(released, dtype=np.intp), shown, frozenset(NAMES))


def certificates_of_nodes(people, columns, asked, most, nodes, release):
    """By sensitive column the persons who are safe, and forced, of classes with several values."""
    frame = pd.DataFrame(people, columns=list(NAMES)).assign(**columns, number=[*map(str, range(len(people)))])
    classes = ClassTable.from_frame(frame)
    place = classes.class_of_record
    (loss, gone, *_), left = nodes[release]
    released = [next((c for c, members in enumerate(left) if i in members), -1) for i in range(len(people))]
    by_row = np.argsort(place)
    persons = persons_of(released, columns)
    persons = replace(
        persons, released=persons.released[by_row],
        columns={name: column.at(by_row) for name, column in persons.columns.items()},
    )  # fmt: skip
    ladders = {name: hierarchy(name) for name in NAMES}
    problem = Problem(classes, ladders, asked, suppression_limit=most, weights={"number": 0.0})
    states = states_of_nodes(problem, persons, Released(loss, gone, release))
    assert not states.n_silent
    certificates = certify(persons, states)
    return {
        name: tuple({int(by_row[row]) for row in np.flatnonzero(mask)} for mask in (each.safe, each.certain))
        for name, each in certificates.items()
    }


CERTAIN = AttributeDisclosure(columns=NAMES, sensitive="s")
ASKED = {
    "one value": (CERTAIN,),
    "two columns": (CERTAIN, AttributeDisclosure(columns=NAMES, sensitive="t")),
    "any column": (AttributeDisclosure(columns=NAMES, sensitive="s", known=1),),
    "likely": (AttributeDisclosure(columns=NAMES, sensitive="s", p=0.3),),
    "three values": (LDiversity(columns=NAMES, sensitive="s", l=3),),
    "close": (TCloseness(columns=NAMES, sensitive="s", t=0.4),),
    "harmless": (AttributeDisclosure(columns=NAMES, sensitive="s", harmless=("u",)),),
    "unique": (KAnonymity(columns=(*NAMES, "s"), known=2, least=2),),
}


def sets_of(guarantee) -> list[tuple[str, ...]]:
    known = getattr(guarantee, "known", None)
    sizes = [len(guarantee.columns) if known is None else known]
    if getattr(guarantee, "p", 0):
        sizes = range(sizes[0] + 1)
    return [chosen for size in sizes for chosen in combinations(guarantee.columns, size)]


def is_refused(world: list[tuple[str, ...]], left: list[int], labels: list[tuple], asked, names: list[str]) -> bool:
    """Whether some set of those left violates something."""
    for guarantee in asked:
        for columns in sets_of(guarantee):
            groups = defaultdict(list)
            for i in left:
                all_of = dict(zip(NAMES, labels[i], strict=True)) | dict(zip(names, world[i], strict=True))
                groups[tuple(all_of[name] for name in columns)].append(i)
            if isinstance(guarantee, KAnonymity):
                if any(len(members) < guarantee.least for members in groups.values()):
                    return True
                continue
            j = names.index(guarantee.sensitive)
            overall = Counter(world[i][j] for i in left)
            for members in groups.values():
                shares = {value: n / len(members) for value, n in Counter(world[i][j] for i in members).items()}
                match guarantee:
                    case AttributeDisclosure():
                        harm = [share for value, share in shares.items() if value not in guarantee.harmless]
                        if any(1 - share <= guarantee.p + 1e-9 for share in harm):
                            return True
                    case LDiversity() if len(shares) < guarantee.l:
                        return True
                    case TCloseness():
                        far = sum(abs(shares.get(v, 0) - n / len(left)) for v, n in overall.items()) / 2
                        if far > guarantee.t + 1e-9:
                            return True
    return False


@pytest.mark.parametrize("kind", ASKED)
@pytest.mark.parametrize(("n", "most"), [(6, 0), (6, 2)])
def test_whole_columns(kind, n, most):
    """Nobody who is called safe is forced, and everybody who is called forced is."""
    draw, totals = random.Random(f"{kind} {n} {most}"), Counter()
    asked, names = ASKED[kind], ["s", "t"]
    for _ in range(60):
        people, values = people_at_random(draw, n)
        world = [(value, draw.choice("gh")) for value in values]
        k = draw.choice([2, 3])
        nodes = allowed(people, k, most)
        all_labels = {node: labels_at(people, node) for node in nodes}
        members = {node: sorted(i for c in left for i in c) for node, (_, left) in nodes.items()}
        meets = [v for v in nodes if not is_refused(world, members[v], all_labels[v], asked, names)]
        if not meets:
            continue
        release = min(meets, key=lambda node: nodes[node][0])
        left = nodes[release][1]
        rest = sorted(set(range(n)) - set(members[release]))
        cheaper = [node for node in nodes if nodes[node][0] < nodes[release][0]]
        possible = [defaultdict(set) for _ in names]
        for other in spread(left, world, rest):
            if all(is_refused(other, members[v], all_labels[v], asked, names) for v in cheaper):
                for i, having in enumerate(other):
                    for j in range(2):
                        possible[j][i].add(having[j])
        columns = {name: [having[j] for having in world] for j, name in enumerate(names)}
        shown = certificates_of_nodes(
            people, columns, (KAnonymity(columns=NAMES, least=k), *asked), most, nodes, release
        )
        for j, name in enumerate(names):
            mixed = {i for c in left for i in c if len({world[m][j] for m in c}) > 1}
            forced = {i for i in mixed if len(possible[j][i]) == 1}
            safe, certain = shown[name]
            assert not safe & forced and certain <= forced and safe | certain <= mixed
            totals += Counter(forced=len(forced), certain=len(certain), safe=len(safe), mixed=len(mixed))
    assert totals["safe"] > totals["mixed"] / 4
    print(kind, n, most, dict(totals))


# ---- part by part ----


def released_at_random(draw: random.Random, people: People, values: list[str], k: int) -> list[tuple[str, ...]]:
    """Labels of classes, none of them of one value, split by split from the top."""
    labels = [tuple(LADDERS[name][-1][value] for name, value in zip(NAMES, person, strict=True)) for person in people]

    def go_down(members: list[int]) -> None:
        ways = [
            (j, level, off)
            for j, level, off in splits_of(people, members, k)
            if not has_one_value(values, off) and not has_one_value(values, [i for i in members if i not in off])
        ]
        if not ways or draw.random() < 0.15:
            return
        j, level, off = draw.choice(ways)
        for i in off:
            labels[i] = tuple(LADDERS[NAMES[c]][level][people[i][c]] if c == j else labels[i][c] for c in range(2))
        go_down(off)
        go_down([i for i in members if i not in off])

    go_down(list(range(len(people))))
    return labels


def splits_of(people: People, members: list[int], k: int) -> Iterator[tuple[int, int, list[int]]]:
    """Column, level and who can be parted off, enough of them and of the others."""
    for j, name in enumerate(NAMES):
        for level in range(len(LADDERS[name]) - 1):
            for off in parted([LADDERS[name][level][people[i][j]] for i in members]):
                if len(off) >= k and len(members) - len(off) >= k:
                    yield j, level, [members[i] for i in off]


@pytest.mark.parametrize("n", [7, 8])
def test_part_by_part(n):
    """A class that could be split would have been: who is forced by that is shown, and everybody else is safe."""
    draw, totals = random.Random(n), Counter()
    for _ in range(150):
        people, values = people_at_random(draw, n)
        k = 2
        labels = released_at_random(draw, people, values, k)
        classes = parted(labels)
        if any(has_one_value(values, members) for members in classes):
            continue
        forced = set()
        for members in classes:
            refused = [
                (off, [i for i in members if i not in off])
                for _, _, off in splits_of(people, members, k)
                if has_one_value(values, off) or has_one_value(values, [i for i in members if i not in off])
            ]
            possible = defaultdict(set)
            for given in set(permutations([values[i] for i in members])):
                world = list(values)
                for i, value in zip(members, given, strict=True):
                    world[i] = value
                if all(has_one_value(world, off) or has_one_value(world, rest) for off, rest in refused):
                    for i in members:
                        possible[i].add(world[i])
            forced |= {i for i in members if len(possible[i]) == 1}
        released = [next(c for c, members in enumerate(classes) if i in members) for i in range(n)]
        persons = persons_of(released, {"s": values})
        certificate = certify(persons, states_of_parts(labels_of(people, labels, values), persons, asked_of_all(k)))[
            "s"
        ]
        assert set(np.flatnonzero(certificate.certain)) == forced
        assert set(np.flatnonzero(certificate.safe)) == set(range(n)) - forced
        totals += Counter(forced=len(forced), mixed=n)
    assert totals["forced"]
    print(n, dict(totals))


def asked_of_all(k: int) -> tuple[KAnonymity, AttributeDisclosure]:
    return KAnonymity(columns=NAMES, least=k), CERTAIN


def labels_of(people: People, labels: list[tuple[str, ...]], values: list[str]) -> ReleasedLabels:
    texts = {name: sorted({text for level in LADDERS[name] for text in level.values()}) for name in NAMES}
    codes = {name: np.array([texts[name].index(label[j]) for label in labels]) for j, name in enumerate(NAMES)}
    finer = [
        FinerLabels(name, np.array([texts[name].index(LADDERS[name][level][person[j]]) for person in people]))
        for j, name in enumerate(NAMES)
        for level in range(len(LADDERS[name]) - 1)
    ]
    of_value = sorted(set(values))
    rows = CodedRows(
        codes | {"s": np.array([of_value.index(value) for value in values])},
        {name: np.array(texts[name], dtype=object) for name in NAMES} | {"s": np.array(of_value, dtype=object)},
        np.ones(len(people), dtype=np.int64),
    )
    return ReleasedLabels(rows, tuple(finer))

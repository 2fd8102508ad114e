"""Classes of labels of several levels, counted by what these cover, against plain loops over records."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations, product
from math import isclose, log2

import numpy as np
import pandas as pd
from hypothesis import given, note
from hypothesis import strategies as st

from anonlib.analyses.individuals import (
    Attacker,
    Individual,
    breach_probability,
    breaching_sets,
    leave_one_out,
    privacy_profile,
    singling_out,
)
from anonlib.analyses.leakage import information_loss, information_loss_of_another
from anonlib.counting.classes import ClassTable
from anonlib.counting.classes.covering import CoveredTable, Covering, UnlinkedTable, subsets_of
from tests.helpers.errors import refused
from tests.helpers.examples import settings

LADDERS: dict[str, tuple[dict[str, str], ...]] = {  # by column what each level makes of a value
    "age": (
        {"30": "30", "31": "31", "44": "44", "45": "45"},
        {"30": "30-39", "31": "30-39", "44": "40-49", "45": "40-49"},
        {"30": "*", "31": "*", "44": "*", "45": "*"},
    ),
    "zip": (
        {"11": "11", "12": "12", "21": "21"},
        {"11": "1*", "12": "1*", "21": "2*"},
        {"11": "*", "12": "*", "21": "*"},
    ),
    "sex": ({"f": "f", "m": "m"}, {"f": "", "m": ""}),  # a cell that is left blank
}
KNOWN = tuple(LADDERS)
ILL = ("flu", "gout", "none", "")


@dataclass(frozen=True)
class Person:
    """True values, the level that each leaves on, and the sensitive value; "" is missing."""

    values: dict[str, str]
    levels: dict[str, int]
    ill: str

    def label(self, name: str) -> str:
        return LADDERS[name][self.levels[name]][self.values[name]] if name in LADDERS else self.ill

    def value(self, name: str) -> str:
        return self.values[name] if name in LADDERS else self.ill

    def fits(self, other: Person, names: tuple[str, ...]) -> bool:
        """Whether its labels cover the true values of another."""
        return all(covers(name, self.label(name), other.value(name)) for name in names)


def covers(name: str, label: str, value: str) -> bool:
    return any(level[value] == label for level in LADDERS[name]) if name in LADDERS else label == value


@st.composite
def files(draw: st.DrawFn) -> list[Person]:
    """Some persons, alike or not, each cell on a level of its own."""
    cell = st.fixed_dictionaries({name: st.sampled_from(sorted(ladder[0])) for name, ladder in LADDERS.items()})
    level = st.fixed_dictionaries({name: st.integers(0, len(ladder) - 1) for name, ladder in LADDERS.items()})
    kinds = draw(st.lists(st.builds(Person, cell, level, st.sampled_from(ILL)), min_size=1, max_size=9))
    times = draw(st.lists(st.integers(1, 3), min_size=len(kinds), max_size=len(kinds)))
    return [kind for kind, n in zip(kinds, times, strict=True) for _ in range(n)]


@st.composite
def coarsened(draw: st.DrawFn) -> tuple[list[Person], list[Person]]:
    """A file, and the same with labels of known columns of some records coarser."""
    before = draw(files())
    ups = draw(st.lists(st.tuples(*(st.integers(0, 2) for _ in KNOWN)), min_size=len(before), max_size=len(before)))
    after = [
        Person(
            person.values,
            {name: min(len(LADDERS[name]) - 1, person.levels[name] + up) for name, up in zip(KNOWN, by, strict=True)},
            person.ill,
        )
        for person, by in zip(before, ups, strict=True)
    ]
    return before, after


def table_of(persons: list[Person]) -> ClassTable:
    """The covered table of a file, its coverings written out by hand."""
    names = (*KNOWN, "ill")
    rows = pd.DataFrame([{name: person.label(name) or None for name in names} for person in persons], dtype=object)
    true = pd.DataFrame([{f"true {name}": person.value(name) for name in KNOWN} for person in persons], dtype=object)
    wide = ClassTable.from_frame(pd.concat([rows, true], axis=1), [*names, *true.columns])
    coverings = []
    for name in KNOWN:
        j, t = wide.attributes.index(name), wide.attributes.index(f"true {name}")
        matrix = [[covers(name, label or "", value) for label in wide.categories[j]] for value in wide.categories[t]]
        coverings.append(Covering.of(wide.codes[:, t], np.array(matrix, dtype=bool)))
    return CoveredTable(
        names, wide.categories[: len(names)], wide.codes[:, : len(names)], wide.counts, wide.class_of_record,
        (*coverings, None),
    )  # fmt: skip


def sets_of(names: tuple[str, ...], least: int = 1) -> list[tuple[str, ...]]:
    return [some for size in range(least, len(names) + 1) for some in combinations(names, size)]


def candidates(persons: list[Person], who: Person, known: tuple[str, ...]) -> list[Person]:
    return [other for other in persons if other.fits(who, known)]


def nothing_to_infer(persons: list[Person], who: Person, name: str) -> bool:
    label, values = who.label(name), {person.value(name) for person in persons}
    if not label:
        return True
    return name in LADDERS and len(values) > 1 and all(covers(name, label, value) for value in values)


def measured(persons: list[Person], who: Person, known: tuple[str, ...], s: str, measure: str) -> float:
    """PPP, NPP or PoAC (q = 0.3) of one person, by the definitions."""
    peers = candidates(persons, who, known)
    other = [peer for peer in peers if not covers(s, peer.label(s), who.value(s))]
    if measure == "npp":
        return len(other)
    if measure == "ppp":
        return len(other) / len(peers)
    values = {person.value(s) for person in persons}
    if len(values) == 1:
        return float("nan")
    considered = [
        value
        for value in values - {who.value(s)}
        if sum(covers(s, peer.label(s), value) for peer in peers) / len(peers) > 0.3
    ]
    return len(considered) / (len(values) - 1)


@settings(max_examples=400)
@given(files())
def test_what_columns_give_away_is_that_of_the_records_whose_labels_cover_the_values(persons):
    found = information_loss(table_of(persons), max_size=4, k=3)
    n = len(persons)
    for names in sets_of((*KNOWN, "ill")):
        sizes = [len(candidates(persons, who, names)) for who in persons]
        place = found.place(names)
        note(f"{names}: {sizes}")
        assert isclose(found.loss[place], sum(log2(n / size) for size in sizes) / n, abs_tol=1e-9)
        assert isclose(found.worst[place], log2(n / min(sizes)), abs_tol=1e-9)
        assert found.smallest[place] == min(sizes)
        assert found.below_k[place] == sum(size < 3 for size in sizes)
        assert found.partitions[place] == len({tuple(who.label(name) for name in names) for who in persons})
    given_sets = information_loss(table_of(persons), [("zip", "age"), ("ill",)], k=3)
    assert given_sets.smallest.tolist() == [found.smallest[found.place(names)] for names in given_sets.sets]


@settings(max_examples=200)
@given(files(), files())
def test_of_a_file_of_which_nobody_knows_whose_its_records_are_all_that_fit_a_person_count(persons, others):
    """Record by record; who has no record that fits is left aside, and counted."""
    names = (*KNOWN, "ill")
    values = ClassTable.from_frame(
        pd.DataFrame([{name: who.value(name) for name in names} for who in persons], dtype=object), list(names)
    )
    labels = ClassTable.from_frame(
        pd.DataFrame([{name: other.label(name) for name in names} for other in others], dtype=object), list(names)
    )
    coverings = tuple(
        Covering.of(
            values.codes[:, j],
            np.array(
                [[covers(name, label, value) for label in labels.categories[j]] for value in values.categories[j]]
            ),
        )
        for j, name in enumerate(names)
    )
    found = information_loss_of_another(UnlinkedTable(values, labels, coverings), max_size=4, k=3)
    n = len(others)
    assert (found.n_records, found.entropy, found.max_size) == (n, log2(n), 4)
    for known in sets_of(names):
        sizes = [size for who in persons if (size := len(candidates(others, who, known)))]
        place = found.place(known)
        assert found.persons_fitted[place] == len(sizes)
        assert found.partitions[place] == len({tuple(other.label(name) for name in known) for other in others})
        if sizes:
            assert isclose(found.loss[place], sum(log2(n / size) for size in sizes) / len(sizes), abs_tol=1e-9)
            assert isclose(found.worst[place], log2(n / min(sizes)), abs_tol=1e-9)
            assert found.smallest[place] == min(sizes)
            assert found.below_k[place] == sum(size < 3 for size in sizes)
        else:
            assert (found.loss[place], found.worst[place], found.smallest[place]) == (0, 0, 0)
    smaller = found.at_most(1)
    assert smaller.persons_fitted.tolist() == found.persons_fitted[: len(names)].tolist()


@settings(max_examples=100)
@given(files())
def test_a_release_of_everybody_gives_away_as_much_where_its_own_steps_are_not_known(persons):
    """The same records, linked and not: each person's own record is among the candidates."""
    linked, names = table_of(persons), (*KNOWN, "ill")
    values = ClassTable.from_frame(
        pd.DataFrame([{name: who.value(name) for name in names} for who in persons], dtype=object), list(names)
    )
    plain = ClassTable(linked.attributes, linked.categories, linked.codes, linked.counts, linked.class_of_record)
    coverings = []
    for j, name in enumerate(names):
        matrix = [[covers(name, label or "", value) for label in plain.categories[j]] for value in values.categories[j]]
        coverings.append(Covering.of(values.codes[:, j], np.array(matrix, dtype=bool)))
    found = information_loss_of_another(UnlinkedTable(values, plain, tuple(coverings)), max_size=4, k=3)
    expected = information_loss(linked, max_size=4, k=3)
    assert found.sets == expected.sets and set(found.persons_fitted.tolist()) == {len(persons)}
    for name in ("loss", "worst", "smallest", "below_k", "partitions"):
        assert np.allclose(getattr(found, name), getattr(expected, name), atol=1e-9), name


@settings(max_examples=300)
@given(files(), st.sampled_from(["ppp", "npp", "poac"]), st.sampled_from(["any", 1, 2, "all"]), st.booleans())
def test_what_can_be_inferred_is_what_all_records_agree_in_that_may_be_somebody(persons, measure, knows, empty):
    table, names = table_of(persons), (*KNOWN, "ill")
    attacker = Attacker(measure=measure, q=0.3, knows=knows, include_empty=empty)
    found = privacy_profile(table, attacker).records()
    most = {"any": 3, "all": 3}.get(knows, knows)
    least = 3 if knows == "all" else 0 if empty else 1
    for s in names:
        sets = [some for some in sets_of(tuple(n for n in names if n != s), least) if len(some) <= most]
        for i, who in enumerate(persons):
            value = found[s][i]
            if nothing_to_infer(persons, who, s):
                assert np.isnan(value)
                continue
            values = [measured(persons, who, some, s, measure) for some in sets]
            assert np.isnan(value) if np.isnan(values).all() else isclose(value, min(values), abs_tol=1e-9)


@settings(max_examples=150)
@given(files(), st.sampled_from([0.0, 0.4]))
def test_one_individual_the_sets_that_breach_and_who_is_singled_out_are_counted_alike(persons, p):
    table, names = table_of(persons), (*KNOWN, "ill")
    row = int(table.class_of_record[0])
    for measure in ("ppp", "poac"):
        attacker = Attacker(measure=measure, q=0.3)
        one = Individual.of(table, row, attacker)
        for s in names:
            for mask in range(1, 16):
                known = tuple(name for j, name in enumerate(names) if mask >> j & 1)
                value = one.measure(s)[mask]
                if s in known or nothing_to_infer(persons, persons[0], s):
                    assert np.isnan(value)
                else:
                    expected = measured(persons, persons[0], known, s, measure)
                    assert (np.isnan(value) and np.isnan(expected)) or isclose(value, expected, abs_tol=1e-9)
    breaching = breaching_sets(table, "ill", p=p)
    chance = breach_probability(table, "ill", 0.5, p=p)
    without = leave_one_out(table, "ill", Attacker(knows="any"))
    single = singling_out(table, max_size=3, k=2)
    for i, who in enumerate(persons):
        certain = [some for some in sets_of(KNOWN) if who.ill and measured(persons, who, some, "ill", "ppp") <= p]
        smallest = min(map(len, certain), default=-1)
        place = int(table.class_of_record[i])
        assert breaching.minimal.smallest[place] == smallest
        assert isclose(chance.values[place, 0], len(certain) / 8)
        alone = [some for some in sets_of(names) if len(some) <= 3 and len(candidates(persons, who, some)) < 2]
        assert single.minimal.smallest[place] == min(map(len, alone), default=-1)
        if who.ill:
            left = [some for some in sets_of(KNOWN) if "age" not in some]
            expected = min(measured(persons, who, some, "ill", "ppp") for some in left)
            assert isclose(without.values[place, without.auxiliary.index("age")], expected, abs_tol=1e-9)


@settings(max_examples=500)
@given(coarsened())
def test_coarser_labels_of_known_columns_never_single_out_more_tell_more_or_make_more_certain(versions):
    before, after = (information_loss(table_of(version), max_size=3, k=2) for version in versions)
    for names in sets_of(KNOWN):
        b, a = before.place(names), after.place(names)
        assert after.smallest[a] >= before.smallest[b]
        assert after.below_k[a] <= before.below_k[b]  # those who are alone
        assert after.loss[a] <= before.loss[b] + 1e-12 and after.worst[a] <= before.worst[b] + 1e-12
    for knows in (1, 2, 3, "all"):
        certain = [
            privacy_profile(table_of(version), Attacker(knows=knows), sensitive="ill").records()["ill"].to_numpy() <= 0
            for version in versions
        ]
        assert not (certain[1] & ~certain[0]).any()
    sizes = [
        [[len(candidates(version, who, names)) for who in version] for names in sets_of(KNOWN)] for version in versions
    ]
    assert (np.array(sizes[1]) >= np.array(sizes[0])).all()  # the definition itself, whatever counts it


@settings(max_examples=100)
@given(files())
def test_labels_of_one_level_are_counted_as_equal_labels_are(persons):
    levels = {name: min(person.levels[name] for person in persons) for name in KNOWN}
    same = [Person(person.values, levels, person.ill) for person in persons]
    covered = table_of(same)
    assert isinstance(covered, CoveredTable)
    plain = covered.by_labels
    for a, b in ((information_loss(covered, max_size=4), information_loss(plain, max_size=4)),):
        assert a.to_frame().drop(columns="variables").round(9).equals(b.to_frame().drop(columns="variables").round(9))
    for measure in ("ppp", "npp", "poac"):
        attacker = Attacker(measure=measure)
        ours = privacy_profile(covered, attacker, sensitive="ill").records()
        pd.testing.assert_frame_equal(ours, privacy_profile(plain, attacker, sensitive="ill").records())


@settings(max_examples=50)
@given(files(), st.sets(st.sampled_from([*KNOWN, "ill"]), min_size=1))
def test_a_part_of_the_columns_is_a_covered_table_and_all_labels_are_a_plain_one(persons, some):
    names = sorted(some)
    table = table_of(persons)
    part = table.project(names)
    of_record = part.class_of_record
    walked = {subset.mask: sorted(subset.sizes[subset.group[of_record]]) for subset in subsets_of(part).walk()}
    everything = sorted(len(candidates(persons, who, tuple(names))) for who in persons)
    assert walked[(1 << len(names)) - 1] == everything
    by_labels = sorted(sum(o.label(n) == w.label(n) for n in names) == len(names) for o, w in product(persons, persons))
    assert int((part.by_labels.counts**2).sum()) == sum(by_labels)
    assert part.anonymity_vector == part.by_labels.anonymity_vector
    assert sorted(part.size_of_record) == sorted(part.by_labels.size_of_record)


def test_what_labels_of_several_levels_cannot_be_asked():
    persons = [Person({"age": a, "zip": "11", "sex": "f"}, {"age": i, "zip": 0, "sex": 0}, "flu")
               for i, a in enumerate(["30", "31", "44"])]  # fmt: skip
    table = table_of(persons)
    with refused("choices-do-not-fit"):
        information_loss(table, probabilities=np.ones(table.n_classes))
    with refused("knowledge-unclear"):
        privacy_profile(table, Attacker(within={"age": 1}))


def test_a_region_of_a_part_is_no_measure_that_falls_with_coarser_labels():
    """Why pages count by what labels cover alone: beside "31" the region of "30-39" is 30, beside "30-34" it is empty,
    though that label is the coarser one: the candidates of who is 30 fall from three to one."""
    finer = {"31": {"31"}, "30-34": {"30", "31"}}

    def in_own_region(labels: list[str], age: str) -> int:
        regions = finer | {"30-39": {"30", "31"}.difference(*(finer[label] for label in labels if label in finer))}
        return sum(age in regions[label] for label in labels)

    assert in_own_region(["30-39", "30-39", "30-39", "31"], "30") == 3
    assert in_own_region(["30-39", "30-39", "30-39", "30-34"], "30") == 1

"""People of an original looked up in a file made elsewhere, against plain code that goes through the rows."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from fractions import Fraction
from itertools import combinations
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

import tests.reference.individuals as slow
from anonlib.analyses.individuals import Attacker, privacy_profile
from anonlib.analyses.individuals.elsewhere import PrivacyElsewhere, privacy_elsewhere
from anonlib.dataset import Dataset
from anonlib.verdict.attacks.elsewhere import LookedUp, people_beside
from tests.helpers.errors import refused
from tests.helpers.examples import settings

NAMES = ["age", "sex", "ill"]
Cell = str | None
Row = tuple[Cell, ...]
AGES = ("30", "31", "42", None)
COARSE_AGES = ("30-39", "40-49", "31", "77", "*", None)
MEASURES = st.sampled_from(["ppp", "npp", "poac"])


@st.composite
def rows(draw: st.DrawFn, ages: tuple[Cell, ...], ills: tuple[Cell, ...]) -> list[Row]:
    sexes = draw(st.sampled_from([("f", "m"), ("f", "m", None), ("f",)]))
    cells = st.tuples(st.sampled_from(ages), st.sampled_from(sexes), st.sampled_from(ills))
    return draw(st.lists(cells, min_size=1, max_size=9))


def files() -> st.SearchStrategy[tuple[list[Row], list[Row]]]:
    """An original, and a file with the same values, with coarser ones, or with both side by side."""
    ills = st.sampled_from([("flu", "gout", "cold"), ("flu", "gout", None)])
    ages = st.sampled_from([AGES, AGES[:3]])
    of_other = st.sampled_from([AGES, AGES[:3], COARSE_AGES[:2], COARSE_AGES, COARSE_AGES[:5]])
    ills_of_other = st.sampled_from([("flu", "gout", "cold"), ("flu", "gout", None), ("flu", "*", "mumps")])
    return st.tuples(
        st.tuples(ages, ills).flatmap(lambda two: rows(*two)),
        st.tuples(of_other, ills_of_other).flatmap(lambda two: rows(*two)),
    )


def frame(of: list[Row]) -> pd.DataFrame:
    return pd.DataFrame(of, columns=NAMES, dtype=object)


def data_of(of: list[Row], **fields) -> Dataset:
    roles = {"age": "quasi_identifier", "sex": "quasi_identifier", "ill": "sensitive"}
    return Dataset.from_frame(frame(of), roles=roles, **fields)


# --- plain code -----------------------------------------------------------------------------------------------------


class Slow:
    """Both files, and which label is true of which value by what is written."""

    def __init__(self, original: list[Row], other: list[Row]) -> None:
        self.original, self.other = original, other
        self.values = [list(dict.fromkeys(row[j] for row in original)) for j in range(3)]
        self.labels = [list(dict.fromkeys(row[j] for row in other)) for j in range(3)]
        self.hidden = [None not in values for values in self.values]
        lacking = [[sum(row[j] is None for row in rows) / len(rows) for j in range(3)] for rows in (original, other)]
        self.may_be_hidden = [0 < share < of_other for share, of_other in zip(*lacking, strict=True)]
        several = [
            sum(self.is_true(label, value, j) for label in self.distinct(j)) > 1
            for j in range(3) for value in self.values[j]
        ]  # fmt: skip
        self.is_plain = not any(several)

    def distinct(self, j: int) -> set[Cell]:
        """Labels, hidden cells being one with ``*``."""
        return {"*" if label is None and self.hidden[j] else label for label in self.labels[j]}

    def is_true(self, label: Cell, value: Cell, j: int) -> bool:
        if label == "*" or (label is None and self.hidden[j]):
            return True
        if label is None or value is None:
            return label is value
        if label == value:
            return True
        return "-" in label and int(label.split("-")[0]) <= int(value) <= int(label.split("-")[1])

    def says(self, label: Cell, s: int) -> bool:
        known = [value for value in self.values[s] if value is not None]
        if len(known) < 2:
            return True
        if label is None and self.may_be_hidden[s]:
            return False
        return not all(self.is_true(label, value, s) for value in known)

    def peers(self, person: Row, known: tuple[int, ...], s: int) -> list[Row]:
        return [
            row for row in self.other
            if self.says(row[s], s) and all(self.is_true(row[j], person[j], j) for j in known)
        ]  # fmt: skip

    def shown(self, value: Cell, j: int) -> object:
        """What the other file tells a value apart by: its label, if each value has one at most; else itself."""
        labels = [label for label in self.distinct(j) if self.is_true(label, value, j)]
        return ("label", labels[0]) if self.is_plain and labels else ("value", value)

    def domain(self, s: int) -> set[object]:
        strange = {
            ("label", label) for label in self.distinct(s)
            if not any(self.is_true(label, value, s) for value in self.values[s])
        }  # fmt: skip
        labels = {("label", label) for label in self.distinct(s)} if self.is_plain else set()
        return {self.shown(value, s) for value in self.values[s]} | strange | labels

    def may_be(self, row: Row, s: int, candidate: object) -> bool:
        kind, text = candidate
        label = "*" if row[s] is None and self.hidden[s] else row[s]
        return label == text if kind == "label" else self.is_true(label, text, s)

    def measure(self, person: Row, s: int, known: tuple[int, ...], name: str, q: float) -> Fraction | None:
        among = self.peers(person, known, s)
        return self.measured(among, self.shown(person[s], s), s, name, q, self.may_be)

    def from_others(self, i: int, s: int, known: tuple[int, ...], name: str, q: float) -> Fraction | None:
        """Of the original without the i-th person, by what the other file tells apart."""
        person = self.original[i]
        among = [
            row for j, row in enumerate(self.original)
            if j != i and all(self.shown(row[k], k) == self.shown(person[k], k) for k in known)
        ]  # fmt: skip
        return self.measured(
            among, self.shown(person[s], s), s, name, q, lambda row, s, value: self.shown(row[s], s) == value
        )

    def measured(self, among, own, s, name, q, may_be) -> Fraction | None:
        if not among:
            return None
        others = sum(not may_be(row, s, own) for row in among)
        if name != "poac":
            return Fraction(others, len(among) if name == "ppp" else 1)
        false = self.domain(s) - {own}
        if not false:
            return None
        above = [
            sum(may_be(row, s, value) for row in among) / Fraction(len(among)) > Fraction(str(q)) for value in false
        ]
        return Fraction(sum(above), len(false))

    def agreement(self, person: Row, s: int) -> tuple[int, bool, bool]:
        among = self.peers(person, tuple(j for j in range(3) if j != s), s)
        own = self.shown(person[s], s)
        sure = [
            value for value in self.domain(s)
            if among and value[1] is not None and all(self.may_be(row, s, value) for row in among)
        ]  # fmt: skip
        return len(among), own in sure, bool(sure) and own not in sure

    def commonest(self, s: int) -> float:
        among = [row for row in self.other if self.says(row[s], s)]
        times = Counter(
            {
                value: sum(self.may_be(row, s, value) for row in among)
                for value in self.domain(s)
                if value[1] is not None
            }
        )
        most = max(times.values(), default=0)
        top = [value for value, n in times.items() if n == most and n]
        people = [person for person in self.original if person[s] is not None]
        if not people:
            return float("nan")
        return sum((self.shown(person[s], s) in top) / len(top) for person in people if top) / len(people)


def sets(s: int, knows: object, include_empty: bool) -> list[tuple[int, ...]]:
    others = [j for j in range(3) if j != s]
    if knows == "all":
        return [tuple(others)]
    most = 2 if knows == "any" else knows
    return [known for size in range(0 if include_empty else 1, most + 1) for known in combinations(others, size)]


@settings(max_examples=250)
@given(files(), MEASURES, st.sampled_from(["any", "all", 1]), st.sampled_from([0.0, 0.25]), st.booleans())
def test_everybody_looked_up_against_plain_code(two, measure, knows, q, include_empty):
    original, other = two
    plain = Slow(original, other)
    found, people = looked_up(data_of(original), other, Attacker(measure, q, knows, include_empty))
    profile, others = found.profile, found.from_others
    for s in range(3):
        for i, person in enumerate(original):
            row = people.class_of_record[i]
            where = (person, NAMES[s], plain.is_plain)
            if person[s] is None:
                assert np.isnan(profile.values[row, s]) and not profile.without_peers[row, s], where
                assert not found.agreement[s].right[row] and not found.agreement[s].wrong[row], where
                continue
            some = [plain.measure(person, s, known, measure, q) for known in sets(s, knows, include_empty)]
            least = slow.least(some)
            assert slow.same_float(profile.values[row, s], least), (where, profile.values[row, s], least)
            no_peers = all(not plain.peers(person, known, s) for known in sets(s, knows, include_empty))
            if measure != "poac" or len(plain.domain(s)) > 1:
                assert profile.without_peers[row, s] == no_peers, where
            anyway = slow.least([plain.from_others(i, s, known, measure, q) for known in sets(s, knows, include_empty)])
            assert slow.same_float(others.values[row, s], anyway), (where, others.values[row, s], anyway)
            agreement = found.agreement[s]
            assert (agreement.peers[row], agreement.right[row], agreement.wrong[row]) == plain.agreement(person, s), (
                where
            )
        assert found.commonest[s] == pytest.approx(plain.commonest(s), nan_ok=True), NAMES[s]


def looked_up(original: Dataset, other: list[Row], attacker: Attacker) -> tuple[PrivacyElsewhere, object]:
    of_other = people_beside(original, Dataset.from_frame(frame(other)), NAMES)
    return privacy_elsewhere(of_other.beside, attacker), of_other.beside.people


@settings(max_examples=80)
@given(slow.tables(columns=(2, 4)), MEASURES, st.sampled_from(["any", "all", 1]), st.booleans(), st.booleans())
def test_a_file_equal_to_the_original_has_the_papers_own_heatmap(table, measure, knows, harm, drop):
    names, its_rows = table
    cells = pd.DataFrame(its_rows, columns=names, dtype=object)
    data = Dataset.from_frame(cells, missing="drop" if drop else "category")
    if not data.classes(names).n_records:
        return
    attacker = Attacker(measure, knows=knows, missing_is_harm=harm)
    found = privacy_elsewhere(people_beside(data, Dataset.from_frame(cells), names).beside, attacker)
    own = privacy_profile(data.classes(names), attacker)
    np.testing.assert_array_equal(found.profile.values, own.values)
    np.testing.assert_array_equal(found.profile.by_size, own.by_size)
    assert not found.profile.without_peers.any() and not any(each.wrong.any() for each in found.agreement)
    assert found.profile.to_frame(0.25).equals(own.to_frame(0.25))


@settings(max_examples=60)
@given(slow.tables(columns=(2, 3), rows=(1, 7)), st.data())
def test_persons_are_looked_up_by_the_sets_of_their_values(table, data):
    names, its_rows = table
    ids = data.draw(st.lists(st.sampled_from(["1", "2", "3"]), min_size=len(its_rows), max_size=len(its_rows)))
    other_ids = data.draw(st.permutations(ids))
    cells, other = (
        pd.DataFrame(its_rows, columns=names, dtype=object).assign(who=pd.Series(who, dtype=object))
        for who in (ids, other_ids)
    )
    if not its_rows:
        return
    original = Dataset.from_frame(cells, roles={"who": "person_id"})
    looked = people_beside(original, Dataset.from_frame(other), names)
    assert looked.original.unit == "persons" and looked.n_looked_in == len(set(other_ids))
    found = privacy_elsewhere(looked.beside, Attacker())
    people, of_row = slow.persons(its_rows, ids)
    theirs, _ = slow.persons(its_rows, other_ids)
    lacking = [any(person[j] == frozenset() for person in people) for j in range(len(names))]
    empty = [
        [sum(not person[j] for person in group) / len(group) for j in range(len(names))] for group in (people, theirs)
    ]
    tells = [bool(lacking[j]) and not 0 < empty[0][j] < empty[1][j] for j in range(len(names))]  # what an empty one is
    is_constant = [len({person[j] for person in people} - {frozenset()}) < 2 for j in range(len(names))]
    for i, number in enumerate(of_row):
        person, row = people[number], looked.beside.people.class_of_record[i]
        for s in range(len(names)):
            if slow.lacks(person, s):
                assert np.isnan(found.profile.values[row, s])
                continue
            values = []
            for known in slow.sets(slow.others(len(names), s)):
                among = [
                    other for other in theirs
                    if all(other[j] == person[j] or (not other[j] and not lacking[j]) for j in known)
                    and (other[s] or tells[s] or is_constant[s])  # of one value there is nothing to tell
                ]  # fmt: skip
                if among:
                    differ = sum(other[s] != person[s] and bool(other[s] or lacking[s]) for other in among)
                    values.append(Fraction(differ, len(among)))
            assert slow.same_float(found.profile.values[row, s], slow.least(values))


def test_rows_are_looked_up_where_the_other_file_has_no_person_id():
    cells = pd.DataFrame(
        {"who": ["1", "1", "2"], "age": ["30", "31", "31"], "ill": ["flu", "gout", "flu"]}, dtype=object
    )
    original = Dataset.from_frame(cells, roles={"who": "person_id"})
    looked = people_beside(original, Dataset.from_frame(cells[["age", "ill"]]), ["age", "ill"])
    assert looked.original.unit == "records" and looked.beside.people.n_records == 3 and looked.n_looked_in == 3


def test_persons_of_several_rows_count_by_the_narrowest_label():
    cells = pd.DataFrame(
        {"who": ["1", "1", "2"], "age": ["30", "38", "45"], "ill": ["flu", "flu", "gout"]}, dtype=object
    )
    made = cells.assign(age=["30-39", "30-39", "40-49"])
    original = Dataset.from_frame(cells, roles={"who": "person_id"})
    looked = people_beside(original, Dataset.from_frame(made), ["age", "ill"])
    assert looked.as_narrowest == ()
    found = privacy_elsewhere(looked.beside, Attacker())
    assert not found.profile.without_peers.any() and (found.profile.values == 0).all()
    mixed = people_beside(original, Dataset.from_frame(made.assign(age=["30-39", "30", "40-49"])), ["age", "ill"])
    assert mixed.as_narrowest == ("age",)


def test_weights_count_on_both_sides():
    cells = pd.DataFrame({"age": ["30", "31"], "ill": ["flu", "gout"], "n": ["3", "1"]}, dtype=object)
    original = Dataset.from_frame(cells, roles={"n": "weight"})
    made = pd.DataFrame({"age": ["30", "30"], "ill": ["flu", "gout"], "n": ["1", "3"]}, dtype=object)
    looked = people_beside(original, Dataset.from_frame(made), ["age", "ill"])
    assert looked.n_looked_in == 4 and looked.beside.people.n_records == 4
    table = privacy_elsewhere(looked.beside, Attacker("ppp"), sensitive="ill").profile
    assert (
        table.values[0, 0] == 3 / 4 and table.without_peers[1, 0] and table.people.number(table.without_peers)[0] == 1
    )


@pytest.mark.parametrize("measure", ["ppp", "npp", "poac"])
def test_so_many_records_that_shares_are_compared_one_by_one(measure):
    """Counts beyond 2^26 and beyond 2^31: who has no peers lowers nothing, and nobody divides by them."""
    cells = pd.DataFrame({"age": ["30", "31", "32"], "ill": ["flu", "gout", "flu"]}, dtype=object)
    for n in (1, 2**27, 2**33):
        made = pd.DataFrame({"age": ["30", "30", "31"], "ill": ["flu", "gout", "flu"], "n": [str(n)] * 3}, dtype=object)
        original = Dataset.from_frame(cells.assign(n="1"), roles={"n": "weight"})
        looked = people_beside(original, Dataset.from_frame(made), ["age", "ill"])
        profile = privacy_elsewhere(looked.beside, Attacker(measure), sensitive="ill").profile
        assert profile.without_peers[:, 0].tolist() == [False, False, True]
        half = {"ppp": 1 / 2, "npp": n, "poac": 1.0}[measure]
        whole = {"ppp": 1.0, "npp": n, "poac": 1.0}[measure]
        assert profile.values[:2, 0].tolist() == [half, whole]


def test_a_sample_of_the_people_is_looked_up_in_all_records():
    cells = pd.DataFrame({"age": [str(i % 50) for i in range(400)], "ill": list("xyzw") * 100}, dtype=object)
    looked = people_beside(Dataset.from_frame(cells), Dataset.from_frame(cells), ["age", "ill"])
    whole = privacy_elsewhere(looked.beside)
    part = privacy_elsewhere(looked.beside, memory=3_000, rng=np.random.default_rng(1))
    assert part.people.is_sampled and not whole.people.is_sampled
    np.testing.assert_array_equal(part.profile.values, whole.profile.values[part.people.rows])
    np.testing.assert_array_equal(part.from_others.values, whole.from_others.values[part.people.rows])


def test_a_label_that_a_missing_value_has_too_is_a_value():
    rows_of_original: list[Row] = [("30", "f", "flu"), ("30", "f", None)]
    found, _ = looked_up(data_of(rows_of_original), [("30", "f", "*")], Attacker("ppp"))
    assert found.agreement[2].right.tolist() == [True, False] and found.commonest == (1, 1, 1)


def test_what_is_not_understood_is_named():
    original: list[Row] = [("30", "f", "flu"), ("31", "f", "gout"), ("42", "m", None)]
    other: list[Row] = [("30", "f", "flu"), ("x", "f", None), ("31", "m", None)]
    looked = people_beside(data_of(original), Dataset.from_frame(frame(other)), NAMES)
    assert (looked.blank, looked.not_read) == (("ill",), (("age", 1),))


def test_what_cannot_be_looked_up_is_refused():
    data = data_of([("30", "f", "flu")])
    with refused("nothing-to-infer-from"):
        people_beside(data, Dataset.from_frame(frame([("30", "f", "flu")])[["age"]]), NAMES)
    with refused("no-records"):
        people_beside(data, Dataset.from_frame(frame([])), NAMES)


def lacking(looked: LookedUp) -> tuple[str, ...]:
    return looked.without


def test_columns_that_the_other_file_lacks_are_named():
    data = data_of([("30", "f", "flu"), ("31", "m", "gout")])
    looked = people_beside(data, Dataset.from_frame(frame([("30", "f", "flu")])[["age", "ill"]]), NAMES)
    assert looked.columns == ("age", "ill") and lacking(looked) == ("sex",)


def test_adult_shuffled_column_by_column_as_documented(shared_data: Callable[[str], Path]):
    """Nothing of any record is left: what is certain then is chance and what holds of everybody, and mostly wrong."""
    names = [
        "age", "workclass", "education", "marital_status", "occupation", "race", "sex", "native_country", "salary",
    ]  # fmt: skip
    cells = pd.read_csv(shared_data("adult.csv"), dtype=str, keep_default_na=False, skipinitialspace=True)[names]
    shuffled = pd.DataFrame(
        {name: cells[name].sample(frac=1, random_state=i).to_numpy() for i, name in enumerate(names)}
    )  # fmt: skip
    original = Dataset.from_frame(cells)
    occupation, own = (
        privacy_elsewhere(people_beside(original, Dataset.from_frame(other), names).beside, sensitive="occupation")
        for other in (shuffled, cells)
    )
    row = occupation.to_frame(0).iloc[0]
    assert (row["individuals"], row["right"], row["wrong"]) == (3_330, 403, 3_680)
    assert own.to_frame(0)["individuals"].tolist() == [12_447] and round(row["commonest"], 3) == 0.127
    others = [name for name in names if name != "occupation"]
    of_known = shuffled.groupby(others)["occupation"].agg(["nunique", "first"]).reset_index()
    agreed = cells.merge(of_known[of_known["nunique"] == 1], on=others)
    right = int((agreed["occupation"] == agreed["first"]).sum())
    assert (right, len(agreed) - right) == (403, 3_680)

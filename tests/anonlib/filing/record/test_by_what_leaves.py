"""What leaves beside a release is a function of what leaves and of what was decided, and of nothing else."""

from __future__ import annotations

import io
import json
import random
from collections import Counter

import pandas as pd
import pyarrow.parquet as pq
import pyreadstat
import pytest
from hypothesis import event, given
from hypothesis import strategies as st

from anonlib.basics.budget import A_SECOND, Budget
from anonlib.coarsening.hierarchies import EVERYTHING, Hierarchy
from anonlib.coarsening.recoding import Intervals, Mask, Redaction, ValueMap
from anonlib.columns.roles import Role
from anonlib.counting.privacy_models import KAnonymity
from anonlib.filing.evidence import released_file
from anonlib.filing.languages.report import translated_codebook
from anonlib.filing.project import Opened
from anonlib.filing.record import record_files, what_lacks
from anonlib.release.codebook import codebook
from anonlib.release.steps import (
    AtMostRows,
    BlankCells,
    DropColumns,
    GeneralizeLocally,
    HoldBack,
    LeaveOut,
    MergeRare,
    Recode,
    ShiftDates,
    Step,
    Unlink,
)
from anonlib.verdict.criteria import WAYS, Aim, SmallestClass
from anonlib.verdict.proposals import Adviser, Asked
from anonlib.verdict.proposals.offers import Offers, kinds_of, with_another
from tests.anonlib.filing.record.made import evidence_of, released_rows, rows_of
from tests.helpers.evidence import opened
from tests.helpers.examples import settings

ROLES = {
    "name": Role.IDENTIFIER, "age": Role.QUASI_IDENTIFIER, "zip": Role.QUASI_IDENTIFIER, "illness": Role.SENSITIVE,
    "note": Role.OTHER,
}  # fmt: skip
SECRET = "00112233445566778899aabbccddeeff"
AIM = Aim("own", (SmallestClass(2),))
AGES = Hierarchy((Intervals(10), Intervals(30), EVERYTHING))
BY_TENS = {str(age): f"{age // 10 * 10}-{age // 10 * 10 + 9}" for age in range(20, 50)}
OTHERS: tuple[Step, ...] = (
    LeaveOut(2),
    LeaveOut(3),
    MergeRare("illness", 3),
    Recode("illness", ValueMap.of({"flu": "cold"}), others="star", kept=("asthma", "gout")),
    BlankCells(("age", "zip"), (KAnonymity(columns=("age", "zip"), least=2),), 0.5),
    GeneralizeLocally((("age", AGES),), (KAnonymity(columns=("age", "zip"), least=2),)),
    DropColumns(("note",)),
)
Person = tuple[str, int, str, str, str]


def frame_of(people: list[Person]) -> pd.DataFrame:
    """A file; ages below 0 and texts of a blank are missing."""
    rows = [(name, "" if age < 0 else str(age), zip_code, ill, note) for name, age, zip_code, ill, note in people]
    return pd.DataFrame(rows, columns=list(ROLES))


@st.composite
def two_originals(draw: st.DrawFn) -> tuple[Opened, Opened]:
    """Two files that differ in what steps may erase, each with its recipe."""
    illnesses = st.sampled_from(["flu", "asthma", "gout", ""])
    people = draw(
        st.lists(
            st.tuples(st.just("x"), st.integers(20, 39), st.sampled_from(["02138", "02139", "01840"]), illnesses,
                      st.sampled_from(["u", "v", ""])),
            min_size=6, max_size=16,
        )
    )  # fmt: skip
    lot = random.Random(draw(st.integers(0, 9_999)))
    others = [
        (f"y{i}", age // 10 * 10 + lot.randrange(10), zip_code[:4] + lot.choice("0123"), ill, lot.choice("uvwz"))
        for i, (_, age, zip_code, ill, _) in enumerate(people)
    ]
    lot.shuffle(others)
    if draw(st.booleans()):
        others.append(("z", 97, "99999", "leprosy", "w"))
    shared = draw(st.lists(st.sampled_from(OTHERS), max_size=3, unique_by=lambda step: step.digest))
    drop = [] if DropColumns(("note",)) in shared else [DropColumns(("note",))]
    tens = Recode("age", Intervals(10)), Recode("age", ValueMap.of(BY_TENS), others="star")
    recipes = []
    for known in (people, others):
        own = [] if draw(st.booleans()) else [LeaveOut(2)]
        zips = Mask(3), ValueMap.of({each[2]: f"{each[2][:3]}**" for each in known})
        recoded = draw(st.sampled_from(tens)), Recode("zip", draw(st.sampled_from(zips)))
        recipes.append([*recoded, *drop, *shared, *own])
    one, other = (
        opened(frame_of(rows), *steps, roles=ROLES, k=2, aim=AIM)
        for rows, steps in zip((people, others), recipes, strict=True)
    )
    return one, other


def rows_that_leave(project: Opened) -> Counter[tuple[tuple[str, str], ...]]:
    """The rows of the release, without the numbers drawn for persons."""
    person = project.applied.released.person_id
    return Counter(tuple((n, v) for n, v in row.items() if n != person) for row in released_rows(project))


def books(project: Opened) -> list[bytes]:
    """The codebook in both languages."""
    book = codebook(project.applied.released, project.project.recipe, project.pseudonyms)
    return [translated_codebook(book, language)[0].to_excel() for language in ("en", "de")]


def record(project: Opened) -> dict[str, object]:
    """The files of the record, but for digest and size of the release, and what the record lacks."""
    evidence = evidence_of(project)
    files: dict[str, object] = dict(record_files(project, evidence))
    text = record_files(project, evidence)["dataset.jsonld"].decode()
    if evidence.released is not None:
        text = text.replace(evidence.released.sha256, "digest")
        text = text.replace(json.dumps(str(evidence.released.bytes)), '"bytes"')
    return files | {"dataset.jsonld": text, "lacks": what_lacks(project, evidence)}


def files(project: Opened) -> dict[str, object]:
    """What other programs find in the release beside the order of its rows: types, labels, titles, and the rows."""
    table = pq.read_table(io.BytesIO(released_file(project, "Parquet")))
    excel = pd.read_excel(io.BytesIO(released_file(project, "Excel")), dtype=object, engine="openpyxl")
    found: dict[str, object] = {
        "Parquet": [(each.name, str(each.type), each.metadata) for each in table.schema],
        "rows of Parquet": Counter(map(str, table.to_pylist())),
        "Excel": Counter(map(str, excel.to_numpy().tolist())),
    }
    for kind, read in (("SPSS", pyreadstat.read_sav), ("Stata", pyreadstat.read_dta)):
        frame, about = read(io.BytesIO(released_file(project, kind)))
        found[kind] = {name: str(of) for name, of in vars(about).items() if "time" not in name}
        found[f"rows of {kind}"] = Counter(map(str, frame.astype(object).to_numpy().tolist()))
    return found


def is_like(one: Opened, other: Opened) -> bool:
    """Whether both may leave, and the same rows do."""
    return not one.applied.why_not and not other.applied.why_not and rows_that_leave(one) == rows_that_leave(other)


@settings(200)
@given(two_originals())
def test_the_codebook_is_the_same_where_the_same_rows_leave(originals: tuple[Opened, Opened]) -> None:
    alike = is_like(*originals)
    event(f"the same rows leave: {alike}")
    if alike:
        assert books(originals[0]) == books(originals[1])


@settings(30)
@given(two_originals())
def test_each_format_is_the_same_where_the_same_rows_leave(originals: tuple[Opened, Opened]) -> None:
    if is_like(*originals):
        assert files(originals[0]) == files(originals[1])


@settings(60)
@given(two_originals())
def test_the_record_is_the_same_where_the_same_rows_leave(originals: tuple[Opened, Opened]) -> None:
    if is_like(*originals):
        assert record(originals[0]) == record(originals[1])


def found_by_searches(frame: pd.DataFrame, criteria: tuple[SmallestClass, ...]) -> list[Opened]:
    """The releases by all that is proposed for a file."""
    before = opened(frame, roles=ROLES, k=criteria[0].k, aim=Aim("own", criteria))
    offers = Offers()
    for kind in kinds_of(WAYS):
        offers = with_another(offers, kind, Adviser(Asked(before.data, criteria)), Budget(A_SECOND / 50))
    recipes = [each.proposal.taken(before.project.recipe, before.data) for each in offers.offers]
    return [opened(frame, *recipe.enabled, roles=ROLES, k=criteria[0].k, aim=before.project.aim) for recipe in recipes]


@pytest.mark.parametrize("seed", range(3))
def test_what_is_beside_a_release_does_not_say_what_a_search_had_to_do(seed: int) -> None:
    """One original is another's release, with somebody more or without: of some of its searches the same rows leave."""
    lot = random.Random(seed)
    people = [
        (f"x{i}", lot.randrange(20, 50), lot.choice(["02138", "02139", "01840"]), lot.choice(["flu", "gout"]), "u")
        for i in range(12)
    ]
    criteria, compared = (SmallestClass(3),), 0
    (one, *_) = found_by_searches(frame_of(people), criteria)
    left = pd.DataFrame(released_rows(one), dtype=str)
    for more in ([], [dict.fromkeys(left.columns, "97")]):
        again = pd.concat([left, pd.DataFrame(more)], ignore_index=True)
        again = again.assign(name="y").reindex(columns=list(ROLES), fill_value="v")
        for other in found_by_searches(again, criteria):
            if is_like(one, other):
                compared += one.project.recipe != other.project.recipe
                assert books(one) == books(other)
                assert record(one) == record(other)
                assert files(one) == files(other)
    assert compared


# ---- what once told, each by itself ----


def both(one: pd.DataFrame, other: pd.DataFrame, *steps: Step, more: tuple[Step, ...] = (), **decided) -> None:
    """All that is beside a release is the same of two files of which the same rows leave."""
    first, second = opened(one, *steps, **decided), opened(other, *steps, *more, **decided)
    assert is_like(first, second)
    assert books(first) == books(second)
    assert record(first) == record(second)
    if first.data.person_id is None:
        assert files(first) == files(second)


def plain(n: int = 30, **columns: list[str]) -> pd.DataFrame:
    return pd.DataFrame({"sex": ["f", "m"] * (n // 2)} | columns)


OF_SEX = {"sex": Role.QUASI_IDENTIFIER, "x": Role.SENSITIVE}


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("100 €", "100"),
        ("100 €", "$250"),
        ("I21", "Z99"),
        ("She has no pain and was seen by the nurse today.", "flu"),
        ("2024-05-06", "n/a"),
    ],
)
def test_of_what_kind_the_values_of_a_recoded_column_were(one: str, other: str) -> None:
    way = Recode("x", ValueMap((), otherwise="0-499"), others="star")
    both(plain(x=[one] * 30), plain(x=[other] * 30), way, roles=OF_SEX, k=3)


def test_the_currency_that_amounts_were_written_in() -> None:
    step = Recode("x", Intervals(500))
    both(plain(x=["100 €", "700 €"] * 15), plain(x=["120", "730"] * 15), step, roles=OF_SEX, k=3)


@pytest.mark.parametrize(
    "leaves", [("30", "40"), ("1.5", "2"), ("low", "high"), ("30-39", "*"), ("2024-05", "2024-06")]
)
def test_whether_a_column_was_recoded(leaves: tuple[str, str]) -> None:
    step = Recode("x", ValueMap.of({"first": leaves[0], "second": leaves[1]}), others="star")
    both(plain(x=[*leaves] * 15), plain(x=["first", "second"] * 15), roles=OF_SEX, k=3, more=(step,))


def test_in_which_order_the_values_stood_that_labels_are_made_of() -> None:
    """Codes of SPSS and Stata were numbered in it."""
    step = Recode("x", ValueMap.of({"a": "flu", "b": "cold", "c": "flu", "d": "cold"}))
    both(plain(x=["a", "b"] * 15), plain(x=["c", "d"] * 15), step, roles=OF_SEX, k=3)
    both(plain(x=["c", "b"] * 15), plain(x=["a", "d"] * 15), step, roles=OF_SEX, k=3)


def test_how_many_values_a_label_was_made_of() -> None:
    kept = Recode("x", ValueMap.of({"a": "a"}, "other"))
    both(plain(x=["a", "b"] * 15), plain(x=["a", "b", "a", "c", "a", "d"] * 5), kept, roles=OF_SEX, k=3)


@pytest.mark.parametrize("left_out", [1, 2, 7])
def test_how_many_were_left_out(left_out: int) -> None:
    more = pd.DataFrame({"sex": ["x"] * left_out, "x": ["a"] * left_out})
    one = plain(x=["a", "b", "c"] * 10)
    both(one, pd.concat([one, more], ignore_index=True), LeaveOut(8), roles=OF_SEX, k=3)
    both(one, pd.concat([one, more], ignore_index=True), roles=OF_SEX, k=3, more=(LeaveOut(8),))


def test_whether_somebody_is_held_back() -> None:
    one = plain(x=["a", "b", "c"] * 10)
    more = pd.concat([pd.DataFrame({"sex": ["x"], "x": ["z"]}), one], ignore_index=True)
    held = HoldBack((0,), opened(more, roles=OF_SEX, k=3).data.digest, 1, "records")
    both(one, more, roles=OF_SEX, k=3, more=(held,))


def test_which_rows_only_the_original_had() -> None:
    """The mock-up once lacked a row that a record left out had."""
    rows = [("a", "x")] * 9 + [("a", "y")] * 9 + [("b", "x")] * 9
    roles = {"a": Role.QUASI_IDENTIFIER, "b": Role.QUASI_IDENTIFIER}
    one, other = (pd.DataFrame(each, columns=["a", "b"]) for each in (rows, [*rows, ("b", "y")]))
    both(one, other, LeaveOut(5), roles=roles, k=3)
    project = opened(other, LeaveOut(5), roles=roles, k=3)
    assert rows_of(record_files(project, evidence_of(project))["sample.csv"]) == [{"a": "b", "b": "y"}]


def test_whether_what_is_empty_was_missing() -> None:
    step = Recode("x", ValueMap.of({"r": " "}), others="star", kept=("a",))
    both(plain(x=["a", ""] * 15), plain(x=["a", "r"] * 15), step, roles=OF_SEX, k=3)
    both(plain(x=["a", ""] * 15), plain(x=["a", "r"] * 15), roles=OF_SEX, k=3, more=(step,))


def test_how_many_persons_had_more_rows_and_who_had_them() -> None:
    roles = {"person": Role.PERSON_ID, "sex": Role.QUASI_IDENTIFIER}
    rows = [(f"p{i}", "fm"[i % 2]) for i in range(30)]
    more = [(f"p{i}", "fm"[i % 2]) for i in range(25) for _ in range(i % 3)]
    one, other = (pd.DataFrame(each, columns=["person", "sex"]) for each in (rows, rows + more))
    both(one, other, AtMostRows(1, secret=SECRET), roles=roles, k=3)


@pytest.mark.parametrize("persons", [2, 12])
def test_how_many_persons_rows_without_an_id_are_of(persons: int) -> None:
    """Nobody who has the rows alone can count them."""
    roles = {"person": Role.PERSON_ID, "sex": Role.OTHER}
    sexes = ["f", "m"] * 12
    one = pd.DataFrame({"person": [f"p{i}" for i in range(24)], "sex": sexes})
    other = pd.DataFrame({"person": [f"p{i % persons}" for i in range(24)], "sex": sexes})
    both(one, other, Unlink("person"), roles=roles, k=3)
    project = opened(other, Unlink("person"), roles=roles, k=3)
    assert "UniqueIndividuals" not in str(record(project)["dataset.jsonld"])


def test_what_an_officer_decided_is_there() -> None:
    roles = {"person": Role.PERSON_ID, "seen": Role.QUASI_IDENTIFIER, "note": Role.SENSITIVE}
    frame = pd.DataFrame(
        {
            "person": [f"p{i}" for i in range(24)],
            "seen": ["2024-01-03", "2024-02-03"] * 12,
            "note": ["Seen by Dr. Garcia today, doing well."] * 24,
        }
    )
    steps = AtMostRows(2, secret=SECRET), ShiftDates(("seen",), secret=SECRET), Recode("note", Redaction())
    project = opened(frame, *steps, roles=roles, k=3)
    book = codebook(project.applied.released, project.project.recipe)
    listed = rows_of(record_files(project, evidence_of(project))["dictionary.csv"])
    assert steps[0].describe() in book.notes[1]
    for step in steps[1:]:
        assert step.describe() in book.columns.to_csv()
    assert steps[1].describe() in {row["column"]: row["meaning"] for row in listed}["seen"]
    assert SECRET not in book.columns.to_csv() + str(listed)

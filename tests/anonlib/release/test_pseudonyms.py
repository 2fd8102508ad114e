"""A person has one pseudonym under one label and another under any other, in every file and in every engine."""

from __future__ import annotations

import base64
import csv
import hashlib
import hmac
import io
import re
from dataclasses import replace
from pathlib import Path
from typing import Any

import ibis
import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from anonlib.basics.errors import InputError
from anonlib.dataset import Dataset
from anonlib.filing.register import RegisterKey
from anonlib.reading.joining import join
from anonlib.reading.records import TableRecords
from anonlib.reading.tables import NamedTable
from anonlib.release import pseudonyms as module
from anonlib.release.export import released_in, write_released
from anonlib.release.files import FORMATS, release_rows
from anonlib.release.files.rows import as_numbers
from anonlib.release.pseudonyms import KeyOfPseudonyms, PersonsByKey, Pseudonyms, derived, new_key, why_not
from anonlib.values.dates import to_dates
from anonlib.values.ids import normalised
from tests.helpers.engines import Engine
from tests.helpers.errors import refused
from tests.helpers.examples import settings
from tests.helpers.small_release import PERSON, QI, SENSITIVE
from tests.helpers.three_tables import LINKED, cases, dataset_of, unzipped
from tests.helpers.three_tables import ROLES as TABLES_ROLES

SECRET = bytes(range(100, 132))
KEY = KeyOfPseudonyms(SECRET)
LABEL = Pseudonyms("University of Example", "Sepsis", KEY.id)
BY_KEY = KEY.under(LABEL)
SHAPE = re.compile("p[a-z2-7]{16}")
IDS = st.lists(st.text(min_size=1, max_size=12).map(normalised).filter(bool), max_size=8, unique=True)
ROLES = {"id": PERSON, "age": QI, "illness": SENSITIVE}


def by_hand(secret: bytes, recipient: str, project: str, version: int, ids: list[str]) -> list[str]:
    """The pseudonyms by what docs/decisions/pseudonyms.md says, with nothing of ours."""
    extracted = hmac.new(b"anonscope pseudonyms of persons", secret, hashlib.sha256).digest()
    label = b""
    for part in (recipient.encode(), project.encode(), str(version).encode()):
        label += bytes([0, 0, len(part) // 256, len(part) % 256]) + part
    key = hmac.new(extracted, label + b"\x01", hashlib.sha256).digest()
    digests = [hmac.new(key, each.encode(), hashlib.sha256).digest() for each in ids]
    return ["p" + base64.b32encode(each[:10]).decode().lower() for each in digests]


@settings(max_examples=100)
@given(st.binary(min_size=32, max_size=32), IDS, st.integers(1, 30))
def test_they_are_what_is_documented(secret: bytes, ids: list[str], version: int) -> None:
    key = KeyOfPseudonyms(secret)
    found = key.under(Pseudonyms("Basel", "Falls 2", key.id, version)).of(ids, "id").tolist()
    assert found == by_hand(secret, "basel", "falls 2", version, ids)


def test_this_very_pseudonym_stays_so() -> None:
    """Persons are followed over years: no version may name them otherwise."""
    assert KEY.id == "e3e16780becf601d" and BY_KEY.of(["P-001"], "id").tolist() == ["pvp7aopf7jhg2sfr7"]


@pytest.mark.parametrize(
    "secret, salt, info, expected",
    [  # RFC 5869, appendix A.1 to A.3: the first 32 bytes
        (
            "0b" * 22, "000102030405060708090a0b0c", "f0f1f2f3f4f5f6f7f8f9",
            "3cb25f25faacd57a90434f64d0362f2a2d2d0a90cf1a5a4c5db02d56ecc4c5bf",
        ),
        (
            bytes(range(0x50)).hex(), bytes(range(0x60, 0xB0)).hex(), bytes(range(0xB0, 0x100)).hex(),
            "b11e398dc80327a1c8e7f78c596a49344f012eda2d4efad8a050cc4c19afa97c",
        ),
        ("0b" * 22, "", "", "8da4e775a563c18f715f802a063c5a31b8a11f5c5ee1879ec3454e5f3c738d2d"),
    ],
)  # fmt: skip
def test_keys_are_derived_as_by_the_rfc(secret: str, salt: str, info: str, expected: str) -> None:
    assert derived(bytes.fromhex(secret), bytes.fromhex(salt), bytes.fromhex(info)).hex() == expected


OTHERS: list[Pseudonyms] = [
    replace(LABEL, recipient="University of Example 2"),
    replace(LABEL, recipient="University of Example,"),
    replace(LABEL, project="Sepsis 2"),
    replace(LABEL, version=2),
    Pseudonyms("Sepsis", "University of Example", KEY.id),
    Pseudonyms("University of", "Example Sepsis", KEY.id),
]


@settings(max_examples=60)
@given(IDS, st.sampled_from(OTHERS))
def test_under_another_label_all_are_other_ones(ids: list[str], other: Pseudonyms) -> None:
    here, there = (KEY.under(each).of(ids, "id").tolist() for each in (LABEL, other))
    assert not {*here} & {*there} and not other.is_same_label(LABEL)
    another = KeyOfPseudonyms(bytes(range(32)))
    assert not {*here} & {*another.under(replace(LABEL, key_id=another.id)).of(ids, "id")}


@settings(max_examples=60)
@given(IDS)
def test_they_are_plain_texts_and_no_numbers(ids: list[str]) -> None:
    found = BY_KEY.of(ids, "id")
    assert all(SHAPE.fullmatch(each) for each in found) and len({*found}) == len(ids)
    assert as_numbers(found) is None and np.isnat(to_dates(found)).all()
    assert all(not set(each) & set("=+-@'\"") for each in found)


def test_spelling_makes_no_other_person_and_no_other_label() -> None:
    again = KEY.under(Pseudonyms(" university  OF example", "SEPSIS ", KEY.id))
    assert again.of([" p-７ "], "id") == BY_KEY.of(["P-7"], "id")
    assert again.of(["123.0"], "id") == BY_KEY.of(["123"], "id") != BY_KEY.of(["00123"], "id")
    assert LABEL.is_same_label(Pseudonyms(" university  OF example", "SEPSIS ", KEY.id))
    assert not LABEL.is_same_label(None)


def test_two_persons_never_become_one(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(InputError, match="1 id of “mrn” differs from another one only in capitals") as error:
        BY_KEY.of(["P-1", "p-1", "P-2"], "mrn")
    assert "P-1" not in str(error.value).replace("“mrn”", "")
    monkeypatch.setattr(module.hmac, "digest", lambda *_: bytes(32))
    with refused("ids-alike", "mrn"):
        BY_KEY.of(["P-1", "P-2"], "mrn")


def test_none_is_a_digest_of_the_registers() -> None:
    ids = [f"p-{i}" for i in range(500)]
    register = RegisterKey(SECRET)
    here = {base64.b32decode(each[1:].upper())[:8] for each in register.of_pseudonyms.under(LABEL).of(ids, "id")}
    there = {int(each).to_bytes(8, "little") for each in register.digests(ids)}
    assert len(here) == len(there) == 500 and not here & there


# ---- keys and labels ----


def test_a_new_key_is_one_and_another_each_time() -> None:
    keys = {new_key() for _ in range(20)}
    assert len(keys) == 20 and {len(each) for each in keys} == {32}
    assert all(KeyOfPseudonyms.of(each).secret == each for each in keys)


@pytest.mark.parametrize(
    "content, says",
    [
        (b"", "32 bytes"),
        (bytes(range(33)), "32 bytes"),
        (SECRET[:31], "32 bytes"),
        (b"correct horse battery staple 123", "text"),
        (bytes(32), "repeats itself"),
        (SECRET[:8] * 4, "repeats itself"),
        (SECRET[:16] * 2, "repeats itself"),
    ],
)
def test_what_is_no_key_is_refused(content: bytes, says: str) -> None:
    with pytest.raises(InputError, match=says):
        KeyOfPseudonyms.of(content)


def test_nothing_that_is_printed_holds_the_key() -> None:
    shown = " ".join(map(repr, (KEY, BY_KEY, LABEL, RegisterKey(SECRET)))) + str(KEY)
    assert SECRET.hex() not in shown and repr(SECRET) not in shown and str(SECRET) not in shown
    other = KeyOfPseudonyms(bytes(range(32)))
    assert KEY.id in why_not(LABEL, None)
    assert set(re.findall("[0-9a-f]{16}", why_not(LABEL, other))) == {KEY.id, other.id}
    assert not why_not(LABEL, KEY)
    with pytest.raises(InputError, match=f"{KEY.id}, and the key that was given is {other.id}"):
        other.under(LABEL)


def test_a_label_is_read_as_it_was_written() -> None:
    assert Pseudonyms.from_dict(LABEL.to_dict()) == LABEL
    assert Pseudonyms.from_dict({"recipient": "a", "project": "b", "key": KEY.id}).version == 1


@pytest.mark.parametrize(
    "change, says",
    [
        ({"recipient": " "}, "recipient of pseudonyms is empty"),
        ({"project": "x" * 301}, "at most 300"),
        ({"project": "a\u202eb"}, "can be printed"),
        ({"project": 7}, "must be text"),
        ({"version": 0}, "version"),
        ({"version": True}, "version"),
        ({"version": 10**9}, "version"),
        ({"key": "x" * 16}, "16 hexadecimal digits"),
        ({"key": SECRET.hex()}, "16 hexadecimal digits"),
        ({"secret": SECRET.hex()}, "nothing else"),
    ],
)
def test_a_label_that_is_none_is_refused_and_a_key_in_it_is_not_repeated(change: dict[str, Any], says: str) -> None:
    with pytest.raises(InputError, match=says) as error:
        Pseudonyms.from_dict(LABEL.to_dict() | change)
    assert SECRET.hex() not in str(error.value)


# ---- in what leaves ----


def people(ids: list[str | None]) -> pd.DataFrame:
    rows = [(each, str(30 + i % 5), f"ill {i}") for i, each in enumerate(ids)]
    return pd.DataFrame(rows, columns=list(ROLES), dtype=object)


def names_of(data: bytes) -> dict[str, str]:
    """By illness, which tells rows apart, the pseudonym."""
    return {row["illness"]: row["id"] for row in csv.DictReader(io.StringIO(data.decode(), newline=""))}


def released(ids: list[str | None], by_key: PersonsByKey = BY_KEY, seed: int = 0) -> dict[str, str]:
    data = Dataset.from_frame(people(ids), roles=ROLES)
    return names_of(released_in("CSV", data, np.random.default_rng(seed), by_key=by_key))


@settings(max_examples=40)
@given(st.lists(st.sampled_from(["A1", "A2", "B1", "B2", None]), min_size=1, max_size=9), st.integers(0, 9))
def test_a_row_has_the_pseudonym_of_its_person(ids: list[str | None], seed: int) -> None:
    expected = {f"ill {i}": "" if each is None else by_hand(
        SECRET, "university of example", "sepsis", 1, [each.lower()])[0] for i, each in enumerate(ids)}  # fmt: skip
    assert released(ids, seed=seed) == expected


def test_a_person_is_the_same_in_january_and_in_february_for_one_recipient_alone() -> None:
    months = [["A1", "A2", "B1"], ["B1", "A2", "C9", "A2"]]
    here = [released(month) for month in months]
    there = [released(month, KEY.under(replace(LABEL, recipient="Another"))) for month in months]
    assert here[0]["ill 1"] == here[1]["ill 1"] == here[1]["ill 3"] and here[0]["ill 2"] == here[1]["ill 0"]
    assert len({*here[0].values(), *here[1].values()}) == 4
    assert not {*here[0].values(), *here[1].values()} & {*there[0].values(), *there[1].values()}


def test_the_order_of_rows_does_not_depend_on_how_persons_are_named() -> None:
    data = Dataset.from_frame(people([f"A{i}" for i in range(50)]), roles=ROLES)
    rows = [release_rows(data, np.random.default_rng(5), by_key=by_key) for by_key in (None, BY_KEY)]
    assert rows[0].columns[2].texts.tolist() == rows[1].columns[2].texts.tolist()


def test_nothing_is_left_of_the_order_of_ids() -> None:
    data = Dataset.from_frame(people([f"A{i:02d}" for i in range(50)]), roles=ROLES)
    column = release_rows(data, np.random.default_rng(5), by_key=BY_KEY).columns[0]
    assert column.labels.tolist() == sorted(column.labels) and column.is_person and column.numbers is None


@pytest.mark.parametrize("kind", FORMATS)
def test_every_format_has_the_same(kind: str, tmp_path: Path) -> None:
    data = Dataset.from_frame(people(["A1", "A2", None, "A1"]), roles=ROLES)
    file = tmp_path / f"released.{FORMATS[kind].ending}"
    file.write_bytes(released_in(kind, data, np.random.default_rng(0), by_key=BY_KEY))
    reading: dict[str, Any] = {
        "CSV": pd.read_csv, "Parquet": pd.read_parquet, "Excel": pd.read_excel, "SPSS": pd.read_spss,
        "Stata": pd.read_stata,
    }  # fmt: skip
    frame = reading[kind](file)
    assert {*frame["id"].dropna()} - {""} == {*BY_KEY.of(["A1", "A2"], "id")}


@pytest.mark.parametrize("kind", ["CSV", pytest.param("Parquet", marks=pytest.mark.everyday)])
def test_an_engine_writes_what_memory_does(engine: Engine, kind: str) -> None:
    ids: list[str | None] = ["A1", " a2 ", None, "A1", "７", "it's", "", "b" * 80]
    cells = {name: [None if cell == "" else cell for cell in column] for name, column in people(ids).items()}
    there = Dataset.from_ibis(engine.table(cells), roles=ROLES)
    here = Dataset.from_frame(pd.DataFrame(cells, dtype=object), roles=ROLES)
    tables = []
    for data in (here, there):
        file = io.BytesIO()
        write_released(file, kind, data, (1, 2), by_key=BY_KEY)
        read = pd.read_csv if kind == "CSV" else pd.read_parquet
        frame = read(io.BytesIO(file.getvalue())).fillna("")
        tables.append(dict(zip(frame["illness"], frame["id"], strict=True)))
    assert tables[0] == tables[1] and len({*tables[0].values()}) == 6


def test_an_engine_refuses_what_memory_does(monkeypatch: pytest.MonkeyPatch) -> None:
    engine = Engine("duckdb", None)
    data = Dataset.from_ibis(engine.table({"id": ["A1", "a1"], "age": ["3", "4"]}), roles={"id": PERSON, "age": QI})
    with refused("ids-alike", "id"):
        write_released(io.BytesIO(), "CSV", data, (1,), by_key=BY_KEY)
    monkeypatch.setattr("anonlib.release.files.streamed.MOST_IDS", 1)
    with pytest.raises(InputError, match="more than 1 different ids"):
        write_released(io.BytesIO(), "CSV", data, (1,), by_key=BY_KEY)


def of_tables(frames: dict[str, pd.DataFrame], in_engine: bool) -> Dataset:
    """A case of three tables, in memory or in DuckDB."""
    if not in_engine:
        return dataset_of(frames)
    connection, tables = ibis.duckdb.connect(), []
    for name, frame in frames.items():
        schema = ibis.schema(dict.fromkeys(frame.columns, "string"))
        table = connection.create_table(name, frame if len(frame) else None, schema=schema)
        tables.append(NamedTable(name, None, TableRecords(table), name))
    joined = join(tables, LINKED)
    case = Dataset("case", "0" * 64, joined.records, withheld=joined.layout.hidden, tables=joined.layout)
    return case.with_roles(TABLES_ROLES)


@settings(max_examples=30, deadline=None)
@given(cases(), st.booleans())
def test_a_person_is_the_same_in_each_table_of_a_case(frames: dict[str, pd.DataFrame], in_engine: bool) -> None:
    expected = dict(zip(frames["patients"]["patient"], BY_KEY.of(frames["patients"]["patient"], "id"), strict=True))
    file = io.BytesIO()
    write_released(file, "CSV", of_tables(frames, in_engine), (1, 2), by_key=BY_KEY)
    tables = unzipped(file.getvalue())
    for name in ("patients", "visits"):
        found = sorted(row["patient"] for row in tables[name])
        assert found == sorted(expected[each] for each in frames[name]["patient"])

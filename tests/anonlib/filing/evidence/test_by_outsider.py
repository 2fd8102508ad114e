"""Somebody with the command line makes pairs of originals of one release, and reads what leaves by other programs."""

from __future__ import annotations

import io
import json
import random
import re
import sys
import zipfile
from collections import Counter
from pathlib import Path
from typing import Any

import pandas as pd
import pyarrow.parquet as pq
import pyreadstat
import pytest

from anonlib.command import main, releasing
from anonlib.filing.evidence import gather, measures

DIGEST = re.compile(r"[0-9a-f]{64}")
SIZE = re.compile(r"(<dd>)[\d.,]+ (?:bytes|Bytes|Byte)")  # of the CSV, by which numbers persons of more rows drew
FORMATS = ("xlsx", "parquet", "sav", "dta")
ORDERS = ("assessment", "ethics", "ema", "expert", "dpia", "record")
SEED = "5f0c3a5f0c3a5f0c3a5f0c3a5f0c3a5f"
AGES = {"30-39": ["31", "35", "39"], "40-49": ["40", "44"], "*": ["n.z.", "97"]}
COLUMNS: dict[str, list[dict[str, list[str]]]] = {
    "age": [AGES, {"30": ["30", "31", "29.6"], "40": ["40", "41"]}, {"young": ["1", "2"], "old": ["80", "90"]}],
    "zip": [{"021**": ["02138", "02139"], "018**": ["01840"]}, {"21": ["02138", "21"], "18": ["018", "18.0"]}],
    "ill": [
        {"flu": ["flu"], "other": ["HIV", "gout", "A15"]},
        {"I21": ["I21", "I21.4"], "E11": ["E11"]},
        {"flu": ["flu"], "": ["", "rare"]},
    ],
    "lab": [{"1.5": ["1.5"], "2": ["2", "2.3"]}, {"0-499": ["100 €", "12"], "500-999": ["700 €", "501"]}],
}
"""By column, by label that leaves, the values that the original may have had."""
ROLES = {
    "name": "identifier", "pid": "person_id", "age": "quasi_identifier", "zip": "quasi_identifier", "ill": "sensitive",
    "lab": "other", "note": "other",
}  # fmt: skip
Original = tuple[dict[str, pd.DataFrame], list[dict[str, Any]]]


def project(roles: dict[str, str], steps: list[dict[str, Any]]) -> str:
    """A project by hand, in TOML: JSON writes its values alike, but for tables."""
    lines = ['recipient = "own"', f'seed = "{SEED}"', "k = 2", "[roles]", *(f'{n} = "{r}"' for n, r in roles.items())]
    lines += ["[[criteria]]", 'kind = "smallest_class"', "k = 2"]
    for step in steps:
        lines += ["[[steps]]", *(f"{name} = {_toml(value)}" for name, value in step.items())]
    return "\n".join(lines)


def _toml(value: Any) -> str:
    if not isinstance(value, dict):
        return json.dumps(value, ensure_ascii=False)
    return "{" + ", ".join(f"{name} = {_toml(each)}" for name, each in value.items()) + "}"


def what_leaves(folder: Path, original: Original, order: str, language: str) -> dict[str, Any]:
    """What programs other than this one find in the folder that leaves, beside order of rows, numbers and digests."""
    tables, steps = original
    columns = {name for table in tables.values() for name in table.columns}
    (folder / "in").mkdir(parents=True)
    for name, table in tables.items():
        table.to_csv(folder / "in" / name, index=False)
    (folder / "p.toml").write_text(project({n: r for n, r in ROLES.items() if n in columns}, steps), encoding="utf-8")
    of = folder / "in" if len(tables) > 1 else folder / "in" / next(iter(tables))
    kinds = [part for each in FORMATS if len(tables) == 1 for part in ("--format", each)]
    options = ["--project", str(folder / "p.toml"), "--order", order, "--language", language, "--quiet"]
    main(["release", str(of), *options, "--out", str(folder / "out"), "--public", "--anyway", "asked", *kinds])
    if order == "record" and len(tables) == 1:
        main(["report", str(of), *options, "--out", str(folder / "out" / "leaves" / "record.zip")])
    return {each.name: _read(each) for each in sorted((folder / "out" / "leaves").iterdir())}


def _read(path: Path) -> Any:
    data = path.read_bytes()
    match path.suffix:
        case ".html":
            return SIZE.sub(r"\1", DIGEST.sub("", data.decode()))
        case ".csv":
            return _rows(pd.read_csv(path, dtype=str, keep_default_na=False))
        case ".parquet":
            table = pq.read_table(path)
            return [(each.name, str(each.type), each.metadata) for each in table.schema], _rows(table.to_pandas())
        case ".sav" | ".dta":
            frame, about = (pyreadstat.read_sav if path.suffix == ".sav" else pyreadstat.read_dta)(str(path))
            return {name: str(value) for name, value in vars(about).items() if "time" not in name}, _rows(frame)
        case ".zip" if path.name == "record.zip":
            with zipfile.ZipFile(path) as archive:
                parts = {name: DIGEST.sub("", archive.read(name).decode()) for name in archive.namelist()}
            return {name: re.sub(r'(byteSize[^}]*value": ")\d+', r"\1", text) for name, text in parts.items()}
        case ".xlsx" if not path.stem.endswith("codebook"):
            return _rows(pd.read_excel(io.BytesIO(data), dtype=object, engine="openpyxl"))
    return data if path.suffix == ".xlsx" else path.suffix


def _rows(frame: pd.DataFrame) -> Any:
    """The rows as a multiset; of persons a multiset of theirs."""
    texts = frame.drop(columns="pid", errors="ignore").astype(object).map(repr).agg("|".join, axis=1)
    if "pid" not in frame:
        return Counter(texts)
    return {*frame["pid"].astype(str)}, Counter(tuple(sorted(rows)) for _, rows in texts.groupby(frame["pid"]))


def two_originals(lot: random.Random) -> tuple[Original, Original]:
    """Two of which the same rows leave, each by steps of its own."""
    chosen = {name: lot.choice(ways) for name, ways in COLUMNS.items()}
    has_persons = lot.random() < 0.5
    rows = []
    for _ in range(lot.randrange(1, 4)):
        known = {name: lot.choice(list(chosen[name])) for name in ("age", "zip")}
        for _ in range(lot.randrange(3, 7)):
            person = str(len(rows))
            n_rows = lot.choice((1, 1, 2)) if has_persons else 1
            others = [{name: lot.choice(list(chosen[name])) for name in ("ill", "lab")} for _ in range(n_rows)]
            rows += [{"pid": person, **known, **each} for each in others]
    return _original(lot, rows, chosen, has_persons), _original(lot, rows, chosen, has_persons)


def _original(
    lot: random.Random, rows: list[dict[str, str]], chosen: dict[str, dict[str, list[str]]], has_persons: bool
) -> Original:
    recoded = [name for name in chosen if lot.random() < 0.6]
    ids = {row["pid"]: f"p{lot.randrange(10**9)}" for row in rows}
    own = [
        {
            "name": f"N{lot.randrange(999)}",
            "pid": ids[row["pid"]],
            **{name: lot.choice(of[row[name]]) if name in recoded else row[name] for name, of in chosen.items()},
            "note": lot.choice(["", "u", "=1+1", "Seen by Dr. Garcia"]),
        }
        for row in rows
    ]
    alone = lot.random() < 0.5
    if alone:
        own.append(
            {"name": "L", "pid": "lone", "age": "103", "zip": "99999", "ill": "leprosy", "lab": "-7", "note": "w"}
        )
    lot.shuffle(own)
    steps: list[dict[str, Any]] = [{"kind": "drop_columns", "columns": ["note"]}]
    for name in recoded:
        of_values = [[value, label or " "] for label, values in chosen[name].items() for value in values if value]
        named = [pair for pair in of_values if pair[0] != pair[1]]
        lot.shuffle(named)
        kept = ({row[name] for row in own} | {*chosen[name]}) - {value for value, _ in named} - {""}
        way = {"kind": "mapping", "labels_of": named}
        steps.append({"kind": "recode", "column": name, "recoding": way, "others": "star", "kept": sorted(kept)})
    if alone or lot.random() < 0.5:
        steps.append({"kind": "leave_out", "k": 2})
    frame = pd.DataFrame(own)
    return {"people.csv": frame if has_persons else frame.drop(columns="pid")}, steps


def of_persons(n: int) -> Original:
    """Rows that leave without the ids of so many persons."""
    rows = {"pid": [f"p{i % n}" for i in range(12)], "age": ["31", "32"] * 6, "ill": ["flu", "gout", "flu"] * 4}
    return {"people.csv": pd.DataFrame(rows)}, [{"kind": "unlink", "column": "pid"}]


def of_tables(n: int) -> Original:
    """Two tables that leave without the ids of so many persons."""
    visits = {
        "visit": [f"v{i}" for i in range(16)],
        "pid": [f"p{i % n}" for i in range(16)],
        "ill": ["flu", "gout"] * 8,
    }
    labs = {"visit": visits["visit"], "lab": ["1", "2"] * 8}
    tables = {"visits.csv": pd.DataFrame(visits), "labs.csv": pd.DataFrame(labs)}
    return tables, [{"kind": "unlink", "column": "pid"}]


PAIRS = {
    **{f"drawn {seed}": two_originals(random.Random(seed)) for seed in range(6)},
    "persons without ids": (of_persons(6), of_persons(12)),
    "persons of tables without ids": (of_tables(8), of_tables(4)),
}


@pytest.mark.parametrize("name", PAIRS)
def test_what_leaves_of_two_originals_with_one_release_is_the_same(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(releasing, "PARTS", ())  # what takes time, and stands in no report for anybody
    monkeypatch.setattr(sys.modules[gather.__module__], "MOST_CELLS", 0)
    monkeypatch.setattr(measures, "versions", lambda *_: ())
    monkeypatch.setattr(releasing, "pdf_of", lambda *_, **__: b"")  # made of the same parts as the HTML
    place = list(PAIRS).index(name)
    order, language = ORDERS[place % len(ORDERS)], ("en", "de")[place % 2]
    one, other = (what_leaves(tmp_path / str(i), original, order, language) for i, original in enumerate(PAIRS[name]))
    assert list(one) == list(other)
    for file, found in one.items():
        assert found == other[file], file

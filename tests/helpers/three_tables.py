"""Small made-up cases of three tables, and what leaves of them read again by plain code."""

from __future__ import annotations

import csv
import io
import random
import zipfile
from collections.abc import Mapping, Sequence

import pandas as pd
from hypothesis import strategies as st

from anonlib.dataset import Dataset
from anonlib.reading.joining import join
from anonlib.reading.records import FrameRecords, TableRecords
from anonlib.reading.tables import Key, Linked, NamedTable
from tests.reference.persons import BELOW

LINKED = Linked(
    "patients",
    {"patients": "patient", "visits": "patient"},
    (Key("visits", "patient", "patients", "patient"), Key("values", "visit", "visits", "visit")),
)
ROLES = {
    "patient": "person_id", "age": "quasi_identifier", "month": "quasi_identifier", "ward": "quasi_identifier",
    "code": "quasi_identifier", "result": "sensitive",
}  # fmt: skip
Row = dict[str, str]


def tables_of(frames: Mapping[str, pd.DataFrame]) -> tuple[NamedTable, ...]:
    held = {name: FrameRecords.of(frame) for name, frame in frames.items()}
    return tuple(NamedTable(name, None, records, records.digest) for name, records in held.items())


def dataset_of(
    frames: Mapping[str, pd.DataFrame], linked: Linked = LINKED, roles: Mapping[str, str] = ROLES
) -> Dataset:
    """The data set of a case, as it is when it is loaded."""
    joined = join(tables_of(frames), linked)
    held = joined.records
    assert isinstance(held, FrameRecords)
    return Dataset("case", held.digest, held, withheld=joined.layout.hidden, tables=joined.layout).with_roles(roles)


def in_duckdb(frames: Mapping[str, pd.DataFrame]) -> Dataset:
    """The same where the tables stay in DuckDB."""
    import ibis

    con = ibis.duckdb.connect()
    tables = []
    for name, frame in frames.items():
        schema = ibis.schema(dict.fromkeys(frame.columns, "string"))
        data = frame if len(frame) else None
        tables.append(NamedTable(name, None, TableRecords(con.create_table(name, data, schema=schema)), name))
    joined = join(tables, LINKED)
    layout = joined.layout
    return Dataset("case", "0" * 64, joined.records, withheld=layout.hidden, tables=layout).with_roles(ROLES)


@st.composite
def cases(draw: st.DrawFn) -> dict[str, pd.DataFrame]:
    """Up to five patients with up to three visits of up to three values each; some cells are missing."""
    cell = st.sampled_from(["0", "1", "2"])
    maybe = st.sampled_from(["0", "1", None])
    patients, visits, values = [], [], []
    for person in range(draw(st.integers(1, 5))):
        patients.append({"patient": f"P{person}", "age": draw(cell)})
        for _ in range(draw(st.integers(0, 3))):
            visit = f"V{len(visits)}"
            visits.append({"visit": visit, "patient": f"P{person}", "month": draw(cell), "ward": draw(maybe)})
            for _ in range(draw(st.integers(0, 2))):
                values.append({"visit": visit, "code": draw(cell), "result": draw(maybe)})
    columns = {
        "patients": ["patient", "age"], "visits": ["visit", "patient", "month", "ward"],
        "values": ["visit", "code", "result"],
    }  # fmt: skip
    rows = {"patients": patients, "visits": visits, "values": values}
    return {name: pd.DataFrame(rows[name], columns=columns[name], dtype=object) for name in columns}


def files(n: int = 60) -> list[tuple[str, bytes, str]]:
    """Patients, their visits, and values of these; a column of visits holds lists."""
    rng = random.Random(1)
    patients, visits, values = (
        ["patient_id,age,sex"],
        ["visit_id,patient_id,month,ward,medicines"],
        ["visit_id,test,result"],
    )
    for person in range(n):
        patients.append(f"P{person},{rng.choice([30, 40, 50])},{rng.choice('fm')}")
        for _ in range(rng.choice([1, 1, 2])):
            visit = f"V{len(visits)}"
            medicines = ";".join(rng.sample(["A01", "B02", "C03"], rng.choice([1, 2])))
            visits.append(f"{visit},P{person},2024-0{rng.choice([1, 2])},{rng.choice('AB')},{medicines}")
            values += [
                f"{visit},{rng.choice(['K', 'Na'])},{rng.choice(['high', 'low'])}" for _ in range(rng.choice([0, 1, 2]))
            ]
    tables = {"patients": patients, "visits": visits, "values": values}
    return [(f"{name}.csv", "\n".join(lines).encode(), "text/csv") for name, lines in tables.items()]


def unzipped(data: bytes) -> dict[str, list[Row]]:
    """By table the rows of the CSV files in a zip."""
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        return {
            name.removesuffix(".csv"): list(csv.DictReader(io.StringIO(archive.read(name).decode())))
            for name in archive.namelist()
        }


def rows_of_persons(tables: Mapping[str, Sequence[Row]]) -> dict[str, list[Row]]:
    """By patient what is to be seen of them: the patient, each visit and each value, with what it hangs below.

    What hangs together says so by the visit's key under :data:`BELOW`.
    """
    patients = {row["patient"]: dict(row) for row in tables["patients"]}
    visits = {row["visit"]: patients[row["patient"]] | row for row in tables["visits"]}
    values = [visits[row["visit"]] | row for row in tables["values"]]
    found: dict[str, list[Row]] = {name: [] for name in patients}
    for row in (*patients.values(), *visits.values(), *values):
        cells = {name: cell for name, cell in row.items() if name not in ("patient", "visit")}
        found[row["patient"]].append(cells | ({BELOW: row["visit"]} if "visit" in row else {}))
    return found

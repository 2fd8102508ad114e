"""Connected data as they grow: Parquet files opened where they are, counted, protected and written again.

Each figure is of a process of its own, which says its seconds and its peak of memory.
"""

from __future__ import annotations

import json
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import TYPE_CHECKING

from benchmarks.measuring import REPOSITORY, Row, spoken

if TYPE_CHECKING:
    from anonlib.dataset import Dataset

SIZES = (1_000_000, 10_000_000, 100_000_000)
WRITTEN = 10_000_000
"""Most records of which a release is written."""
SEED = 0.5
_A_FILE = 10_000_000  # records
_SECONDS, _BYTES = {100_000_000: 60.0}, 4e9  # of the class table; of any process
QUASI_IDENTIFIERS = ("age", "sex", "zip3", "race", "year")


def rows() -> list[Row]:
    return [row for n in SIZES for row in _of_size(n)]


def _of_size(n: int) -> list[Row]:
    with tempfile.TemporaryDirectory() as place:
        folder, temporary = Path(place, "extracts"), Path(place, "temporary")
        temporary.mkdir()
        size = write_visits(folder / "visits", n)
        counted = _measured("count", folder, temporary)
        assert counted["records"] == n
        wanted = _SECONDS.get(n)
        what = f"{n:,} records x 8 columns, Parquet ({size / 1e6:,.0f} MB)"
        found = [
            Row(
                f"{what}: opened, and to {counted['classes']:,} classes", spoken(counted["seconds"]),
                "" if wanted is None else f"< {wanted:.0f} s", None if wanted is None else counted["seconds"] < wanted,
            ),
            Row("the same: its figures of risk, for a first k and for another",
                f"{spoken(counted['first_k'])}, {spoken(counted['next_k'])}", "another: < 0.5 s",
                counted["next_k"] < 0.5),
            Row("the same: peak memory of the whole process", f"{counted['peak'] / 1e9:.2f} GB", "< 4 GB",
                counted["peak"] < _BYTES),
        ]  # fmt: skip
        if n <= WRITTEN:
            released = _measured("release", folder, temporary)
            last = n == WRITTEN
            found += [
                Row(f"{what}: four steps applied and written as CSV ({released['bytes'] / 1e6:,.0f} MB)",
                    spoken(released["seconds"]), "< 60 s" if last else "", released["seconds"] < 60 if last else None),
                Row("the same: peak memory of the whole process", f"{released['peak'] / 1e9:.2f} GB", "< 4 GB",
                    released["peak"] < _BYTES),
            ]  # fmt: skip
    return found


def _measured(what: str, folder: Path, temporary: Path) -> dict[str, float]:
    done = subprocess.run(
        [sys.executable, "-m", "benchmarks.bench_connected", what, folder, temporary],
        cwd=REPOSITORY, stdout=subprocess.PIPE, text=True, check=True,
    )  # fmt: skip
    return json.loads(done.stdout)


def write_visits(folder: Path, n: int) -> int:
    """Ages and places uneven as in life; 1% of the places are missing. Returns the bytes."""
    import duckdb

    folder.mkdir(parents=True)
    with duckdb.connect() as connection:
        connection.execute("SET threads = 1")  # so that the seed gives the same files
        connection.execute("SELECT setseed(?)", [SEED])
        for part in range(max(1, n // _A_FILE)):
            file = folder / f"part-{part:02d}.parquet"
            connection.execute(
                f"""
                COPY (
                    SELECT CAST(floor(100 * sqrt(random()) * sqrt(random())) AS INTEGER) AS age,
                           CASE WHEN random() < 0.51 THEN 'F' ELSE 'M' END AS sex,
                           CASE WHEN random() < 0.01 THEN NULL
                                ELSE lpad(CAST(CAST(floor(900 * pow(random(), 2)) AS INTEGER) AS VARCHAR), 3, '0')
                           END AS zip3,
                           CAST(floor(6 * pow(random(), 3)) AS INTEGER) AS race,
                           2020 + CAST(floor(5 * random()) AS INTEGER) AS year,
                           'W' || CAST(floor(8 * random()) AS INTEGER) AS ward,
                           'I' || CAST(floor(12 * pow(random(), 2)) AS INTEGER) AS insurer,
                           'D' || CAST(floor(60 * pow(random(), 3)) AS INTEGER) AS diagnosis
                    FROM range({min(n, _A_FILE)})
                ) TO '{file.as_posix()}' (FORMAT parquet)
                """
            )
    return sum(path.stat().st_size for path in folder.iterdir())


def _alone(what: str, folder: Path, temporary: Path) -> dict[str, float]:
    """What one process does."""
    from anonlib.coarsening.recoding import Intervals, Mask
    from anonlib.columns.roles import Role
    from anonlib.filing.evidence import written_into
    from anonlib.filing.project import LoadedTable, Project, open_project
    from anonlib.reading.connected import tables_in
    from anonlib.release.recipe import Recipe
    from anonlib.release.steps import DropColumns, LeaveOut, Recode

    begun = time.perf_counter()
    (offered,) = tables_in(folder, temporary).tables
    loaded = LoadedTable.of(offered)
    roles = dict.fromkeys(QUASI_IDENTIFIERS, Role.QUASI_IDENTIFIER) | {"diagnosis": Role.SENSITIVE}
    if what == "count":
        data = loaded.dataset(loaded.records(), "category").with_roles(roles)
        found: dict[str, float] = {"records": data.n_records, "classes": data.classes().n_classes}
        seconds = time.perf_counter() - begun
        found |= {name: _of_risk(data, k) for name, k in (("first_k", 5), ("next_k", 6))}
    else:
        steps = [Recode("age", Intervals(10.0)), Recode("zip3", Mask(1)), DropColumns(("ward",)), LeaveOut(5)]
        opened = open_project(Project(roles=roles, recipe=Recipe.of(steps)), loaded)
        found = {"bytes": written_into(temporary, "released.csv", opened, "CSV").stat().st_size}
        seconds = time.perf_counter() - begun
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024
    return {"seconds": seconds, "peak": peak, **found}


def _of_risk(data: Dataset, k: int) -> float:
    """Seconds that the figures of the Risk page take for a k."""
    from anonlib.analyses.risk import assess, attribute_contributions

    begun, classes = time.perf_counter(), data.classes()
    assess(classes, k=k)
    attribute_contributions(classes, k=k)
    return time.perf_counter() - begun


if __name__ == "__main__":
    print(json.dumps(_alone(sys.argv[1], Path(sys.argv[2]), Path(sys.argv[3]))))

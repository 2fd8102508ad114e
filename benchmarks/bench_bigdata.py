"""Ten million records in a Parquet file, counted by DuckDB: time and memory of a process of its own."""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from benchmarks.measuring import REPOSITORY, Row, spoken

RECORDS = 10_000_000
COLUMNS = ["age", "sex", "zip3", "race"]
SEED = 0.5


def rows() -> list[Row]:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "people.parquet"
        _write(path)
        done = subprocess.run(
            [sys.executable, "-m", "benchmarks.bench_bigdata", path],
            cwd=REPOSITORY, stdout=subprocess.PIPE, text=True, check=True,
        )  # fmt: skip
        size = path.stat().st_size
    out = json.loads(done.stdout)
    assert out["records"] == RECORDS
    seconds, peak = out["seconds"], out["peak"]
    what = f"10 million records x 4 columns, Parquet ({size / 1e6:.0f} MB), by DuckDB to {out['classes']:,} classes"
    return [
        Row(what, spoken(seconds), "< 5 s", seconds < 5),
        Row("the same: peak memory of the whole process", f"{peak / 1e9:.2f} GB", "< 1.5 GB", peak < 1.5e9),
        Row("of which before the file is opened (Python and its libraries)", f"{out['before'] / 1e9:.2f} GB"),
    ]


def _write(path: Path) -> None:
    """Ages and places uneven as in life; 1% of the places are missing."""
    import duckdb

    with duckdb.connect() as connection:
        connection.execute("SET threads = 1")  # so that the seed gives the same file
        connection.execute("SELECT setseed(?)", [SEED])
        connection.execute(
            f"""
            COPY (
                SELECT CAST(floor(100 * sqrt(random()) * sqrt(random())) AS INTEGER) AS age,
                       CASE WHEN random() < 0.51 THEN 'F' ELSE 'M' END AS sex,
                       CASE WHEN random() < 0.01 THEN NULL
                            ELSE lpad(CAST(CAST(floor(900 * pow(random(), 2)) AS INTEGER) AS VARCHAR), 3, '0')
                       END AS zip3,
                       CAST(floor(6 * pow(random(), 3)) AS INTEGER) AS race
                FROM range({RECORDS})
            ) TO '{path.as_posix()}' (FORMAT parquet)
            """
        )


def _count(path: str) -> dict:
    import resource

    import ibis

    from anonlib.classes import ClassTable

    unit = 1 if sys.platform == "darwin" else 1024
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * unit
    start = time.perf_counter()
    table = ClassTable.from_ibis(ibis.duckdb.connect().read_parquet(path), COLUMNS)
    taken = time.perf_counter() - start
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * unit
    return {"seconds": taken, "before": before, "peak": peak, "records": table.n_records, "classes": table.n_classes}


if __name__ == "__main__":
    print(json.dumps(_count(sys.argv[1])))

"""Records in Spark on this machine alone: counted, judged, protected and written. A capability, no claim of speed.

The files are those of :mod:`benchmarks.bench_connected`, read by Spark on two cores. Each size is of a process of its
own, which says its seconds by the clock and of CPU, those of Java included.
"""

from __future__ import annotations

import json
import os
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from benchmarks.bench_connected import QUASI_IDENTIFIERS, write_visits
from benchmarks.measuring import REPOSITORY, Row, spoken

SIZES = (1_000_000, 10_000_000)
_JAVA = "6g"  # of memory
_RECIPIENT = "contract"


def rows() -> list[Row]:
    return [row for n in SIZES for row in _of_size(n)]


def _of_size(n: int) -> list[Row]:
    with tempfile.TemporaryDirectory() as place:
        folder, releases = Path(place, "visits"), Path(place, "releases")
        releases.mkdir()
        write_visits(folder, n)
        done = subprocess.run(
            [sys.executable, "-m", "benchmarks.bench_spark", folder, releases],
            cwd=REPOSITORY, stdout=subprocess.PIPE, text=True, check=True,
            env=os.environ | {"PYSPARK_SUBMIT_ARGS": f"--master local[2] --driver-memory {_JAVA} pyspark-shell",
                              "SPARK_LOCAL_DIRS": place},
        )  # fmt: skip
        found = json.loads(done.stdout.splitlines()[-1])
    assert found["records"] == n
    what = f"{n:,} records x 8 columns, Parquet, in Spark"

    def row(text: str, lap: str) -> Row:
        clock, cpu = found[lap]
        return Row(text, f"{spoken(clock)}, {spoken(cpu)} of CPU")

    return [
        row(f"{what}: opened, and to {found['classes']:,} classes", "counted"),
        row("the same: the verdict under contract on them as they are", "verdict"),
        row("the same: a proposal, same coarseness for everyone", "proposal"),
        row(f"the same: the proposal applied, its verdict, {found['released']:,} records leave", "applied"),
        row(f"the same: written by Spark as Parquet ({found['bytes'] / 1e6:,.0f} MB)", "written"),
        Row("the same: peak memory of Python; of Java",
            f"{found['peak'] / 1e9:.2f} GB; {found['java'] / 1e9:.2f} GB"),
    ]  # fmt: skip


def _measure(folder: Path, releases: Path) -> dict[str, object]:
    from anonlib.dataset import Dataset
    from anonlib.filing.project import Project
    from anonlib.filing.project.opened import case_of, verdict_of
    from anonlib.reading.connected import tables_defined
    from anonlib.release.files.streamed import write_release_beside
    from anonlib.release.recipe import Recipe
    from anonlib.verdict.criteria import BY_KEY
    from anonlib.verdict.proposals import Adviser, Asked, Proposal

    query = f"select * from parquet.`{folder}`"
    (offered,) = tables_defined({"visits": {"backend": "spark", "query": query, "releases": str(releases)}})
    took: dict[str, object] = {}
    table = offered.open().table  # Java is started before the clock
    java = table.get_backend()._session.sparkContext._gateway.proc.pid
    begun = time.perf_counter(), _cpu(java)

    def lap(name: str) -> None:
        nonlocal begun
        now = time.perf_counter(), _cpu(java)
        took[name], begun = [now[0] - begun[0], now[1] - begun[1]], now

    roles = dict.fromkeys(QUASI_IDENTIFIERS, "quasi_identifier") | {"diagnosis": "sensitive"}
    data = Dataset.from_ibis(table).with_roles(roles)
    took |= {"records": data.n_records, "classes": data.classes().n_classes}
    lap("counted")
    aim = Project().aim
    nothing = Recipe()
    verdict_of(case_of(nothing.apply(data), nothing, None, aim), aim, ())
    lap("verdict")
    proposal = Adviser(Asked(data, BY_KEY[_RECIPIENT].criteria)).most_detail()
    assert isinstance(proposal, Proposal)
    lap("proposal")
    recipe = proposal.taken(nothing, data)
    applied = recipe.apply(data)
    assert not applied.problems
    verdict_of(case_of(applied, recipe, None, aim), aim, ())
    lap("applied")
    name = write_release_beside(applied.released, str(releases), "released", (1,))
    lap("written")
    took |= {
        "released": applied.released.n_records,
        "bytes": sum(path.stat().st_size for path in Path(releases, name).iterdir()),
        "peak": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024,
        "java": _peak(java),
    }
    return took


def _cpu(pid: int) -> float:
    """CPU seconds of this process and of another one of Linux."""
    user, system = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[11:13]
    return time.process_time() + (int(user) + int(system)) / os.sysconf("SC_CLK_TCK")


def _peak(pid: int) -> int:
    (line,) = (each for each in Path(f"/proc/{pid}/status").read_text().splitlines() if each.startswith("VmHWM"))
    return int(line.split()[1]) * 1024


if __name__ == "__main__":
    print(json.dumps(_measure(*map(Path, sys.argv[1:]))))

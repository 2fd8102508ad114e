"""Tables in the shape of the OMOP common data model as they grow: linked, looked at as one, judged and written again.

A quarter as many persons as visits, ten measurements a visit, all drawn evenly: nearly every person is alone, which is
the most that there is to count. Each size is of a process of its own, which says its seconds and its peak of memory.
"""

from __future__ import annotations

import io
import json
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from benchmarks.measuring import REPOSITORY, Row, spoken

VISITS = (100_000, 1_000_000)
_SECONDS = {1_000_000: 60.0}  # of the verdict
_KNOWN = ("year_of_birth", "gender_concept_id", "location_id", "visit_start_date", "visit_concept_id",
          "measurement_concept_id")  # fmt: skip


def rows() -> list[Row]:
    return [row for n in VISITS for row in _of_size(n)]


def _of_size(n: int) -> list[Row]:
    with tempfile.TemporaryDirectory() as place:
        folder, temporary = Path(place, "omop"), Path(place, "temporary")
        temporary.mkdir()
        _write(folder, n)
        done = subprocess.run(
            [sys.executable, "-m", "benchmarks.bench_tables", folder, temporary],
            cwd=REPOSITORY, stdout=subprocess.PIPE, text=True, check=True,
        )  # fmt: skip
        found = json.loads(done.stdout)
    what, wanted = f"{n // 4:,} persons, {n:,} visits, {10 * n:,} measurements", _SECONDS.get(n)
    return [
        Row(f"{what}: keys found, and joined", f"{spoken(found['linked'])}, {spoken(found['joined'])}"),
        Row("the same: the verdict under contract on all of it", spoken(found["verdict"]),
            "" if wanted is None else f"< {wanted:.0f} s", None if wanted is None else found["verdict"] < wanted),
        Row("the same: three columns dropped and one in intervals, and its verdict", spoken(found["coarser"])),
        Row("the same: written as CSV, a zip of three", spoken(found["written"])),
        Row("the same: peak memory of the whole process", f"{found['peak'] / 1e9:.2f} GB"),
    ]  # fmt: skip


def _write(folder: Path, n: int) -> None:
    import duckdb

    folder.mkdir(parents=True)
    tables = {
        "person": f"select range as person_id, 1930 + hash(range) % 80 as year_of_birth, hash(range * 7) % 2 as "
        f"gender_concept_id, hash(range * 11) % 5 as race_concept_id, hash(range * 13) % 100 as location_id "
        f"from range({n // 4})",
        "visit_occurrence": f"select range as visit_occurrence_id, hash(range) % {n // 4} as person_id, "
        "date '2020-01-01' + (hash(range * 3) % 24)::int * 30 as visit_start_date, hash(range * 5) % 6 as "
        f"visit_concept_id from range({n})",
        "measurement": f"select range as measurement_id, hash(range * 17) % {n} as visit_occurrence_id, "
        f"hash(range * 19) % 50 as measurement_concept_id, hash(range * 23) % 1000 as value_as_number "
        f"from range({10 * n})",
    }
    with duckdb.connect() as connection:
        for name, query in tables.items():
            connection.execute(f"copy ({query}) to '{folder / name}.parquet'")


def _measure(folder: Path, temporary: Path) -> dict[str, float]:
    from anonlib.coarsening.recoding import Intervals
    from anonlib.filing.project import LoadedTables, Project
    from anonlib.filing.project.opened import case_of, verdict_of
    from anonlib.reading.connected import tables_in
    from anonlib.reading.tables import link, open_offered
    from anonlib.release.export import write_released
    from anonlib.release.recipe import Recipe
    from anonlib.release.steps import DropColumns, Recode

    begin, took = time.perf_counter(), dict[str, float]()

    def lap(name: str) -> None:
        nonlocal begin
        took[name], begin = time.perf_counter() - begin, time.perf_counter()

    tables = open_offered(tables_in(folder, temporary).tables)
    linked = link(tables)
    lap("linked")
    loaded = LoadedTables.linking(tables, linked)
    roles = {
        **dict.fromkeys(_KNOWN, "quasi_identifier"), "race_concept_id": "sensitive", "value_as_number": "sensitive",
        "measurement_id": "identifier", **loaded.roles,
    }  # fmt: skip
    data = loaded.dataset(loaded.records(), "category").with_roles(roles)
    data.n_records  # noqa: B018
    lap("joined")
    aim = Project().aim
    values = DropColumns(("value_as_number",))
    gone = DropColumns(("value_as_number", "location_id", "visit_start_date", "measurement_concept_id"))
    coarser = [gone, Recode("year_of_birth", Intervals(20))]
    for name, steps in (("verdict", [values]), ("coarser", coarser)):
        recipe = Recipe.of(steps)
        applied = recipe.apply(data)
        verdict_of(case_of(applied, recipe, None, aim), aim, ())
        lap(name)
    write_released(io.BytesIO(), "CSV", applied.released, [1])
    lap("written")
    return {**took, "peak": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024}


if __name__ == "__main__":
    print(json.dumps(_measure(*map(Path, sys.argv[1:]))))

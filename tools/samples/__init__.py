"""The code that writes the sample files: the same bytes each time.

``python -m tools.samples`` writes every file to ``data/samples/``. What each file is stands in
``anonlib/reading/samples``; stories, sources and licences are in ``data/samples/README.md``.
"""

from __future__ import annotations

import csv
import io

import pandas as pd

from anonlib.reading.samples import COMPANIONS, SAMPLES
from tools.samples import published, screening
from tools.samples.admissions import admissions_and_population
from tools.samples.admissions_laboratory import laboratory
from tools.samples.province import province


def generate() -> dict[str, bytes]:
    """Every sample file made anew: file name -> the bytes it must have."""
    admissions, population = admissions_and_population()
    areas, records = province()
    tables = {
        "admissions.csv": admissions,
        "admissions_population.csv": population,
        "admissions_laboratory.csv": laboratory(admissions),
        "screening_county.csv": screening.screening_county(),
        "screening_county_slots.csv": screening.screening_county_slots(),
        "province_records.csv": records,
    }
    others = {"province_areas.geojson": areas}
    for entry in SAMPLES + COMPANIONS:
        if entry.filename not in tables and entry.filename not in others:
            tables[entry.filename] = getattr(published, entry.key)()
    return {**{name: _csv(table) for name, table in tables.items()}, **others}


def _csv(table: pd.DataFrame) -> bytes:
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(table.columns)
    writer.writerows(table.itertuples(index=False, name=None))
    return text.getvalue().encode()

"""The Regions page with a coast of small areas: files, and what the library makes of them."""

from __future__ import annotations

import io
import random
from functools import lru_cache
from typing import Any

import geopandas as gpd
import numpy as np
import pandas as pd
from pyproj import CRS
from scipy.sparse import csr_array

from anonlib.analyses.regions import (
    GAPS,
    AreaClasses,
    Gaps,
    aggregate,
    areas_as_they_are,
    areas_of,
    number_by_gaps,
    open_areas,
    regions_for_target,
    suggest_columns,
)
from anonlib.analyses.regions.aggregation import Aggregation
from anonlib.analyses.regions.areas import Areas
from anonlib.analyses.regions.geometry import ground
from anonlib.basics import words
from anonlib.counting.classes import ClassTable
from anonlib.dataset import Dataset
from anonlib.reading.samples import SAMPLES
from tests.helpers.app import (
    REGIONS,
    REGIONS_TABS,
    App,
    dataset_of,
    seeded,
)
from ui.session.companions import AreaTable

TABS = f"regions-tabs-{len(REGIONS_TABS)}"
MENDING = "regions-tabs-2"  # without a result there is nothing to compare
QUASI, PLACE = "quasi_identifier", "place"
BY_HAND = "hand"
_AT_FIRST: dict[tuple, Aggregation] = {}  # by what is asked: found once a process
N_AREAS = 60


@lru_cache
def areas_csv(n: int = N_AREAS, seed: int = 3) -> bytes:
    """Small areas of a coast: an id, a point in degrees and the people who live there."""
    rng = random.Random(seed)
    lines = ["area,longitude,latitude,population"]
    for i in range(n):
        x, y = 10 + (i % 10) * 0.05 + rng.random() * 0.03, 59 + (i // 10) * 0.03 + rng.random() * 0.02
        lines.append(f"{4_700 + i},{x:.5f},{y:.5f},{rng.randrange(400, 700)}")
    return ("\n".join(lines) + "\n").encode()


@lru_cache
def records_csv(n: int = 2_000, seed: int = 4, ids: tuple[str, ...] = ()) -> bytes:
    """Visits of people in those areas; a few name none, or one that is not in the file."""
    rng = random.Random(seed)
    lines = ["name,age,sex,area,illness"]
    for i in range(n):
        where = rng.choice(["", "9999"]) if i % 100 == 0 else str(4_700 + min(N_AREAS - 1, int(rng.expovariate(0.05))))
        age = 10 * min(9, int(rng.gauss(4, 2) ** 2 // 4))
        lines.append(f"Person {i},{age},{rng.choice('FM')},{where},{rng.choice(['flu', 'asthma', 'cancer'])}")
    return ("\n".join(lines) + "\n").encode()


def file_of(*lines: str) -> bytes:
    return ("\n".join(lines) + "\n").encode()


LINES = areas_csv().decode().splitlines()


@lru_cache(maxsize=16)
def _opened(data: bytes) -> AreaTable:
    """A file of areas with the columns that are suggested for it."""
    file = open_areas(data, "areas.csv")
    return AreaTable(file, suggest_columns(file))


@lru_cache
def _areas() -> Areas:
    file = open_areas(areas_csv(), "areas.csv")
    return areas_of(file, suggest_columns(file))


def of_files(records: bytes = b"", areas: bytes = b"", /, tab: str | None = None, **fields: Any) -> App:
    """A session with records and areas, on the Regions page; ``roles`` of the records, and fields of the session."""
    roles = fields.pop("roles", None) or {
        "name": "identifier", "age": QUASI, "sex": QUASI, "area": PLACE, "illness": "sensitive",
    }  # fmt: skip
    parts = {AreaTable: _opened(areas or areas_csv())}
    return seeded(
        records or records_csv(), page=REGIONS, roles=roles, parts=parts, tab=(TABS, tab) if tab else None, **fields
    )


def counted(app: App, names: tuple[str, ...] = ("age", "sex"), data: Dataset | None = None) -> AreaClasses:
    return AreaClasses.from_records(_areas(), data or dataset_of(app), "area", list(names))


def at_first(of: AreaClasses, k: int = 5) -> Aggregation:
    """What the page shows before anything is chosen: the most regions that leave out at most 5%, balanced."""
    parts = (of.counts.data, of.counts.indices, of.counts.indptr, of.population)
    asked = (of.areas.key, k, of.unit, of.unknown, of.without, of.several, *(part.tobytes() for part in parts))
    if asked not in _AT_FIRST:
        _AT_FIRST[asked] = aggregate(of, k, number=regions_for_target(of, k, 0.05).asked)
    return _AT_FIRST[asked]


def by_gaps(of: AreaClasses, k: int = 5, model="max_combinations", gaps: Gaps | None = None, **how) -> Aggregation:
    return aggregate(of, k, number=number_by_gaps(of, model, gaps or next(iter(GAPS.values()))), **how)


def by_hand(app: App, number: int) -> App:
    if app.widget("selectbox", "Number of regions").value != BY_HAND:
        app.choose("selectbox", "Number of regions", BY_HAND)
    return app.choose("slider", "Regions", number)


def check_figures(app: App, found: Aggregation) -> None:
    """The figures of the page are those of the aggregation, beside those of the areas as they are."""
    assert not app.errors
    before = areas_as_they_are(found.area_classes, k=found.k)
    was, now, n = before.measures, found.measures, found.area_classes.n_records
    unit = found.area_classes.unit
    assert app.metric("Regions") == words.change(f"{was.regions:,}", f"{now.regions:,}")
    left_out = words.change(words.percent(was.share_left_out), words.percent(now.share_left_out))
    assert app.metric(f"{unit.capitalize()} below k") == left_out
    people = found.area_classes.population.sum()
    expected = words.change(f"{people / before.n_regions:,.0f}", f"{people / found.n_regions:,.0f}")
    assert app.metric("People a region") == expected
    km = now.compactness / found.area_classes.n_areas / 1_000
    assert app.metric("Distance to the middle") == (f"{km * 1_000:,.0f} m" if km < 1 else f"{km:.3g} km")
    assert f"**By area**, {words.share(was.left_out, n, unit)} are in classes below {found.k}" in app.text
    if now.left_out:
        assert f"**By region**, {words.share(now.left_out, n, unit)} are, and would be left out" in app.text
    else:
        assert f"**By region** nobody does: the smallest class has {now.anonymity:,}." in app.text


def every_tab(app: App) -> App:
    for tab in app.each_tab(TABS, REGIONS_TABS):
        assert not app.errors, (tab, app.errors)
    return app


def shown(app: App) -> tuple:
    return [(metric.label, metric.value) for metric in app.at.metric], app.text


@lru_cache
def sample_province() -> tuple[AreaClasses, tuple[str, ...]]:
    """The sample's records by area and by what is known beside it, and the municipality of each area."""
    sample = next(sample for sample in SAMPLES if sample.key == "province")
    assert sample.areas is not None
    file = open_areas(sample.path.with_name(sample.areas).read_bytes(), sample.areas)
    records = pd.read_csv(io.BytesIO(sample.read_bytes()), dtype=str)
    areas = areas_of(file, suggest_columns(file))
    counted = AreaClasses.from_records(areas, Dataset.from_frame(records, roles=dict(sample.roles)), "area")
    return counted, tuple(file.table["municipality"])


PROTECTED = "protected_records.csv"


def as_text(data: bytes) -> pd.DataFrame:
    return pd.read_csv(io.BytesIO(data), dtype=str, keep_default_na=False)


UTM = CRS.from_epsg(32620)


def areas_at(points, crs: CRS | None = UTM, places: gpd.GeoDataFrame | None = None) -> Areas:
    xy = np.asarray(points, dtype=float).reshape(-1, 2)
    ids = np.array([f"a{i}" for i in range(len(xy))], dtype=object)
    if places is None:
        places = gpd.GeoDataFrame({"area": ids}, geometry=gpd.points_from_xy(*xy.T), crs=crs)
    return Areas(ids, xy, np.full(len(xy), 500), places, crs)


def classes_of(areas: Areas, counts=None) -> AreaClasses:
    """``counts`` areas x 2, by default 3 records of one class and 7 of another in every area."""
    table = np.tile([3, 7], (len(areas), 1)) if counts is None else np.asarray(counts)
    codes = np.arange(2, dtype=np.int32)[:, None]
    classes = ClassTable(("sex",), (np.array(["f", "m"], dtype=object),), codes, table.sum(axis=0))
    return AreaClasses(areas, csr_array(table.astype(np.int64)), classes, "area")


def aggregated(areas: Areas, labels, k: int = 5, counts=None) -> Aggregation:
    region = np.asarray(labels, dtype=np.int32)
    sites = np.array([np.median(areas.points[region == r], axis=0) for r in range(region.max() + 1)])
    return Aggregation(classes_of(areas, counts), k, sites, region)


def scattered(n: int, seed: int = 1, extent: float = 100_000.0) -> np.ndarray:
    return np.random.default_rng(seed).random((n, 2)) * extent + [500_000, 5_000_000]


def polygons_of(areas: Areas, crs: CRS | None = None) -> Areas:
    """The same areas, given as polygons in ``crs``."""
    places = ground(areas).to_frame()
    return areas_at(areas.points, areas.crs, places if crs is None else places.to_crs(crs))

"""Province-like data in areas, as in section 4.1 of Croft et al. 2015: 400 to 700 people an area, attributes drawn."""

from __future__ import annotations

import geopandas as gpd
import numpy as np
import pandas as pd

from anonlib.analyses.regions.areas import Areas
from anonlib.dataset import Dataset
from benchmarks.measuring import REPOSITORY

# Attributes with their numbers of response categories, about as those of a census's long form.
ATTRIBUTES = {
    "sex": 2, "age_group": 18, "marital_status": 6, "mother_tongue": 8, "immigrant": 3, "education": 8,
    "occupation": 11, "income_band": 12,
}  # fmt: skip
SETS = {
    "3 quasi-identifiers": ["sex", "age_group", "marital_status"],
    "4 quasi-identifiers": ["sex", "age_group", "marital_status", "education"],
    "5 quasi-identifiers": ["sex", "age_group", "mother_tongue", "immigrant", "education"],
}
FEATURES = 12  # waves that the varying attributes are made of


def places(which: str, n: int, seed: int = 1) -> tuple[gpd.GeoDataFrame, np.ndarray, bool]:
    """Points of areas, the province of each, and whether they are real ones: of ``which`` part of Canada where the
    file is beside the repository, else ``n`` of their own making, thick about towns and thin elsewhere."""
    path = REPOSITORY.parent / "shared" / "data" / f"canada_dissemination_areas_{which}.csv"
    if path.exists():
        table = pd.read_csv(path, dtype={"area": str})
        points = gpd.GeoDataFrame(table[["area"]], geometry=gpd.points_from_xy(table.lon, table.lat), crs=4326)
        metric = points.to_crs("ESRI:102001")  # Canada Albers equal area
        return metric, pd.factorize(table.province)[0], True
    xy = towns(n, np.random.default_rng(seed))
    province = np.searchsorted(np.quantile(xy[:, 0], [0.25, 0.5, 0.75]), xy[:, 0])
    ids = [f"A{i:05d}" for i in range(n)]
    return gpd.GeoDataFrame({"area": ids}, geometry=gpd.points_from_xy(*xy.T), crs="ESRI:102001"), province, False


def towns(n: int, rng: np.random.Generator) -> np.ndarray:
    """float, n x 2, metres: half of the places in towns of very different sizes, the others anywhere."""
    centres = rng.uniform(0, 800_000, (40, 2))
    size = 1 / np.arange(1, 41)
    town = rng.choice(40, n // 2, p=size / size.sum())
    within = centres[town] + rng.normal(0, 1, (n // 2, 2)) * (2_000 + 30_000 * size[town])[:, None]
    return np.concatenate([within, rng.uniform(0, 800_000, (n - n // 2, 2))])


def areas_of(points: gpd.GeoDataFrame, seed: int = 2) -> Areas:
    population = np.random.default_rng(seed).integers(400, 701, len(points))
    xy = np.column_stack([points.geometry.x, points.geometry.y])
    return Areas(points["area"].to_numpy(object), xy, population, points)


def records_of(areas: Areas, province: np.ndarray, names: list[str], *, varying: bool, seed: int = 3) -> Dataset:
    """A record a person. Each attribute is drawn by itself, with the probabilities of its province; where ``varying``,
    they drift from place to place within it too."""
    rng = np.random.default_rng(seed)
    assert areas.population is not None
    area = np.repeat(np.arange(len(areas)), areas.population)
    columns = {"area": pd.Categorical.from_codes(area.astype(np.int32), pd.Index(areas.ids))}
    for name in ATTRIBUTES:
        size = ATTRIBUTES[name]
        logits = -0.35 * np.arange(size) * min(1, 6 / size) + rng.normal(0, 0.5, size)
        logits = logits + rng.normal(0, 0.3, (province.max() + 1, size))[province]
        drift = 0.5 * _waves(areas.points, size, rng)
        draws = rng.integers(0, 2**31)
        if name in names:
            share = np.exp(logits + drift if varying else logits)
            codes = _drawn(share / share.sum(axis=1, keepdims=True), area, np.random.default_rng(draws))
            columns[name] = pd.Categorical.from_codes(codes, pd.Index([f"{name} {i + 1}" for i in range(size)]))
    return Dataset.from_frame(pd.DataFrame(columns), "generated", digest="0" * 64)


def _waves(points: np.ndarray, size: int, rng: np.random.Generator) -> np.ndarray:
    """float, areas x size: smooth fields of mean 0 and variance 1, of wave lengths from 30 to 600 km."""
    length = np.exp(rng.uniform(np.log(30_000), np.log(600_000), (size, FEATURES)))
    angle, phase = rng.uniform(0, 2 * np.pi, (2, size, FEATURES))
    out = np.empty((len(points), size))
    for j in range(size):
        along = np.outer(points[:, 0], np.cos(angle[j])) + np.outer(points[:, 1], np.sin(angle[j]))
        out[:, j] = np.cos(2 * np.pi * along / length[j] + phase[j]).sum(axis=1) * np.sqrt(2 / FEATURES)
    return out


def _drawn(share: np.ndarray, area: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    """int8, a category a record, with the probabilities of the record's area."""
    up_to = np.cumsum(share, axis=1)
    codes = np.zeros(len(area), dtype=np.int8)
    chance = rng.random(len(area), dtype=np.float32)
    for j in range(share.shape[1] - 1):
        codes += chance > up_to[area, j].astype(np.float32)
    return codes

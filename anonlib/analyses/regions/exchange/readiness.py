"""A small exchange, after which all of it is compiled."""

from __future__ import annotations

import geopandas as gpd
import numpy as np
from scipy.sparse import csr_array

from anonlib.analyses.regions.area_classes import AreaClasses
from anonlib.analyses.regions.areas import Areas
from anonlib.analyses.regions.choices import aggregate
from anonlib.analyses.regions.exchange.search import exchange
from anonlib.counting.classes import ClassTable


def get_ready() -> None:
    """Exchange a few made-up areas: some seconds where no machine code is kept, half of one where it is."""
    rng = np.random.default_rng(0)
    points, population = rng.random((60, 2)) * 1000, np.full(60, 10)
    places = gpd.GeoDataFrame(geometry=gpd.points_from_xy(points[:, 0], points[:, 1]))
    areas = Areas(np.array([str(i) for i in range(60)], dtype=object), points, population, places)
    counts = csr_array(rng.multinomial(population, [0.5, 0.3, 0.15, 0.05]))
    codes = np.arange(4, dtype=np.int32)[:, None]
    categories = (np.array(list("abcd"), dtype=object),)
    classes = ClassTable(("class",), categories, codes, np.asarray(counts.sum(axis=0)))
    exchange(aggregate(AreaClasses(areas, counts, classes, "area"), 3, number=6))

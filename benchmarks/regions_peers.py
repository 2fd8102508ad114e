"""Runs in spopt's own environment: reads areas as JSON, prints the regions of its methods and their times as JSON.

Imports nothing of this project, so that neither has to run with the other's libraries.
"""

from __future__ import annotations

import contextlib
import json
import sys
import time
from importlib.metadata import version

import geopandas as gpd
import numpy as np
from libpysal.weights import W
from spopt.region import MaxPHeuristic, WardSpatial


def main() -> None:
    asked = json.load(sys.stdin)
    x, y = asked["x"], asked["y"]
    frame = gpd.GeoDataFrame(
        {"x": x, "y": y, "people": asked["people"]}, geometry=gpd.points_from_xy(x, y), crs=asked["crs"]
    )
    neighbours = W(dict(enumerate(asked["neighbours"])), silence_warnings=True)
    np.random.seed(asked["seed"])
    with contextlib.redirect_stdout(sys.stderr):
        maxp, maxp_seconds = solved(
            MaxPHeuristic(frame, neighbours, ["x", "y"], "people", asked["threshold"], **asked["maxp"])
        )
        ward, ward_seconds = solved(WardSpatial(frame, neighbours, ["x", "y"], n_clusters=int(maxp.p)))
    out = {
        "max-p": {"labels": labels(maxp), "seconds": maxp_seconds},
        "Ward": {"labels": labels(ward), "seconds": ward_seconds},
    }
    print(json.dumps({"version": version("spopt"), "methods": out}))


def solved(model):
    start = time.perf_counter()
    model.solve()
    return model, time.perf_counter() - start


def labels(model) -> list[int]:
    return np.unique(np.asarray(model.labels_), return_inverse=True)[1].tolist()


if __name__ == "__main__":
    main()

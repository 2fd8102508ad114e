"""The province sample: the areas of an invented province, and a registry of its people under care.

The registry holds people treated for diabetes or hypertension, about 7 in 100 of those who live there. Who lives where
matters: the country is older than the towns, French is spoken in the north-east and Gaelic in the west, and treatment
works less well far from the towns. So regions of the same size are not equally safe everywhere.
"""

from __future__ import annotations

import json

import numpy as np
import pandas as pd
import shapely

from tools.samples.province_map import TOWNS, ProvinceMap, draw_map

SEED = 20261121
N_RECORDS = 60_000
AGE_GROUPS = ("18-34", "35-44", "45-54", "55-64", "65-74", "75-84", "85+")
SEXES = ("F", "M")
LANGUAGES = ("English", "French", "Gaelic", "Other")
DIAGNOSES = ("hypertension", "diabetes", "both")
CONTROLS = ("good", "fair", "poor")

_AGES_IN_TOWN = np.array([0.05, 0.10, 0.19, 0.26, 0.23, 0.13, 0.04])
_AGES_IN_THE_COUNTRY = np.array([0.02, 0.04, 0.11, 0.23, 0.31, 0.22, 0.07])
_WOMEN_BY_AGE = np.array([0.50, 0.46, 0.45, 0.47, 0.51, 0.57, 0.66])
_DIAGNOSES_BY_AGE = np.array(
    [[0.30, 0.60, 0.10], [0.42, 0.44, 0.14], [0.50, 0.30, 0.20], [0.53, 0.23, 0.24], [0.54, 0.18, 0.28],
     [0.57, 0.15, 0.28], [0.64, 0.13, 0.23]]
)  # fmt: skip
_FRENCH = ((84.0, 28.0), 46.0, 2.4)  # where (km), how far it reaches, and how strongly at its heart
_GAELIC = ((-128.0, 42.0), 40.0, 0.9)
_OTHER = ((28.0, -52.0), 14.0, 0.35)


def province(seed: int = SEED) -> tuple[bytes, pd.DataFrame]:
    """The areas as GeoJSON and the records as a table of text. The same seed gives the same records."""
    drawn = draw_map()
    codes = np.array([f"P{i + 1:04d}" for i in range(len(drawn.outlines))], dtype=object)
    return _geojson(drawn, codes), _records(np.random.default_rng(seed), drawn, codes)


def _geojson(drawn: ProvinceMap, codes: np.ndarray) -> bytes:
    """A FeatureCollection with one area a line."""
    lines = []
    for i, outline in enumerate(shapely.orient_polygons(drawn.outlines)):
        feature = {
            "type": "Feature",
            "properties": {
                "area": codes[i],
                "municipality": TOWNS[drawn.municipality[i]].name,
                "population": int(drawn.population[i]),
            },
            "geometry": shapely.geometry.mapping(outline),
        }
        lines.append(json.dumps(feature, separators=(",", ":")))
    return (
        '{"type":"FeatureCollection","name":"province_areas","features":[\n' + ",\n".join(lines) + "\n]}\n"
    ).encode()


def _records(rng: np.random.Generator, drawn: ProvinceMap, codes: np.ndarray) -> pd.DataFrame:
    """One row a person under care, in no order."""
    country = 1 / (1 + (drawn.density / 60.0) ** 0.8)  # 0 in the middle of a town, 1 far from one
    ill = drawn.population * (1 + 0.6 * country)
    area = rng.choice(len(codes), N_RECORDS, p=ill / ill.sum())
    ages = _AGES_IN_TOWN + country[:, None] * (_AGES_IN_THE_COUNTRY - _AGES_IN_TOWN)
    age = _pick(rng, ages[area])
    women = _WOMEN_BY_AGE[age]
    sex = _pick(rng, np.column_stack([women, 1 - women]))
    language = _pick(rng, _languages(drawn.centres)[area])
    diagnosis = _pick(rng, _DIAGNOSES_BY_AGE[age])
    badly = 0.10 + 0.12 * country[area]
    badly += 0.08 * (language == LANGUAGES.index("Other")) + 0.05 * (diagnosis == DIAGNOSES.index("both"))
    control = _pick(rng, np.column_stack([0.75 - 1.4 * badly, 0.25 + 0.4 * badly, badly]))
    return pd.DataFrame(
        {
            "area": codes[area],
            "age_group": np.array(AGE_GROUPS, dtype=object)[age],
            "sex": np.array(SEXES, dtype=object)[sex],
            "language": np.array(LANGUAGES, dtype=object)[language],
            "diagnosis": np.array(DIAGNOSES, dtype=object)[diagnosis],
            "control": np.array(CONTROLS, dtype=object)[control],
        },
        dtype=object,
    )


def _languages(centres: np.ndarray) -> np.ndarray:
    """Areas x languages: how many of the people there speak each, relative to English."""
    weights = [np.ones(len(centres))]
    for (x, y), reach, heart in (_FRENCH, _GAELIC, _OTHER):
        far = np.hypot(centres[:, 0] - x, centres[:, 1] - y) / reach
        weights.append(0.02 + heart * np.exp(-(far**2)))
    return np.column_stack(weights)


def _pick(rng: np.random.Generator, weights: np.ndarray) -> np.ndarray:
    """For each row of weights, one column drawn in proportion to them."""
    upto = weights.cumsum(axis=1)
    return (upto < rng.random((len(weights), 1)) * upto[:, -1:]).sum(axis=1)

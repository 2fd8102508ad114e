"""The map of the invented province: a coast, lakes and a park, towns, and areas that hold about as many people each.

The people come first: points drawn from a density with towns, a settled coast and an empty inland. Areas are the cells
around centres that were moved to the middle of their people until the cells hold about as many (Lloyd's method), so
they are small in towns and large in the country, as census areas are. All in kilometres; degrees come last.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
import shapely
from scipy.spatial import Voronoi, cKDTree

SEED = 20261121
N_AREAS = 1_500
_PEOPLE_DRAWN = 60_000
PEOPLE_OF_AN_AREA = (400, 700)
_ROUNDS = 2
_MIDDLE = (-40.0, 47.0)  # longitude, latitude: open ocean, so that nobody takes it for a real place
_KM_PER_DEGREE = (75.92, 111.17)  # of longitude there, and of latitude
_DECIMALS = 5  # a metre


class Town(NamedTuple):
    """A municipality and the town it is named after: where (km), share of all people, and how far it spreads (km)."""

    name: str
    x: float
    y: float
    share: float
    spread: float


TOWNS = (
    Town("Port Averill", 28, -52, 0.270, 5.5),
    Town("Tolmen", -62, -36, 0.105, 3.6),
    Town("Saint-Orme", 84, 28, 0.085, 3.4),
    Town("Brackwater", -14, 14, 0.060, 3.0),
    Town("Cape Lorne", 117, -27, 0.035, 2.6),
    Town("Glen Ithie", -112, 22, 0.040, 2.8),
    Town("Bellorive", 62, 62, 0.030, 2.6),
    Town("Skerrow", -118, -52, 0.024, 2.4),
    Town("Marlpool", 56, -22, 0.024, 2.6),
    Town("Dunmara", -84, 2, 0.018, 2.2),
    Town("Anse-Orveau", 108, 54, 0.018, 2.2),
    Town("Pinemoor", 22, -12, 0.016, 2.4),
    Town("Whitmere", -30, -58, 0.018, 2.4),
    Town("Lac-Sourcel", 40, 36, 0.012, 2.0),
    Town("Hollin Falls", -46, 46, 0.012, 2.2),
    Town("Kilbrae", -128, 50, 0.010, 2.0),
    Town("Stonebarrow", -4, -36, 0.014, 2.4),
    Town("Upper Tarn", -16, 68, 0.008, 2.0),
)
"""The municipalities. The rest of the people live along the coast, in the valleys and scattered in the country."""

_SHORE = (
    (-150, 30), (-140, 6), (-147, -18), (-138, -44), (-126, -64), (-104, -70), (-92, -56), (-80, -62), (-72, -48),
    (-58, -44), (-46, -62), (-30, -72), (-8, -66), (8, -74), (24, -68), (34, -62), (46, -68), (66, -58), (72, -40),
    (92, -44), (112, -52), (132, -42), (138, -24), (118, -14), (104, -2), (112, 14), (100, 22), (90, 36), (104, 40),
    (122, 46), (128, 62), (112, 70), (96, 64), (80, 76), (60, 80),
)  # fmt: skip
_LAND_BORDER = ((44, 84), (28, 76), (2, 88), (-30, 84), (-52, 94), (-96, 88), (-132, 80), (-144, 58))
_ISLANDS = ((150, 22, 9), (146, -2, 5), (-162, -30, 7), (-158, 52, 4), (86, -70, 5), (12, -90, 4))
_LAKES = ((-40, 22, 13, 6, 0.5), (50, 8, 8, 4, 1.9), (-100, -22, 7, 4, 0.9), (14, 44, 6, 3, 2.6), (-66, -12, 4, 3, 0.2))
_VALLEYS = ((0, 16, 3, 14), (1, 9, 5))  # towns on the way up
_PARKS = (
    ((-108, 120), (-102, 66), (-94, 50), (-78, 46), (-62, 36), (-56, 56), (-40, 62), (-26, 80), (-20, 120)),
    ((4, 120), (2, 80), (-6, 64), (12, 56), (28, 62), (24, 78), (34, 120)),
)


@dataclass(frozen=True, eq=False)
class ProvinceMap:
    """The areas of the province, in order of their codes.

    ``outlines`` are polygons in degrees; ``centres`` (km), ``municipality`` (position in :data:`TOWNS`),
    ``population`` (400 to 700 people) and ``density`` (people a square kilometre) have one entry an area.
    """

    outlines: np.ndarray
    centres: np.ndarray
    municipality: np.ndarray
    population: np.ndarray
    density: np.ndarray


def draw_map(seed: int = SEED) -> ProvinceMap:
    """The same seed gives the same map."""
    rng = np.random.default_rng(seed)
    inhabited = _inhabited(rng)
    people = _people(rng, inhabited)
    centres = _even_centres(people)
    town = _nearest_town(centres)
    centres = centres[np.lexsort((centres[:, 0], -centres[:, 1].round(-1), town))]
    outlines = _outlines(rng, centres, inhabited)
    held = np.bincount(_nearest(centres, people), minlength=N_AREAS)
    fewest, most = PEOPLE_OF_AN_AREA
    rank = np.argsort(np.argsort(held + rng.random(N_AREAS)))
    population = fewest + rank * (most - fewest + 1) // N_AREAS
    density = population / (shapely.area(outlines) * np.prod(_KM_PER_DEGREE))
    return ProvinceMap(outlines, centres, _nearest_town(centres), population, density)


def _to_degrees(xy: np.ndarray) -> np.ndarray:
    return (np.array(_MIDDLE) + xy / np.array(_KM_PER_DEGREE)).round(_DECIMALS)


def _to_km(degrees: np.ndarray) -> np.ndarray:
    return (degrees - np.array(_MIDDLE)) * np.array(_KM_PER_DEGREE)


def _nearest_town(xy: np.ndarray) -> np.ndarray:
    return _nearest(np.array([(town.x, town.y) for town in TOWNS], dtype=float), xy)


def _inhabited(rng: np.random.Generator) -> shapely.Geometry:
    """The land where people live: without lakes and parks."""
    coast = _jagged(rng, np.array(_SHORE, dtype=float), 5, 0.26)
    border = _jagged(rng, np.array([_SHORE[-1], *_LAND_BORDER, _SHORE[0]], dtype=float), 3, 0.06)
    parts = [shapely.Polygon([*coast, *border[1:-1]])]
    parts += [_blob(rng, x, y, size, size * 0.6, rng.random() * np.pi) for x, y, size in _ISLANDS]
    lakes = [_blob(rng, *lake) for lake in _LAKES]
    parks = [shapely.Polygon(_jagged(rng, np.array([*p, p[0]], dtype=float), 4, 0.12)[:-1]) for p in _PARKS]
    land = shapely.union_all([shapely.make_valid(part) for part in parts])
    return land.difference(shapely.union_all([*lakes, *map(shapely.make_valid, parks)]))


def _jagged(rng: np.random.Generator, line: np.ndarray, levels: int, roughness: float) -> np.ndarray:
    """A line with every stretch broken in the middle again and again, by a share of its length to either side."""
    for level in range(levels):
        start, along = line[:-1], np.diff(line, axis=0)
        aside = np.column_stack([-along[:, 1], along[:, 0]])
        shift = rng.normal(0, roughness * 0.92**level, len(along)).clip(-0.45, 0.45)
        middle = start + along * rng.uniform(0.35, 0.65, (len(along), 1)) + aside * shift[:, None]
        broken = np.empty((2 * len(along) + 1, 2))
        broken[0::2], broken[1::2] = line, middle
        line = broken
    return line


def _blob(rng: np.random.Generator, x: float, y: float, long: float, wide: float, turn: float) -> shapely.Geometry:
    """An island or a lake: a turned ellipse with a jagged rim."""
    angle = np.linspace(0, 2 * np.pi, 9)
    ring = np.column_stack([long * np.cos(angle), wide * np.sin(angle)])
    ring[-1] = ring[0]
    rotation = np.array([[np.cos(turn), np.sin(turn)], [-np.sin(turn), np.cos(turn)]])
    rim = _jagged(rng, ring @ rotation + (x, y), 3, 0.18)
    return shapely.make_valid(shapely.Polygon(rim[:-1]))


def _people(rng: np.random.Generator, inhabited: shapely.Geometry) -> np.ndarray:
    """Where people live: in towns, near the coast, along two valleys, and scattered."""
    towns = np.array([(t.x, t.y) for t in TOWNS])
    shares = np.array([t.share for t in TOWNS])
    spreads = np.array([t.spread for t in TOWNS])
    n = 3 * _PEOPLE_DRAWN
    town = rng.choice(len(TOWNS), n, p=shares / shares.sum())
    distance = rng.gamma(1.6, spreads[town])
    # A town stretches out along its main road, with suburbs thinning out unevenly around it.
    road, angle = rng.uniform(0, np.pi, len(TOWNS))[town], rng.uniform(0, 2 * np.pi, n)
    distance *= 1 + 0.35 * np.cos(2 * (angle - road)) + 0.2 * np.cos(5 * angle + 3 * road)
    urban = towns[town] + np.column_stack([distance * np.cos(angle), distance * np.sin(angle)])
    left, bottom, right, top = inhabited.bounds
    scattered = np.column_stack([rng.uniform(left, right, n), rng.uniform(bottom, top, n)])
    near = _off_line(scattered, inhabited.boundary)
    valley = _off_line(scattered, shapely.MultiLineString([towns[list(valley)] for valley in _VALLEYS]))
    kept = 0.05 + 0.75 * np.exp(-near / 3.0) * (scattered[:, 1] < 60) + 0.7 * np.exp(-valley / 3.5)
    rural = scattered[rng.random(n) < kept * np.exp(-np.maximum(0, scattered[:, 1] - 30) / 60)]
    urban_share = shares.sum()
    urban, rural = (xy[shapely.contains_xy(inhabited, xy[:, 0], xy[:, 1])] for xy in (urban, rural))
    n_urban = round(_PEOPLE_DRAWN * urban_share)
    return np.concatenate([urban[:n_urban], rural[: _PEOPLE_DRAWN - n_urban]])


def _off_line(xy: np.ndarray, line: shapely.Geometry) -> np.ndarray:
    """How far points are from a line, to a quarter of a kilometre."""
    return cKDTree(shapely.get_coordinates(shapely.segmentize(line, 0.5))).query(xy)[0]


def _even_centres(people: np.ndarray) -> np.ndarray:
    """Centres of cells that hold about as many people each, in no regular pattern."""
    centres = np.array([people[part].mean(axis=0) for part in _halves(people, np.arange(len(people)), N_AREAS)])
    for _ in range(_ROUNDS):
        cell = _nearest(centres, people)
        held = np.bincount(cell, minlength=N_AREAS)
        middles = [np.bincount(cell, people[:, i], N_AREAS) / np.maximum(1, held) for i in (0, 1)]
        centres = np.where(held[:, None] > 0, np.column_stack(middles), centres)
    return people[_nearest(people, centres)]  # on dry land


def _halves(people: np.ndarray, members: np.ndarray, n: int) -> list[np.ndarray]:
    """The members in n parts of equal number, halved across the longer side again and again."""
    if n == 1:
        return [members]
    longer = int(np.ptp(people[members], axis=0).argmax())
    ordered = members[np.argsort(people[members, longer], kind="stable")]
    cut = round(len(ordered) * (n // 2) / n)
    return _halves(people, ordered[:cut], n // 2) + _halves(people, ordered[cut:], n - n // 2)


def _nearest(centres: np.ndarray, xy: np.ndarray) -> np.ndarray:
    return cKDTree(centres).query(xy)[1]


def _outlines(rng: np.random.Generator, centres: np.ndarray, inhabited: shapely.Geometry) -> np.ndarray:
    """The cells around the centres as polygons in degrees that share their corners exactly.

    All borders are noded on a grid of the last decimal; the faces between them are the cells.
    """
    cells = Voronoi(np.concatenate([centres, 2000 * np.array([(1, 1), (1, -1), (-1, 1), (-1, -1)])]))
    ridges = np.array(cells.ridge_vertices)
    closed = (ridges >= 0).all(axis=1)
    ends = cells.vertices[ridges[closed]]
    beside = cells.points[cells.ridge_points[closed]]
    aside = (beside[:, 1] - beside[:, 0]) * rng.uniform(-0.2, 0.2, (len(ends), 1))
    limit = np.linalg.norm(ends[:, 1] - ends[:, 0], axis=1) / np.linalg.norm(beside[:, 1] - beside[:, 0], axis=1)
    middle = ends.mean(axis=1) + aside * np.minimum(1, limit)[:, None]
    borders = shapely.linestrings(np.stack([ends[:, 0], middle, ends[:, 1]], axis=1))
    lines = [*borders, *shapely.get_parts(inhabited.boundary)]
    in_degrees = shapely.transform(np.array(lines, dtype=object), _to_degrees)
    noded = shapely.union_all(in_degrees, grid_size=10.0**-_DECIMALS)
    faces = shapely.get_parts(shapely.polygonize(shapely.get_parts(noded)))
    middles = _to_km(shapely.get_coordinates(shapely.point_on_surface(faces)))
    on_land = shapely.contains_xy(inhabited, middles[:, 0], middles[:, 1])
    faces, middles = faces[on_land], middles[on_land]
    cell = _nearest(centres, middles)
    own = shapely.STRtree(faces).query(shapely.points(centres / _KM_PER_DEGREE + _MIDDLE), predicate="within")
    cell[own[1]] = own[0]
    cell = _without_pieces(faces, cell)
    merged = [shapely.union_all(faces[cell == i]) for i in range(len(centres))]
    return np.array(merged, dtype=object)


def _without_pieces(faces: np.ndarray, cell: np.ndarray) -> np.ndarray:
    """The cell of each face, where a face apart from the largest of its cell goes to the neighbour beside it."""
    cell = cell.copy()
    area = shapely.area(faces)
    largest = np.zeros(cell.max() + 1, dtype=int)
    largest[cell[np.argsort(area)]] = np.argsort(area)
    tree = shapely.STRtree(faces)
    for face in np.flatnonzero(largest[cell] != np.arange(len(faces))):
        beside = [other for other in tree.query(faces[face], predicate="touches") if largest[cell[other]] == other]
        shared = [faces[face].intersection(faces[other]).length for other in beside]
        if shared and max(shared) > 0:
            cell[face] = cell[beside[int(np.argmax(shared))]]
    return cell

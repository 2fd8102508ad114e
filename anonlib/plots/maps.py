"""Maps of regions that can be moved, zoomed and clicked, and that ask nothing of another host.

First comes what the colours of a map say, and its legend. The maps are deck.gl's, in a view of plain coordinates in
metres (OrthographicView): such a view has no ground map to fetch, needs no longitude and latitude, and knows no
antimeridian. Streamlit rebuilds a Plotly figure whenever its data change, and with it loses the zoom and the place; a
deck.gl map keeps both, and the region that is chosen. Measured in a browser without a graphics card, from a slider to
the drawn map: half a second for 250 regions, 2 to 4 s for 2,700.
"""

from __future__ import annotations

import hashlib
import heapq
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

import geopandas as gpd
import numpy as np
import plotly.graph_objects as go
import pydeck as pdk
import shapely
from pydeck.bindings.json_tools import default_serialize

from anonlib.analyses.regions.aggregation import Aggregation
from anonlib.basics import words
from anonlib.plots.theme import DARK_INK, FONT, LIGHT_INK, Palette, figure, hatching, mixed, palette, rgb

Colour = Literal["left out", "smallest class", "region"]

_STEPS = (0.3, 0.62, 1.0)  # how much of the red there is in: up to 5%, up to 20%, more
_SHARES = (0.05, 0.2)


@dataclass(frozen=True)
class MapLevels:
    """What the colours of a map say: the words and the colour of each level, and each region's level (int64).

    ``hatched`` is how many lines are drawn across the regions of each level (0, 1 or 2 times as many), and ``lines``
    their colour: a print without colours shows as much.
    """

    words: tuple[str, ...]
    colours: tuple[str, ...]
    of_region: np.ndarray
    hatched: tuple[int, ...]
    lines: str


def levels(aggregation: Aggregation, colour: Colour = "left out", *, dark: bool = False) -> MapLevels:
    """The colours of regions: red, in steps, where records are below k; calm and lighter than full red where none is.

    Parameters
    ----------
    aggregation : Aggregation
        The regions.
    colour : Colour, default "left out"
        What the colours say.
    dark : bool, default False
        Whether the page is dark.
    """
    colours = palette(dark)
    page = DARK_INK if dark else LIGHT_INK
    empty = aggregation.records == 0
    if colour == "smallest class":
        k, least = aggregation.k, aggregation.smallest_class
        level = np.searchsorted([k, 2 * k, 5 * k], least, side="right")
        labels = (f"below {k:,}", f"{k:,} to {2 * k - 1:,}", f"{2 * k:,} to {5 * k - 1:,}", f"{5 * k:,} or more")
        shades = (colours.risky, *(mixed(colours.much, colours.little, part) for part in (0.0, 0.3, 0.6)))
        hatched, lines = (1, 0, 0, 0), page
    else:
        share = aggregation.left_out / np.maximum(aggregation.records, 1)
        level = np.where(share > 0, 1 + np.searchsorted(_SHARES, share, side="left"), 0)
        labels = ("nobody", "up to 5%", "up to 20%", "more than 20%")
        shades = (colours.little, *(mixed(colours.risky, page, part) for part in _STEPS))
        hatched, lines = (0, 1, 2, 0), colours.risky
    of_region = np.where(empty, len(labels), level).astype(np.int64)
    return MapLevels((*labels, "no records"), (*shades, page), of_region, (*hatched, 0), lines)


def map_legend(aggregation: Aggregation, colour: Colour = "left out", *, dark: bool = False) -> go.Figure:
    """The levels of a map in a line: the colour, its words, and how many regions have it.

    Parameters
    ----------
    aggregation : Aggregation
        The regions.
    colour : Colour, default "left out"
        What the colours say.
    dark : bool, default False
        Whether the page is dark.
    """
    colours = palette(dark)
    if colour == "region":
        return figure(dark=dark, height=30)
    drawn_levels = levels(aggregation, colour, dark=dark)
    times = np.bincount(drawn_levels.of_region, minlength=len(drawn_levels.words))
    used = [i for i in range(len(drawn_levels.words)) if times[i] or i < len(drawn_levels.words) - 1]
    chart = figure(
        dark=dark, height=34 if len(used) < 5 else 60, showlegend=True, margin={"l": 0, "r": 0, "t": 0, "b": 0}
    )
    for i in used:
        lines = (
            {"shape": "/", "size": 10 / drawn_levels.hatched[i], "fgcolor": drawn_levels.lines}
            if drawn_levels.hatched[i]
            else {}
        )
        chart.add_bar(
            x=[None], y=[None], hoverinfo="skip", name=f"{drawn_levels.words[i]}: {times[i]:,}",
            marker={"color": drawn_levels.colours[i], "line": {"width": 1, "color": colours.faint},
                    "pattern": {"fillmode": "overlay", "solidity": 0.2, **lines}},
        )  # fmt: skip
    title = "left out" if colour == "left out" else "smallest class"
    chart.update_layout(
        legend={"title": {"text": f"{title}:  ", "side": "left"}, "x": 0, "y": 1, "itemclick": False,
                "itemdoubleclick": False},
    )  # fmt: skip
    chart.update_xaxes(visible=False)
    chart.update_yaxes(visible=False)
    return chart


def fills(shapes: gpd.GeoDataFrame | None, aggregation: Aggregation, colour: Colour, dark: bool) -> list[list[int]]:
    """The colour of each region as red, green and blue, 0 to 255."""
    if colour != "region" or shapes is None:
        drawn_levels = levels(aggregation, colour, dark=dark)
        return [rgb(drawn_levels.colours[i]) for i in drawn_levels.of_region.tolist()]
    page = DARK_INK if dark else LIGHT_INK
    tints = [rgb(mixed(hue, page, 0.5)) for hue in palette(dark).sequence]
    return [tints[i] for i in _apart(shapes, len(tints))]


def _apart(shapes: gpd.GeoDataFrame, n_colours: int) -> list[int]:
    """A colour for each outline, not that of a neighbour; where all are taken, the one fewest neighbours have.

    The outline with the fewest neighbours is taken away again and again and coloured last (Matula and Beck 1983): on a
    map whose outlines are all of one piece six colours are then enough.
    """
    a, b = shapes.sindex.query(shapes.geometry, predicate="intersects")
    near: list[set[int]] = [set() for _ in range(len(shapes))]
    for region, neighbour in zip(a.tolist(), b.tolist(), strict=True):
        if region != neighbour:
            near[region].add(neighbour)
    left = [len(neighbours) for neighbours in near]
    heap = [(n, region) for region, n in enumerate(left)]
    heapq.heapify(heap)
    order: list[int] = []
    gone = [False] * len(near)
    while heap:
        n, region = heapq.heappop(heap)
        if gone[region] or n != left[region]:
            continue
        gone[region] = True
        order.append(region)
        for neighbour in near[region]:
            left[neighbour] -= 1
            heapq.heappush(heap, (left[neighbour], neighbour))
    given = [-1] * len(near)
    for region in reversed(order):
        taken = [0] * n_colours
        for neighbour in near[region]:
            if given[neighbour] >= 0:
                taken[given[neighbour]] += 1
        given[region] = min(range(n_colours), key=lambda c: (taken[c], (c - region) % n_colours))
    return given


REGIONS = "regions"
"""What the layer that is clicked is called, with what names its regions after it."""
MOST_SHAPES = 6_000
"""Areas that are drawn as polygons; more take the browser seconds, and are smaller than a dot."""
_SPAN = 1_000_000  # whole units that the areas extend: three metres of Canada's width
_BEYOND = 1.06  # of the points' extent: outlines reach beyond them
_WIDTH, _AIR = 508, 12  # pixels: the narrowest map, and what stays free around the areas
_HATCH = _SPAN / 36  # units from line to line where a level has the fewest
_NAME = 60  # letters of an area's name


class Map(pdk.Deck):  # type: ignore[misc]  # it has no types
    """A deck.gl map, with its JSON in one line: half as large on the way to the browser."""

    def to_json(self) -> str:
        return json.dumps(self, default=default_serialize, separators=(",", ":"))


Dots = Literal["", "areas", "sites"]


def region_map(
    shapes: gpd.GeoDataFrame,
    aggregation: Aggregation,
    *,
    selected: int | None = None,
    colour: Colour = "left out",
    dots: Dots = "",
    dark: bool = False,
    height: int = 520,
) -> Map:
    """Regions on a map: coloured by what is left out in them, by their smallest class, or to tell them apart.

    Parameters
    ----------
    shapes : gpd.GeoDataFrame
        :func:`anonlib.analyses.regions.geometry.for_map` of the aggregation's outlines.
    aggregation : Aggregation
        The regions.
    selected : int, optional
        Position of a region that is drawn with a strong outline. :func:`chosen` says which region a click chose.
    colour : Colour, default "left out"
        What the colours say.
    dots : Dots, default ""
        Whether the areas' points are drawn as well, or the sites.
    dark : bool, default False
        Whether the page is dark.
    height : int, default 520
        Pixels.
    """
    frame = _Frame.of(aggregation)
    rows = _rows(shapes.geometry.to_numpy(dtype=object), frame)
    colours = palette(dark)
    filled = fills(shapes, aggregation, colour, dark)
    texts = [_hover(aggregation, i, _short(name)) for i, name in enumerate(aggregation.names.tolist())]
    for row in rows:
        row |= {"hover": texts[row["region"]], "fill": filled[row["region"]]}
    layers = _polygons(rows, colours, _hatching(shapes, aggregation, colour, frame, dark))
    if dots:
        points, radius = (aggregation.sites, 2.5) if dots == "sites" else (aggregation.area_classes.areas.points, 1.2)
        layers.append(_dots(frame.whole(points), dots, radius, rgb(colours.ink)))
    if selected is not None:
        layers.append(_outline([row for row in rows if row["region"] == selected], colours))
    return _map(layers, frame, colours, height)


def area_map(
    shapes: gpd.GeoDataFrame | None,
    aggregation: Aggregation,
    *,
    colour: Colour = "left out",
    dark: bool = False,
    height: int = 520,
) -> Map:
    """The areas before they are aggregated, each a region of its own, in the colours and the view of a region map.

    Parameters
    ----------
    shapes : gpd.GeoDataFrame | None
        One polygon an area. None if areas are points, or more than ``MOST_SHAPES``: they are drawn as dots, those with
        records below k over the others.
    aggregation : Aggregation
        :func:`anonlib.analyses.regions.aggregation.areas_as_they_are`.
    colour : Colour, default "left out"
        What the colours say.
    dark : bool, default False
        Whether the page is dark.
    height : int, default 520
        Pixels.
    """
    frame = _Frame.of(aggregation)
    areas = aggregation.area_classes.areas
    colours = palette(dark)
    filled = fills(shapes, aggregation, colour, dark)
    texts = [_hover(aggregation, i, f"Area {_short(name)}", alone=True) for i, name in enumerate(areas.ids.tolist())]
    if shapes is not None and len(areas) <= MOST_SHAPES:
        rows = _rows(shapes.geometry.to_numpy(dtype=object), frame)
        for row in rows:
            row |= {"hover": texts[row["region"]], "fill": filled[row["region"]]}
        across = _hatching(shapes, aggregation, colour, frame, dark)
        return _map(_polygons(rows, colours, across), frame, colours, height)
    at = frame.whole(areas.points).tolist()
    above = np.argsort(aggregation.left_out > 0, kind="stable").tolist()
    rows = [{"p": at[i], "region": i, "hover": texts[i], "fill": filled[i]} for i in above]
    return _map([_dots(rows, f"{REGIONS} {_name(rows)}", 3, "fill")], frame, colours, height)


def chosen(event: Any) -> int | None:
    """The region that a map's selection names.

    Parameters
    ----------
    event : Any
        What Streamlit returned for the map.

    Returns
    -------
    int or None
        Its position.
    """
    selection = event.get("selection") if isinstance(event, Mapping) else getattr(event, "selection", None)
    objects = (selection or {}).get("objects") or {}
    for rows in objects.values():
        for row in rows:
            region = row.get("region") if isinstance(row, Mapping) else None
            if isinstance(region, int) and not isinstance(region, bool) and region >= 0:
                return region
    return None


# ---- coordinates ---------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class _Frame:
    """From metres to whole units around the middle of the areas: the same for every aggregation of them."""

    middle: np.ndarray
    extent: np.ndarray
    unit: float

    @classmethod
    def of(cls, aggregation: Aggregation) -> _Frame:
        points = aggregation.area_classes.areas.points
        low, high = points.min(axis=0), points.max(axis=0)
        return cls((low + high) / 2, high - low, max(float((high - low).max()), 1.0) / _SPAN)

    def whole(self, coordinates: np.ndarray) -> np.ndarray:
        return np.rint((coordinates - self.middle) / self.unit).astype(np.int64)

    def zoom(self, height: int) -> float:
        """log2 of the pixels of a unit at which all areas are seen."""
        width, tall = np.maximum(_BEYOND * self.extent / self.unit, 1)
        return float(np.log2(min((_WIDTH - _AIR) / width, (height - _AIR) / tall)))


def _rows(shapes: np.ndarray, frame: _Frame) -> list[dict[str, Any]]:
    """One row a polygon of each outline: its rings in whole units, and the position of its outline."""
    parts, region = shapely.get_parts(shapes, return_index=True)
    some = ~shapely.is_empty(parts)
    parts, region = parts[some], region[some]
    rings, part_of_ring = shapely.get_rings(parts, return_index=True)
    coordinates, ring_of_vertex = shapely.get_coordinates(rings, return_index=True)
    ends = np.cumsum(np.bincount(ring_of_vertex, minlength=len(rings)))[:-1]
    whole = np.split(frame.whole(coordinates), ends) if len(rings) else []
    rows: list[dict[str, Any]] = [{"p": [], "region": i} for i in region.tolist()]
    for ring, part in zip(whole, part_of_ring.tolist(), strict=True):
        rows[part]["p"].append(ring.tolist())
    return rows


# ---- layers --------------------------------------------------------------------------------------------------------


def _hatching(
    shapes: gpd.GeoDataFrame, aggregation: Aggregation, colour: Colour, frame: _Frame, dark: bool
) -> list[pdk.Layer]:
    """Lines across the regions of the levels that have them."""
    if colour == "region":
        return []
    drawn_levels = levels(aggregation, colour, dark=dark)
    geometry = shapes.geometry.to_numpy(dtype=object)
    geometry = np.where(shapely.is_valid(geometry), geometry, shapely.make_valid(geometry))
    hatched = np.array(drawn_levels.hatched)[drawn_levels.of_region]
    ends = [hatching(geometry[hatched == n], frame.unit * _HATCH / n) for n in set(drawn_levels.hatched) - {0}]
    whole = frame.whole(np.concatenate(ends)).tolist()
    return [_lines([{"a": a, "b": b} for a, b in whole], "hatching", rgb(drawn_levels.lines))]


def _lines(rows: list[dict[str, Any]], name: str, colour: list[int]) -> pdk.Layer:
    return pdk.Layer(
        "LineLayer", rows, id=name, pickable=False, get_source_position="a", get_target_position="b",
        get_color=colour, get_width=0.7, width_units="'pixels'",
    )  # fmt: skip


def _polygons(rows: list[dict[str, Any]], colours: Palette, across: list[pdk.Layer]) -> list[pdk.Layer]:
    """The outlines, the lines across them, and their borders.

    Borders are lines of their own, each once, because drawing outlines is four times as slow. What is drawn slowly is
    also clicked in vain: deck.gl takes a long press for something else. The colour is given to the layer below
    deck.gl's, for Streamlit pales the others of a layer whose colours it knows when one is chosen.
    """
    ground = pdk.Layer(
        "PolygonLayer", rows, id=f"{REGIONS} {_name(rows)}", pickable=True, auto_highlight=True, stroked=False,
        get_polygon="p", _sub_layer_props={"fill": {"getFillColor": "@@=fill"}},
        highlight_color=[*rgb(colours.ink), 60],
    )  # fmt: skip
    return [ground, *across, _lines(_borders(rows), "borders", rgb(colours.faint))]


def _borders(rows: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Every edge of the outlines once, those of two neighbours too."""
    rings = [np.array(ring, dtype=np.int64) for row in rows for ring in row["p"]]
    if not rings:
        return []
    starts, ends = (np.concatenate([ring[cut] for ring in rings]) for cut in (slice(None, -1), slice(1, None)))
    low = starts.min(axis=0)
    place = (starts - low) @ [1 << 31, 1], (ends - low) @ [1 << 31, 1]
    points, at = np.unique(np.concatenate(place), return_inverse=True)
    a, b = np.sort(at.reshape(2, -1), axis=0)
    once = np.unique((a * len(points) + b)[a != b])
    coordinates = np.column_stack((points >> 31, points & ((1 << 31) - 1))) + low
    sides = coordinates[once // len(points)].tolist(), coordinates[once % len(points)].tolist()
    return [{"a": left, "b": right} for left, right in zip(*sides, strict=True)]


def _outline(rows: list[dict[str, Any]], colours: Palette) -> pdk.Layer:
    shapes = [{"p": row["p"]} for row in rows]
    return pdk.Layer(
        "PolygonLayer", shapes, id="selected", pickable=False, filled=False, get_polygon="p",
        get_line_color=rgb(colours.ink), get_line_width=3, line_width_units="'pixels'",
    )  # fmt: skip


def _dots(rows: Any, name: str, radius: float, fill: Any) -> pdk.Layer:
    named = not isinstance(rows, np.ndarray)
    data = rows if named else [{"p": point} for point in rows.tolist()]
    return pdk.Layer(
        "ScatterplotLayer", data, id=name, pickable=named, get_position="p", get_fill_color=fill,
        get_radius=radius, radius_units="'pixels'",
    )  # fmt: skip


def _map(layers: Sequence[pdk.Layer], frame: _Frame, colours: Palette, height: int) -> Map:
    view = pdk.ViewState(target=[0, 0, 0], zoom=round(frame.zoom(height), 3))
    style = {
        "backgroundColor": DARK_INK if colours.ink == palette(True).ink else LIGHT_INK,
        "color": colours.ink,
        "border": f"1px solid {colours.line}",
        "borderRadius": "4px",
        "fontFamily": FONT,
        "fontSize": "13px",
        "padding": "6px 9px",
    }
    return Map(
        layers=list(layers),
        views=[pdk.View("OrthographicView", controller=True, flip_y=False)],
        map_provider=None,
        map_style=None,
        initial_view_state=view,
        tooltip={"text": "{hover}", "style": style},
        height=height,
    )


def _name(rows: list[dict[str, Any]]) -> str:
    """Names which region each row is of: what was clicked in one aggregation is not looked for in another."""
    shape = [(row["region"], row["p"][0]) for row in rows]
    return hashlib.sha256(json.dumps(shape).encode()).hexdigest()[:12]


# ---- words ----------------------------------------------------------------------------------------------------------


def _hover(aggregation: Aggregation, i: int, name: str, alone: bool = False) -> str:
    unit = aggregation.area_classes.unit
    records, left = int(aggregation.records[i]), int(aggregation.left_out[i])
    lines = [name] if alone else [name, words.count(int(aggregation.areas_of_region[i]), "areas")]
    if aggregation.area_classes.areas.population is not None:
        lines.append(words.count(int(aggregation.population[i]), "people"))
    if not records:
        return "\n".join([*lines, f"no {unit}"])
    least = words.count(int(aggregation.smallest_class[i]), unit)
    lines += [words.count(records, unit), f"smallest class: {least}"]
    lines.append(f"left out: {words.share(left, records, unit)}" if left else "left out: nobody")
    return "\n".join(lines)


def _short(text: object) -> str:
    """Text of a file for a tooltip, which shows it as it is: the map never reads it as markup or as an instruction."""
    shown = " ".join(str(text).split())
    return shown if len(shown) <= _NAME else shown[: _NAME - 1] + "…"

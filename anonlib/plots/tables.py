"""A picture of the tables of a case: boxes from persons to what hangs below them, and the keys between them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import plotly.graph_objects as go

from anonlib.basics.words import count, percent
from anonlib.plots.theme import Palette, escape, figure, label, palette
from anonlib.reading.tables import Key, Linked, NamedTable, households

_WIDE = 960  # pixels: as wide as a picture is at least shown on a page
_ROW, _AROUND = 84, 20  # pixels: of a row of boxes, and above and below all
_BOX_WIDE, _BOX_TALL = 0.66, 0.76  # of the distance to the next box
_EDGE = 0.03  # of a box's width, up to its text
_CHARACTER = 7.4  # pixels of a letter
_HEAD_WIDE, _HEAD_TALL = 7, 5  # pixels of an arrow's head
_LINE = 15  # pixels of a line of text


@dataclass(frozen=True)
class Place:
    """Where a table is drawn.

    Attributes
    ----------
    column : int
        How many tables stand above it, counted from the left.
    row : float
        In rows from the top; between two where it stands before several.
    """

    column: int
    row: float


def places_of(tables: Sequence[str], linked: Linked) -> dict[str, Place]:
    """Where each table is drawn: persons at the left, what hangs below a table at its right.

    Parameters
    ----------
    tables : Sequence[str]
        Names, in the order of the case.
    linked : Linked
        How they hang together.
    """
    below: dict[str, list[str]] = {table: [] for table in tables}
    for table in tables:
        key = linked.key_of(table)
        if key is not None:
            below[key.parent].append(table)
    roots = [table for table in tables if linked.key_of(table) is None]
    roots.sort(key=lambda table: (table != linked.person_table, table not in linked.person_columns))
    places: dict[str, Place] = {}
    next_row = 0

    def put(table: str, column: int) -> float:
        nonlocal next_row
        rows = [put(child, column + 1) for child in below[table]]
        if not rows:
            rows, next_row = [float(next_row)], next_row + 1
        places[table] = Place(column, (rows[0] + rows[-1]) / 2)
        return places[table].row

    for root in roots:
        put(root, 0)
    return places


def tables(shown: Sequence[NamedTable], linked: Linked, *, dark: bool = False) -> go.Figure:
    """The tables as boxes with rows and columns, and arrows to what hangs below, with the rows a row has there.

    Parameters
    ----------
    shown : Sequence[NamedTable]
        The tables of the case.
    linked : Linked
        How they hang together. A dashed box names no person, and no row of another table.
    dark : bool, default False
        Whether the page is dark.

    Returns
    -------
    Figure
        84 pixels high a table, for a width of 960; :func:`in_words` says the same.
    """
    colours = palette(dark)
    places = places_of([table.name for table in shown], linked)
    n_columns = max((place.column for place in places.values()), default=0) + 1
    n_rows = max((place.row for place in places.values()), default=0) + 1
    characters = int(_WIDE / n_columns * _BOX_WIDE * (1 - 2 * _EDGE) / _CHARACTER)
    return figure(
        *(_arrow(key, places, n_columns, colours) for key in linked.keys),
        *(_texts(shown, linked, places, characters, line, colours) for line in range(3)),
        dark=dark,
        height=int(_ROW * n_rows + _AROUND),
        dragmode=False,
        margin={"l": 4, "r": 4, "t": _AROUND // 2, "b": _AROUND // 2},
        shapes=[_box(table.name, linked, places[table.name], colours) for table in shown],
        xaxis={"visible": False, "range": [-0.02, n_columns - 1 + _BOX_WIDE + 0.02], "fixedrange": True},
        yaxis={"visible": False, "range": [n_rows - 0.5, -0.5], "fixedrange": True},
    )


def in_words(tables: Sequence[NamedTable], linked: Linked) -> str:
    """What the picture shows, in sentences."""
    return " ".join(
        f"{table.name}: {', '.join(_lines(table, linked)[1:])}{_hanging(linked.key_of(table.name))}."
        for table in tables
    )


def _hanging(key: Key | None) -> str:
    if key is None:
        return ""
    return f"; below {key.parent} by {key.column}, {_rows(key)} for each of its rows that has any"


def _rows(key: Key) -> str:
    """How many rows a row of the parent has."""
    return f"{key.rows_a_parent:,.0f}" if key.rows_a_parent >= 100 else f"{key.rows_a_parent:.3g}"


def _lines(table: NamedTable, linked: Linked) -> list[str]:
    """What stands in a box."""
    size = f"{count(table.records.n_records, 'rows')}, {count(len(table.columns), 'columns')}"
    own = linked.person_columns.get(table.name, "")
    who = "household" if households.are_numbered_by(own) else "person"
    if table.name == linked.person_table:
        whose = f"a row a {who}"
    elif own:
        whose = f"{who}: {own}"
    else:
        whose = "persons by its key" if linked.key_of(table.name) is not None else "names no person"
    return [table.name, size, whose]


def _box(table: str, linked: Linked, place: Place, colours: Palette) -> dict[str, Any]:
    of_persons = table == linked.person_table
    alone = linked.key_of(table) is None and table not in linked.person_columns
    return {
        "type": "rect",
        "layer": "below",
        "x0": place.column,
        "x1": place.column + _BOX_WIDE,
        "y0": place.row - _BOX_TALL / 2,
        "y1": place.row + _BOX_TALL / 2,
        "fillcolor": colours.little if of_persons else colours.ground,
        "line": {
            "color": colours.much if of_persons else colours.original,
            "width": 2 if of_persons else 1,
            "dash": "dash" if alone else "solid",
        },
    }


def _texts(
    tables: Sequence[NamedTable], linked: Linked, places: dict[str, Place], characters: int, line: int, colours: Palette
) -> go.Scatter:
    """One line of the text of all boxes."""
    lines = [_lines(table, linked) for table in tables]
    at = [places[table.name] for table in tables]
    shown = [label(table_lines[line], characters) for table_lines in lines]
    return go.Scatter(
        x=[place.column + _EDGE * _BOX_WIDE for place in at],
        y=[place.row + (line - 1) * (_LINE + 4) / _ROW for place in at],
        mode="text",
        text=[f"<b>{text}</b>" for text in shown] if line == 0 else shown,
        textposition="middle right",
        textfont={"size": 14 if line == 0 else 12, "color": colours.faint if line == 1 else colours.ink},
        hovertext=["<br>".join(escape(part) for part in table_lines) for table_lines in lines],
        hoverinfo="text",
        cliponaxis=False,
    )


def _arrow(key: Key, places: dict[str, Place], n_columns: int, colours: Palette) -> go.Scatter:
    """From a table to one that hangs below it, with how many of its rows each row has there."""
    begin, end = places[key.parent], places[key.table]
    left, right = begin.column + _BOX_WIDE, float(end.column)
    middle = left + 0.12 * (right - left)
    pixel = n_columns / _WIDE
    head = right - _HEAD_WIDE * pixel
    tall = _HEAD_TALL / _ROW
    way = [(left, begin.row), (middle, begin.row), (middle, end.row), (right, end.row)]
    way += [(head, end.row - tall), (right, end.row), (head, end.row + tall)]
    return go.Scatter(
        x=[*(x for x, _ in way), None, middle + 4 * pixel],  # the last is where the text begins
        y=[*(y for _, y in way), None, end.row],
        mode="lines+text",
        line={"color": colours.faint, "width": 1.5},
        text=[""] * (len(way) + 1) + [f"{_rows(key)} each"],
        textposition="top right",
        textfont={"size": 12, "color": colours.ink},
        hovertext=f"{escape(key.table)}.{escape(key.column)} names {escape(key.parent)}.{escape(key.parent_column)}<br>"
        f"{percent(key.inside)} of its values are there<br>{_rows(key)} for each row that has any",
        hoverinfo="text",
    )

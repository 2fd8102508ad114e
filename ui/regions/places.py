"""The areas: from a file or the sample, which of its columns say what, and how the records name them."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import streamlit as st

from anonlib import words
from anonlib.dataset import Dataset
from anonlib.errors import InputError
from anonlib.regions import AreaClasses, Areas
from anonlib.regions.reading import AreaFile, suggest_area_column
from anonlib.roles import Role
from ui import cache, guard, page, state, tables
from ui.text import plain, printable

FORMATS = "GeoPackage, GeoJSON, a zipped Shapefile, or a table (CSV, Excel, OpenDocument, Parquet) with coordinates"
NO_COLUMN = "(none)"


def ask_file(label: str = "Load areas") -> None:
    """The control that loads a file of areas."""
    session = state.session()
    key = f"areas-file-{session.generation}-{'' if session.areas_file is None else session.areas_file.digest[:12]}"
    st.file_uploader(
        label, key=key, on_change=guard.action(_load), args=(key,),
        help=f"One row an area: its id as the records name it, where it is, and how many people live there. {FORMATS}.",
    )  # fmt: skip


def _load(key: str) -> None:
    upload = state.uploaded(key)
    if upload is not None:
        tables.load_areas(upload.getvalue(), upload.name)
        state.session().notice = f"The areas of {upload.name} are loaded."


def ask_column(areas: Areas, data: Dataset) -> str:
    """The column of the records that names each record's area."""
    suggested = cache.remember(suggest_area_column, areas, data)
    if suggested in data.identifiers:
        raise InputError(
            f"“{suggested}” names the areas, but its role is Identifier, and so it is in no release. Make it a Place "
            "on the Data page."
        )
    offered = [name for name in data.columns if name not in (data.person_id, data.weight, *data.identifiers)]
    name = f"regions-column-{areas.key[:12]}-{hash(tuple(offered))}"
    marked = [column for column in data.columns_with(Role.PLACE) if column in offered]
    now = state.setting(name, suggested if suggested in offered else (marked or offered)[0])
    return st.selectbox(
        "Records name their area in", offered, offered.index(now), format_func=printable, key=state.kept(name),
        help="The column of your file that holds the areas’ ids.",
    )  # fmt: skip


def say_role(data: Dataset, column: str) -> None:
    """A warning, with the way out, where the release would not count the place as known."""
    if column in data.quasi_identifiers:
        return
    with st.container(border=True, horizontal=True, vertical_alignment="center"):
        st.markdown(
            f":material/warning: {page.listed([column])} is no place and no quasi-identifier on the Data page, so k on "
            "the other pages does not count it."
        )
        st.button("Make it a place", on_click=guard.action(_make_place), args=(column,))


def _make_place(column: str) -> None:
    state.set_roles(state.session().roles | {column: Role.PLACE})


def show(file: AreaFile, areas: Areas | None) -> None:
    """The file of areas: what was read, its columns, and where to load another."""
    left, right = st.columns([1, 1.4], gap="large")
    with left:
        st.markdown(f"**{plain(file.name, 60)}**: {words.count(len(file.table), 'areas')}.")
        for note in (*file.notes, *(areas.notes if areas is not None else ())):
            st.caption(plain(note))
        ask_columns(file)
        ask_file("Load other areas")
        st.button(
            "Forget these areas", on_click=guard.action(tables.forget_areas), icon=":material/delete:",
            help="A file whose columns have to be chosen by hand can be loaded once these are forgotten.",
        )  # fmt: skip
    with right:
        page.table(file.table.head(200), f"The first {min(200, len(file.table))} areas of the file", height=420)
        page.counts("The file of areas as it was read; at most 200 rows are shown.")


def ask_columns(file: AreaFile) -> None:
    """Which column is the id, the place and the number of people."""
    columns = state.session().area_columns
    assert columns is not None
    names = [str(name) for name in file.table.columns]
    asked = [("Area id", "id", columns.id, False), ("People who live there", "population", columns.population, True)]
    if file.geometry is None:
        asked[1:1] = [
            ("Longitude or x", "x", columns.x, False),
            ("Latitude or y", "y", columns.y, False),
        ]
    for label, field, chosen, optional in asked:
        offered = [NO_COLUMN, *names] if optional or chosen is None else names
        key = f"areas-{field}-{file.digest[:12]}-{state.session().restored}"
        st.selectbox(
            label, offered, offered.index(chosen) if chosen in offered else 0, format_func=printable, key=key,
            on_change=guard.action(_choose), args=(field, key),
            help="Without it each area counts as many people as it has records." if optional else None,
        )  # fmt: skip
    if file.geometry is None or file.geometry.crs is None:
        key = f"areas-crs-{file.digest[:12]}-{state.session().restored}"
        st.text_input(
            "Coordinate system", state.session().area_crs or "", key=key, placeholder="EPSG:4326",
            on_change=guard.action(_choose_crs), args=(key,),
            help="The EPSG code of the coordinates, such as EPSG:3347. Left empty, coordinates that can be longitude "
            "and latitude are taken as such, and others as metres.",
        )  # fmt: skip


def _choose_crs(key: str) -> None:
    state.session().area_crs = st.session_state[key].strip() or None


def _choose(field: str, key: str) -> None:
    session = state.session()
    chosen = st.session_state[key]
    assert session.area_columns is not None
    named: dict[str, Any] = {field: None if chosen == NO_COLUMN else chosen}
    session.area_columns = replace(session.area_columns, **named)


def said_of(counted: AreaClasses, left_out: int, prepared: str) -> str:
    """What was counted, and which records are in no area or left out for what is missing, as Markdown."""
    unit, population = counted.unit, counted.areas.population
    said = [f"{words.count(counted.n_records, unit)} in {words.count(counted.n_areas, 'areas')}"]
    if empty := int((counted.records == 0).sum()):
        said[0] += f", {empty:,} of them without {unit}"
    said[0] += "."
    if prepared:
        said.append(prepared)
    if population is None:
        said.append(f"The areas’ file names no number of people: each area counts as many as it has {unit}.")
    elif nobody := int(((population == 0) & (counted.records > 0)).sum()):
        said.append(f"**{words.count(nobody, 'areas')}** with {unit} have a population of 0: check its column.")
    elif int(population.sum()) < counted.n_records:
        said.append(f"There are more {unit} than people in the areas: check the population’s column.")
    elsewhere, away = counted.unknown - counted.several, []
    if elsewhere:
        away.append(f"{words.count(elsewhere, unit)} name an area that is not in the file")
    if counted.without:
        away.append(f"{words.count(counted.without, unit)} name no area")
    if left_out:
        away.append(f"{words.count(left_out, 'records')} lack a quasi-identifier (Data page)")
    if away:
        said.append(f"**Not counted, and left out of a release:** {', '.join(away)}.")
    if counted.several:
        said.append(
            f"{words.count(counted.several, 'people')} have rows in several areas and are not counted here; the "
            "release keeps them where enough others share the set of their regions."
        )
    return " ".join(said)

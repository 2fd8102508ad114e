"""The file of areas: loaded or the way to one, which of its columns say what, and how the records name its areas."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import Any

import streamlit as st

from anonlib.analyses.regions import Areas
from anonlib.analyses.regions.reading import AreaFile, suggest_area_column
from anonlib.basics import words
from anonlib.basics.errors import InputError
from anonlib.columns.roles import Role
from anonlib.dataset import Dataset
from pages.protect.regions.question import CountedAreas
from ui.files import upload
from ui.kit import glossary, page
from ui.session import cache, companions, decide, guard, keep, state
from ui.session.companions import AreaTable
from ui.session.state import session
from ui.text import plain, printable

_suggest_area_column = cache.remembered(suggest_area_column)

FORMATS = "GeoPackage, GeoJSON, a zipped Shapefile, or a table (CSV, Excel, OpenDocument, Parquet) with coordinates"
NO_COLUMN = "(none)"
SHOWN_ROWS = 200


# ---- loading --------------------------------------------------------------------------------------------------------


def require_areas(does: str, sample: str) -> Areas:
    """The areas of the session, or the way there (and the script ends there)."""
    if state.part(AreaTable).file is None:
        with st.container(border=True):
            st.markdown(f"**No areas are loaded.** {does}")
            st.markdown(
                "It needs a second file: one row an area, with the id that your records name, and where it is: "
                f"{FORMATS}."
            )
            _ask_file("Load areas")
            st.button(
                f"Open the {sample} sample instead of your file", on_click=guard.action(upload.open_sample),
                args=(sample,), icon=":material/science:",
                help="Opens the sample in the place of the file that is loaded.",
            )  # fmt: skip
        st.stop()
    try:
        areas = companions.areas()
        assert areas is not None
        return areas
    except InputError as error:
        st.error(plain(str(error)), icon=":material/error:")
        show(None)
        st.stop()


def _ask_file(label: str) -> None:
    key = keep.key("areas-file")
    st.file_uploader(
        label, key=key, on_change=guard.action(_load), args=(key,),
        help=glossary.linked(
            f"One row an area: its id as the records name it, where it is, and how many people live there. {FORMATS}.",
            "area",
        ),
    )  # fmt: skip


def _load(key: str) -> None:
    upload = keep.uploaded(key)
    if upload is not None:
        companions.load_areas(upload.getvalue(), upload.name)
        keep.renew("areas-file")
        session().notice = f"The areas of {upload.name} are loaded."


# ---- the tab --------------------------------------------------------------------------------------------------------


def show(areas: Areas | None) -> None:
    """What was read, its columns, and where to load another."""
    file = state.part(AreaTable).file
    assert file is not None
    left, right = st.columns([1, 1.4], gap="large")
    with left:
        st.markdown(f"**{plain(file.name, 60)}**: {words.count(len(file.table), 'areas')}.")
        for note in (*file.notes, *(areas.notes if areas is not None else ())):
            st.caption(plain(note))
        _ask_columns(file)
        _ask_file("Load other areas")
        st.button(
            "Forget these areas", on_click=guard.action(companions.forget_areas), icon=":material/delete:",
            help="A file whose columns have to be chosen by hand can be loaded once these are forgotten.",
        )  # fmt: skip
    with right:
        shown = file.table.head(SHOWN_ROWS)
        page.table(shown, f"The first {len(shown)} areas of the file", height=420)
        page.counts(f"The file of areas as it was read; at most {SHOWN_ROWS} rows are shown.")


def _ask_columns(file: AreaFile) -> None:
    """Which column is the id, the place and the number of people."""
    table = state.part(AreaTable)
    columns = table.columns
    assert columns is not None
    names = [str(name) for name in file.table.columns]
    fields = [("Area id", "id", columns.id, False), ("People who live there", "population", columns.population, True)]
    if file.geometry is None:
        fields[1:1] = [
            ("Longitude or x", "x", columns.x, False),
            ("Latitude or y", "y", columns.y, False),
        ]
    for label, field, chosen, optional in fields:
        offered = [NO_COLUMN, *names] if optional or chosen is None else names
        keep.select(
            f"areas-{field}", label, offered, chosen if chosen in offered else offered[0],
            take=partial(_take_column, field), format_func=printable,
            help=glossary.linked(
                "Without it each area counts as many people as it has records." if optional else "", "area"
            ),
        )  # fmt: skip
    if file.geometry is None or file.geometry.crs is None:
        keep.text(
            "areas-crs", "Coordinate system", table.crs or "", take=_take_crs, placeholder="EPSG:4326",
            help="The EPSG code of the coordinates, such as EPSG:3347. Left empty, coordinates that can be longitude "
            "and latitude are taken as such, and others as metres.",
        )  # fmt: skip


def _take_column(field: str, chosen: str) -> None:
    columns = state.part(AreaTable).columns
    assert columns is not None
    named: dict[str, Any] = {field: None if chosen == NO_COLUMN else chosen}
    state.change_part(AreaTable, columns=replace(columns, **named))


def _take_crs(crs: str) -> None:
    state.change_part(AreaTable, crs=crs.strip() or None)


# ---- areas and records ----------------------------------------------------------------------------------------------


def ask_column(areas: Areas, data: Dataset, place: Any) -> str:
    """The column of the records that names each record's area."""
    suggested = _suggest_area_column(areas, data)
    if suggested in data.identifiers:
        raise InputError(
            f"“{suggested}” names the areas, but its role is Identifier, and so it is in no release. Make it a Place "
            "on the Data page.",
            code="role-taken",
            column=suggested,
        )
    offered = [name for name in data.columns if name not in (data.person_id, data.weight, *data.identifiers)]
    marked = [column for column in data.columns_with(Role.PLACE) if column in offered]
    return keep.select(
        keep.per("regions-column", areas.key), "Records name their area in", offered,
        suggested if suggested in offered else (marked or offered)[0], place=place, format_func=printable,
        help=glossary.linked("The column of your file that holds the areas’ ids.", "area"),
    )  # fmt: skip


def warn_of_role(data: Dataset, column: str) -> None:
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
    decide.set_roles({**session().roles, column: Role.PLACE})


def counted_in_words(counted: CountedAreas) -> str:
    """What was counted, and which records are in no area or left out for what is missing, as Markdown."""
    classes = counted.classes
    unit, population = classes.unit, classes.areas.population
    empty = int((classes.records == 0).sum())
    sentences = [
        f"{words.count(classes.n_records, unit)} in {words.count(classes.n_areas, 'areas')}"
        + (f", {empty:,} of them without {unit}." if empty else ".")
    ]
    if counted.prepared:
        sentences.append(counted.prepared)
    if population is None:
        sentences.append(f"The areas’ file names no number of people: each area counts as many as it has {unit}.")
    elif nobody := int(((population == 0) & (classes.records > 0)).sum()):
        sentences.append(f"**{words.count(nobody, 'areas')}** with {unit} have a population of 0: check its column.")
    elif int(population.sum()) < classes.n_records:
        sentences.append(f"There are more {unit} than people in the areas: check the population’s column.")
    elsewhere, away = classes.unknown - classes.several, []
    if elsewhere:
        away.append(f"{words.count(elsewhere, unit)} name an area that is not in the file")
    if classes.without:
        away.append(f"{words.count(classes.without, unit)} name no area")
    if counted.left_out:
        away.append(f"{words.count(counted.left_out, 'records')} lack a quasi-identifier (Data page)")
    if away:
        sentences.append(f"**Not counted, and left out of a release:** {', '.join(away)}.")
    if classes.several:
        sentences.append(
            f"{words.count(classes.several, 'people')} have rows in several areas and are not counted here; the "
            "release keeps them where enough others share the set of their regions."
        )
    return " ".join(sentences)

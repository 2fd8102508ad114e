"""The table of slots: from a file, the sample or made up, and changed by hand."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np
import pandas as pd
import streamlit as st

from anonlib.analyses.schedules import Slots
from anonlib.release.export import table_csv
from ui.kit import glossary, page
from ui.kit.release_gate import Holds
from ui.session import companions, guard, keep, state
from ui.session.companions import SlotTable
from ui.session.state import session

FILE, MADE_UP, PAPER, AS_IT_IS = "A table", "Made up", "As in the paper", "As in the file"  # where slots are from
MOST_BY_HAND = 5_000  # rows of the editor


@dataclass(frozen=True)
class Edited:
    """The table as the editor began with it: what was changed by hand is counted from there."""

    table: pd.DataFrame | None = None


def source_setting(from_file: bool, has_table: bool, has_appointments: bool = False) -> str:
    """The name of the setting that says where slots are from, for people of the file or made-up ones."""
    return keep.per("schedules-slots", from_file, has_table, *(["appointments"] if has_appointments else []))


def ask_file() -> None:
    """The control that loads a table of slots."""
    key = keep.key("slots-file")
    st.file_uploader(
        "Load a table of slots", key=key, on_change=guard.action(_load), args=(key,),
        help=glossary.linked(
            "One row a slot: where and when it is, and how many people it takes. CSV, Excel, OpenDocument, Parquet.",
            "slot",
        ),
    )  # fmt: skip


def _load(key: str) -> None:
    upload = keep.uploaded(key)
    if upload is None:
        return
    companions.load_slots(upload.getvalue(), upload.name)
    _look_at_table()
    session().notice = f"The slots of {upload.name} are loaded."


def _look_at_table() -> None:
    """What was put there is what is looked at, no matter who is invited."""
    for from_file, has_appointments in ((True, False), (True, True), (False, False)):
        keep.put(source_setting(from_file, True, has_appointments), FILE)
    keep.renew("slots-file")
    keep.renew("slots-editor")


def show_change(invented: Slots | None) -> None:
    """The table of slots to be changed; those made up, where they are looked at, become a table first."""
    table = state.part(SlotTable).table
    if invented is None:
        if table is None:
            st.markdown("There is no table of slots yet: load one, or have slots made up.")
        else:
            _show_editor(table)
            _show_save(table)
        return
    st.markdown(
        "These slots were made up. Take them over as a table to change them one by one."
        + ("" if table is None else " The table that is loaded gives way to it.")
    )
    st.button("Take them over", on_click=guard.action(_take_over), args=(invented,), icon=":material/edit:")


def _take_over(slots: Slots) -> None:
    table = slots.table.astype(object)
    table["places"] = [str(places) for places in slots.capacities.tolist()]
    state.change_part(SlotTable, table=table)
    _look_at_table()


def _show_editor(table: pd.DataFrame) -> None:
    """The table, to be changed cell by cell; rows can be added and removed."""
    if len(table) > MOST_BY_HAND:
        page.table(table.head(MOST_BY_HAND), f"The first {MOST_BY_HAND:,} slots")
        page.counts(f"{len(table):,} slots are too many to change by hand here: change the file and load it again.")
        return
    key = keep.key("slots-editor")
    if key not in st.session_state:  # shown again: what was changed earlier is in the table by now
        state.change_part(Edited, table=table)
    st.data_editor(
        state.part(Edited).table, key=key, num_rows="dynamic", hide_index=True,
        height=page.table_height(len(table), 560), on_change=guard.action(_edited), args=(key,), width="stretch",
    )  # fmt: skip
    page.counts(
        "One row a slot. Change a cell by double-click; the last row adds a slot; select rows to remove them. "
        "0 places close a slot."
    )


def _show_save(table: pd.DataFrame) -> None:
    page.download(
        "Save slots (CSV)", partial(table_csv, table), "slots.csv", "schedules-slots-csv", holds=Holds.FIGURES,
        help="The table as it is now, to be loaded here again. A project does not hold slots and rules: it is of data "
        "that are there.",
    )  # fmt: skip


def _edited(key: str) -> None:
    began = state.part(Edited).table
    if began is not None:
        state.change_part(SlotTable, table=changed(began, keep.reported(key)))


def changed(table: pd.DataFrame, edits: Mapping[str, Any]) -> pd.DataFrame:
    """The table after what was edited by hand: cells, then rows added, then rows removed."""
    result = table.copy()
    for row, cells in edits.get("edited_rows", {}).items():
        for name, value in cells.items():
            result.loc[result.index[int(row)], name] = _text(value)
    added = [
        {name: _text(row.get(name)) for name in result.columns}
        for row in edits.get("added_rows", [])
        if any(not str(name).startswith("_") for name in row)
    ]
    result = result.drop(index=result.index[list(edits.get("deleted_rows", []))])
    if added:
        result = pd.concat([result, pd.DataFrame(added, columns=result.columns, dtype=object)])
    return result.reset_index(drop=True)


def _text(value: object) -> str | None:
    return None if value is None or value == "" else str(value)


def made_up(people: int, mean: int, spare: float, seed: int) -> np.ndarray:
    """Capacities around a mean, a fifth of it as standard deviation, until there is room for all and ``spare`` more."""
    rng = np.random.default_rng(seed)
    wanted = int(np.ceil(round(people * (1 + spare), 6)))
    capacities = np.zeros(0, dtype=np.int64)
    while capacities.sum() < wanted:
        drawn = rng.normal(mean, mean / 5, (wanted - int(capacities.sum())) // mean + 1)
        capacities = np.append(capacities, np.maximum(1, np.rint(drawn)).astype(np.int64))
    up_to = np.cumsum(capacities)
    capacities = capacities[: int(np.searchsorted(up_to, wanted)) + 1]
    capacities[-1] -= int(capacities.sum()) - wanted
    return capacities

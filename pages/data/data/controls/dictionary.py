"""What columns and codes mean: as the file says, and as a dictionary beside it does."""

from __future__ import annotations

import pandas as pd
import streamlit as st

from anonlib.basics import words
from anonlib.basics.errors import InputError
from anonlib.columns.dictionaries import FORMS, MOST_LABELS, read_dictionary
from anonlib.filing.project import Loaded
from anonlib.reading.sources import Described
from ui.files import data_file
from ui.kit import page
from ui.server.keeping import forget_uploads
from ui.session import guard, keep, names, view
from ui.session.state import session
from ui.text import printable

_LABELS_SHOWN = 6  # of a column, in the table
_LONGEST = 120  # characters of these


def show() -> None:
    """What is known, where another dictionary comes in, and whether labels are shown."""
    loaded = session().loaded
    assert loaded is not None
    known = [
        description
        for description in loaded.known.values()
        if description.in_words or description.labels or description.missing
    ]
    with st.expander(_title(loaded, known), expanded=False, key=keep.key("dictionary")):
        _ask()
        if loaded.described:
            st.button(
                "Forget the dictionary", key="forget-dictionary", icon=":material/close:",
                on_click=guard.action(forget), help="What the file says of itself stays.",
            )  # fmt: skip
        _ask_labels(loaded)
        if known:
            _show_table(known)


def _title(loaded: Loaded, known: list[Described]) -> str:
    n_columns = words.count(len(loaded.columns), "columns")
    if not known:
        return "Data dictionary: what columns and codes mean (none yet)"
    labelled = sum(bool(description.labels) for description in known)
    labels = f", labels of codes for {labelled}" if labelled else ""
    return f"Data dictionary: {len(known)} of {n_columns} are described{labels}"


def _ask() -> None:
    """A dictionary as a file, or pasted."""
    file, text = page.beside(1, 1)
    key = keep.key("dictionary-file")
    file.file_uploader(
        "Add a data dictionary as a file", key=key, on_change=guard.action(_load), args=(key,),
        help=f"{', '.join(FORMS)}. It is held in memory, and saved with the project.",
    )  # fmt: skip
    pasted = keep.key("dictionary-text")
    text.text_area(
        "Or paste one", key=pasted, height=100, placeholder="AGEP: Age, years\nSEX: Sex",
        help="A table with a heading, choices such as “1, Male | 2, Female”, or lines of a name and what it means.",
    )  # fmt: skip
    text.button("Use what is pasted", key="use-dictionary", on_click=guard.action(_paste), args=(pasted,))


def _load(key: str) -> None:
    upload = keep.uploaded(key)
    if upload is not None:
        take(upload.getvalue(), upload.name)


def _paste(key: str) -> None:
    take(str(keep.reported(key)).encode(), "pasted text")
    keep.renew("dictionary-text")


def _ask_labels(loaded: Loaded) -> None:
    """Whether labels are shown, where there are any."""
    labelled = [name for name, description in loaded.known.items() if description.labels]
    if not labelled:
        return
    keep.toggle(
        "with-labels", "Show labels in the place of codes", loaded.with_labels, take=show_labels,
        help="On every page; what leaves has the codes of the file, with the labels beside them where a format can.",
    )  # fmt: skip
    if loaded.with_labels:
        data = view.now().data
        shown = set() if data is None else set(data.codes)
        keep.several(
            "in-codes", "Columns whose codes are shown all the same",
            [name for name in labelled if name in shown or name in loaded.in_codes], loaded.in_codes,
            take=show_codes_of, format_func=names.titled, placeholder="Choose columns, or leave all labels",
        )  # fmt: skip


def _show_table(known: list[Described]) -> None:
    page.table(
        pd.DataFrame(
            {
                "Column": [printable(description.name) for description in known],
                "What it is": [printable(description.title) for description in known],
                "Unit": [printable(description.unit) for description in known],
                "Codes": [_codes(description) for description in known],
                "Means missing": [printable(", ".join(description.missing)) for description in known],
            }
        ),
        "What is known of columns, one in a row, with their codes.",
        height=page.table_height(len(known), 320),
    )


def _codes(described: Described) -> str:
    listed = "; ".join(f"{code} = {label}" for code, label in described.labels[:_LABELS_SHOWN])
    more = len(described.labels) - _LABELS_SHOWN
    shown = printable(listed)
    shown = shown if len(shown) <= _LONGEST else shown[: _LONGEST - 1] + "…"
    return f"{shown}; {more} more" if more > 0 else shown


# ---- what is done to the dictionary of the session ----


def take(data: bytes, name: str) -> None:
    """Use a dictionary for the loaded file. Raises InputError where it is none of it, and then nothing changes.

    What it says is added to what an earlier one says of the same columns.
    """
    now = session()
    assert now.loaded is not None
    columns = now.loaded.columns
    dictionary = read_dictionary(data, name)
    descriptions = dictionary.on(columns, now.loaded.known)
    if not descriptions:
        raise dictionary.is_of_other_columns()
    earlier = {description.name: description for description in now.loaded.described}
    together = {
        **earlier,
        **{description.name: description.over(earlier.get(description.name)) for description in descriptions},
    }
    described = tuple(together[name] for name in columns if name in together)
    if sum(len(description.labels) for description in described) > MOST_LABELS:
        raise InputError(
            f"Together the dictionaries list more than {MOST_LABELS:,} codes. Forget the earlier one first.",
            code="dictionary-too-large",
        )
    data_file.prepare(described=described)
    now.notice = f"{dictionary.says(columns)} Suggested roles follow it; what you decided stays."
    forget_uploads()


def forget() -> None:
    """Let what dictionaries say go; what the file says of itself stays."""
    data_file.prepare(described=())


def show_labels(shown: bool) -> None:
    """Whether codes are shown by their labels."""
    data_file.prepare(with_labels=shown)


def show_codes_of(columns: list[str]) -> None:
    """Show the codes of these columns all the same."""
    data_file.prepare(in_codes=tuple(columns))

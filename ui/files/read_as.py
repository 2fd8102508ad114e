"""How a file was read, and the form in which the officer corrects it."""

from __future__ import annotations

from collections.abc import Callable

import streamlit as st

from anonlib.basics import words
from anonlib.filing.project import LoadedFile, LoadedTable, LoadedTables
from anonlib.reading.sources import DELIMITER_NAMES, ENCODINGS, Reading, ReadOptions
from ui.files import data_file, projects
from ui.session import guard, keep
from ui.session.state import session
from ui.text import plain, printable

_NOTES_SHOWN, _NOTES_MOST = 12, 200
_DECIDE = "decide from the content"


def show_reading() -> None:
    """What is loaded: name, size, format and the notes on everything that was assumed."""
    loaded = session().loaded
    if isinstance(loaded, LoadedTable):
        _show_table(loaded)
        return
    if isinstance(loaded, LoadedTables):
        _show_notes(loaded.notes)
        return
    assert isinstance(loaded, LoadedFile)
    source, reading = loaded.source, loaded.source.reading
    how = [plain(reading.format)]
    how += [f"encoding {plain(reading.encoding)}"] if reading.encoding else []
    how += [f"delimiter {plain(reading.delimiter_name)}"] if reading.delimiter else []
    how += [f"sheet {plain(reading.sheet, 40)}"] if reading.sheet else []
    if reading.header is not None:
        how += ["first row is the header" if reading.header else "no header row"]
    st.markdown(f"**{plain(source.name, 80)}** ({words.size(source.n_bytes)}) was read as {', '.join(how)}.")
    _show_notes(loaded.notes)


def _show_table(loaded: LoadedTable) -> None:
    size = loaded.offered.n_bytes
    size_in_words = "" if size is None else f" ({words.size(size)})"
    st.markdown(
        f"**{plain(loaded.name, 80)}**{size_in_words} is {plain(loaded.offered.kind)}, and stays where it is: only "
        "counts come here, and the records of the preview."
    )
    if changed := loaded.offered.why_changed(loaded.opened):
        st.warning(plain(changed), icon=":material/warning:")
    _show_notes(loaded.notes)


def show_correction() -> None:
    """What can be corrected about the loaded file, as far as its format has it."""
    loaded = session().loaded
    if not isinstance(loaded, LoadedFile):
        return
    if loaded.source.reading.delimiter is not None or loaded.source.reading.sheets:
        with st.expander("Not read right? Correct it"):
            _form("read", loaded.source.reading, loaded.options, _read_again)


def show_refused() -> None:
    """A file that could not be read as it is: the officer chooses how to read it."""
    refused = session().refused
    if refused is None:
        return
    with st.container(border=True):
        st.error(f"**{plain(refused.name, 80)}** was not read: {plain(refused.message)}", icon=":material/error:")
        loaded = session().loaded
        if loaded is not None:
            st.markdown(f"**{plain(loaded.name, 80)}** is still loaded.")
        with st.expander("Read it in another way"):
            _form("refused", Reading("text"), ReadOptions(), _read_refused)
        st.button("Leave it", on_click=guard.action(_leave_refused))


def _show_notes(notes: tuple[str, ...]) -> None:
    _list(notes[:_NOTES_SHOWN])
    if len(notes) > _NOTES_SHOWN:
        with st.expander(f"{len(notes) - _NOTES_SHOWN} more notes"):
            _list(notes[_NOTES_SHOWN:_NOTES_MOST])


def _list(notes: tuple[str, ...]) -> None:
    if notes:
        st.markdown("\n".join(f"- {plain(note, 400)}" for note in notes))


def _form(name: str, reading: Reading, options: ReadOptions, submit: Callable[[str], None]) -> None:
    prefix = f"{keep.key(name)}-"
    with st.form(f"{prefix}form", border=False):
        first, second, third, fourth, fifth = st.columns(5)
        if reading.sheets:
            index = reading.sheets.index(reading.sheet) if reading.sheet in reading.sheets else 0
            first.selectbox("Sheet", reading.sheets, key=f"{prefix}sheet", index=index, format_func=printable)
        else:
            with first:
                as_found = f"as found: {reading.encoding}" if reading.encoding else _DECIDE
                _choice("Encoding", ENCODINGS, options.encoding, f"{prefix}encoding", as_found)
            with second:
                as_found = f"as found: {reading.delimiter_name}" if reading.delimiter else _DECIDE
                _choice("Delimiter", DELIMITER_NAMES, options.delimiter, f"{prefix}delimiter", as_found)
        third.selectbox(
            "First row is the header",
            ["Yes", "No"],
            key=f"{prefix}header",
            index=None if reading.header is None else int(not reading.header),
            placeholder=_DECIDE,
        )
        above, below = "Title or comment lines above the header.", "Totals or notes below the data."
        if options.keep_lines:
            below += " They are kept as records now; the switch for that is above."
        fourth.number_input(
            "Lines to skip above",
            0,
            10_000,
            reading.skip_rows,
            key=f"{prefix}skip-rows",
            help=above,
            placeholder="as found",
        )
        fifth.number_input(
            "Lines to skip below",
            0,
            10_000,
            None if options.keep_lines else reading.skip_footer,
            key=f"{prefix}skip-footer",
            disabled=options.keep_lines,
            help=below,
            placeholder="none" if options.keep_lines else "as found",
        )
        if not reading.sheets:
            st.checkbox("Fill rows that end early with missing cells", options.fill_short_rows, key=f"{prefix}fill")
            st.checkbox("Quotation marks are ordinary text", options.quote == "", key=f"{prefix}no-quotes")
        st.form_submit_button("Read again", on_click=guard.action(submit), args=(prefix,))


def _choice(label: str, names: dict[str, str], chosen: str | None, key: str, placeholder: str) -> None:
    values = list(names)
    index = values.index(chosen) if chosen in values else None
    st.selectbox(label, values, index, key=key, format_func=names.__getitem__, placeholder=placeholder)


def _chosen(prefix: str, before: ReadOptions) -> ReadOptions:
    """What the form asks for; what is done with lines below the table stays as before while they are kept."""
    values = st.session_state
    return ReadOptions(
        keep_lines=before.keep_lines,
        encoding=values.get(f"{prefix}encoding"),
        delimiter=values.get(f"{prefix}delimiter"),
        header={"Yes": True, "No": False}.get(values.get(f"{prefix}header") or ""),
        skip_rows=values.get(f"{prefix}skip-rows"),
        skip_footer=before.skip_footer if before.keep_lines else values.get(f"{prefix}skip-footer"),
        sheet=values.get(f"{prefix}sheet"),
        quote="" if values.get(f"{prefix}no-quotes") else None,
        fill_short_rows=values.get(f"{prefix}fill", False),
    )


def _read_again(prefix: str) -> None:
    loaded = session().loaded
    assert loaded is not None
    data_file.reread(_chosen(prefix, loaded.options))


def _read_refused(prefix: str) -> None:
    refused = session().refused
    assert refused is not None
    data_file.load_upload(refused.data, refused.name, _chosen(prefix, ReadOptions()))
    if session().arriving is None:
        projects.use_waiting()


def _leave_refused() -> None:
    session().refused = None

"""Files that are uploaded, and the samples that come with Anonscope."""

from __future__ import annotations

import time
from functools import partial

import numpy as np
import streamlit as st

from anonlib.basics.errors import InputError
from anonlib.basics.progress import Progress
from anonlib.filing.project import Loaded, LoadedFile
from anonlib.reading.samples import SAMPLES, Sample
from anonlib.reading.sources import ReadOptions, Source, open_source
from ui.files import data_file, projects
from ui.session import away, companions, decide, guard, keep, long_work
from ui.session.state import Arriving, ArrivingTable, ArrivingTables, session
from ui.text import plain


def ask_file() -> None:
    """Choose a file, or drop it here; one that is loaded already gives way to it."""
    key = keep.key("upload")
    st.file_uploader(
        "Load a file, or several tables of the same persons (CSV, Excel, OpenDocument, Parquet, SPSS, Stata, SAS; "
        "500 MB at most)",
        key=key,
        accept_multiple_files=True,
        help="Several files together, a zip of them or FHIR bulk files are opened as tables with keys between them, "
        "such as patients, their visits and laboratory values. It is held in memory for this session only, "
        "and what is loaded now stays if the file cannot be read. "
        "A larger file: keep the columns you need, or start Anonscope with its folder, "
        "`anonscope serve --data folder`, and open it where it is, as connected data.",
        on_change=guard.action(_load),
        args=(key,),
    )


def _load(key: str) -> None:
    uploads = keep.all_uploaded(key)
    if uploads:
        keep.renew("upload")  # or what is given next would come beside these
    if keep.is_dropped(key):
        raise InputError(
            "The page was changing while a file was given to it, and it was not taken. Give it again.",
            code="upload-not-taken",
        )
    if uploads:
        with st.spinner("Reading the file…", show_time=True):
            files = [(upload.name, upload.getvalue()) for upload in uploads]
            data_file.load_uploads(files)
            if session().arriving is None:
                projects.use_waiting()


_EVERY = 0.2  # seconds between two looks at the screen
_PLACES = 40  # more than any page has one below the other


def take_in() -> None:
    """Read the file that arrives, if one does, as the first thing of a page; the page comes once it is read."""
    arriving = session().arriving
    if arriving is None:
        return
    what = "file" if isinstance(arriving, Arriving) else "table"
    st.title(f"Reading a {what}", anchor=False)
    st.markdown(f"The page comes once the {what} is read.")
    with st.container(border=True):
        name = f"**{plain(arriving.name, 80)}** ({plain(arriving.size)})"
        bar = st.progress(0.0, f"Reading {name}")
        loaded = session().loaded
        if loaded is not None and not arriving.again:
            st.caption(f"{plain(loaded.name, 80)} stays loaded until this {what} is read.")
        st.button("Stop reading", key="stop-reading", icon=":material/stop:", on_click=guard.action(_stop))
    for _ in range(_PLACES):  # what the page showed before would stay until the end of the run, and be clicked
        st.empty()
    drawn = time.monotonic()

    def progress(share: float, _so_far: None = None, /) -> None:
        nonlocal drawn
        long_work.let_go(share)
        if time.monotonic() - drawn > _EVERY:
            drawn = time.monotonic()
            bar.progress(min(share, 1.0), f"Reading {name}: {share:.0%}")

    try:
        read: Loaded | InputError = _read(arriving, progress)
    except InputError as error:
        read = error
    except Exception:
        session().arriving = None  # it would fail again
        raise
    guard.action(_use)(arriving, read)
    st.rerun()


def _read(arriving: Arriving | ArrivingTable | ArrivingTables, progress: Progress) -> Loaded:
    """What arrives, read: a file away from the page, tables where their engine is."""
    if not isinstance(arriving, Arriving):
        return arriving.read(progress)
    content = np.frombuffer(arriving.data, dtype=np.uint8)  # moves without a copy
    source = away.compute(partial(_source, content, arriving.name, arriving.options), progress)
    return LoadedFile(arriving.data, source, arriving.options)


def _source(content: np.ndarray, name: str, options: ReadOptions, progress: Progress) -> Source:
    return open_source(content.tobytes(), name, options, progress=progress)


def _use(arriving: Arriving | ArrivingTable | ArrivingTables, read: Loaded | InputError) -> None:
    """Make the file that was read the session's, unless it was stopped or another was opened meanwhile."""
    if session().arriving is arriving:
        data_file.arrive(arriving, read)
        if not arriving.again:
            projects.use_waiting()


def _stop() -> None:
    arriving = session().arriving
    if arriving is not None:
        data_file.leave()
        session().notice = f"{arriving.name} was not read: you stopped it."


# ---- samples ----


def sample(key: str) -> Sample:
    """The sample of a key."""
    return next(sample for sample in SAMPLES if sample.key == key)


def open_sample(key: str) -> None:
    """Load a sample with its roles, and the files that go with it."""
    chosen = sample(key)
    data_file.load(chosen.read_bytes(), chosen.filename)
    decide.set_roles(chosen.roles)
    if chosen.population:
        companions.load_population(chosen.path.with_name(chosen.population).read_bytes(), chosen.population)
    if chosen.areas:
        companions.load_areas(chosen.path.with_name(chosen.areas).read_bytes(), chosen.areas)
    if chosen.slots:
        companions.load_slots(chosen.path.with_name(chosen.slots).read_bytes(), chosen.slots)
    session().notice = f"{chosen.title} is loaded, with its roles accepted."
    projects.use_waiting()

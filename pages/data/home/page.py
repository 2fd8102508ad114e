"""Home: what this is, how the work goes, and samples in one click."""

import streamlit as st

from anonlib import words
from anonlib.public_data import PUBLIC_DATA, load_public
from anonlib.samples import SAMPLES
from ui import guard, loading, opening, page, read_as, view
from ui.state import session
from ui.text import plain

STEPS = (
    (
        page.DATA,
        "1  Data",
        "Load a file, check how it was read, and say what each column is.",
        ":material/table_chart:",
    ),
    (
        page.RISK,
        "2  Risk",
        "See who could be singled out, by whom, and which columns make it so.",
        ":material/monitoring:",
    ),
    (
        page.INDIVIDUALS,
        "3  Individuals",
        "See whose sensitive values can be inferred, and from how much knowledge.",
        ":material/person_search:",
    ),
    (
        page.LEAKAGE,
        "4  Leakage",
        "See which columns, and which combinations, give people away.",
        ":material/water_drop:",
    ),
    (
        page.GENERALIZE,
        "5  Generalize",
        "Find how coarse columns must be to reach k, at the least cost.",
        ":material/account_tree:",
    ),
    (
        page.REGIONS,
        "6  Regions",
        "Merge small areas into regions, on a map, so that where someone lives gives nobody away.",
        ":material/map:",
    ),
    (
        page.FRONTIER,
        "7  Frontier",
        "Find the recodings that trade risk for detail best, and see how Safe Harbor stands to them.",
        ":material/area_chart:",
    ),
    (
        page.SCHEDULES,
        "8  Schedules",
        "We have not collected it yet: invite people so that the appointment gives nobody away.",
        ":material/calendar_month:",
    ),
    (
        page.RELEASE,
        "9  Release",
        "Drop, recode and suppress until k holds, and take the file home.",
        ":material/outbox:",
    ),
)


def show_workflow() -> None:
    for start in range(0, len(STEPS), 3):
        for column, (target, label, text, icon) in zip(st.columns(3), STEPS[start : start + 3], strict=False):
            with column, st.container(border=True, height="stretch"):
                st.page_link(target, label=f"**{label}**", icon=icon)
                st.markdown(text)


def show_samples() -> None:
    st.subheader("Or start with a sample", anchor=False)
    st.markdown("Small invented or published data, so that every page says something at once.")
    for start in range(0, len(SAMPLES), 3):
        for column, sample in zip(st.columns(3), SAMPLES[start : start + 3], strict=False):
            with column, st.container(border=True, height="stretch"):
                st.markdown(f"**{plain(sample.title)}**")
                st.caption(plain(sample.description))
                st.button(
                    "Open",
                    key=f"open-{sample.key}",
                    help=f"Load {plain(sample.filename)} with its roles accepted",
                    icon=":material/science:",
                    on_click=guard.action(page.open_sample),
                    args=(sample.key,),
                )


def fetch_public(key: str) -> None:
    entry = PUBLIC_DATA[key]
    loading.load(load_public(key), f"{entry.key}.csv")
    session().notice = f"{entry.title} is loaded. Accept its suggested roles on the Data page."


def show_public_data() -> None:
    with st.expander("Public data sets, downloaded when you ask"):
        st.markdown(
            "The only thing here that uses the network, and only when you press a button: it asks the UCI Machine "
            "Learning Repository for the file and sends nothing of yours. The file is kept in this computer’s cache."
        )
        for entry in PUBLIC_DATA.values():
            name, button = st.columns([5, 1], vertical_alignment="center")
            name.markdown(f"**{plain(entry.title)}** {plain(entry.licence)}")
            button.button(
                "Download",
                key=f"fetch-{entry.key}",
                on_click=guard.action(fetch_public),
                args=(entry.key,),
                width="stretch",
            )


def show_page() -> None:
    page.header(
        "Anonscope", "See who could be re-identified in a file of health data, protect them, and release the rest."
    )
    data = view.now().data
    if data is None:
        opening.ask_file()
    else:
        with st.container(border=True, horizontal=True, vertical_alignment="center"):
            st.markdown(f"**{plain(data.name, 60)}** is loaded: {words.count(data.n_records, 'records')}.")
            if data.quasi_identifiers:
                st.page_link(page.RISK, label="See its risk", icon=":material/arrow_forward:")
            else:
                st.page_link(page.DATA, label="Say what its columns are", icon=":material/arrow_forward:")
    read_as.show_refused()
    show_workflow()
    st.info(
        "**Nothing leaves this machine.** A file you load is held in memory for your session only: it is not sent "
        "anywhere, not written to disk, and dropped when you forget it or close the tab.",
        icon=":material/lock:",
    )
    show_samples()
    show_public_data()


show_page()

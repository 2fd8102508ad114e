"""The ways to begin: the two doors, the samples, and public data that are downloaded when the officer asks."""

from __future__ import annotations

import streamlit as st

from anonlib.reading.public_data import PUBLIC_DATA, load_public
from anonlib.reading.samples import SAMPLES
from ui.files import data_file, read_as, upload
from ui.kit import page
from ui.session import guard, view
from ui.session.state import session
from ui.text import plain

STEPS = (
    (page.DATA, "1  Data", "How the file was read, and what somebody outside could know.", ":material/table_chart:"),
    (page.VERDICT, "2  Verdict", "Who gets it, what that asks, and the least change.", ":material/gavel:"),
    (page.RELEASE, "3  Release", "The protected file, and what was done to it.", ":material/outbox:"),
    (page.REPORT, "4  Report", "What is filed, in the form of your board.", ":material/description:"),
)
MORE: tuple[dict[str, tuple[tuple[str, str, str, str], ...]], ...] = ({  # side by side
    "To look deeper": (
        (page.RISK, "Risk", "who could be singled out", ":material/monitoring:"),
        (page.INDIVIDUALS, "Individuals", "whose values can be inferred", ":material/person_search:"),
        (page.LEAKAGE, "Leakage", "which columns give people away", ":material/water_drop:"),
        (page.ATTACK, "Attack", "what somebody with the release gets", ":material/crisis_alert:"),
    ),
}, {
    "To protect by hand": (
        (page.GENERALIZE, "Generalize", "how coarse columns must be", ":material/account_tree:"),
        (page.REGIONS, "Regions", "small areas merged, on a map", ":material/map:"),
        (page.FRONTIER, "Frontier", "detail against Safe Harbor", ":material/area_chart:"),
    ),
    "To file": (
        (page.CASE, "Case", "who asks, and what for", ":material/assignment:"),
        (page.REGISTER, "Register", "who got which release", ":material/menu_book:"),
    ),
})  # fmt: skip


def show_doors() -> None:
    """What can be done here: two doors beside each other."""
    release, collect = page.beside(7, 3, gap="small")
    with release, st.container(border=True, height="stretch"):
        st.subheader("I have data to release", anchor=False)
        if view.now().data is None:
            upload.ask_file()
        read_as.show_refused()
        for place, (target, label, text, icon) in zip(st.columns(len(STEPS), gap="small"), STEPS, strict=True):
            with place:
                st.page_link(target, label=f"**{label}**", icon=icon)
                st.caption(text)
        for place, groups in zip(st.columns(len(MORE), gap="small"), MORE, strict=True):
            with place:
                for what_for, links in groups.items():
                    st.caption(f"{what_for}:")
                    for target, label, text, icon in links:
                        st.page_link(target, label=f"{label}: {text}", icon=icon)
    with collect, st.container(border=True, height="stretch"):
        st.subheader("I have not collected data yet", anchor=False)
        st.page_link(page.SCHEDULES, label="**Schedules**", icon=":material/calendar_month:")
        st.markdown("Invite people so that the appointment itself gives nobody away: who is called when, and where.")


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
                    on_click=guard.action(upload.open_sample),
                    args=(sample.key,),
                )


def fetch_public(key: str) -> None:
    entry = PUBLIC_DATA[key]
    data_file.load(load_public(key), f"{entry.key}.csv")
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

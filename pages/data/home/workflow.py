"""The two doors: data that are there, on their way to a release, and people who are yet to be invited."""

from __future__ import annotations

import streamlit as st

from ui.files import read_as, upload
from ui.kit import page
from ui.session import view

STEPS = (
    (page.DATA, "1  Data", "How the file was read, and what somebody outside could know.", ":material/table_chart:"),
    (page.VERDICT, "2  Verdict", "Who gets it, what that asks, and the least change.", ":material/gavel:"),
    (page.RELEASE, "3  Release", "The protected file, and what was done to it.", ":material/outbox:"),
    (page.REPORT, "4  Report", "What is filed with it.", ":material/description:"),
)
DEEPER = (
    (page.RISK, "Risk", "who could be singled out", ":material/monitoring:"),
    (page.INDIVIDUALS, "Individuals", "whose values can be inferred", ":material/person_search:"),
    (page.LEAKAGE, "Leakage", "which columns give people away", ":material/water_drop:"),
    (page.GENERALIZE, "Generalize", "how coarse columns must be", ":material/account_tree:"),
    (page.REGIONS, "Regions", "small areas merged, on a map", ":material/map:"),
    (page.FRONTIER, "Frontier", "detail against Safe Harbor", ":material/area_chart:"),
)


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
        st.caption("To look deeper, and to protect by hand:")
        for place, links in zip(st.columns(2, gap="small"), (DEEPER[:3], DEEPER[3:]), strict=True):
            for target, label, text, icon in links:
                place.page_link(target, label=f"{label}: {text}", icon=icon)
    with collect, st.container(border=True, height="stretch"):
        st.subheader("We have not collected it yet", anchor=False)
        st.page_link(page.SCHEDULES, label="**Schedules**", icon=":material/calendar_month:")
        st.markdown("Invite people so that the appointment itself gives nobody away: who is called when, and where.")

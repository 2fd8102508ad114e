"""The way through the pages, one card a page."""

from __future__ import annotations

import streamlit as st

from ui import page

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

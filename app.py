"""Anonscope: how it is served, page setup and navigation, nothing else."""

from functools import partial
from pathlib import Path

import streamlit as st

from ui import server

server.prepare_server()

from ui.files import connected, upload  # noqa: E402  (the server is made safe before anything can be uploaded)
from ui.kit import navigation, sidebar  # noqa: E402
from ui.server import who, workers  # noqa: E402
from ui.session import first_start, guard  # noqa: E402

UI = Path(__file__).parent / "ui"
PAGES = {  # the folder of each page, with its icon
    "": [("data/home", "home"), ("data/data", "table_chart"), ("verdict/verdict", "gavel"), ("data/glossary", "book")],
    "Look deeper": [
        ("measure/risk", "monitoring"), ("measure/individuals", "person_search"), ("measure/leakage", "water_drop"),
        ("measure/attack", "crisis_alert")],
    "Protect by hand": [
        ("protect/generalize", "account_tree"), ("protect/regions", "map"), ("protect/frontier", "area_chart"),
    ],
    "Release": [("release/release", "outbox"), ("release/case", "assignment"), ("release/report", "description"),
                ("release/register", "menu_book")],
    "Not collected yet": [("collect/forecast", "update"), ("collect/schedules", "calendar_month")],
    "Department": [("department/requests", "fact_check"), ("department/reidentification", "person_search"),
                   ("department/administration", "admin_panel_settings")],
}  # fmt: skip


def show() -> None:
    """One run of one session: the page that it is on."""
    server.stop_unless_guarded()
    who.stop_unless_signed_in()
    st.set_page_config(page_title="Anonscope", page_icon=str(UI / "mark.svg"), layout="wide")
    st.logo(str(UI / "logo.svg"), icon_image=str(UI / "mark.svg"), size="large")
    page = navigation.page_of_run(PAGES)
    guard.wait_for_actions()
    with guard.sentences():
        upload.take_in()
    with connected.waited_for():
        show_sidebar = partial(sidebar.show, page.title)
        shown = (page.run, show_sidebar) if sidebar.comes_last(page.title) else (show_sidebar, page.run)
        for part in shown:
            with guard.sentences():
                part()


if __name__ == "__main__":  # as Streamlit runs it for a session
    show()
else:  # as the server imports it
    server.leave_program_out_of_collection()
    first_start.wait_in_words()
    app = st.App(
        __file__, routes=server.routes(), middleware=server.middleware(), lifespan=workers.while_serving,
        on_script_error=guard.show_fault,
    )  # fmt: skip

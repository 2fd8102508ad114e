"""Anonscope: how it is served, page setup and navigation, nothing else."""

from pathlib import Path

import streamlit as st

from ui import server

server.prepare_server()

from ui import guard, sidebar, state  # noqa: E402  (the server is made safe before anything can be uploaded)

UI = Path(__file__).parent / "ui"


def show() -> None:
    """One run of one session: the page that it is on."""
    server.stop_unless_guarded()
    st.set_page_config(page_title="Anonscope", page_icon=str(UI / "mark.svg"), layout="wide")
    st.logo(str(UI / "logo.svg"), icon_image=str(UI / "mark.svg"), size="large")
    page = st.navigation(
        {
            "Data": [
                st.Page("pages/data/home.py", title="Home", icon=":material/home:", default=True),
                st.Page("pages/data/data.py", title="Data", icon=":material/table_chart:"),
            ],
            "Measure": [
                st.Page("pages/measure/risk.py", title="Risk", icon=":material/monitoring:"),
                st.Page("pages/measure/individuals.py", title="Individuals", icon=":material/person_search:"),
                st.Page("pages/measure/leakage.py", title="Leakage", icon=":material/water_drop:"),
            ],
            "Protect": [
                st.Page("pages/protect/generalize.py", title="Generalize", icon=":material/account_tree:"),
                st.Page("pages/protect/regions.py", title="Regions", icon=":material/map:"),
                st.Page("pages/protect/frontier.py", title="Frontier", icon=":material/area_chart:"),
                st.Page("pages/protect/schedules.py", title="Schedules", icon=":material/calendar_month:"),
            ],
            "Release": [st.Page("pages/release/release.py", title="Release", icon=":material/outbox:")],
        }
    )

    guard.wait_for_actions()
    with guard.sentences():
        sidebar.show()
    with guard.sentences(), state.settings_kept():
        page.run()


if __name__ == "__main__":  # as Streamlit runs it for a session
    show()
else:  # as the server imports it
    app = st.App(__file__, routes=server.ROUTES, middleware=server.MIDDLEWARE)

"""Reidentification: who is behind a pseudonym, by two persons together."""

from __future__ import annotations

from pages.department.reidentification import controls
from ui.kit import explain, page


def show_page() -> None:
    page.header("Reidentification", "Who is behind a pseudonym? Two persons find out together, and each step is noted.")
    controls.show_waiting()
    controls.show_asking()
    explain.show_folded("reidentification")


show_page()

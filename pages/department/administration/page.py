"""Administration: what is due, what was done, who is signed in and what the server does; for administrators."""

from __future__ import annotations

from functools import partial

from pages.department.administration import results, summary, tabs
from ui.kit import explain, page


def show_page() -> None:
    page.header("Administration", "What is due in the department, what was done in it, and how does its server do?")
    server = results.server()
    summary.show(server, results.waiting())
    page.tabs(
        "administration-tabs",
        {
            "What is due": tabs.show_due,
            "Audit lines": tabs.show_audit_lines,
            "Server": partial(tabs.show_server, server),
            "Keys": tabs.show_keys,
            "How it works": partial(explain.show, "administration"),
        },
    )


show_page()

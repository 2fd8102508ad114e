"""How many releases there are, and how much is due."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date

from anonlib.filing.register import Register, RegisterEntry
from ui.kit import glossary, page

SOON = 30  # days


def show(register: Register, entries: Sequence[RegisterEntry]) -> None:
    """Four numbers, what is over first."""
    due = register.due(date.today(), SOON)
    over = sum(deadline.is_over for deadline in due)
    metrics = (
        ("Overdue", f"{over:,}", "Days that are past: data to be returned or deleted, releases to be assessed again."),
        (f"Due in {SOON} days", f"{len(due) - over:,}", "The same of days to come."),
        (
            "Open",
            f"{sum(not entry.closed for entry in entries):,}",
            "Releases whose data were not returned or deleted.",
        ),
        ("Releases", f"{len(entries):,}", "All that are entered, each once however many formats left."),
    )
    for place, (label, value, about) in zip(page.beside(*[1] * len(metrics), gap="small"), metrics, strict=True):
        place.metric(label, value, help=glossary.linked(about, "register", "release"))

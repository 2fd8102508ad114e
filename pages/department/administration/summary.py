"""The figures that an administrator looks at first."""

from __future__ import annotations

from anonlib.basics import words
from pages.department.administration import results
from pages.department.administration.results import Server, Waiting
from ui.kit import glossary, page

SOON = 30  # days


def show(server: Server, waiting: Waiting) -> None:
    """Who is there, what waits, what is due, and how much memory is taken."""
    due = results.due(SOON)
    over = sum(deadline.is_over for deadline in due)
    undecided = sum(waiting.by_state.get(each, 0) for each in results.UNDECIDED)
    longest = "" if waiting.longest is None else f" The first was submitted {words.count(waiting.longest, 'days')} ago."
    jobs = server.jobs
    memory = server.memory + (0 if jobs is None else jobs.memory)
    figures = (
        ("Signed in", f"{len(server.people):,}", "People with a sign-in that has not ended."),
        ("Requests waiting", f"{undecided:,}", glossary.linked(f"Submitted, and not decided.{longest}", "request")),
        ("Overdue", f"{over:,}", "Days that are past: data to be returned or deleted, releases to be assessed again."),
        (f"Due in {SOON} days", f"{len(due) - over:,}", "The same of days to come."),
        ("Memory", words.size(memory), "Of the server and of work away from its pages."),
        (
            "Work waiting",
            "—" if jobs is None else f"{jobs.waiting:,}",
            "Jobs that have not had their first turn; a “—” where pages do all work themselves.",
        ),
    )
    page.metrics(*figures)

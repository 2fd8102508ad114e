"""The Attack page's picture: every attack in a row."""

from __future__ import annotations

from functools import partial

from anonlib.basics import words
from anonlib.plots import attacks as plots
from anonlib.verdict.attacks.attacking import Attacks
from anonlib.verdict.attacks.in_words import as_rows
from pages.measure.attack.question import Question
from ui.kit import page


def show_picture(found: Attacks, question: Question, key: str = "attack-picture") -> None:
    rows = as_rows(found.attacks, question.limit)
    if not rows:
        return
    red = [row.title for row in rows if row.is_red]
    above = f"{words.listed(red)} gain more than {words.percent(question.limit)}" if red else "none gains more"
    page.figure(
        partial(plots.successes, rows),
        f"How often each of {len(rows)} attacks succeeds, with its interval, beside people who are not in the file: "
        f"{above}.",
        key,
    )  # fmt: skip
    page.counts(
        "Dot: tries that succeed, with the 95% interval (Wilson); ring: the same attack on people who are not in the "
        "file; stroke: without the file. Red, a diamond: what it gains over the higher of both, of what that leaves, "
        f"is above {words.percent(question.limit)}. {found.made_of} Article 29 Working Party, WP216; Giomi et al. 2023."
    )

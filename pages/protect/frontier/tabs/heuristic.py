"""Under the searches: how well the heuristic of sublattices predicts which of them are worth a search."""

from __future__ import annotations

from functools import partial

import numpy as np

from anonlib.analyses.frontier import Plane, UpdateRates, update_rates
from anonlib.analyses.frontier.update_rates import IN_PAPER
from anonlib.basics import words
from anonlib.basics.budget import A_SECOND
from anonlib.basics.progress import Progress
from anonlib.plots import frontier as plots
from pages.protect.frontier.results import FrontierQuestion
from ui.kit import page
from ui.session import long_work

SECONDS = 5
"""About how long it takes on a machine of 2024: it counts work."""


def show(question: FrontierQuestion) -> None:
    """The experiment of the paper on this map: its button, and what came of it."""
    name = f"frontier-rates-{question.plane.key}"
    what = "How well H predicts which sublattices are worth a search"
    rates = long_work.best_so_far(name, [(what, partial(_drawn, question.plane))], SECONDS)
    if rates is None or not len(rates):
        return
    if np.isnan(rates.correlation):
        number = "It has no correlation here: one of them is the same for all."
    else:
        number = f"Their correlation is {rates.correlation:.3f}; {IN_PAPER:.3f} in the paper, on its data."
    page.figure(
        partial(plots.update_rates, rates), f"The mean of E in each tenth of H, with intervals. {number}",
        "frontier-update-rates",
    )  # fmt: skip
    page.counts(
        f"As Xia et al. 2013, Figure 6, on this map: {words.count(len(rates), 'random sublattices')} against the "
        "frontier of one random chain. H is what the search by sublattices goes by (Equation 1, mended); E is the "
        "share of the policies of a random chain through a sublattice that would update that frontier. "
        f"{number} The same on every machine."
    )


def _drawn(plane: Plane, progress: Progress) -> UpdateRates:
    work, rates = SECONDS * A_SECOND, None
    for rates in update_rates(plane, work=work):
        progress(min(1.0, rates.work / work), rates)
    assert rates is not None
    return rates

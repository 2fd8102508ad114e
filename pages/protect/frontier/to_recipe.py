"""From a policy to steps of the recipe."""

from __future__ import annotations

import numpy as np

from anonlib import words
from anonlib.release.frontier import steps_of
from anonlib.release.steps import Scope
from pages.protect.frontier.policy import risk_in_words
from pages.protect.frontier.results import point
from pages.protect.frontier.settings import Asked
from ui import to_recipe


def add_to_recipe(asked: Asked, policy: np.ndarray, name: str = "policy of the frontier") -> None:
    """Take a policy into the recipe; ``name`` is what the reason calls it."""
    risk, loss = point(asked, policy.tobytes())
    measures = (
        f"{asked.plane.risk.name} {risk_in_words(asked, risk)}, {asked.plane.loss.name} {words.percent(loss)} lost"
    )
    reason = f"{name}: {measures}"
    to_recipe.take(steps_of(asked.space, policy, reason), asked.space.attributes, Scope.POLICY)

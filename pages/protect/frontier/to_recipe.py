"""From a policy to steps of the recipe."""

from __future__ import annotations

import numpy as np

from anonlib.basics import words
from anonlib.release.frontier import steps_of
from anonlib.release.steps import Scope
from pages.protect.frontier.policy import risk_in_words
from pages.protect.frontier.question import Question
from pages.protect.frontier.results import point
from ui.session import decide


def add_to_recipe(question: Question, policy: np.ndarray, name: str = "policy of the frontier") -> None:
    """Take a policy into the recipe; ``name`` is what the reason calls it."""
    risk, loss = point(question, policy)
    plane, lost = question.plane, words.percent(loss)
    reason = f"{name}: {plane.risk.name} {risk_in_words(question, risk)}, {plane.loss.name} {lost} lost"
    decide.take(steps_of(question.space, policy, reason), question.space.attributes, Scope.POLICY)

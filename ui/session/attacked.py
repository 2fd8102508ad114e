"""What came of attacks on the release as it is now: tried on one page, shown on another."""

from __future__ import annotations

from anonlib.dataset import Dataset
from anonlib.release.recipe import Recipe
from anonlib.verdict.attacks.attacking import Attacker, Attacks, attack
from ui.session import cache, long_work, view


def now_or_soon(data: Dataset, control: Dataset | None, attacker: Attacker) -> Attacks:
    """Attacks that take a moment: tried once, the page waits for them."""
    now = view.now()
    what = "Attacking the release"
    return long_work.waited_for(what, _attack, now.recipe, data, control, now.people, attacker=attacker)


def keep(found: Attacks, recipe: Recipe, data: Dataset, control: Dataset | None, people: Dataset | None) -> None:
    """Remember what came of attacks that took longer, under all that they were tried on."""
    cache.keep(found, _attack, recipe, data, control, people, attacker=found.attacker)


def already(data: Dataset, attacker: Attacker) -> Attacks | None:
    """What came of attacks without a file of people as a control; None where they were not tried."""
    now = view.now()
    return cache.remembered(_attack, now.recipe, data, None, now.people, attacker=attacker)


def _attack(
    recipe: Recipe, data: Dataset, control: Dataset | None, people: Dataset | None, *, attacker: Attacker
) -> Attacks:
    return attack(
        view.apply(recipe, data), recipe, attacker, control=control, population=people,
        better=lambda share, _: long_work.let_go(share),
    )  # fmt: skip

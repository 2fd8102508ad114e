"""What came of attacks on the release as it is now: tried on one page, shown on another."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping
from dataclasses import dataclass, field
from typing import Any

from anonlib.basics.progress import Progress
from anonlib.dataset import Dataset
from anonlib.release.recipe import Recipe
from anonlib.verdict.attacks.attacking import Attacks, AttackSettings, attack, seconds_left
from ui.session import cache, long_work, state, view
from ui.session.memory import Call


@dataclass(frozen=True, eq=False)
class Latest:
    """What attacks came to last, whatever was set: by the name of what was attacked."""

    held: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class _OfRelease:
    """What was computed for attacks on a release, in the session's memory.

    Attributes
    ----------
    inputs : the recipe, the original, the control and the population.
    """

    inputs: tuple[cache.Keyed | None, ...]

    @property
    def name(self) -> str:
        return "attacks " + " ".join("" if given is None else given.key for given in self.inputs)

    def held(self, key: Hashable) -> Any:
        return cache.memory().answers.held((self.name, key))

    def get(self, key: Hashable, compute: Callable[[], Any]) -> Any:
        return cache.memory().answers.get((self.name, key), compute, self.inputs)


def seconds(data: Dataset, control: Dataset | None, attacker: AttackSettings) -> float:
    """About how long it takes to try what was not tried yet."""
    now = view.now()
    assert now.applied is not None
    store = _OfRelease((now.recipe, data, control, now.people))
    return seconds_left(now.applied, now.recipe, attacker, store, now.alone)


def now_or_soon(data: Dataset, control: Dataset | None, attacker: AttackSettings) -> Attacks:
    """Attacks that take a moment: tried once, the page waits for them."""
    now = view.now()
    attacks = _attack(now.recipe, data, control, now.people, attacker=attacker)
    show_next_time(attacks, data, control)
    return attacks


def with_progress(data: Dataset, control: Dataset | None, attacker: AttackSettings) -> Call[Attacks]:
    """As work, attacks that take longer, remembered as those of a moment are."""
    now = view.now()
    return _attack.work(now.recipe, data, control, now.people, attacker=attacker)


def show_next_time(attacks: Attacks, data: Dataset, control: Dataset | None) -> None:
    """Keep what came of attacks on the release as it is, whatever is set next.

    Of one release: what came of others is counted again if it is looked at again.
    """
    now, attacker = view.now(), attacks.attacker
    if attacks.alone is not None and (attacker.k, attacker.unknowable) == (now.aim.small, now.unknowable):
        view.keep_alone(attacks.alone)
    name = _OfRelease((now.recipe, data, control, now.people)).name
    if state.part(Latest).held.get(name) is not attacks:
        state.change_part(Latest, held={name: attacks})


def latest(data: Dataset, control: Dataset | None) -> Attacks | None:
    """What attacks on the release as it is came to last, whatever was set; None where they were not tried."""
    now = view.now()
    return state.part(Latest).held.get(_OfRelease((now.recipe, data, control, now.people)).name)


def already(recipe: Recipe, data: Dataset, people: Dataset | None, attacker: AttackSettings) -> Attacks | None:
    """What came of attacks without a file of people as a control; None where they were not tried."""
    return _attack.held(recipe, data, None, people, attacker=attacker)


@cache.waited_for("Attacking the release")
def _attack(
    recipe: Recipe,
    data: Dataset,
    control: Dataset | None,
    people: Dataset | None,
    *,
    attacker: AttackSettings,
    progress: Progress = long_work.let_go,
) -> Attacks:
    alone = view.alone_if_counted(recipe, data, attacker.k, attacker.unknowable)
    return attack(
        view.apply(recipe, data), recipe, attacker, control=control, population=people, alone=alone,
        store=_OfRelease((recipe, data, control, people)), progress=progress,
    )  # fmt: skip

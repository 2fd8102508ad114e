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
    _show_next_time(_OfRelease((now.recipe, data, control, now.people)).name, attacks)
    return attacks


def with_progress(data: Dataset, control: Dataset | None, attacker: AttackSettings) -> Callable[[Progress], Attacks]:
    """Attacks that take longer, remembered as those of a moment are: called with whom to tell how far they are."""
    now = view.now()
    recipe, people, alone = now.recipe, now.people, now.alone

    def tried(progress: Progress) -> Attacks:
        attacks = _tried(recipe, data, control, people, attacker, progress)
        if alone is None and attacks.alone is not None:
            view.keep_alone(attacks.alone)
        _attack.keep(attacks, recipe, data, control, people, attacker=attacker)
        _show_next_time(_OfRelease((recipe, data, control, people)).name, attacks)
        return attacks

    return tried


def latest(data: Dataset, control: Dataset | None) -> Attacks | None:
    """What attacks on the release as it is came to last, whatever was set; None where they were not tried."""
    now = view.now()
    return state.part(Latest).held.get(_OfRelease((now.recipe, data, control, now.people)).name)


def already(data: Dataset, attacker: AttackSettings) -> Attacks | None:
    """What came of attacks without a file of people as a control; None where they were not tried."""
    now = view.now()
    return _attack.held(now.recipe, data, None, now.people, attacker=attacker)


def _show_next_time(name: str, attacks: Attacks) -> None:
    """Of one release: what came of others is counted again if it is looked at again."""
    if state.part(Latest).held.get(name) is not attacks:
        state.change_part(Latest, held={name: attacks})


@cache.waited_for("Attacking the release")
def _attack(
    recipe: Recipe, data: Dataset, control: Dataset | None, people: Dataset | None, *, attacker: AttackSettings
) -> Attacks:
    return _tried(recipe, data, control, people, attacker, long_work.let_go)


def _tried(
    recipe: Recipe,
    data: Dataset,
    control: Dataset | None,
    people: Dataset | None,
    attacker: AttackSettings,
    progress: Progress,
) -> Attacks:
    return attack(
        view.apply(recipe, data), recipe, attacker, control=control, population=people, alone=view.now().alone,
        store=_OfRelease((recipe, data, control, people)), progress=progress,
    )  # fmt: skip

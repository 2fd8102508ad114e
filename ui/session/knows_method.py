"""What somebody who knows how the release was searched for learns of it: counted on one page, shown on others."""

from __future__ import annotations

from typing import Any

from anonlib.basics.progress import Progress
from anonlib.coarsening.hierarchies import Hierarchy
from anonlib.dataset import Dataset
from anonlib.release.recipe import Recipe
from anonlib.verdict.attacks.knows_method import MethodAttack, method_attack
from anonlib.verdict.criteria import Aim, Case
from anonlib.verdict.method import LeftForValue, left_for_value, not_sensitive
from anonlib.verdict.proposals import method_of
from ui.session import cache, companions, long_work, view
from ui.session.memory import Call


def left_out() -> tuple[LeftForValue, ...]:
    """Whom steps of the recipe leave out for a value, whatever made it; nobody without data, and where nobody is left.

    Only what leaves out somebody and looks at values is looked at, so that most recipes cost nothing.
    """
    now = view.now()
    if now.data is None or now.applied is None or not now.applied.released.n_records:
        return ()
    known = not_sensitive(now.data)
    if not any(
        entry.enabled and effect is not None and effect.records_removed and entry.step.looks_at_values(known)
        for entry, effect in zip(now.recipe.entries, now.applied.effects, strict=True)
    ):
        return ()
    return _left_out(now.recipe, now.data, aim=now.aim.judged, unknowable=now.unknowable)


@cache.waited_for("Counting who is left out for a value")
def _left_out(recipe: Recipe, data: Dataset, *, aim: Aim, unknowable: tuple[str, ...]) -> tuple[LeftForValue, ...]:
    case = Case(view.apply(Recipe(), data), Recipe(), harmless=aim.harmless_by_column, unknowable=unknowable, k=aim.k)
    guarantees = [guarantee for criterion in aim.criteria for guarantee in criterion.guarantees(case)]
    return left_for_value(view.apply(recipe, data), recipe, tuple(guarantees))


def _asked(data: Dataset) -> dict[str, Any]:
    """What decides it, beside the recipe and the data: weights and what must stay too, which a verdict does not ask."""
    now = view.now()
    hierarchies = {**companions.regions_of_places(view.to_protect(data)), **now.hierarchies}
    return {"aim": now.aim, "hierarchies": hierarchies, "unknowable": now.unknowable}


def name(data: Dataset) -> str:
    """Names the counting of it, with all that it follows from."""
    return f"knows-method-{data.key}-{cache.digest(view.now().recipe, *_asked(data).values())}"


def held(data: Dataset) -> MethodAttack | None:
    """What is concluded of the release as it is, where it was counted before; else None."""
    return _attack.held(view.now().recipe, data, **_asked(data))


def at_once(data: Dataset) -> MethodAttack:
    """The same, counted while the page waits."""
    return _attack(view.now().recipe, data, **_asked(data))


def with_progress(data: Dataset) -> Call[MethodAttack]:
    """As work, the same where it takes longer, remembered as that is."""
    return _attack.work(view.now().recipe, data, **_asked(data))


@cache.waited_for("Counting what the method tells")
def _attack(
    recipe: Recipe,
    data: Dataset,
    *,
    aim: Aim,
    hierarchies: dict[str, Hierarchy],
    unknowable: tuple[str, ...],
    progress: Progress = long_work.let_go,
) -> MethodAttack:
    progress(0.0)
    return method_attack(view.apply(recipe, data), recipe, method_of(data, recipe, aim, hierarchies, unknowable))

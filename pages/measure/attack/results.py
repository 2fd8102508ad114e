"""What the officer asks on the Attack page, the files loaded there, and what the library answers."""

from __future__ import annotations

from dataclasses import dataclass

import pandas as pd

from anonlib.basics.progress import Progress, share_alone
from anonlib.dataset import Dataset
from anonlib.release.recipe import Recipe
from anonlib.verdict.attacks.attacking import Attacks, AttackSettings, seconds
from anonlib.verdict.attacks.elsewhere import AnotherFile, another_file
from anonlib.verdict.attacks.knows_method import MethodAttack
from anonlib.verdict.attacks.knows_method import seconds as seconds_of_method
from anonlib.verdict.criteria import Aim
from anonlib.verdict.method import coins_of, not_sensitive
from ui.session import attacked, cache, knows_method, long_work, view
from ui.session.releases import FilesBeside
from ui.session.state import part


@dataclass(frozen=True, eq=False)
class Filled:
    """A form that an intruder filled in, as it was loaded; it goes with the session and is in no project.

    Attributes
    ----------
    form : texts, a row a target; None before one is loaded.
    """

    form: pd.DataFrame | None = None


@dataclass(frozen=True)
class AttackQuestion:
    """What is asked.

    Attributes
    ----------
    attacker : what is set about the attacks.
    limit : what an attack may gain; above it is red.
    """

    attacker: AttackSettings
    limit: float


AT_ONCE = 1.0  # seconds; what takes longer shows how far it is
BY_ITSELF = 30.0  # seconds that the first attacks may take; others wait for a button, and what is longer does anyway


@dataclass(frozen=True)
class TriedAttacks:
    """What is shown.

    Attributes
    ----------
    attacks : what came of the attacks.
    is_as_set : whether it is of the settings on screen, and not of those that were tried last.
    """

    attacks: Attacks
    is_as_set: bool


def attacks(data: Dataset, question: AttackQuestion) -> TriedAttacks | None:
    """What came of all attacks, of those so far, or of the last ones with other settings; None before any."""
    now, control, attacker = view.now(), _control(data), question.attacker
    n_seconds = attacked.seconds(data, control, attacker)
    if n_seconds <= AT_ONCE:
        return TriedAttacks(attacked.now_or_soon(data, control, attacker), True)
    beside = ["" if table is None else table.key for table in (control, now.people)]
    name = f"attack-{data.key}-{cache.digest(now.recipe, attacker, *beside)}"
    latest = attacked.latest(data, control)
    so_far = long_work.best_so_far(
        name, [("Attacking the release", attacked.with_progress(data, control, attacker))], n_seconds,
        "Trying what these settings change", by_itself=BY_ITSELF if latest is None else 0.0,
    )  # fmt: skip
    if so_far is not None and not so_far.to_come:
        attacked.show_next_time(so_far, data, control)
    if so_far is not None and (latest is None or not so_far.to_come):
        return TriedAttacks(so_far, True)
    return None if latest is None else TriedAttacks(latest, False)


def another(data: Dataset, other: Dataset, question: AttackQuestion) -> AnotherFile | None:
    """The same of a file made elsewhere; None before it is begun."""
    control, attacker, aim = _control(data), question.attacker, view.now().aim
    other = other.shown_as(data)
    name = f"attack-another-{data.key}-{other.key}-{'' if control is None else control.key}-{cache.digest(attacker)}"
    n_seconds = seconds(other, Recipe(), attacker)
    if n_seconds <= AT_ONCE:
        return _another(data, other, control, attacker=attacker, aim=aim)

    stage = ("Attacking the other file", _another.work(data, other, control, attacker=attacker, aim=aim))
    return long_work.best_so_far(name, [stage], n_seconds, by_itself=BY_ITSELF)


# ---- who knows the method ----


@dataclass(frozen=True)
class ByMethod:
    """What somebody who knows the method concludes.

    Attributes
    ----------
    attack : what was counted; None where it was not, or cannot be.
    why_not : why there is nothing to count, a sentence; "" where there is.
    is_open : whether something may be concluded all the same, or it is not known.
    """

    attack: MethodAttack | None
    why_not: str = ""
    is_open: bool = True


def by_method(data: Dataset) -> ByMethod:
    """What was counted, at once where that takes a moment."""
    if why_not := _nothing_to_conclude(data):
        return ByMethod(None, why_not, is_open=False)
    if (attack := knows_method.held(data)) is not None:
        return ByMethod(attack)
    if _seconds_by_method(data) > AT_ONCE:
        return ByMethod(None)
    return ByMethod(knows_method.at_once(data))


def counted_by_method(data: Dataset) -> ByMethod:
    """The same where it takes longer, with the button that starts it."""
    stage = ("Counting what the method tells", knows_method.with_progress(data))
    name, n_seconds = knows_method.name(data), _seconds_by_method(data)
    return ByMethod(long_work.best_so_far(name, [stage], n_seconds, promises=False))  # it does not say how far it is


def _seconds_by_method(data: Dataset) -> float:
    if coins_of(view.now().recipe, not_sensitive(data)) is not None:
        return 0.0  # what leaves is all that is counted
    return seconds_of_method(data.n_records, len(data.quasi_identifiers), view.now().recipe)


def _nothing_to_conclude(data: Dataset) -> str:
    now = view.now()
    assert now.applied is not None
    if not now.recipe.enabled:
        return "There is no recipe, so no release was searched for and none was refused."
    if not now.applied.released.n_records:
        return "No record leaves, so nothing is concluded of anybody."
    if not any(name in now.applied.released.columns for name in data.sensitive):
        return "No sensitive column leaves, so no value is concluded from what was refused."
    return ""


def _control(data: Dataset) -> Dataset | None:
    control = part(FilesBeside).control
    return None if control is None else control.shown_as(data)


@cache.waited_for("Attacking the other file")
def _another(
    data: Dataset,
    other: Dataset,
    control: Dataset | None,
    *,
    attacker: AttackSettings,
    aim: Aim,
    progress: Progress = long_work.let_go,
) -> AnotherFile:
    return another_file(data, other, attacker, aim.criteria, control=control, progress=share_alone(progress))

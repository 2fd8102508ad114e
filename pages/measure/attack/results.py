"""What the library answers to the page's question: computed once, long work by the button."""

from __future__ import annotations

from collections.abc import Callable

from anonlib.dataset import Dataset
from anonlib.release.recipe import Recipe
from anonlib.verdict.attacks.attacking import Attacker, Attacks, attack, seconds
from anonlib.verdict.attacks.elsewhere import AnotherFile, another_file
from anonlib.verdict.criteria import Aim
from pages.measure.attack.question import Files, Question
from ui.session import attacked, cache, long_work, view
from ui.session.state import part

AT_ONCE = 1.0  # seconds; what takes longer shows how far it is
BY_ITSELF = 30.0  # seconds; what takes longer waits for its button


def attacks(data: Dataset, question: Question) -> Attacks | None:
    """What came of all attacks, or of those so far; None before they are begun."""
    now, control, attacker = view.now(), _control(data), question.attacker
    recipe, alone, people = now.recipe, now.alone, now.people
    n_seconds = seconds(data, recipe, attacker)
    if n_seconds <= AT_ONCE:
        return attacked.now_or_soon(data, control, attacker)

    def tried(tell: Callable[..., None]) -> Attacks:
        applied = view.apply(recipe, data)
        found = attack(applied, recipe, attacker, control=control, population=people, alone=alone, better=tell)
        if alone is None and found.alone is not None:
            view.keep_alone(found.alone)
        attacked.keep(found, recipe, data, control, people)
        return found

    beside = ["" if table is None else table.key for table in (control, people)]
    name = f"attack-{data.key}-{cache.digest(recipe, attacker, *beside)}"
    return long_work.best_so_far(name, [("Attacking the release", tried)], n_seconds, by_itself=BY_ITSELF)


def another(data: Dataset, other: Dataset, question: Question) -> AnotherFile | None:
    """The same of a file made elsewhere; None before it is begun."""
    control, attacker, aim = _control(data), question.attacker, view.now().aim
    other = other.shown_as(data)
    name = f"attack-another-{data.key}-{other.key}-{'' if control is None else control.key}-{cache.digest(attacker)}"
    n_seconds = seconds(other, Recipe(), attacker)
    if n_seconds <= AT_ONCE:
        what = "Attacking the other file"
        return long_work.waited_for(what, _another, data, other, control, attacker=attacker, aim=aim)

    def tried(tell: Callable[..., None]) -> AnotherFile:
        def share(done: float, _: Attacks) -> None:
            tell(done)

        return another_file(data, other, attacker, aim.criteria, control=control, better=share)

    return long_work.best_so_far(name, [("Attacking the other file", tried)], n_seconds, by_itself=BY_ITSELF)


def _control(data: Dataset) -> Dataset | None:
    control = part(Files).control
    return None if control is None else control.shown_as(data)


def _another(data: Dataset, other: Dataset, control: Dataset | None, *, attacker: Attacker, aim: Aim) -> AnotherFile:
    def let_go(share: float, _: Attacks) -> None:
        long_work.let_go(share)

    return another_file(data, other, attacker, aim.criteria, control=control, better=let_go)

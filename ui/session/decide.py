"""What the officer decides about the loaded data: roles, hierarchies, orders of values, the recipe."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence

from anonlib.basics import words
from anonlib.coarsening.hierarchies import Hierarchy
from anonlib.columns.roles import Role
from anonlib.counting.classes import Missing
from anonlib.dataset import Dataset
from anonlib.filing.project import ValueOrder
from anonlib.release.recipe import Recipe
from anonlib.release.steps import Scope, Step
from ui.session import view
from ui.session.state import session

_MOST_DESCRIBED = 3  # steps that are described where several are taken at once


def clear_roles() -> None:
    """Take all roles back."""
    session().roles = {}


def set_roles(roles: Mapping[str, Role | str]) -> None:
    """Accept roles; raises InputError when they cannot stand together, and then nothing changes."""
    data = view.now().data
    assert data is not None
    changed = data.with_roles(roles)
    changed.classes([])  # a column that cannot be counted by is refused here
    session().roles = dict(changed.roles)


def set_role_of(columns: Collection[str], role: Role | None) -> None:
    """Say what some columns are, all the same; None leaves them undecided."""
    others = {name: given for name, given in session().roles.items() if name not in columns}
    set_roles(others if role is None else others | dict.fromkeys(columns, role))


def set_person_id(column: str | None) -> None:
    """Say which column says whose row it is; None: each row is one person. Another that did identifies persons."""
    now = dict(session().roles)
    before = next((name for name, role in now.items() if role == Role.PERSON_ID), None)
    if before is not None:
        now[before] = Role.IDENTIFIER
    set_roles(now if column is None else now | {column: Role.PERSON_ID})


def accept_suggestions() -> None:
    """Give every undecided column the suggested role where that needs no question; the others stay undecided."""
    set_roles({**{s.column: s.role for s in view.now().suggestions if not s.asked}, **session().roles})


def take_asked() -> None:
    """Give undecided columns that the officer is asked about the role that something speaks for; the others stay so."""
    asked = [s for s in view.now().suggestions if s.asked and not s.is_open]
    set_roles({**{s.column: s.role for s in asked}, **session().roles})


def set_missing(missing: Missing) -> None:
    """Say whether a missing quasi-identifier counts as a value of its own or its record is left out."""
    session().missing = missing


def set_hierarchy(column: str, hierarchy: Hierarchy | None) -> None:
    """Choose the hierarchy of a column; None goes back to the suggested one."""
    others = {name: chosen for name, chosen in session().hierarchies.items() if name != column}
    session().hierarchies = others if hierarchy is None else others | {column: hierarchy}


def set_order(column: str, order: ValueOrder) -> None:
    """Choose in which order the values of a column stand."""
    session().orders = {**session().orders, column: order}


def set_recipe(recipe: Recipe) -> None:
    """Make it the session's recipe; a step that was being changed is left as it was."""
    now = session()
    now.recipe, now.editing = recipe, None


def take(
    steps: Sequence[Step],
    replacing: Collection[str],
    scope: Scope,
    data: Dataset | None = None,
    into: Recipe | None = None,
) -> None:
    """Put steps in the place of earlier ones on the same columns, as :meth:`Recipe.take` says.

    They go into the session's recipe, or into another one, which then takes its place.
    """
    recipe = session().recipe if into is None else into
    gave_way = len(recipe.giving_way(replacing, scope))
    take_steps(steps, recipe.take(steps, data, replacing=replacing, scope=scope), gave_way)


def take_steps(steps: Sequence[Step], recipe: Recipe, gave_way: int) -> None:
    """Make a recipe with these new steps the session's, and say so."""
    set_recipe(recipe)
    ordered = sorted(steps, key=lambda step: not step.drops)  # what is dropped is always named
    n_described = max(_MOST_DESCRIBED, sum(bool(step.drops) for step in steps))
    added = "; ".join(step.describe() for step in ordered[:n_described])
    if len(steps) > n_described:
        added += f"; and {words.count(len(steps) - n_described, 'more steps')}"
    sentences = [f"In the recipe: {added}." if added else "These columns are released as they are."]
    if gave_way:
        sentences.append(f"{words.count(gave_way, 'earlier steps')} gave way.")
    session().notice = " ".join(sentences)


def add_step(step: Step) -> None:
    """Put a step where it belongs in the recipe, made for the data that it finds there."""
    set_recipe(session().recipe.take([step], view.now().data))


def replace_step(position: int, step: Step) -> None:
    """Change the step at a position of the recipe."""
    set_recipe(session().recipe.replace_step(position, step))

"""The Attack page's controls: predicates, the register, what is accepted, and files beside."""

from __future__ import annotations

import streamlit as st

from anonlib.dataset import Dataset
from anonlib.release.uniqueness_of_release import looked_at
from anonlib.verdict.attacks.attacking import TRIES, AttackSettings
from anonlib.verdict.attacks.linkage import AttackerRegister
from pages.measure.attack.results import AttackQuestion
from ui.kit import another_file, glossary, page
from ui.session import guard, keep, view
from ui.session.names import titled
from ui.session.releases import FilesBeside
from ui.session.state import part
from ui.text import plain

_MOST = 8  # columns of a condition


def ask(data: Dataset, released: Dataset) -> AttackQuestion:
    """The controls in one row; parties, tries and files under “More”."""
    now = view.now()
    columns, _ = looked_at(released, now.unknowable)
    knows = tuple(name for name in columns if name in data.quasi_identifiers)
    does_not = tuple(name for name in columns if name not in knows)
    by, wrong, share, accepted, more = page.beside(3, 3, 3, 3, 2, gap="small", align="bottom")
    n_columns = keep.slider(
        "attack-columns", "Columns of a condition", 1, _MOST, 3, place=by,
        help=glossary.linked(
            "Conditions on so many of the released columns are tried, such as “age at least 90 and ward burns”.",
            "condition",
        ),
    )  # fmt: skip
    errors = keep.slider(
        "attack-wrong", "Wrong in the attacker’s list", 0, 50, 0, 1, "%d%%", place=wrong,
        help="The share of values in the attacker's list of people, a register, that are another person's.",
    )  # fmt: skip
    people = keep.slider(
        "attack-register", "People in the attacker’s list", 1, 100, 100, 1, "%d%%", place=share,
        help="The share of all people whom the attacker's list, a register, holds, drawn at random.",
    )  # fmt: skip
    begin = round(100 * now.asked_threshold)
    limit = keep.slider(
        keep.per("attack-limit", begin), "Red above a gain of", 0, 50, begin, 1, "%d%%", place=accepted,
        help=glossary.linked(
            "Red is an attack that gains more than this over people who are not in the file. It begins with the "
            "highest risk that the recipient is asked for.",
            "highest risk",
        ),
    )  # fmt: skip
    with more, st.popover("More"):
        one = _party("attack-one", "One party knows", columns, knows)
        other = _party("attack-other", "The other party knows", columns, does_not)
        tries = keep.select(
            "attack-tries", "Tries", [200, 500, TRIES, 2_000, 5_000], TRIES, format_func="{:,}".format,
            help="How often each attack is tried, as far as the file is not too large.",
        )  # fmt: skip
        _ask_control()
    register = AttackerRegister(people / 100, errors / 100)
    attacker = AttackSettings.of(
        data, released, now.aim, now.unknowable, n_columns=n_columns, register=register, tries=tries,
        one=() if one == knows else one, other=() if other == does_not else other,  # as the report has them
    )  # fmt: skip
    return AttackQuestion(attacker, limit / 100)


def _party(name: str, what: str, columns: tuple[str, ...], begin: tuple[str, ...]) -> tuple[str, ...]:
    chosen = keep.several(
        keep.per(name, columns, begin), what, list(columns), list(begin), format_func=titled,
        help="Two parties hold different columns of the same people: can they be joined through the release?",
    )  # fmt: skip
    return tuple(column for column in columns if column in chosen)


def _ask_control() -> None:
    """People whom the original does not hold, as a file."""
    control = part(FilesBeside).control
    if control is not None:
        st.markdown(f"**Control**: {plain(control.name, 40)}, {control.n_records:,} records.")
        st.button("Remove the control", on_click=guard.action(another_file.forget), args=("control",))
    another_file.ask_to_load(
        "attack-control", "A control of your own", "control",
        "People whom the file does not hold, with the same columns. Without it a random tenth is kept out.",
    )  # fmt: skip

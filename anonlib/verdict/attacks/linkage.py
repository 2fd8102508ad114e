"""Linkage with a register, linkability of two parties' columns, and membership.

A register knows columns of people by name; it links a target to one of the released rows whose labels are true of what
it knows. Two parties know different columns of the same people; a pair is joined where both link to one row (Giomi et
al. 2023, section 4.2). Membership: somebody of whom a row is true in all that is known is taken for a member.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from anonlib.analyses.risk import population_sizes
from anonlib.basics import checks, words
from anonlib.basics.errors import InputError
from anonlib.basics.progress import Progress, nobody, share_of
from anonlib.counting.classes import ClassTable
from anonlib.verdict.attacks.matching import Matching, fitting, nearest
from anonlib.verdict.attacks.result import Attack, Rate, known_of, most_telling_first, targets

POPULATION = "the population table"
"""How linkage is tried with everybody around, not with what the original's people are known by."""


@dataclass(frozen=True)
class AttackerRegister:
    """What an attacker's register holds.

    Attributes
    ----------
    share : float, default 1.0
        Of all people, those that are in it, drawn; 1: everybody.
    wrong : float, default 0.0
        Of its values, the share that is another person's.
    missing : float, default 0.0
        Of its values, the share that is not there.
    """

    share: float = 1.0
    wrong: float = 0.0
    missing: float = 0.0

    def __post_init__(self) -> None:
        for name in ("share", "wrong", "missing"):
            value = checks.number(getattr(self, name), f"The register's “{name}”")
            if not 0 <= value <= 1:
                raise InputError(f"The register's “{name}” is a share from 0 to 1.", code="number-out-of-range")


@dataclass(frozen=True)
class Linkage:
    """What a register links.

    Attributes
    ----------
    attack : Attack
        Claims that are right, of all targets that are in the release.
    claims, right : int
        Links that are claimed of everybody in the register, released or not, and those that are right.
    sure, sure_right : int
        Claims where a single person of the release fits, and those of them that are right.
    promised : tuple[float, float]
        The chance that a claim about somebody in the release is right, on average and at most, as the class sizes of
        what is known promise: of each target its own rows / how many fit.
    """

    attack: Attack
    claims: int
    right: int
    sure: int
    sure_right: int
    promised: tuple[float, float]

    @property
    def precision(self) -> Rate:
        """Right claims of all claims."""
        return Rate(self.right, self.claims)


def linkage(
    matching: Matching,
    names: Sequence[str],
    tries: int,
    knows: str,
    rng: np.random.Generator,
    register: AttackerRegister | None = None,
    progress: Progress = nobody,
) -> Linkage:
    """Link a register's people to released rows by the columns that it knows.

    Parameters
    ----------
    matching : Matching
        The release and the people, of which it must be known who is who.
    names : Sequence[str]
        The columns that the register has.
    tries : int
        How many people are looked up.
    knows : str
        Whose knowledge it is, which stands in the result.
    rng : np.random.Generator
        What people, and the register's errors, are drawn by.
    progress : Progress, default nobody
        Called with the share that is done, 0 to 1; may raise to stop.
    register : AttackerRegister, optional
        What it holds; everybody without error when left out.
    """
    register = register or AttackerRegister()
    everybody = np.ones(len(matching.person), dtype=bool)
    in_register = everybody if register.share == 1 else _drawn_people(matching, register.share, rng)
    rows = targets(matching, in_register, tries, rng)
    places = most_telling_first(matching, matching.places(names))
    known = known_of(places, 0, len(rows), rng)
    known[rng.random(known.shape) < register.missing] = -1
    seen = _mistaken(matching, rows, register.wrong, rng)
    fits = fitting(seen, rows if seen is matching else np.arange(len(rows)), known, progress)
    n, own, sure = fits.n, fits.own, fits.of_one
    is_member = matching.member[rows]
    right = (rng.random(len(rows)) * np.maximum(n, 1) < own) & (n > 0)
    guessed = np.divide(own, n, out=np.zeros(len(rows)), where=n > 0)[is_member]
    members = int(is_member.sum())
    n_released = int(matching.counts.sum())
    attack = Attack(
        "linkage", register_in_words(register), knows, tuple(matching.columns[j].name for j in np.sort(places)), 0, "",
        Rate(int(right[is_member].sum()), members), Rate(members / n_released if n_released else 0.0, members),
        None,
        f"{words.count(int((n > 0).sum()), 'claims')}, of which {int(right.sum()):,} are right; "
        f"{words.count(int(sure.sum()), 'people')} fit one released person alone, of which "
        f"{int((sure & right).sum()):,} rightly.",
    )  # fmt: skip
    promised = (float(guessed.mean()), float(guessed.max())) if members else (0.0, 0.0)
    return Linkage(attack, int((n > 0).sum()), int(right.sum()), int(sure.sum()), int((sure & right).sum()), promised)


def population_linkage(
    released: ClassTable, population: ClassTable, tries: int, knows: str, rng: np.random.Generator
) -> Attack:
    """Link people of the release to one of those who look like them in the population table, drawn.

    A link is right with a chance of one in so many, or in those who look alike in the release where these are more; who
    looks like nobody in the table is not linked.

    Parameters
    ----------
    released, population : ClassTable
        The columns that both have, of the release and of the table as the recipe labels it.
    tries : int
        How many people of the release are linked, as many as there are at most.
    knows : str
        Whose knowledge it is, which stands in the result.
    rng : np.random.Generator
        What people are drawn by.
    """
    in_table = population_sizes(released, population)
    drawn = rng.choice(len(in_table), size=min(tries, released.n_records), p=released.counts / released.n_records)
    n = in_table[drawn]
    right = (n > 0) & (rng.random(len(n)) * np.maximum(n, released.counts[drawn]) < 1)
    by_chance = Rate(len(n) / population.n_records if population.n_records else 0.0, len(n))
    claims, single = words.count(int((n > 0).sum()), "claims"), words.count(int((n == 1).sum()), "people")
    note = (
        f"{claims}, of which {int(right.sum()):,} are right; {single} look like one of the {population.n_records:,} in "
        "the table alone."
    )
    rate = Rate(int(right.sum()), len(n))
    return Attack("linkage", POPULATION, knows, tuple(released.attributes), 0, "", rate, by_chance, None, note)


def linkability(
    matching: Matching,
    one: Sequence[str],
    other: Sequence[str],
    tries: int,
    knows: str,
    rng: np.random.Generator,
    progress: Progress = nobody,
) -> Attack:
    """Join two parties' columns of the same people through the released row that is nearest to either.

    Parameters
    ----------
    matching : Matching
        The release and the people.
    one, other : Sequence[str]
        The columns of either party.
    tries : int
        How many people are joined.
    knows : str
        Whose knowledge it is, which stands in the result.
    rng : np.random.Generator
        What people and guesses are drawn by.
    progress : Progress, default nobody
        Called with the share that is done, 0 to 1; may raise to stop.
    """
    sides = [most_telling_first(matching, matching.places(names)) for names in (one, other)]

    def joined(chosen: np.ndarray, begin: float, end: float) -> Rate:
        rows = targets(matching, chosen, tries, rng)
        nearest_rows = []
        for i, places in enumerate(sides):
            part = share_of(progress, begin + (end - begin) * i / 2, begin + (end - begin) * (i + 1) / 2)
            known = known_of(places, 0, len(rows), rng)
            nearest_rows.append(nearest(matching, rows, known, rng, progress=part).row)
        same = (nearest_rows[0] == nearest_rows[1]) & (nearest_rows[0] >= 0)
        same &= (
            rng.random(len(rows)) * matching.counts[nearest_rows[0]] < 1
        )  # a row that stands for several is one of them
        return Rate(int(same.sum()), len(rows))

    has_control = bool(matching.control.any())
    rate = joined(matching.member, 0.0, 0.5 if has_control else 1.0)
    control = joined(matching.control, 0.5, 1.0) if has_control else None
    by_chance = Rate(rate.tries / matching.n_released if matching.n_released else 0.0, rate.tries)
    names = [[matching.columns[j].name for j in np.sort(places)] for places in sides]
    how = f"{words.count(len(names[0]), 'columns')} with {words.count(len(names[1]), 'others')}"
    return Attack("linkability", how, knows, (*names[0], *names[1]), 0, "", rate, by_chance, control)


def membership(
    matching: Matching,
    names: Sequence[str],
    tries: int,
    knows: str,
    rng: np.random.Generator,
    progress: Progress = nobody,
) -> Attack | None:
    """Take those for members of whom a released row is true in all columns; None without a control."""
    if not matching.control.any():
        return None
    places = most_telling_first(matching, matching.places(names))

    def taken(chosen: np.ndarray, begin: float, end: float) -> Rate:
        rows = targets(matching, chosen, tries, rng)
        known = known_of(places, 0, len(rows), rng)
        fits = fitting(matching, rows, known, share_of(progress, begin, end))
        return Rate(int((fits.n > 0).sum()), len(rows))

    rate, control = taken(matching.member, 0.0, 0.5), taken(matching.control, 0.5, 1.0)
    used = tuple(matching.columns[j].name for j in np.sort(places))
    return Attack("membership", "a row that fits", knows, used, 0, "", rate, None, control)


# ---- what a register holds ----


def _drawn_people(matching: Matching, share: float, rng: np.random.Generator) -> np.ndarray:
    """bool, a row of people each: of so many of them, drawn."""
    persons = np.unique(matching.person)
    return np.isin(matching.person, persons[rng.random(len(persons)) < share])


def _mistaken(matching: Matching, rows: np.ndarray, wrong: float, rng: np.random.Generator) -> Matching:
    """The targets as the register has them, one row each: of its values some are another's."""
    if not wrong:
        return matching
    columns = []
    for column in matching.columns:
        people = column.people[rows]
        others = column.people[rng.integers(len(column.people), size=len(rows))]
        columns.append(replace(column, people=np.where(rng.random(len(rows)) < wrong, others, people)))
    return replace(
        matching, columns=tuple(columns), person=matching.person[rows], people=matching.people[rows],
        member=matching.member[rows], control=matching.control[rows],
    )  # fmt: skip


def register_in_words(register: AttackerRegister) -> str:
    """What a register holds: ``a register of 50% of all people, 5% of its values wrong``."""
    parts = ["a register" if register.share == 1 else f"a register of {words.percent(register.share)} of all people"]
    if register.wrong:
        parts.append(f"{words.percent(register.wrong)} of its values wrong")
    if register.missing:
        parts.append(f"{words.percent(register.missing)} missing")
    return ", ".join(parts)

"""All attacks on a release: as the recipient, with what they may know, and as somebody who may know all that leaves."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import partial

import numpy as np
import pandas as pd

from anonlib.basics import words
from anonlib.basics.errors import InputError
from anonlib.basics.progress import Progress, share_of
from anonlib.dataset import Dataset
from anonlib.release.alone import Alone, alone_by_what_leaves, looked_at
from anonlib.release.applied import Applied
from anonlib.release.recipe import Recipe
from anonlib.verdict.attacks.guessing import inference_attack, model_attack
from anonlib.verdict.attacks.linking import Register, linkability, linkage, membership
from anonlib.verdict.attacks.matching import Matching, of_another_file, of_release
from anonlib.verdict.attacks.predicates import predicate_attack
from anonlib.verdict.attacks.result import Attack

TRIES = 1_000
"""Times that each attack is tried."""
FEWEST = 200
"""Times that each is tried in a large file, at least."""
MOST_COMPARED = 50_000_000
"""Released rows that the targets of an attack are compared with, about a second."""
CONTROL = 0.1
"""Of all persons, the share that is kept out of a release for the control."""
_DIFFERENT_TREES = 12  # sensitive columns up to which trees learn each of them
SEED = 1


@dataclass(frozen=True)
class Attacker:
    """What is set about the attacks.

    Attributes
    ----------
    known : columns that somebody outside may know; the recipient is taken to know these.
    facts : how many of them the recipient knows of a person at a time; 0: all.
    sensitive : columns that are guessed.
    k : below how many a group is small.
    unknowable : columns that nobody outside can know.
    n_columns : of how many columns a predicate is.
    one, other : what two parties know, for linkability; known columns and all others where empty.
    register : what a register holds.
    tries, seed : how often each attack is tried, and the seed of all draws.
    """

    known: tuple[str, ...]
    facts: int = 0
    sensitive: tuple[str, ...] = ()
    k: int = 5
    unknowable: tuple[str, ...] = ()
    n_columns: int = 3
    one: tuple[str, ...] = ()
    other: tuple[str, ...] = ()
    register: Register = field(default_factory=Register)
    tries: int = TRIES
    seed: int = SEED


@dataclass(frozen=True)
class Attacks:
    """What came of all attacks.

    Attributes
    ----------
    attacker : what was set.
    alone : who is alone by any few of all columns, counted on the file that leaves; None where that was not counted.
    attacks : each that was tried, in order.
    promised : the chance that a link to somebody in the release is right, on average and at most, as the sizes of
        classes promise; None where no register was tried.
    n_released, n_control : persons (records) in the release that was attacked, and in the control.
    made_of : how release and control came about, in a sentence.
    unit : "persons" or "records".
    not_tried : what was not tried and why, a sentence each.
    """

    attacker: Attacker
    alone: Alone | None
    attacks: tuple[Attack, ...]
    promised: tuple[float, float] | None
    n_released: int
    n_control: int
    made_of: str
    unit: str
    not_tried: tuple[str, ...] = ()

    def of_kind(self, kind: str) -> tuple[Attack, ...]:
        """Those of a kind, in order."""
        return tuple(attack for attack in self.attacks if attack.kind == kind)

    def to_frame(self) -> pd.DataFrame:
        """A row an attack; shares in [0, 1]."""
        rows = []
        for each in self.attacks:
            excess = each.excess
            rows.append(
                {
                    "attack": each.kind, "how": each.how, "knows": each.knows, "about": each.about,
                    "columns known": ", ".join(each.columns), "columns at a time": each.known or len(each.columns),
                    "successes": each.rate.successes, "tries": each.rate.tries, "rate": each.rate.share,
                    "from": each.rate.interval[0], "to": each.rate.interval[1],
                    "baseline": None if each.baseline is None else each.baseline.share,
                    "control": None if each.control is None else each.control.share,
                    "control tries": None if each.control is None else each.control.tries,
                    "excess": None if excess is None else excess.value,
                    "excess from": None if excess is None else excess.interval[0],
                    "excess to": None if excess is None else excess.interval[1],
                    "note": each.note,
                }
            )  # fmt: skip
        return pd.DataFrame(rows)


Better = Callable[[float, Attacks], None]
"""Called with the share that is done and what came of the attacks so far; may raise to stop."""


def attack(
    applied: Applied,
    recipe: Recipe,
    attacker: Attacker,
    *,
    control: Dataset | None = None,
    better: Better | None = None,
) -> Attacks:
    """Attack a release that a recipe made of data in memory.

    Who is alone is counted on the release itself, and so is what a register links. Tries that need people who are not
    in the file are made on a release of a random 90% of the persons by the same recipe, with the others as the control;
    or, with a control of one's own, on the release itself.

    Parameters
    ----------
    applied, recipe
        The release and what made it.
    attacker
        What is set.
    control
        People whom the original does not hold, with its columns; a random tenth is kept out without.
    better
        See :data:`Better`.

    Returns
    -------
    Attacks

    Raises
    ------
    InputError
        Where nothing leaves, the records stay in a database, or the control lacks a column.

    References
    ----------
    Article 29 Working Party, WP216 (2014); Giomi et al. (2023), A unified framework for quantifying privacy risk.
    """
    original = applied.original
    if original.frame is None:
        raise InputError("Attacks are tried on records in memory: open the table as a file, or a part of it.")
    if not applied.released.n_records:
        raise InputError("No record leaves, so there is nothing to attack: recode more, or leave out fewer.")
    columns, _ = looked_at(applied.released, attacker.unknowable)
    if not columns:
        raise InputError("No column leaves that somebody could know, so there is nothing to attack.")
    tell = _Telling(better)
    alone = alone_by_what_leaves(
        applied, recipe, k=attacker.k, unknowable=attacker.unknowable, progress=share_of(tell.progress, 0.0, 0.15)
    )
    whole = of_release(original, applied, recipe, columns)
    if control is not None:
        matching, made_of = _with_control(original, applied, recipe, columns, control)
    else:
        matching, made_of = _of_a_part(original, recipe, columns, attacker.seed)
    begun = Attacks(
        attacker, alone, (), None, _persons(matching, matching.member), _persons(matching, matching.control), made_of,
        original.unit,
    )  # fmt: skip
    return _tried(begun, matching, whole, tell)


def attack_another_file(
    original: Dataset,
    released: Dataset,
    attacker: Attacker,
    *,
    control: Dataset | None = None,
    better: Better | None = None,
) -> Attacks:
    """Attack a file that was made elsewhere of an original: synthetic, or protected by another program.

    Parameters
    ----------
    original, released
        In memory; columns of one name are the same.
    attacker, better
        As of :func:`attack`.
    control
        People that the file was not made of; without them rates have no control.
    """
    for table, name in ((original, "original"), (released, "other file")):
        if table.frame is None:
            raise InputError(f"Attacks are tried on records in memory: open the {name} as a file.")
        if not table.n_records:
            raise InputError(f"The {name} has no records, so there is nothing to attack.")
    names, _ = looked_at(released, attacker.unknowable)
    apart = {*original.identifiers, original.person_id, original.weight}
    columns = tuple(name for name in names if name in original.columns and name not in apart)
    if not columns:
        raise InputError("The two files have no column of one name. Give columns in both files the same names.")
    matching = of_another_file(original, released, columns, control)
    made_of = (
        "The control is a file of people that the other file was not made of." if control is not None
        else "There is no control: rates say nothing of what holds of everybody alike."
    )  # fmt: skip
    begun = Attacks(
        attacker, None, (), None, _persons(matching, matching.member), _persons(matching, matching.control), made_of,
        original.unit,
        ("Linkage: in a file made elsewhere nobody knows which record is whose.",),
    )  # fmt: skip
    return _tried(begun, matching, None, _Telling(better))


# ---- one after the other ----


class _Telling:
    """How far it is, and what came of it so far."""

    def __init__(self, better: Better | None) -> None:
        self.better = better
        self.latest: Attacks | None = None

    def progress(self, share: float) -> None:
        if self.better is not None and self.latest is not None:
            self.better(share, self.latest)


def _tried(begun: Attacks, matching: Matching, whole: Matching | None, tell: _Telling) -> Attacks:
    """Every attack, one after the other; what was done so far is given along."""
    tell.latest = found = begun
    attacks = list(_of(begun.attacker, matching, whole))
    for i, (kind, do) in enumerate(attacks):
        begin, end = (0.15 + 0.85 * step / len(attacks) for step in (i, i + 1))
        rng = np.random.default_rng([begun.attacker.seed, i])
        done = do(rng, share_of(tell.progress, begin, end))
        if isinstance(done, Attack):
            found = replace(found, attacks=(*found.attacks, done))
        elif isinstance(done, tuple):
            found = replace(found, attacks=(*found.attacks, done[0]), promised=done[1])
        else:
            found = replace(found, not_tried=(*found.not_tried, f"{kind}: {done}"))
        tell.latest = found
        tell.progress(end)
    return found


Do = Callable[[np.random.Generator, Progress], "Attack | tuple[Attack, tuple[float, float]] | str"]


def _of(attacker: Attacker, matching: Matching, whole: Matching | None) -> Iterator[tuple[str, Do]]:
    """The attacks, each with its name."""
    everything = matching.names
    known = tuple(name for name in everything if name in attacker.known)
    secrets = [name for name in everything if name in attacker.sensitive]
    n = max(FEWEST, min(attacker.tries, MOST_COMPARED // max(1, matching.n_released)))
    whose = (("anybody", everything, 0), ("recipient", known, attacker.facts))

    def singled(names: tuple[str, ...], size: int, knows: str) -> Do:
        return lambda rng, progress: predicate_attack(matching, names, size, attacker.tries, knows, rng, progress)

    yield "Singling out", singled(everything, 1, "anybody")
    for knows, names, _ in whose:
        if names:
            yield "Singling out", singled(names, attacker.n_columns, knows)
    if whole is not None and known:
        tries = max(FEWEST, min(5 * attacker.tries, 4 * MOST_COMPARED // max(1, whole.n_released)))

        def linked(rng: np.random.Generator, progress: Progress):
            found = linkage(whole, known, tries, "recipient", rng, attacker.register, progress)
            return found.attack, found.promised

        yield "Linkage", linked
    one = tuple(name for name in everything if name in (attacker.one or known))
    other = tuple(name for name in everything if (name in attacker.other if attacker.other else name not in one))
    if one and other:
        yield "Linkability", partial(_linkability, matching, one, other, n)
    for about in secrets:
        for knows, names, facts in whose:
            others = tuple(name for name in names if name != about)
            if others:
                yield f"Inference of {about}", partial(_inference, matching, about, others, facts, n, knows)
                if len(secrets) <= _DIFFERENT_TREES:
                    yield f"Inference of {about}", partial(_model, matching, about, others, n, knows)
    for knows, names, _ in whose:
        if names and matching.control.any():
            yield "Membership", partial(_membership, matching, names, n, knows)


def _linkability(matching, one, other, n, rng, progress):
    return linkability(matching, one, other, n, "anybody", rng, progress)


def _inference(matching, about, names, facts, n, knows, rng, progress):
    return inference_attack(matching, about, names, facts, n, knows, rng, progress)


def _model(matching, about, names, n, knows, rng, progress):
    found = model_attack(matching, about, names, n, knows, rng)
    return found or "trees learn a column of two labels or more, and not of too many."


def _membership(matching, names, n, knows, rng, progress):
    return membership(matching, names, n, knows, rng, progress) or "there is no control."


# ---- control ----


def _of_a_part(original: Dataset, recipe: Recipe, columns: Sequence[str], seed: int) -> tuple[Matching, str]:
    """A release of a random part by the same recipe; the release itself without a control where that cannot be."""
    kept = _drawn(original, seed)
    part = original.with_records(kept, f"without a control, seed {seed}")
    applied = recipe.apply(part)
    there = set(applied.released.columns)
    share = words.percent(1 - CONTROL)
    if applied.problems or not applied.released.n_records or not there.issuperset(columns):
        whole = recipe.apply(original)
        return of_release(original, whole, recipe, columns), (
            f"There is no control: the recipe cannot be applied to a random {share} of the {original.unit}."
        )
    return of_release(original, applied, recipe, columns), (
        f"The recipe is applied to a random {share} of the {original.unit}, steps that search too; the others are the "
        "control."
    )


def _drawn(original: Dataset, seed: int) -> np.ndarray:
    """bool, a record each: whether its person is not of the control."""
    rng = np.random.default_rng(seed)
    if original.person_id is None:
        order = rng.permutation(original.n_records)
        kept = np.ones(original.n_records, dtype=bool)
        kept[order[: int(CONTROL * original.n_records)]] = False
        return kept
    held = original.records[original.person_id].array
    persons = len(held.categories) + 1
    out = np.zeros(persons, dtype=bool)
    out[rng.permutation(persons)[: int(CONTROL * persons)]] = True
    return ~out[np.asarray(held.codes)]


def _with_control(
    original: Dataset, applied: Applied, recipe: Recipe, columns: Sequence[str], control: Dataset
) -> tuple[Matching, str]:
    lacking = [name for name in original.columns if name not in control.columns]
    if lacking:
        raise InputError(f"The control has no column “{lacking[0]}”. Give a file with the columns of the original.")
    both = pd.concat([original.records[original.columns], control.records[original.columns]], ignore_index=True)
    everybody = Dataset.from_frame(both.astype(object), "original and control", roles=dict(original.roles))
    made_of = np.arange(len(both)) < original.n_records
    part = everybody.with_records(made_of, "the original")
    return of_release(everybody, recipe.apply(part), recipe, columns), (
        f"The control are {words.count(control.n_records, 'records')} of people whom the original does not hold."
    )


def _persons(matching: Matching, chosen: np.ndarray) -> int:
    """How many people some rows are of."""
    rows = np.flatnonzero(chosen)
    _, first = np.unique(matching.person[rows], return_index=True)
    return int(matching.people[rows[first]].sum())

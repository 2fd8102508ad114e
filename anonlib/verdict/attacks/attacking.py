"""All attacks on a release: as the recipient, with what they may know, and as somebody who may know all that leaves."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Protocol

import numpy as np
import pandas as pd

from anonlib.basics import words
from anonlib.basics.errors import InputError
from anonlib.basics.progress import Progress, nobody, share_of
from anonlib.basics.stores import Store
from anonlib.dataset import Dataset
from anonlib.release.applied import Applied
from anonlib.release.recipe import Recipe
from anonlib.release.uniqueness_of_release import Alone, alone_by_what_leaves, looked_at
from anonlib.release.uniqueness_of_release import seconds as seconds_alone
from anonlib.verdict.attacks.inference import MOST_LABELS, inference_attack, model_attack
from anonlib.verdict.attacks.linkage import (
    AttackerRegister,
    Linkage,
    linkability,
    linkage,
    membership,
    population_linkage,
)
from anonlib.verdict.attacks.matching import Matching, of_another_file, of_release
from anonlib.verdict.attacks.result import Attack
from anonlib.verdict.attacks.singling_out import predicate_attack
from anonlib.verdict.criteria import Aim

TRIES = 1_000
"""Times that each attack is tried."""
FEWEST = 200
"""Times that each is tried in a large file, at least."""
MOST_COMPARED = 50_000_000
"""Released rows that the targets of an attack are compared with, about a second."""
CONTROL = 0.1
"""Of all persons, the share that is kept out of a release for the control."""
SEED = 1
"""Of all draws, on the page, in evidence and on the command line. A project's own is a secret."""
_MOST_TREES = 12  # sensitive columns up to which trees learn each of them
_SECONDS_OF = {
    "predicate_attack": 0.7, "linkage": 0.05, "linkability": 1.0, "inference_attack": 0.9, "model_attack": 1.3,
    "membership": 0.2,
}  # fmt: skip
"""What each attack takes on two cores to compare :data:`MOST_COMPARED`. Calibrated on Adult."""
_MOST_LINKED = 4  # times as much is compared for linkage, which is the quickest


@dataclass(frozen=True)
class AttackSettings:
    """What is set about the attacks.

    Attributes
    ----------
    known : tuple[str, ...]
        Columns that somebody outside may know; the recipient is taken to know these.
    facts : int, default 0
        How many of them the recipient knows of a person at a time; 0: all.
    sensitive : tuple[str, ...], default ()
        Columns that are guessed.
    k : int, default 5
        Below how many a group is small.
    unknowable : tuple[str, ...], default ()
        Columns that nobody outside can know.
    n_columns : int, default 3
        Of how many columns a predicate is.
    one, other : tuple[str, ...], default ()
        What two parties know, for linkability; known columns and all others where empty.
    register : AttackerRegister, optional
        What a register holds.
    tries : int, default TRIES
        How often each attack is tried.
    seed : int, default SEED
        The seed of all draws.
    """

    known: tuple[str, ...]
    facts: int = 0
    sensitive: tuple[str, ...] = ()
    k: int = 5
    unknowable: tuple[str, ...] = ()
    n_columns: int = 3
    one: tuple[str, ...] = ()
    other: tuple[str, ...] = ()
    register: AttackerRegister = field(default_factory=AttackerRegister)
    tries: int = TRIES
    seed: int = SEED

    @classmethod
    def of(
        cls, data: Dataset, released: Dataset, aim: Aim, unknowable: Sequence[str] = (), **settings: Any
    ) -> AttackSettings:
        """The attacker of a case: who knows and guesses the columns with these roles that leave, as its aim says.

        ``settings`` are other fields.
        """
        columns, _ = looked_at(released, unknowable)
        return cls(
            tuple(name for name in columns if name in data.quasi_identifiers),
            aim.of.known,
            tuple(name for name in columns if name in data.sensitive),
            aim.small,
            tuple(unknowable),
            **settings,
        )


@dataclass(frozen=True)
class Attacks:
    """What came of all attacks.

    Attributes
    ----------
    attacker : AttackSettings
        What was set.
    alone : Alone | None
        Who is alone by any few of all columns, counted on the file that leaves; None where that was not counted.
    attacks : tuple[Attack, ...]
        Each that was tried, in order.
    promised : tuple[float, float] | None
        The chance that a link to somebody in the release is right, on average and at most, as the sizes of classes
        promise; None where no register was tried.
    n_released, n_control : int
        Persons (records) in the release that was attacked, and in the control.
    made_of : str
        How release and control came about, in a sentence.
    unit : str
        "persons" or "records".
    not_tried : tuple[str, ...], default ()
        What was not tried and why, a sentence each.
    to_come : int, default 0
        How many attacks are still to be tried, where these are those so far.
    """

    attacker: AttackSettings
    alone: Alone | None
    attacks: tuple[Attack, ...]
    promised: tuple[float, float] | None
    n_released: int
    n_control: int
    made_of: str
    unit: str
    not_tried: tuple[str, ...] = ()
    to_come: int = field(default=0, metadata={"came later": True})  # saved evidence of an old version lacks it

    def of_kind(self, kind: str) -> tuple[Attack, ...]:
        """Those of a kind, in order."""
        return tuple(attack for attack in self.attacks if attack.kind == kind)

    def to_frame(self) -> pd.DataFrame:
        """A row an attack; shares in [0, 1]."""
        rows = []
        for tried in self.attacks:
            excess, gain = tried.excess, tried.gain
            rows.append(
                {
                    "attack": tried.kind, "how": tried.how, "knows": tried.knows, "about": tried.about,
                    "columns known": ", ".join(tried.columns), "columns at a time": tried.known or len(tried.columns),
                    "successes": tried.rate.successes, "tries": tried.rate.tries, "rate": tried.rate.share,
                    "from": tried.rate.interval[0], "to": tried.rate.interval[1],
                    "baseline": None if tried.baseline is None else tried.baseline.share,
                    "control": None if tried.control is None else tried.control.share,
                    "control tries": None if tried.control is None else tried.control.tries,
                    "excess": None if excess is None else excess.value,
                    "excess from": None if excess is None else excess.interval[0],
                    "excess to": None if excess is None else excess.interval[1],
                    "gain": None if gain is None else gain.value,
                    "gain from": None if gain is None else gain.interval[0],
                    "gain to": None if gain is None else gain.interval[1],
                    "note": tried.note,
                }
            )  # fmt: skip
        return pd.DataFrame(rows)


def seconds(data: Dataset, recipe: Recipe, attacker: AttackSettings) -> float:
    """About how long all attacks take on two cores. Calibrated on files of 60 to 100,000 records."""
    n = data.n_records
    n_secrets = len(attacker.sensitive)
    n_attacks = 6 + (4 if n_secrets <= _MOST_TREES else 2) * n_secrets
    compared = min(attacker.tries * n, MOST_COMPARED)
    preparing = 1 + n / 20_000 if recipe.enabled else 0.5
    return preparing + seconds_alone(n, data.columns, recipe) + n_attacks * (0.6 * compared / MOST_COMPARED + 0.02)


def seconds_left(
    applied: Applied, recipe: Recipe, attacker: AttackSettings, store: AttackMemory, alone: Alone | None = None
) -> float:
    """About how long it takes to try the attacks that a store does not hold, as :func:`attack` of these would."""
    n, data = applied.original.n_records, applied.original
    columns, _ = looked_at(applied.released, attacker.unknowable)
    counting = 0.0 if alone or store.held(_alone_key(attacker)) else seconds_alone(n, data.columns, recipe)
    preparing = 0.0 if store.held(_ready_key(attacker)) else 1 + n / 20_000 if recipe.enabled else 0.5
    trials = _trials(attacker, columns, applied.released.n_records)
    left = [trial for trial in trials if trial is not None and store.held(trial.key(attacker.seed)) is None]
    return preparing + counting + sum(trial.seconds(n) for trial in left)


class AttackMemory(Protocol):
    """What was computed of one release, by its key, such as a :class:`anonlib.basics.stores.Store`."""

    def held(self, key: Hashable) -> Any:
        """The value of this key where there is one; else None."""

    def get(self, key: Hashable, compute: Callable[[], Any]) -> Any:
        """The value of this key, computed where there is none."""


def attack(
    applied: Applied,
    recipe: Recipe,
    attacker: AttackSettings,
    *,
    control: Dataset | None = None,
    population: Dataset | None = None,
    alone: Alone | None = None,
    store: AttackMemory | None = None,
    progress: Progress = nobody,
) -> Attacks:
    """Attack a release that a recipe made of data in memory.

    Who is alone is counted on the release itself, and so is what a register links. Tries that need people who are not
    in the file are made on a release of a random 90% of the persons by the same recipe, with the others as the control;
    or, with a control of one's own, on the release itself.

    Parameters
    ----------
    applied : Applied
        The release.
    recipe : Recipe
        The recipe that made it.
    attacker : AttackSettings
        What is set.
    control : Dataset, optional
        People whom the original does not hold, with its columns; a random tenth is kept out without.
    population : Dataset, optional
        The people around, under the file's names of columns, who are a register too.
    alone : Alone, optional
        Who is alone by what leaves, where it was counted already.
    store : AttackMemory, optional
        What was computed for attacks on the same release with the same control and population; what it holds is not
        computed again, and what is computed is remembered there. Each attack is held by what it depends on, so that
        other settings have those tried again that they change.
    progress : Progress, default nobody
        Called with the share that is done and the attacks (:class:`Attacks`) as far as they are tried.

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
        raise InputError(
            "Attacks are tried on records in memory: open the table as a file, or a part of it.",
            code="records-in-a-database",
        )
    if not applied.released.n_records:
        raise InputError(
            "No record leaves, so there is nothing to attack: recode more, or leave out fewer.", code="no-record-left"
        )
    columns, _ = looked_at(applied.released, attacker.unknowable)
    if not columns:
        raise InputError(
            "No column leaves that somebody could know, so there is nothing to attack.", code="no-column-known"
        )
    so_far, store = _SoFar(progress), Store(0) if store is None else store
    if alone is None:
        counting = share_of(so_far.progress, 0.0, 0.15)
        settings: dict[str, Any] = {"k": attacker.k, "unknowable": attacker.unknowable, "progress": counting}
        alone = store.get(_alone_key(attacker), lambda: alone_by_what_leaves(applied, recipe, **settings))
    ready: _Ready = store.get(
        _ready_key(attacker), lambda: _made_ready(applied, recipe, columns, attacker.seed, control)
    )
    part = ready.part
    begun = Attacks(
        attacker, alone, (), None, _persons(part, part.member), _persons(part, part.control), ready.made_of,
        original.unit, _passed_over(attacker, part),
    )  # fmt: skip
    trials = _trials(attacker, part.names, applied.released.n_records)
    if population is None:
        return _tried(begun, trials, ready, so_far, store)
    around = _with_population(applied, recipe, attacker, population, store)
    if around is None:
        begun = replace(begun, not_tried=(*begun.not_tried, _NONE_IN_POPULATION))
    return _tried(begun, trials, ready, so_far, store, around)


def attack_another_file(
    original: Dataset,
    released: Dataset,
    attacker: AttackSettings,
    *,
    control: Dataset | None = None,
    progress: Progress = nobody,
) -> Attacks:
    """Attack a file that was made elsewhere of an original: synthetic, or protected by another program.

    Parameters
    ----------
    original, released : Dataset
        In memory; columns of one name are the same.
    attacker : AttackSettings
        What is known, what is guessed, and how often it is tried.
    progress : Progress, default nobody
        Called with the share that is done and the attacks (:class:`Attacks`) as far as they are tried.
    control : Dataset, optional
        People that the file was not made of; without them rates have no control.
    """
    for table, name in ((original, "original"), (released, "other file")):
        if table.frame is None:
            raise InputError(
                f"Attacks are tried on records in memory: open the {name} as a file.", code="records-in-a-database"
            )
        if not table.n_records:
            raise InputError(f"The {name} has no records, so there is nothing to attack.", code="no-records")
    names, _ = looked_at(released, attacker.unknowable)
    apart = {*original.identifiers, original.person_id, original.weight}
    columns = tuple(name for name in names if name in original.columns and name not in apart)
    if not columns:
        raise InputError(
            "The two files have no column of one name. Give columns in both files the same names.",
            code="column-unknown",
        )
    matching = of_another_file(original, released, columns, control)
    made_of = (
        "The control is a file of people that the other file was not made of." if control is not None
        else "There is no control: rates say nothing of what holds of everybody alike."
    )  # fmt: skip
    if not_read := [f"{column.name}: {column.n_not_read:,}" for column in matching.columns if column.n_not_read]:
        made_of += (
            f" Of some labels it is not known what they are true of (records by column: {', '.join(not_read)}). They "
            "are true of nobody here, so that attacks may look weaker than they are."
        )
    begun = Attacks(
        attacker, None, (), None, _persons(matching, matching.member), _persons(matching, matching.control), made_of,
        original.unit,
        ("Linked: in a file made elsewhere nobody knows which record is whose.", *_passed_over(attacker, matching)),
    )  # fmt: skip
    trials = _trials(attacker, matching.names, matching.n_released, with_linkage=False)
    return _tried(begun, trials, _Ready(matching, matching, made_of), _SoFar(progress), Store(0))


# ---- made ready: what attacks with any settings have in common ----


@dataclass(frozen=True, eq=False)
class _Ready:
    """The release of everybody, and that of a part beside its control; ``made_of`` as in :class:`Attacks`."""

    whole: Matching
    part: Matching
    made_of: str


def _alone_key(attacker: AttackSettings) -> Hashable:
    return "alone", attacker.k, attacker.unknowable


def _ready_key(attacker: AttackSettings) -> Hashable:
    return "ready", attacker.unknowable, attacker.seed


def _made_ready(applied: Applied, recipe: Recipe, columns: Sequence[str], seed: int, control: Dataset | None) -> _Ready:
    original = applied.original
    whole = of_release(original, applied, recipe, columns)
    if control is not None:
        return _Ready(whole, *_with_control(original, recipe, columns, control))
    part, share = _of_a_part(original, recipe, columns, seed), words.percent(1 - CONTROL)
    if part is None:
        sentence = f"There is no control: the recipe cannot be applied to a random {share} of the {original.unit}."
        return _Ready(whole, whole, sentence)
    sentence = (
        f"The recipe is applied to a random {share} of the {original.unit}, steps that search too; the others are the "
        "control."
    )
    return _Ready(whole, part, sentence)


# ---- one after the other ----


@dataclass(frozen=True)
class _Trial:
    """One attack that is to be tried, with all that it depends on beside the release and the people.

    Attributes
    ----------
    kind : str
        In sentences, such as ``Guessed salary``.
    place : int
        Among all attacks, whether they are tried or not; it draws by it and the seed.
    attack : Callable
        Takes a release and its people, the settings in their order, draws and the progress.
    settings : tuple
        Of the attack.
    tries : int
        How often it is tried at most.
    register : AttackerRegister, optional
        Of an attack that has one.
    """

    kind: str
    place: int
    attack: Callable[..., Attack | Linkage | None]
    settings: tuple[Any, ...]
    tries: int
    register: AttackerRegister | None = None

    def key(self, seed: int) -> Hashable:
        """Names it: the same key, the same outcome on one release."""
        return "trial", self.attack.__name__, self.place, self.settings, self.register, seed

    def seconds(self, n_records: int) -> float:
        """About how long it takes on two cores."""
        return 0.02 + _SECONDS_OF[self.attack.__name__] * min(self.tries * n_records / MOST_COMPARED, _MOST_LINKED)

    def outcome(self, ready: _Ready, seed: int, progress: Progress) -> Attack | Linkage | None:
        """Try it."""
        matching = ready.whole if self.register is not None else ready.part
        more: dict[str, Any] = {} if self.register is None else {"register": self.register}
        rng = np.random.default_rng([seed, self.place])
        return self.attack(matching, *self.settings, rng, progress=progress, **more)


class _SoFar:
    """What came of attacks so far, handed on with how far the one under way is."""

    def __init__(self, progress: Progress) -> None:
        self._progress = progress
        self.latest: Attacks | None = None

    def progress(self, share: float, _so_far: None = None, /) -> None:
        if self.latest is not None:
            self._progress(share, self.latest)


def _tried(
    begun: Attacks, trials: Sequence[_Trial | None], ready: _Ready, so_far: _SoFar, store: AttackMemory,
    around: Callable[[np.random.Generator], Attack] | None = None,
) -> Attacks:  # fmt: skip
    """Every attack, one after the other; what was done so far is given along."""
    seed = begun.attacker.seed
    to_try = [trial for trial in trials if trial is not None]
    n = len(to_try) + (around is not None)
    so_far.latest = attacks = replace(begun, to_come=n)
    for i, trial in enumerate(to_try):
        begin, end = (0.15 + 0.85 * step / n for step in (i, i + 1))
        progress = share_of(so_far.progress, begin, end)
        (done,) = store.get(trial.key(seed), lambda: (trial.outcome(ready, seed, progress),))  # noqa: B023  (called at once)
        attacks = replace(attacks, to_come=n - i - 1)
        if isinstance(done, Linkage):
            attacks = replace(attacks, attacks=(*attacks.attacks, done.attack), promised=done.promised)
        elif done is not None:
            attacks = replace(attacks, attacks=(*attacks.attacks, done))
        elif trial.attack is model_attack:
            attacks = replace(attacks, not_tried=(*attacks.not_tried, f"{trial.kind}: {_NO_TREES}"))
        so_far.latest = attacks
        so_far.progress(end)
    if around is not None:
        linked = around(np.random.default_rng([seed, len(trials)]))
        attacks = replace(attacks, attacks=(*attacks.attacks, linked), to_come=0)
    return attacks


def _with_population(
    applied: Applied, recipe: Recipe, attacker: AttackSettings, population: Dataset, store: AttackMemory
) -> Callable[[np.random.Generator], Attack] | None:
    """Linkage with the people around, by the known columns that they have; None where they have none."""
    names = [name for name in attacker.known if name in population.columns]
    if not names:
        return None
    table = store.get(
        ("around", *names), lambda: recipe.apply_to_population(population, applied.original).classes(names)
    )
    tries = 5 * attacker.tries
    return lambda rng: population_linkage(applied.released.classes(names), table, tries, "recipient", rng)


_NONE_IN_POPULATION = "Linked with the population table: it has no column that leaves and may be known."
_NO_TREES = (
    f"trees learn a column of 2 to {MOST_LABELS} labels, half as many as records at most, from one that is known."
)


def _trials(
    attacker: AttackSettings, columns: Sequence[str], n_released: int, *, with_linkage: bool = True
) -> tuple[_Trial | None, ...]:
    """The attacks in order; None in the place of one that there is not with these settings."""
    everything = tuple(columns)
    known = tuple(name for name in everything if name in attacker.known)
    secrets = [name for name in everything if name in attacker.sensitive]
    n = max(FEWEST, min(attacker.tries, MOST_COMPARED // max(1, n_released)))
    whose = (("anybody", everything, 0), ("recipient", known, attacker.facts))
    trials: list[_Trial | None] = []

    def add(
        kind: str, try_: Callable[..., Any], *settings: Any, tries: int = n, register: AttackerRegister | None = None
    ) -> None:
        trials.append(_Trial(kind, len(trials), try_, settings, tries, register))

    tries = attacker.tries
    add("Found", predicate_attack, everything, 1, tries, "anybody", tries=tries)
    for knows, names, _ in whose:
        if names and (knows, attacker.n_columns) == ("anybody", 1):  # which was tried
            trials.append(None)
        elif names:
            add("Found", predicate_attack, names, attacker.n_columns, tries, knows, tries=tries)
    if with_linkage and known:
        linked = max(FEWEST, min(5 * tries, _MOST_LINKED * MOST_COMPARED // max(1, n_released)))
        add("Linked", linkage, known, linked, "recipient", tries=linked, register=attacker.register)
    one = tuple(name for name in everything if name in (attacker.one or known))
    other = tuple(name for name in everything if (name in attacker.other if attacker.other else name not in one))
    if one and other:
        add("Linked by two parties", linkability, one, other, n, "anybody")
    else:
        trials.append(None)
    for about in secrets:
        for knows, names, facts in whose:
            others = tuple(name for name in names if name != about)
            if others:
                add(f"Guessed {about}", inference_attack, about, others, facts, n, knows)
            if others and len(secrets) <= _MOST_TREES:
                add(f"Guessed {about}", model_attack, about, others, n, knows)
    for knows, names, _ in whose:
        if names:
            add("Known to be in the file", membership, names, n, knows)
    return tuple(trials)


def _passed_over(attacker: AttackSettings, matching: Matching) -> tuple[str, ...]:
    """What is not tried from the beginning, in sentences."""
    n_secrets = len({*attacker.sensitive} & {*matching.names})
    if n_secrets <= _MOST_TREES:
        return ()
    return (f"Guessed by trees: {n_secrets} columns are sensitive; trees are tried where {_MOST_TREES} or fewer are.",)


# ---- control ----


def _of_a_part(original: Dataset, recipe: Recipe, columns: Sequence[str], seed: int) -> Matching | None:
    """A release of a random part by the same recipe, the others as the control; None where that cannot be."""
    part = original.with_records(_drawn(original, seed), f"without a control, seed {seed}")
    applied = recipe.apply(part)
    if applied.problems or not applied.released.n_records or not {*applied.released.columns}.issuperset(columns):
        return None
    return of_release(original, applied, recipe, columns)


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


def _with_control(original: Dataset, recipe: Recipe, columns: Sequence[str], control: Dataset) -> tuple[Matching, str]:
    """The release of the original beside a control of other people, whatever their ids."""
    lacking = next((name for name in original.columns if name not in control.columns), None)
    if lacking is not None:
        raise InputError(
            f"The control has no column “{lacking}”. Give a file with the columns of the original.",
            code="column-unknown",
        )
    tables = [table.records[original.columns].astype(object) for table in (original, control)]
    if original.person_id is not None:
        for table, which in zip(tables, ("original", "control"), strict=True):
            has_id = table[original.person_id].notna()
            table.loc[has_id, original.person_id] = which + " " + table.loc[has_id, original.person_id]
    both = Dataset.from_frame(
        pd.concat(tables, ignore_index=True), "original and control", roles=original.roles, missing=original.missing
    )
    part = both.with_records(np.arange(both.n_records) < original.n_records, "the original")
    recipe = recipe.among_others(original, both.digest)
    return of_release(both, recipe.apply(part), recipe, columns), (
        f"The control is a file of {words.count(control.n_records, 'records')}, taken for people whom the original "
        "does not hold."
    )


def _persons(matching: Matching, chosen: np.ndarray) -> int:
    """How many people some rows are of."""
    rows = np.flatnonzero(chosen)
    _, first = np.unique(matching.person[rows], return_index=True)
    return int(matching.people[rows[first]].sum())

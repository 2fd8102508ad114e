"""The recipe: an ordered list of steps, applied to the original each time."""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Any

import pandas as pd

from anonlib import words
from anonlib.dataset import Dataset
from anonlib.errors import InputError
from anonlib.release.generalized import GeneralizeLocally, SuppressViolating, counted_records, suppresses
from anonlib.release.places import AggregatePlaces
from anonlib.release.steps import DropColumns, Recode, Step, Suppress, Unseen

_FORMAT, _VERSION = "anonscope-recipe", 1
STEP_KINDS: dict[str, Any] = {
    step.kind: step for step in (DropColumns, Recode, AggregatePlaces, Suppress, SuppressViolating, GeneralizeLocally)
}


@dataclass(frozen=True)
class Entry:
    """A step in its place, switched on or off."""

    step: Step
    enabled: bool = True


@dataclass(frozen=True)
class StepEffect:
    """What one step did, in counts.

    Attributes
    ----------
    records_removed, columns_removed : rows and columns that the step took away.
    cells_changed : cells of the records left whose value the step replaced.
    untouched : distinct values that the step's way of recoding does not apply to, knowingly left as they are.
    unseen : values that it neither covers nor knows, by column; until somebody decides on them, no file leaves.
    problem : why the step could not be applied (it then did nothing), or "".
    """

    records_removed: int = 0
    columns_removed: int = 0
    cells_changed: int = 0
    untouched: int = 0
    unseen: tuple[Unseen, ...] = ()
    problem: str = ""


@dataclass(frozen=True, eq=False)
class Applied:
    """A recipe's outcome: the original, the data set to release, and what each step did.

    ``effects`` has one item an entry, None where it is switched off. ``released`` holds no identifiers, and no
    records that the missing-value policy leaves out; ``left_out`` counts those.
    """

    original: Dataset
    released: Dataset
    effects: tuple[StepEffect | None, ...]
    left_out: int

    @property
    def problems(self) -> tuple[str, ...]:
        return tuple(effect.problem for effect in self.effects if effect is not None and effect.problem)

    @property
    def unseen(self) -> tuple[Unseen, ...]:
        """Values that a step neither covers nor knows, on which nobody has decided."""
        return tuple(unseen for effect in self.effects if effect is not None for unseen in effect.unseen)

    @property
    def why_not(self) -> str:
        """Why no file may leave, in a sentence; "" when one may."""
        if self.problems:
            return "A step of the recipe could not be applied: correct it, switch it off or remove it first."
        if self.unseen:
            n = sum(len(unseen.values) for unseen in self.unseen)
            columns = ", ".join(dict.fromkeys(unseen.column for unseen in self.unseen))
            missing = f"The recipe does not cover {words.count(n, 'values')} of {columns}"
            return f"{missing}: decide in its steps what becomes of {'it' if n == 1 else 'them'}."
        return ""


@dataclass(frozen=True)
class Recipe:
    """An immutable ordered list of steps. Positions count from 0."""

    entries: tuple[Entry, ...] = ()

    @classmethod
    def of(cls, steps: Iterable[Step]) -> Recipe:
        return cls(tuple(Entry(step) for step in steps))

    def __len__(self) -> int:
        return len(self.entries)

    @property
    def enabled(self) -> tuple[Step, ...]:
        return tuple(entry.step for entry in self.entries if entry.enabled)

    @property
    def key(self) -> str:
        """Names the recipe's content: the same key, the same release."""
        return self.to_json()

    def add(self, step: Step) -> Recipe:
        """The recipe with a step at its end."""
        return Recipe((*self.entries, Entry(step)))

    def take(self, steps: Iterable[Step], data: Dataset | None = None) -> Recipe:
        """The recipe with new steps where they belong, in their order; recodings made for ``data`` where it is given.

        All but :class:`Suppress`, which is last, come before every step that suppresses, since that would leave out
        more than it need; but after regions, after each step that recodes the same columns and, to drop one, after each
        that counts by it.
        """
        entries, least = list(self.entries), 0
        for step in steps:
            place = max(least, Recipe(tuple(entries)).place_of(step))
            if data is not None and isinstance(step, Recode | GeneralizeLocally):
                step = step.knowing(Recipe(tuple(entries[:place])).applied_in_turn(data)[0])
            entries.insert(place, Entry(step))
            least = place + 1
        return Recipe(tuple(entries))

    def place_of(self, step: Step) -> int:
        """The position at which a new step belongs."""
        if isinstance(step, Suppress):
            return len(self)
        first = next((i for i, entry in enumerate(self.entries) if suppresses(entry.step)), len(self))
        return max([first, *(i + 1 for i, entry in enumerate(self.entries) if _comes_before(entry.step, step))])

    def before(self, position: int) -> Recipe:
        """The steps that stand before a position."""
        return Recipe(self.entries[:position])

    def remove(self, position: int) -> Recipe:
        return Recipe(self.entries[:position] + self.entries[position + 1 :])

    def move(self, position: int, by: int) -> Recipe:
        """The step at ``position`` moved ``by`` places, as far as the list goes."""
        rest = list(self.entries)
        entry = rest.pop(position)
        rest.insert(min(max(position + by, 0), len(rest)), entry)
        return Recipe(tuple(rest))

    def switch(self, position: int, enabled: bool) -> Recipe:
        return self._with(position, replace(self.entries[position], enabled=enabled))

    def replace_step(self, position: int, step: Step) -> Recipe:
        return self._with(position, replace(self.entries[position], step=step))

    def _with(self, position: int, entry: Entry) -> Recipe:
        return Recipe((*self.entries[:position], entry, *self.entries[position + 1 :]))

    def apply(self, dataset: Dataset) -> Applied:
        """Apply the steps that are switched on, in order, to the original.

        A step that does not fit the data is passed over and its ``problem`` says why; the others still count.
        """
        current, effects = self.applied_in_turn(dataset)
        released = counted_records(current)
        left_out = current.n_records - released.n_records
        return Applied(dataset, _without_identifiers(released), effects, left_out)

    def applied_in_turn(self, dataset: Dataset) -> tuple[Dataset, tuple[StepEffect | None, ...]]:
        """The data set as the steps leave it, identifiers included, and what each did."""
        current = dataset
        effects: list[StepEffect | None] = []
        for entry in self.entries:
            if not entry.enabled:
                effects.append(None)
                continue
            try:
                changed = entry.step.apply(current)
                effects.append(_effect(entry.step, current, changed))
                current = changed
            except InputError as error:
                effects.append(StepEffect(problem=str(error)))
        return current, tuple(effects)

    def apply_to_population(self, population: Dataset) -> Dataset:
        """A population table recoded like the data; steps that do not fit it are passed over."""
        for step in self.enabled:
            try:
                population = step.apply_to_population(population)
            except InputError:
                continue
        return population

    def to_json(self) -> str:
        steps = [{**entry.step.to_dict(), "enabled": entry.enabled} for entry in self.entries]
        return json.dumps({"format": _FORMAT, "version": _VERSION, "steps": steps}, indent=2, ensure_ascii=False)

    @classmethod
    def from_json(cls, text: str | bytes) -> Recipe:
        """The recipe of a JSON text. Raises InputError that names the step at fault."""
        try:
            document = json.loads(text)
        except (ValueError, RecursionError):
            raise InputError("This is not a recipe: it is no valid JSON. Choose a recipe saved here.") from None
        if not isinstance(document, dict) or document.get("format") != _FORMAT:
            raise InputError("This JSON is not a recipe. Choose a file saved with “Save recipe”.")
        if document.get("version") != _VERSION or not isinstance(document.get("steps"), list):
            raise InputError("This recipe was saved by another version and cannot be read.")
        return cls(tuple(_entry(position, values) for position, values in enumerate(document["steps"], start=1)))


def _entry(position: int, values: object) -> Entry:
    kind = values.get("kind") if isinstance(values, dict) else None
    if not isinstance(values, dict) or not isinstance(kind, str) or kind not in STEP_KINDS:
        raise InputError(f"Step {position} of the recipe is of a kind this version does not know.")
    try:
        step, enabled = STEP_KINDS[kind].from_dict(values), values.get("enabled", True)
    except InputError as error:
        raise InputError(f"Step {position} of the recipe: {error}") from None
    except (KeyError, TypeError, ValueError, AttributeError):
        raise InputError(f"Step {position} of the recipe lacks a parameter or has one of the wrong kind.") from None
    if not isinstance(enabled, bool):
        raise InputError(f"Step {position} of the recipe must be switched on or off by true or false.")
    return Entry(step, enabled)


def _effect(step: Step, before: Dataset, after: Dataset) -> StepEffect:
    return StepEffect(
        records_removed=before.n_records - after.n_records,
        columns_removed=len(before.columns) - len(after.columns),
        cells_changed=sum(_changed(table) for _, table in step.value_tables(before, after)),
        untouched=step.not_recoded(before),
        unseen=step.unseen(before),
    )


def _changed(table: pd.DataFrame) -> int:
    """Records of a value table whose value is replaced by another."""
    value, label = table["value"], table["released as"]
    differs = (value != label) & ~(value.isna() & label.isna())
    return int(table["records"][differs].sum())


def _without_identifiers(dataset: Dataset) -> Dataset:
    return dataset.without_columns(dataset.identifiers)


def columns_of(step: Step) -> set[str]:
    """The columns that a step recodes, drops or counts by; of plain suppression, none is named."""
    if isinstance(step, DropColumns):
        return set(step.columns)
    if isinstance(step, SuppressViolating | GeneralizeLocally):
        named = {name for requirement in step.requirements for name in requirement.attributes}
        return named | {rule.attribute for rule in step.rules}
    return set(step.recodes)


def _comes_before(step: Step, new: Step) -> bool:
    """Whether a new step works on what an earlier one leaves of a column, or on the regions that all see."""
    if isinstance(step, AggregatePlaces):
        return True
    touched = columns_of(step) if isinstance(new, DropColumns) else set(step.recodes)
    return bool(touched & columns_of(new))

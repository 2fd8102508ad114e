"""The recipe: an ordered list of steps, applied to the original each time."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Collection, Iterable
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

from anonlib.basics.errors import InputError
from anonlib.dataset import Dataset
from anonlib.release.applied import Applied, StepEffect, effect_of
from anonlib.release.steps import LabelsBy, Scope, Stage, Step, reader_of

_FORMAT, _VERSION = "anonscope-recipe", 1


@dataclass(frozen=True)
class Entry:
    """A step in its place, switched on or off."""

    step: Step
    enabled: bool = True


@dataclass(frozen=True)
class Recipe:
    """An immutable ordered list of steps. Positions count from 0.

    Attributes
    ----------
    entries : tuple[Entry, ...], default ()
        The steps in their order, each switched on or off.
    """

    entries: tuple[Entry, ...] = ()

    @classmethod
    def of(cls, steps: Iterable[Step]) -> Recipe:
        """The recipe of these steps in this order, all switched on.

        Parameters
        ----------
        steps : Iterable[Step]
            Of any kind, in the order in which they are applied.
        """
        return cls(tuple(Entry(step) for step in steps))

    def __len__(self) -> int:
        return len(self.entries)

    # ---- what is in it ----

    @property
    def enabled(self) -> tuple[Step, ...]:
        """The steps that are switched on."""
        return tuple(entry.step for entry in self.entries if entry.enabled)

    @property
    def recoded(self) -> frozenset[str]:
        """The columns that a step switched on recodes."""
        return frozenset(column for step in self.enabled for column in step.recodes)

    @property
    def dropped(self) -> frozenset[str]:
        """The columns that a step switched on drops."""
        return frozenset(column for step in self.enabled for column in step.drops)

    def recoded_by(self, *ways: LabelsBy) -> tuple[str, ...]:
        """The columns, each once, that a step switched on recodes in one of some ways.

        Parameters
        ----------
        *ways : LabelsBy
            By what such steps decide which label a cell gets (:attr:`Step.labels_by`).

        Returns
        -------
        tuple[str, ...]
        """
        those = (step for step in self.enabled if step.labels_by in ways)
        return tuple(dict.fromkeys(column for step in those for column in step.recodes))

    @property
    def places(self) -> Recipe:
        """The steps switched on that put regions in the place of areas."""
        return Recipe.of(step for step in self.enabled if step.stage is Stage.PLACES)

    @property
    def ahead(self) -> Recipe:
        """The steps switched on whose outcome every later one sees: rows of persons, dates moved, and regions."""
        return Recipe.of(step for step in self.enabled if step.stage <= Stage.PLACES)

    @property
    def independent(self) -> Recipe:
        """The steps switched on that leave nobody out, on columns by which no earlier step leaves records out."""
        return Recipe(tuple(entry for entry, free in zip(self.entries, self._free, strict=True) if free))

    @cached_property
    def digest(self) -> str:
        """SHA-256 of the recipe's content, as 64 hexadecimal digits: the same digest, the same release."""
        content = "".join(f"{entry.step.digest}{entry.enabled:d}" for entry in self.entries)
        return hashlib.sha256(content.encode()).hexdigest()

    @property
    def key(self) -> str:
        """What answers about the recipe are remembered by: its digest."""
        return self.digest

    # ---- new steps, and what gives way to them ----

    def take(
        self,
        steps: Iterable[Step],
        data: Dataset | None = None,
        *,
        replacing: Collection[str] = (),
        scope: Scope = Scope.COLUMN,
    ) -> Recipe:
        """The recipe with new steps where they belong: the one way in.

        A step that goes through the rows of each person comes first of all, since it looks at what these hold in the
        original. Any other comes before every one that leaves records out, which would else leave out more than it
        need, but after regions, after each step that recodes the same columns and, to drop one, after each that counts
        by it. The one that leaves out small classes comes last. Regions are counted on the columns as they are
        released: they come, and what is left out for them directly behind, after all recodings of columns that no
        earlier step leaves records out by, which move ahead of it.

        Parameters
        ----------
        steps : Iterable[Step]
            The new steps, in their order.
        data : Dataset, optional
            The original. Steps are then made knowing the values that they find where they are put
            (:meth:`Step.knowing`).
        replacing : Collection[str], default ()
            Columns that the new steps decide on, also those that they leave as they are: earlier
            steps about them give way (:meth:`without`). The steps do not tell: a search that has nothing to recode or
            to leave out has no step that says so.
        scope : Scope
            How much is decided.

        Returns
        -------
        Recipe
            The recipe with the new steps.
        """
        recipe, new, least = self.without(replacing, scope), list(steps), 0
        regions = any(step.stage is Stage.PLACES for step in new)
        recipe = recipe._recodings_ahead() if regions else recipe
        begun, before = 0, data  # the data as the steps before a place leave them: new steps come behind each other
        for step in new:
            place = least if regions and least else max(least, recipe.place_of(step))
            if before is not None and step.recodes:
                before, begun = Recipe(recipe.entries[begun:place]).leaves(before), place
                step = step.knowing(before)
            recipe = Recipe((*recipe.entries[:place], Entry(step), *recipe.entries[place:]))
            least = place + 1
        return recipe

    def place_of(self, step: Step) -> int:
        """The position at which a new step belongs, as :meth:`take` says.

        Parameters
        ----------
        step : Step
            One that may be in the recipe or not.

        Returns
        -------
        int
        """
        if step.stage is Stage.CLASSES:
            return len(self)
        least = 0 if step.stage is Stage.PERSONS else self._first_to_leave_out
        return max([least, *(i + 1 for i, e in enumerate(self.entries) if step.follows(e.step))])

    def without(self, columns: Collection[str], scope: Scope = Scope.COLUMN) -> Recipe:
        """What is left of the recipe when so much about these columns is decided again.

        Parameters
        ----------
        columns : Collection[str]
            Their names.
        scope : Scope
            How much is decided: steps of another ``gives_way_to`` beyond it stay.

        Returns
        -------
        Recipe
        """
        given = self.giving_way(columns, scope)
        left = [(entry, given.get(i, entry.step)) for i, entry in enumerate(self.entries)]
        return Recipe(tuple(replace(entry, step=step) for entry, step in left if step is not None))

    def giving_way(self, columns: Collection[str], scope: Scope = Scope.COLUMN) -> dict[int, Step | None]:
        """By position, what is left of the steps that give way when so much about these columns is decided again.

        What is left out for regions stays while these do. What is switched off stays where one column is recoded.

        Parameters
        ----------
        columns : Collection[str]
            Their names.
        scope : Scope, default Scope.COLUMN
            How much is decided: steps of another ``gives_way_to`` beyond it stay.

        Returns
        -------
        dict[int, Step | None]
        """
        regions: set[str] = set()
        if scope < Scope.REGIONS:
            every = (entry.step for entry in self.entries)
            regions = {column for step in every if step.stage is Stage.PLACES for column in step.columns} - {*columns}
        remaining: dict[int, Step | None] = {}
        for i, (step, enabled) in enumerate((entry.step, entry.enabled) for entry in self.entries):
            for_regions = not step.recodes and not regions.isdisjoint(step.columns)
            if step.gives_way_to > scope or for_regions or (scope is Scope.COLUMN and not enabled):
                continue
            if (left := step.without(columns)) is not step:
                remaining[i] = left
        return remaining

    @property
    def _first_to_leave_out(self) -> int:
        """The position of the first step that leaves records out; the recipe's length without one."""
        return next((i for i, entry in enumerate(self.entries) if entry.step.leaves_out), len(self))

    @property
    def _free(self) -> tuple[bool, ...]:
        """Per entry, whether it is among :attr:`independent`."""
        free, counted_by = [], set[str]()
        for entry in self.entries:
            if entry.enabled and entry.step.leaves_out:
                counted_by.update(entry.step.columns)
            free.append(entry.enabled and not entry.step.leaves_out and counted_by.isdisjoint(entry.step.columns))
        return tuple(free)

    def _recodings_ahead(self) -> Recipe:
        """The recipe with the independent steps moved before all that leave records out."""
        first = self._first_to_leave_out
        behind = list(zip(self.entries[first:], self._free[first:], strict=True))
        ahead, rest = [e for e, free in behind if free], [e for e, free in behind if not free]
        return Recipe((*self.entries[:first], *ahead, *rest))

    # ---- changed by hand ----

    def add(self, step: Step) -> Recipe:
        """The recipe with a step at its end, wherever it belongs.

        Parameters
        ----------
        step : Step
            What is done last, switched on.

        Returns
        -------
        Recipe
        """
        return Recipe((*self.entries, Entry(step)))

    def before(self, position: int) -> Recipe:
        """The steps that stand before a position.

        Parameters
        ----------
        position : int
            The position of the step, from 0.

        Returns
        -------
        Recipe
        """
        return Recipe(self.entries[:position])

    def remove(self, position: int) -> Recipe:
        """The recipe without the step at ``position``.

        Parameters
        ----------
        position : int
            The position of the step, from 0.

        Returns
        -------
        Recipe
        """
        return Recipe(self.entries[:position] + self.entries[position + 1 :])

    def move(self, position: int, by: int) -> Recipe:
        """The step at ``position`` moved ``by`` places, as far as the list goes.

        Parameters
        ----------
        position : int
            The position of the step, from 0.
        by : int
            How many places towards the end; negative: towards the beginning.

        Returns
        -------
        Recipe
        """
        rest = list(self.entries)
        entry = rest.pop(position)
        rest.insert(min(max(position + by, 0), len(rest)), entry)
        return Recipe(tuple(rest))

    def switch(self, position: int, enabled: bool) -> Recipe:
        """The recipe with the step at ``position`` switched on or off.

        Parameters
        ----------
        position : int
            The position of the step, from 0.
        enabled : bool
            On or off.

        Returns
        -------
        Recipe
        """
        return self._with(position, replace(self.entries[position], enabled=enabled))

    def replace_step(self, position: int, step: Step) -> Recipe:
        """The recipe with another step at ``position``.

        Parameters
        ----------
        position : int
            The position of the step, from 0.
        step : Step
            What is done there instead.

        Returns
        -------
        Recipe
        """
        return self._with(position, replace(self.entries[position], step=step))

    def _with(self, position: int, entry: Entry) -> Recipe:
        return Recipe((*self.entries[:position], entry, *self.entries[position + 1 :]))

    # ---- applied ----

    def apply(self, dataset: Dataset) -> Applied:
        """Apply the steps that are switched on, in order, to the original.

        A step that does not fit the data is passed over and its ``problem`` says why; the others still count. Rows of
        count 0 stand for nobody and are left out before.

        Parameters
        ----------
        dataset : Dataset
            The original.

        Returns
        -------
        Applied
        """
        current, effects = dataset.without_rows_of_nobody(), list[StepEffect | None]()
        of_nobody = 0 if current is dataset else dataset.n_records - current.n_records
        for entry in self.entries:
            effect = None
            if entry.enabled:
                try:
                    changed = entry.step.apply(current)
                    effect, current = effect_of(entry.step, current, changed), changed
                except InputError as error:
                    effect = StepEffect(problem=str(error), emptied=entry.step.emptied)
            effects.append(effect)
        released = current.with_counted()
        left_out = current.n_records - released.n_records
        return Applied(dataset, released.without_columns(released.identifiers), tuple(effects), left_out, of_nobody)

    def to_protect(self, dataset: Dataset, apply: Callable[[Recipe, Dataset], Applied] | None = None) -> Dataset:
        """What a search protects: the original without the columns dropped, with regions where places are joined.

        Rows beyond so many of a person and records held back are left out of it, and dates that are moved are moved.

        Parameters
        ----------
        dataset : Dataset
            The original.
        apply : Callable[[Recipe, Dataset], Applied], optional
            Applies a recipe; :meth:`apply` when left out.

        Returns
        -------
        Dataset
        """
        if self.ahead.entries:
            dataset = (apply or Recipe.apply)(self.ahead, dataset).released
        return dataset.without_columns([name for name in dataset.columns if name in self.dropped])

    def among_others(self, dataset: Dataset, digest: str) -> Recipe:
        """The recipe for a file that begins with the records of a data set, in their order, and goes on with others.

        Parameters
        ----------
        dataset : Dataset
            The records that the file begins with.
        digest : str
            That of the file.

        Returns
        -------
        Recipe
        """
        return Recipe(tuple(replace(entry, step=entry.step.among_others(dataset, digest)) for entry in self.entries))

    def apply_to_population(self, population: Dataset, data: Dataset | None = None) -> Dataset:
        """A population table recoded like the data; steps that do not fit it are passed over.

        ``data`` is the original: steps that recode single cells do with the table what they do with it, and are passed
        over without it.

        Parameters
        ----------
        population : Dataset
            The population table.
        data : Dataset, optional
            The original.

        Returns
        -------
        Dataset
        """
        for step in self.enabled:
            with suppress(InputError):
                population = step.apply_to_population(population, data)
            if data is not None and step is not self.enabled[-1]:
                with suppress(InputError):
                    data = step.apply(data)
        return population

    def leaves(self, dataset: Dataset) -> Dataset:
        """The data set as the steps leave it, identifiers included; steps that do not fit it are passed over.

        Parameters
        ----------
        dataset : Dataset
            The data set.

        Returns
        -------
        Dataset
        """
        for step in self.enabled:
            with suppress(InputError):
                dataset = step.apply(dataset)
        return dataset

    # ---- saved ----

    def to_list(self) -> list[dict[str, Any]]:
        """The steps as plain values for JSON."""
        return [{**entry.step.to_dict(), "enabled": entry.enabled} for entry in self.entries]

    @classmethod
    def from_list(cls, steps: object) -> Recipe:
        """The recipe of such values.

        Parameters
        ----------
        steps : object
            The steps as plain values, as JSON has them.

        Raises
        ------
        InputError
            When they are none; the sentence names the step at fault.
        """
        if not isinstance(steps, list):
            raise InputError("The steps of a recipe must be a list.", code="not-a-list")
        return cls(tuple(_entry(position, values) for position, values in enumerate(steps, start=1)))

    def to_json(self) -> str:
        """The recipe as text that :meth:`from_json` reads; the evidence of what was done."""
        document = {"format": _FORMAT, "version": _VERSION, "steps": self.to_list()}
        return json.dumps(document, indent=2, ensure_ascii=False)

    @classmethod
    def from_json(cls, text: str | bytes) -> Recipe:
        """The recipe of a JSON text.

        Parameters
        ----------
        text : str | bytes
            What :meth:`to_json` wrote.

        Raises
        ------
        InputError
            When it is none; the sentence names the step at fault.
        """
        try:
            document = json.loads(text)
        except (ValueError, RecursionError):
            raise InputError(
                "This is not a recipe: it is no valid JSON. Choose a recipe saved here.", code="file-not-of-this-kind"
            ) from None
        if not isinstance(document, dict) or document.get("format") != _FORMAT:
            raise InputError(
                "This JSON is not a recipe. Choose a file saved with “Save recipe”.", code="file-not-of-this-kind"
            )
        if document.get("version") != _VERSION or not isinstance(document.get("steps"), list):
            raise InputError("This recipe was saved by another version and cannot be read.", code="version-unknown")
        return cls.from_list(document["steps"])


def _entry(position: int, values: object) -> Entry:
    kind = values.get("kind") if isinstance(values, dict) else None
    reader = reader_of(kind)
    if not isinstance(values, dict) or reader is None:
        raise InputError(f"Step {position} of the recipe is of a kind this version does not know.", code="kind-unknown")
    try:
        step, enabled = reader(values), values.get("enabled", True)
    except InputError as error:
        raise InputError(f"Step {position} of the recipe: {error}", code=error.code, column=error.column) from None
    except (KeyError, TypeError, ValueError, AttributeError):
        raise InputError(
            f"Step {position} of the recipe lacks a parameter or has one of the wrong kind.", code="recipe-damaged"
        ) from None
    if not isinstance(enabled, bool):
        raise InputError(
            f"Step {position} of the recipe must be switched on or off by true or false.", code="not-true-or-false"
        )
    return Entry(step, enabled)

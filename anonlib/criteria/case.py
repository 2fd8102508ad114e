"""What criteria are checked on: a release beside its original, counted once for all of them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from types import MappingProxyType

from anonlib.dataset import Dataset
from anonlib.free_text import is_text
from anonlib.guarantees import CodedRows, Exposure, Guarantee, exposure
from anonlib.release.comparison import Comparison, compare
from anonlib.release.recipe import Applied, Recipe
from anonlib.release.steps import Recode
from anonlib.release.unprotected import Tellers, Uniqueness, tellers, uniqueness

MOST_CELLS = 500_000_000
"""Rows times sets of columns times columns that a check may look at, some 3 seconds: every page shows the verdict."""


@dataclass(frozen=True, eq=False)
class Case:
    """A release, as it would leave, and what it was made of.

    Attributes
    ----------
    applied : what the recipe made of the original; ``applied.original`` and ``applied.released``.
    recipe : the steps.
    population : the people around, under the file's names of columns; None without.
    harmless : by sensitive column, the values that anybody may be sure of, as in the original.
    earlier : the recipes of earlier releases of the same data.
    unknowable : columns that nobody outside can know, as the officer says.
    """

    applied: Applied
    recipe: Recipe
    population: Dataset | None = None
    harmless: Mapping[str, tuple[str, ...]] = field(default_factory=lambda: MappingProxyType({}))
    earlier: tuple[Recipe, ...] = ()
    unknowable: tuple[str, ...] = ()

    @property
    def original(self) -> Dataset:
        """The original, whole."""
        return self.applied.original

    @property
    def released(self) -> Dataset:
        """What would leave."""
        return self.applied.released

    @property
    def unit(self) -> str:
        """What counts are of: persons or records."""
        return self.original.unit

    @property
    def known(self) -> tuple[str, ...]:
        """The columns of the original that someone outside may know."""
        return tuple(self.original.quasi_identifiers)

    @property
    def sensitive(self) -> tuple[str, ...]:
        """The columns of the original that nobody outside is to learn."""
        return tuple(self.original.sensitive)

    @cached_property
    def sensitive_facts(self) -> tuple[str, ...]:
        """Of these, what somebody may know all the same: not a text, which nobody outside knows word for word."""
        return tuple(name for name in self.sensitive if not is_text(self.original.held, name))

    @cached_property
    def rows_before(self) -> CodedRows:
        """The original's distinct rows of known and sensitive columns."""
        return _rows(self.original)

    @cached_property
    def rows(self) -> CodedRows:
        """The same of the release, of the columns that leave."""
        return _rows(self.released)

    @cached_property
    def comparison(self) -> Comparison:
        """Risk of both, and what was lost."""
        return compare(self.applied, self.recipe, population=self.population)

    @cached_property
    def telling(self) -> Tellers:
        """Columns by which what was recoded or dropped is known all the same."""
        return tellers(self.applied, self.recipe)

    @cached_property
    def uniqueness(self) -> Uniqueness:
        """Who is alone in the release, in what k counts and in what it does not."""
        return uniqueness(self.released)

    @cached_property
    def _exposures(self) -> dict[tuple[str, Guarantee], Exposure | None]:
        return {}

    def exposure(self, guarantee: Guarantee) -> Exposure | None:
        """Who violates a guarantee in the release; None where a column that it is about does not leave."""
        return self._exposed("now", self.rows, guarantee)

    def exposure_before(self, guarantee: Guarantee) -> Exposure | None:
        """The same in the original."""
        return self._exposed("before", self.rows_before, guarantee)

    def _exposed(self, which: str, rows: CodedRows, guarantee: Guarantee) -> Exposure | None:
        key = which, guarantee
        if key not in self._exposures:
            there = guarantee.on(rows.codes)
            self._exposures[key] = None if there is None else exposure(rows, there)
        return self._exposures[key]

    def harmless_now(self, column: str, recipe: Recipe | None = None) -> tuple[str, ...]:
        """The labels in the release, or in that of another recipe, that stand for a harmless value, among others."""
        values = list(self.harmless.get(column, ()))
        for step in (recipe or self.recipe).enabled:
            if isinstance(step, Recode) and step.column == column and values:
                values = [label for label in step.labels(values) if label is not None]
        return tuple(dict.fromkeys(values))


def _rows(dataset: Dataset) -> CodedRows:
    counted = dataset.with_counted().with_missing("category")
    names = [name for name in counted.columns if name in {*counted.quasi_identifiers, *counted.sensitive}]
    return CodedRows.of(counted.classes(names))

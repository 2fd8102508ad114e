"""What criteria are checked on: a release beside its original, counted once for all of them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from types import MappingProxyType

from anonlib.criteria.rows import USUAL, Linking, Rows, known, linking
from anonlib.dataset import Dataset
from anonlib.free_text import is_text
from anonlib.guarantees import Coded, Exposure, Guarantee, RowsKnown, coded_of, exposures
from anonlib.release.comparison import Comparison, compare
from anonlib.release.recipe import Applied, Recipe
from anonlib.release.steps import Recode
from anonlib.release.unprotected import Tellers, tellers
from anonlib.thresholds import DEFAULT

MOST_LOOKED_AT = 200_000_000
"""Rows times sets of columns that a check may look at, some 2 seconds: every page shows the verdict."""


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
    k : how many must share what tells whose rows are whose (:func:`anonlib.criteria.rows.linking`).
    rows_known : what the recipient is taken to know of the rows of a person, where nothing else is said.
    """

    applied: Applied
    recipe: Recipe
    population: Dataset | None = None
    harmless: Mapping[str, tuple[str, ...]] = field(default_factory=lambda: MappingProxyType({}))
    earlier: tuple[Recipe, ...] = ()
    unknowable: tuple[str, ...] = ()
    k: int = DEFAULT.k
    rows_known: Rows = USUAL

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
    def linking(self) -> Linking:
        """Whether the rows of a person can be told to be of one person in the release."""
        return linking(self.released, self.k)

    @property
    def rows_asked(self) -> tuple[RowsKnown, ...]:
        """What that comes to in the release."""
        return known(self.rows_known, self.linking)

    @cached_property
    def rows_before(self) -> Coded:
        """The original's known and sensitive columns: distinct rows, or persons where these have several."""
        return _coded(self.original)

    @cached_property
    def rows(self) -> Coded:
        """The same of the release, of the columns that leave."""
        return _coded(self.released, self.linking.is_linked)

    @cached_property
    def comparison(self) -> Comparison:
        """Risk of both, and what was lost."""
        return compare(self.applied, self.recipe, population=self.population)

    @cached_property
    def telling(self) -> Tellers:
        """Columns by which what was recoded or dropped is known all the same."""
        return tellers(self.applied, self.recipe)

    @cached_property
    def _exposures(self) -> dict[tuple[str, Guarantee], Exposure]:
        return {}

    def exposures(self, guarantees: Sequence[Guarantee]) -> list[Exposure | None]:
        """Who violates guarantees in the release; None where a column that one is about does not leave."""
        return self._exposed("now", self.rows, guarantees)

    def exposures_before(self, guarantees: Sequence[Guarantee]) -> list[Exposure | None]:
        """The same in the original."""
        return self._exposed("before", self.rows_before, guarantees)

    def _exposed(self, which: str, coded: Coded, guarantees: Sequence[Guarantee]) -> list[Exposure | None]:
        """What was not asked for before is looked at together, which is quicker."""
        on_these = [each.on(coded.codes) for each in guarantees]
        new = [each for each in dict.fromkeys(on_these) if each is not None and (which, each) not in self._exposures]
        self._exposures.update({(which, each.guarantee): each for each in exposures(coded, new)})
        return [None if each is None else self._exposures[which, each] for each in on_these]

    def harmless_now(self, column: str, recipe: Recipe | None = None) -> tuple[str, ...]:
        """The labels in the release, or in that of another recipe, that stand for a harmless value, among others."""
        values = list(self.harmless.get(column, ()))
        for step in (self.recipe if recipe is None else recipe).enabled:
            if isinstance(step, Recode) and step.column == column and values:
                values = [label for label in step.labels(values) if label is not None]
        return tuple(dict.fromkeys(values))


def _coded(dataset: Dataset, linked: bool = True) -> Coded:
    chosen = {*dataset.quasi_identifiers, *dataset.sensitive}
    return coded_of(dataset, [name for name in dataset.columns if name in chosen], linked)

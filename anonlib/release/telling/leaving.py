"""What leaves, beside what a recipe hides of it."""

from __future__ import annotations

from anonlib.reading.records.names import unused_name
from anonlib.release.applied import Applied
from anonlib.release.recipe import Recipe
from anonlib.release.unprotected import uncounted


class Leaving:
    """What leaves, beside what known columns were that a recipe hides.

    Attributes
    ----------
    hidden : list[str]
        The quasi-identifiers that leave no more as they were.
    left : list[str]
        The columns that leave and that k does not count.
    counted : list[str]
        The quasi-identifiers that leave.
    recoded : set[str]
        The columns that the recipe recodes.
    original : Dataset
        What they were.
    wide : Dataset
        What leaves, with :attr:`before`; missing values are values.
    before : list[str]
        By hidden column, what it was is called in :attr:`wide`.
    labels : list[str | None]
        By hidden column its name in :attr:`wide`, where it leaves.
    """

    def __init__(self, applied: Applied, recipe: Recipe) -> None:
        effective = [
            entry.step
            for entry, effect in zip(recipe.entries, applied.effects, strict=True)
            if effect is not None and not effect.problem
        ]
        self.recoded = {name for step in effective for name in step.recodes}
        self.original, released = applied.original, applied.released
        leaving = set(released.columns)
        hidden = [name for name in self.original.quasi_identifiers if name in self.recoded or name not in leaving]
        self.left = uncounted(released) if hidden and released.n_records else []
        self.is_asked = bool(hidden)
        self.hidden = hidden if self.left else []
        self.counted = list(released.quasi_identifiers) if self.left else []
        taken = [*released.held.columns, *self.original.held.columns]
        names = {name: unused_name(f"{name} before", taken) for name in self.hidden}
        wide = released.with_columns_of(self.original, names) if names else released
        self.wide, self.before = wide.with_missing("category"), list(names.values())
        self.labels = [name if name in leaving else None for name in self.hidden]

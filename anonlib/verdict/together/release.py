"""A release with the data that it was made of."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np

from anonlib.basics.errors import InputError
from anonlib.columns.roles import Role
from anonlib.counting.privacy_models.coded import harmless_labels
from anonlib.dataset import Dataset
from anonlib.release.applied import Applied
from anonlib.release.recipe import Recipe

_AS_THEY_ARE = (Role.QUASI_IDENTIFIER, Role.PLACE, Role.SENSITIVE, Role.OTHER)
"""The roles of columns whose cells leave."""


@dataclass(frozen=True, eq=False)
class Release:
    """What left, or would leave, with what it was made of.

    Attributes
    ----------
    applied : Applied
        What the recipe made of its own month's data.
    recipe : Recipe
        The steps.
    spared : Mapping[str, tuple[str, ...]], optional
        By sensitive column, its values that anybody may be sure of, as in the original.
    """

    applied: Applied
    recipe: Recipe
    spared: Mapping[str, tuple[str, ...]] = field(default_factory=dict)

    @classmethod
    def of(cls, original: Dataset, recipe: Recipe, spared: Mapping[str, tuple[str, ...]] | None = None) -> Release:
        """The release that a recipe makes of data."""
        return cls(recipe.apply(original), recipe, spared or {})

    @property
    def original(self) -> Dataset:
        """The data that it was made of, whole."""
        return self.applied.original

    @property
    def released(self) -> Dataset:
        """What left."""
        return self.applied.released

    def harmless(self, column: str) -> tuple[str, ...]:
        """The labels of a sensitive column in the release all of whose values are harmless.

        Parameters
        ----------
        column : str
            Its name.

        Returns
        -------
        tuple[str, ...]
        """
        harmless = tuple(dict.fromkeys(self.spared.get(column, ())))
        if not harmless or column not in self.original.columns:
            return harmless
        before = labels = self.original.held.values(column).tolist()
        steps = self.recipe.enabled
        for i, step in enumerate(steps):
            if column not in step.recodes:
                continue
            if step.labels_by == "person":
                return ()  # what a date became says nothing of what it was
            known = np.array([*dict.fromkeys(label for label in labels if label is not None), None], dtype=object)[:-1]
            new = step.labels_of(column, known)
            if new is None and step.labels_by not in ("part", "cell"):
                new = step.labels_of(column, known, Recipe.of(steps[:i]).leaves(self.original))
            if new is not None:
                label_of = dict(zip(known.tolist(), new.tolist(), strict=True))
                labels = [None if label is None else label_of[label] for label in labels]
        return harmless_labels(before, labels, harmless)


def known_and_sensitive(releases: Sequence[Release]) -> list[tuple[list[str], list[str]]]:
    """Of each release, the columns that leave with it and that are known, and those that are sensitive.

    What is known in the file of one month is known in those of all others, whatever role it has there; and so is what
    is sensitive.

    Parameters
    ----------
    releases : Sequence[Release]
        The releases.

    Returns
    -------
    list of tuple
        A release each.

    Raises
    ------
    InputError
        Where a column is known in one file and sensitive in another.
    """
    known = {name for release in releases for name in release.original.quasi_identifiers}
    sensitive = {name for release in releases for name in release.original.sensitive}
    if both := sorted(known & sensitive):
        raise InputError(
            f"“{both[0]}” is known outside in one of the files and sensitive in another, so that it is not known what "
            "could be learned from the releases together. Give the column the role here that it has there.",
            code="column-in-two-roles",
            column=both[0],
        )
    return [
        ([name for name in leave if name in known], [name for name in leave if name in sensitive])
        for leave in (release.released.columns_with(*_AS_THEY_ARE) for release in releases)
    ]

"""A criterion on earlier releases of the same data: what somebody who holds both can tell apart and infer."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import ClassVar

from anonlib.basics import checks, words
from anonlib.columns.roles import Role
from anonlib.counting.guarantees import Coded, CodedPersons, NotCertain, Shared, number_of_any, violating
from anonlib.dataset import Dataset
from anonlib.reading.records import Records
from anonlib.reading.records.names import unused_name
from anonlib.release.recipe import Recipe
from anonlib.verdict.criteria.case import Case
from anonlib.verdict.criteria.criterion import Criterion, Finding, Limit
from anonlib.verdict.criteria.rows import USUAL, Linking, Rows, checked, known, of_rows
from anonlib.verdict.criteria.sizes import NOTHING_KNOWN, share, smallest_size

_NOT_IN_IT = "\ue000 not in it"
"""The label of a record that a release lacks; a private character, so that no file has it."""


@dataclass(frozen=True)
class EarlierReleases(Criterion):
    """Somebody who holds this release and an earlier one of the same data still finds nobody alone, and learns no more.

    The worst case is taken, that the records of all can be matched: each has its labels of all releases on record, of
    which one is that it is not in a release. So somebody who is in one of them alone, and found by what another lacks,
    is counted too. All known columns of all may be known.

    Attributes
    ----------
    k : int, default 5
        The smallest class, by the labels of both releases together.
    most : float, default 0.01
        The share of persons of whom a sensitive value may be certain to somebody who holds both, 0 to 1.
    source : str, default ""
        Where the limit comes from, in words that are shown beside it.
    rows : Rows, default USUAL
        By which rows a person is known, where persons have several: each of these is looked at.
    """

    k: int = 5
    most: float = 0.01
    source: str = ""
    rows: Rows = USUAL
    kind: ClassVar[str] = "earlier_releases"
    word: ClassVar[str] = "earlier releases"
    page: ClassVar[str] = "Verdict"
    counted_in: ClassVar[str] = "{unit}"
    limits: ClassVar[tuple[Limit, ...]] = (
        Limit("k", "Smallest class of both together", "count", 1, None),
        Limit("most", "Certain for at most", "share", 0, 1),
    )

    def __post_init__(self) -> None:
        checks.whole(self.k, "The smallest class", 1)
        share(self.most, "The share that may be certain")
        object.__setattr__(self, "rows", checked(self.rows))

    @property
    def title(self) -> str:
        return "Earlier releases"

    @property
    def bound(self) -> str:
        return f"at least {self.k:,}"

    def describe(self, unit: str = "persons") -> str:
        return (
            f"Who holds an earlier release of these data too finds no class smaller than {self.k:,}, and is certain of "
            f"a sensitive value of at most {words.percent(self.most)} of the {unit}."
        )

    def check(self, case: Case) -> Finding:
        if not case.known:
            return self.unknown(NOTHING_KNOWN)
        if not case.earlier and not case.earlier_elsewhere:
            return self.found(True, "No earlier release of these data is on record.", n_persons=0)
        found = self._together(case) if case.earlier else None
        if case.earlier_elsewhere and (found is None or found.is_met):
            others = words.count(case.earlier_elsewhere, "earlier releases")
            return self.unknown(
                f"What {others} of other data, such as another month’s, and this one give together is not "
                "counted: the recipe of such a release says nothing about this file. Compare the files by hand, and "
                "accept it with what you found."
            )
        assert found is not None
        return found

    def _together(self, case: Case) -> Finding:
        recipes = (case.recipe, *case.earlier)
        if any(recipe.apply(case.original).problems for recipe in case.earlier):
            return self.unknown(
                "The recipe of an earlier release can no longer be applied, so that what it and this one give together "
                "is not counted. Take the project that was kept with that release."
            )
        columns, sensitive, coded = together(case.original, recipes)
        n = coded.n_records
        if not n:
            return self.found(True, "No record is in any of these releases.", n_persons=0)
        several = isinstance(coded, CodedPersons)
        asked = known(self.rows, Linking(several, ("",)))  # who matches both can tell whose rows are whose
        harmless = {
            name: case.harmless_now(of, recipe)
            for recipe, names in zip(recipes, sensitive, strict=True)
            for name, of in names.items()
        }
        small = [violating(coded, Shared(columns=columns, least=self.k, rows=rows)) for rows in asked]
        smallest = min(smallest_size(coded, columns, rows) for rows in asked)
        sure = [
            violating(coded, NotCertain(columns=columns, sensitive=name, harmless=values, rows=rows))
            for name, values in harmless.items()
            for rows in asked
        ]
        below, certain = (number_of_any(coded, found) for found in (small, sure))
        more = len(case.earlier)
        others = "an earlier release" if more == 1 else f"all {more:,} earlier releases"
        says = (
            f"Together with {others} the smallest class has {words.count(smallest, case.unit)}; "
            f"{words.share(below, n, case.unit)} are in smaller classes than {self.k:,}, and a sensitive value of "
            f"{words.share(certain, n, case.unit)} is certain"
        )
        says += f", with {of_rows(asked)}." if several else "."
        persons = number_of_any(coded, [*small, *sure])
        return self.found(not below and certain / n <= self.most, says, now=smallest, persons=persons, n_persons=n)


def together(original: Dataset, recipes: Sequence[Recipe]) -> tuple[tuple[str, ...], list[dict[str, str]], Coded]:
    """The records in some release of an original with their labels in all: not to be in one of them is a label too.

    Parameters
    ----------
    original : Dataset
        The original.
    recipes : Sequence[Recipe]
        Those of the releases.

    Returns
    -------
    tuple
        The known columns of all, the sensitive ones of each by their names there, and who is in some.
    """
    number = unused_name("record", original.held.columns)
    numbered = original.with_held(original.held.with_row_keys(number), " numbered")
    counted = {name: role for name, role in original.roles.items() if role in (Role.PERSON_ID, Role.WEIGHT)}
    whose = replace(numbered, roles=counted, missing="category")
    taken, columns = [*whose.held.columns], list[str]()
    others, sensitive = list[tuple[Records, dict[str, str]]](), list[dict[str, str]]()
    for i, recipe in enumerate(recipes):
        release = recipe.apply(numbered).released
        names = {}
        for name in (*release.quasi_identifiers, *release.sensitive):
            names[name] = unused_name(f"{name} (release {i + 1})", taken)
            taken.append(names[name])
        others.append((release.held, names))
        columns += [names[name] for name in release.quasi_identifiers]
        sensitive.append({names[name]: name for name in release.sensitive})
    held = whose.held.in_any(others, number, dict.fromkeys(columns, _NOT_IN_IT))
    coded = replace(whose, held=held).coded([*columns, *(name for of in sensitive for name in of)])
    return tuple(columns), sensitive, coded

"""A criterion on earlier releases: what somebody who holds all of them can tell apart and infer."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar, cast

import numpy as np

from anonlib.basics import checks, words
from anonlib.counting.privacy_models import AttributeDisclosure, KAnonymity, RowsKnown, violating
from anonlib.verdict.criteria.case import Case
from anonlib.verdict.criteria.criterion import Criterion, Finding, Limit, State
from anonlib.verdict.criteria.rows import LINKED, USUAL, Linking, Rows, checked, known, of_rows
from anonlib.verdict.criteria.sizes import NOTHING_KNOWN, share, smallest_size
from anonlib.verdict.together import (
    CountedExactly,
    JoinedReleases,
    Release,
    are_one_file,
    certain_in_some,
    counted_exactly,
    together,
)

_SHOWN = 3  # cells that are named
PROVEN = "A proven leak"
"""How a finding says that subtraction shows somebody exactly."""


@dataclass(frozen=True)
class EarlierReleases(Criterion):
    """Somebody who holds this release and earlier ones still finds nobody alone, and learns no more.

    Each person has a signature: the known labels of their rows in all releases on record, each taken from its own
    month's data; not to be in a release is a label too. Everything else can be exchanged between persons of one
    signature without a change of any release, so that nobody can tell them apart. All known columns may be known.

    Attributes
    ----------
    k : int, default 5
        How many persons must share each signature.
    most : float, default 0.01
        The share of persons of whom a sensitive value, as labelled in any release, may be certain, 0 to 1.
    source : str, default ""
        Where the limit comes from, in words that are shown beside it.
    rows : Rows, default USUAL
        By which rows a person is known, where persons have several: each of these is looked at.
    most_apart : float, default 0.0
        The same share of those who are new, or gone: in one of the releases and not in another.
    """

    k: int = 5
    most: float = 0.01
    source: str = ""
    rows: Rows = USUAL
    most_apart: float = 0.0
    kind: ClassVar[str] = "earlier_releases"
    word: ClassVar[str] = "earlier releases"
    page: ClassVar[str] = "Verdict"
    counted_in: ClassVar[str] = "{unit}"
    of_earlier: ClassVar[bool] = True
    why_asked: ClassVar[str] = "It is asked because an earlier release is on record, or held beside this one."
    limits: ClassVar[tuple[Limit, ...]] = (
        Limit("k", "Smallest class with all of them", "count", 1, None),
        Limit("most", "Certain for at most", "share", 0, 1),
        Limit("most_apart", "Of who is new or gone, certain for at most", "share", 0, 1),
    )

    def __post_init__(self) -> None:
        checks.whole(self.k, "The smallest class", 1)
        share(self.most, "The share that may be certain")
        share(self.most_apart, "The share of who is new or gone that may be certain")
        object.__setattr__(self, "rows", checked(self.rows))

    @property
    def title(self) -> str:
        return "Earlier releases"

    @property
    def bound(self) -> str:
        return f"at least {self.k:,}"

    def describe(self, unit: str = "persons") -> str:
        return (
            f"Who holds earlier releases too finds no class smaller than {self.k:,}, and is certain of "
            f"a sensitive value of at most {words.percent(self.most)} of the {unit}, and of at most "
            f"{words.percent(self.most_apart)} of those who are new or gone."
        )

    def measures(self, unit: str = "persons") -> str:
        return (
            f"How many {unit} are in classes smaller than {self.k:,}, or have a sensitive value that is certain, to "
            "somebody who holds earlier releases too."
        )

    def without_limit(self, finding: Finding) -> str:
        if finding.state is State.UNKNOWN:
            return (
                "What earlier releases and this one give together cannot be checked; it is not limited for this "
                "recipient."
            )
        if not finding.n_persons:
            return finding.says
        if not finding.persons:
            return "Who holds earlier releases too finds nobody alone and is certain of no sensitive value."
        concerned = words.share(finding.persons, finding.n_persons)
        leak = " A subtraction shows some of them by itself." if PROVEN in finding.says else ""
        return (
            f"Who holds earlier releases too finds {concerned} in classes that are too small, or is certain of a value "
            f"of theirs: not limited for this recipient.{leak}"
        )

    def check(self, case: Case) -> Finding:
        if not case.known:
            return self.unknown(NOTHING_KNOWN)
        releases = releases_together(case)
        if len(releases) == 1 and not case.earlier_elsewhere:
            return self.found(True, "No earlier release of these data is on record.", n_persons=0)
        finding = self._of_all(releases, case.unit) if len(releases) > 1 else None
        if case.earlier_elsewhere and (finding is None or finding.is_met):
            others = words.count(case.earlier_elsewhere, "earlier releases")
            return self.unknown(
                f"What {others} and this one give together is not counted, since what left then is not at hand: "
                "a recipe says nothing about another file. Open each such release: its project and its month’s file."
            )
        assert finding is not None
        return finding

    def _of_all(self, releases: Sequence[Release], unit: str) -> Finding:
        if any(release.applied.problems for release in releases[1:]):
            return self.unknown(
                "The recipe of an earlier release can no longer be applied, so that what it and this one give together "
                "is not counted. Take the project that was kept with that release."
            )
        all_of_them = together(releases)
        n = all_of_them.coded.n_records
        if not n and not all_of_them.n_unclear:
            return self.found(True, "No record is in any of these releases.", n_persons=0)
        counts = _Counts.of(all_of_them, self, releases)
        is_met = not counts.below and _at_most(counts.certain, n, self.most)
        is_met &= _at_most(counts.certain_apart, counts.apart, self.most_apart)
        if is_met and all_of_them.n_unclear:
            return self.unknown(_why_unclear(all_of_them.n_unclear, unit))
        itself = releases[0]  # which may be on record
        others = sum(
            release.recipe != itself.recipe or not are_one_file((release.original, itself.original))
            for release in releases[1:]
        )
        says = self._in_words(counts, all_of_them, max(others, 1), unit)
        if not is_met:
            says += _how_sure(_cells(releases, all_of_them, self.k))
        return self.found(is_met, says, now=counts.smallest, persons=counts.concerned, n_persons=n)

    def who(self, all_of_them: JoinedReleases, releases: Sequence[Release]) -> tuple[np.ndarray, np.ndarray]:
        """Who is in a class that is too small, and of whom a value is certain.

        Parameters
        ----------
        all_of_them : JoinedReleases
            Who is in some of the releases.
        releases : Sequence[Release]
            Those that were put together, the one in question first.

        Returns
        -------
        tuple of ndarray of bool
            Each with an item a row (profile) of ``all_of_them.coded``.
        """
        coded, columns = all_of_them.coded, all_of_them.columns
        small, sure = np.zeros(len(coded.counts), dtype=bool), np.zeros(len(coded.counts), dtype=bool)
        for rows in _asked(self, all_of_them):
            small |= violating(coded, KAnonymity(columns=columns, least=self.k, rows=rows))
            harmless_of = all_of_them.harmless(releases)
            sure |= certain_in_some(all_of_them, harmless_of, rows)
            for name, harmless in harmless_of.items():
                sure |= violating(
                    coded, AttributeDisclosure(columns=columns, sensitive=name, harmless=harmless, rows=rows)
                )
        return small, sure

    def found_by_earlier(self, all_of_them: JoinedReleases, releases: Sequence[Release]) -> np.ndarray:
        small, sure = self.who(all_of_them, releases)
        return cast(np.ndarray, small | sure)

    def _in_words(self, counts: _Counts, all_of_them: JoinedReleases, earlier: int, unit: str) -> str:
        n = all_of_them.coded.n_records
        others = "an earlier release" if earlier == 1 else f"all {earlier:,} earlier releases"
        says = (
            f"Together with {others} the smallest class has {words.count(counts.smallest, unit)}; "
            f"{words.share(counts.below, n, unit)} are in smaller classes than {self.k:,}, and a sensitive value of "
            f"{words.share(counts.certain, n, unit)} is certain"
        )
        says += f", with {of_rows(_asked(self, all_of_them))}." if all_of_them.several_rows else "."
        if counts.apart:
            says += (
                f" {words.count(counts.apart, unit)} are new or gone, in one release and not in another; of these "
                f"{counts.below_apart:,} are in such classes, and {counts.certain_apart:,} have a certain value."
            )
        return says


@dataclass(frozen=True)
class _Counts:
    """Persons: of all, in small classes, with a certain value, either; and those who are new or gone among them."""

    smallest: int
    below: int
    certain: int
    concerned: int
    apart: int
    below_apart: int
    certain_apart: int

    @classmethod
    def of(cls, all_of_them: JoinedReleases, criterion: EarlierReleases, releases: Sequence[Release]) -> _Counts:
        coded, apart = all_of_them.coded, all_of_them.apart
        small, sure = criterion.who(all_of_them, releases)

        def number(of: np.ndarray) -> int:
            return int(coded.counts[of].sum())

        return cls(
            min(smallest_size(coded, all_of_them.columns, rows) for rows in _asked(criterion, all_of_them)),
            number(small), number(sure), number(small | sure), number(apart), number(small & apart),
            number(sure & apart),
        )  # fmt: skip


def releases_together(case: Case) -> tuple[Release, ...]:
    """The release of a case and all earlier ones on record that are at hand.

    It comes first, then those of the same data, then those of other data.
    """
    at_hand = [release.recipe for release in case.beside if are_one_file((release.original, case.original))]
    of_these = (
        Release.of(data, recipe, case.harmless)
        for recipe in case.earlier
        if recipe not in at_hand
        for data in case.earlier_data.get(recipe.digest, (case.original,))
    )
    return (case.as_release, *of_these, *case.beside)


def asked_of_earlier(
    case: Case, criteria: Sequence[Criterion], measured: Sequence[Criterion], is_anybody: bool, k: int
) -> tuple[tuple[Criterion, ...], tuple[Criterion, ...]]:
    """What is asked of a release because earlier ones are on record, besides what is asked anyway.

    Parameters
    ----------
    case : Case
        The release.
    criteria, measured : Sequence[Criterion]
        What is asked, and measured without a limit, anyway.
    is_anybody : bool
        Whether what the recipient gets can be held by anybody.
    k : int
        The smallest class that is asked for.

    Returns
    -------
    tuple
        What is required, of a release that anybody can hold; and what is measured, of others.
    """
    on_record = (
        case.earlier_elsewhere
        or len(case.beside)
        or any(recipe != case.recipe for recipe in case.earlier)
        or any(data is not case.original for of_recipe in case.earlier_data.values() for data in of_recipe)
    )
    if not on_record or any(criterion.of_earlier for criterion in (*criteria, *measured)):
        return (), ()
    asked = (EarlierReleases(k=k, most=0.0, rows=(LINKED,)),)
    return (asked, ()) if is_anybody else ((), asked)


def _asked(criterion: EarlierReleases, all_of_them: JoinedReleases) -> tuple[RowsKnown, ...]:
    """Who matches all releases can tell whose rows are whose."""
    return known(criterion.rows, Linking(all_of_them.several_rows, ("",)))


def _at_most(number: int, of: int, most: float) -> bool:
    return not number or number / of <= most


def _cells(releases: Sequence[Release], all_of_them: JoinedReleases, k: int) -> list[CountedExactly] | None:
    """What subtracting the release and each earlier one shows exactly; None where that is not looked for."""
    if all_of_them.matched is None or all_of_them.n_unclear:
        return None
    of_each = [
        counted_exactly(releases[0], releases[i], all_of_them.matched, (0, i), k) for i in range(1, len(releases))
    ]
    cells = [cell for of_one in of_each for cell in of_one or ()]
    return None if not cells and None in of_each else sorted(cells, key=lambda cell: cell.fewest)


def _how_sure(cells: Sequence[CountedExactly] | None) -> str:
    if cells is None:
        return " That somebody is found cannot be ruled out; what a subtraction shows by itself was not looked for."
    if not cells:
        return " No subtraction of the releases shows somebody by itself; that somebody is found cannot be ruled out."
    named = [f"{cell.in_words} ({cell.new:,} new, {cell.gone:,} gone)" for cell in cells[:_SHOWN]]
    return (
        f" A proven leak: subtracting the releases shows the rows of {words.count(len(cells), 'groups')} exactly, such "
        f"as {'; '.join(named)}."
    )


def _why_unclear(persons: int, unit: str) -> str:
    return (
        f"Of {words.count(persons, unit)} it is not known which rows of the files are the same, so that what both "
        "releases give together is not counted. Give the column that numbers the rows, such as that of the visit, the "
        "role “Identifier” in both files."
    )

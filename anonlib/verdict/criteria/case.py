"""What criteria are checked on: a release beside its original, counted once for all of them."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import cached_property
from types import MappingProxyType

from anonlib.basics.progress import Progress, nobody, share_of
from anonlib.basics.thresholds import DEFAULT
from anonlib.columns.free_text import is_text
from anonlib.counting.privacy_models import (
    AttributeDisclosure,
    Coded,
    CodedPersons,
    PrivacyModel,
    RowsKnown,
    Violation,
    violations,
)
from anonlib.dataset import Dataset
from anonlib.release.applied import Applied
from anonlib.release.comparison import Comparison, compare
from anonlib.release.pseudonyms import Pseudonyms
from anonlib.release.recipe import Recipe
from anonlib.release.revealing_columns import RevealingColumns, find_revealing_columns
from anonlib.verdict.criteria.rows import USUAL, Linking, Rows, known, linking
from anonlib.verdict.method import Method, MethodFindings, method_findings
from anonlib.verdict.together import Release

MOST_LOOKED_AT = 2_000_000_000
"""Rows times sets of columns that a check may look at, at most a minute or so: it tells how far it is meanwhile."""
A_QUESTION = 150
"""Rows that take as long as a sensitive column does that is asked about by a set, however few the rows are."""


class Counted:
    """Those who are counted, and what was found so far of who of them violates guarantees.

    Attributes
    ----------
    coded : Coded
        Who is counted.
    """

    def __init__(self, coded: Coded, like: Counted | None = None) -> None:
        """What is found is shared with those ``like`` these, where they are the same but for what links their rows."""
        self.coded = coded
        same = like is not None and coded.has_rows_of(like.coded)
        self._found: dict[tuple[PrivacyModel, bool], Violation] = like._found if same and like is not None else {}

    def violations(self, guarantees: Sequence[PrivacyModel], progress: Progress = nobody) -> list[Violation | None]:
        """Who violates guarantees; None where a column that one is about is not among these.

        What was not asked for before is looked at together, which is quicker.
        """
        on_these = [guarantee.on(self.coded.codes) for guarantee in guarantees]
        keys = [None if guarantee is None else (guarantee, self._is_unlinked(guarantee)) for guarantee in on_these]
        new = [key for key in dict.fromkeys(keys) if key is not None and key not in self._found]
        new_violations = violations(self.coded, [guarantee for guarantee, _ in new], progress)
        self._found.update(zip(new, new_violations, strict=True))
        return [None if key is None else self._found[key] for key in keys]

    def _is_unlinked(self, guarantee: PrivacyModel) -> bool:
        """Whether it matters here that rows of one person cannot be linked."""
        unlinked = isinstance(self.coded, CodedPersons) and isinstance(guarantee, AttributeDisclosure)
        return unlinked and self.coded.is_unlinked(guarantee)  # type: ignore[union-attr, arg-type]  # as was looked for


def _not_known() -> None:
    """How a search is asked is not known."""


@dataclass(frozen=True, eq=False)
class Case:
    """A release, as it would leave, and what it was made of.

    Attributes
    ----------
    applied : Applied
        What the recipe made of the original; ``applied.original`` and ``applied.released``.
    recipe : Recipe
        The steps.
    population : Dataset, optional
        The people around, under the file's names of columns; None without.
    harmless : Mapping[str, tuple[str, ...]], optional
        By sensitive column, the values that anybody may be sure of, as in the original.
    earlier : tuple[Recipe, ...], default ()
        The recipes of earlier releases of the same data.
    earlier_data : Mapping[str, tuple[Dataset, ...]], optional
        By the digest of such a recipe the original with what was decided on it each time that it was released; as it
        is decided now where the recipe is not named.
    beside : tuple[Release, ...], default ()
        Earlier releases of other data, such as those of another month, each with these data.
    earlier_elsewhere : int, default 0
        How many earlier releases of other data are on record without them.
    unknowable : tuple[str, ...], default ()
        Columns that nobody outside can know, as the officer says.
    k : int, default DEFAULT.k
        How many must share what tells whose rows are whose (:func:`anonlib.verdict.criteria.rows.linking`).
    rows_known : Rows, default USUAL
        What the recipient is taken to know of the rows of a person, where nothing else is stated.
    year : int, optional
        Up to which ages are counted where the file has no date; None: this one.
    before : Counted, optional
        The original's known and sensitive columns, where they were counted for another release of it.
    searched_for : Callable[[], Method | None], optional
        How a search for the release is asked, worked out where it is needed; what gives None where that is not known.
    pseudonyms : Pseudonyms, optional
        The label under which persons have pseudonyms by a key; None where numbers are drawn, or no id leaves.
    """

    applied: Applied
    recipe: Recipe
    population: Dataset | None = None
    harmless: Mapping[str, tuple[str, ...]] = field(default_factory=lambda: MappingProxyType({}))
    earlier: tuple[Recipe, ...] = ()
    unknowable: tuple[str, ...] = ()
    k: int = DEFAULT.k
    rows_known: Rows = USUAL
    before: Counted | None = None
    pseudonyms: Pseudonyms | None = None
    year: int | None = None
    earlier_data: Mapping[str, tuple[Dataset, ...]] = field(default_factory=lambda: MappingProxyType({}))
    beside: tuple[Release, ...] = ()
    earlier_elsewhere: int = 0
    searched_for: Callable[[], Method | None] = field(default=_not_known, repr=False)

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
        """Whether the rows of a person can be linked in the release."""
        return linking(self.released, self.k)

    @cached_property
    def linking_that_stays(self) -> Linking:
        """The same of the original by the columns that nobody outside knows, which no search coarsens."""
        return linking(self.original.without_columns(self.known), self.k)

    @cached_property
    def linking_before(self) -> Linking:
        """The same of the original, for figures beside those of the release.

        As in the release, so that both are by one knowledge; where each person has one row there, and had several, by
        the columns of the original without identifiers and person ids that do not leave.
        """
        if self.linking.several or not self.original.has_several_rows:
            return self.linking
        ids = {*self.original.identifiers, self.original.person_id}
        gone = [name for name in self.original.columns if name in ids and name not in self.released.columns]
        return linking(self.original.without_columns(gone), self.k)

    @property
    def rows_asked(self) -> tuple[RowsKnown, ...]:
        """What that comes to in the release."""
        return known(self.rows_known, self.linking)

    @property
    def rows_asked_before(self) -> tuple[RowsKnown, ...]:
        """What that comes to in the original, beside the release."""
        return known(self.rows_known, self.linking_before)

    @cached_property
    def _before(self) -> Counted:
        return self.before or counted(self.original)

    @cached_property
    def _now(self) -> Counted:
        return Counted(_coded(self.released, self.linking.is_linked), self._before)

    @property
    def rows_before(self) -> Coded:
        """The original's known and sensitive columns: distinct rows, or persons where these have several."""
        return self._before.coded

    @property
    def rows(self) -> Coded:
        """The same of the release, of the columns that leave."""
        return self._now.coded

    @cached_property
    def comparison(self) -> Comparison:
        """Risk of both, and what was lost."""
        return compare(self.applied, self.recipe, population=self.population)

    @cached_property
    def method(self) -> MethodFindings | None:
        """What somebody learns who knows how the release was searched for; None where that is not known."""
        asked = self.searched_for()
        return None if asked is None else method_findings(self.applied, self.recipe, asked)

    @cached_property
    def telling(self) -> RevealingColumns:
        """Columns by which what was recoded or dropped is known all the same."""
        return find_revealing_columns(self.applied, self.recipe, self._watching[-1])

    @cached_property
    def _watching(self) -> list[Progress]:
        return [nobody]

    @property
    def progress(self) -> Progress:
        """Called with how far a check is; stops it by raising."""
        return self._watching[-1]

    @contextmanager
    def watched(self, progress: Progress) -> Iterator[None]:
        """Within it, what is counted tells the share done, which does not go back, and ends where that raises."""
        farthest = 0.0

        def tell(share: float, *_: None) -> None:
            nonlocal farthest
            farthest = max(farthest, share)
            progress(farthest)

        self._watching.append(tell)
        try:
            yield
        finally:
            self._watching.pop()

    def violations(self, guarantees: Sequence[PrivacyModel]) -> list[Violation | None]:
        """Who violates guarantees in the release; None where a column that one is about does not leave."""
        return self._now.violations(guarantees, share_of(self._watching[-1], 0.5, 1.0))

    def violations_before(self, guarantees: Sequence[PrivacyModel]) -> list[Violation | None]:
        """The same in the original, which is looked at first."""
        return self._before.violations(guarantees, share_of(self._watching[-1], 0.0, 0.5))

    def harmless_now(self, column: str) -> tuple[str, ...]:
        """The labels in the release all of whose values are harmless."""
        return self.as_release.harmless(column)

    @property
    def as_release(self) -> Release:
        """The release with what it was made of."""
        return Release(self.applied, self.recipe, self.harmless)


def counted(original: Dataset) -> Counted:
    """The known and sensitive columns of an original, to be counted once for all releases of it.

    Parameters
    ----------
    original : Dataset
        The data with their roles, before any step.

    Returns
    -------
    Counted
    """
    return Counted(_coded(original))


def _coded(dataset: Dataset, linked: bool = True) -> Coded:
    chosen = {*dataset.quasi_identifiers, *dataset.sensitive}
    return dataset.coded([name for name in dataset.columns if name in chosen], linked)

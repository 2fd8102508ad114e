"""The aim: who gets the release, what it must meet, and what may be changed for it, as one value."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field, replace
from datetime import date
from hashlib import sha256
from typing import Any, Literal, Self

from anonlib.analyses.generalization.search.coins import Coin
from anonlib.analyses.utility.purposes import MOST_PURPOSES, Purpose, purpose_from_dict
from anonlib.basics import checks
from anonlib.basics.errors import InputError
from anonlib.counting.classes import Missing
from anonlib.counting.privacy_models import RowsKnown
from anonlib.dataset import Dataset
from anonlib.release.recipe import Recipe
from anonlib.verdict.criteria.criterion import Criterion, criterion_from_dict
from anonlib.verdict.criteria.recipients import BY_KEY, DEFAULT, Recipient
from anonlib.verdict.criteria.rows import USUAL, Rows
from anonlib.verdict.criteria.verdict import Accepted

MOST_WEIGHT = 3.0
_MOST_CRITERIA = 50
_FIRST_YEAR, _LAST_YEAR = 1900, 2199
WHOLE_COLUMNS, BLANK_CELLS, PARTS = "whole columns", "blank cells", "part by part"
WAYS = (WHOLE_COLUMNS, BLANK_CELLS, PARTS)
"""The ways to protect a file, as projects save them; a search takes those that are allowed."""
WAYS_IN_WORDS = {
    WHOLE_COLUMNS: "same coarseness for everyone",
    BLANK_CELLS: "single cells blank",
    PARTS: "mixed coarseness",
}
"""What each is called on screen."""


@dataclass(frozen=True)
class Then:
    """What was decided on data when they were released.

    Attributes
    ----------
    roles : tuple[tuple[str, str], ...]
        By column, its role.
    missing : Missing
        What a missing value of a known column counted as.
    reading : str, default ""
        Names how the file was read, such as which sheet of a workbook, 64 hexadecimal digits; "" where that is not
        known.
    """

    roles: tuple[tuple[str, str], ...]
    missing: Missing
    reading: str = ""

    @classmethod
    def of(cls, roles: Mapping[str, str], missing: Missing, reading: str = "") -> Then:
        """What is decided now."""
        return cls(tuple(sorted((name, str(role)) for name, role in roles.items())), missing, reading)

    @classmethod
    def of_data(cls, data: Dataset) -> Then:
        """What is decided on data now, and how they are read."""
        return cls.of(data.roles, data.missing, sha256(data.prepared.encode()).hexdigest())

    def to_dict(self) -> dict[str, Any]:
        """The same as plain values for JSON."""
        return {"roles": dict(self.roles), "missing": self.missing, "reading": self.reading}

    def is_of(self, data: Dataset) -> bool:
        """Whether these data are read as they were then, as far as that is known."""
        return self.reading in ("", sha256(data.prepared.encode()).hexdigest())

    def on(self, data: Dataset) -> Dataset:
        """The data with what was decided then, as far as they have the columns; themselves where that is so now."""
        roles = {name: role for name, role in self.roles if name in data.columns}
        then = data.with_roles(roles).with_missing(self.missing)
        return data if (dict(then.roles), then.missing) == (dict(data.roles), data.missing) else then


@dataclass(frozen=True)
class Aim:
    """What a release is for.

    Attributes
    ----------
    recipient : str, default DEFAULT.key
        Key of one of :data:`RECIPIENTS`.
    criteria : tuple[Criterion, ...], default DEFAULT.criteria
        What it must meet, each once.
    accepted : tuple[Accepted, ...], default ()
        Criteria that are accepted although they are not met, with reasons.
    harmless : tuple[tuple[str, tuple[str, ...]], ...], default ()
        By sensitive column, the values that anybody may be sure of.
    fixed : tuple[str, ...], default ()
        Columns that must stay as they are, for a search.
    weights : tuple[tuple[str, float], ...], default ()
        By column, how much it matters, 0 to 3; others have 1.
    droppable : tuple[str, ...], default ()
        Sensitive columns that a search may drop.
    earlier : tuple[Recipe, ...], default ()
        The recipes of earlier releases of these data.
    earlier_of : tuple[tuple[str, str], ...], default ()
        The digest of such a recipe, and that of an original that it was released of, of which it may have several, the
        latest last; those of other files are not applied to this one.
    earlier_then : tuple[tuple[str, str, Then], ...], default ()
        The same two digests, and what was decided on the data when they were released, of which there may be several;
        what is decided now where they are not named.
    ways : tuple[str, ...], default WAYS
        Of :data:`WAYS`, those that a proposal may take, at least one.
    coarsenable : tuple[str, ...], optional
        Sensitive columns that a search may coarsen; None where nobody chose: all that have bands, groups of codes, or
        rare values to put together.
    year : int, optional
        The year of the case, up to which ages are counted where the file has no date; this one where it is left out.
    leaves_anyway : str, default ""
        Why the release leaves although the verdict is against it, as typed; "" where it does not.
    purposes : tuple[Purpose, ...], default ()
        What must survive in the release, each once; proposals are ranked by it, and searches guided.
    measured : tuple[Criterion, ...], default DEFAULT.measured
        What is measured and reported without a limit, each once and not one of the criteria.
    """

    recipient: str = DEFAULT.key
    criteria: tuple[Criterion, ...] = DEFAULT.criteria
    accepted: tuple[Accepted, ...] = ()
    harmless: tuple[tuple[str, tuple[str, ...]], ...] = ()
    fixed: tuple[str, ...] = ()
    weights: tuple[tuple[str, float], ...] = ()
    droppable: tuple[str, ...] = ()
    earlier: tuple[Recipe, ...] = ()
    leaves_anyway: str = ""
    purposes: tuple[Purpose, ...] = ()
    ways: tuple[str, ...] = WAYS
    coarsenable: tuple[str, ...] | None = None
    year: int = field(default_factory=lambda: date.today().year)
    measured: tuple[Criterion, ...] = DEFAULT.measured
    earlier_of: tuple[tuple[str, str], ...] = ()
    earlier_then: tuple[tuple[str, str, Then], ...] = ()

    def __post_init__(self) -> None:
        if self.recipient not in BY_KEY:
            raise InputError("The recipient is none that this version knows.", code="recipient-unknown")
        if len(self.criteria) > _MOST_CRITERIA:
            raise InputError(f"There are more than {_MOST_CRITERIA} criteria. Take some out.", code="too-many-criteria")
        object.__setattr__(self, "criteria", tuple(dict.fromkeys(self.criteria)))
        no_criteria = tuple(criterion for criterion in dict.fromkeys(self.measured) if criterion not in self.criteria)
        object.__setattr__(self, "measured", no_criteria)
        object.__setattr__(self, "purposes", tuple(dict.fromkeys(self.purposes)))
        if len(self.purposes) > MOST_PURPOSES:
            raise InputError(
                f"At most {MOST_PURPOSES} things can be named that must survive. Take some out.",
                code="too-many-purposes",
            )
        checks.text(self.leaves_anyway, "The reason")
        if not _FIRST_YEAR <= checks.whole(self.year, "The year of the case", 1) <= _LAST_YEAR:
            raise InputError(
                f"The year of the case must lie between {_FIRST_YEAR} and {_LAST_YEAR}.", code="number-out-of-range"
            )
        if not self.ways or not set(self.ways) <= set(WAYS):
            raise InputError(
                "Allow at least one of the ways to protect a file that this version knows.", code="choice-missing"
            )
        object.__setattr__(self, "ways", tuple(way for way in WAYS if way in self.ways))
        for name, weight in self.weights:
            if not 0 <= checks.number(weight, f"The weight of “{name}”") <= MOST_WEIGHT:
                raise InputError(
                    f"The weight of “{name}” must lie between 0 and {MOST_WEIGHT:g}.",
                    code="number-out-of-range",
                    column=name,
                )

    @property
    def of(self) -> Recipient:
        """The recipient."""
        return BY_KEY[self.recipient]

    @property
    def k(self) -> int:
        """The smallest class that is asked for: of the criteria, or the recipient's where none is about it."""
        return self.smallest_classes[0][0]

    @property
    def rows(self) -> Rows:
        """What that smallest class takes to be known of the rows of a person, where persons have several: as the
        criteria on it ask, or the recipient where none is about it."""
        return self.smallest_classes[0][1]

    @property
    def smallest_classes(self) -> tuple[tuple[int, Rows], ...]:
        """Each smallest class that is asked for, the largest first, with what it takes to be known of rows."""
        rows_by_k: dict[int, dict[RowsKnown | Literal["linked"], None]] = {}
        for criterion in self.criteria:
            if (k := criterion.limit_on("class_size")) is not None:
                rows_by_k.setdefault(int(k), {}).update(dict.fromkeys(getattr(criterion, "rows", self.of.rows)))
        largest_first = sorted(
            ((k, tuple(rows)) for k, rows in rows_by_k.items()), reverse=True, key=lambda pair: pair[0]
        )
        return tuple(largest_first) or ((self.of.k, self.of.rows),)

    @property
    def small(self) -> int:
        """Below how many a group by a few of all that leaves is small: as a criterion on it asks, else the smallest
        class."""
        return next((criterion.uniqueness.k for criterion in self.criteria if criterion.uniqueness is not None), self.k)

    @property
    def judged(self) -> Self:
        """What the verdict depends on: without what only a search for the least change looks at."""
        return replace(
            self, fixed=(), weights=(), droppable=(), leaves_anyway="", purposes=(), ways=WAYS, coarsenable=None
        )

    @property
    def limits_what_is_learned(self) -> bool:
        """Whether a criterion limits what may be learned of somebody, and not only who may be found."""
        return any(criterion.disclosure == "attribute" for criterion in self.criteria)

    @property
    def coin(self) -> Coin | None:
        """The coin that a search is to use because of its criteria; None: none."""
        return next((criterion.coin for criterion in self.criteria if criterion.coin is not None), None)

    @property
    def harmless_by_column(self) -> dict[str, tuple[str, ...]]:
        """``harmless`` as a mapping."""
        return dict(self.harmless)

    # ---- changed ----

    @classmethod
    def for_recipient(cls, key: str, before: Aim | None = None) -> Aim:
        """The aim for a recipient with its own criteria; what is known of columns stays as it was.

        Parameters
        ----------
        key : str
            The recipient, one of :data:`RECIPIENTS`.
        before : Aim, optional
            The aim that was, for what is known of columns.
        """
        if key not in BY_KEY:
            raise InputError("The recipient is none that this version knows.", code="recipient-unknown")
        of = BY_KEY[key]
        return replace(
            before or cls(), recipient=key, criteria=of.criteria, measured=of.measured, accepted=(), leaves_anyway=""
        )

    def limiting_what_is_learned(self, is_limited: bool) -> Self:
        """The aim with what its recipient measures of what may be learned as criteria, or measured without a limit.

        Parameters
        ----------
        is_limited : bool
            Whether these are criteria. If not, all criteria on it go, with their acceptances.

        Returns
        -------
        Aim
        """
        others = tuple(criterion for criterion in self.criteria if criterion.disclosure != "attribute")
        if is_limited:
            asked = (criterion.as_criterion for criterion in self.of.measured)
            return replace(self, criteria=(*self.criteria, *asked), measured=())
        accepted = tuple(acceptance for acceptance in self.accepted if acceptance.criterion.disclosure != "attribute")
        return replace(self, criteria=others, measured=self.of.measured, accepted=accepted)

    def is_changed(self, criterion: Criterion) -> bool:
        """Whether a criterion is not one that the recipient begins with.

        Parameters
        ----------
        criterion : Criterion
            One of the aim, with the limits that it has in it.

        Returns
        -------
        bool
        """
        asked = (measured.as_criterion for measured in self.of.measured)
        return criterion not in (*self.of.criteria, *self.of.measured, *asked)

    def with_criterion(self, criterion: Criterion) -> Self:
        """The aim with one more.

        Parameters
        ----------
        criterion : Criterion
            What is to be met besides, with its limits.

        Returns
        -------
        Aim
        """
        return replace(self, criteria=(*self.criteria, criterion))

    def replacing(self, old: Criterion, new: Criterion | None) -> Self:
        """The aim with another criterion in the place of one, or without it, and without its acceptance.

        Parameters
        ----------
        old : Criterion
            The criterion that goes; where it is none of these, such as one that is asked because of earlier releases,
            the other one comes beside them.
        new : Criterion | None
            The one in its place; None: none.

        Returns
        -------
        Aim
        """
        criteria = [new if criterion == old else criterion for criterion in self.criteria]
        criteria += [new] if old not in self.criteria else []
        accepted = tuple(acceptance for acceptance in self.accepted if acceptance.criterion != old)
        return replace(
            self, criteria=tuple(criterion for criterion in criteria if criterion is not None), accepted=accepted
        )

    def accepting(self, accepted: Accepted) -> Self:
        """The aim with a criterion accepted for a reason.

        Parameters
        ----------
        accepted : Accepted
            The criterion, with the reason.

        Returns
        -------
        Aim
        """
        others = tuple(acceptance for acceptance in self.accepted if acceptance.criterion != accepted.criterion)
        return replace(self, accepted=(*others, accepted))

    def not_accepting(self, criterion: Criterion) -> Self:
        """The aim without the acceptance of a criterion.

        Parameters
        ----------
        criterion : Criterion
            The one that was accepted although it is not met.

        Returns
        -------
        Aim
        """
        return replace(
            self, accepted=tuple(acceptance for acceptance in self.accepted if acceptance.criterion != criterion)
        )

    def with_harmless(self, column: str, values: Iterable[str]) -> Self:
        """The aim with these values of a sensitive column as harmless, and no others.

        Parameters
        ----------
        column : str
            The sensitive column.
        values : Iterable[str]
            Those that anybody may be sure of, as in the original; none for none.

        Returns
        -------
        Aim
        """
        others = tuple((name, held) for name, held in self.harmless if name != column)
        chosen = tuple(dict.fromkeys(values))
        return replace(self, harmless=(*others, (column, chosen)) if chosen else others)

    def with_harmless_in(self, columns: Iterable[str], value: str) -> Self:
        """The aim with a value as harmless in some sensitive columns, besides what is harmless there already.

        Parameters
        ----------
        columns : Iterable[str]
            Their names.
        value : str
            One that anybody may be sure of, as in the original.

        Returns
        -------
        Aim
        """
        aim = self
        for name in columns:
            aim = aim.with_harmless(name, (*aim.harmless_by_column.get(name, ()), value))
        return aim

    def with_weight(self, column: str, weight: float) -> Self:
        """The aim with another weight of a column.

        Parameters
        ----------
        column : str
            Its name.
        weight : float
            How much it matters, 0 to 3.

        Returns
        -------
        Aim
        """
        others = tuple((name, held) for name, held in self.weights if name != column)
        return replace(self, weights=others if weight == 1 else (*others, (column, float(weight))))

    def on(self, columns: Iterable[str]) -> Self:
        """The aim for a file with these columns: what is about others is left out.

        Parameters
        ----------
        columns : Iterable[str]
            Their names.

        Returns
        -------
        Aim
        """
        present = set(columns)
        return replace(
            self,
            harmless=tuple(pair for pair in self.harmless if pair[0] in present),
            fixed=tuple(name for name in self.fixed if name in present),
            weights=tuple(pair for pair in self.weights if pair[0] in present),
            droppable=tuple(name for name in self.droppable if name in present),
            purposes=tuple(here for purpose in self.purposes if (here := purpose.on(present)) is not None),
            coarsenable=None
            if self.coarsenable is None
            else tuple(name for name in self.coarsenable if name in present),
        )

    # ---- as plain values ----

    def to_dict(self) -> dict[str, Any]:
        """The aim as plain values for JSON."""
        return {
            "recipient": self.recipient,
            "criteria": [criterion.to_dict() for criterion in self.criteria],
            "accepted": [
                {
                    "criterion": acceptance.criterion.to_dict(),
                    "reason": acceptance.reason,
                    "who": acceptance.who,
                    "when": acceptance.when,
                }
                | ({"columns": list(acceptance.columns)} if acceptance.columns else {})
                | ({"values": {name: list(values) for name, values in acceptance.values}} if acceptance.values else {})
                for acceptance in self.accepted
            ],
            "harmless": {name: list(values) for name, values in self.harmless},
            "fixed": list(self.fixed),
            "weights": dict(self.weights),
            "droppable": list(self.droppable),
            "leaves_anyway": self.leaves_anyway,
            "year": self.year,
            "measured": [criterion.to_dict() for criterion in self.measured],
            **({"purposes": [purpose.to_dict() for purpose in self.purposes]} if self.purposes else {}),
            **(
                {"without_method": True}
                if lacks_method(self.of, {criterion.kind for criterion in self.criteria})
                else {}
            ),
            **({} if self.ways == WAYS else {"ways": list(self.ways)}),
            **({} if self.coarsenable is None else {"coarsenable": list(self.coarsenable)}),
        }

    def having_released(self, recipe: Recipe, original: str, then: Then | None = None) -> Aim:
        """The aim with a recipe on record as that of an earlier release.

        Parameters
        ----------
        recipe : Recipe
            The steps that the earlier release was made by.
        original : str
            What names the data that it was released of (:attr:`anonlib.dataset.Dataset.digest`).
        then : Then, optional
            What is decided on these data; None where that is what is decided on them later.

        Returns
        -------
        Aim
        """
        others = tuple(other for other in self.earlier if other != recipe)
        now = (recipe.digest, original)
        of_others = tuple(pair for pair in self.earlier_of if pair != now)
        thens = dict.fromkeys([*self.earlier_then, *([] if then is None else [(*now, then)])])
        return replace(self, earlier=(*others, recipe), earlier_of=(*of_others, now), earlier_then=tuple(thens))

    def released_of(self, recipe: str) -> tuple[str, ...]:
        """What names the data that a recipe, by its digest, was released of, the latest last; empty where nothing does.

        Parameters
        ----------
        recipe : str
            The digest of the recipe.

        Returns
        -------
        tuple[str, ...]
        """
        return tuple(of for digest, of in self.earlier_of if digest == recipe)

    def decided_then(self, recipe: str, original: str) -> tuple[Then, ...]:
        """What was decided on data each time that they were released by a recipe; empty where nothing says it.

        Parameters
        ----------
        recipe, original : str
            The digest of the recipe, and what names the data.

        Returns
        -------
        tuple[Then, ...]
        """
        return tuple(then for digest, of, then in self.earlier_then if (digest, of) == (recipe, original))

    def of_file(self, original: str) -> tuple[Recipe, ...]:
        """The recipes of earlier releases of some data; those of which nothing says of which data count as such.

        Parameters
        ----------
        original : str
            What names the data.

        Returns
        -------
        tuple[Recipe, ...]
        """
        return tuple(recipe for recipe in self.earlier if original in (self.released_of(recipe.digest) or (original,)))

    @classmethod
    def from_dict(
        cls,
        values: object,
        earlier: tuple[Recipe, ...] = (),
        earlier_of: tuple[tuple[str, str], ...] = (),
        earlier_then: tuple[tuple[str, str, Then], ...] = (),
    ) -> Aim:
        """The aim of such values.

        Parameters
        ----------
        values : object
            The aim as plain values.
        earlier : tuple[Recipe, ...], default ()
            Recipes of earlier releases, which are saved apart.
        earlier_of : tuple[tuple[str, str], ...], default ()
            Of which data they are, which is saved with them.
        earlier_then : tuple[tuple[str, str, Then], ...], default ()
            What was decided on the data then, which is saved with them too.

        Raises
        ------
        InputError
            When values are missing or wrong, in a sentence.
        """
        if not isinstance(values, Mapping):
            raise InputError("What the release must meet is damaged. Choose a project saved here.", code="aim-damaged")
        try:
            recipient = checks.text(values["recipient"], "The recipient")
            rows = BY_KEY[recipient].rows if recipient in BY_KEY else USUAL
            return cls(
                recipient,
                tuple(criterion_from_dict(criterion, rows) for criterion in _listed(values["criteria"])),
                tuple(
                    Accepted(
                        criterion_from_dict(acceptance["criterion"], rows),
                        acceptance["reason"],
                        acceptance["who"],
                        acceptance["when"],
                        tuple(map(_name, _listed(acceptance.get("columns", [])))),
                        tuple((name, tuple(_listed(held))) for name, held in acceptance.get("values", {}).items()),
                    )
                    for acceptance in _listed(values["accepted"])
                ),
                tuple((_name(name), tuple(map(_name, _listed(held)))) for name, held in values["harmless"].items()),
                tuple(map(_name, _listed(values["fixed"]))),
                tuple((_name(name), checks.number(weight, "A weight")) for name, weight in values["weights"].items()),
                tuple(map(_name, _listed(values["droppable"]))),
                earlier,
                values["leaves_anyway"],
                purposes=tuple(map(purpose_from_dict, _listed(values.get("purposes", [])))),
                ways=tuple(_listed(values.get("ways", list(WAYS)))),
                coarsenable=tuple(map(_name, _listed(values["coarsenable"]))) if "coarsenable" in values else None,
                **({"year": values["year"]} if "year" in values else {}),
                measured=tuple(
                    criterion_from_dict(criterion, rows) for criterion in _listed(values.get("measured", []))
                ),
                earlier_of=earlier_of,
                earlier_then=earlier_then,
            )
        except (KeyError, TypeError, AttributeError):
            raise InputError(
                "What the release must meet lacks a part or has one of the wrong kind.", code="aim-damaged"
            ) from None


def lacks_method(recipient: Recipient, kinds: Collection[str]) -> bool:
    """Whether all is asked that a recipient begins with, but for what the method tells.

    Parameters
    ----------
    recipient : Recipient
        Who gets the release.
    kinds : Collection[str]
        The kinds of criteria that are asked.

    Returns
    -------
    bool
    """
    of_method = {criterion.kind for criterion in recipient.criteria if criterion.of_method}
    others = {criterion.kind for criterion in recipient.criteria} - of_method
    return bool(of_method) and others <= set(kinds) and not of_method & set(kinds)


def _listed(value: object) -> list[Any]:
    if not isinstance(value, list):
        raise TypeError
    return value


def _name(value: object) -> str:
    return checks.text(value, "The name of a column")

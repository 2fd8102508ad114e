"""What an officer decided about a file, as one immutable value that a file keeps."""

from __future__ import annotations

import hashlib
import json
import secrets
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from types import MappingProxyType
from typing import Any, get_args

from anonlib.basics import checks
from anonlib.basics.errors import InputError
from anonlib.basics.thresholds import DEFAULT
from anonlib.basics.version import VERSION
from anonlib.coarsening.hierarchies import Hierarchy
from anonlib.columns.roles import SAVED_ROLES, Role
from anonlib.counting.classes import Missing
from anonlib.dataset import Dataset
from anonlib.filing.case import ReleaseCase
from anonlib.filing.project import bounds, parts, upgrades
from anonlib.filing.project.bounds import mapping, optional, texts
from anonlib.filing.project.files import AreasBeside, FileRead, TableBeside
from anonlib.filing.project.parts import ValueOrder, Variant
from anonlib.release.pseudonyms import Pseudonyms
from anonlib.release.recipe import Recipe
from anonlib.release.steps import Step
from anonlib.verdict.criteria import Accepted, Aim, Then

MOST_NAMED = 250_000
"""Most values that a saved project can name: in hierarchies, orders, its recipe, versions of that, earlier releases."""
LOTS = ("release", "invitations", "fakes", "regions", "intruder", "coins")
"""What is drawn by lot."""
_NOTHING: Mapping[str, Any] = MappingProxyType({})


@dataclass(frozen=True)
class Project:
    """What an officer decided about a file.

    A saved project (:meth:`to_json`) has no cell of an identifier, a person id, a sensitive column or a column that
    nobody has decided on. The exceptions are harmless values of sensitive columns, since the officer named them to
    say so, and the codes that a data dictionary beside the file lists with their labels, whether they occur or not. Of
    the other columns it names the values that its recipe, hierarchies and orders are made of: it is as confidential as
    the file. It also has the seed, with which a released file's rows can be put into the original's order.

    Attributes
    ----------
    file : FileRead or None
        The file it was decided on, and how that is read; None where there is none yet.
    roles : Mapping[str, Role], optional
        By column, as accepted.
    missing : Missing, default "category"
        What a missing quasi-identifier counts as.
    hierarchies : Mapping[str, Hierarchy], optional
        By column, as chosen; other columns have the suggested one.
    orders : Mapping[str, ValueOrder], optional
        By column, in which order its values stand, as chosen; others have the order that
        says most.
    population, areas : TableBeside or None, AreasBeside or None
        The files beside the file.
    population_columns : Mapping[str, str], optional
        By column of the file, the population table's that is it; "" for none. As chosen; others
        go by their names.
    aim : Aim
        Who gets the release and what it must meet, the recipes of earlier releases included.
    recipe : Recipe
        The steps.
    variants : tuple[Variant, ...], default ()
        Versions of the recipe that are kept beside it, each by a name of its own.
    released : Mapping[str, str], optional
        By the digest of an earlier release's recipe, the SHA-256 of the file that was released.
    unknowable : tuple[str, ...], default ()
        Columns that nobody outside can know.
    k : int
        The smallest class that is accepted, 1 or more.
    own_threshold : float or None
        The highest probability of re-identification that is accepted, in (0, 1]; None: 1 / k.
    case : ReleaseCase
        What the release is decided for; nothing that is counted depends on it.
    pseudonyms : Pseudonyms or None
        The label under which persons get pseudonyms by a key, which is not in the project; None: numbers drawn at
        random.
    seed : int
        Of what is drawn by lot, 0 or more; it does not count when projects are compared.
    upgraded : tuple[str, ...], default ()
        What has become otherwise in opening a project that an earlier version saved, in sentences; it is
        not saved.
    stricter : tuple[str, ...], default ()
        Titles of criteria that ask more today than in the version that saved it; they are not saved.
    """

    file: FileRead | None = None
    roles: Mapping[str, Role] = field(default_factory=lambda: _NOTHING)
    missing: Missing = "category"
    hierarchies: Mapping[str, Hierarchy] = field(default_factory=lambda: _NOTHING)
    orders: Mapping[str, ValueOrder] = field(default_factory=lambda: _NOTHING)
    population: TableBeside | None = None
    population_columns: Mapping[str, str] = field(default_factory=lambda: _NOTHING)
    areas: AreasBeside | None = None
    aim: Aim = field(default_factory=Aim)
    recipe: Recipe = field(default_factory=Recipe)
    variants: tuple[Variant, ...] = ()
    released: Mapping[str, str] = field(default_factory=lambda: _NOTHING)
    unknowable: tuple[str, ...] = ()
    k: int = DEFAULT.k
    own_threshold: float | None = None
    case: ReleaseCase = field(default_factory=ReleaseCase)
    pseudonyms: Pseudonyms | None = None
    seed: int = field(default_factory=lambda: secrets.randbits(128), compare=False, repr=False)
    upgraded: tuple[str, ...] = field(default=(), compare=False, repr=False)
    stricter: tuple[str, ...] = field(default=(), compare=False, repr=False)

    def __post_init__(self) -> None:
        for name in ("roles", "hierarchies", "orders", "population_columns", "released"):
            if not isinstance(held := getattr(self, name), MappingProxyType):
                object.__setattr__(self, name, MappingProxyType(dict(held)))
        if self.missing not in get_args(Missing):
            raise InputError(
                f"A missing value counts as one of: {', '.join(get_args(Missing))}.", code="choice-unknown"
            )
        parts.check_variants(self.variants)
        checks.whole(self.k, "k", 1)
        checks.whole(self.seed, "The seed", 0)
        if self.own_threshold is not None and not 0 < checks.number(self.own_threshold, "The threshold") <= 1:
            raise InputError("The threshold must be above 0 and at most 1.", code="number-out-of-range")

    @property
    def threshold(self) -> float:
        """The highest probability of re-identification that is accepted."""
        return 1 / self.k if self.own_threshold is None else self.own_threshold

    @property
    def asked_threshold(self) -> float:
        """The same for the smallest class that the recipient is asked for."""
        return 1 / self.aim.k if self.own_threshold is None else self.own_threshold

    def lot(self, what: str, *more: int) -> list[int]:
        """The seed of one of :data:`LOTS`. Each has draws of its own: who knows one order is not to know another.

        Parameters
        ----------
        what : str
            One of :data:`LOTS`.
        *more : int
            Numbers that tell draws of it apart.

        Returns
        -------
        list[int]
        """
        return [self.seed, LOTS.index(what), *more]

    @property
    def secret_of_coins(self) -> str:
        """What the coins of a search are drawn of, 32 hexadecimal digits: it follows from the seed, and no seed from it
        (:class:`anonlib.analyses.generalization.search.coins.Coin`)."""
        return hashlib.sha256(json.dumps(self.lot("coins")).encode()).hexdigest()[:32]

    # ---- for another file ----

    def on(self, columns: Iterable[str]) -> Project:
        """The project for a file with these columns: what was decided on others is left out, but for steps.

        A step on a column that is not there is passed over and says so, until somebody takes it out.

        Parameters
        ----------
        columns : Iterable[str]
            The file's.

        Returns
        -------
        Project
        """
        present = set(columns)
        return replace(
            self,
            roles={name: role for name, role in self.roles.items() if name in present},
            hierarchies={name: chosen for name, chosen in self.hierarchies.items() if name in present},
            orders={name: order for name, order in self.orders.items() if name in present},
            population_columns={name: other for name, other in self.population_columns.items() if name in present},
            aim=self.aim.on(present),
            unknowable=tuple(name for name in self.unknowable if name in present),
        )

    def having_released(self, digest: str, data: Dataset | None = None) -> Project:
        """The project with its recipe on record as an earlier release.

        Parameters
        ----------
        digest : str
            SHA-256 of the file that was released, 64 hexadecimal digits.
        data : Dataset, optional
            The data that it was released of; the project's file when left out.

        Returns
        -------
        Project
        """
        released = {**self.released, self.recipe.digest: bounds.digest(digest, "the digest of the released file")}
        if data is None:
            of_file = "" if self.file is None else self.file.digest
            aim = self.aim.having_released(self.recipe, of_file, Then.of(self.roles, self.missing))
        else:
            aim = self.aim.having_released(self.recipe, data.digest, Then.of_data(data))
        return replace(self, aim=aim, released=released)

    @property
    def with_earlier_of_its_file(self) -> Project:
        """The same where earlier releases of which nothing says of which data they are, are of its own file."""
        if self.file is None or not self.file.digest:
            return self
        known = tuple((recipe, of) for recipe, of in self.aim.earlier_of if of)
        of_nothing = {earlier.digest for earlier in self.aim.earlier} - {recipe for recipe, _ in known}
        own = tuple((earlier.digest, self.file.digest) for earlier in self.aim.earlier if earlier.digest in of_nothing)
        return replace(self, aim=replace(self.aim, earlier_of=(*own, *known)))

    # ---- the values that it names ----

    @property
    def n_named(self) -> int:
        """How many values its steps, hierarchies, orders and acceptances name, the steps of versions and earlier
        releases too."""
        in_steps = sum(entry.step.n_named for recipe in self._recipes for entry in recipe.entries)
        in_orders = sum(order.n_named for order in self.orders.values())
        accepted = sum(len(values) for accepted in self.aim.accepted for _, values in accepted.values)
        return in_steps + in_orders + accepted + sum(hierarchy.n_named for hierarchy in self.hierarchies.values())

    @property
    def as_saved(self) -> Project:
        """The project as it is saved: without values of columns whose values are confidential.

        A step that needs them is kept without them and applies to no data; a hierarchy made of them is left out, an
        order is kept without those put by hand, and what is accepted of such values is asked about again.
        """
        earlier = [(recipe.digest, self._recipe_as_saved(recipe)) for recipe in self.aim.earlier]
        earlier_of = tuple((saved.digest, of) for digest, saved in earlier for of in self.aim.released_of(digest))
        saved_as = {digest: saved.digest for digest, saved in earlier}
        earlier_then = tuple(
            (saved_as[digest], of, then) for digest, of, then in self.aim.earlier_then if digest in saved_as
        )
        return replace(
            self,
            hierarchies={name: h for name, h in self.hierarchies.items() if self._may_tell(name) or not h.n_named},
            orders={name: o if self._may_tell(name) else o.without_named() for name, o in self.orders.items()},
            aim=replace(
                self.aim,
                earlier=tuple(saved for _, saved in earlier),
                earlier_of=earlier_of,
                earlier_then=earlier_then,
                accepted=self._accepted_as_saved,
            ),
            recipe=self._recipe_as_saved(self.recipe),
            variants=tuple(replace(variant, recipe=self._recipe_as_saved(variant.recipe)) for variant in self.variants),
            released={saved.digest: self.released[digest] for digest, saved in earlier if digest in self.released},
        )

    @property
    def unsaved_columns(self) -> tuple[str, ...]:
        """The columns of which it names values that are not saved, each once."""
        steps = [entry.step for recipe in self._recipes for entry in recipe.entries]
        hidden = dict.fromkeys(name for step in steps for name in step.columns if not self._may_tell(name))
        named = [name for name in hidden if any(_names_values_of(step, name) for step in steps)]
        grouped = [name for name, h in self.hierarchies.items() if h.n_named and not self._may_tell(name)]
        ordered = [name for name, order in self.orders.items() if order.n_named and not self._may_tell(name)]
        return tuple(dict.fromkeys([*named, *grouped, *ordered]))

    @property
    def emptied(self) -> tuple[str, ...]:
        """The columns of its steps that were saved without their values, so that they apply to no data."""
        return tuple(dict.fromkeys(name for entry in self.recipe.entries for name in entry.step.emptied))

    @property
    def _recipes(self) -> tuple[Recipe, ...]:
        """All that it holds: the one in use, the versions, those of earlier releases."""
        return (self.recipe, *(variant.recipe for variant in self.variants), *self.aim.earlier)

    def _may_tell(self, column: str) -> bool:
        return self.roles.get(column) in SAVED_ROLES

    @property
    def _accepted_as_saved(self) -> tuple[Accepted, ...]:
        """What is accepted, but for values of columns that it may not tell: these are asked about again."""
        saved = (accepted.without_values_of(self._may_tell) for accepted in self.aim.accepted)
        return tuple(accepted for accepted in saved if accepted is not None)

    def _recipe_as_saved(self, recipe: Recipe) -> Recipe:
        entries = tuple(replace(entry, step=entry.step.without_named(self._may_tell)) for entry in recipe.entries)
        return Recipe(entries)

    # ---- as text ----

    def to_json(self) -> str:
        """The text that :meth:`from_json` reads: of what is not confidential (:attr:`as_saved`).

        Raises
        ------
        InputError
            When the project names more values than a saved one can.
        """
        if self.n_named > MOST_NAMED:
            raise InputError(
                f"This project names {self.n_named:,} values; at most {MOST_NAMED:,} can be saved. Make its "
                "hierarchies and mappings of fewer values, such as by intervals or by the first characters.",
                code="project-too-large",
            )
        saved = self.as_saved
        document = {
            "format": upgrades.FORMAT,
            "version": upgrades.FORMAT_VERSION,
            "anonscope": VERSION,
            "case": saved.case.to_dict(),
            "tables": [saved._table_to_dict()],
            "aim": saved.aim.to_dict(),
            "k": saved.k,
            "threshold": saved.own_threshold,
            **({} if saved.pseudonyms is None else {"pseudonyms": saved.pseudonyms.to_dict()}),
            "keep_inside": {"seed": f"{saved.seed:x}"},
        }
        return json.dumps(document, indent=1, ensure_ascii=False)

    def _table_to_dict(self) -> dict[str, Any]:
        """What concerns the table, as plain values for JSON."""
        return {
            "file": None if self.file is None else self.file.to_dict(),
            "roles": {column: str(role) for column, role in self.roles.items()},
            "missing": self.missing,
            "population": None if self.population is None else self.population.to_dict(),
            "population_columns": dict(self.population_columns),
            "areas": None if self.areas is None else self.areas.to_dict(),
            "unknowable": list(self.unknowable),
            "recipe": self.recipe.to_list(),
            "variants": parts.variants_to_list(self.variants),
            "hierarchies": parts.hierarchies_to_dict(self.hierarchies),
            "orders": {column: order.to_dict() for column, order in self.orders.items()},
            "earlier_releases": [release for recipe in self.aim.earlier for release in self._earlier_to_list(recipe)],
        }

    def _earlier_to_list(self, recipe: Recipe) -> list[dict[str, Any]]:
        """The earlier releases by a recipe, one for each file and what was decided on it; the digest of what left is
        that of the latest."""
        releases = list[dict[str, Any]]()
        for of in self.aim.released_of(recipe.digest) or (None,):
            about = {"recipe": recipe.to_list(), "sha256": None, **({} if of is None else {"of": of})}
            thens = () if of is None else self.aim.decided_then(recipe.digest, of)
            releases += [about | then.to_dict() for then in thens] or [about]
        releases[-1]["sha256"] = self.released.get(recipe.digest)
        return releases

    @classmethod
    def from_json(cls, given: str | bytes) -> Project:
        """The project of a text.

        Parameters
        ----------
        given : str | bytes
            What a project was saved as.

        Raises
        ------
        InputError
            When it is none, damaged, too large, of a newer version, or of another number of tables than one; the
            sentence says which.
        """
        document = upgrades.of_this_version(bounds.document_of(given))
        table = parts.only_table(document)
        earlier = parts.earlier_releases(table.get("earlier_releases"))
        recipes = {recipe.digest: recipe for recipe, *_ in earlier}  # of each there may be releases of several files
        released = [(recipe.digest, sha256) for recipe, sha256, *_ in earlier if sha256 is not None]
        earlier_of = dict.fromkeys((recipe.digest, of) for recipe, _, of, _ in earlier if of is not None)
        earlier_then = [(recipe.digest, of or "", then) for recipe, _, of, then in earlier if then is not None]
        return cls(
            file=optional(table.get("file"), FileRead.from_dict, "the file"),
            roles=parts.roles(table.get("roles")),
            missing=parts.missing(table.get("missing")),
            hierarchies=parts.hierarchies(table.get("hierarchies")),
            orders=parts.orders(table.get("orders", {})),  # a project that was saved before there were any has none
            population=optional(table.get("population"), TableBeside.from_dict, "the population table"),
            population_columns=parts.pairs(table.get("population_columns"), "the columns of the population table"),
            areas=optional(table.get("areas"), AreasBeside.from_dict, "the areas"),
            aim=parts.aim(document.get("aim"), tuple(recipes.values()), tuple(earlier_of), tuple(earlier_then)),
            recipe=parts.recipe(table.get("recipe"), "the recipe"),
            variants=parts.variants(table.get("variants", [])),  # a project saved before there were any has none
            released={name: bounds.digest(sha256, "the digest of an earlier release") for name, sha256 in released},
            unknowable=texts(table.get("unknowable"), "the columns that nobody can know"),
            k=checks.whole(document.get("k"), f"{bounds.WRONG}k", 1),
            own_threshold=optional(document.get("threshold"), parts.share, "the threshold"),
            case=ReleaseCase.from_dict(document.get("case", {})),  # a project saved before there were any has none
            pseudonyms=optional(document.get("pseudonyms"), parts.pseudonyms, "the pseudonyms"),
            seed=parts.seed(mapping(document.get("keep_inside"), "what is to be kept inside").get("seed")),
            upgraded=tuple(document.get("upgraded", ())),
            stricter=tuple(document.get("stricter", ())),
        )


def _names_values_of(step: Step, column: str) -> bool:
    return step.without_named(lambda name: name != column) is not step

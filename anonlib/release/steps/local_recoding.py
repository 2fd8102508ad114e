"""The step that meets guarantees by recoding part by part, only as far as they need."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal

import numpy as np

from anonlib.analyses.generalization import WholeClasses, solve
from anonlib.analyses.generalization.search import PersonProblem, Problem
from anonlib.analyses.generalization.search.coins import Coin
from anonlib.analyses.generalization.search.local_recoding import (
    ROUNDS,
    LocalRecoding,
    LocalRecodingOfPersons,
    RecodingWithinBudget,
    part_by_part,
    parts_of_persons,
    parts_with_coins,
    parts_within,
)
from anonlib.analyses.generalization.whole_classes import checked_weights, most_left_out
from anonlib.basics import checks
from anonlib.basics.budget import Budget
from anonlib.basics.errors import InputError
from anonlib.basics.progress import Progress
from anonlib.basics.words import count
from anonlib.coarsening.hierarchies import Hierarchy
from anonlib.coarsening.recoding import NOTHING, untouched
from anonlib.counting.classes import ClassTable, PersonTable
from anonlib.counting.privacy_models import (
    VALUES,
    KAnonymity,
    PrivacyModel,
    columns_of,
    privacy_model_from_dict,
    privacy_model_to_dict,
)
from anonlib.dataset import Dataset
from anonlib.release.steps.of_cells import (
    OfCells,
    classes_of,
    demands_from_dict,
    guarantees_of,
    in_words,
    listed,
    requirements_of,
)
from anonlib.release.steps.of_population import CellsOfData
from anonlib.release.steps.recode import has_blank_label, recoding_from_dict, recoding_to_dict
from anonlib.release.steps.step import (
    Decision,
    ReachableLevel,
    Scope,
    Stage,
    Step,
    Unseen,
    along,
    check_column,
    unseen_in,
)

_MOST_ROUNDS = 100_000
Better = Callable[[float, "GeneralizeLocally", Problem, LocalRecoding], None]
"""Called with the share of the budget that is spent, the best step so far, what is searched and the step's parts."""


@dataclass(frozen=True, eq=False)
class GeneralizeLocally(OfCells, Step):
    """Recode each part of the data along hierarchies only as far as guarantees need.

    The parts are found again from the data that the step is applied to, always the same for the same data.

    Attributes
    ----------
    hierarchies : tuple[tuple[str, Hierarchy], ...]
        The columns to recode, each once.
    guarantees : tuple[PrivacyModel, ...]
        What must hold of every class: how many records share which columns, each column to recode
        among them, and the diversity or closeness of sensitive columns in the same classes.
    left_out_limit : float
        The share of the records, in [0, 1], that may be left out; of persons with several rows, where rows may be
        known, of the persons, and of their rows.
    kept : tuple[tuple[str, str], ...], default ()
        A column and a value each that its hierarchy does not apply to (a text among ages) and that
        nonetheless is released as it is where its part needs no more: the step was made knowing it, or somebody decided
        so.
    reason : str
        Why.
    search : str
        How the parts are found: ``parts``
        (:func:`anonlib.analyses.generalization.search.local_recoding.part_by_part`), which meets all kinds of
        guarantees, or ``mondrian``, as steps of earlier versions, for guarantees of every class.
    column_weights : tuple[tuple[str, float], ...], default ()
        How much columns matter, 0 to 3; those that are not named have 1.
    rounds : int
        How long parts are searched for: as in
        :func:`anonlib.analyses.generalization.search.local_recoding.part_by_part`. The same rounds find the same parts
        of the same data.
    coin : Coin, optional
        Where values refuse a finer part, a coin of this chance refuses it too, so that who knows how parts are found is
        forced to nothing (:mod:`anonlib.analyses.generalization.search.coins`); None: values alone do, as in earlier
        versions. Parts of Mondrian have none.
    """

    hierarchies: tuple[tuple[str, Hierarchy], ...]
    guarantees: tuple[PrivacyModel, ...]
    left_out_limit: float = 0.0
    reason: str = ""
    kept: tuple[tuple[str, str], ...] = ()
    column_weights: tuple[tuple[str, float], ...] = ()
    search: Literal["parts", "mondrian"] = "parts"
    rounds: int = ROUNDS
    coin: Coin | None = None
    kind = "generalize_locally"
    stage = Stage.GUARANTEES
    gives_way_to = Scope.POLICY
    labels_by = "part"

    def __post_init__(self) -> None:
        checks.text(self.reason, "The reason")
        most_left_out(self.left_out_limit, 0)
        object.__setattr__(self, "left_out_limit", float(self.left_out_limit))
        names = [name for name, _ in self.hierarchies]
        if not {name for name, _ in self.column_weights} <= set(names):
            raise InputError("Only a column that has a hierarchy can have a weight.", code="weight-of-other-column")
        checked_weights(dict(self.column_weights))
        if self.search not in ("parts", "mondrian"):
            raise InputError("Parts are found in a way that this version does not know.", code="choice-unknown")
        if not isinstance(self.rounds, int) or isinstance(self.rounds, bool) or not 1 <= self.rounds <= _MOST_ROUNDS:
            raise InputError(
                f"The rounds of a search are a whole number from 1 to {_MOST_ROUNDS:,}.", code="number-out-of-range"
            )
        if self.coin is not None and self.search != "parts":
            raise InputError("Parts that Mondrian finds are refused by no coin.", code="choices-do-not-fit")
        if not self.guarantees:
            raise InputError(
                "State at least one criterion: which columns, and how many records must share them.",
                code="guarantee-missing",
            )
        if len(set(names)) < len(names) or not set(names) <= self.known:
            raise InputError(
                "Each column in a criterion can have one hierarchy, and no other column any.",
                code="column-not-in-guarantee",
            )

    @property
    def recodes(self) -> tuple[str, ...]:
        return tuple(name for name, _ in self.hierarchies)

    def describe(self) -> str:
        demand = f" to {in_words(self.guarantees)}" if self.search == "mondrian" else self.asked_in_words
        coin = "" if self.coin is None else f"; {self.coin.in_words}"
        return f"Generalize {self.named} with mixed coarseness{demand}{self.weights_in_words}{coin}"

    def apply(self, dataset: Dataset) -> Dataset:
        return self._recoded(dataset.with_counted())

    def knowing(self, dataset: Dataset) -> GeneralizeLocally:
        """The step made for this data: values there that a hierarchy does not apply to are kept as they are."""
        unknowing = replace(self, kept=())
        kept = [(unseen.column, value) for unseen in unknowing.unseen(dataset) for value in unseen.values]
        return replace(self, kept=tuple(kept))

    def unseen(self, before: Dataset) -> tuple[Unseen, ...]:
        unseen_values: list[Unseen] = []
        for name, hierarchy in self.hierarchies:
            check_column(before, name)
            counts = before.held.counts_of(name)
            values = counts.values
            uncovered = np.zeros(len(values), dtype=bool)
            for recoding in hierarchy.recodings:
                uncovered |= untouched(recoding, values)
            uncovered &= np.array([(name, value) not in self.kept for value in values], dtype=bool)
            unseen_values += unseen_in(name, counts, uncovered)
        return tuple(unseen_values)

    def decisions(self, unseen: Unseen) -> tuple[Decision, ...]:
        return ("keep",)

    def decided(self, unseen: Unseen, decision: Decision) -> GeneralizeLocally:
        return replace(self, kept=(*self.kept, *((unseen.column, value) for value in unseen.values)))

    @property
    def n_named(self) -> int:
        return len(self.kept) + sum(hierarchy.n_named for _, hierarchy in self.hierarchies)

    def without_named(self, may_tell: Callable[[str], bool]) -> GeneralizeLocally:
        hierarchies = tuple(
            (name, hierarchy if may_tell(name) or not hierarchy.n_named else Hierarchy((NOTHING,)))
            for name, hierarchy in self.hierarchies
        )
        kept = tuple(pair for pair in self.kept if may_tell(pair[0]))
        same = hierarchies == self.hierarchies and kept == self.kept
        return self if same else replace(self, hierarchies=hierarchies, kept=kept)

    @property
    def emptied(self) -> tuple[str, ...]:
        return tuple(name for name, hierarchy in self.hierarchies if NOTHING in hierarchy.recodings)

    def _recoded(self, dataset: Dataset) -> Dataset:
        """The data set, of which each record counts, with every record's labels and those left out that must be."""
        if self.looks_at_rows(dataset):
            self.counted_classes(dataset)
            return self._rows_recoded(dataset)
        return self.labelled(dataset, self._prepared)

    def cells_of(self, dataset: Dataset) -> CellsOfData:
        classes = self.counted_classes(dataset)
        if self.search == "mondrian":
            whole = self._of_whole_classes(classes)
            solution = solve(whole, "mondrian")
            kept, cell_levels, columns = solution.kept, solution.cell_levels, solution.attributes
        else:
            problem, parts = self.found(dataset)
            if parts is None:
                raise InputError(_no_parts(problem), code="nothing-satisfies")
            kept, cell_levels, columns = parts.kept, parts.cell_levels, problem.columns
        return CellsOfData(classes, kept, {name: cell_levels[:, j] for j, name in enumerate(columns)})

    def _rows_recoded(self, dataset: Dataset) -> Dataset:
        """The same of persons with several rows, each row with labels of its own."""
        problem, parts = self.found_of_persons(dataset)
        if parts is None:
            raise InputError(_no_parts_of_persons(problem), code="nothing-satisfies")
        cells = {name: self._cells(dataset, name, parts.cell_levels[:, j]) for j, name in enumerate(problem.columns)}
        return dataset.labelled_persons(problem.table, parts.kept, self._prepared, cells)

    def looks_at_rows(self, dataset: Dataset) -> bool:
        """Whether persons have several rows, and more may be known of these than the values of each column.

        Where only those may be known a person is one row, of the set of their values in each column.
        """
        by_rows = any(guarantee.rows != VALUES for guarantee in self.guarantees)
        return self.search == "parts" and by_rows and dataset.has_several_rows

    def found_of_persons(
        self, dataset: Dataset, progress: Progress | None = None
    ) -> tuple[PersonProblem, LocalRecodingOfPersons | None]:
        """As :meth:`found`, of persons with several rows of which rows may be known; none of such in a database.

        Remembered as there.
        """
        needed = dataset.quasi_identifiers if dataset.missing == "drop" else ()
        named = {*columns_of(self.guarantees), *needed}
        table = dataset.persons([name for name in dataset.columns if name in named])
        problem = PersonProblem(
            table,
            {name: hierarchy for name, hierarchy in self.hierarchies if name in named},
            self.guarantees,
            linked=dataset.is_linked,
            needed=needed,
            suppression_limit=most_left_out(self.left_out_limit, table.rows.n_records),
            most_persons=most_left_out(self.left_out_limit, table.n_persons),
            weights=dict(self.column_weights),
        )
        if table.profile_of_record is None:  # in a database, where rows cannot be recoded one by one
            return problem, None
        key = self.key_of_persons(problem)
        return problem, dataset.once(key, lambda: parts_of_persons(problem, coin=self.coin, progress=progress))

    def key_of_persons(self, problem: PersonProblem) -> Hashable:
        """Names all that the parts of persons depend on, as :meth:`key_of`."""
        content = _content(problem.table.rows), _content_of_persons(problem.table), problem.linked, problem.needed
        return "parts_of_persons", *content, self._written

    def found(self, dataset: Dataset, progress: Progress | None = None) -> tuple[Problem, LocalRecoding | None]:
        """What is searched of a data set of which each record counts, and its parts; None where there are none.

        What a proposal has found its step does not look for again: it is remembered with the data.
        """
        problem = self._problem(dataset)
        return problem, dataset.once(self.key_of(problem), lambda: self._search_parts(problem, progress))

    def _search_parts(self, problem: Problem, progress: Progress | None) -> LocalRecoding | None:
        if self.coin is None:
            return part_by_part(problem, rounds=self.rounds, progress=progress)
        return parts_with_coins(problem, self.coin, rounds=self.rounds, progress=progress)

    def found_within(
        self, dataset: Dataset, budget: Budget, progress: Progress, better: Better
    ) -> tuple[GeneralizeLocally, Problem, RecodingWithinBudget]:
        """The step with the rounds that found most within a budget, what is searched, and what was found.

        Remembered as in :meth:`found`, what was best meanwhile too: who stops can take it.
        """
        problem = self._problem(dataset)

        def remember(rounds: int, parts: LocalRecoding | None) -> GeneralizeLocally:
            step = replace(self, rounds=rounds)
            dataset.once(step.key_of(problem), lambda: parts)
            return step

        within = parts_within(
            problem, budget, progress, lambda share, rounds, best: better(share, remember(rounds, best), problem, best)
        )
        return remember(within.rounds, within.parts), problem, within

    def _problem(self, dataset: Dataset) -> Problem:
        classes = classes_of(dataset, self.guarantees)
        hierarchies = {name: hierarchy for name, hierarchy in self.hierarchies if name in classes.attributes}
        most = most_left_out(self.left_out_limit, classes.n_records)
        return Problem(classes, hierarchies, self.guarantees, suppression_limit=most, weights=dict(self.column_weights))

    def key_of(self, problem: Problem) -> Hashable:
        """Names all that the parts depend on; the reason and the values kept do not change them."""
        return "parts", _content(problem.classes), self._written

    @property
    def _written(self) -> str:
        return json.dumps({**self.to_dict(), "reason": "", "kept": []})

    def _of_whole_classes(self, classes: ClassTable) -> WholeClasses:
        return WholeClasses(
            classes, dict(self.hierarchies), self.guarantees, left_out_limit=self.left_out_limit,
            attribute_weights=dict(self.column_weights),
        )  # fmt: skip

    def levels(self, column: str, ways: Sequence[ReachableLevel]) -> list[ReachableLevel]:
        hierarchy = dict(self.hierarchies).get(column)
        if hierarchy is None:
            return list(ways)
        return [coarser for way in ways for coarser in along(way, hierarchy, column)]

    def can_blank(self, column: str) -> bool:
        hierarchy = dict(self.hierarchies).get(column)
        return hierarchy is not None and any(map(has_blank_label, hierarchy.recodings))

    def labels_at(self, name: str, values: np.ndarray) -> np.ndarray:
        levels = dict(self.hierarchies)[name].on([*values, None], name)
        return np.vstack([levels.label(i) for i in range(levels.n_levels)])

    @property
    def _prepared(self) -> str:
        """Names the step among what was done to the data, which decides the order of released rows.

        Of Mondrian in the words of earlier versions, so that the rows of an earlier release come out in the same order.
        """
        if self.search == "parts":
            return json.dumps({**self.to_dict(), "reason": ""})  # not a repr: names of classes may change
        requirements, rules = requirements_of(self.guarantees)
        ways = tuple((name, hierarchy.as_saved) for name, hierarchy in self.hierarchies)
        return (
            f"GeneralizeLocally(hierarchies={ways!r}, requirements={requirements!r}, rules={rules!r}, "
            f"suppression_limit={self.left_out_limit!r}, reason={self.reason!r}, kept={self.kept!r}, "
            f"column_weights={self.column_weights!r})"
        )

    def apply_to_population(self, population: Dataset, alongside: Dataset | None = None) -> Dataset:
        if alongside is None or self.looks_at_rows(alongside):
            raise InputError(
                "A population table can have mixed coarseness only along with single rows of data.",
                code="population-not-recodable",
            )
        return self.labelled_alike(population, alongside, self._prepared)

    def to_dict(self) -> dict[str, Any]:
        ways = [
            {"column": name, "levels": [recoding_to_dict(recoding) for recoding in hierarchy.recodings]}
            for name, hierarchy in self.hierarchies
        ]
        more: dict[str, Any] = {"guarantees": [privacy_model_to_dict(guarantee) for guarantee in self.guarantees]}
        more["suppression_limit"] = self.left_out_limit
        more["kept"] = [list(pair) for pair in self.kept]
        if self.column_weights:
            more["column_weights"] = dict(self.column_weights)
        if self.search == "parts":
            more["search"] = self.search
        if self.rounds != ROUNDS:
            more["rounds"] = self.rounds
        if self.coin is not None:
            more["coin"] = self.coin.to_dict()
        return {"kind": self.kind, "hierarchies": ways, **more, "reason": self.reason}

    @classmethod
    def from_dict(cls, values: Mapping[str, Any]) -> GeneralizeLocally:
        ways = tuple(
            (
                checks.text(way["column"], "The name of a column"),
                Hierarchy(tuple(recoding_from_dict(level) for level in listed(way["levels"], "levels of a hierarchy"))),
            )
            for way in listed(values["hierarchies"], "hierarchies")
        )
        limit = checks.number(values.get("suppression_limit", 0.0), "What may be left out")
        kept = tuple(
            (checks.text(column, "The name of a column"), checks.text(value, "Each value kept"))
            for column, value in listed(values.get("kept", []), "values that are kept")
        )
        weights = values.get("column_weights", {})
        if not isinstance(weights, dict):
            raise InputError("The weights of columns must be given by their names.", code="weight-of-other-column")
        if "guarantees" in values:
            guarantees = tuple(
                privacy_model_from_dict(guarantee) for guarantee in listed(values["guarantees"], "guarantees")
            )
        else:  # as it was before there was one language for what must hold
            guarantees = guarantees_of(*demands_from_dict(values))
        search = values.get("search", "mondrian")  # which was the only one once
        rounds = values.get("rounds", ROUNDS)
        coin = Coin.from_dict(values["coin"]) if "coin" in values else None
        return cls(
            ways, guarantees, limit, values.get("reason", ""), kept, tuple(weights.items()), search, rounds, coin
        )


def _no_parts_of_persons(problem: PersonProblem) -> str:
    if problem.table.profile_of_record is None:
        return "Rows of persons in a database cannot have mixed coarseness. Give everyone the same, or open a file."
    rows, persons = count(problem.suppression_limit, "rows"), count(problem.most_persons, "persons")
    return (
        f"Mixed coarseness begins with every hierarchy at its last level: there too many of {problem.n_records:,} "
        f"persons violate what is asked, and {rows} and {persons} may be left out. Let more rows be left out, end each "
        "hierarchy with one label for everything, or ask for less."
    )


def _no_parts(problem: Problem) -> str:
    least = max((guarantee.least for guarantee in problem.guarantees if isinstance(guarantee, KAnonymity)), default=1)
    if problem.n_records < least:
        records = count(problem.n_records, "records")
        return f"There are {records}, fewer than k = {least:,}: no generalization can make so many alike."
    return (
        f"Mixed coarseness begins with every hierarchy at its last level: there too many of {problem.n_records:,} "
        f"records violate what is asked, and {problem.suppression_limit:,} may be left out. Let more records be left "
        "out, end each hierarchy with one label for everything, or ask for less."
    )


def _content(classes: ClassTable) -> str:
    """SHA-256 of all that a class table holds, in its order."""
    texts = [list(classes.attributes), [values.tolist() for values in classes.categories]]
    digest = hashlib.sha256(json.dumps(texts).encode())
    for numbers in (classes.codes, classes.counts):
        digest.update(numbers.tobytes())
    return digest.hexdigest()


def _content_of_persons(table: PersonTable) -> str:
    """SHA-256 of who has which rows of a table, in its order."""
    digest = hashlib.sha256(json.dumps(table.within).encode())
    for numbers in (table.persons, table.start, table.row, table.times, table.profile_of_record):
        digest.update(b"" if numbers is None else numbers.tobytes())
    return digest.hexdigest()

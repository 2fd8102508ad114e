"""What the officer asks on the Generalize page, and the controls that ask it."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import cycle
from typing import Any, Literal

import numpy as np
import streamlit as st

from anonlib.dataset import Dataset
from anonlib.errors import InputError
from anonlib.generalization import LDiversity, Method, Objective, Problem, Requirement, TCloseness
from anonlib.generalization.requirements import MOST_WEIGHT
from anonlib.hierarchies import Hierarchy
from anonlib.recoding import label_of_missing
from pages.protect.generalize.hierarchies import chosen
from ui import guard, page, state
from ui.text import plain, printable

METHODS: dict[Method, str] = {
    "optimal": "Whole columns", "mondrian": "Part by part", "iab": "IAB", "greedy": "Greedy",
    "exhaustive": "Exhaustive",
}  # fmt: skip
BETTER: Literal["better"] = "better"
Way = Method | Literal["better"]
WAYS: dict[Way, str] = {BETTER: "Better of both"} | METHODS  # type: ignore[assignment,operator]
METHOD_HELP = (
    "**Better of both**: whole columns or part by part, whichever keeps more. **Whole columns**: one level a column, "
    "proven to be the best by what you keep. **Part by part** (Mondrian): each part of the file only as coarse as it "
    "must be, so that values of different levels stand side by side in a column. "
    "**IAB**, **Greedy** and **Exhaustive** go table by table, as in Arca and Hewett 2021: slower, with their search "
    "tree to see."
)
WEIGHED = ("cell_loss", "entropy")  # objectives that add up over columns
WEIGHTS_HELP = "How much the detail of each column counts: 0 may be lost without regret, 1 is usual, 3 matters most."
OBJECTIVES: dict[Objective, str] = {
    "cell_loss": "detail of cells",
    "rows": "distinct rows",
    "classes": "classes",
    "entropy": "information (entropy)",
    "discernibility": "small classes",
}
OBJECTIVE_HELP = (
    "What the search keeps most. **Detail of cells**: values in the group against all values of the column (NCP). "
    "**Distinct rows** is the paper’s; it is blind to the quasi-identifiers when another column is nearly unique. "
    "**Information**: non-uniform entropy. **Small classes**: discernibility. All are always reported."
)
METHOD = "generalize-method"
MOST_LEFT_OUT, USUALLY_LEFT_OUT = 20.0, 5.0  # percent
MOST_K = 1_000


@dataclass(frozen=True)
class Question:
    """One search: what is required, what may be done for it, and what is to be kept.

    ``columns`` are those that rows are counted of; ``limit`` is the share of the records that may be left out;
    ``weights`` are of the columns that matter more or less than usual.
    """

    requirements: tuple[Requirement, ...]
    rules: tuple[LDiversity | TCloseness, ...]
    hierarchies: tuple[tuple[str, Hierarchy], ...]
    columns: tuple[str, ...]
    objective: Objective
    limit: float
    weights: tuple[tuple[str, float], ...] = ()

    @cached_property
    def key(self) -> str:
        return hashlib.sha256(repr(self).encode("utf-8", "surrogatepass")).hexdigest()

    @property
    def shield(self) -> list[str]:
        """The columns of all requirements, each once."""
        return list(dict.fromkeys(name for requirement in self.requirements for name in requirement.attributes))

    @property
    def plain(self) -> Question:
        """The question without what can be tried out quickly: its problem has the same table."""
        return replace(self, rules=(), objective="rows", limit=0.0, weights=())

    def of(self, data: Dataset, like: Problem | None = None) -> Problem:
        """The problem it states of a data set, and of the table of a problem that is like it.

        Raises InputError where it cannot be stated.
        """
        kinds: dict[str, Any] = {
            "l_diversity": tuple(rule for rule in self.rules if isinstance(rule, LDiversity)),
            "t_closeness": tuple(rule for rule in self.rules if isinstance(rule, TCloseness)),
        }
        if like is None:
            _refuse_labels(data, self.hierarchies)
            classes = data.with_counted().with_missing("category").classes(list(self.columns))
        else:
            classes = like.classes
        return Problem(
            classes, dict(self.hierarchies), self.requirements, suppression_limit=self.limit,
            objective=self.objective, attribute_weights=dict(self.weights), like=like, **kinds,
        )  # fmt: skip


def _refuse_labels(data: Dataset, hierarchies: tuple[tuple[str, Hierarchy], ...]) -> None:
    """Refuse labels, or missing ones, with which the release would have other groups than the search counts."""
    if data.missing != "drop" and data.person_id is None:
        return
    for name, hierarchy in hierarchies:
        labels = hierarchy.on(data.records[name].cat.categories, name).labels[1:]
        of_missing = [label_of_missing(recoding) for recoding in hierarchy.recodings]
        for level, (made, label) in enumerate(zip(labels, of_missing, strict=True), start=1):
            if data.missing == "drop" and name in data.quasi_identifiers and None in made:
                raise InputError(
                    f"Level {level} of the hierarchy of “{name}” leaves a value without a label, and records with a "
                    "missing quasi-identifier are left out (Data page). Give every value a label."
                )
            if label is not None and {*made} - {label} and _given_way(data, name):
                raise InputError(
                    f"Level {level} of the hierarchy of “{name}” gives missing cells a label, but where persons are "
                    "counted a missing cell gives way to what other rows of the person say. Clear that label, or give "
                    "it to all values."
                )


def _given_way(data: Dataset, name: str) -> bool:
    """Whether a person has rows with and rows without a value in a column."""
    if data.person_id is None:
        return False
    persons = data.records[data.person_id].cat.codes.to_numpy()
    absent = data.records[name].cat.codes.to_numpy() < 0
    return bool(np.any(np.intersect1d(persons[absent], persons[~absent]) >= 0))


# ---- requirements -------------------------------------------------------------------------------------------------


def add_requirement() -> None:
    numbers = state.session().requirements
    state.session().requirements = (*numbers, max(numbers) + 1)


def remove_requirement(number: int) -> None:
    state.session().requirements = tuple(other for other in state.session().requirements if other != number)
    for setting in ("k", "shield"):  # the next requirement of this number begins anew
        state.forget_settings(f"generalize-{setting}-{number}-")


def ask_requirements(data: Dataset) -> tuple[Requirement, ...]:
    """One row a requirement: k, and the columns that so many records must share."""
    numbers = state.session().requirements
    apart = {*data.identifiers, data.person_id, data.weight}
    known = [name for name in data.columns if name not in apart]
    asked = []
    for place, number in enumerate(numbers, start=1):
        which = f"{place}: " if len(numbers) > 1 else ""
        least, shared, rest = page.beside(3, 8, 3, gap="small", align="bottom")
        name = f"generalize-k-{number}-{state.session().k}"
        k = least.number_input(
            f"{which}k", 2, MOST_K, state.setting(name, min(MOST_K, max(2, state.session().k))), key=state.kept(name),
            help="At least so many must share every combination of these columns. Begins with that of the Risk page.",
        )  # fmt: skip
        name = f"generalize-shield-{number}-{hash(tuple(data.columns))}"
        attributes = shared.multiselect(
            f"{which}columns that someone may know" if which else "Columns that someone may know", known,
            state.setting(name, data.quasi_identifiers if place == 1 else [], known), format_func=printable,
            key=state.kept(name),
            placeholder="Choose columns",
        )  # fmt: skip
        with rest:
            if place == 1:
                st.button(
                    "Add another", on_click=guard.action(add_requirement), icon=":material/add:", width="stretch",
                    help="Another k, of columns of its own. All must hold; one without columns does not count.",
                )  # fmt: skip
            else:
                st.button(
                    "Remove", key=f"generalize-remove-{number}", on_click=guard.action(remove_requirement),
                    args=(number,), icon=":material/close:", width="stretch", help=f"Remove requirement {place}",
                )  # fmt: skip
        if attributes:
            asked.append(Requirement(tuple(attributes), int(k)))
    if not asked:
        raise InputError("No requirement names a column. Choose at least one column that someone may know.")
    return tuple(asked)


# ---- the row of controls ------------------------------------------------------------------------------------------


def ask(data: Dataset) -> tuple[Question, Way]:
    """All controls: requirements, then method, objective, suppression, weights and the rarer ones under “More”."""
    requirements = ask_requirements(data)
    shield = list(dict.fromkeys(name for requirement in requirements for name in requirement.attributes))
    apart = {data.person_id, data.weight}
    ways = chosen(data, [name for name in shield if name not in apart])
    way, keep, leave, matter, more = page.beside(4, 4, 4, 3, 2, gap="small", align="bottom")
    with way:
        ways_offered = list(WAYS)
        method: Way = st.selectbox(
            "Method", ways_offered, ways_offered.index(state.setting(METHOD, BETTER)), format_func=WAYS.__getitem__,
            key=state.kept(METHOD), help=METHOD_HELP,
        )  # fmt: skip
    with keep:
        local, objectives = method == "mondrian", list(OBJECTIVES)
        objective: Objective = st.selectbox(
            "Keep most", objectives, objectives.index(state.setting("generalize-objective", objectives[0])),
            format_func=OBJECTIVES.__getitem__, key=state.kept("generalize-objective"), disabled=local,
            help="Part by part takes no objective." if local else OBJECTIVE_HELP,
        )  # fmt: skip
    with leave:
        limit = st.slider(
            "May be left out", 0.0, MOST_LEFT_OUT, state.setting("generalize-limit", USUALLY_LEFT_OUT), 0.5, "%g%%",
            key=state.kept("generalize-limit"),
            help="So many of the records may be left out instead of making all others coarser.",
        )  # fmt: skip
    with matter, st.popover("Weights", width="stretch"):
        weights = _ask_weights(list(ways), local or objective in WEIGHED)
    with more, st.popover("More", width="stretch"):
        rules = _ask_rules(data, shield)
        others = [name for name in data.columns if name not in shield and name not in data.identifiers]
        named = [rule.attribute for rule in rules]
        offered = [name for name in others if name not in apart and name not in named]
        setting = f"generalize-rows-{hash((tuple(others), tuple(named)))}"
        usual = [name for name in data.sensitive if name in others and name not in named]
        counted = st.multiselect(
            "Other columns that make a row", offered, state.setting(setting, usual, offered), format_func=printable,
            key=state.kept(setting),
            help="Distinct rows are counted over the columns above and these.",
        )  # fmt: skip
    columns = [name for name in data.columns if name in {*shield, *counted, *named}]
    question = Question(requirements, rules, tuple(ways.items()), tuple(columns), objective, limit / 100, weights)
    return question, method


def choose_method(method: Method) -> None:
    """Choose a method otherwise than by its control."""
    st.session_state[state.kept(METHOD)] = method


def _ask_weights(names: list[str], are_used: bool) -> tuple[tuple[str, float], ...]:
    """How much each column matters; none where all matter alike."""
    why = "" if are_used else "What is kept most is counted over whole records: no column counts more than another."
    st.markdown(why or WEIGHTS_HELP)
    weights = {}
    for name, column in zip(names, cycle(st.columns(2)), strict=False):
        setting = f"generalize-weight-{name}"
        weights[name] = column.slider(
            plain(name, 40), 0, int(MOST_WEIGHT),
            state.setting(setting, 1), key=state.kept(setting), disabled=bool(why),
        )  # fmt: skip
    if why or (len(set(weights.values())) < 2 and any(weights.values())):
        return ()
    return tuple((name, float(weight)) for name, weight in weights.items() if weight != 1)


def _ask_rules(data: Dataset, shield: list[str]) -> tuple[LDiversity | TCloseness, ...]:
    """l-diversity and t-closeness of a sensitive column, both off at first."""
    candidates = [name for name in data.sensitive if name not in shield]
    why = "" if candidates else "No sensitive column is outside the requirements."
    rules: list[LDiversity | TCloseness] = []
    setting = f"generalize-sensitive-{hash(tuple(candidates))}"
    now = candidates.index(state.setting(setting, candidates[0])) if candidates else 0
    sensitive = st.selectbox(
        "Sensitive column", candidates, now, format_func=printable, disabled=bool(why),
        help=why or "For the rules below.", key=state.kept(setting), placeholder="none",
    )  # fmt: skip
    kind = st.segmented_control(
        "l-diversity", ["off", "distinct", "entropy"], default=state.setting("generalize-l-kind", "off"), required=True,
        disabled=bool(why), key=state.kept("generalize-l-kind"),
        help=why or "Every group must hold at least l sensitive values (Machanavajjhala et al. 2007).",
    )  # fmt: skip
    if kind != "off" and not why:
        l_wanted = st.number_input("l", 2, 50, state.setting("generalize-l", 2), key=state.kept("generalize-l"))
        rules.append(LDiversity(sensitive, int(l_wanted), "distinct" if kind == "distinct" else "entropy"))
    distance = st.segmented_control(
        "t-closeness", ["off", "equal", "ordered"], default=state.setting("generalize-t-kind", "off"), required=True,
        disabled=bool(why), key=state.kept("generalize-t-kind"),
        help=why or "No group’s values may be further than t from the whole file’s (Li et al. 2007): all values "
        "equally far apart, or in their order.",
    )  # fmt: skip
    if distance != "off" and not why:
        t = st.slider("t", 0.0, 1.0, state.setting("generalize-t", 0.3), 0.05, key=state.kept("generalize-t"))
        rules.append(TCloseness(sensitive, t, "equal" if distance == "equal" else "ordered"))
    return tuple(rules)

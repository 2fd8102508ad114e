"""The Individuals page's controls: columns, measure, attacker, thresholds, and the column in words."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import partial

import streamlit as st

from anonlib.analyses.individuals import BELOW_ONE, Measure
from anonlib.analyses.individuals.measures import MOST_SETS
from anonlib.counting.classes.subsets import n_subsets
from anonlib.dataset import Dataset
from pages.measure.individuals import results
from pages.measure.individuals.question import MEANS, NAMES, PLAIN, IndividualsQuestion, Knowledge, is_numeric
from pages.measure.individuals.results import IndividualsAnswer
from ui.kit import criterion_pages, glossary, page, shared_controls
from ui.kit.columns import default_columns, say_how_many
from ui.kit.criterion_pages import ANY_KNOWN as ANY
from ui.kit.criterion_pages import INDIVIDUALS_KNOWN
from ui.server.private import DeltaGenerator
from ui.session import keep
from ui.session.names import titled
from ui.text import plain, printable

_BEGUN = "individuals-begun"  # the setting that is what the attacker knew at first
_AT_MOST = {"ppp": "of the peers have another one", "poac": "of the other values come into question"}


def ask(
    data: Dataset, has_recipe: bool, at_once: Callable[[IndividualsQuestion], int]
) -> tuple[IndividualsQuestion, shared_controls.Version]:
    """The controls in one row, the rarer ones under “More”; and which file is looked at.

    ``at_once`` says how many known columns can be looked at without waiting.
    """
    two_sliders = keep.value("individuals-measure", "ppp") == "poac"
    places = page.beside(5, 5 if two_sliders else 3, 4, 6, 2, gap="small", align="bottom")
    measure_place, threshold_place, attacker_place, version_place, more = places
    why_not = "There is no recipe yet: add steps here or on the Release page."
    looked = shared_controls.look_at("individuals", has_recipe, why_not=why_not, place=version_place, elsewhere=True)
    with more, st.popover("More"):
        variables = _variables(data)
        include_empty = keep.toggle(
            "individuals-empty", "An attacker may know nothing",
            help=glossary.linked(
                "Also counts those whose value is certain by the column’s own distribution, without any knowledge. "
                "Definition 3 read literally includes it; the authors leave it out.",
                "certain",
            ),
        )  # fmt: skip
        missing_is_harm = keep.toggle(
            "individuals-missing", "A missing value is a fact too",
            help=glossary.linked(
                "Also counts those who are certain to have no value. Without it a missing value is no harm to those "
                "who lack it; as peers they have another value than those who have one.",
                "peers", "certain",
            ),
        )  # fmt: skip
        within = _within(data, variables)
    measure: Measure = keep.segments(
        "individuals-measure", "Measure", list(NAMES), place=measure_place, format_func=PLAIN.__getitem__,
        help=glossary.linked(
            "  \n".join(f"**{PLAIN[key]}** ({NAMES[key]}): {MEANS[key]}" for key in NAMES), "PPP", "certain"
        ),
    )  # fmt: skip
    others = len(variables) - 1
    near = () if measure == "poac" else within  # it compares exact values
    begin = IndividualsQuestion(tuple(variables), measure, 0.0, 0.0, "all", 0.0, near, include_empty, missing_is_harm)
    with_chance = looked != shared_controls.ELSEWHERE
    attacker = _attacker(others, at_once(begin) if others > 0 else 0, attacker_place, with_chance)
    with threshold_place:
        threshold, q_share, chance = _thresholds(measure, attacker)
    say_how_many(len(variables), len(data.quasi_identifiers) + len(data.sensitive))
    criterion_pages.say_whose(attacker if isinstance(attacker, int) else None, others)
    return replace(begin, threshold=threshold, q_share=q_share, attacker=attacker, chance=chance), looked


def _variables(data: Dataset) -> list[str]:
    options = [*data.quasi_identifiers, *data.sensitive]
    chosen = keep.several(
        keep.per("individuals-variables", options), "Columns: each is inferred in turn from the others", options,
        default_columns(data), format_func=titled,
        help=glossary.linked(
            "Quasi-identifiers and sensitive columns. The more columns, the more sets an attacker may know.",
            "sensitive", "quasi-identifier",
        ),
    )  # fmt: skip
    return [column for column in data.columns if column in chosen]


def _attacker(others: int, at_once: int, place: DeltaGenerator, with_chance: bool) -> Knowledge:
    possible = [known for known in range(others, 0, -1) if n_subsets(others, known) <= MOST_SETS]
    options: list[Knowledge] = [*possible, "all", *(("chance",) if with_chance and others in possible else ())]

    def label(option: Knowledge) -> str:
        if option == "all":
            return "all other columns at once"
        if option == "chance":
            return "each with a probability"
        text = (
            "any of the others"
            if option == others
            else f"any {option} of the others"
            if option > 1
            else "any one other"
        )
        return text if option <= at_once else f"{text} (longer)"

    # What the officer set is kept apart from the control, whose options change with the columns: the attacker stays
    # as set when a column is taken away. Begun with is the paper's, who may know any set, or as many columns as can be
    # looked at without waiting; as many stay when there are fewer columns, so that more could be.
    at_most = min(others, max(1, at_once))
    keep.begin(_BEGUN, ANY if at_most >= others else at_most)
    begun = keep.value(_BEGUN, ANY)
    begin = at_most if begun == ANY else min(at_most, begun)
    wanted = keep.value(INDIVIDUALS_KNOWN, ANY if begin >= others else begin)
    # Any of the others, or more of them than there are.
    now: Knowledge = wanted if wanted in options else possible[0] if possible else "all"
    return keep.select(
        "individuals-attacker-shown", "The attacker knows", options, now, take=partial(_take_attacker, others),
        place=place, format_func=label,
        help="Any: the least privacy over every set of so many columns or fewer. All: the value when everything else "
        "is known. With a probability: how likely what is known is enough.",
    )  # fmt: skip


def _take_attacker(others: int, chosen: Knowledge) -> None:
    keep.put(INDIVIDUALS_KNOWN, ANY if chosen == others else chosen)


def _thresholds(measure: Measure, attacker: Knowledge) -> tuple[float, float, float]:
    """The threshold, p of q, and the probability of knowing a column; sliders in one place."""
    q_share, chance = 0.0, 0.5
    second = measure == "poac" or attacker == "chance"
    first, *rest = st.columns(1 + (measure == "poac") + (attacker == "chance")) if second else [st.container()]
    if measure == "npp":
        threshold = float(
            keep.slider("individuals-npp", "Red up to", 0, 50, 0, place=first,
                        help=glossary.linked(
                            "The threshold: a value counts as certain where at most so many peers have another one "
                            "(NPP).",
                            "NPP", "peers", "certain",
                        ))
        )  # fmt: skip
    else:
        threshold = (
            keep.slider(f"individuals-{measure}", "Red up to", 0, 95, 0, 1, "%d%%", place=first,
                        disabled=measure == "poac" and keep.value("individuals-downward", False),
                        help=glossary.linked(
                            f"The threshold: a value counts as certain where at most so many {_AT_MOST[measure]} "
                            f"({NAMES[measure]}).",
                            "certain", "threshold",
                        ))
            / 100
        )  # fmt: skip
    if measure == "poac":
        if keep.toggle(
            "individuals-downward", "Below 100%",
            help=glossary.linked(
                "Red is who has no q-downward privacy (Kroes et al. 2021, Definition 4): some other value does not "
                "come into question, so that it can be ruled out. In place of the threshold above.",
                "threshold", "downward privacy",
            ),
        ):  # fmt: skip
            threshold = BELOW_ONE
        q_share = (
            keep.slider("individuals-q", "Possible above", 0, 95, 0, 1, "%d%%", place=rest[0],
                        help=glossary.linked(
                            "How many of the peers must have the other values for these to come into question: this "
                            "share (p), divided evenly among the column’s other values. Each comes into question when "
                            "more than its part (q) of the peers have it, which is fair to columns of few and of many "
                            "values. At 0% one peer is enough.",
                            "peers",
                        ))
            / 100
        )  # fmt: skip
    if attacker == "chance":
        chance = (
            keep.slider("individuals-chance", "Known with", 0, 100, 50, 5, "%d%%", place=rest[-1],
                        help="The probability that the attacker knows a column, independently of the others.")
            / 100
        )  # fmt: skip
    return threshold, q_share, chance


def _within(data: Dataset, variables: list[str]) -> tuple[tuple[str, float], ...]:
    numeric = [name for name in variables if is_numeric(data, name)]
    if not numeric:
        return ()
    near = keep.several(
        "individuals-near", "Numbers that count as equal when near", numeric, format_func=titled,
        help=glossary.linked(
            "Known only nearly, where the column is known; guessed well enough, where it is the sensitive one. "
            f"For {PLAIN['ppp']} and {PLAIN['npp']}; {PLAIN['poac']} compares exact values.",
            "PPP", "sensitive",
        ),
    )  # fmt: skip
    return tuple((name, _distance(name)) for name in near)


def _distance(name: str) -> float:
    label = f"{plain(printable(name), 40)} within ±"
    return float(keep.number(f"individuals-near-of-{name}", label, 0.0, None, 1.0, format="%g"))


def ask_focus(data: Dataset, answer: IndividualsAnswer) -> str:
    """The column that the words and the views below are of."""
    return keep.select(
        keep.per("individuals-focus", sorted(answer.variables)), "Sensitive column", list(answer.variables),
        results.most_certain(data, answer), format_func=titled,
        help=glossary.linked(
            "The column whose values are to be protected, in the words here and in the views below.",
            "sensitive",
        ),
    )  # fmt: skip

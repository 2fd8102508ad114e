"""What the officer asks on the Regions page, and the controls that ask it."""

from __future__ import annotations

from dataclasses import dataclass, replace

import streamlit as st

from anonlib import words
from anonlib.dataset import Dataset
from anonlib.errors import InputError
from anonlib.regions import (
    GAPS,
    AreaClasses,
    Areas,
    Gaps,
    curve_numbers,
    gaps_cutoff,
    number_by_gaps,
    number_of_sites,
    regions_for_target,
    suppression_curve,
)
from anonlib.regions.exchange import BALANCE, COMPACTNESS
from anonlib.regions.target import Points, Target
from anonlib.release.regions import prepared_for_places
from pages.protect.regions import places
from ui import cache, outcome, page, state
from ui.asking import ask_k
from ui.text import printable

WAYS = {
    "target": "At most so many left out",
    "max_combinations": "Cutoff fitted to Canada, combinations",
    "entropy": "Cutoff fitted to Canada, entropy",
    "hand": "By hand",
}
WAYS_HELP = (
    "**At most so many left out**: as many regions as keep to a share you accept. **By hand**: any number. **Cutoff "
    "fitted to Canada** (dynamic GAPS, Croft et al. 2015): how many people a region needs, from how well the "
    "quasi-identifiers tell people apart: by the **combinations** of values there could be, which leaves out less, or "
    "by their **entropy**, which keeps places finer. It was fitted to censuses of everyone; its exponents are "
    "unconfirmed, and on a file of a few of the people it can leave out nearly all of them."
)
USUAL_SHARE = 5.0  # % of the records that may be left out, until the officer says another
PLACEMENTS = {"balanced": "Balanced", "clustering": "Clustered", "exchange": "Exchanged"}
PLACEMENTS_HELP = (
    "**Balanced**: regions of about the same population; their borders depend on where people live and on no record. "
    "**Clustered** (ADC): moves the sites towards records of the smallest classes; it can raise k where there are few "
    "classes, and does nothing where every region has a record that is alone. **Exchanged**: areas at a border change "
    "sides while that leaves out fewer records, and regions become more compact and even. The borders of the last two "
    "depend on the records."
)
OWN, USUAL = "Own model", GAPS["Western Canada"]
MODEL, FACTOR, EXPONENT = "regions-gaps", "regions-factor", "regions-exponent"  # names of settings


@dataclass(frozen=True)
class Asked:
    """One aggregation: of what, how many regions, how they are placed, and what is said about the number.

    ``left_out`` are the records that lack a quasi-identifier, where the Data page says to leave these out;
    ``prepared`` says what the recipe's other steps do to the columns, and ``gaps`` is the model of the cutoff.
    """

    counted: AreaClasses
    k: int
    number: int
    placement: str
    why: str
    compactness: float = COMPACTNESS
    balance: float = BALANCE
    target: Target | None = None
    share: float | None = None
    left_out: int = 0
    prepared: str = ""
    gaps: Gaps = USUAL

    @property
    def name(self) -> str:
        """What this configuration is called beside others."""
        name = f"{PLACEMENTS[self.placement]}, {words.count(self.number, 'regions')}"
        if self.placement == "exchange" and (self.compactness, self.balance) != (COMPACTNESS, BALANCE):
            name += f", compact {self.compactness:.0%}, even {self.balance:.0%}"
        return name + f", k = {self.k}"


def ask(data: Dataset, areas: Areas) -> Asked:
    """The controls: what is known and k, then how many regions and where. Raises InputError where that cannot be."""
    known, k, more = page.beside(9, 3, 2, gap="small", align="bottom")
    way, setting, placed = page.beside(1, 1, 1, align="bottom")
    with more:
        popover = st.popover("More", width="stretch")
    with popover:
        column = places.ask_column(areas, data)
    with known:
        names = _ask_known(data, column)
    with way:
        ways = list(WAYS)
        way_chosen = st.selectbox(
            "Number of regions", ways, ways.index(state.setting("regions-way", ways[0])), format_func=WAYS.__getitem__,
            key=state.kept("regions-way"), help=WAYS_HELP,
        )  # fmt: skip
    with placed:
        placement = st.segmented_control(
            "Placement", list(PLACEMENTS), format_func=PLACEMENTS.__getitem__, required=True,
            default=state.setting("regions-placement", "balanced"), key=state.kept("regions-placement"),
            help=PLACEMENTS_HELP,
        )  # fmt: skip
    with k:
        wanted = ask_k("regions", "The smallest class you accept, as on the Risk page.")
    counted, left_out, prepared = area_classes(data, areas, column, names)
    with setting:
        chosen = _ask_number(counted, way_chosen, wanted, popover)
    with popover:
        compactness, balance = _ask_weights(placement == "exchange")
    return Asked(
        counted, wanted, chosen.number, placement or "balanced", chosen.why, compactness, balance,
        chosen.target, chosen.share, left_out, prepared, chosen.gaps,
    )  # fmt: skip


def to_compare(asked: Asked) -> list[Asked]:
    """The number asked for, and those of both models of the cutoff, which the paper compares, with every placement."""
    numbers = [asked.number]
    for model in ("entropy", "max_combinations"):
        try:
            numbers.append(number_by_gaps(asked.counted, model, asked.gaps))
        except InputError:
            continue
    return [replace(asked, number=n, placement=placement) for n in dict.fromkeys(numbers) for placement in PLACEMENTS]


def take_number(asked: Asked, number: int) -> None:
    """Choose the number of regions by hand."""
    st.session_state[state.kept("regions-way")] = "hand"
    st.session_state[state.kept(f"regions-number-{asked.counted.areas.key[:12]}")] = number


def area_classes(data: Dataset, areas: Areas, column: str, names: list[str]) -> tuple[AreaClasses, int, str]:
    """The records by area and class, as the recipe's other steps leave them; how many lack a quasi-identifier; and
    what those steps do to the columns."""
    recipe = prepared_for_places(state.session().recipe, column)
    applied = outcome.applied_to(recipe, data)
    # Who lacks a quasi-identifier is left out by now, where that is the policy; what else is missing is a value.
    released = applied.released.with_missing("category")
    gone = [name for name in names if name not in released.columns]
    if gone and len(gone) == len(names):
        raise InputError("The recipe drops every column that is chosen beside the place. Choose another.")
    left = tuple(name for name in names if name not in gone)
    counted = cache.remember(_counted, areas, released, column=column, names=left)
    return counted, applied.left_out, _as_released([name for name in left if name in recipe.recoded], gone)


def _as_released(recoded: list[str], gone: list[str]) -> str:
    """What the recipe does to the columns, as Markdown."""
    parts = [f"{page.listed(recoded)} recoded"] * bool(recoded) + [f"{page.listed(gone)} dropped"] * bool(gone)
    return f"Counted as the recipe releases the columns: {', '.join(parts)}." if parts else ""


def _counted(areas: Areas, data: Dataset, *, column: str, names: tuple[str, ...]) -> AreaClasses:
    return AreaClasses.from_records(areas, data, column, list(names))


def _ask_known(data: Dataset, column: str) -> list[str]:
    offered = [name for name in data.columns if name not in (column, data.person_id, data.weight, *data.identifiers)]
    name = f"regions-known-{hash((column, *data.quasi_identifiers))}"
    usual = [name for name in data.quasi_identifiers if name != column]
    return st.multiselect(
        "Known beside the place", offered, state.setting(name, usual, offered), format_func=printable,
        key=state.kept(name),
        help="The quasi-identifiers an attacker knows beside where someone lives. Few, coarse columns need small "
        "regions only.",
    )  # fmt: skip


@dataclass(frozen=True)
class _Number:
    """How many regions, and why, in words; with the target or the model that it comes from."""

    number: int
    why: str
    target: Target | None = None
    share: float | None = None
    gaps: Gaps = USUAL


def _ask_number(counted: AreaClasses, way: str, k: int, popover) -> _Number:
    n, total = counted.n_areas, int(counted.population.sum())
    people = "people" if counted.areas.population is not None else counted.unit
    if way == "hand":
        name = f"regions-number-{counted.areas.key[:12]}"
        number = st.slider(
            "Regions", 1, n, state.setting(name, target_of(counted, k, USUAL_SHARE).asked), key=state.kept(name),
            help="From one region for everything to one for each area.",
        )  # fmt: skip
        return _Number(number, f"{total / number:,.0f} {people} a region on average.", gaps=_chosen_model())
    if way == "target":
        share = st.slider(
            f"Left out, in % of the {counted.unit}", 0.0, 50.0, state.setting("regions-target", USUAL_SHARE), 0.5,
            "%.3g%%", key=state.kept("regions-target"),
            help=f"The most {counted.unit} that may be in classes below k, and so be left out.",
        )  # fmt: skip
        target = target_of(counted, k, share)
        return _Number(target.asked, _why_target(target), target, share / 100, _chosen_model())
    models = [*GAPS, OWN]
    fitted = st.selectbox(
        "Cutoff fitted in", models, models.index(state.setting(MODEL, models[0])), key=state.kept(MODEL),
        help="The models were fitted to the censuses of three parts of Canada. Their exponents are lost in the paper’s "
        "text and unconfirmed: with an own model you set both numbers under More.",
    )  # fmt: skip
    gaps = _ask_own_model(popover) if fitted == OWN else GAPS[fitted]
    cutoff = gaps_cutoff(counted.classes, way, gaps)  # type: ignore[arg-type]
    number = number_of_sites(total, cutoff, n)
    rounded = "rounded"
    if abs(total / cutoff - number) > 0.5:
        rounded = f"and there are {n:,} areas" if total > cutoff else "and 1 is the least"
    why = (
        f"The cutoff is {cutoff:,.0f} {people} a region: {total:,} / {cutoff:,.0f} = {total / cutoff:,.1f}, {rounded}."
    )
    return _Number(number, why, gaps=gaps)


def _why_target(target: Target) -> str:
    allowed = f"{100 * target.share:.3g}%"
    if target.is_kept:
        return f"The most regions found, placed balanced, that leave out at most {allowed}."
    return (
        f"At most {allowed} cannot be kept to: even one region for all areas leaves out "
        f"{words.percent(target.measures.suppression)}, which is the least. Allow more, lower k or coarsen columns."
    )


def _chosen_model() -> Gaps:
    """The model of the cutoff that was chosen last, while another way is looked at."""
    chosen = state.setting(MODEL, "")
    if chosen == OWN:
        return Gaps(float(state.setting(FACTOR, float(USUAL.factor))), float(state.setting(EXPONENT, USUAL.exponent)))
    return GAPS.get(chosen, USUAL)


def _ask_own_model(popover) -> Gaps:
    with popover:
        factor = st.number_input(
            "Factor, in people", 1.0, 1e6, state.setting(FACTOR, float(USUAL.factor)), 10.0, key=state.kept(FACTOR),
            help="The cutoff is factor × measure ^ exponent; the measure is the entropy in bits or the combinations.",
        )  # fmt: skip
        exponent = st.number_input(
            "Exponent", 0.0, 3.0, state.setting(EXPONENT, USUAL.exponent), 0.01, key=state.kept(EXPONENT)
        )
    return Gaps(float(factor), float(exponent))


def _ask_weights(used: bool) -> tuple[float, float]:
    """The exchange's two promises."""
    why_not = "" if used else " Used when the placement is Exchanged."
    compactness = st.slider(
        "Exchange: more compact by, in %", 0, 30, state.setting("regions-compactness", round(100 * COMPACTNESS)),
        key=state.kept("regions-compactness"), disabled=not used,
        help="How much shorter the distances to the sites must become than those of the balanced regions." + why_not,
    )  # fmt: skip
    balance = st.slider(
        "Exchange: evenness, in %", 0, 100, state.setting("regions-balance", round(100 * BALANCE)),
        key=state.kept("regions-balance"), disabled=not used,
        help="How far towards regions of equally many records: 10 puts few left out first, 70 evenness." + why_not,
    )  # fmt: skip
    return compactness / 100, balance / 100


def curve(counted: AreaClasses, *, k: int) -> Points:
    """What numbers of regions over the whole range leave out, placed balanced."""
    return suppression_curve(counted, k, curve_numbers(counted.n_areas))


def target_of(counted: AreaClasses, k: int, percent: float) -> Target:
    """The most regions found that leave out at most so many percent."""
    return cache.remember(_target, counted, k=k, percent=percent)


def _target(counted: AreaClasses, *, k: int, percent: float) -> Target:
    """Looked for among what was tried for the usual share, so that another one is found at once."""
    tried = () if percent == USUAL_SHARE else target_of(counted, k, USUAL_SHARE).points
    return regions_for_target(counted, k, percent / 100, curve=tried)

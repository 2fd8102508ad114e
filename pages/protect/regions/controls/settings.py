"""The Regions page's controls: what is known beside the place, k, how many regions and how they are placed."""

from __future__ import annotations

from typing import Any

import streamlit as st

from anonlib.analyses.regions import GAPS, AreaClasses, Areas, Gaps, gaps_cutoff, number_of_sites
from anonlib.analyses.regions.exchange import BALANCE, COMPACTNESS
from anonlib.basics.errors import InputError
from anonlib.dataset import Dataset
from pages.protect.regions.controls.area_file import ask_column
from pages.protect.regions.controls.given import ask_given
from pages.protect.regions.question import (
    PLACEMENTS,
    USUAL,
    USUAL_SHARE,
    Number,
    RegionsQuestion,
    count,
    target_of,
    why_target,
)
from ui.kit import glossary, page
from ui.kit.shared_controls import ask_k
from ui.session import keep
from ui.session.names import titled
from ui.text import plain

WAYS = {
    "target": "At most so many left out",
    "max_combinations": "Cutoff fitted to Canada, combinations",
    "entropy": "Cutoff fitted to Canada, entropy",
    "hand": "By hand",
}
WAYS_HELP = (
    "**At most so many left out**: as many regions as keep to a share you accept, as placed. **By hand**: any "
    "number. **Cutoff fitted to Canada** (dynamic GAPS, Croft et al. 2015): how many people a region needs, from how "
    "well the quasi-identifiers tell people apart: by the **combinations** of values there could be, which leaves out "
    "less, or by their **entropy**, which keeps places finer. It was fitted to censuses of everyone; its exponents are "
    "unconfirmed, and on a file of a few of the people it can leave out nearly all of them."
)
PLACEMENTS_HELP = (
    "**Balanced**: regions of about the same population; their borders depend on where people live and on no record. "
    "**Clustered** (ADC): moves the sites towards records of the smallest classes; it can raise k where there are few "
    "classes, and does nothing where every region has a record that is alone. **Exchanged**: areas at a border change "
    "sides while that leaves out fewer records, and regions become more compact and even. The borders of these two "
    "depend on the records. **Given**: what is usual, to compare with or to release: codes cropped, a column such as "
    "the municipality, and a fixed population cutoff."
)
OWN = "Own model"
WAY, MODEL, FACTOR, EXPONENT = "regions-way", "regions-gaps", "regions-factor", "regions-exponent"  # settings


def ask(data: Dataset, areas: Areas) -> RegionsQuestion | None:
    """The controls; None after the sentence why it cannot be counted: the settings can be mended."""
    try:
        return _ask(data, areas)
    except InputError as error:
        st.error(plain(str(error)), icon=":material/error:")
        return None


def _ask(data: Dataset, areas: Areas) -> RegionsQuestion:
    known, k_place, more = page.beside(9, 3, 2, gap="small", align="bottom")
    way_place, setting, placed = page.beside(3, 3, 4, align="bottom")
    popover = more.popover("More", width="stretch")
    column = ask_column(areas, data, popover)
    names = _ask_known(data, column, known)
    placement = keep.segments(
        "regions-placement", "Placement", list(PLACEMENTS), place=placed, format_func=PLACEMENTS.__getitem__,
        help=glossary.linked(PLACEMENTS_HELP, "region", "smallest class"),
    )  # fmt: skip
    k = ask_k(
        "regions",
        glossary.linked("The smallest class you accept, as on the Risk page.", "smallest class"),
        place=k_place,
    )
    counted = count(data, areas, column, names)
    if placement == "given":
        given = ask_given(data, counted.classes, way_place, setting)
        number = Number(given.regions(counted.classes, k).n_regions, "", gaps=_model())
        return RegionsQuestion(counted, k, number, placement, *_ask_weights(False, popover), given)
    way = keep.select(
        WAY, "Number of regions", list(WAYS), place=way_place, format_func=WAYS.__getitem__,
        help=glossary.linked(WAYS_HELP, "region", "left out", "quasi-identifier"),
    )  # fmt: skip
    number = _ask_number(counted.classes, way, k, setting, popover)
    return RegionsQuestion(counted, k, number, placement, *_ask_weights(placement == "exchange", popover))


def _ask_known(data: Dataset, column: str, place: Any) -> list[str]:
    offered = [name for name in data.columns if name not in (column, data.person_id, data.weight, *data.identifiers)]
    usual = [name for name in data.quasi_identifiers if name != column]
    return keep.several(
        keep.per("regions-known", column, data.quasi_identifiers), "Known beside the place", offered, usual,
        place=place, format_func=titled,
        help=glossary.linked(
            "The quasi-identifiers an attacker knows beside where someone lives. Few, coarse columns need small "
            "regions only.",
            "quasi-identifier",
        ),
    )  # fmt: skip


def _ask_weights(used: bool, place: Any) -> tuple[float, float]:
    """The exchange's two promises."""
    why_not = "" if used else " Used when the placement is Exchanged."
    compactness = keep.slider(
        "regions-compactness", "Exchange: more compact by, in %", 0, 30, round(100 * COMPACTNESS), place=place,
        disabled=not used,
        help="How much shorter the distances to the sites must become than those of the balanced regions." + why_not,
    )  # fmt: skip
    balance = keep.slider(
        "regions-balance", "Exchange: evenness, in %", 0, 100, round(100 * BALANCE), place=place, disabled=not used,
        help=glossary.linked(
            f"How far towards regions of equally many records: 10 puts few left out first, 70 evenness.{why_not}",
            "left out",
        ),
    )  # fmt: skip
    return compactness / 100, balance / 100


# ---- how many regions -----------------------------------------------------------------------------------------------


def take_number(question: RegionsQuestion, sites: int) -> None:
    """Choose the number of regions by hand."""
    keep.put(WAY, "hand")
    keep.put(_by_hand(question.classes), sites)


def _by_hand(classes: AreaClasses) -> str:
    return keep.per("regions-number", classes.areas.key)


def _ask_number(classes: AreaClasses, way: str, k: int, place: Any, popover: Any) -> Number:
    n, total = classes.n_areas, int(classes.population.sum())
    people = "people" if classes.areas.population is not None else classes.unit
    if way == "hand":
        keep.begin(_by_hand(classes), target_of(classes, k, USUAL_SHARE / 100).asked)
        sites = keep.slider(
            _by_hand(classes), "Regions", 1, n, 1, place=place,
            help=glossary.linked("From one region for everything to one for each area.", "area"),
        )  # fmt: skip
        return Number(sites, f"{total / sites:,.0f} {people} a region on average.", gaps=_model())
    if way == "target":
        share = keep.slider(
            "regions-target", f"Left out, in % of the {classes.unit}", 0.0, 50.0, USUAL_SHARE, 0.5, "%.3g%%",
            place=place, help=glossary.linked(
                f"The most {classes.unit} that may be in classes below k, and so be left out.",
                "left out", "below k",
            ),
        ) / 100  # fmt: skip
        target = target_of(classes, k, share)
        return Number(target.asked, why_target(target, "balanced"), target, share, _model())
    fitted = keep.select(
        MODEL, "Cutoff fitted in", [*GAPS, OWN], place=place,
        help="The models were fitted to the censuses of three parts of Canada. Their exponents are lost in the paper’s "
        "text and unconfirmed: with an own model you set both numbers under More.",
    )  # fmt: skip
    gaps = _ask_own_model(popover) if fitted == OWN else GAPS[fitted]
    cutoff = gaps_cutoff(classes.classes, way, gaps)  # type: ignore[arg-type]  # the other ways returned above
    sites = number_of_sites(total, cutoff, n)
    rounded = "rounded"
    if abs(total / cutoff - sites) > 0.5:
        rounded = f"and there are {n:,} areas" if total > cutoff else "and 1 is the least"
    return Number(
        sites,
        f"The cutoff is {cutoff:,.0f} {people} a region: {total:,} / {cutoff:,.0f} = {total / cutoff:,.1f}, {rounded}.",
        gaps=gaps,
    )


def _model() -> Gaps:
    """The model of the cutoff that was chosen last, while another way is looked at."""
    chosen = keep.value(MODEL, "")
    if chosen == OWN:
        return Gaps(keep.value(FACTOR, float(USUAL.factor)), keep.value(EXPONENT, USUAL.exponent))
    return GAPS.get(chosen, USUAL)


def _ask_own_model(place: Any) -> Gaps:
    factor = keep.number(
        FACTOR, "Factor, in people", 1.0, 1e6, float(USUAL.factor), 10.0, place=place,
        help="The cutoff is factor × measure ^ exponent; the measure is the entropy in bits or the combinations.",
    )  # fmt: skip
    return Gaps(factor, keep.number(EXPONENT, "Exponent", 0.0, 3.0, USUAL.exponent, 0.01, place=place))

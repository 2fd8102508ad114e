"""The tabs under the picture: the policy, two side by side, the searches, the population, the orders, the policies."""

from __future__ import annotations

from collections.abc import Iterable
from functools import partial
from typing import Literal

import numpy as np
import pandas as pd
import streamlit as st

from anonlib import words
from anonlib.frontier import Frontier
from anonlib.plots import frontier as plots
from anonlib.release.export import table_csv
from pages.protect.frontier import policy as policies
from pages.protect.frontier import results
from pages.protect.frontier.settings import COUNT, Asked
from ui import guard, page, population, state
from ui.text import plain, printable

CHOSEN, SAFE_HARBOR, AS_IT_IS, ASIDE = "Chosen", "Safe Harbor", "As it is", "Set aside"
MOST_ROWS = 2_000
SOME_VALUES = 5


# ---- one policy, and two ------------------------------------------------------------------------------------------


def show_policy(asked: Asked, policy: np.ndarray) -> None:
    """What each column becomes, drawn and in the paper's notation."""
    _show_intervals(asked, {CHOSEN: policy}, "frontier-policy")
    st.subheader("Some combinations of values", anchor=False)
    page.table(policies.examples(asked, policy), "Combinations of values from common to rare, and what they become")
    page.counts("From the commonest combination of values in the file to the rarest, and what each is released as.")


def to_compare(asked: Asked) -> dict[str, np.ndarray]:
    """The policies that the chosen one can be compared with, by name."""
    offered = {}
    if (aside := state.session().policies.get(f"aside-{asked.space.key}")) is not None:
        offered[ASIDE] = aside
    if asked.safe_harbor is not None:
        offered[SAFE_HARBOR] = asked.safe_harbor
    return offered | {AS_IT_IS: asked.space.bottom}


def compared(asked: Asked) -> np.ndarray:
    """The one of them that was chosen last."""
    offered = to_compare(asked)
    return offered[state.setting(_other(offered), next(iter(offered)))]


def _other(offered: Iterable[str]) -> str:
    return f"frontier-other-{'-'.join(offered)}"


def show_comparison(asked: Asked, policy: np.ndarray) -> None:
    """Two policies side by side."""
    offered = to_compare(asked)
    picked, button, _ = st.columns([2, 1.4, 3], vertical_alignment="bottom")
    setting, names = _other(offered), list(offered)
    name = picked.selectbox(
        "Compare the chosen policy with", names, names.index(state.setting(setting, names[0])), key=state.kept(setting)
    )
    button.button(
        "Set it aside", on_click=guard.action(_set_aside), args=(asked, policy), icon=":material/push_pin:",
        help="The chosen policy; then choose another, and compare the two here.",
    )  # fmt: skip
    both = {CHOSEN: policy, name: offered[name]}
    page.table(_figures(asked, both), "The figures of both policies")
    _show_intervals(asked, both, "frontier-two-policies")


def _set_aside(asked: Asked, policy: np.ndarray) -> None:
    state.session().policies[f"aside-{asked.space.key}"] = policy


def _figures(asked: Asked, both: dict[str, np.ndarray]) -> pd.DataFrame:
    rows = []
    for name, policy in both.items():
        found = policies.summary_of(asked, policy)
        row = {
            "policy": name,
            "risk": words.percent(found.risk),
            "loss": words.percent(found.loss),
            "k": found.k,
            "groups": found.groups,
            "fewest people": found.least_people,
        }
        rows.append(row | {f"intervals of {printable(column)}": n for column, n in found.intervals.items()})
    frame = pd.DataFrame(rows)
    return frame if asked.matched is not None else frame.drop(columns="fewest people")


def _show_intervals(asked: Asked, shown: dict[str, np.ndarray], key: str) -> None:
    said = policies.notation(asked, shown)
    page.figure(
        plots.intervals(asked.space, list(shown.items()), unit=asked.unit, dark=page.dark()),
        "Bars of the ordered values of each column, cut into intervals. "
        + "; ".join(
            f"{column}, {name}: {words.count(n, 'intervals')}"
            for column, name, n in zip(said["column"], said["policy"], said["intervals"], strict=True)
        )
        + ".",
        key,
    )  # fmt: skip
    page.counts(
        f"Each bar is a column’s values in their order, as wide as they have {asked.unit}; a box is one interval. "
        "Widths and colours say nothing of risk. Values that no record has are not drawn."
    )
    page.table(said, "Intervals of each column", height=page.table_height(len(said), 300))
    page.counts("The notation of Xia et al. 2013, Figure 9: [first-last] of each interval.")


# ---- the searches -------------------------------------------------------------------------------------------------


def show_searches(asked: Asked, frontiers: list[Frontier]) -> None:
    """The searches side by side: area, policies, what dominates Safe Harbor."""
    rows = []
    point = None if asked.safe_harbor is None else results.point(asked, asked.safe_harbor.tobytes())
    for found in frontiers:
        row = {
            "search": results.METHODS[found.method],
            "area under the stair": f"{found.area():.4f}",
            "policies": len(found),
            "points": found.n_points,
            "looked at": found.evaluations,
            "seconds": round(found.seconds, 1),
        }
        if point is not None:
            row["better than Safe Harbor"] = len(found.dominating_point(*point))
        rows.append(row)
    page.table(pd.DataFrame(rows), "The searches run so far on these data")
    if max(len(found.history) for found in frontiers) > 1:
        _show_progress(frontiers)
    page.counts(
        "Area under the stair: 1 at worst, less is better; it says how close the frontier is to no risk and no loss. "
        "“Looked at” counts policies; a sublattice that is passed over counts two (Xia et al. 2013, Algorithm 2). "
        "Choose another search above to add it here and to the picture."
    )
    reasons = {name: results.why_not(asked, key) for key, name in results.METHODS.items()}
    missing = [f"**{name}**: {plain(why)}" for name, why in reasons.items() if why]
    if missing:
        st.caption("Not offered here. " + " ".join(missing))


def _show_progress(frontiers: list[Frontier]) -> None:
    """The area under the stair as each search went on."""
    against: Literal["seconds", "policies looked at"] = st.segmented_control(
        "Against", ["seconds", "policies looked at"], required=True, key=state.kept("frontier-against"),
        default=state.setting("frontier-against", "seconds"), label_visibility="collapsed",
    )  # fmt: skip
    areas = {
        found.method: [(seconds if against == "seconds" else looked, area) for looked, seconds, area in found.history]
        for found in frontiers
    }
    page.figure(
        plots.progress(areas, against=against, log=True, dark=page.dark()),
        f"Lines of the area under the stair against {against}. "
        + "; ".join(f"{results.METHODS[method]}: {points[-1][1]:.4f} at last" for method, points in areas.items())
        + ".",
        "frontier-progress",
    )  # fmt: skip
    page.counts("As Xia et al. 2013, Figure 5; less is better. Time that a search stood still does not count.")


# ---- the population -----------------------------------------------------------------------------------------------


def show_population(asked: Asked | None) -> None:
    """The table that is loaded, how the records fit it, and where to load another."""
    left, right = st.columns([1, 1.4], gap="large")
    with left:
        population.show()
    with right:
        if asked is None:
            st.markdown("How the records fit it is told here once the settings above can be counted.")
        elif asked.matched is None:
            st.markdown(
                "Without a population table the records are their own population: the risk is then the share of the "
                "original’s groups that a policy keeps, and an attacker is taken to know who is in the file."
            )
        else:
            _show_match(asked)


def _show_match(asked: Asked) -> None:
    matched, unit = asked.matched, asked.unit
    assert matched is not None
    st.markdown(
        f"**{words.share(matched.n_records - matched.unmatched, matched.n_records, unit)} match somebody** in the "
        f"table by {page.listed(list(matched.attributes))}."
    )
    if matched.unmatched:
        what = "counted as people of the population" if asked.unmatched == COUNT else "left out of the search"
        known = f", though each of their values is known to it for {matched.by_combination:,} at least" * bool(
            matched.by_combination
        )
        st.markdown(
            f"{words.count(matched.unmatched, unit)} match nobody{known}. They are {what} (change it under **More**)."
        )
    if matched.exceeding > matched.unmatched:
        st.markdown(
            f"{words.count(matched.exceeding - matched.unmatched, unit)} more are in combinations with fewer people in "
            "the table than in the file: the table is older, or of a smaller area."
        )
    frame = pd.DataFrame(
        {
            "column": [printable(name) for name in matched.attributes],
            "values unknown to the table": [len(values) for values in matched.unknown_values.values()],
            f"{unit} with such a value": list(matched.unknown.values()),
            "such as": [
                ", ".join(map(policies.shown, values[:SOME_VALUES])) for values in matched.unknown_values.values()
            ],
        }
    )
    page.table(frame, "Values of each column that nobody in the population table has")
    page.counts(
        "Where most records of a column are unknown, the table writes its values differently: as groups of ages, ZIP "
        "codes without their leading zero, or other words. Records match where all columns do."
    )


# ---- the policies -------------------------------------------------------------------------------------------------


def show_policies(asked: Asked, found: Frontier) -> None:
    """Every policy of the frontier in figures."""
    space = asked.space
    counts = [
        np.asarray(found.policies[:, space.starts[j] : space.starts[j + 1]].sum(axis=1)) + 1
        for j in range(len(space.domains))
    ]
    frame = pd.DataFrame(
        {
            "policy": np.arange(1, len(found) + 1),
            "risk": [words.percent(value) for value in found.risk.tolist()],
            "loss": [words.percent(value) for value in found.loss.tolist()],
            **{f"intervals of {printable(d.attribute)}": n for d, n in zip(space.domains, counts, strict=True)},
        }
    ).head(MOST_ROWS)
    page.table(frame, "The policies of the frontier, from the least risk on", height=page.table_height(len(frame), 480))
    more = f" The first {MOST_ROWS:,} are shown." if len(found) > MOST_ROWS else ""
    page.counts(f"Numbered as along the slider. Different policies at one point are all kept.{more}")
    show_downloads(found)


def show_downloads(found: Frontier) -> None:
    with st.container(horizontal=True):
        page.download(
            "Policies (CSV)", partial(_csv, found), "frontier.csv", "frontier-csv",
            help="One row a policy: risk, loss and the intervals of each column. It holds the values that occur in the "
            "file: keep it with your evidence.",
        )  # fmt: skip
        page.download(
            "Policies (JSON)", partial(_json, found), "frontier.json", "frontier-json",
            help="The same with every boundary as a bit, to be read by programs.",
        )  # fmt: skip


def _csv(found: Frontier) -> bytes:
    return table_csv(found.to_frame())


def _json(found: Frontier) -> bytes:
    return found.to_json().encode()

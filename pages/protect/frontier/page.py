"""Frontier: the policies that trade risk for detail best, and how Safe Harbor stands to them."""

from collections.abc import Callable, Sequence
from functools import partial

import streamlit as st

from anonlib import words
from anonlib.dataset import Dataset
from anonlib.errors import InputError
from anonlib.frontier import Frontier
from anonlib.plots import frontier as plots
from pages.protect.frontier import choice, in_words, orders, results, safe_harbor, settings, tabs
from pages.protect.frontier import policy as policies
from pages.protect.frontier.settings import Asked
from pages.protect.frontier.to_recipe import add_to_recipe
from ui import explain, guard, long_work, original, page, state
from ui.in_turn import InTurn
from ui.text import plain

DOES = "This page finds the recodings that trade risk for detail best, and compares them with Safe Harbor."
PICTURE = "frontier-plane"
TABS, COMPARE = "frontier-tabs", "Compare two"
TIMES = [5, 10, 30, 60, 300]  # seconds


def show_metrics(asked: Asked, found: Frontier, position: int) -> None:
    """The figures that matter: Safe Harbor → the chosen policy."""
    plane = asked.plane
    now = policies.summary_of(asked, found.policies[position])
    before = now if asked.safe_harbor is None else policies.summary_of(asked, asked.safe_harbor)
    than = "" if asked.safe_harbor is None else "Safe Harbor → the chosen policy. "
    compared = "" if asked.safe_harbor is None else ", Safe Harbor → chosen"
    better = len(found.dominating_point(before.risk, before.loss))
    page.metrics(
        (
            f"Risk left{compared}",
            words.change(words.percent(before.risk), words.percent(now.risk)),
            f"{than}{plane.risk.name}. {plane.risk.meaning}",
        ),
        (
            f"Loss{compared}",
            words.change(words.percent(before.loss), words.percent(now.loss)),
            f"{than}{plane.loss.name}. {plane.loss.meaning} 0% is the data as they are, 100% everything in one group.",
        ),
        (
            "k, the smallest group",
            words.change(f"{before.k:,}", f"{now.k:,}"),
            f"{than}The fewest {asked.unit} with the same released values.",
        ),
        (
            "Better than Safe Harbor" if asked.safe_harbor is not None else "Policies on the frontier",
            f"{better:,} of {len(found):,}" if asked.safe_harbor is not None else f"{len(found):,}",
            f"Policies of the frontier; area under it {found.area():.4f} (less is better).",
        ),
    )


def draw(asked: Asked, frontiers: Sequence[Frontier], key: str | None) -> None:
    """The plane of risk and loss; without a key, as while a search runs, it cannot be clicked."""
    found = frontiers[0]
    point = None if asked.safe_harbor is None else results.point(asked, asked.safe_harbor.tobytes())
    position = choice.chosen(asked, found)
    other = results.point(asked, tabs.compared(asked).tobytes()) if comparing() else None
    chart = plots.frontier(
        frontiers, safe_harbor=point, chosen=(float(found.risk[position]), float(found.loss[position])), other=other,
        log=state.setting("frontier-log", False), dark=page.dark(), opaque=True,
    )  # fmt: skip
    alt = (
        f"The plane of risk and information loss: {words.count(len(found), 'policies')} of the frontier as a stair "
        f"from risk {words.percent(float(found.risk[0]))} and loss {words.percent(float(found.loss[0]))} to risk "
        f"{words.percent(float(found.risk[-1]))} and loss {words.percent(float(found.loss[-1]))}."
    )
    if point is not None:
        alt += (
            f" Safe Harbor has risk {words.percent(point[0])} and loss {words.percent(point[1])}; "
            f"{len(found.dominating_point(*point)):,} policies dominate it."
        )
    if key is None:
        page.figure(chart, alt, None)
    else:
        page.figure(chart, alt, key, "points", partial(choice.take_point, key, asked, found))


def comparing() -> bool:
    """Whether the tab of two policies is open."""
    return any(str(key).startswith(TABS) and st.session_state[key] == COMPARE for key in st.session_state)


def draw_so_far(drawn: InTurn, asked: Asked, method: str, best: Frontier) -> None:
    """The plane while a search runs."""
    drawn.draw(partial(draw, asked, [best, *results.others(asked, method)], None))


def ask_search(asked: Asked) -> tuple[str, int]:
    """Which search, and for how long."""
    offered = results.methods(asked)
    which = long = st.container(horizontal=True, vertical_alignment="bottom")  # which wraps
    with which:
        name = f"frontier-method-{hash(tuple(offered))}"
        now = list(offered).index(state.setting(name, next(iter(offered))))
        method = st.selectbox(
            "Search", list(offered), now, format_func=results.METHODS.__getitem__, key=state.kept(name),
            help=results.METHODS_HELP,
        )  # fmt: skip
    with long:
        seconds = st.selectbox(
            "Seconds", TIMES, TIMES.index(state.setting("frontier-seconds", 10)), key=state.kept("frontier-seconds"),
            help="How much longer the search goes on at a press of the button. It can be stopped, and gone on with.",
        )  # fmt: skip
    return method, seconds


def show_side(asked: Asked, found: Frontier) -> int:
    """The chosen policy in words, and the next step; returns its position."""
    position = choice.ask(asked, found)
    policy = found.policies[position]
    policies.in_words(asked, policy)
    st.button(
        "Add to recipe", type="primary", icon=":material/playlist_add:", on_click=guard.action(add_to_recipe),
        args=(asked, policy), help="One recoding a column. Earlier steps on the same columns give way.",
    )  # fmt: skip
    policies.say_columns(asked, policy)
    return position


def asked_for(data: Dataset, people: Dataset | None) -> Asked | None:
    """What is asked for, or the sentence why it cannot be: the settings can be mended."""
    try:
        return settings.ask(data, people)
    except InputError as error:
        st.error(plain(str(error)), icon=":material/error:")
        return None


# ---- the page -----------------------------------------------------------------------------------------------------


def show_page() -> None:
    page.header(
        "Frontier", "Which recoding is the best trade between risk and detail, and is it better than Safe Harbor?"
    )
    data = original.to_protect(page.require_quasi_identifiers(DOES))
    if not data.quasi_identifiers:
        st.info("The recipe drops every quasi-identifier: nothing is left to recode.")
        st.stop()
    people = original.people()
    metrics = st.container()
    asked = asked_for(data, people)
    views: dict[str, Callable[[], object]] = {}
    go_on: Callable[[], None] | None = None
    if asked is not None:
        in_words.warn(asked, data)
        picture, side = page.beside(2, 1)
        with picture:
            drawn = InTurn("frontier-pictures")
        with side:
            method, seconds = ask_search(asked)
            search = results.search(asked, method, seconds)
            found = search.best
            go_on = partial(
                long_work.go_on, search, partial(draw_so_far, drawn, asked, method), partial(in_words.so_far, asked),
                drawn.settle,
            )  # fmt: skip
            with st.container(border=True):
                position = show_side(asked, found)
            with st.container(border=True):
                safe_harbor.offer(asked, data)
        frontiers = [found, *results.others(asked, method)]
        drawn.at_rest(partial(draw, asked, frontiers, PICTURE))
        with picture:
            st.toggle(
                "Logarithmic risk", state.setting("frontier-log", False), key=state.kept("frontier-log"),
                help="Tells small risks apart.",
            )  # fmt: skip
            page.counts(
                f"Each dot is a policy: “{asked.plane.risk.name}” ({asked.plane.risk.source}) against "
                f"“{asked.plane.loss.name}” ({asked.plane.loss.source}), of "
                f"{words.count(found.evaluations, 'policies')} looked at in {found.seconds:.1f} s. "
                + in_words.how_far(found)
                + in_words.counted(asked)
            )
            if asked.no_safe_harbor:
                st.caption(plain(asked.no_safe_harbor))
        with metrics:
            show_metrics(asked, found, position)
        views["Policy"] = partial(tabs.show_policy, asked, found.policies[position])
        views[COMPARE] = partial(tabs.show_comparison, asked, found.policies[position])
        views["All policies"] = partial(tabs.show_policies, asked, found)
        views["Searches"] = partial(tabs.show_searches, asked, frontiers)
    views["Population"] = partial(tabs.show_population, asked)
    columns = list(asked.space.attributes) if asked is not None else data.quasi_identifiers
    views["Order of values"] = partial(orders.show, data, people, columns)
    views["How it works"] = partial(explain.show, "frontier")
    page.tabs(f"{TABS}-{len(views)}", views)
    if go_on is not None:
        go_on()


show_page()

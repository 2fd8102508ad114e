"""The Frontier page in the browser: a search is started and stopped, a point is clicked, and its policy is released."""

from __future__ import annotations

import contextlib
import csv
import io
import re
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect
from playwright.sync_api import TimeoutError as Late

from tests.browser.app import (
    TIMEOUT,
    Server,
    go,
    leave_anyway,
    metric,
    open_page,
    open_tab,
    press,
    saved,
    wait_until_idle,
)
from tests.browser.look import nameless, overflowing

COMPILING = 120_000  # milliseconds; the first search of a machine is compiled
COLUMNS = ("age", "sex", "zip", "race")


FRAMES = """() => {
    window.frames_ = [];
    const look = () => {
        const plots = [...document.querySelectorAll(".st-key-frontier-pictures .js-plotly-plot")];
        window.frames_.push(plots.filter(plot => {
            const drawn = plot.querySelector(".main-svg");
            return drawn && drawn.getBoundingClientRect().height > 100
                && plot.querySelector(".scatterlayer .points path");
        }).length);
        requestAnimationFrame(look);
    };
    look();
}"""
"""Notes in every frame how many pictures of the plane are drawn."""


def looked_at(page: Page) -> int:
    message = page.get_by_text(re.compile(r"of [\d,]+ policies looked at")).inner_text()
    return int(re.search(r"of ([\d,]+) policies looked at", message)[1].replace(",", ""))  # type: ignore[index]


def on_the_frontier(page: Page) -> int:
    return int(metric(page, "Better than Safe Harbor").inner_text().split(" of ")[1].replace(",", ""))


def click_lone_point(page: Page) -> tuple[int, float, float]:
    """Click the point that is furthest from the others of the stair: its position, risk and loss."""
    page.locator(".js-plotly-plot").first.scroll_into_view_if_needed()
    found = page.evaluate(
        """() => {
            const plot = document.querySelector('.js-plotly-plot'), {xaxis, yaxis} = plot._fullLayout;
            const at = plot.data.findIndex(trace => trace.customdata);
            const points = plot.calcdata[at].map(({x, y}) => [xaxis.c2p(x), yaxis.c2p(y)]);
            const away = (i, j) => Math.hypot(points[i][0] - points[j][0], points[i][1] - points[j][1]);
            const inner = i => 0 < i && i < points.length - 1;
            const room = points.map((_, i) => inner(i) ? Math.min(away(i, i - 1), away(i, i + 1)) : 0);
            const i = room.indexOf(Math.max(...room)), {x, y} = plot.calcdata[at][i];
            const {left, top} = plot.getBoundingClientRect();
            return [plot._fullData[at].customdata[i], x, y,
                left + xaxis._offset + points[i][0], top + yaxis._offset + points[i][1]];
        }"""
    )
    position, risk, loss, x, y = found
    page.mouse.move(x - 3, y)
    page.mouse.move(x, y, steps=3)
    expect(page.locator(".hoverlayer").get_by_text("click to read this policy").first).to_be_visible(timeout=TIMEOUT)
    page.mouse.click(x, y)
    wait_until_idle(page)
    return int(position), float(risk), float(loss)


def click_mark(page: Page, label: str) -> None:
    """Click the mark of a release beside the policies, by its label."""
    page.locator(".js-plotly-plot").first.scroll_into_view_if_needed()
    x, y = page.evaluate(
        """label => {
            const plot = document.querySelector('.js-plotly-plot'), {xaxis, yaxis} = plot._fullLayout;
            const at = plot.data.findIndex(trace => (trace.hovertemplate ?? '').startsWith(`<b>${label}</b>`));
            const {x, y} = plot.calcdata[at][0], {left, top} = plot.getBoundingClientRect();
            return [left + xaxis._offset + xaxis.c2p(x), top + yaxis._offset + yaxis.c2p(y)];
        }""",
        label,
    )
    page.mouse.move(x - 3, y)
    page.mouse.move(x, y, steps=3)
    expect(page.locator(".hoverlayer").get_by_text("click to read").first).to_be_visible(timeout=TIMEOUT)
    page.mouse.click(x, y)
    wait_until_idle(page)


# tests/pages/protect/frontier searches and releases; a point of a picture is clicked in test_regions.py.
@pytest.mark.repeats
def test_a_policy_is_searched_for_clicked_and_released(page: Page, server: Server, tmp_path: Path) -> None:
    page.set_viewport_size({"width": 1280, "height": 800})
    open_page(page, server, "frontier")
    expect(page.get_by_text("Nothing is loaded yet")).to_be_visible()
    page.get_by_role("button", name="Try with the admissions sample").click()
    expect(metric(page, "Better than Safe Harbor")).to_be_visible(timeout=COMPILING)
    wait_until_idle(page)
    expect(page.locator(".js-plotly-plot").first.get_by_text("Safe Harbor")).to_be_visible(timeout=TIMEOUT)
    assert overflowing(page) == [] and nameless(page) == []

    few, before = on_the_frontier(page), looked_at(page)
    page.evaluate(FRAMES)
    page.get_by_role("button", name="Search for about").click()
    stop = page.get_by_role("button", name="Stop")
    expect(stop).to_be_visible(timeout=TIMEOUT)
    reports = page.get_by_text(re.compile(r"^([2-9]\d|100)%: [\d,]+ of [\d,]+ better than Safe Harbor$"))
    expect(reports).to_be_visible(timeout=COMPILING)
    with contextlib.suppress(Late):  # where the search is over first
        stop.click(timeout=30_000)
    frames = page.evaluate("window.frames_")
    assert len(frames) > 20 and min(frames) >= 1 and max(frames) >= 2, "never blank, and newer ones came"
    assert overflowing(page) == []
    expect(page.get_by_role("button", name="Search for about")).to_be_visible(timeout=COMPILING)
    wait_until_idle(page)
    assert looked_at(page) > before and on_the_frontier(page) > few

    message = page.get_by_text(re.compile(r"^Risk .*, loss .*%\."))
    words = message.inner_text()
    position, risk, loss = click_lone_point(page)
    expect(page.get_by_role("slider", name=re.compile("^Policy"))).to_have_value(str(position + 1), timeout=TIMEOUT)
    expect(message).not_to_have_text(words)
    shown = [float(number) / 100 for number in re.findall(r"([\d.]+)%", message.inner_text())[:2]]
    assert abs(shown[0] - risk) <= 0.006 * risk and abs(shown[1] - loss) <= 0.006 * loss

    click_mark(page, "k = 2")
    expect(page.get_by_role("button", name="Take it into the recipe")).to_be_visible(timeout=TIMEOUT)
    press(page, "Back to the policies")
    expect(page.get_by_role("slider", name=re.compile("^Policy"))).to_have_value(str(position + 1), timeout=TIMEOUT)

    open_tab(page, "All policies")
    policies = list(csv.DictReader(io.StringIO(saved(page, "Policies (CSV)", tmp_path).decode(), newline="")))
    assert len(policies) == on_the_frontier(page) and float(policies[position]["risk"]) == risk
    intervals = {name: re.findall(r"\[([^\]]+)\]", policies[position][name]) for name in COLUMNS}
    press(page, "Add to recipe")
    expect(page.get_by_text(re.compile("^In the recipe: Recode age"))).to_be_visible(timeout=TIMEOUT)
    go(page, "Release")
    leave_anyway(page)
    rows = list(csv.DictReader(io.StringIO(saved(page, "Released CSV", tmp_path).decode(), newline="")))
    ends = {f"<{int(intervals['age'][0].split('-')[-1]) + 1}", f"{intervals['age'][-1].split('-')[0]}+"}
    labels = ends | {*intervals["age"][1:-1]} if len(intervals["age"]) > 1 else {"*"}
    assert rows and {row["age"] for row in rows} - {""} <= labels, "the labels of the policy, open at both ends"
    for name in COLUMNS:
        assert 1 <= len({row[name] for row in rows} - {""}) <= len(intervals[name]), name

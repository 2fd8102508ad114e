"""A file all of whose texts want to be something else than text, and the check that on a page they are not."""

from __future__ import annotations

import re

from tests.helpers.app import App

MARK = "ZQX"
HOSTILE = (
    f"![{MARK}](http://h.example/a.png)",
    f"<img src=x alt={MARK}>",
    f":red[{MARK}]",
    f"**{MARK}** ${MARK}$",
    f":material/{MARK}:",
    f"<script>{MARK}()</script>",
    f"[{MARK}](http://h.example)",
)
ACTIVE = ("![ZQX", "<img", "<script", ":red[ZQX", "**ZQX**", ":material/ZQX", "[ZQX](", "$ZQX$", "http://h")


def hostile_file() -> bytes:
    """Column names, cells, missing marks and look-alikes, all of which want to be something else than text."""
    lines = [",".join([*HOSTILE, "age"])]
    for i in range(40):
        lines.append(
            ",".join([*(f"{name} {i * (j + 3) % (4 + 30 * (j == 6))}" for j, name in enumerate(HOSTILE)), "44"])
        )
    lines.append(",".join([*(name.upper() + " 1" for name in HOSTILE), "45"]))
    lines.append(",".join([*["-"] * len(HOSTILE), "46"]))
    return ("\n".join(lines) + "\n").encode()


def check_text(app: App, but_chosen: bool = False) -> None:
    """Nothing on the page is anything else than text; but what selectboxes show as chosen, which they show as it is."""
    shown = app.rendered_text()
    for box in app.at.selectbox if but_chosen else ():
        if box.proto.raw_value in shown:
            shown.remove(box.proto.raw_value)
    for text in shown:
        unescaped = re.sub(r"\\[!-/:-@\[-`{-~]", "·", text)
        for active in ACTIVE:
            assert active not in unescaped, text[:300]

"""A report as one HTML file, which asks for nothing and runs nothing."""

from __future__ import annotations

import base64
from functools import cache

from jinja2 import Environment, PackageLoader, StrictUndefined, Template

from anonlib.filing.report.blocks import Report
from anonlib.filing.report.plain import BREAK, as_plain, with_breaks


def to_html(report: Report) -> str:
    """Set a report as HTML, for the screen and for A4: a whole document, to be written as UTF-8.

    It has no script, and its policy forbids every request: pictures are inside. The same report gives the same text.
    """
    return _template().render(report=as_plain(report))


@cache
def _template() -> Template:
    environment = Environment(
        loader=PackageLoader("anonlib.filing.report", "templates"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters["data_address"] = _data_address
    environment.filters["pieces"] = lambda text: with_breaks(text).split(BREAK)
    return environment.get_template("report.html")


def _data_address(svg: str) -> str:
    """A picture as an address that holds it. As a picture and not as a part of the page, it cannot run or load."""
    packed = base64.b64encode(svg.encode(errors="replace")).decode("ascii")
    return f"data:image/svg+xml;base64,{packed}"

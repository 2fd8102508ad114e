"""A report as HTML: all of its text and nothing that is not its text, no script, no request, headings in order."""

from __future__ import annotations

import base64
from dataclasses import replace
from html.parser import HTMLParser

import pytest
from hypothesis import given
from hypothesis import strategies as st

from anonlib.filing.report import Section, Table
from anonlib.filing.report.rendering import as_plain, clean, to_html
from tests.helpers.examples import settings
from tests.helpers.reports import HOSTILE, PICTURE, report_of, texts

TAGS = set(
    "html head meta title style body header h1 h2 h3 p span b dl div dt dd main nav ol li a section table caption "
    "thead tbody tr th td ul figure img figcaption pre code footer time wbr".split()
)
EMPTY = {"meta", "img", "wbr"}


class Page(HTMLParser):
    """What a browser would make of it: elements with their attributes, text, and whether all is closed in turn."""

    def __init__(self, source: str) -> None:
        super().__init__(convert_charrefs=True)
        self.elements: list[tuple[str, dict[str, str]]] = []
        self.pieces: list[str] = []
        self.open: list[str] = []
        self.feed(source)
        self.close()
        assert self.open == []

    def handle_starttag(self, tag, attrs):
        self.elements.append((tag, {name: value or "" for name, value in attrs}))
        if tag not in EMPTY:
            self.open.append(tag)

    def handle_endtag(self, tag):
        assert self.open.pop() == tag

    def handle_data(self, data):
        if "style" not in self.open:
            self.pieces.append(data)

    def all(self, tag: str) -> list[dict[str, str]]:
        return [attributes for name, attributes in self.elements if name == tag]

    @property
    def text(self) -> str:
        return clean("".join(self.pieces))


def check_shown(words: str) -> None:
    """Every text of the report is there as it is, once escaped: with no script, no request, no markup of a text."""
    source = to_html(report_of(words))
    source.encode()
    page = Page(source)
    assert {tag for tag, _ in page.elements} <= TAGS
    for tag, attributes in page.elements:
        assert not [name for name in attributes if name.startswith("on") or name in ("style", "srcdoc", "action")]
        assert attributes.get("src", "data:").startswith("data:") and attributes.get("href", "#").startswith("#"), tag
    (policy,) = [one["content"] for one in page.all("meta") if one.get("http-equiv") == "Content-Security-Policy"]
    assert policy.startswith("default-src 'none'; style-src 'unsafe-inline'; img-src data:;")
    everything = " ".join([page.text, *(one["alt"] for one in page.all("img"))])
    for text in texts(as_plain(report_of(words))):
        assert clean(text) in everything, text[:80]


@pytest.mark.parametrize("words", HOSTILE.values(), ids=HOSTILE)
def test_any_text_is_shown_as_text(words):
    check_shown(words)


@settings(60)
@given(st.text(min_size=1, max_size=60) | st.text("<>&\"'{}%# \ud800\x00\u202e", min_size=1))
def test_random_text_is_shown_as_text(words):
    check_shown(words)


def test_the_same_report_gives_the_same_page_and_nothing_in_its_style_asks_for_anything():
    source = to_html(report_of())
    assert source == to_html(report_of())
    style = source[source.index("<style>") : source.index("</style>")]
    assert "@page" in style and "@media print" in style
    assert not [word for word in ("url(", "@import", "http", "expression") if word in style]


def test_headings_are_in_order_and_the_contents_lead_to_them():
    page = Page(to_html(report_of()))
    levels = [int(tag[1]) for tag, _ in page.elements if tag in ("h1", "h2", "h3")]
    assert levels == [1, 2, 2, 3, 2], "title, contents, a section with its part, an annex"
    places = {attributes["id"] for _, attributes in page.elements if "id" in attributes}
    links = [one["href"].removeprefix("#") for one in page.all("a")]
    assert links == ["section-1", "section-2", "section-3"] and set(links) < places
    assert {one["aria-labelledby"] for one in page.all("section")} == set(links)
    assert page.all("html") == [{"lang": "en-GB"}]


def test_tables_say_what_their_cells_are():
    page = Page(to_html(report_of()))
    assert len(page.all("table")) == len(page.all("caption")) == 1
    scopes = [one["scope"] for one in page.all("th")]
    assert scopes == ["col"] * 3 + ["row"] * 2
    assert [one.get("class") for one in page.all("td")] == ["right", None] * 2


def test_long_words_of_a_table_may_break_and_are_copied_whole():
    table = Table("caption", ("a_rather_long_name", "b"), (("y" * 50, "1"),))
    page = Page(to_html(replace(report_of(), sections=(Section("s", (table,)),))))
    assert "a_rather_long_name" in page.text and "y" * 50 in page.text
    assert len(page.all("wbr")) == 3 + 12


def test_how_something_stands_is_stated_beside_its_colour():
    source = to_html(report_of("It"))
    page = Page(source)
    assert "◇accepted: It (cell)" in page.text and "✓met" in page.text
    assert "✓Met: It (verdict)" in page.text and "✗Not met It (open)" in page.text
    assert "Note" not in page.text


def test_pictures_are_inside_and_have_their_alternative():
    (picture,) = Page(to_html(report_of("It"))).all("img")
    kind, _, packed = picture["src"].partition(",")
    assert kind == "data:image/svg+xml;base64" and base64.b64decode(packed).decode() == PICTURE
    assert picture["alt"] == "It (alternative)"

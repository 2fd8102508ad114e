"""A report with every kind of block, each of whose texts is one's own, and what can be read in it."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date

from anonlib.filing.report import (
    Block,
    Bullets,
    Callout,
    Cell,
    Code,
    Facts,
    Figure,
    Paragraph,
    Report,
    Section,
    Statement,
    Table,
)

PICTURE = '<svg xmlns="http://www.w3.org/2000/svg" width="340" height="60"><text x="9" y="30">drawn words</text></svg>'
HOSTILE = {
    "markup": "<script>alert(1)</script> <img src=x onerror=y> &amp; &lt;b",
    "template": "{{ 7 * 7 }} {% raw %} {# no #}",
    "typst": '#set text(red) #read("/etc/hosts") $x^2$ *b* _i_ `r` @ref <lab> // no',
    "structure": "= heading - item + item / term: [x] ~ ---",
    "quotes": "\\ \"double\" 'single' `tick` “typed” \\u{41} \\n",
    "control": "a\x00b\x07c\x1b[31md\x7f\x85\u2028e",
    "surrogate": "half \ud800 of a pair \udfff",
    "turned": "before \u202eafter\u2066 behind",
    "scripts": "Жизнь αβγ 漢字 한국 שלום مرحبا हिन्दी 😀 \ue000",
    "long": "x" * 10_000,
}


def blocks(words: str) -> tuple[Block, ...]:
    """One block of each kind, in whose every text the words stand, each with another ending."""
    return (
        Paragraph(f"{words} (paragraph)"),
        Callout(f"{words} (met)", "met", f"{words} (verdict)"),
        Callout(f"{words} (open)", "not met"),
        Callout(f"{words} (remark)"),
        Facts(((f"{words} (fact)", f"{words} (what it is)"),)),
        Table(
            f"{words} (caption)",
            (f"{words} (first column)", "number", "stands"),
            ((f"{words} (row)", "1,200", Cell(f"{words} (cell)", "accepted")), ("plain", "3", Cell("met", "met"))),
            notes=(f"{words} (note)",),
        ),
        Bullets((f"{words} (point)", "another point")),
        Figure(PICTURE, f"{words} (alternative)", f"{words} (legend)"),
        Code(f"{words} (code)\n    indented"),
        Statement(f"{words} (to sign)", (f"{words} (line)", "date")),
    )


def report_of(words: str = "Words", language: str = "en-GB") -> Report:
    """A report with all of these blocks on its first page and in its two sections."""
    return Report(
        f"{words} (title)",
        f"{words} (subtitle)",
        language,
        Facts(((f"{words} (first fact)", f"{words} (first value)"),)),
        (Callout(f"{words} (summary)", "not met"), Paragraph(f"{words} (opening)")),
        (
            Section(f"{words} (section)", blocks(words), number="1"),
            Section(f"{words} (part)", (Paragraph(f"{words} (inside)"),), 2, "1.1"),
            Section(f"{words} (annex)", (), new_page=True),
        ),
        f"{words} (footer)",
        date(2026, 11, 22),
    )


def texts(plain: object, skipped: tuple[str, ...] = ()) -> Iterator[str]:
    """Every text of a report as `anonlib.filing.report.rendering.as_plain` gives it, shown as it is."""
    hidden = {"kind", "tone", "svg", "anchor", "language", "date", "align", "level", "mark", "tone_mark", "tone_word"}
    hidden |= {"furniture", *skipped}
    if isinstance(plain, dict):
        for key, value in plain.items():
            if key not in hidden:
                yield from texts(value, skipped)
    elif isinstance(plain, list):
        for value in plain:
            yield from texts(value, skipped)
    elif isinstance(plain, str) and plain:
        yield plain


def kinds_and_alternatives(node, found: dict[str, list[str]]) -> dict[str, list[str]]:
    """The kinds of the elements of the structure, with their alternative texts."""
    node = node.get_object() if hasattr(node, "get_object") else node
    if isinstance(node, list):
        for one in node:
            kinds_and_alternatives(one, found)
    elif isinstance(node, dict):
        if "/S" in node:
            found.setdefault(str(node["/S"]), []).append(str(node.get("/Alt", "")))
        kinds_and_alternatives(node.get("/K", []), found)
    return found

"""Text of a file on its way to the screen: shown as it is, interpreted as nothing."""

from __future__ import annotations

import re
import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from anonlib.plots.theme import escape, label
from ui.text import plain, printable

HOSTILE = (
    "![x](http://example.com/a.png)",
    "[x](javascript:alert(1))",
    "<http://example.com>",
    '<img src="http://example.com/a.png">',
    "<script>window.hit = 1</script>",
    "$\\frac{1}{2}$",
    "$$x$$",
    ":red[danger]",
    ":material/delete:",
    ":smile:",
    ":blue-background[x]",
    "**bold** _it_ ~~gone~~ `code`",
    "# heading",
    "- item",
    "1. item",
    "| a | b |",
    "&lt;b&gt; &amp; &#33;",
    "\\*not\\*",
    "a\nb",
    "a  \n\n# b",
    "--- \n***",
    "www.example.com",
    "http://example.com/a.png",
    "someone@example.com",
    "\u202egpj.exe",
    "a\u200bb",
    "tab\there",
    "x -> y <- z",
)
INERT = "\"'%(),./;=?"
READER = MarkdownIt("commonmark").enable(["table", "strikethrough"])
MERE_TEXT = {"text", "text_special"}
PUNCTUATION = "!\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~"


JOINER = "\u2060"  # has no width: it may stand where an address would otherwise be made a link
AUTOLINK = re.compile(r"https?://|www\.[-.\w]|[-.+\w]@[-\w]", re.IGNORECASE)  # GitHub Flavored Markdown, section 6.9


def rendered(markdown: str) -> str:
    """What CommonMark makes of escaped punctuation (section 2.4)."""
    return re.sub(rf"\\([{re.escape(PUNCTUATION)}])", r"\1", markdown)


def unescaped(markdown: str) -> str:
    """The characters that are seen."""
    return rendered(markdown).replace(JOINER, "")


def bare_punctuation(markdown: str) -> str:
    """Punctuation that is not escaped and that Markdown, HTML or directives can begin with.

    A hyphen or an underscore between letters and digits is no such thing (CommonMark, section 6.2, rules 2 and 6), nor
    is what means nothing but after something else that is escaped: stops, quotation marks, brackets.
    """
    within_words = re.sub(r"(?<=[^\W_])[-_](?=[^\W_])", "", markdown)
    bare = re.sub(rf"\\[{re.escape(PUNCTUATION)}]", "", within_words)
    return "".join(char for char in bare if char in PUNCTUATION and char not in INERT)


def shown_by(markdown: str) -> str | None:
    """What a reader of CommonMark with tables and strikethrough shows, where that is one paragraph of mere text."""
    kinds = [token.type for token in READER.parse(markdown)]
    if kinds != ["paragraph_open", "inline", "paragraph_close"]:
        return None
    inside = READER.parse(markdown)[1].children or []
    return "".join(token.content for token in inside) if {token.type for token in inside} <= MERE_TEXT else None


@pytest.mark.parametrize("text", HOSTILE)
def test_hostile_text_has_no_active_character_left(text):
    assert bare_punctuation(plain(text)) == ""
    assert unescaped(plain(text)) == printable(text)


@pytest.mark.parametrize(
    "text", ["http://a.b", "HTTPS://a.b/c", "see www.a.b", "me@a.b", "xhttp://a", "a@b@c", "(www.a.b)"]
)
def test_addresses_do_not_become_links(text):
    """The screen's Markdown links addresses that stand in the text, after escapes are resolved."""
    assert AUTOLINK.search(text)
    assert not AUTOLINK.search(rendered(plain(text)))


@given(st.text(st.sampled_from("htpsw:/.@a-"), max_size=20))
def test_no_text_becomes_a_link(text):
    assert not AUTOLINK.search(rendered(plain(text)))


@given(st.text())
def test_plain_shows_what_printable_has_and_nothing_active(text):
    escaped = plain(text)
    assert bare_punctuation(escaped) == ""
    assert unescaped(escaped) == printable(text)
    assert "\n" not in escaped and not escaped.startswith(" "), "neither a block of its own nor indented code"


@given(st.text(st.sampled_from(PUNCTUATION + "ab1 \n"), min_size=1, max_size=25) | st.text(min_size=1))
def test_a_reader_of_markdown_shows_just_these_characters(text):
    """Alone, in a sentence, in quotation marks, and after others."""
    escaped, shown = plain(text), printable(text)
    if shown:
        assert (shown_by(escaped) or "").replace(JOINER, "") == shown
    for before, after in (("of “", "” here"), ("a ", " b"), ("(", ")")):
        assert (shown_by(f"{before}{escaped}{after}") or "").replace(JOINER, "") == f"{before}{shown}{after}".strip()


@given(st.text(alphabet=st.characters(), max_size=60))
def test_printable_is_one_line_without_control_format_and_direction_characters(text):
    shown = printable(text)
    assert not any(unicodedata.category(char) in ("Cc", "Cf", "Cs", "Zl", "Zp") for char in shown)
    assert shown == shown.strip() and "  " not in shown
    assert printable(shown) == shown


@given(st.text(), st.integers(1, 30))
def test_a_cut_text_is_as_long_as_asked_and_never_ends_in_half_an_escape(text, length):
    escaped = plain(text, length)
    shown = unescaped(escaped)
    assert len(shown) <= length
    assert bare_punctuation(escaped) == ""
    full = printable(text)
    assert shown == full if len(full) <= length else shown == full[: length - 1] + "…"


def test_names_of_columns_have_no_backslash_for_screen_readers():
    """Who hears a label hears it as it was written."""
    for name in ("marital_status", "hours-per-week", "größe_2", "2024-01-31", "Geschl.", "Age, years (AGEP)", "a/b=c"):
        assert plain(name) == name
    assert plain("_it_ a__b -x- y_") == "\\_it\\_ a\\_\\_b \\-x\\- y\\_"


def test_numbers_and_none_are_text_too():
    assert plain(5) == "5" and printable(None) == "None" and plain(1.5) == "1.5" and plain("1. a") == "1\\. a"


@pytest.mark.parametrize("text", HOSTILE)
def test_a_figure_gets_no_tag_and_no_entity(text):
    """Plotly's text takes a few HTML tags and entities."""
    escaped = escape(text)
    assert "<" not in escaped and ">" not in escaped
    assert re.sub(r"&(lt|gt|amp);", "", escaped).count("&") == 0


@given(st.text(), st.integers(2, 20))
def test_a_label_is_cut_before_it_is_escaped(text, length):
    """Half an entity would show as something else."""
    shown = " ".join(text.split())
    cut = label(text, length)
    for character, entity in (("<", "&lt;"), (">", "&gt;"), ("&", "&amp;")):
        cut = cut.replace(entity, character)
    assert len(cut) <= length
    assert cut == (shown if len(shown) <= length else shown[: length - 1] + "…")
    assert re.sub(r"&(lt|gt|amp);", "", label(text, length)).count("&") == 0

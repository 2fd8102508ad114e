"""One word for each thing: what screen, reports, command line and documents no longer say, and the glossary.

What is shown is every text of several words in the code that is no docstring, the sentences of errors among them, and
what German makes of it; what is documented is every document but the changelog, which is history. What stands between
backticks is code.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from babel.messages.pofile import read_po

from anonlib.basics import figures
from anonlib.basics.figures import NamedFigure
from anonlib.filing.languages import FOLDER
from anonlib.verdict.criteria import CRITERION_KINDS, WAYS_IN_WORDS
from anonlib.verdict.proposals.offers import KINDS
from tests.helpers.app import App
from tests.helpers.helps import ANY, Help, helps
from tests.helpers.sentences import SNAPSHOT
from ui.kit import explain, glossary

ROOT = Path(__file__).resolve().parents[1]
CODE = ("anonlib", "pages", "ui", "app.py")
DOCUMENTS = ("README.md", "CONTRIBUTING.md", "SECURITY.md", "docs/**/*.md", "data/**/*.md")

INSTEAD = {
    r"whole columns": "same coarseness for everyone",
    r"part by part": "mixed coarseness",
    r"all together": "removed, dropped",
    r"(?:alone|unique) by (?:what|all that) leaves": "unique on any 3 released columns",
    r"telling columns?|columns? that tells?|none tells": "columns that reveal another",
    r"columns not counted": "columns said to be neither that could identify",
    r"by (?:one row|all rows|any one row|values)": "with one visit known, all visits known, values known",
    r"predicates?": "condition",
    r"remed(?:y|ies)|reliefs?": "what would make a release possible",
    r"prices?": "what it costs",
    r"requirements?(?!\.\w|-\w)|demands?|demanded": "criterion, asks",
    r"guarantees?": "criterion",
    r"(?:small|smaller|smallest|rare) groups?|groups? (?:below|smaller than|that violate)": "people like them, class",
    r"role (?:“|\*|_)?other": "neither",
}
IN_GERMAN = r"Teil für Teil|ganze Spalten|Prädikat\w*|kleine\w* Gruppen?|Gruppen unter|durch (?:eine|alle) Zeilen?"
_INSTEAD = tuple(INSTEAD.values())
_ANY = re.compile(
    "|".join(rf"(\b(?:{pattern.replace(' ', chr(92) + 's+')})\b)" for pattern in INSTEAD), re.IGNORECASE
)  # fmt: skip
_IN_CODE = re.compile(r"```.*?```|``.+?``|`[^`]+`|\]\([^)]*\)", re.DOTALL)

# What files hold as kinds, and names that modules export.
SAVED = {"whole columns", "part by part", "all together", "Alone by what leaves"}
EXPORTED = {"Guarantee", "Relief", "Remedies", "Remedy"}
OF_CODE = ("docs/decisions/", "CONTRIBUTING.md")  # which speak of a guarantee as the code does
NOT_OURS = ("anonlib/columns/codes/", "anonlib/columns/identifiers/")  # words that columns of files are recognised by


def complaints(text: str, of_code: bool = False) -> Iterator[str]:
    """What a text says that it should not, with what to say instead."""
    for match in _ANY.finditer(_IN_CODE.sub(" ", text)):
        if not (of_code and match.group().lower().startswith("guarantee")):
            yield f"“{match.group()}”: {_INSTEAD[(match.lastindex or 1) - 1]}"


def texts_in(source: str) -> Iterator[tuple[int, str]]:
    """Line and text of what a module can show."""
    tree, passed_over = ast.parse(source), set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant):
            passed_over.add(id(node.value))  # a docstring
        elif isinstance(node, ast.JoinedStr):
            passed_over |= {id(part) for part in node.values}
    for node in ast.walk(tree):
        if isinstance(node, ast.JoinedStr):
            parts = (part.value if isinstance(part, ast.Constant) else "{}" for part in node.values)
            text = "".join(map(str, parts))
        elif isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in passed_over:
            text = node.value
        else:
            continue
        if re.match(r"\w+\(\w+=", text):
            continue  # what a step is made again by
        if " " in text.strip() or re.fullmatch("[A-Z][a-z]+", text):
            yield node.lineno, text


def modules() -> list[Path]:
    paths = [path for name in CODE for path in ([ROOT / name] if name.endswith(".py") else (ROOT / name).rglob("*.py"))]
    return [path for path in sorted(paths) if not path.relative_to(ROOT).as_posix().startswith(NOT_OURS)]


def test_nothing_that_is_shown_says_an_old_word() -> None:
    found, n_texts = [], 0
    for path in modules():
        for line, text in texts_in(path.read_text(encoding="utf-8")):
            n_texts += 1
            if text not in SAVED | EXPORTED:
                found += [f"{path.relative_to(ROOT)}:{line}: {complaint}" for complaint in complaints(text)]
    assert n_texts > 5_000
    assert not found, "\n" + "\n".join(found)


def test_no_sentence_of_an_error_says_an_old_word() -> None:
    lines = SNAPSHOT.read_text(encoding="utf-8").splitlines()
    found = [(line, complaint) for line in lines for complaint in complaints(line.partition("\t")[2])]
    assert len(lines) > 500 and not found, found


def test_no_document_says_an_old_word() -> None:
    paths = sorted({path for pattern in DOCUMENTS for path in ROOT.glob(pattern)})
    found = []
    for path in paths:
        name, text = path.relative_to(ROOT).as_posix(), path.read_text(encoding="utf-8")
        if name == "docs/glossary.md":
            text, _, old = text.partition("## Other words that you may meet")
            assert old, "which says what the old words are now"
            text = re.sub(
                r"^((?:\|[^|\n]*){2})\|[^|\n]*", r"\1|", text, flags=re.MULTILINE
            )  # without the field's terms
        found += [f"{name}: {complaint}" for complaint in complaints(text, name.startswith(OF_CODE))]
    assert len(paths) > 80
    assert not found, "\n" + "\n".join(found)


def test_no_german_sentence_of_today_says_an_old_word() -> None:
    """Messages that stand nowhere in the code are of sentences that earlier versions saved."""
    with (FOLDER / "de.po").open("rb") as file:
        catalog = read_po(file, locale="de")
    today = [each for each in catalog if each.locations and each.string and each.id not in SAVED]
    found = [str(message.string) for message in today if re.search(rf"\b(?:{IN_GERMAN})\b", str(message.string))]
    assert len(today) > 1_000 and not found, found


@pytest.mark.parametrize(
    "text, n",
    [
        ("Searched part by part, and whole\n  columns after.", 2),
        ("A criterion, not a guarantee.", 1),
        ("The code has `guarantees`, [here](guarantees.md).", 0),
        ("5% in groups below 11", 1),
        ("groups of values, and a group of ages", 0),
        ("Alone by what leaves", 1),
        ("the role “other” of a column, or another one", 1),
        ("with mixed coarseness, or the same for everyone", 0),
        ("see requirements.lock and the requirement", 1),
    ],
)
def test_old_words_are_found(text: str, n: int) -> None:
    assert len([*complaints(text)]) == n


def test_in_documents_of_the_code_a_guarantee_is_one() -> None:
    assert [*complaints("a guarantee by one row", of_code=True)] == [f"“by one row”: {INSTEAD[list(INSTEAD)[6]]}"]


def test_texts_of_a_module_are_found() -> None:
    source = '"""A docstring here."""\nx = f"So {n} rows" + "a_key" + "Two words"\n'
    assert sorted(text for _, text in texts_in(source)) == ["So {} rows", "Two words"]


# ---- the glossary ----------------------------------------------------------------------------------------------------

TERMS = (
    "l-diversity", "t-closeness", "local recoding", "global recoding", "cell suppression", "record suppression", "SUDA",
    "attribute disclosure", "identity disclosure", "k-anonymity", "k^m-anonymity", "prosecutor", "journalist",
    "marketer", "quasi-identifier", "equivalence class", "functional dependency", "singling out", "linkability",
    "inference", "membership inference",
)  # fmt: skip
ENTRIES = [entry for entries in glossary.sections().values() for entry in entries]


def test_each_word_stands_once_and_has_its_term() -> None:
    words = [word for entry in ENTRIES for word in entry.words]
    assert len(words) == len(set(words)) and len(ENTRIES) > 100
    anchors = [entry.anchor for entry in ENTRIES]
    assert len(anchors) == len(set(anchors)) and all(anchors)
    assert not [entry.words for entry in ENTRIES if not (entry.meaning and entry.terms and entry.shown_on)]


@pytest.mark.parametrize("term", TERMS)
def test_a_term_of_the_field_leads_to_a_word(term: str) -> None:
    assert [entry.words for entry in ENTRIES if term in entry.terms or term in entry.words]


def test_criteria_ways_and_figures_have_an_entry() -> None:
    of_figures = [each.word for each in vars(figures).values() if isinstance(each, NamedFigure) and each.word]
    words = [each.word for each in CRITERION_KINDS.values()] + list(WAYS_IN_WORDS.values()) + of_figures
    assert len(of_figures) > 10
    for word in words:
        assert glossary.entry_of(word).terms
    for kind in KINDS:
        assert kind.title.lower().startswith(WAYS_IN_WORDS[kind.way].split(" for ")[0]), kind.title


def test_titles_of_criteria_begin_as_their_words_do() -> None:
    for kind in CRITERION_KINDS.values():
        title, word = kind().title.lower(), kind.word.lower()
        assert {*re.findall(r"[a-z]{4,}", word)} & {*re.findall(r"[a-z]{4,}", title)}, (title, word)


def test_a_help_text_leads_to_the_word_and_names_the_term() -> None:
    text = glossary.linked("The fewest that share it.", "smallest class", "mixed coarseness")
    assert text.startswith("The fewest that share it.  \nGlossary: [smallest class](glossary#smallest-class)")
    assert "k-anonymity" in text and "local recoding" in text
    assert "://" not in text, "nothing from another host"


def test_the_page_has_each_word_at_its_anchor() -> None:
    app = App(explain.GLOSSARY)
    headings = {each.value: each.anchor for each in app.at.subheader}
    assert not app.errors
    assert headings == {"; ".join(entry.words): entry.anchor for entry in ENTRIES}
    for term in TERMS:
        assert term in app.text


# ---- from a help to the glossary -------------------------------------------------------------------------------------

EVERYDAY = {
    "record", "row", "person", "visit", "value", "missing", "sample", "key", "parent", "role", "known", "neither",
    "identifier", "weight", "title", "size", "found", "linked", "guessed", "control", "measured", "recipient", "met",
    "verdict", "proposal", "recipe", "step", "kept", "needed", "version", "release", "label", "level", "mark",
    "removed", "dropped", "region", "site", "schedule", "invitation", "rule", "project", "case", "report", "register",
    "script", "evidence", "seed", "codebook", "data dictionary", "connected data", "gain", "digest", "stays inside",
}  # fmt: skip
"""Words that a help may say as anybody says them; what bears one of the others in its help links it."""
OF_K = {"k", "smallest class", "people like them", "alone"}
"""Words whose entries explain each other: a link to one is enough."""


_OTHER_SENSES = r"memory alone|of the area|area under|areas of 20,000"


def _spellings() -> dict[str, str]:
    """Each word that is linked, by itself and by its plural, in lower case."""
    plurals = (("criterion", "criteria"), ("y", "ies"), ("ss", "sses"), ("", "s"))
    words = [word for entry in ENTRIES for word in entry.words if word not in EVERYDAY]
    ends = [next(pair for pair in plurals if word.endswith(pair[0])) for word in words]
    several = {word.removesuffix(end).lower() + ends_in: word for word, (end, ends_in) in zip(words, ends, strict=True)}
    return several | {word.lower(): word for word in words}


_SPELLINGS = _spellings()
_LONGEST_FIRST = sorted({*_SPELLINGS} - {"k", "ks"}, key=len, reverse=True)  # “smallest class” is no “class”
_OF_GLOSSARY = re.compile(rf"\b(?:{'|'.join(map(re.escape, _LONGEST_FIRST))}|(?-i:k))\b", re.IGNORECASE)


def entries_in(text: str) -> dict[str, str]:
    """The words of the glossary in a text, by the first word of their entry."""
    words = [_SPELLINGS[match.lower()] for match in _OF_GLOSSARY.findall(re.sub(_OTHER_SENSES, "", text))]
    return {glossary.entry_of(word).words[0]: word for word in reversed(words)}


def unlinked(help: Help) -> list[str]:
    """The words that a help should link: those in the label of what it explains, and one of its own at least."""
    if ANY in help.links or not help.text:
        return []
    linked = help.links | (OF_K if help.links & OF_K else set())
    of_label, of_text = ([*entries_in(text).items()] for text in (help.label, help.text))
    lacking = [word for entry, word in of_label if entry not in linked]
    return lacking or ([word for _, word in of_text] if not help.links else [])


def test_what_bears_a_word_of_the_glossary_leads_to_it_on_every_page() -> None:
    texts = [*helps()]
    lacking = [f"{help.place} “{help.label}”: {words}" for help in texts if (words := unlinked(help))]
    assert len(texts) > 300 and len({help.place.split("/")[2] for help in texts if "pages/" in help.place}) > 12
    assert not lacking, "\n" + "\n".join(lacking)


@pytest.mark.parametrize(
    "label, text, links, words",
    [
        ("Alerts", "Sets past a limit.", (), ["alert"]),
        ("Alerts", "Sets past a limit, by their smallest class.", ("alert",), []),
        ("Bars", "Those in classes below k.", (), ["class", "below k"]),
        ("k", "Persons who share a class.", ("smallest class",), []),
        ("Rows", "Lines of the file, in memory alone.", (), []),
        ("K", "A letter.", (), []),
        ("Policies", "By the criteria.", ("criterion",), ["policy"]),
    ],
)  # fmt: skip
def test_what_a_help_does_not_link_is_seen(label, text, links, words) -> None:
    assert sorted(unlinked(Help("here", label, text, frozenset(links)))) == sorted(words)


def test_a_help_is_read_where_its_text_stands() -> None:
    """Of a constant, of a column of a table, of a figure with its meaning, of what a function is handed."""
    read = {(help.place.split(":")[0], help.label): help for help in helps()}
    method = read["pages/protect/generalize/controls.py", "Method"]
    assert "proven to be the best" in method.text and "mixed coarseness" in method.links
    loss = read["pages/protect/generalize/tabs/searches.py", "Cell loss, weighted"]
    assert "as its column’s weight says." in loss.text and loss.links == {"people like them"}
    kept = read["pages/release/release/summary.py", "Entropy kept"]
    assert figures.ENTROPY_KEPT.definition in kept.text and {"entropy kept", "known"} == kept.links
    assert "slot" in next(help for help in helps() if help.text.startswith("In each slot few people")).links

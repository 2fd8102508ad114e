"""The encoding of a file from before UTF-8, told by its letters."""

from __future__ import annotations

import pytest

from anonlib.reading.sources import ENCODINGS, encodings, open_source
from anonlib.reading.sources.encodings import CANDIDATES
from tests.helpers.languages import ENCODINGS_OF, register, written

SIZES = {200: 0.98, 2_000: 0.99, 47_000: 1.0}
"""By bytes of a register the least share of registers that are read as they were written."""


def read_back(language: str, encoding: str, n_bytes: int, seed: int) -> tuple[bool, str]:
    """Whether a register is read as the text it was, and the encoding it was taken for."""
    data, text = written(register(language, n_bytes, seed), encoding) or pytest.fail("letters are lost")
    decoded, found, notes = encodings.utf8_text(data)
    assert data.isascii() or "check accented or non-Latin letters" in notes[0]
    return decoded.decode() == text, found


@pytest.mark.parametrize("n_bytes", SIZES)
def test_registers_of_many_languages_are_read_as_they_were_written(n_bytes: int):
    pairs = [(language, encoding) for language, encodings_of in ENCODINGS_OF.items() for encoding in encodings_of]
    tried = [(*pair, seed) for pair in pairs for seed in range(2 if n_bytes < 40_000 else 1)]
    results = [read_back(language, encoding, n_bytes, seed) for language, encoding, seed in tried]
    wrong = [(each, found) for each, (is_right, found) in zip(tried, results, strict=True) if not is_right]
    assert len(tried) >= 53 and 1 - len(wrong) / len(tried) >= SIZES[n_bytes], wrong


def test_what_was_taken_for_other_languages_is_not():
    french = register("French", 47_000, 7).replace("’", "'").replace("œ", "oe")
    source = open_source(french.encode("cp1252"), "a.csv")
    assert source.reading.encoding == "cp1252" and "Hélène" in set(source.frame["prénom"])
    japanese = open_source(register("Japanese", 3_000, 7).encode("cp932"), "a.csv")
    assert japanese.reading.encoding == "cp932" and "東京都" in set(japanese.frame["都市"])


@pytest.mark.parametrize("encoding", ["utf-16-le", "utf-16-be"])
@pytest.mark.parametrize("language", ["Russian", "Greek", "French"])
def test_utf_16_needs_no_mark(language: str, encoding: str):
    text = register(language, 3_000, 7)
    assert open_source(text.encode(encoding), "a.csv").reading.encoding == encoding
    assert encodings.utf8_text(text.encode(encoding))[0].decode() == text


def test_a_large_file_is_recognised_by_a_part_of_it(monkeypatch: pytest.MonkeyPatch):
    looked_at = []
    monkeypatch.setattr(encodings, "likelihood", lambda text, encoding: looked_at.append(len(text)) or 0.0)
    encodings.utf8_text(register("German", 3_000_000, 1).encode("cp1252"))
    assert len(looked_at) <= len(CANDIDATES) and max(looked_at) <= 1 << 14


def test_what_is_reported_can_be_chosen_too():
    assert set(CANDIDATES) <= set(ENCODINGS)


@pytest.mark.parametrize("encoding", ["cp932", "gb18030", "euc_jp"])
def test_a_file_with_two_characters_beyond_ascii_alone(encoding):
    rows = [f"{20 + i % 50},{'男' if i % 2 else '女'}" for i in range(60)]
    source = open_source("\n".join(["age,sex", *rows]).encode(encoding), "file.csv")
    assert source.reading.encoding == encoding and set(source.frame["sex"]) == {"男", "女"}

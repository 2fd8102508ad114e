"""Which encoding a text file has, and its text as UTF-8; undecodable bytes are reported with their line."""

from __future__ import annotations

import codecs
import io
import re
from contextlib import suppress

from anonlib.basics.errors import InputError
from anonlib.basics.words import listed
from anonlib.reading.sources.letters import CANDIDATES, likelihood

ENCODINGS = {
    "utf-8": "UTF-8",
    "cp1252": "Windows Western European (cp1252)",
    "latin-1": "Latin-1 (ISO 8859-1)",
    "iso8859-15": "Latin-9 (ISO 8859-15)",
    "utf-16-le": "UTF-16 little-endian",
    "utf-16-be": "UTF-16 big-endian",
    "utf-32": "UTF-32",
    "cp1250": "Windows Central European (cp1250)",
    "cp1251": "Windows Cyrillic (cp1251)",
    "cp1253": "Windows Greek (cp1253)",
    "cp1254": "Windows Turkish (cp1254)",
    "cp1255": "Windows Hebrew (cp1255)",
    "cp1256": "Windows Arabic (cp1256)",
    "cp1257": "Windows Baltic (cp1257)",
    "iso8859-2": "Latin-2 Central European (ISO 8859-2)",
    "koi8-r": "Cyrillic KOI8-R",
    "cp850": "DOS Western European (cp850)",
    "cp852": "DOS Central European (cp852)",
    "cp866": "DOS Cyrillic (cp866)",
    "mac-roman": "Mac Western European",
    "cp932": "Japanese Shift-JIS (cp932)",
    "euc_jp": "Japanese EUC-JP",
    "gb18030": "Chinese GB18030",
    "big5": "Chinese Big5",
    "cp949": "Korean (cp949, EUC-KR)",
}
"""Encodings to offer, with their names on screen, the likelier ones first among those of a script."""

_BOMS = (
    (codecs.BOM_UTF32_LE, "utf-32-le"),
    (codecs.BOM_UTF32_BE, "utf-32-be"),
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)
_CHUNK = 1 << 23
_WINDOW = 1 << 19
_SAMPLE = 1 << 14


def encoding_name(encoding: str) -> str:
    """An encoding's name on screen: its own where :data:`ENCODINGS` does not know it.

    Parameters
    ----------
    encoding : str
        As Python calls it.

    Returns
    -------
    str
    """
    return ENCODINGS.get(encoding, encoding)


def utf8_text(data: bytes, encoding: str | None = None) -> tuple[bytes, str, list[str]]:
    """The text of a file as UTF-8 without byte order mark.

    Parameters
    ----------
    data : bytes
        The bytes of the file.
    encoding : str, optional
        Its encoding; found out when None, by its byte order mark, UTF-8 that is valid throughout, or the likeliest of
        :data:`ENCODINGS`.

    Returns
    -------
    The text, the encoding it had, and notes on what was assumed.

    Raises
    ------
    InputError
        When bytes are not valid in the encoding, with the line of the first of them.
    """
    notes: list[str] = []
    marked, marked_encoding = _byte_order_mark(data)
    if encoding is None:
        encoding = marked_encoding or zero_pattern(data)
    else:
        encoding = _known(encoding)
        if marked_encoding is not None and not _same_family(encoding, marked_encoding):
            marked = 0
    if encoding is None:
        bad = _first_undecodable(data, "utf-8")
        if bad is None:
            return data, "utf-8", notes
        encoding = _legacy_encoding(data, bad)
        notes.append(
            f"The bytes are not UTF-8, so the text was read as {encoding_name(encoding)}, as its letters suggest: "
            "check accented or non-Latin letters in the preview."
        )
    return _transcoded(data, marked, encoding), encoding, notes


def _byte_order_mark(data: bytes) -> tuple[int, str | None]:
    for mark, encoding in _BOMS:
        if data.startswith(mark):
            return len(mark), encoding
    return 0, None


def _same_family(encoding: str, marked: str) -> bool:
    return (
        encoding.replace("_", "-")
        .lower()
        .startswith(marked.rsplit("-", 1)[0] if "16" in marked or "32" in marked else marked)
    )


def _known(encoding: str) -> str:
    try:
        found = codecs.lookup(encoding)
    except (LookupError, ValueError):
        raise InputError(
            "That encoding is not known. Choose one from the list, such as UTF-8 or cp1252.", code="encoding-unknown"
        ) from None
    # Codecs such as zip, idna or unicode_escape are not text encodings of files.
    if not getattr(found, "_is_text_encoding", True) or found.name in {
        "idna",
        "punycode",
        "unicode_escape",
        "raw_unicode_escape",
        "undefined",
    }:
        raise InputError(
            "That encoding is not one for text files. Choose one from the list, such as UTF-8 or cp1252.",
            code="encoding-not-of-texts",
        )
    plain = {
        "iso8859-1": "latin-1",
        "utf-8-sig": "utf-8",
        "utf-16": "utf-16-le",
        "shift_jis": "cp932",
        "gb2312": "gb18030",
        "gbk": "gb18030",
        "euc_kr": "cp949",
    }
    return plain.get(found.name, found.name)


def zero_pattern(data: bytes) -> str | None:
    """UTF-16 without a byte order mark: zero bytes at many second places, of alphabets up to the Cyrillic one."""
    head = data[:4096]
    if len(head) < 4 or b"\0" not in head:
        return None
    half = len(head) // 2
    even, odd = head[0::2].count(0) / half, head[1::2].count(0) / half
    if odd > 0.4 and even < 0.05:
        return "utf-16-le"
    if even > 0.4 and odd < 0.05:
        return "utf-16-be"
    for encoding, here, there in (("utf-16-le", odd, even), ("utf-16-be", even, odd)):
        if here > 0.05 and there == 0 and _is_of_an_alphabet(head[: len(head) // 2 * 2], encoding):
            return encoding
    return None


def _is_of_an_alphabet(data: bytes, encoding: str) -> bool:
    """Whether nearly all characters are of the alphabets that stand first in Unicode, and none is of no text."""
    text = data.decode(encoding, errors="replace")
    plain = sum(character < "\u0600" and (character.isprintable() or character in "\t\r\n") for character in text)
    return plain > 0.95 * len(text)


def _first_undecodable(data: bytes, encoding: str) -> int | None:
    """Position of the first byte that is not valid, None when all are."""
    if encoding == "utf-8" and data.isascii():
        return None
    decoder = codecs.getincrementaldecoder(encoding)()
    done = 0
    view = memoryview(data)
    while done < len(data):
        pending = len(decoder.getstate()[0])
        chunk = view[done : done + _CHUNK]
        try:
            decoder.decode(bytes(chunk), final=done + len(chunk) >= len(data))
        except UnicodeDecodeError as error:
            return done - pending + error.start
        done += len(chunk)
    return None


def _transcoded(data: bytes, start: int, encoding: str) -> bytes:
    if encoding == "utf-8":
        bad = _first_undecodable(data, encoding)
        if bad is not None:
            raise _undecodable(data, bad, encoding)
        return data[start:] if start else data
    out = io.BytesIO()
    decoder = codecs.getincrementaldecoder(encoding)()
    view = memoryview(data)[start:]
    for done in range(0, max(len(view), 1), _CHUNK):
        chunk = view[done : done + _CHUNK]
        pending = len(decoder.getstate()[0])
        try:
            out.write(decoder.decode(bytes(chunk), final=done + len(chunk) >= len(view)).encode("utf-8"))
        except UnicodeDecodeError as error:
            raise _undecodable(data, start + done - pending + error.start, encoding) from None
        except UnicodeEncodeError:
            raise InputError(
                f"The text is not valid {encoding_name(encoding)}. Choose another encoding.", code="encoding-wrong"
            ) from None
    return out.getvalue()


def _undecodable(data: bytes, position: int, encoding: str) -> InputError:
    lines = [line_of(data, position)]
    if encoding == "utf-8":
        lines = _undecodable_lines(data, position)
    where = f"line {lines[0]:,}" if len(lines) == 1 else f"lines {listed(lines)}"
    return InputError(
        f"Bytes in {where} are not valid {encoding_name(encoding)} (the first at byte {position + 1:,}). "
        "Choose another encoding, or have the file exported again as UTF-8.",
        code="encoding-wrong",
    )


def _undecodable_lines(data: bytes, position: int, most: int = 20) -> list[int]:
    """Lines with invalid UTF-8, from the one at position on; at most so many, from the next half megabyte."""
    line = line_of(data, position)
    begin = max(data.rfind(b"\n", 0, position) + 1, position - _WINDOW)
    lines = []
    for offset, text in enumerate(data[begin : position + _WINDOW].split(b"\n")[:-1] or [data[begin:]]):
        try:
            text.decode("utf-8")
        except UnicodeDecodeError:
            lines.append(line + offset)
    return lines[:most] or [line]


def line_of(data: bytes, position: int) -> int:
    """The line of a byte, counted from 1."""
    ends = data.count(b"\n", 0, position)
    return (ends or data.count(b"\r", 0, position)) + 1


def _legacy_encoding(data: bytes, bad: int) -> str:
    """The likeliest encoding of text that is not UTF-8, from its lines with letters beyond ASCII."""
    window = data[max(0, bad - _WINDOW) : bad + _WINDOW]
    text = window.decode("utf-8", errors="replace")
    broken = text.count("\ufffd")
    sound = len(text) - len(text.encode("ascii", errors="ignore")) - broken
    if sound > broken:  # letters of another encoding hardly ever form valid UTF-8
        raise _undecodable(data, bad, "utf-8")
    sample = _telling_lines(window)
    likelihoods = {}
    for encoding in CANDIDATES:
        with suppress(UnicodeDecodeError):
            likelihoods[encoding] = likelihood(sample.decode(encoding), encoding)
    return max(likelihoods, key=likelihoods.__getitem__, default="cp1252")


def _telling_lines(window: bytes) -> bytes:
    """The first lines with bytes beyond ASCII, cut where no character of several bytes can be."""
    lines = re.split(rb"[\r\n]+", window)
    whole = lines if len(window) <= _WINDOW else lines[1:-1] or lines
    sample = b"\n".join(line for line in whole if not line.isascii())
    if len(sample) <= _SAMPLE:
        return sample
    sample = sample[:_SAMPLE]
    return sample[: max(sample.rfind(mark) for mark in (b"\n", b"\t", b",", b";"))]

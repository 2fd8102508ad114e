"""What a file is, from its first bytes; and a name for it that is safe to show."""

from __future__ import annotations

import io
import re
import unicodedata
import zipfile

from anonlib.basics.errors import InputError
from anonlib.reading.sources.encodings import zero_pattern

_SAS7BDAT = bytes.fromhex("000000000000000000000000c2ea8160b31411cfbd92080009c7318c181f1011")
_OLE2 = bytes.fromhex("d0cf11e0a1b11ae1")
_EXPORT = "Export the table as CSV, Excel (.xlsx) or Parquet and open that."

_REFUSED: tuple[tuple[bytes, str], ...] = (
    (b"\x89PNG\r\n\x1a\n", f"This is a PNG picture, not a table. {_EXPORT}"),
    (b"\xff\xd8\xff", f"This is a JPEG picture, not a table. {_EXPORT}"),
    (b"GIF8", f"This is a GIF picture, not a table. {_EXPORT}"),
    (b"II*\x00", f"This is a TIFF picture, not a table. {_EXPORT}"),
    (b"MM\x00*", f"This is a TIFF picture, not a table. {_EXPORT}"),
    (b"%PDF-", f"This is a PDF document, not a table. {_EXPORT}"),
    (b"%!PS", f"This is a PostScript document, not a table. {_EXPORT}"),
    (b"{\\rtf", f"This is a rich text document, not a table. {_EXPORT}"),
    (b"\x1f\x8b", "This is a gzip archive. Unpack it first and open the file inside."),
    (b"BZh", "This is a bzip2 archive. Unpack it first and open the file inside."),
    (b"\xfd7zXZ\x00", "This is an xz archive. Unpack it first and open the file inside."),
    (b"\x28\xb5\x2f\xfd", "This is a Zstandard archive. Unpack it first and open the file inside."),
    (b"7z\xbc\xaf\x27\x1c", "This is a 7-Zip archive. Unpack it first and open the file inside."),
    (b"Rar!\x1a\x07", "This is a RAR archive. Unpack it first and open the file inside."),
    (b"SQLite format 3\x00", f"This is a SQLite database. {_EXPORT}"),
    (b"\x00\x01\x00\x00Standard ", f"This is a Microsoft Access database. {_EXPORT}"),
    (b"\x89HDF\r\n\x1a\n", f"This is an HDF5 file. {_EXPORT}"),
    (b"\x93NUMPY", f"This is a NumPy array. {_EXPORT}"),
    (b"ARROW1\x00\x00", f"This is an Arrow (Feather) file. {_EXPORT}"),
    (b"FEA1", f"This is a Feather file. {_EXPORT}"),
    (b"Obj\x01", f"This is an Avro file. {_EXPORT}"),
    (b"ORC", f"This is an ORC file. {_EXPORT}"),
    (b"RDX2\n", f"This is an R workspace. {_EXPORT}"),
    (b"RDX3\n", f"This is an R workspace. {_EXPORT}"),
    (b"\x7fELF", f"This is a program, not a table. {_EXPORT}"),
    (b"ID3", f"This is a sound recording, not a table. {_EXPORT}"),
    (b"OggS", f"This is a sound recording, not a table. {_EXPORT}"),
    (b"\x1aE\xdf\xa3", f"This is a video, not a table. {_EXPORT}"),
)
_TEXT_PREFIXES = {b"GIF8", b"BZh", b"ORC", b"ID3", b"OggS", b"FEA1"}  # could begin a table as well
_INK = re.compile(rb"[^\s\x00\x1a\xef\xbb\xbf\xff\xfe]")
_STATA_OLD = {105, 108, 110, 111, 112, 113, 114, 115}
_JSON = re.compile(r'\s*(\{\s*("([^"\\]|\\.)*"\s*:|\})|\[\s*(\{|\[|\]|"([^"\\]|\\.)*"\s*[,\]]\s*[\[{"]))')
_HTML = re.compile(r"\s*(<!doctype\s+html|<(html|head|body)[\s>]|<table[\s>].*<tr[\s>])", re.IGNORECASE | re.DOTALL)
_DIRECTIONS = re.compile("[\u061c\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff]")


def kind_of(data: bytes) -> str:
    """What a file is by its content.

    Parameters
    ----------
    data : bytes
        The file, or its beginning.

    Returns
    -------
    "text", "xlsx", "xlsm", "xlsb", "xls", "ods", "parquet", "stata", "sas7bdat", "xport", "spss" or "por".

    Raises
    ------
    InputError
        With what the file is and what to do, for anything else.
    """
    if not data:
        raise InputError("The file is empty: it holds no bytes. Export it again.", code="file-is-empty")
    if not _INK.search(data):
        raise InputError("The file is empty: it holds only blanks. Export it again.", code="file-is-empty")
    for prefix, sentence in _REFUSED:
        if data.startswith(prefix) and not (prefix in _TEXT_PREFIXES and _is_text(data)):
            raise InputError(sentence, code="file-not-a-table")
    if data.startswith(b"PK\x03\x04") or data.startswith(b"PK\x05\x06"):
        return _kind_of_zip(data)
    if data.startswith(_OLE2):
        return _kind_of_ole2(data)
    if data.startswith(b"PAR1") or data.startswith(b"PARE"):
        return "parquet"
    kind = _statistical_kind(data)
    if kind is not None:
        return kind
    _refuse_other_binary(data)
    _refuse_markup(data)
    return "text"


def _statistical_kind(data: bytes) -> str | None:
    if data.startswith(_SAS7BDAT):
        return "sas7bdat"
    if data.startswith(b"HEADER RECORD*******LIB"):
        return "xport"
    if data.startswith((b"$FL2", b"$FL3")):
        return "spss"
    if data[:600].replace(b"\r", b"").replace(b"\n", b"")[456:472].startswith(b"SPSSPORT"):
        return "por"
    if data.startswith(b"<stata_dta>"):
        return "stata"
    if len(data) > 109 and data[0] in _STATA_OLD and data[1] in (1, 2) and data[2] == 1 and data[3] == 0:
        return "stata"
    return None


def _kind_of_zip(data: bytes) -> str:
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            members = archive.namelist()
            kind = archive.open("mimetype").read(100) if "mimetype" in members else b""
    except MemoryError:
        raise
    except Exception:
        raise InputError(
            "This begins like an Excel workbook or a zip archive but is cut off or damaged. Copy or export it again.",
            code="file-damaged",
        ) from None
    names = {member.lower() for member in members}
    if "xl/workbook.xml" in names:
        return "xlsm" if "xl/vbaproject.bin" in names else "xlsx"
    if "xl/workbook.bin" in names:
        return "xlsb"
    if "content.xml" in names and "mimetype" in names:
        if kind.startswith(b"application/vnd.oasis.opendocument.spreadsheet"):
            return "ods"
        raise InputError(
            "This is an OpenDocument file, but no spreadsheet. Export the table as CSV or a spreadsheet and open that.",
            code="file-not-a-table",
        )
    if any(name.startswith("word/") for name in names):
        raise InputError(
            "This is a Word document, not a table. Export the table as CSV or Excel and open that.",
            code="file-not-a-table",
        )
    if any(name.startswith("ppt/") for name in names):
        raise InputError(
            "This is a PowerPoint presentation, not a table. Export the table as CSV or Excel and open that.",
            code="file-not-a-table",
        )
    raise InputError("This is a zip archive. Unpack it first and open the file inside.", code="file-is-an-archive")


def _kind_of_ole2(data: bytes) -> str:
    if "EncryptedPackage".encode("utf-16-le") in data:
        raise InputError(
            "This Excel workbook is protected by a password. Remove the password, or save it as CSV, and open that.",
            code="file-has-a-password",
        )
    if "WordDocument".encode("utf-16-le") in data:
        raise InputError(
            "This is a Word document, not a table. Export the table as CSV or Excel and open that.",
            code="file-not-a-table",
        )
    return "xls"


def _refuse_other_binary(data: bytes) -> None:
    if data[257:262] == b"ustar":
        raise InputError("This is a tar archive. Unpack it first and open the file inside.", code="file-is-an-archive")
    if data[8:12] == b"DUCK":
        raise InputError(f"This is a DuckDB database. {_EXPORT}", code="file-not-a-table")
    if data[128:132] == b"DICM":
        raise InputError(f"This is a DICOM image, not a table. {_EXPORT}", code="file-not-a-table")
    if data[4:8] == b"ftyp":
        raise InputError(f"This is a video, not a table. {_EXPORT}", code="file-not-a-table")
    if data[:1] == b"\x80" and data[1:2] in (b"\x02", b"\x03", b"\x04", b"\x05") and data[-2:].rstrip().endswith(b"."):
        raise InputError(
            f"This is a Python pickle, which can run code when opened, so it is never opened. {_EXPORT}",
            code="file-not-a-table",
        )
    if data[:2] == b"MZ" and not _is_text(data):
        raise InputError(f"This is a program, not a table. {_EXPORT}", code="file-not-a-table")
    if not _is_text(data):
        raise InputError(
            f"This is not a text file and not a table format known here. {_EXPORT}", code="file-not-a-table"
        )


def _is_text(data: bytes) -> bool:
    """Whether the first bytes are text: few control characters (a stray zero byte in a text is not a binary file)."""
    head = data[:65536]
    if head.startswith((b"\xff\xfe", b"\xfe\xff", b"\x00\x00\xfe\xff")):
        return True
    zeros = head[0::2].count(0), head[1::2].count(0)
    if min(zeros) <= 0.05 * len(head) / 2 and max(zeros) > 0.4 * len(head) / 2:
        return True  # UTF-16
    if zero_pattern(head) is not None:
        return True
    control = len(head) - len(head.translate(None, bytes([*range(9), *range(14, 28)])))
    if control > 0.25 * len(head):
        return False
    try:
        head.decode("utf-8")
    except UnicodeDecodeError as error:
        return error.start > len(head) - 4 or control <= 0.02 * len(head)
    return True


def _refuse_markup(data: bytes) -> None:
    head = data[:4096]
    for encoding in ("utf-8-sig", "utf-16") if head[:2] in (b"\xff\xfe", b"\xfe\xff") else ("utf-8-sig",):
        text = head.decode(encoding, errors="ignore")
        if _HTML.match(text):
            raise InputError(f"This is a web page (HTML), not a table. {_EXPORT}", code="file-not-a-table")
        if text.lstrip().startswith("<?xml"):
            raise InputError(f"This is an XML document, not a table. {_EXPORT}", code="file-not-a-table")
        if _JSON.match(text):
            raise InputError(f"This is JSON, not a table of rows and columns. {_EXPORT}", code="file-not-a-table")


def display_name(name: str | None, longest: int = 120) -> str:
    """A file name to show: the last part of a path, without control, direction or invisible characters.

    It is a label, still untrusted text, and never a path to open.

    Parameters
    ----------
    name : str | None
        As it was given; None: it has none.
    longest : int, default 120
        Characters that are shown at most.

    Returns
    -------
    str
    """
    text = _DIRECTIONS.sub("", unicodedata.normalize("NFC", name or "")).replace("\\", "/")
    text = "".join(
        " " if unicodedata.category(character) in ("Cc", "Cs", "Zl", "Zp") else character for character in text
    )
    text = " ".join(text.rsplit("/", 1)[-1].split())
    if len(text) > longest:
        stem, _, ending = text.rpartition(".")
        keep = longest - 1 - (len(ending) + 1 if stem and len(ending) <= 8 else 0)
        text = text[:keep] + "…" + (f".{ending}" if stem and len(ending) <= 8 else "")
    return text if text.strip(".") else "unnamed"

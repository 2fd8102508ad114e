"""Public health-related data sets, fetched from the UCI Machine Learning Repository when the officer asks.

Nothing is fetched unless :func:`load_public` is called, and nothing but the address of a file is sent.
A file is kept in a cache folder as it came and its SHA-256 is compared with the one below each time it is read.
The checksums of Adult and cervical cancer are computed from the files; those of diabetes and heart disease are the
ones that many independent users of the files have published.
"""

from __future__ import annotations

import csv
import hashlib
import io
import os
import tempfile
import urllib.request
import zipfile
import zlib
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from http.client import HTTPException
from pathlib import Path
from types import MappingProxyType
from urllib.parse import urlsplit

from anonlib.basics.errors import InputError

Opener = Callable[[str], bytes]
"""Fetches an address and returns the bytes found there; raises OSError when it cannot."""

MAX_BYTES = 64 * 2**20
"""Nothing larger is downloaded or unpacked; the largest of the files has 19 million bytes."""

TIMEOUT = 30.0
"""Seconds without an answer after which an address is given up."""

_UCI = "https://archive.ics.uci.edu"


@dataclass(frozen=True)
class PublicData:
    """One public data set.

    Attributes
    ----------
    key : str
        Short name, also the name of its folder in the cache.
    title : str
        Its name on screen.
    urls : tuple[str, ...]
        Addresses tried in this order; each gives the file or a zip archive that holds it.
    member : str
        The file's name.
    sha256 : str
        Of the file's bytes, 64 hexadecimal digits.
    rows : int
        records.
    columns : tuple[str, ...], default ()
        Names for a file without a header line; empty when it has one.
    page : str
        Where people read about it.
    licence : str, default "CC BY 4.0"
        Under which terms.
    """

    key: str
    title: str
    urls: tuple[str, ...]
    member: str
    sha256: str
    rows: int
    page: str
    columns: tuple[str, ...] = ()
    licence: str = "CC BY 4.0"


_ADULT_COLUMNS = """age workclass fnlwgt education education_num marital_status occupation relationship race sex
capital_gain capital_loss hours_per_week native_country salary"""
_HEART_COLUMNS = "age sex cp trestbps chol fbs restecg thalach exang oldpeak slope ca thal num"

PUBLIC_DATA: Mapping[str, PublicData] = MappingProxyType(
    {
        entry.key: entry
        for entry in (
            PublicData(
                key="adult",
                title="Adult (census income)",
                urls=(
                    f"{_UCI}/static/public/2/adult.zip",
                    f"{_UCI}/ml/machine-learning-databases/adult/adult.data",
                ),
                member="adult.data",
                sha256="5b00264637dbfec36bdeaab5676b0b309ff9eb788d63554ca0a249491c86603d",
                rows=32_561,
                page=f"{_UCI}/dataset/2/adult",
                # B. Becker, R. Kohavi (1996). Adult. UCI Machine Learning Repository, doi:10.24432/C5XW20.
                columns=tuple(_ADULT_COLUMNS.split()),
            ),
            PublicData(
                key="diabetes",
                title="Diabetes in 130 US hospitals, 1999-2008",
                urls=(
                    f"{_UCI}/static/public/296/diabetes+130-us+hospitals+for+years+1999-2008.zip",
                    f"{_UCI}/ml/machine-learning-databases/00296/dataset_diabetes.zip",
                ),
                member="diabetic_data.csv",
                sha256="0689e7ec031237dc63031b938805c48377748761a3b26acab621567afa24df97",
                rows=101_766,
                page=f"{_UCI}/dataset/296/diabetes+130-us+hospitals+for+years+1999-2008",
                # J. Clore, K. Cios, J. DeShazo, B. Strack (2014). Diabetes 130-US Hospitals for Years
                # 1999-2008. UCI Machine Learning Repository, doi:10.24432/C5230J.
            ),
            PublicData(
                key="cervical_cancer",
                title="Cervical cancer (risk factors)",
                urls=(
                    f"{_UCI}/static/public/383/cervical+cancer+risk+factors.zip",
                    f"{_UCI}/ml/machine-learning-databases/00383/risk_factors_cervical_cancer.csv",
                ),
                member="risk_factors_cervical_cancer.csv",
                sha256="8df193ad5c9ff4288fb4c401eef70dcd2cbda404ce7f82ac74c68cfc960ab063",
                rows=858,
                page=f"{_UCI}/dataset/383/cervical+cancer+risk+factors",
                # K. Fernandes, J. Cardoso, J. Fernandes (2017). Cervical Cancer (Risk Factors). UCI Machine
                # Learning Repository, doi:10.24432/C5Z310.
            ),
            PublicData(
                key="heart_disease",
                title="Heart disease (Cleveland)",
                urls=(
                    f"{_UCI}/static/public/45/heart+disease.zip",
                    f"{_UCI}/ml/machine-learning-databases/heart-disease/processed.cleveland.data",
                ),
                member="processed.cleveland.data",
                sha256="a74b7efa387bc9d108d7d0115d831fe9b414b29ae7124f331b622b4efa0427c8",
                rows=303,
                page=f"{_UCI}/dataset/45/heart+disease",
                # A. Janosi, W. Steinbrunn, M. Pfisterer, R. Detrano (1989). Heart Disease. UCI Machine Learning
                # Repository, doi:10.24432/C52P4X.
                columns=tuple(_HEART_COLUMNS.split()),
            ),
        )
    }
)
"""The data sets that can be loaded, by key."""


def cache_folder() -> Path:
    """The folder in which downloaded files are kept.

    Returns
    -------
    Path
        ``ANONSCOPE_CACHE`` if that is set, else ``anonscope`` in the platform's cache folder: ``%LOCALAPPDATA%`` on
        Windows, ``$XDG_CACHE_HOME`` or ``~/.cache`` elsewhere.
    """
    if chosen := os.environ.get("ANONSCOPE_CACHE"):
        return Path(chosen).expanduser()
    if os.name == "nt":
        base = os.environ.get("LOCALAPPDATA") or Path.home() / "AppData" / "Local"
    else:
        base = os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache"
    return Path(base) / "anonscope"


def load_public(key: str, cache_dir: str | Path | None = None, *, opener: Opener | None = None) -> bytes:
    """A public data set as the bytes of a CSV file with a header line.

    Parameters
    ----------
    key : str
        One of :data:`PUBLIC_DATA`.
    cache_dir : str | Path, optional
        Where files are kept; :func:`cache_folder` by default. A file put there by hand, in the folder named by the key,
        is used as if downloaded: the data file itself or the zip archive.
    opener : Opener, optional
        Fetches an address; an ordinary HTTPS request by default.

    Raises
    ------
    InputError
        For an unknown key, when no address can be reached, and when a file does not have the expected SHA-256. A kept
        file with a wrong checksum is left as it is, and never used.
    """
    data = PUBLIC_DATA.get(key)
    if data is None:
        raise InputError(
            f"There is no public data set of that name. Choose one of: {', '.join(PUBLIC_DATA)}.", code="choice-unknown"
        )
    folder = Path(cache_dir or cache_folder()) / data.key
    content = _kept(data, folder)
    if content is None:
        content = _downloaded(data, folder, opener or _fetch)
        _keep(content, folder / data.member)
    return _with_header(data, content)


def _kept(data: PublicData, folder: Path) -> bytes | None:
    """The data file from the cache, verified; None when there is none."""
    for name in (data.member, *(_file_name(url) for url in data.urls)):
        try:
            content = _unpacked(data, (folder / name).read_bytes())
        except OSError:
            continue
        if content is None or not _is_genuine(data, content):
            raise InputError(
                f"The kept copy of “{data.title}” is not the published file: its checksum is wrong. "
                f"Delete {folder / name} and ask for the data set again.",
                code="checksum-wrong",
            )
        return content
    return None


def _downloaded(data: PublicData, folder: Path, opener: Opener) -> bytes:
    """The data file from the first address that gives it, verified."""
    wrong = False
    for url in data.urls:
        try:
            content = _unpacked(data, opener(url))
        except (OSError, HTTPException):
            continue
        if content is not None and _is_genuine(data, content):
            return content
        wrong = True
    hosts = " and ".join(sorted({urlsplit(url).netloc for url in data.urls}))
    problem = (
        f"what {hosts} sent is not the published file (its checksum is wrong), so nothing was kept"
        if wrong
        else f"{hosts} did not send it (no connection, or the file has moved)"
    )
    raise InputError(
        f"“{data.title}” could not be downloaded: {problem}. Tried {' and '.join(data.urls)}. "
        f"To go on by hand, download {data.urls[0]} with a browser on a connected machine and save it in {folder}, "
        f"or take {data.member} out of it and open that file as your data.",
        code="download-failed",
    ) from None


def _fetch(url: str) -> bytes:
    with urllib.request.urlopen(url, timeout=TIMEOUT) as answer:
        content: bytes = answer.read(MAX_BYTES + 1)
    if len(content) > MAX_BYTES:
        raise OSError("too large")
    return content


def _unpacked(data: PublicData, content: bytes) -> bytes | None:
    """The data file out of a zip archive, or the content itself when that is no archive; None when it is not there."""
    if not content.startswith(b"PK\x03\x04"):
        return content
    try:
        with zipfile.ZipFile(io.BytesIO(content)) as archive:
            for entry in archive.infolist():
                if entry.filename.rsplit("/", 1)[-1] == data.member and entry.file_size <= MAX_BYTES:
                    return archive.read(entry)
    except (zipfile.BadZipFile, zlib.error, RuntimeError, NotImplementedError, EOFError):
        return None
    return None


def _is_genuine(data: PublicData, content: bytes) -> bool:
    return hashlib.sha256(content).hexdigest() == data.sha256


def _file_name(url: str) -> str:
    return urlsplit(url).path.rsplit("/", 1)[-1]


def _keep(content: bytes, path: Path) -> None:
    """Write the file whole or not at all. A cache that cannot be written to only means another download next time."""
    with suppress(OSError):
        path.parent.mkdir(parents=True, exist_ok=True)
        handle, temporary = tempfile.mkstemp(dir=path.parent, suffix=".part")
        try:
            with os.fdopen(handle, "wb") as file:
                file.write(content)
            os.replace(temporary, path)
        except OSError:
            Path(temporary).unlink(missing_ok=True)


def _with_header(data: PublicData, content: bytes) -> bytes:
    """The file as CSV: a header line where it has none, no blanks after commas, no empty lines at its end."""
    if not data.columns:
        return content
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(data.columns)
    lines = io.StringIO(content.decode("ascii"), newline="")
    writer.writerows(row for row in csv.reader(lines, skipinitialspace=True) if row)
    return text.getvalue().encode()

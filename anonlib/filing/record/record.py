"""The record of a released data set for a catalogue under the EHDS regulation, as the files of one zip."""

from __future__ import annotations

import io
import zipfile
from datetime import date

from anonlib.basics.errors import InputError
from anonlib.filing.evidence import Evidence
from anonlib.filing.project import Opened
from anonlib.filing.record import dataset, dictionary
from anonlib.filing.record.dataset import OnRecord, lacking

DATASET, DICTIONARY, TABLE, README = "dataset.jsonld", "dictionary.json", "dictionary.csv", "README.txt"
_FIRST_YEAR = 1980  # that a zip can name
_WHAT_THEY_ARE = f"""\
{DATASET}: the data set for a catalogue, as DCAT-AP and HealthDCAT-AP describe it, in JSON-LD.
{DICTIONARY}, {TABLE}: its columns, and their values that at least {{so_many}} share.
{dictionary.SAMPLE}: {{sample}}
"""


def record_files(opened: Opened, evidence: Evidence) -> dict[str, bytes]:
    """The files of the record of a released data set, by name.

    They hold no value that fewer records (persons) share than evidence asks for, and no record: anybody may read them.

    Parameters
    ----------
    opened : Opened
        The project on its files.
    evidence : Evidence
        As gathered of it. What its case does not say is left out (:func:`what_lacks`); nothing is invented.

    Returns
    -------
    dict of str to bytes
        ``dataset.jsonld``, ``dictionary.json``, ``dictionary.csv``, ``sample.csv`` and ``README.txt``: the same bytes
        for the same project and evidence.

    Raises
    ------
    InputError
        Where there is none (:func:`why_no_record`).
    """
    if why_not := why_no_record(opened):
        raise InputError(why_not, code="release-stays")
    release = OnRecord(opened, evidence)
    title = evidence.case.title or "The released table"
    readme = _WHAT_THEY_ARE.format(so_many=release.so_many, sample=release.about_the_sample)
    return {
        DATASET: dataset.record_json(release),
        DICTIONARY: dictionary.dictionary_json(release.entries, title, release.about_the_sample),
        TABLE: dictionary.dictionary_csv(release.entries),
        dictionary.SAMPLE: dictionary.sample_csv(release.columns, release.sample),
        README: readme.encode(),
    }


def why_no_record(opened: Opened) -> str:
    """Why no record is made of a release, in a sentence; "" where one is.

    Its dictionary and its mock-up sample are of one table, a row of which has one value a column.

    Parameters
    ----------
    opened : Opened
        The project on its file.

    Returns
    -------
    str
    """
    if opened.data.tables is None:
        return ""
    return (
        "The files of the record describe one table: of several tables, or of lists in cells, none are made. File the "
        "report in this order, and the codebook."
    )


def record_zip(opened: Opened, evidence: Evidence) -> bytes:
    """The record of a released data set as a zip; the parameters and the files are those of :func:`record_files`.

    Its files are dated by the day of the evidence, so that the same project and evidence give the same bytes.

    Parameters
    ----------
    opened : Opened
        The project on its file.
    evidence : Evidence
        What was gathered.

    Returns
    -------
    bytes
    """
    day = date.fromisoformat(evidence.made_on)
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        for name, data in record_files(opened, evidence).items():
            member = zipfile.ZipInfo(name, (max(_FIRST_YEAR, day.year), day.month, day.day, 0, 0, 0))
            member.create_system = 3  # Unix, or the mode is not read
            member.external_attr = 0o644 << 16
            member.compress_type = zipfile.ZIP_DEFLATED
            archive.writestr(member, data)
    return packed.getvalue()


def what_lacks(opened: Opened, evidence: Evidence) -> tuple[str, ...]:
    """What the guides of DCAT-AP and HealthDCAT-AP ask for and the record lacks.

    Parameters
    ----------
    opened : Opened
        The project on its files.
    evidence : Evidence
        As gathered of it.

    Returns
    -------
    tuple of str
        A sentence each, which names the property and the field of the case, or another way, that would give it; what
        is required comes first.
    """
    release = OnRecord(opened, evidence)
    return lacking(release, dataset.dataset(release))

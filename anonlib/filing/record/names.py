"""The names that a record is written with. They look like addresses; nothing is ever fetched from them."""

from __future__ import annotations

CONTEXT = {
    "adms": "http://www.w3.org/ns/adms#",
    "csvw": "http://www.w3.org/ns/csvw#",
    "cv": "http://data.europa.eu/m8g/",
    "dcat": "http://www.w3.org/ns/dcat#",
    "dcatap": "http://data.europa.eu/r5r/",
    "dct": "http://purl.org/dc/terms/",
    "dpv": "https://w3id.org/dpv#",
    "eli": "http://data.europa.eu/eli/ontology#",
    "foaf": "http://xmlns.com/foaf/0.1/",
    "geodcatap": "http://data.europa.eu/930/",
    "healthdcatap": "http://healthdataportal.eu/ns/health#",
    "rdfs": "http://www.w3.org/2000/01/rdf-schema#",
    "skos": "http://www.w3.org/2004/02/skos/core#",
    "spdx": "http://spdx.org/rdf/terms#",
    "vcard": "http://www.w3.org/2006/vcard/ns#",
    "xsd": "http://www.w3.org/2001/XMLSchema#",
}
"""What the beginnings of names stand for, as it is written into the record."""
CSVW = "http://www.w3.org/ns/csvw"
"""By which a data dictionary says that it is one of CSV on the Web; the standard asks for the name."""
EHDS = "http://data.europa.eu/eli/reg/2025/327/oj"
"""The regulation on the European Health Data Space."""
SHA256 = "http://spdx.org/rdf/terms#checksumAlgorithm_sha256"
TEXT_CSV = "http://www.iana.org/assignments/media-types/text/csv"

_EU = "http://publications.europa.eu/resource/authority"
ACCESS_RIGHT = f"{_EU}/access-right"
CSV = f"{_EU}/file-type/CSV"
DATA_THEME = f"{_EU}/data-theme"
HEALTH = f"{DATA_THEME}/HEAL"

_HEALTH_DATA = "https://hdeu-dcat.data.health.europa.eu/resource/authority"
CATEGORIES = f"{_HEALTH_DATA}/healthcategories"
CODING_SYSTEMS = f"{_HEALTH_DATA}/coding-system"

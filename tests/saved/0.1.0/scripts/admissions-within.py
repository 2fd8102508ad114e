"""Makes the release of admissions.csv again, and its evidence. Written by Anonscope 0.1.0 on 2026-11-22.

Keep this where the original is: the project in it names values of columns that may be known, and it has the seed of
the rows' order. Needs Anonscope's library (pip install anonscope, or its folder on PYTHONPATH).

    python SCRIPT.py admissions.csv [FOLDER]
"""

import sys
from datetime import date
from hashlib import sha256
from pathlib import Path

from anonlib.evidence import PARTS, gather, released_file, to_json
from anonlib.project import LoadedFile, Project, open_project, read_population

# The recipient: Within the organisation. The release must meet:
#   No column of names, numbers or addresses of persons leaves, and no cell that looks like one or holds one.
#   At most 20% of the persons can be expected to be re-identified.
#   At least 2 persons share any 2 known facts, but for at most 1% of them.
#   Someone who knows any 1 fact, other sensitive columns among them, of a person is certain of a sensitive value for at most 1% of the persons, in each sensitive column.
#   At least 98% of the persons are kept.
# The recipe:
#   1. Recode age: intervals of 20, 90 and above together
#   2. Recode zip: first 3 characters kept
#   3. Recode admission_date: dates to quarter


def main(file: str, folder: str = ".") -> None:
    """Read the file, apply the recipe, check the criteria, and write the release and its evidence."""
    original = Path(file).read_bytes()
    if sha256(original).hexdigest() != FILE:
        print("This is another file than the release was made of: everything is assessed again.")
    project = Project.from_json(PROJECT)
    population = None
    opened = open_project(project, LoadedFile.of(original, Path(file).name), population)
    print(opened.verdict.says)
    if opened.applied.why_not:
        sys.exit(opened.applied.why_not)
    release = released_file(opened)
    evidence = gather(opened, parts=(), target='', people=None, who='A. Officer', on=date(2026, 11, 22))
    stem = Path(file).stem
    (Path(folder) / f"{stem}-released.csv").write_bytes(release)
    (Path(folder) / f"{stem}-evidence.json").write_text(to_json(evidence), encoding="utf-8")
    same = sha256(release).hexdigest() == RELEASE
    print("The release is the same, byte by byte." if same else "The release is not the same as the first one.")


# SHA-256 of the original and of the release.
FILE = "df3a74b071f77d39f0bd7e226f7b6394d047b86412ac569a3abe50846ae14b0d"
RELEASE = "54609a294702a5a4d8a444ad4fc0a928a1fd583cb74a386c79d25a6d39ce3f04"
PROJECT = "\n".join([
    '{',
    ' "format": "anonscope-project",',
    ' "version": 1,',
    ' "anonscope": "0.1.0",',
    ' "file": {',
    '  "sha256": "df3a74b071f77d39f0bd7e226f7b6394d047b86412ac569a3abe50846ae14b0d",',
    '  "name": "admissions.csv",',
    '  "records": 5000,',
    '  "columns": [',
    '   "patient_name",',
    '   "medical_record_number",',
    '   "age",',
    '   "sex",',
    '   "zip",',
    '   "race",',
    '   "admission_date",',
    '   "department",',
    '   "diagnosis",',
    '   "insurance",',
    '   "length_of_stay",',
    '   "outcome"',
    '  ],',
    '  "read": {',
    '   "encoding": null,',
    '   "delimiter": null,',
    '   "header": null,',
    '   "skip_rows": null,',
    '   "skip_footer": null,',
    '   "sheet": null,',
    '   "quote": null,',
    '   "fill_short_rows": false,',
    '   "keep_lines": false',
    '  },',
    '  "missing_marks": [',
    '   "",',
    '   "?",',
    '   "NA"',
    '  ],',
    '  "missing_marks_of_columns": [],',
    '  "merged_spellings": []',
    ' },',
    ' "roles": {',
    '  "patient_name": "identifier",',
    '  "medical_record_number": "person_id",',
    '  "age": "quasi_identifier",',
    '  "sex": "quasi_identifier",',
    '  "zip": "quasi_identifier",',
    '  "race": "quasi_identifier",',
    '  "admission_date": "quasi_identifier",',
    '  "department": "other",',
    '  "diagnosis": "sensitive",',
    '  "insurance": "other",',
    '  "length_of_stay": "other",',
    '  "outcome": "sensitive"',
    ' },',
    ' "missing": "category",',
    ' "population": null,',
    ' "population_columns": {},',
    ' "areas": null,',
    ' "aim": {',
    '  "recipient": "within",',
    '  "criteria": [',
    '   {',
    '    "kind": "no_identifiers",',
    '    "source": ""',
    '   },',
    '   {',
    '    "kind": "average_risk",',
    '    "limit": 0.2,',
    '    "source": "The average risk is for controlled release (ISO/IEC 27559:2022, 7.3.2); 0.2 by El Emam (2013)."',
    '   },',
    '   {',
    '    "kind": "combinations",',
    '    "known": 2,',
    '    "least": 2,',
    '    "most": 0.01,',
    '    "source": "Unicity (de Montjoye et al. 2013); the limits are Anonscope\'s."',
    '   },',
    '   {',
    '    "kind": "inference",',
    '    "known": 1,',
    '    "p": 0.0,',
    '    "most": 0.01,',
    '    "knows": "other_sensitive",',
    '    "column": "",',
    '    "source": "The attacker of LKC-privacy (Mohammed et al. 2009) and of Kroes et al. (2021); the limits are Anonscope\'s."',
    '   },',
    '   {',
    '    "kind": "records_kept",',
    '    "least": 0.98,',
    '    "source": "A usual bound on what is left out; Anonscope\'s."',
    '   }',
    '  ],',
    '  "accepted": [],',
    '  "harmless": {',
    '   "outcome": [',
    '    "Home"',
    '   ]',
    '  },',
    '  "fixed": [],',
    '  "weights": {},',
    '  "droppable": [],',
    '  "leaves_anyway": ""',
    ' },',
    ' "unknowable": [',
    '  "length_of_stay",',
    '  "department",',
    '  "insurance"',
    ' ],',
    ' "k": 5,',
    ' "threshold": null,',
    ' "recipe": [',
    '  {',
    '   "kind": "recode",',
    '   "column": "age",',
    '   "recoding": {',
    '    "kind": "intervals",',
    '    "width": 20.0,',
    '    "start": 0.0,',
    '    "bottom": null,',
    '    "top": 90.0,',
    '    "cuts": []',
    '   },',
    '   "others": "ask",',
    '   "kept": [],',
    '   "reason": "for the verdict",',
    '   "enabled": true',
    '  },',
    '  {',
    '   "kind": "recode",',
    '   "column": "zip",',
    '   "recoding": {',
    '    "kind": "mask",',
    '    "keep": 3,',
    '    "side": "start",',
    '    "fill": "*",',
    '    "length": 5',
    '   },',
    '   "others": "ask",',
    '   "kept": [],',
    '   "reason": "for the verdict",',
    '   "enabled": true',
    '  },',
    '  {',
    '   "kind": "recode",',
    '   "column": "admission_date",',
    '   "recoding": {',
    '    "kind": "date",',
    '    "unit": "quarter"',
    '   },',
    '   "others": "ask",',
    '   "kept": [],',
    '   "reason": "for the verdict",',
    '   "enabled": true',
    '  }',
    ' ],',
    ' "variants": [],',
    ' "hierarchies": {},',
    ' "orders": {},',
    ' "earlier_releases": [],',
    ' "keep_inside": {',
    '  "seed": "3ea"',
    ' }',
    '}',
])

if __name__ == "__main__":
    main(*sys.argv[1:])

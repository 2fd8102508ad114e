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

# The recipient: Safe Harbor. The release must meet:
#   No column of names, numbers or addresses of persons leaves, and no cell that looks like one or holds one.
#   No age over 89, no date finer than a year, no place of fewer than 20,000 people, and none of the other kinds of identifiers that the rule lists.
# The recipe:
#   nothing


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
RELEASE = "09286e2536c1e42aac538e35fee50463e278618d1924aef61ca6e866ae7db0c5"
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
    '  "recipient": "safe_harbor",',
    '  "criteria": [',
    '   {',
    '    "kind": "no_identifiers",',
    '    "source": ""',
    '   },',
    '   {',
    '    "kind": "safe_harbor",',
    '    "source": "45 CFR 164.514(b)(2)(i)."',
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
    ' "recipe": [],',
    ' "variants": [],',
    ' "hierarchies": {},',
    ' "orders": {},',
    ' "earlier_releases": [],',
    ' "keep_inside": {',
    '  "seed": "3eb"',
    ' }',
    '}',
])

if __name__ == "__main__":
    main(*sys.argv[1:])

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

# The recipient: Own criteria. The release must meet:
#   No column of names, numbers or addresses of persons leaves, and no cell that looks like one or holds one.
#   At least 5 persons share every combination of what may be known (k = 5).
#   At least 5 persons share every value of a sensitive column that is released.
# The recipe:
#   1. Recode diagnosis: chapters of ICD-10 diagnosis codes
#   2. Recode zip: first 2 characters kept
#   3. Merge values of insurance that fewer than 50 have along its hierarchy


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
RELEASE = "7bc5dc8e43fc168238ef9f824e1c5094c287bab736cfefcfbd83370d6941cd50"
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
    '  "recipient": "own",',
    '  "criteria": [',
    '   {',
    '    "kind": "no_identifiers",',
    '    "source": ""',
    '   },',
    '   {',
    '    "kind": "smallest_class",',
    '    "k": 5,',
    '    "source": ""',
    '   },',
    '   {',
    '    "kind": "rare_values",',
    '    "least": 5,',
    '    "column": "",',
    '    "source": ""',
    '   }',
    '  ],',
    '  "accepted": [],',
    '  "harmless": {},',
    '  "fixed": [],',
    '  "weights": {},',
    '  "droppable": [],',
    '  "leaves_anyway": ""',
    ' },',
    ' "unknowable": [],',
    ' "k": 5,',
    ' "threshold": null,',
    ' "recipe": [',
    '  {',
    '   "kind": "recode",',
    '   "column": "diagnosis",',
    '   "recoding": {',
    '    "kind": "code",',
    '    "system": "icd-10",',
    '    "level": "chapters"',
    '   },',
    '   "others": "ask",',
    '   "kept": [],',
    '   "reason": "",',
    '   "enabled": true',
    '  },',
    '  {',
    '   "kind": "recode",',
    '   "column": "zip",',
    '   "recoding": {',
    '    "kind": "mask",',
    '    "keep": 2,',
    '    "side": "start",',
    '    "fill": "*",',
    '    "length": 5',
    '   },',
    '   "others": "ask",',
    '   "kept": [],',
    '   "reason": "",',
    '   "enabled": true',
    '  },',
    '  {',
    '   "kind": "merge_rare",',
    '   "column": "insurance",',
    '   "k": 50,',
    '   "other": "other",',
    '   "levels": [',
    '    {',
    '     "kind": "mapping",',
    '     "labels_of": [],',
    '     "otherwise": "*",',
    '     "missing": "*",',
    '     "between": false,',
    '     "beyond": false',
    '    }',
    '   ],',
    '   "reason": "",',
    '   "enabled": true',
    '  }',
    ' ],',
    ' "variants": [],',
    ' "hierarchies": {},',
    ' "orders": {},',
    ' "earlier_releases": [],',
    ' "keep_inside": {',
    '  "seed": "b"',
    ' }',
    '}',
])

if __name__ == "__main__":
    main(*sys.argv[1:])

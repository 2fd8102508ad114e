"""Makes the release of admissions_population.csv again, and its evidence. Written by Anonscope 0.1.0 on 2026-11-22.

Keep this where the original is: the project in it names values of columns that may be known, and it has the seed of
the rows' order. Needs Anonscope's library (pip install anonscope, or its folder on PYTHONPATH).

    python SCRIPT.py admissions_population.csv [FOLDER]
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
#   1. Recode zip: first 3 characters kept
#   2. Recode age: intervals of 10
#   3. Suppress records in classes below 5


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
FILE = "00ef27bbf6d8ac30c1e017c90f15f542b53b1c2c1d405c9fe75e5a6ca090af04"
RELEASE = "71f346a8b1b641adf0a62cb7f55a3c933b852d458fcebdc0bcba9e9fec318bff"
PROJECT = "\n".join([
    '{',
    ' "format": "anonscope-project",',
    ' "version": 1,',
    ' "anonscope": "0.1.0",',
    ' "file": {',
    '  "sha256": "00ef27bbf6d8ac30c1e017c90f15f542b53b1c2c1d405c9fe75e5a6ca090af04",',
    '  "name": "admissions_population.csv",',
    '  "records": 15206,',
    '  "columns": [',
    '   "age",',
    '   "sex",',
    '   "zip",',
    '   "race",',
    '   "people"',
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
    '  "age": "quasi_identifier",',
    '  "sex": "quasi_identifier",',
    '  "zip": "place",',
    '  "race": "sensitive",',
    '  "people": "weight"',
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
    '   "reason": "",',
    '   "enabled": true',
    '  },',
    '  {',
    '   "kind": "recode",',
    '   "column": "age",',
    '   "recoding": {',
    '    "kind": "intervals",',
    '    "width": 10.0,',
    '    "start": 0.0,',
    '    "bottom": null,',
    '    "top": null,',
    '    "cuts": []',
    '   },',
    '   "others": "ask",',
    '   "kept": [],',
    '   "reason": "",',
    '   "enabled": true',
    '  },',
    '  {',
    '   "kind": "suppress",',
    '   "k": 5,',
    '   "reason": "",',
    '   "enabled": true',
    '  }',
    ' ],',
    ' "variants": [],',
    ' "hierarchies": {},',
    ' "orders": {},',
    ' "earlier_releases": [],',
    ' "keep_inside": {',
    '  "seed": "a"',
    ' }',
    '}',
])

if __name__ == "__main__":
    main(*sys.argv[1:])

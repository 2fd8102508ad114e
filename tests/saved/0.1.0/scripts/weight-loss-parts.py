"""Makes the release of weight_loss.csv again, and its evidence. Written by Anonscope 0.1.0 on 2026-11-22.

Keep this where the original is: the project in it names values of columns that may be known, and it has the seed of
the rows' order. Needs Anonscope's library (pip install anonscope, or its folder on PYTHONPATH).

    python SCRIPT.py weight_loss.csv [FOLDER]
"""

import sys
from datetime import date
from hashlib import sha256
from pathlib import Path

from anonlib.evidence import PARTS, gather, released_file, to_json
from anonlib.project import LoadedFile, Project, open_project, read_population

# The recipient: Own criteria. The release must meet:
#   At least 2 records share every combination of what may be known (k = 2).
#   No class is further than 0.5 from the whole release in any sensitive column, all values equally far apart.
# The recipe:
#   1. Drop weight
#   2. Generalize age, zip part by part to k = 2 on age, zip (weights: age 2)


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
    evidence = gather(opened, parts=PARTS, target='', people=None, who='A. Officer', on=date(2026, 11, 22))
    stem = Path(file).stem
    (Path(folder) / f"{stem}-released.csv").write_bytes(release)
    (Path(folder) / f"{stem}-evidence.json").write_text(to_json(evidence), encoding="utf-8")
    same = sha256(release).hexdigest() == RELEASE
    print("The release is the same, byte by byte." if same else "The release is not the same as the first one.")


# SHA-256 of the original and of the release.
FILE = "838fceb42746fdeea0b368f39a7341ef12ee414f16baebac349ae0529f1adb33"
RELEASE = "7b4d4c71b3e45fa86324f1bc86f41864c704964cc8067b7ddb751bbd40cde9da"
PROJECT = "\n".join([
    '{',
    ' "format": "anonscope-project",',
    ' "version": 1,',
    ' "anonscope": "0.1.0",',
    ' "file": {',
    '  "sha256": "838fceb42746fdeea0b368f39a7341ef12ee414f16baebac349ae0529f1adb33",',
    '  "name": "weight_loss.csv",',
    '  "records": 60,',
    '  "columns": [',
    '   "sex",',
    '   "alcohol_consumption",',
    '   "age",',
    '   "zip",',
    '   "weight",',
    '   "race",',
    '   "genetic_risk"',
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
    '  "sex": "quasi_identifier",',
    '  "alcohol_consumption": "quasi_identifier",',
    '  "age": "quasi_identifier",',
    '  "zip": "quasi_identifier",',
    '  "weight": "other",',
    '  "race": "quasi_identifier",',
    '  "genetic_risk": "sensitive"',
    ' },',
    ' "missing": "drop",',
    ' "population": null,',
    ' "population_columns": {},',
    ' "areas": null,',
    ' "aim": {',
    '  "recipient": "own",',
    '  "criteria": [',
    '   {',
    '    "kind": "smallest_class",',
    '    "k": 2,',
    '    "source": ""',
    '   },',
    '   {',
    '    "kind": "closeness",',
    '    "t": 0.5,',
    '    "distance": "equal",',
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
    ' "k": 2,',
    ' "threshold": null,',
    ' "recipe": [',
    '  {',
    '   "kind": "drop_columns",',
    '   "columns": [',
    '    "weight"',
    '   ],',
    '   "reason": "",',
    '   "enabled": true',
    '  },',
    '  {',
    '   "kind": "generalize_locally",',
    '   "hierarchies": [',
    '    {',
    '     "column": "age",',
    '     "levels": [',
    '      {',
    '       "kind": "intervals",',
    '       "width": 5.0,',
    '       "start": 0.0,',
    '       "bottom": null,',
    '       "top": null,',
    '       "cuts": []',
    '      },',
    '      {',
    '       "kind": "intervals",',
    '       "width": 10.0,',
    '       "start": 0.0,',
    '       "bottom": null,',
    '       "top": null,',
    '       "cuts": []',
    '      },',
    '      {',
    '       "kind": "intervals",',
    '       "width": 20.0,',
    '       "start": 0.0,',
    '       "bottom": null,',
    '       "top": null,',
    '       "cuts": []',
    '      },',
    '      {',
    '       "kind": "mapping",',
    '       "labels_of": [],',
    '       "otherwise": "*",',
    '       "missing": "*",',
    '       "between": false,',
    '       "beyond": false',
    '      }',
    '     ]',
    '    },',
    '    {',
    '     "column": "zip",',
    '     "levels": [',
    '      {',
    '       "kind": "code",',
    '       "system": "us-zip",',
    '       "level": "four digits"',
    '      },',
    '      {',
    '       "kind": "code",',
    '       "system": "us-zip",',
    '       "level": "states"',
    '      },',
    '      {',
    '       "kind": "mapping",',
    '       "labels_of": [],',
    '       "otherwise": "*",',
    '       "missing": "*",',
    '       "between": false,',
    '       "beyond": false',
    '      }',
    '     ]',
    '    }',
    '   ],',
    '   "requirements": [',
    '    {',
    '     "attributes": [',
    '      "age",',
    '      "zip"',
    '     ],',
    '     "k": 2',
    '    }',
    '   ],',
    '   "rules": [],',
    '   "suppression_limit": 0.5,',
    '   "kept": [],',
    '   "column_weights": {',
    '    "age": 2.0',
    '   },',
    '   "reason": "",',
    '   "enabled": true',
    '  }',
    ' ],',
    ' "variants": [],',
    ' "hierarchies": {},',
    ' "orders": {},',
    ' "earlier_releases": [],',
    ' "keep_inside": {',
    '  "seed": "7"',
    ' }',
    '}',
])

if __name__ == "__main__":
    main(*sys.argv[1:])

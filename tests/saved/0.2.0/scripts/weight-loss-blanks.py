"""Makes the release of weight_loss.csv again, and its evidence. Written by Anonscope 0.2.0 on 2026-11-26.

Keep this where the original is: the project in it names values of columns that may be known, and it has the seed of
the rows' order. It writes nothing where the verdict is against it and nobody wrote why it leaves all the same. Needs
Anonscope's library (pip install anonscope, or its folder on PYTHONPATH).

    python SCRIPT.py weight_loss.csv [FOLDER]
"""

import sys
from datetime import date
from hashlib import sha256
from pathlib import Path

from anonlib.evidence import PARTS, TwoFolders, gather, released_file, to_json
from anonlib.project import LoadedFile, Project, open_project, read_population

# The recipient: Under contract. The release must meet:
#   At least 3 records share every combination of what may be known (k = 3).
#   At least 95% of the records are kept.
# The recipe:
#   1. Leave cells of 5 columns blank: 3 share these


def main(file: str, folder: str = "again") -> None:
    """Read the file, apply the recipe, check the criteria, and write what leaves and what stays into two folders."""
    original = LoadedFile.of(Path(file).read_bytes(), Path(file).name)
    project = Project.from_json(PROJECT)
    population = None
    opened = open_project(project, original, population)
    if opened.data.digest != FILE:
        print("This is another file than the release was made of: everything is assessed again.")
    print(opened.verdict.says)
    if opened.why_it_stays:
        sys.exit(opened.why_it_stays)
    release = released_file(opened)
    evidence = gather(opened, parts=(), target='', people=None, who='A. Officer', on=date(2026, 11, 26))
    stem = Path(file).stem
    stays = {f"{stem}-evidence.json": to_json(evidence).encode()}
    TwoFolders(stem, {f"{stem}-released.csv": release}, stays).write_into(Path(folder), [Path(file)])
    same = sha256(release).hexdigest() == RELEASE
    print("The release is the same, byte by byte." if same else "The release is not the same as the first one.")


# SHA-256 of the original and of the release.
FILE = "838fceb42746fdeea0b368f39a7341ef12ee414f16baebac349ae0529f1adb33"
RELEASE = "e774a8d5f6ba3e9893ffa0400f9a538fe4e463dd8804daef4d605a68b7bb540e"
PROJECT = "\n".join([
    '{',
    ' "format": "anonscope-project",',
    ' "version": 3,',
    ' "anonscope": "0.2.0",',
    ' "case": {},',
    ' "tables": [',
    '  {',
    '   "file": {',
    '    "sha256": "838fceb42746fdeea0b368f39a7341ef12ee414f16baebac349ae0529f1adb33",',
    '    "name": "weight_loss.csv",',
    '    "records": 60,',
    '    "columns": [',
    '     "sex",',
    '     "alcohol_consumption",',
    '     "age",',
    '     "zip",',
    '     "weight",',
    '     "race",',
    '     "genetic_risk"',
    '    ],',
    '    "read": {',
    '     "encoding": null,',
    '     "delimiter": null,',
    '     "header": null,',
    '     "skip_rows": null,',
    '     "skip_footer": null,',
    '     "sheet": null,',
    '     "quote": null,',
    '     "fill_short_rows": false,',
    '     "keep_lines": false',
    '    },',
    '    "missing_marks": [',
    '     "",',
    '     "?",',
    '     "NA"',
    '    ],',
    '    "missing_marks_of_columns": [],',
    '    "merged_spellings": [],',
    '    "described": [],',
    '    "with_labels": false,',
    '    "in_codes": []',
    '   },',
    '   "roles": {',
    '    "sex": "quasi_identifier",',
    '    "alcohol_consumption": "quasi_identifier",',
    '    "age": "quasi_identifier",',
    '    "zip": "quasi_identifier",',
    '    "weight": "other",',
    '    "race": "quasi_identifier",',
    '    "genetic_risk": "sensitive"',
    '   },',
    '   "missing": "category",',
    '   "population": null,',
    '   "population_columns": {},',
    '   "areas": null,',
    '   "unknowable": [',
    '    "weight"',
    '   ],',
    '   "recipe": [',
    '    {',
    '     "kind": "blank_cells",',
    '     "columns": [',
    '      "sex",',
    '      "alcohol_consumption",',
    '      "age",',
    '      "zip",',
    '      "race"',
    '     ],',
    '     "guarantees": [',
    '      {',
    '       "kind": "shared",',
    '       "columns": [',
    '        "sex",',
    '        "alcohol_consumption",',
    '        "age",',
    '        "zip",',
    '        "race"',
    '       ],',
    '       "share": 0.0,',
    '       "known": null,',
    '       "least": 3',
    '      }',
    '     ],',
    '     "left_out_limit": 0.05,',
    '     "reason": "for the verdict",',
    '     "enabled": true',
    '    }',
    '   ],',
    '   "variants": [],',
    '   "hierarchies": {},',
    '   "orders": {},',
    '   "earlier_releases": [',
    '    {',
    '     "recipe": [',
    '      {',
    '       "kind": "blank_cells",',
    '       "columns": [',
    '        "sex",',
    '        "alcohol_consumption",',
    '        "age",',
    '        "zip",',
    '        "race"',
    '       ],',
    '       "guarantees": [',
    '        {',
    '         "kind": "shared",',
    '         "columns": [',
    '          "sex",',
    '          "alcohol_consumption",',
    '          "age",',
    '          "zip",',
    '          "race"',
    '         ],',
    '         "share": 0.0,',
    '         "known": null,',
    '         "least": 3',
    '        }',
    '       ],',
    '       "left_out_limit": 0.05,',
    '       "reason": "for the verdict",',
    '       "enabled": true',
    '      }',
    '     ],',
    '     "sha256": "e774a8d5f6ba3e9893ffa0400f9a538fe4e463dd8804daef4d605a68b7bb540e"',
    '    }',
    '   ]',
    '  }',
    ' ],',
    ' "aim": {',
    '  "recipient": "contract",',
    '  "criteria": [',
    '   {',
    '    "kind": "smallest_class",',
    '    "k": 3,',
    '    "source": "",',
    '    "rows": [',
    '     1,',
    '     "values"',
    '    ]',
    '   },',
    '   {',
    '    "kind": "records_kept",',
    '    "least": 0.95,',
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
    ' "k": 3,',
    ' "threshold": null,',
    ' "keep_inside": {',
    '  "seed": "2c"',
    ' }',
    '}',
])

if __name__ == "__main__":
    main(*sys.argv[1:])

"""``python -m anonlib``: Anonscope without the app."""

import sys

from anonlib.command import main

if __name__ == "__main__":
    sys.exit(main())

"""Set-up as a command."""

import sys

from anonlib.set_up import main

if __name__ == "__main__":  # processes that it starts import this again
    sys.warnoptions.append("ignore:resource_tracker")  # theirs too: where it is ended early, they clear up without words
    sys.exit(main(sys.argv[1:]))

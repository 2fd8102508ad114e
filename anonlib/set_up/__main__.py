"""Set-up as a command."""

import sys

from anonlib.set_up import main

if __name__ == "__main__":  # processes that it starts import this again
    sys.warnoptions.append("ignore:resource_tracker")  # which warns where it clears up after an early end
    sys.exit(main(sys.argv[1:]))

"""What somebody with the released file actually gets: attacks that are run, with their controls and intervals."""

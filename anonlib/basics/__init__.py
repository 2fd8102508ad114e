"""What every module needs: errors, checks, words, thresholds, the disk, machine code."""

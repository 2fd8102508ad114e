"""What the speed claims in docs/benchmarks.md rest on: ``make bench`` measures them again."""

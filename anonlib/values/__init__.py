"""Cells as what they mean: text, numbers, dates, ranges, words with an order, currencies."""

"""Large regular text: every row has its cells and every quotation mark its place, which each byte of it shows."""

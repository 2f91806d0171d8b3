"""Generation of columns from other columns, chosen by their gain on held-out rows."""

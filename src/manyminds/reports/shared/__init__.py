"""What all reports share: figures, pages, number formats and facts on a table."""

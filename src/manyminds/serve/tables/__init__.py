"""Tables: their rows page by page, their columns, and the target."""

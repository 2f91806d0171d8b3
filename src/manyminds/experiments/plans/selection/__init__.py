"""Plans about which columns to keep."""

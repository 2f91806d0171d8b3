"""Anticipative hybrid extreme rotation forests: the table of the slides, and peers."""

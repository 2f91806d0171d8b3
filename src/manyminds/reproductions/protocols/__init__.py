"""Protocols that several papers share, named by author and year."""

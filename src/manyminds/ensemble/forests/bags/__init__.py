"""Bags of members of any kind, and members that ask one of two by an oracle."""

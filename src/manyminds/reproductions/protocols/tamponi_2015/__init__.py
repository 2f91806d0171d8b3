"""E. Tamponi's thesis of 2015: how it prepared tables, and its competitors."""

"""Ensembles that look after odd rows: filters, delegation, separate-and-conquer."""

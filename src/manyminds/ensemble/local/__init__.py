"""Ensembles whose members are trained or weighted by region."""

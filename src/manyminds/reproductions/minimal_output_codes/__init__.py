"""Minimal output codes: as few binary learners as there are bits in a class number."""

from manyminds.reproductions.description import Description

DESCRIPTION = Description(
    name="minimal-output-codes",
    title="Minimal output codes, searched by evolution, against longer codes",
    source="M. A. Bautista, X. Baró, O. Pujol, P. Radeva, J. Vitrià and S. Escalera, "
    "Compact evolutive design of error-correcting output codes, workshop SUEMA, 2010, "
    "tables 1 and 2",
    shows="Whether codes with as few columns as possible, found by a genetic "
    "algorithm, are as accurate as one-vs-all and one-vs-one, and better than the "
    "binary code, as the paper finds. All twelve data sets of table 1 are run, with "
    "500 rows at most, five folds for the paper's ten, and about 40 candidates for "
    "the parameters of each column; the search itself has fixed parameters. Of the "
    "faces of table 2, 610 classes, nothing is available here, nor is any public "
    "set of 100 classes: instead there are letter with 26, pairs of digits with "
    "100, and two generated sets with 100 classes.",
    minutes=8.0,
    quick_minutes=0.5,
    n_folds=432,
)

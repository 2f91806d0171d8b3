"""Multi-resolution complexity: does the index go with the errors of a forest?"""

from manyminds.reproductions.description import Description

DESCRIPTION = Description(
    name="complexity",
    title="Multi-resolution complexity against the errors of a random forest",
    source="E. Tamponi, Dataset Analysis for Classifier Ensemble Enhancement, "
    "doctoral thesis, University of Cagliari, 2015, chapter 3",
    shows="Whether clusters of samples that look hard by their neighborhoods alone "
    "have the higher error rates. r² of a few clusters depends on which "
    "samples a forest misses, so that single cells are unsteady; one or two "
    "clusters always correlate, and are shown apart. All but the part with "
    "given errors on iris and those on other matrices judge the same fits.",
    minutes=5.0,
    quick_minutes=0.5,
    n_folds=201,
)

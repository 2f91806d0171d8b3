"""Forests of Local Trees and their competitors, and what local weights contribute."""

from manyminds.reproductions.description import Description

DESCRIPTION = Description(
    name="local-trees-against-forests",
    title="Forests of Local Trees: accuracies, wins and losses, and what locality does",
    source="E. Tamponi, Dataset Analysis for Classifier Ensemble Enhancement, "
    "doctoral thesis, University of Cagliari, 2015, tables 4.2 to 4.5",
    shows="Ten trees that see all rows, weighted by their distance from a centroid, "
    "compared with a random forest, bagging and a single tree. The thesis "
    "tested with an unpaired t-test over a hundred folds, which share most of "
    "their rows; the corrected resampled t-test is beside it. The last part "
    "asks what is left when the leaks are closed, and whether the local "
    "weights matter.",
    minutes=17.0,
    quick_minutes=1.0,
    n_folds=63360,
)

"""Anticipative hybrid extreme rotation forests: the table of the slides, and peers."""

from manyminds.reproductions.description import Description

DESCRIPTION = Description(
    name="anticipative-hybrid-forests",
    title="Anticipative hybrid extreme rotation forests and what they were compared "
    "with",
    source="B. Ayerdi and M. Graña, Anticipative Hybrid Extreme Rotation Forest, "
    "slides, International Conference on Computational Science, 2016",
    shows="Whether an ensemble whose families are picked by a pilot run is more "
    "accurate than its families and than other ensembles. The first parts "
    "compare the accuracies of the slides with ours; pen digits are left out, "
    "since the authors' file has the class among its features. The other "
    "parts compare AHERF with methods that the slides leave out. There are "
    "two repetitions, fifty in the slides: too few to tell that a cell "
    "differs.",
    minutes=20.0,
    quick_minutes=1.5,
    n_folds=3920,
)

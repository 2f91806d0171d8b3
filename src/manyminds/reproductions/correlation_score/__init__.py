"""Correlation scores: do they rank random subsets of columns as classifiers do?"""

from manyminds.reproductions.description import Description

DESCRIPTION = Description(
    name="correlation-score",
    title="Correlation scores of random encodings against the errors of classifiers",
    source="E. Tamponi, Dataset Analysis for Classifier Ensemble Enhancement, "
    "doctoral thesis, University of Cagliari, 2015, tables 2.1 to 2.5",
    shows="Whether R², Wilks's η² and the uncertainty coefficient U of ten random "
    "subsets of columns go against the errors of three ensembles on the same "
    "subsets. The 19 smaller of the thesis's 36 data sets are run, at all 15 "
    "sizes of subsets. The same runs are shown by data set, and again, "
    "uncounted, by size.",
    minutes=12.0,
    quick_minutes=0.5,
    n_folds=3420,
)

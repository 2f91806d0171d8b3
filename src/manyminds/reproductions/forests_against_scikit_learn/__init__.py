"""Our forests against scikit-learn's: the same folds, the same preparation."""

from manyminds.reproductions.description import Description

DESCRIPTION = Description(
    name="forests-against-scikit-learn",
    title="Our random forests and extra-trees compared with scikit-learn's",
    source="scikit-learn's forests with the same parameters, as a peer",
    shows="Whether our forests are as accurate as scikit-learn's: forests of 100 "
    "trees with default parameters, five times two-fold cross-validation, the "
    "same folds for both sides. The claims are on the mean difference over "
    "the data sets. Of sets with more than 8,000 samples, so many were drawn.",
    minutes=8.0,
    quick_minutes=1.0,
    n_folds=1440,
)

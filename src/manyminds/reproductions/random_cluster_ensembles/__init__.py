"""Random cluster ensembles: features selected without labels, judged with them."""

from manyminds.reproductions.description import Description

DESCRIPTION = Description(
    name="random-cluster-ensembles",
    title="Features selected without labels by random cluster ensembles, compared with "
    "all features and with other unsupervised selectors",
    source="Elghazel and Aussem, Feature selection for unsupervised learning using "
    "random cluster ensembles, ICDM, 2010, tables 2 and 3",
    shows="Rand index of k-means on the selected features with the classes, on the "
    "paper's four sets, 5 runs instead of 20; the paper copied three competitors' "
    "numbers, here all are run. As many features drawn at random are the control. Of "
    "the two gene sets only Leukemia is available: accuracy of clusters in 10-fold "
    "cross-validation.",
    minutes=5.5,
    quick_minutes=0.5,
    n_folds=320,
)

"""Three data-partitioning strategies for local classifiers, and their blend."""

from manyminds.reproductions.description import Description

DESCRIPTION = Description(
    name="local-classifiers",
    title="Local classifiers by clusters, clusters within classes and slices, and "
    "their average",
    source="Žliobaitė, Three data partitioning strategies for building local "
    "classifiers: an experiment, in Ensembles in Machine Learning Applications, "
    "Springer, 2011, tables 1 and 3",
    shows="Logistic regressions for each cluster (CLU), for each combination of "
    "clusters within classes (CL2) and for each slice of a column (FEA), their average "
    "(MMM), one of all rows (ALL), one for each random subset (RSS), which is the "
    "control, and the majority class (NAY). The paper's errors are read twice. As it "
    "most likely measured them: single methods by the mean of 1 less the probability "
    "of the true class, the average by the mean of three 0/1 errors, with the sign of "
    "its prior correction turned. And all by the 0/1 error, without a correction, so "
    "that the average is judged on one scale.",
    minutes=4.0,
    quick_minutes=0.5,
    n_folds=497,
)

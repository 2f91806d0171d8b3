"""Three data-partitioning strategies for local classifiers, and their blend."""

from manyminds.reproductions.description import Description

DESCRIPTION = Description(
    name="local-classifiers",
    title="Local classifiers by clusters, clusters within classes and slices, and "
    "their average",
    source="Žliobaitė, Three data partitioning strategies for building local "
    "classifiers: an experiment, in Ensembles in Machine Learning Applications, "
    "Springer, 2011, tables 1 and 3",
    shows="The paper's errors are read twice. As it most likely measured them: single "
    "methods by the mean of 1 less the probability of the true class, their average by "
    "the mean of three 0/1 errors, with the sign of its prior correction turned. And "
    "all by the 0/1 error, without a correction: the gain of the average over one "
    "classifier is then judged on one scale. Random subsets are the control.",
    minutes=4.0,
    quick_minutes=0.5,
    n_folds=497,
)

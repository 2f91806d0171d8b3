"""Random oracles in regression ensembles: what they win, ensemble by ensemble."""

from manyminds.reproductions.description import Description

DESCRIPTION = Description(
    name="random-oracles-for-regression",
    title="Random oracles in ensembles of regression trees",
    source="C. Pardo, J. J. Rodríguez, J. F. Díez-Pastor and C. García-Osorio, "
    "Random oracles for regression ensembles, workshop SUEMA, 2010, table 2",
    shows="Whether ensembles of regression trees have a lower error if a random "
    "hyperplane sends each sample to one of two trees, as the paper finds for "
    "all its ensembles. 16 of the paper's 24 ensembles, with oracles and "
    "without, and its seven simple methods are run on 56 of its 61 data sets, "
    "all that are available. Wins can be compared with the printed ones; "
    "average ranks are among 38 methods here and among 54 there. Categories "
    "are split into two sets, not one branch each, missing values take a "
    "side, and a leaf needs two different samples where the paper's software "
    "counts a sample drawn twice as two.",
    minutes=15.0,
    quick_minutes=1.0,
    n_folds=21280,
)

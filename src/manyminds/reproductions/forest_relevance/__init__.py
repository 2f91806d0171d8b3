"""Forest relevance: what irrelevant features do to forests, and ways to drop them."""

from manyminds.reproductions.description import Description

DESCRIPTION = Description(
    name="forest-relevance",
    title="Feature relevance by random forests: thresholds, tests and weighted draws",
    source="J. D. Rogers, Ensemble Algorithms and Feature Selection, PhD thesis, "
    "University of Southampton, 2007, tables 8.2 to 8.7",
    shows="What noise does to the error and the trees of forests that draw features "
    "at random, and which features are kept by what they gain beyond random "
    "variation. Parts of one kind judge different numbers of the same fits.",
    minutes=7.0,
    quick_minutes=0.5,
    n_folds=13284,
)

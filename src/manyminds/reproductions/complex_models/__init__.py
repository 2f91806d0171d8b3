"""Whole chains, and the search for them, on the data of the challenge of 2003."""

from manyminds.reproductions.description import Description

DESCRIPTION = Description(
    name="complex-models",
    title="Complex models of the challenge of 2003, and a search for them",
    source="K. Grąbczewski and N. Jankowski, Mining for complex models comprising "
    "feature selection and classification, in Feature Extraction, Springer, "
    "2006, section 4",
    shows="The paper's chains, fitted and validated as one, and beside them what a "
    "search of 60 seconds on two cores finds by itself. Three-fold "
    "cross-validation over all labeled rows: the challenge's test rows are "
    "hidden, and the printed figures come from them. Whether the search is "
    "hardly worse is judged as a claim of ours. Run it with --jobs 1: a "
    "search gets both cores.",
    minutes=17.0,
    quick_minutes=1.0,
    n_folds=36,
)

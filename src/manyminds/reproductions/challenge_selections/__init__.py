"""The selections of the GhostMiner team for the feature selection challenge of 2003."""

from manyminds.reproductions.description import Description

DESCRIPTION = Description(
    name="challenge-selections",
    title="Selectors and committees of selectors in the challenge of 2003",
    source="K. Grąbczewski and N. Jankowski, Mining for complex models comprising "
    "feature selection and classification, in Feature Extraction, Springer, "
    "2006, section 4",
    shows="Simple filters, chained with a classifier and validated as one, on data "
    "with thousands of features: errors compared with the paper's, and with "
    "those of another implementation. Whether a union of three selectors "
    "beats each of them on MADELON, and whether most of ARCENE's features are "
    "worth keeping, is judged as claims. Three repetitions of nine folds "
    "where the paper has one cross-validation; committees of validated chains "
    "and the paper's normalized RBF network are in another plan, "
    "complex-models.",
    minutes=5.0,
    quick_minutes=1.0,
    n_folds=783,
)

"""Bootstrapped and weighted output codes: several labels of made-up faces."""

from manyminds.reproductions.description import Description

DESCRIPTION = Description(
    name="weighted-output-codes",
    title="Facial action units by bootstrapped and weighted output codes",
    source="R. S. Smith and T. Windeatt, Facial action unit recognition using filtered "
    "local binary pattern features with bootstrapped and weighted ECOC classifiers, "
    "workshop SUEMA, 2010, tables 2 to 4",
    shows="Whether local binary patterns, filtered, are better features than principal "
    "components, whether bootstrap samples and weights of the columns help, and "
    "whether sigmoids halve the error, as the paper finds on photographs. That "
    "data base is closed: ten draws of made-up faces stand in for it, with the "
    "same twelve combinations of labels, so that only orderings can be compared. "
    "One size of net (16 nodes, 8 steps, that of table 3) is run for the paper's best "
    "of a grid, 60 columns for its 200, patterns of radius 1 to 3 for its 1 to 10. "
    "Two draws in which labels move nothing are the null control. Bias and variance "
    "(figure 5) are not measured.",
    minutes=6.0,
    quick_minutes=0.5,
    n_folds=24,
)

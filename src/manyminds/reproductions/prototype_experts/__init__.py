"""Mixtures of random prototype-based experts, compared with trained gates."""

from manyminds.reproductions.description import Description

DESCRIPTION = Description(
    name="prototype-experts",
    title="Hierarchical mixtures of experts weighed by random prototypes, compared "
    "with trained gates",
    source="Armano and Hatami, Hierarchical mixture of random prototype-based experts, "
    "in Ensembles in Machine Learning Applications, Springer, 2011, tables 2 and 3",
    shows="Accuracy and training time of HMRPE and of a standard HME with the same "
    "nets on the paper's eight sets, of the four largest a draw of 1,500 rows. The "
    "paper chose the numbers of experts and hidden units on its test folds and does "
    "not print them; here they are fixed. Nets that all learn equally from all rows, "
    "without prototypes, are the control; once with the larger steps that overlapping "
    "weights make.",
    minutes=6.0,
    quick_minutes=0.5,
    n_folds=400,
)

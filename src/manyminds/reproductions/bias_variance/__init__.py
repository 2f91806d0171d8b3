"""Bias and variance of nets: one, a bag of them, or one for each column of a code."""

from manyminds.reproductions.description import Description

DESCRIPTION = Description(
    name="bias-variance",
    title="Bias and variance of one net, bagged nets, and nets of an "
    "error-correcting code",
    source="Zor, Windeatt and Yanikoglu, Bias-variance analysis of ECOC and bagging "
    "using neural nets, Ensembles in Machine Learning Applications, Springer, "
    "2011",
    shows="Whether ensembles of weak nets err less than one net because the effect "
    "of variance falls, and whether codes do so with fewer nodes and epochs "
    "than bags. The paper has figures only: what its text says about them is "
    "judged as claims. Two runs of 2,000 test samples instead of ten of "
    "18,000; on dermatology, one run of nets of 2 nodes.",
    minutes=12.0,
    quick_minutes=1.0,
    n_folds=72,
)

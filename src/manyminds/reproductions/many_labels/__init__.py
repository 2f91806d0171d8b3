"""Learners of many labels: what ensembles over labels gain, and their peers."""

from manyminds.reproductions.description import Description

DESCRIPTION = Description(
    name="many-labels",
    title="Learners of many labels: what chains, label sets and ensembles of them gain",
    source="J. Read, B. Pfahringer, G. Holmes and E. Frank, Classifier chains for "
    "multi-label classification, Machine Learning 85, 2011; G. Tsoumakas, I. Katakis "
    "and I. Vlahavas, Random k-labelsets for multilabel classification, IEEE "
    "Transactions on Knowledge and Data Engineering 23, 2011; what their tables say, "
    "not their numbers",
    shows="All learners of many labels on six sets of Mulan, with decision trees as "
    "base learners, by all main measures: on folds, on Mulan's own test sets, and "
    "compared with scikit-learn and scikit-multilearn-ng on the same folds. What the "
    "papers say about chains and label sets is judged as claims. Cut for time: 3 "
    "folds once, ten members where papers take up to a hundred, trees in place of "
    "support vector machines, and enron by seven learners on its test set only.",
    minutes=6.0,
    quick_minutes=0.5,
    n_folds=647,
)

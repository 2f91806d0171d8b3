"""Markov blankets by feature selection: ACE compared with CFS, FCBF, MMPC and SVM."""

from manyminds.reproductions.description import Description

DESCRIPTION = Description(
    name="ensemble-markov-blankets",
    title="Markov blankets by ACE, compared with CFS, FCBF, MMPC and SVM-RFE",
    source="Deng, Davila, Runger and Tuv, Learning Markov blankets for continuous or "
    "discrete networks via feature selection, Ensembles in Machine Learning "
    "Applications, Springer, 2011, tables 2 to 4",
    shows="Selectors are to find the Markov blanket of a node; d is the distance of "
    "what they find from it. The figure of the continuous network is lost, and the "
    "printed numbers fit two parents for each target, so a network of that kind takes "
    "its place: its cells are shown, and only what the paper says about its tables is "
    "judged. The printer network is public. Two draws of each continuous table instead "
    "of one; ACE with 20 trees, on the printer network with 10 that choose among all "
    "columns, and 10 replicates. ACE has the t-test of the paper, the other one is "
    "ours. A target that is independent of all columns is the control.",
    minutes=13.0,
    quick_minutes=1.0,
    n_folds=242,
)

"""Hybrid correlation and causal selection: features kept, blankets, error with them."""

from manyminds.reproductions.description import Description

DESCRIPTION = Description(
    name="hybrid-causal-selection",
    title="PC, TPDA, Grow-Shrink and IAMB, alone and after a filter",
    source="Duangsoithong and Windeatt, Hybrid correlation and causal feature "
    "selection for ensemble classifiers, SUEMA 2010, table 3 and figure 2",
    shows="How many features of LUCAS the causal algorithms and their hybrids keep, "
    "compared with a chapter's counts. A second part shows how much of the true "
    "Markov blanket is found, which the chapter's own counts cannot be; a third what "
    "bagged trees lose with the selected features, and whether a hybrid predicts "
    "better than its pure counterpart, as the chapter says.",
    minutes=6.0,
    quick_minutes=0.5,
    n_folds=2900,
)

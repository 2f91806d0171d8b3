"""FCBF and CFS: how many features they keep, and what it costs."""

from manyminds.reproductions.description import Description

DESCRIPTION = Description(
    name="entropy-filters",
    title="FCBF and CFS: features kept, and error with them",
    source="Duangsoithong and Windeatt, Hybrid correlation and causal feature "
    "selection for ensemble classifiers, SUEMA 2010, table 3; J. D. Rogers, "
    "Ensemble Algorithms and Feature Selection, PhD thesis, University of "
    "Southampton, 2007, table 8.6",
    shows="How many features FCBF and CFS keep, compared with a chapter's and a "
    "thesis's counts. Three parts show what naive Bayes, a tree and bagged "
    "trees lose when they get only these features, gene expressions among "
    "them; whether that is little is judged as claims of ours.",
    minutes=4.0,
    quick_minutes=0.5,
    n_folds=4520,
)

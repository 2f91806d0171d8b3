"""Fast ensembles of mRMR: how many passes they take, and how stable they are."""

from manyminds.reproductions.description import Description

DESCRIPTION = Description(
    name="mrmr-ensembles",
    title="Fast ensembles of mRMR: cost and stability",
    source="Schowe and Morik, Fast-Ensembles of Minimum Redundancy Feature "
    "Selection, SUEMA 2010",
    shows="The members of a fast ensemble leave one part of the rows out each and "
    "share their passes over the rows. One part counts the passes of ours, "
    "compared with the printed ones. Whether such ensembles are more stable "
    "than single searches and bagging is judged as claims. Formulas evaluated "
    "with printed numbers, and stabilities derived from printed estimates, "
    "are shown, not counted. Accuracy (table 2) is left out: the parameters "
    "of the learners are not printed.",
    minutes=10.0,
    quick_minutes=1.0,
    n_folds=774,
)

"""Fitselect: fewer trees of a random forest, accurate and diverse ones."""

from manyminds.reproductions.description import Description

DESCRIPTION = Description(
    name="fitselect",
    title="Trees of a random forest selected by accuracy and diversity, compared with "
    "the whole forest and with forward selection",
    source="Elghazel, Aussem and Perraud, Trading-off diversity and accuracy for "
    "optimal ensemble tree selection in random forests, SUEMA, 2010, table 2",
    shows="Accuracy and area under the ROC curve of a forest of 500 trees, of forward "
    "selection from it and of Fitselect, on seven of the paper's nine public sets. The "
    "paper has one split; here are 20, and claims are judged by their means. All trees "
    "of Fitselect's folds are the control: the whole forest sees half as many rows "
    "again for each tree.",
    minutes=8.0,
    quick_minutes=0.5,
    n_folds=1120,
)

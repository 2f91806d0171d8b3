"""The competitors of Forests of Local Trees: forests of ten trees on 36 data sets."""

from manyminds.reproductions.description import Description

DESCRIPTION = Description(
    name="forests-of-local-trees-baselines",
    title="Competitors of Forests of Local Trees: Random Forest, Bagging and a "
    "single tree",
    source="E. Tamponi, Dataset Analysis for Classifier Ensemble Enhancement, "
    "doctoral thesis, University of Cagliari, 2015, table 4.5",
    shows="Forests of ten trees on 36 data sets, compared with the accuracies that "
    "another implementation printed. The column called AdaBoost is a single "
    "tree on a bootstrap sample: boosting stops after a tree without training "
    "errors. The first part repeats the printed experiment. Three more parts "
    "change one thing each, the folds, the imputation, the names of rows; "
    "their cells are shown, not counted, and what the change does is judged "
    "as a claim.",
    minutes=15.0,
    quick_minutes=1.0,
    n_folds=17700,
)

"""Data sets and competitors of the chapter on forests of local trees."""

from dataclasses import replace
from typing import Any

from sklearn.impute import SimpleImputer
from sklearn.pipeline import make_pipeline

from manyminds.datasets import Dataset
from manyminds.ensemble import RandomForestClassifier
from manyminds.reproductions.protocols.tamponi_2015.preparation import (
    HardVote,
    add_identifier,
    encode,
    fill_by_class,
)
from manyminds.reproductions.published import (
    Find,
    PublishedTable,
    Tolerance,
    read_published_cells,
)

SOURCE = (
    "E. Tamponi, Dataset Analysis for Classifier Ensemble Enhancement, doctoral "
    "thesis, University of Cagliari, 2015, table 4.5"
)
TABLE = PublishedTable(
    "Accuracy in percent, ten times ten-fold cross-validation, ten trees",
    SOURCE,
    "accuracy",
    read_published_cells(__package__, "flt_4_5"),
    scale=100.0,
)
TOLERANCE = Tolerance(1.0, "ten trees leave a scatter of about a point")
MARGIN, TEST_SHARE = 0.5, 0.1  # points of accuracy that matter; one of ten folds
ALL_SETS = tuple(dict.fromkeys(dataset for dataset, _ in TABLE.cells))
IDENTIFIERS = {"splice": "instance_name", "zoo": "animal"}  # columns with row names
WITH_MISSING_NUMBERS = (
    *("autos", "breast-w", "colic", "colic-orig", "credit-a", "heart-c", "heart-h"),
    *("hepatitis", "hypothyroid", "labor", "sick"),
)
QUICK = ("balance-scale", "hepatitis", "iris", "labor", "vowel", "zoo")
# Columns after the encoding: the thesis's files, and the files that we have.
ENCODED_COLUMNS = {
    "anneal": (93, 63),
    "anneal-orig": (70, 53),
    "breast-cancer": (49, 39),
    "credit-a": (44, 43),
    "credit-g": (61, 59),
    "kr-vs-kp": (40, 38),
    "soybean": (99, 98),
    "splice": (3465, 3477),
    "zoo": (116, 117),
}

NOT_AT_HAND = {
    "colic-orig": "the data set is not among the reproduction data",
    "rootstock": "the data set is in a textbook, not among the reproduction data",
}
AUDIOLOGY = (
    "19 of 24 classes have fewer rows than there are folds, and scikit-learn made "
    "other folds of them in 2014: see the part on these folds"
)


def make_competitors(fill: bool = False) -> dict[str, Any]:
    """Return the competitors of forests of local trees: forests of ten trees.

    Parameters
    ----------
    fill : bool, default=False
        Whether each fills missing values with the mean of the training samples.

    Returns
    -------
    models : dict of str to estimator
    """
    # As many bins as there are values: the trees of the thesis had no bins.
    forests = {
        "AdaBoost": RandomForestClassifier(1, max_features=None, max_bins=65535),
        "Bagging": RandomForestClassifier(10, max_features=None, max_bins=65535),
        "Random Forest": RandomForestClassifier(10, max_bins=65535),
    }
    models = {name: HardVote(forest) for name, forest in forests.items()}
    if not fill:
        return models
    return {name: fill_by_mean(model) for name, model in models.items()}


def fill_by_mean(model: Any) -> Any:
    """Return a pipeline that fills missing values with the mean, then the model."""
    return make_pipeline(SimpleImputer(keep_empty_features=True), model)


def note_differences(datasets: tuple[str, ...]) -> dict[Any, str]:
    """Return known reasons for differences from the thesis's accuracies."""
    return {**note_columns(datasets), **note_boosting(datasets)}


def load_as_in_thesis(find: Find, name: str) -> Dataset:
    """Return a data set encoded and filled as in the thesis, with names of rows."""
    data = find(name)
    encoded = fill_by_class(encode(data))
    has_all = name not in IDENTIFIERS or drop_identifier(data) is not data
    return encoded if has_all else add_identifier(encoded)


def drop_identifier(data: Dataset) -> Dataset:
    """Leave out the names of rows; without any, return the same data set."""
    named = [c for c in data.X if str(c).lower() == IDENTIFIERS[data.name]]
    return replace(data, X=data.X.drop(columns=named)) if named else data


def note_columns(datasets: tuple[str, ...]) -> dict[Any, str]:
    """Explain where our files have other columns than those of the thesis."""
    return {
        (name, "Random Forest"): f"our file gives {ours} columns, the thesis's "
        f"{theirs}: values that are declared but never occur are columns of zeros "
        "there, and a random forest spends candidates on them"
        for name, (theirs, ours) in ENCODED_COLUMNS.items()
        if ours < theirs and name in datasets
    }


def note_boosting(datasets: tuple[str, ...]) -> dict[Any, str]:
    """Explain where a tree makes training errors, so that boosting goes on."""
    return {
        (name, "AdaBoost"): "rows that are alike but of different classes leave a tree "
        "with training errors, and boosting goes on; ours is a single tree"
        for name in ("breast-cancer", "primary-tumor")
        if name in datasets
    }

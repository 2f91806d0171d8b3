"""The feature selection challenge of 2003: its data, the GhostMiner team's chains."""

from dataclasses import replace
from functools import partial
from typing import Any

import numpy as np
from scipy.sparse import csr_array, issparse
from sklearn.decomposition import PCA
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.svm import SVC

from manyminds.datasets import Dataset
from manyminds.feature_selection.committees.selection_committee import (
    SelectionCommittee,
)
from manyminds.feature_selection.filters.correlation import CorrelationSelector
from manyminds.feature_selection.filters.high_variance import HighVarianceSelector
from manyminds.feature_selection.filters.ssv import SSVSelector
from manyminds.reproductions.published import Find

UNION, SSV_7000 = "union of three top tens, 5-NN", "SSV 7000, linear SVM"


def make_selectors_vote(n_features: int, threshold: int) -> SelectionCommittee:
    """Return a committee of three selectors, each with as many features."""
    members = [
        ("ranking", SSVSelector(n_features)),
        ("tree", SSVSelector(n_features, method="tree")),
        ("linear", CorrelationSelector(n_features)),
    ]
    return SelectionCommittee(members, threshold=threshold)


def make_models(dataset: str) -> dict[str, Any]:
    """Return the chains of a data set; columns are standardized after the selection."""
    if dataset == "madelon":
        selectors = {
            UNION: make_selectors_vote(10, threshold=1),
            "two of three top fifteens, 5-NN": make_selectors_vote(15, threshold=2),
            "CC 15, 5-NN": CorrelationSelector(15),
            "SSV 15, 5-NN": SSVSelector(15),
            "SSV tree 15, 5-NN": SSVSelector(15, method="tree"),
        }
        return {
            name: make_pipeline(one, StandardScaler(), KNeighborsClassifier(5))
            for name, one in selectors.items()
        }
    linear = partial(SVC, kernel="linear", class_weight="balanced")
    if dataset == "arcene":
        chains = {
            f"SSV {k}, linear SVM": (SSVSelector(k), StandardScaler(), linear())
            for k in (7000, 3000, 1000, 100)
        }
        rbf = SVC(class_weight="balanced")
        return {
            **{name: make_pipeline(*steps) for name, steps in chains.items()},
            "CC 7000, linear SVM": make_pipeline(
                CorrelationSelector(7000), StandardScaler(), linear()
            ),
            "no selection, linear SVM": make_pipeline(StandardScaler(), linear()),
            "SSV 7000, RBF SVM": make_pipeline(
                SSVSelector(7000), StandardScaler(), rbf
            ),
        }
    if dataset == "dexter":  # word counts as they are
        return {
            "CC 8000, linear SVM": make_pipeline(
                HighVarianceSelector(), CorrelationSelector(8000), SVC(kernel="linear")
            )
        }
    if dataset == "dorothea":
        return {
            "HVS 12, balanced SSV 2000, PCA 2, RBF SVM": make_pipeline(
                HighVarianceSelector(min_count=12),  # more than 11 ones
                SSVSelector(2000, balanced=True),
                PCA(2, svd_solver="arpack"),
                SVC(C=50, class_weight="balanced"),
            )
        }
    return {
        "CC 700, RBF SVM": make_pipeline(
            CorrelationSelector(700), StandardScaler(), SVC(C=1000)
        ),
        "CC 200, 5-NN": make_pipeline(CorrelationSelector(200), _make_neighbors()),
        "CC 50, 5-NN": make_pipeline(CorrelationSelector(50), _make_neighbors()),
    }


def _make_neighbors() -> Any:
    return make_pipeline(StandardScaler(), KNeighborsClassifier(5))


def load_short(find: Find, name: str) -> Dataset:
    """Load a set; support vector machines take short indices of sparse tables only."""
    data = find(name)
    if not issparse(data.X):
        return data
    X = data.X
    indices, starts = X.indices.astype(np.int32), X.indptr.astype(np.int32)
    return replace(data, X=csr_array((X.data, indices, starts), shape=X.shape))

"""Printed tables, and scores that several tests of this folder use."""

from pathlib import Path

import pandas as pd
import pytest
from sklearn.datasets import make_moons
from sklearn.model_selection import RepeatedStratifiedKFold, cross_val_score
from sklearn.svm import SVC


@pytest.fixture(scope="session")
def printed():
    """Return a function that reads a printed table, data sets by columns."""
    return lambda name: pd.read_csv(Path(__file__).parent / f"{name}.csv", index_col=0)


@pytest.fixture(scope="session")
def c45_variants(printed):
    """Return Demšar's table 6 (2006), with the ranks that he printed.

    The table has C4.5+cf and C4.5+m+cf at 0.975 on voting, but ranks them 2 and 3:
    the values behind the rounded ones must have differed.
    """
    table = printed("c45_variants").copy()
    table.loc["voting", "C4.5+cf"] += 0.0001
    return table


@pytest.fixture(scope="session")
def kernels_on_moons():
    """Return 10x10-fold areas under the curve of an RBF and a linear SVM.

    They are those of "Statistical comparison of models using grid search" in
    scikit-learn's gallery.
    """
    X, y = make_moons(noise=0.352, random_state=1, n_samples=100)
    cv = RepeatedStratifiedKFold(n_splits=10, n_repeats=10, random_state=0)
    return [
        cross_val_score(SVC(kernel=kernel), X, y, cv=cv, scoring="roc_auc")
        for kernel in ("rbf", "linear")
    ]

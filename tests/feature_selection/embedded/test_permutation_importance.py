"""Permutation importance as a selector: the forest's own numbers, both tasks."""

import numpy as np
import pandas as pd
import pytest
from numpy.testing import assert_array_equal

from manyminds.datasets.generators import make_simple
from manyminds.ensemble import ExtraTreesClassifier, RandomForestClassifier
from manyminds.feature_selection.embedded.permutation_importance import (
    PermutationImportanceSelector,
)


def test_scores_are_the_importances_of_the_forest(seed):
    X, y = make_simple(200, random_state=seed)
    forest = RandomForestClassifier(30, random_state=5)
    selector = PermutationImportanceSelector(2, estimator=forest, random_state=3)
    selector.fit(X, y)
    expected = forest.fit(X, y).oob_permutation_importance(X, y, random_state=3)
    assert_array_equal(selector.scores_, expected.importances_mean)
    assert_array_equal(selector.get_support(indices=True), [0, 1])


def test_numbers_categories_and_other_forests(seed):
    rng = np.random.default_rng(seed)
    letters = rng.choice(list("abc"), size=150)
    X = pd.DataFrame({"noise": rng.normal(size=150), "letter": letters})
    X["letter"] = X["letter"].astype("category")
    y = X["letter"].cat.codes + 0.1 * rng.normal(size=150)
    selector = PermutationImportanceSelector(1, random_state=0).fit(X, y)
    assert selector.get_feature_names_out().tolist() == ["letter"]
    trees = ExtraTreesClassifier(20, bootstrap=True)
    model = PermutationImportanceSelector(1, estimator=trees, random_state=0)
    assert model.fit(X, letters).get_feature_names_out().tolist() == ["letter"]


def test_forests_without_a_bootstrap_are_refused(seed):
    X, y = make_simple(50, random_state=seed)
    forest = RandomForestClassifier(5, bootstrap=False)
    with pytest.raises(ValueError, match="bootstrap=True"):
        PermutationImportanceSelector(estimator=forest).fit(X, y)

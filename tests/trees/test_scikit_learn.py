import numpy as np
import pandas as pd
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from sklearn import ensemble, tree
from sklearn.datasets import load_breast_cancer, load_diabetes, load_iris

from manyminds.ensemble import (
    ExtraTreesClassifier,
    ExtraTreesRegressor,
    GradientBoostingClassifier,
    GradientBoostingRegressor,
    RandomForestClassifier,
    RandomForestRegressor,
)
from manyminds.trees import (
    DecisionTreeClassifier,
    DecisionTreeRegressor,
    MDLTreeClassifier,
    REPTreeClassifier,
    REPTreeRegressor,
    SSVTreeClassifier,
)

CLASSIFIERS = [
    DecisionTreeClassifier(random_state=0),
    DecisionTreeClassifier(criterion="ssv", max_leaf_nodes=5, random_state=0),
    MDLTreeClassifier(),
    REPTreeClassifier(random_state=0),
    SSVTreeClassifier(random_state=0),
    RandomForestClassifier(
        12, max_samples=0.7, class_weight="balanced", random_state=0
    ),
    ExtraTreesClassifier(12, criterion="entropy", random_state=0),
    GradientBoostingClassifier(max_iter=12, random_state=0),
    GradientBoostingClassifier(
        max_iter=8, early_stopping=True, cv=2, refit="average", random_state=0
    ),
]
REGRESSORS = [
    DecisionTreeRegressor(max_depth=4, random_state=0),
    REPTreeRegressor(random_state=0),
    RandomForestRegressor(12, oob_score=True, random_state=0),
    ExtraTreesRegressor(12, random_state=0),
    *(
        GradientBoostingRegressor(loss, quantile=0.3, max_iter=12, random_state=0)
        for loss in ("squared_error", "huber", "quantile", "poisson", "gamma")
    ),
]


def round_to_float32(X):
    """Return numbers that scikit-learn's trees read exactly."""
    return np.asarray(X, dtype=np.float32).astype(np.float64)


def knock_out(X, seed):
    """Return a copy of a table with a tenth of its values missing."""
    X = X.copy()
    X[np.random.default_rng(seed).random(X.shape) < 0.1] = np.nan
    return X


@pytest.mark.parametrize("model", CLASSIFIERS, ids=lambda one: type(one).__name__)
@pytest.mark.parametrize(
    ("load", "missing"), [(load_iris, False), (load_breast_cancer, True)]
)
def test_classifiers_predict_the_same(model, load, missing, seed):
    X, y = load(return_X_y=True)
    X = round_to_float32(knock_out(X, seed) if missing else X)
    y = np.array(["setosa", "other", "third"])[y]
    converted = model.fit(X[::2], y[::2]).to_sklearn()
    assert type(converted).__module__.startswith("sklearn.")
    assert_array_equal(converted.classes_, model.classes_)
    assert_array_equal(converted.predict(X), model.predict(X))
    expected = model.predict_proba(X)
    assert_allclose(converted.predict_proba(X), expected, rtol=1e-13, atol=1e-15)


@pytest.mark.parametrize(
    "model", REGRESSORS, ids=lambda one: getattr(one, "loss", type(one).__name__)
)
@pytest.mark.parametrize("missing", [False, True])
def test_regressors_predict_the_same(model, missing, seed):
    X, y = load_diabetes(return_X_y=True)
    X = round_to_float32(knock_out(X, seed) if missing else X)
    converted = model.fit(X[::2], y[::2]).to_sklearn()
    assert_allclose(converted.predict(X), model.predict(X), rtol=1e-13)


@pytest.mark.parametrize("kind", [RandomForestClassifier, ExtraTreesClassifier])
def test_forests_are_equal_to_the_last_bit(kind, seed):
    X, y = load_iris(return_X_y=True)
    X = round_to_float32(X)
    forest = kind(10, random_state=seed).fit(X, y)
    assert_array_equal(forest.to_sklearn().predict_proba(X), forest.predict_proba(X))


def test_values_at_thresholds_take_the_same_branch(seed):
    # Half of these decimals are greater as float32 than as float64, and thresholds lie
    # on values that a tree has not drawn. Only where a threshold is the last digit of a
    # double below a value, that value changes sides: measured in 0 to 3.3 % of the
    # rows over 20 draws, and in up to 9.3 % if thresholds were not rounded.
    rng = np.random.default_rng(seed)
    X = rng.integers(0, 40, size=(300, 3)) / 10
    y = (X[:, 0] + X[:, 1] > 4.0).astype(int)
    forest = RandomForestClassifier(20, random_state=0).fit(X, y)
    assert np.isin(forest.trees_.threshold, X).any()
    same = forest.to_sklearn().predict_proba(X) == forest.predict_proba(X)
    assert same.all(axis=1).mean() > 0.93


def test_boosting_compares_doubles(seed):
    # HistGradientBoosting reads float64: values that differ in the last digits are kept
    # apart, as ours are.
    rng = np.random.default_rng(seed)
    X = 1.0 + rng.integers(0, 50, size=(400, 3)) * 1e-12
    y = X[:, 0] > 1.0 + 25e-12
    model = GradientBoostingClassifier(max_iter=10, random_state=0).fit(X, y)
    raw = model.decision_function(X)
    assert len(np.unique(raw)) > 1
    assert_array_equal(model.to_sklearn().decision_function(X), raw)


def test_names_statistics_and_plots_survive():
    X, y = load_iris(return_X_y=True, as_frame=True)
    forest = RandomForestClassifier(5, max_depth=3, random_state=0).fit(X, y)
    converted = forest.to_sklearn()
    assert isinstance(converted, ensemble.RandomForestClassifier)
    assert_array_equal(converted.feature_names_in_, X.columns)
    assert converted.get_params()["max_depth"] == 3
    assert len(converted) == 5
    assert_allclose(converted.feature_importances_, forest.feature_importances_)
    text = tree.export_text(converted[0], feature_names=list(X.columns))
    assert "petal" in text
    assert converted[0].get_n_leaves() == forest.trees_.n_leaves[0]


def test_extra_trees_stay_extra_trees():
    X, y = load_diabetes(return_X_y=True)
    converted = ExtraTreesRegressor(3, random_state=0).fit(X, y).to_sklearn()
    assert isinstance(converted, ensemble.ExtraTreesRegressor)
    assert isinstance(converted[0], tree.ExtraTreeRegressor)


def test_single_leaf():
    X, y = np.zeros((6, 2)), np.array([0, 0, 0, 1, 1, 1])
    converted = DecisionTreeClassifier().fit(X, y).to_sklearn()
    assert converted.tree_.node_count == 1
    assert_array_equal(converted.predict_proba(X), np.full((6, 2), 0.5))


@pytest.mark.parametrize(
    "kind", [DecisionTreeClassifier, RandomForestClassifier, GradientBoostingClassifier]
)
def test_categorical_columns_are_refused(kind):
    X = pd.DataFrame(
        {"size": np.arange(60.0), "color": pd.Categorical(["a", "b"] * 30)}
    )
    model = kind(random_state=0).fit(X, [0, 1] * 30)
    with pytest.raises(ValueError, match=r"\['color'\] are categorical"):
        model.to_sklearn()


def test_linear_leaves_are_refused():
    X, y = load_diabetes(return_X_y=True)
    model = GradientBoostingRegressor(max_iter=3, linear_leaves=True).fit(X, y)
    with pytest.raises(ValueError, match="linear_leaves=True"):
        model.to_sklearn()


@pytest.mark.parametrize("kind", [RandomForestRegressor, GradientBoostingRegressor])
def test_shap_explains(kind):
    shap = pytest.importorskip("shap")
    X, y = load_diabetes(return_X_y=True)
    X = round_to_float32(X[:100])
    params = {"max_iter": 5} if kind is GradientBoostingRegressor else {}
    model = kind(random_state=0, **params).fit(X, y[:100])
    explainer = shap.TreeExplainer(model.to_sklearn())
    shown = explainer.shap_values(X[:5])
    ours = model.predict_contributions(X[:5])
    assert_allclose(shown, ours[:, :-1], atol=1e-4 * np.abs(ours).max())

"""skl2onnx converts our estimators, alone and among those of scikit-learn."""

import numpy as np
import pandas as pd
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from sklearn.base import is_classifier
from sklearn.compose import make_column_transformer
from sklearn.datasets import load_diabetes, load_iris
from sklearn.linear_model import LogisticRegression, Ridge
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from manyminds import ensemble, learners, networks, trees
from manyminds.ensemble import (
    CVCommittee,
    ExtraTreesRegressor,
    GradientBoostingClassifier,
    MLkNNClassifier,
    MultiLabelForestClassifier,
    RandomForestClassifier,
)
from manyminds.export import ExportError, register_with_skl2onnx
from manyminds.export.skl2onnx_converters import LABEL_PREDICTORS, PREDICTORS
from manyminds.feature_selection import HighVarianceSelector, MRMRSelector
from manyminds.learners import KernelWidthSVC
from manyminds.preprocessing import ArithmeticFeatures, ColumnCleaner, MatrixScaler
from manyminds.search import PriorCorrectedClassifier
from manyminds.search.choice.fold_vote import FoldVoteClassifier, FoldVoteRegressor
from manyminds.search.choice.label_committee import LabelCommittee
from manyminds.search.choice.vote import VoteClassifier, VoteRegressor

# Options that make fitting quick, or a learner convertible.
OPTIONS = {
    "KernelWidthSVC": {"probability": True},
    "RealMLPClassifier": {"max_epochs": 3},
    "RealMLPRegressor": {"max_epochs": 3},
    "RAkELClassifier": {"voting": "soft"},
}
READS_MISSING = ("Tree", "Forest", "Boosting", "AODE", "AnDE", "TAN", "NaiveBayes")


@pytest.fixture(scope="module")
def run():
    skl2onnx = pytest.importorskip("skl2onnx")
    runtime = pytest.importorskip("onnxruntime")
    register_with_skl2onnx()

    # skl2onnx takes the newest operators of onnx, which may be newer than the runtime.
    is_old = runtime.__version__.startswith("1.20.")

    def run(model, X, **options):
        options = {"target_opset": 21 if is_old else None} | options
        made = skl2onnx.to_onnx(model, X[:1], **options)
        session = runtime.InferenceSession(made.SerializeToString())
        if isinstance(X, pd.DataFrame):
            inputs = {name: X[[name]].to_numpy() for name in X}
        else:
            inputs = {session.get_inputs()[0].name: X}
        return session.run(None, inputs)

    return run


def make_model(kind):
    """Return an estimator of a class, quick to fit."""
    linear = make_pipeline(StandardScaler(), LogisticRegression())
    pair = [RandomForestClassifier(3, random_state=0), linear]
    if kind in (VoteRegressor, FoldVoteRegressor):
        pair = [ExtraTreesRegressor(3, random_state=0), Ridge()]
    if kind in (VoteClassifier, VoteRegressor):
        return kind(pair, [0.7, 0.3])
    if kind in (FoldVoteClassifier, FoldVoteRegressor):
        return kind(pair, takes_array=True)
    if kind is CVCommittee:
        return CVCommittee(linear, cv=3, voting="mean")
    if kind is PriorCorrectedClassifier:
        return kind(RandomForestClassifier(3, random_state=0))
    if kind is LabelCommittee:
        members = [MultiLabelForestClassifier(3, random_state=0), MLkNNClassifier()]
        return kind(members, [0.7, 0.3], [0.5, np.array([0.2, 0.4, 0.6])])
    made = kind(**OPTIONS.get(kind.__name__, {}))
    names = made.get_params()
    quick = {"n_estimators": 5, "max_iter": 5, "random_state": 0}
    return made.set_params(**{name: quick[name] for name in quick if name in names})


def load(model):
    """Return a table for a model, with missing values if it takes them."""
    X, y = load_iris(return_X_y=True)
    if not is_classifier(model):
        X, y = load_diabetes(return_X_y=True)
        X, y = X[:150], y[:150]
    if isinstance(model, LABEL_PREDICTORS):
        return X, np.column_stack([y == 0, y > 0, X[:, 1] > 3.0]).astype(int)
    if type(model).__name__.startswith(READS_MISSING):
        X[::7, 0] = np.nan
    return X, y


@pytest.mark.slow
@pytest.mark.parametrize("kind", PREDICTORS, ids=lambda kind: kind.__name__)
def test_all_learners(run, kind):
    model = make_model(kind)
    X, y = load(model)
    model.fit(X, y)
    if not is_classifier(model):
        made = run(model, X)[0][:, 0]
        assert_allclose(made, model.predict(X), rtol=1e-5, atol=1e-5)
        return
    is_committee = kind is CVCommittee  # without that option
    label, made = run(model, X, options=None if is_committee else {"zipmap": False})
    assert_array_equal(label, model.predict(X))
    assert_allclose(made, model.predict_proba(X), rtol=0, atol=1e-5)


def test_all_public_learners_with_a_conversion_are_there():
    rooms = (ensemble, learners, networks, trees)
    public = {name for room in rooms for name in room.__all__}
    internal = {one.__name__ for one in PREDICTORS} - public
    assert internal == {
        "FoldVoteClassifier",
        "FoldVoteRegressor",
        "LabelCommittee",
        "PriorCorrectedClassifier",
        "VoteClassifier",
        "VoteRegressor",
    }
    assert len(PREDICTORS) > 30


@pytest.mark.parametrize("opset", [17, 18, 21])
@pytest.mark.parametrize(
    "model",
    [
        make_pipeline(StandardScaler(), GradientBoostingClassifier(max_iter=6)),
        make_pipeline(StandardScaler(), learners.KNeighborsClassifierCV()),
        make_pipeline(MatrixScaler(), KernelWidthSVC(probability=True)),
        networks.AODEClassifier(),
    ],
    ids=["boosting", "neighbors", "machine", "aode"],
)
def test_versions_of_operators(run, model, opset):
    X, y = load_iris(return_X_y=True)
    model.fit(X, y)
    options = {"zipmap": False}
    label, made = run(model, X, options=options, target_opset={"": opset})
    assert_array_equal(label, model.predict(X))
    assert_allclose(made, model.predict_proba(X), rtol=0, atol=1e-9)


@pytest.mark.parametrize("options", [None, {"zipmap": False}], ids=str)
def test_labels_after_scikit_learn(run, options):
    # With members in the order of Python, whichever the option for other classifiers.
    X, y = load(MLkNNClassifier())
    members = [make_pipeline(StandardScaler(), MLkNNClassifier()), MLkNNClassifier(3)]
    committee = LabelCommittee(members, [0.5, 0.5], [0.3, 0.6])
    model = make_pipeline(StandardScaler(), committee).fit(X, y)
    labels, made = run(model, X, options=options)
    assert_array_equal(labels, model.predict(X))
    assert_allclose(made, model.predict_proba(X), rtol=0, atol=1e-12)


def test_old_operators_are_refused(run):
    X, y = load_iris(return_X_y=True)
    model = RandomForestClassifier(2, random_state=0).fit(X, y)
    with pytest.raises(ExportError, match=r"at least 17 .*; got 12"):
        run(model, X, target_opset=12)


@pytest.mark.parametrize(
    "step",
    [
        MatrixScaler(),
        ColumnCleaner(),
        ArithmeticFeatures(random_state=0),
        MRMRSelector(2),
        HighVarianceSelector(),
    ],
    ids=lambda step: type(step).__name__,
)
def test_steps(run, step):
    X, y = load_iris(return_X_y=True)
    model = make_pipeline(step, StandardScaler(), LogisticRegression()).fit(X, y)
    label, made = run(model, X, options={"zipmap": False})
    assert_array_equal(label, model.predict(X))
    assert_allclose(made, model.predict_proba(X), rtol=0, atol=1e-9)


def test_two_neighbors_in_one_graph(run):
    # Both have an operator with operators inside, whose names must not meet.
    X, _ = load_iris(return_X_y=True)
    first, second = learners.KNeighborsRegressorCV(), learners.KNeighborsRegressorCV()
    model = VoteRegressor([first, second], [0.25, 0.75]).fit(X[:, :3], X[:, 3])
    assert_allclose(run(model, X[:, :3])[0][:, 0], model.predict(X[:, :3]), rtol=1e-12)


def test_columns_of_a_table(run):
    X, y = load_iris(return_X_y=True, as_frame=True)
    X.columns = ["a", "b", "c", "d"]
    scaled = make_column_transformer((StandardScaler(), ["b", "d"]))
    members = [make_pipeline(scaled, LogisticRegression()), RandomForestClassifier(5)]
    model = VoteClassifier(members, [0.5, 0.5], class_weights=[1, 4, 1]).fit(X, y)
    label, made = run(model, X, options={"zipmap": False})
    assert_array_equal(label, model.predict(X))
    assert (label != made.argmax(axis=1)).any()  # the weights decide
    assert_allclose(made, model.predict_proba(X), rtol=0, atol=1e-9)


@pytest.mark.parametrize("names", [["cat", "dog"], [False, True], [0.0, 1.0]], ids=str)
def test_classes(run, names):
    X, y = load_iris(return_X_y=True)
    y = np.array(names)[(y > 0).astype(int)]
    model = RandomForestClassifier(5, random_state=0).fit(X, y)
    label, made = run(model, X, options={"zipmap": False})
    assert_array_equal(label, model.predict(X))
    assert_allclose(made, model.predict_proba(X), rtol=0, atol=1e-12)


def test_maps_of_classes(run):
    X, y = load_iris(return_X_y=True)
    model = RandomForestClassifier(5, random_state=0).fit(X, y)
    label, made = run(model, X)
    assert_array_equal(label, model.predict(X))
    assert_allclose(pd.DataFrame(made), model.predict_proba(X), rtol=0, atol=1e-6)


def test_numbers_as_categories_are_refused(run):
    X, y = load_iris(return_X_y=True)
    model = RandomForestClassifier(2, categorical_features=[0], random_state=0)
    model.fit(X.round(), y)
    with pytest.raises(ExportError, match="column 0 as categories"):
        run(model, X)


def test_regressors_of_float32(run):
    X, y = load_diabetes(return_X_y=True)
    X = X.astype(np.float32)
    model = ExtraTreesRegressor(8, random_state=0).fit(X, y)
    assert_allclose(run(model, X)[0][:, 0], model.predict(X), rtol=1e-12)

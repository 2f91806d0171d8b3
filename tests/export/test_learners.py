"""Learners and committees have the same probabilities and numbers in ONNX."""

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from sklearn.compose import TransformedTargetRegressor
from sklearn.discriminant_analysis import LinearDiscriminantAnalysis
from sklearn.linear_model import ElasticNet, LogisticRegression, Ridge
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier
from sklearn.preprocessing import FunctionTransformer, StandardScaler

from manyminds.ensemble import CVCommittee, GradientBoostingRegressor
from manyminds.export.graph import ExportError
from manyminds.search import PriorCorrectedClassifier
from manyminds.search.choice.fold_vote import FoldVoteClassifier, FoldVoteRegressor
from manyminds.search.choice.stacked import StackedClassifier, append_predictions
from manyminds.search.choice.vote import VoteClassifier, VoteRegressor

CLASSIFIERS = [
    LogisticRegression(max_iter=500),
    LinearDiscriminantAnalysis(solver="lsqr", shrinkage="auto"),
    GaussianNB(),
    PriorCorrectedClassifier(GaussianNB()),
    CVCommittee(GaussianNB(), 3, voting="mean"),
]


@pytest.fixture
def numbers(table):
    return table[list("abcd")].fillna(0.0)


@pytest.mark.parametrize("n_classes", [2, 3])
@pytest.mark.parametrize("model", CLASSIFIERS, ids=lambda one: type(one).__name__)
def test_classifiers(run_onnx, numbers, classes, model, n_classes):
    y = classes if n_classes == 3 else classes == "low"
    y = y if n_classes == 3 else y.astype(int)
    model.fit(numbers, y)
    label, made = run_onnx(model, numbers)
    assert_allclose(made, model.predict_proba(numbers), rtol=0, atol=1e-12)
    assert_array_equal(label, model.predict(numbers))


@pytest.mark.parametrize(
    "model",
    [
        Ridge(),
        ElasticNet(0.01),
        TransformedTargetRegressor(ElasticNet(0.01), transformer=StandardScaler()),
        CVCommittee(Ridge(), 3),
    ],
    ids=lambda one: type(one).__name__,
)
def test_regressors(run_onnx, numbers, model, seed):
    y = 50.0 + np.random.default_rng(seed).normal(size=len(numbers))
    model.fit(numbers, y)
    made = run_onnx(model, numbers, "regression")[0][:, 0]
    assert_allclose(made, model.predict(numbers), rtol=1e-12)


def test_votes_with_temperature_weights_and_absent_classes(run_onnx, numbers, classes):
    some = classes != "top"
    members = [
        GaussianNB().fit(numbers, classes),
        LogisticRegression().fit(numbers[some], classes[some]),
    ]
    vote = VoteClassifier.of_fitted(
        members, classes, [0.7, 0.3], 1.7, np.array([0.5, 1.0, 2.0])
    )
    label, made = run_onnx(vote, numbers)
    assert_allclose(made, vote.predict_proba(numbers), rtol=0, atol=1e-12)
    assert_array_equal(label, vote.predict(numbers))
    plain = made.argmax(axis=1)
    assert (label != vote.classes_[plain]).any()  # the weights matter


def test_votes_of_folds(run_onnx, numbers, classes):
    codes = np.unique(classes, return_inverse=True)[1]
    array = numbers.to_numpy()
    members = [GaussianNB().fit(array[k::3], codes[k::3]) for k in range(3)]
    vote = FoldVoteClassifier.of_fitted(members, classes, True)
    label, made = run_onnx(vote, numbers)
    assert_allclose(made, vote.predict_proba(numbers), rtol=0, atol=1e-12)
    assert_array_equal(label, vote.predict(numbers))


def test_votes_of_numbers(run_onnx, numbers):
    y = numbers["a"].to_numpy()
    members = [Ridge(k).fit(numbers[k::2], y[k::2]) for k in (0, 1)]
    for vote in (
        VoteRegressor.of_fitted(members, y, [0.9, 0.1]),
        FoldVoteRegressor.of_fitted(members, y, False),
    ):
        made = run_onnx(vote, numbers, "regression")[0][:, 0]
        assert_allclose(made, vote.predict(numbers), rtol=1e-12, atol=1e-13)


@pytest.mark.parametrize(
    ("model", "words"),
    [
        (KNeighborsClassifier(), "The learner KNeighborsClassifier cannot"),
        (CVCommittee(GaussianNB(), 3), "voting='majority'"),
    ],
)
def test_what_cannot_be_converted_is_named(run_onnx, numbers, classes, model, words):
    with pytest.raises(ExportError, match=words):
        run_onnx(model.fit(numbers, classes), numbers)


def test_a_second_level_is_refused(run_onnx, numbers, classes):
    first = GaussianNB().fit(numbers, classes)
    table = append_predictions(numbers, [first.predict_proba(numbers)])
    above = GaussianNB().fit(table, classes)
    model = StackedClassifier.of_fitted([first], above, classes)
    with pytest.raises(ExportError, match="StackedClassifier cannot be converted"):
        run_onnx(model, numbers)


def test_lines_and_other_targets_are_refused(run_onnx, numbers):
    y = numbers["a"].to_numpy()
    lines = GradientBoostingRegressor(max_iter=2, linear_leaves=True).fit(numbers, y)
    other = TransformedTargetRegressor(Ridge(), transformer=FunctionTransformer())
    for model, words in ((lines, "linear_leaves"), (other.fit(numbers, y), "target")):
        with pytest.raises(ExportError, match=words):
            run_onnx(model, numbers, "regression")

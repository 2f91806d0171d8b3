"""Learners of many labels, and their committees, have the same labels in ONNX."""

import numpy as np
import pandas as pd
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from sklearn.decomposition import PCA
from sklearn.ensemble import RandomForestClassifier as OtherForest
from sklearn.linear_model import LogisticRegression
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import QuantileTransformer, StandardScaler

from manyminds.ensemble import (
    BinaryRelevanceClassifier,
    ClassifierChain,
    EnsembleOfChainsClassifier,
    ExtraTreesClassifier,
    GradientBoostingClassifier,
    MLkNNClassifier,
    MultiLabelForestClassifier,
    RAkELClassifier,
    RandomForestClassifier,
)
from manyminds.export import ExportError, only_exportable
from manyminds.search import Problem, default_space
from manyminds.search.choice.label_committee import LabelCommittee
from manyminds.trees import DecisionTreeClassifier

TREE = DecisionTreeClassifier(min_samples_leaf=3)
FOREST = RandomForestClassifier(5, min_samples_leaf=3)
# Scores of trees and neighbors are the same to the last digit.
LEARNERS = [
    MultiLabelForestClassifier(12, random_state=0),
    MultiLabelForestClassifier(70, min_samples_leaf=3, threshold=0.4, random_state=0),
    ClassifierChain(TREE, order="random", random_state=0),
    EnsembleOfChainsClassifier(TREE, 4, random_state=0),
    EnsembleOfChainsClassifier(FOREST, 3, order=[2, 0, 3, 1], random_state=0),
    RAkELClassifier(TREE, voting="soft", random_state=0),
    RAkELClassifier(
        ExtraTreesClassifier(5), labelset_size=2, n_estimators=3, voting="soft",
        random_state=0,
    ),
    RAkELClassifier(TREE, labelset_size=1, voting="soft", random_state=0),
    BinaryRelevanceClassifier(FOREST, random_state=0),
]  # fmt: skip


@pytest.fixture
def labels(table, seed):
    """Return four labels that depend on numbers and categories."""
    noise = np.random.default_rng(seed + 1).normal(size=(len(table), 4))
    value = table["a"].fillna(1.0) + 1.5 * (table["hue"] == "red")
    value += table["town"].cat.codes % 2
    return (value.to_numpy()[:, np.newaxis] + 0.3 * noise > [0, 0.5, 1, 2]).astype(int)


@pytest.mark.parametrize("model", LEARNERS, ids=lambda one: type(one).__name__)
def test_trees(run_onnx, table, labels, model):
    model.fit(table[:150], labels[:150])
    made, scores = run_onnx(model, table, "multilabel")
    assert_array_equal(scores, model.predict_proba(table))
    assert_array_equal(made, model.predict(table))
    assert made.dtype == np.int64


@pytest.mark.parametrize("n_columns", [2, 4, 7])
@pytest.mark.parametrize("scaler", [StandardScaler(), QuantileTransformer()])
def test_equally_near_neighbors(run_onnx, seed, n_columns, scaler):
    # Few values: of many rows at the same distance, the first ones count.
    rng = np.random.default_rng(seed)
    X = pd.DataFrame(rng.integers(4, size=(160, n_columns)) * 0.1)
    X.columns = [f"x{j}" for j in range(n_columns)]
    Y = (X.to_numpy() @ rng.random((n_columns, 3)) > 0.15 * n_columns / 2).astype(int)
    if isinstance(scaler, QuantileTransformer):
        scaler = QuantileTransformer(n_quantiles=99, output_distribution="normal")
    model = make_pipeline(scaler, MLkNNClassifier(7)).fit(X[:110], Y[:110])
    made, scores = run_onnx(model, X, "multilabel")
    assert_array_equal(scores, model.predict_proba(X))
    assert_array_equal(made, model.predict(X))


@pytest.mark.parametrize(
    "member", [LogisticRegression(), GradientBoostingClassifier(max_iter=5)]
)
def test_a_model_for_each_label(run_onnx, table, labels, member):
    # No row has the second label, and all have the third.
    X = table[list("abcd")].fillna(0.0)
    labels[:, 1], labels[:, 2] = 0, 1
    model = BinaryRelevanceClassifier(member, random_state=0).fit(X, labels)
    made, scores = run_onnx(model, X, "multilabel")
    assert_allclose(scores, model.predict_proba(X), rtol=0, atol=1e-14)
    assert_array_equal(made, model.predict(X))


def test_thresholds_of_members(run_onnx, table, labels):
    members = [
        MultiLabelForestClassifier(5, random_state=0).fit(table, labels),
        EnsembleOfChainsClassifier(TREE, 3, random_state=0).fit(table, labels),
        RAkELClassifier(TREE, voting="soft", random_state=0).fit(table, labels),
    ]
    # The scores of the first one are fifths: some are the threshold itself.
    for thresholds in ([0.2, 0.6, 0.5], [np.array([0.0, 0.4, 1.0, 0.6]), 0.3, 1.0]):
        model = LabelCommittee.of_fitted(members, labels, [0.5, 0.3, 0.2], thresholds)
        made, scores = run_onnx(model, table, "multilabel")
        assert_array_equal(scores, model.predict_proba(table))
        assert_array_equal(made, model.predict(table))
        alone = LabelCommittee.of_fitted(members[:1], labels, [1.0], thresholds[:1])
        made, _ = run_onnx(alone, table, "multilabel")
        assert_array_equal(made, alone.predict(table))


def test_other_values_of_labels(run_onnx, table, labels):
    model = MultiLabelForestClassifier(3, random_state=0).fit(table, 2 * labels - 1)
    made, _ = run_onnx(model, table, "multilabel")
    assert_array_equal(made, model.predict(table))
    assert made.min() == -1


def list_pipelines(space, problem):
    """Return pipelines in which every option occurs."""
    for learner in space.learner:
        for stage in space.stages_of(learner, problem):
            for option in getattr(space, stage):
                yield {"learner": learner.name, stage: option.name}
        if "base" in learner.parameters:
            for base in learner.parameters["base"].values:
                yield {"learner": learner.name, f"{learner.name}.base": base}


@pytest.mark.slow
def test_every_pipeline_of_a_search(run_onnx, table, labels, seed):
    days = np.random.default_rng(seed).integers(900, size=len(table))
    dates = pd.Timestamp("2020-02-20") + pd.to_timedelta(days, "D")
    X = table.assign(born=pd.Series(dates).where(days > 50))
    problem = Problem.of(X, labels, "multilabel", "micro_f1")
    space = only_exportable(default_space("multilabel")).suiting(problem)
    assert len(space.learner) == 7
    for pipeline in list_pipelines(space, problem):
        model = space.build(space.complete(pipeline, problem), problem)
        for name in model.get_params():
            if name.endswith(("n_estimators", "max_iter")):
                model.set_params(**{name: 15})
        made, scores = run_onnx(model.fit(X, labels), X, "multilabel")
        expected = model.predict_proba(X)
        assert_allclose(scores, expected, rtol=0, atol=1e-12, err_msg=str(pipeline))
        assert_array_equal(made, model.predict(X), err_msg=str(pipeline))


@pytest.mark.parametrize(
    ("model", "words"),
    [
        (RAkELClassifier(random_state=0), "voting='hard'"),
        (EnsembleOfChainsClassifier(OtherForest(2), 2), "of RandomForestClassifier"),
        (make_pipeline(PCA(2), MLkNNClassifier()), "after PCA"),
        (make_pipeline(PCA(2), MultiLabelForestClassifier(2)), "after PCA"),
    ],
    ids=["hard", "other", "neighbors", "forest"],
)
def test_what_cannot_be_converted_is_named(run_onnx, table, labels, model, words):
    X = table[list("abcd")].fillna(0.0)
    with pytest.raises(ExportError, match=words):
        run_onnx(model.fit(X, labels), X, "multilabel")


def test_single_labels_are_refused(run_onnx, table, labels):
    model = MultiLabelForestClassifier(2, random_state=0).fit(table, labels[:, 0])
    with pytest.raises(ExportError, match="one dimension"):
        run_onnx(model, table)

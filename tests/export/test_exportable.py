"""Every option of the exportable space is converted, and others are refused."""

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from sklearn.decomposition import PCA
from sklearn.linear_model import Lasso
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import make_pipeline

from manyminds.datasets import bundled_datasets, load_dataset
from manyminds.ensemble import RandomForestClassifier
from manyminds.export import EXPORTABLE, ExportError, only_exportable
from manyminds.search import Problem, default_space
from manyminds.search.space.label_learners import LABEL_LEARNERS
from manyminds.search.space.learners import CLASSIFIERS, REGRESSORS
from manyminds.search.space.options import Learner
from manyminds.search.space.space import STAGES


def test_the_table_names_options():
    known = {one.name for one in (*CLASSIFIERS, *REGRESSORS, *LABEL_LEARNERS)}
    assert set(EXPORTABLE) == {"learner"}
    assert set(EXPORTABLE["learner"]) == known


@pytest.mark.parametrize("task", ["classification", "regression", "multilabel"])
def test_only_exportable(task):
    space = only_exportable(default_space(task))
    for stage in (*STAGES, "learner"):
        assert getattr(space, stage) == getattr(default_space(task), stage)
    assert default_space(task).stacks and not space.stacks


def test_added_learners_are_left_out():
    space = default_space("regression")
    added = space.adding("learner", Learner("mine", lambda problem: Lasso(), {}))
    assert "mine" in [one.name for one in added.learner]
    assert only_exportable(added) == only_exportable(space)


def list_pipelines(space, problem):
    """Return pipelines in which every option occurs."""
    yield from ({"learner": one.name} for one in space.learner)
    linear = "logistic" if problem.n_classes else "ridge"
    for stage in ("generate", "encode", "scale", "reduce", "select"):
        yield from (
            {"learner": linear, stage: one.name} for one in getattr(space, stage)
        )
    yield {"learner": linear, "committee": "committee"}


@pytest.mark.slow
@pytest.mark.parametrize("name", bundled_datasets())
def test_bundled_sets(run_onnx, name):
    # Every option on some set: each set of classes takes every fifth pipeline.
    data = load_dataset(name)
    X = data.X.iloc[:: max(1, data.n_samples // 200)].reset_index(drop=True)
    y = np.asarray(data.y)[:: max(1, data.n_samples // 200)]
    codes = np.unique(y, return_inverse=True)[1] if data.task != "regression" else y
    problem = Problem.of(X, codes, data.task, "accuracy")
    space = only_exportable(default_space(data.task)).suiting(problem)
    pipelines = list(list_pipelines(space, problem))
    if data.task == "classification":
        pipelines = pipelines[bundled_datasets().index(name) % 5 :: 5]
    for pipeline in pipelines:
        # These are float32, and roots of rounding errors.
        is_rough = pipeline["learner"] in ("real_mlp", "exponential_svm")
        model = space.build(space.complete(pipeline, problem), problem)
        shrink(model)
        made = run_onnx(model.fit(X, y), X, data.task)
        if data.task == "regression":
            atol = 1e-5 * np.ptp(y) if is_rough else 0.0
            assert_allclose(made[0][:, 0], model.predict(X), rtol=1e-9, atol=atol)
            continue
        expected = model.predict_proba(X)
        top = np.sort(expected, axis=1)[:, -2:]
        # Rounding breaks ties of two classes.
        decided = top[:, 1] - top[:, 0] > (1e-5 if is_rough else 1e-12)
        assert_array_equal(made[0][decided], model.predict(X)[decided])
        assert_allclose(made[1], expected, rtol=0, atol=1e-5, err_msg=str(pipeline))


def shrink(model):
    """Grow few trees, train for few epochs."""
    for name, value in model.get_params().items():
        is_rounds = name.endswith("max_iter") and value not in (None, 500)
        if is_rounds or name.endswith(("n_estimators", "max_epochs")):
            model.set_params(**{name: 15})


THRESHOLDS = [
    "gb", "extra_gb", "symmetric_gb", "rf", "et", "rotation_forest", "ssv_tree",
    "flt", "aode", "tan", "rpboost",
]  # fmt: skip


@pytest.mark.parametrize("name", THRESHOLDS)
def test_thresholds_of_components_of_few_values(run_onnx, name):
    # Without rounding of components, classes of up to 18 of these rows differed.
    data = load_dataset("monks-1-all")
    X, y = data.X, np.asarray(data.y)
    codes = np.unique(y, return_inverse=True)[1]
    problem = Problem.of(X, codes, "classification", "accuracy")
    space = default_space("classification")
    pipeline = space.complete(
        {"learner": name, "reduce": "pca", "pca.components": 0.98}, problem
    )
    model = space.build(pipeline, problem)
    shrink(model)
    label, made = run_onnx(model.fit(X[::2], y[::2]), X)
    assert_allclose(made, model.predict_proba(X), rtol=0, atol=1e-12)
    assert_array_equal(label, model.predict(X))


def test_thresholds_after_components_of_all_digits_are_refused(run_onnx):
    data = load_dataset("iris")
    model = make_pipeline(PCA(2), RandomForestClassifier(3)).fit(data.X, data.y)
    with pytest.raises(ExportError, match=r"after PCA cannot be .* after RoundedPCA"):
        run_onnx(model, data.X)


def test_other_learners_are_refused(run_onnx):
    data = load_dataset("iris")
    model = KNeighborsClassifier().fit(data.X, data.y)
    with pytest.raises(ExportError, match="KNeighborsClassifier cannot be converted"):
        run_onnx(model, data.X)

"""skl2onnx converts our estimators, alone and among those of scikit-learn."""

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from sklearn.datasets import load_diabetes, load_iris
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from manyminds.ensemble import (
    ExtraTreesRegressor,
    GradientBoostingClassifier,
    RandomForestClassifier,
)
from manyminds.export import register_with_skl2onnx
from manyminds.preprocessing import MatrixScaler
from manyminds.search import PriorCorrectedClassifier


@pytest.fixture(scope="module")
def run():
    skl2onnx = pytest.importorskip("skl2onnx")
    runtime = pytest.importorskip("onnxruntime")
    register_with_skl2onnx()

    def run(model, X, **options):
        made = skl2onnx.to_onnx(model, X[:1], **options)
        session = runtime.InferenceSession(made.SerializeToString())
        return session.run(None, {session.get_inputs()[0].name: X})

    return run


@pytest.mark.parametrize(
    "model",
    [
        RandomForestClassifier(8, random_state=0),
        make_pipeline(StandardScaler(), GradientBoostingClassifier(max_iter=6)),
        make_pipeline(
            MatrixScaler(), PriorCorrectedClassifier(RandomForestClassifier(3))
        ),
    ],
    ids=["forest", "boosting", "priors"],
)
def test_classifiers(run, model):
    X, y = load_iris(return_X_y=True)
    X[::7, 0] = np.nan
    model.fit(X, y)
    label, made = run(model, X, options={"zipmap": False})
    assert_array_equal(label, model.predict(X))
    assert_allclose(made, model.predict_proba(X), rtol=0, atol=1e-12)


def test_regressors_of_float32(run):
    X, y = load_diabetes(return_X_y=True)
    X = X.astype(np.float32)
    model = ExtraTreesRegressor(8, random_state=0).fit(X, y)
    assert_allclose(run(model, X)[0][:, 0], model.predict(X), rtol=1e-12)

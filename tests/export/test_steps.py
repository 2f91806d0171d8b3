"""Steps before the learner compute the same numbers in ONNX."""

import numpy as np
import pytest
from numpy.testing import assert_allclose
from sklearn.compose import ColumnTransformer
from sklearn.decomposition import PCA
from sklearn.impute import SimpleImputer
from sklearn.linear_model import Ridge
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import (
    MaxAbsScaler,
    PowerTransformer,
    RobustScaler,
    StandardScaler,
)

from manyminds.export.graph import ExportError
from manyminds.feature_selection import CorrelationSelector, HighVarianceSelector
from manyminds.preprocessing import ColumnCleaner, MatrixScaler, RoundedPCA

FILL = SimpleImputer(strategy="median", keep_empty_features=True)
STEPS = [
    SimpleImputer(strategy="median", add_indicator=True, keep_empty_features=True),
    make_pipeline(FILL, StandardScaler()),
    make_pipeline(FILL, StandardScaler(with_mean=False)),
    make_pipeline(FILL, RobustScaler()),
    make_pipeline(FILL, MaxAbsScaler()),
    make_pipeline(FILL, MatrixScaler()),
    make_pipeline(FILL, PCA(2, random_state=0)),
    make_pipeline(FILL, RoundedPCA(3)),
    make_pipeline(FILL, RoundedPCA(1), MatrixScaler()),
    make_pipeline(FILL, HighVarianceSelector(2)),
    make_pipeline(FILL, CorrelationSelector(2, task="regression")),
    make_pipeline(ColumnCleaner(), FILL),
    ColumnTransformer(
        [("kept", FILL, ["c", "a"]), ("gone", "drop", ["b"])], remainder=FILL
    ),
]


@pytest.mark.parametrize("step", STEPS, ids=range(len(STEPS)))
def test_same_numbers(run_onnx, table, step, seed):
    X = table[list("abcd")].assign(b=3.0 * table["b"], e=1.0)
    y = np.random.default_rng(seed).normal(size=len(X))
    steps = [one for _, one in step.steps] if hasattr(step, "steps") else [step]
    model = make_pipeline(*steps, Ridge(alpha=1.0)).fit(X[:150], y[:150])
    made = run_onnx(model, X, "regression")[0][:, 0]
    assert_allclose(made, model.predict(X), rtol=1e-10, atol=1e-10)


def test_unknown_steps_are_named(run_onnx, table):
    model = make_pipeline(FILL, PowerTransformer(), Ridge())
    X = table[list("abcd")]
    model.fit(X, np.zeros(len(X)))
    with pytest.raises(ExportError, match="The step PowerTransformer cannot"):
        run_onnx(model, X, "regression")

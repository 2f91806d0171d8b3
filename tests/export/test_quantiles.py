"""The quantile scaler computes the same numbers in ONNX."""

import numpy as np
import pandas as pd
import pytest
from numpy.testing import assert_allclose
from sklearn.linear_model import Ridge
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import QuantileTransformer

from manyminds.export.graph import ExportError


def pick_column(n_columns, j):
    """Return a fitted regressor whose output is column j."""
    model = Ridge().fit(np.zeros((2, n_columns)), [0.0, 0.0])
    model.coef_, model.intercept_ = np.eye(n_columns)[j], 0.0
    return model


@pytest.mark.parametrize("n_quantiles", [10, 120, 240])
def test_same_numbers(run_onnx, seed, n_quantiles):
    # Columns without ties, with some, with two values, with one, and skewed ones.
    rng = np.random.default_rng(seed)
    x = rng.normal(size=240)
    X = pd.DataFrame(
        {
            "plain": x,
            "tied": x.round(1),
            "zeros": np.maximum(x, 0.0),
            "two": np.where(x > 0.5, 7.0, -7.0),
            "same": 3.0,
            "skewed": np.exp(6.0 * x),
        }
    )
    scaler = QuantileTransformer(
        n_quantiles=n_quantiles, output_distribution="normal", random_state=0
    ).fit(X)
    between = X + rng.normal(size=X.shape) * X.std().to_numpy() * 0.3
    ends = pd.DataFrame([X.min() - 1.0, X.max() + 1.0, X.min() + 1e-9])
    nothing = pd.DataFrame(np.nan, index=[0], columns=X.columns)
    new = pd.concat([X, between, ends, nothing], ignore_index=True)
    expected = scaler.transform(new)
    for j in range(X.shape[1]):
        model = make_pipeline(scaler, pick_column(X.shape[1], j))
        made = run_onnx(model, new, "regression")[0][:, 0]
        assert_allclose(made, expected[:, j], rtol=0, atol=1e-8, err_msg=X.columns[j])


def test_other_distributions_are_refused(run_onnx):
    X = pd.DataFrame({"a": np.arange(9.0)})
    model = make_pipeline(QuantileTransformer(n_quantiles=5), Ridge()).fit(X, X["a"])
    with pytest.raises(ExportError, match="output_distribution='uniform'"):
        run_onnx(model, X, "regression")

"""Each check of frames can fail: here is the estimator that fails it."""

import numpy as np
import pandas as pd
import pytest

from manyminds.testing import failed_checks
from manyminds.testing.checks import docstrings, frames
from manyminds.testing.plain import PlainClassifier, PlainTransformer

pytest.importorskip("polars")


class AlignsByIndex(PlainClassifier):
    def fit(self, X, y, sample_weight=None):
        if isinstance(X, pd.DataFrame) and isinstance(y, pd.Series):
            y = y.reindex(X.index)
        return super().fit(X, y, sample_weight)


class ReversesPolars(PlainClassifier):
    def fit(self, X, y, sample_weight=None):
        if type(X).__module__.startswith("polars"):
            X = X.reverse()
        return super().fit(X, y, sample_weight)


class NegatesBooleans(PlainClassifier):
    def fit(self, X, y, sample_weight=None):
        if isinstance(X, pd.DataFrame):
            X = X.assign(**{c: ~X[c] for c in X if X[c].dtype == bool})
        return super().fit(X, y, sample_weight)


class KeepsOldNames(PlainClassifier):
    def fit(self, X, y, sample_weight=None):
        names = getattr(self, "feature_names_in_", None)
        super().fit(X, y, sample_weight)
        if names is not None:
            self.feature_names_in_ = names
        return self


class LooksAtNoNames(PlainClassifier):
    def predict_proba(self, X):
        return super().predict_proba(np.asarray(X))


class SetsNoOutput(PlainTransformer):
    def set_output(self, *, transform=None):
        return self


BROKEN = {
    "check_feature_names": KeepsOldNames(),
    "check_mixed_frame": NegatesBooleans(),
    "check_pandas": AlignsByIndex(),
    "check_polars": ReversesPolars(),
    "check_set_output": SetsNoOutput(),
    "check_wrong_feature_names": LooksAtNoNames(),
}


def test_every_check_is_put_to_the_test():
    assert set(BROKEN) == set(frames.__all__)


@pytest.mark.slow
@pytest.mark.parametrize("name", BROKEN)
def test_fault_fails_its_check_and_no_other(name):
    assert set(failed_checks(BROKEN[name])) - set(docstrings.__all__) == {name}


def test_names_out_must_be_as_many_as_columns():
    class NamesOneColumn(PlainTransformer):
        def get_feature_names_out(self, input_features=None):
            return np.array(["only"], dtype=object)

    message = str(failed_checks(NamesOneColumn())["check_feature_names"])
    assert "names 1 of 4 columns" in message

"""Each check of odd inputs can fail: here is the estimator that fails it."""

import numpy as np
import pandas as pd
import pytest

from manyminds.testing import failed_checks
from manyminds.testing.checks import docstrings, odd_inputs
from manyminds.testing.plain import PlainClassifier


def _is_table(X):
    return isinstance(X, np.ndarray) and X.ndim == 2 and X.dtype.kind == "f"


class DividesByTheSpread(PlainClassifier):
    def fit(self, X, y, sample_weight=None):
        super().fit(X, y, sample_weight)
        if _is_table(X) and len(X) > 2 and (np.ptp(X, axis=0) == 0).any():
            self.means_ = self.means_ * np.nan
        return self


class LooksAtTheSecondRow(PlainClassifier):
    def fit(self, X, y, sample_weight=None):
        if _is_table(X) and len(X) == 1:
            raise IndexError("index 1 is out of bounds")
        return super().fit(X, y, sample_weight)


class CountsRows(PlainClassifier):
    def predict_proba(self, X):
        p = super().predict_proba(X)
        shift = 1e-3 * p.min(axis=1) * np.arange(len(p)) / len(p)
        p[np.arange(len(p)), p.argmax(axis=1)] += shift
        return p / p.sum(axis=1, keepdims=True)


class InventsRows(PlainClassifier):
    def fit(self, X, y, sample_weight=None):
        if _is_table(X) and len(X) == 0:
            X, y = np.zeros((1, X.shape[1])), [0]
        return super().fit(X, y, sample_weight)


class ClipsInfinity(PlainClassifier):
    def fit(self, X, y, sample_weight=None):
        X = np.clip(X, -1e6, 1e6) if _is_table(X) else X
        return super().fit(X, y, sample_weight)


class FillsSilently(PlainClassifier):
    """Takes NaN without saying so in its tags."""

    def fit(self, X, y, sample_weight=None):
        return super().fit(self._filled(X), y, sample_weight)

    def predict_proba(self, X):
        return super().predict_proba(self._filled(X))

    def _filled(self, X):
        return np.where(np.isnan(X), 0.0, X) if _is_table(X) else X


class Fills(FillsSilently):
    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.input_tags.allow_nan = True
        return tags


class FillsInFitOnly(Fills):
    def predict_proba(self, X):
        return PlainClassifier.predict_proba(self, X)


class CutsColumns(PlainClassifier):
    def predict_proba(self, X):
        X = X[:, : self.n_features_in_] if _is_table(X) else X
        return super().predict_proba(X)


class Reshapes(PlainClassifier):
    def fit(self, X, y, sample_weight=None):
        X = X[:, None] if np.ndim(X) == 1 else X
        return super().fit(X, y, sample_weight)


class DropsWords(PlainClassifier):
    def fit(self, X, y, sample_weight=None):
        if isinstance(X, pd.DataFrame):
            X = X[[name for name in X if X[name].dtype.kind != "O"]]
        return super().fit(X, y, sample_weight)


BROKEN = {
    "check_constant_column": DividesByTheSpread(),
    "check_contradicting_rows": CountsRows(),
    "check_empty": InventsRows(),
    "check_infinity": ClipsInfinity(),
    "check_missing_values": FillsInFitOnly(),
    "check_missing_values_refused": FillsSilently(),
    "check_number_of_columns": CutsColumns(),
    "check_number_of_dimensions": Reshapes(),
    "check_one_row": LooksAtTheSecondRow(),
    "check_text_columns": DropsWords(),
}


def test_every_check_is_put_to_the_test():
    assert set(BROKEN) == set(odd_inputs.__all__)


@pytest.mark.slow
@pytest.mark.parametrize("name", BROKEN)
def test_fault_fails_its_check_and_no_other(name):
    assert set(failed_checks(BROKEN[name])) - set(docstrings.__all__) == {name}


def test_missing_values_may_be_taken():
    assert set(failed_checks(Fills())) <= set(docstrings.__all__)


def test_a_column_of_zeros_must_not_matter():
    class CountsColumns(PlainClassifier):
        def predict_proba(self, X):
            p = super().predict_proba(X) ** np.shape(X)[1]
            return p / p.sum(axis=1, keepdims=True)

    message = str(failed_checks(CountsColumns())["check_constant_column"])
    assert "with a column of zeros" in message

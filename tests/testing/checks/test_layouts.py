"""Each check of layouts can fail: here is the estimator that fails it."""

import numpy as np
import pytest
from scipy import sparse

from manyminds.testing import failed_checks
from manyminds.testing.checks import docstrings, layouts
from manyminds.testing.plain import PlainClassifier


class RescalesWeightsInPlace(PlainClassifier):
    def fit(self, X, y, sample_weight=None):
        super().fit(X, y, sample_weight)
        if isinstance(sample_weight, np.ndarray):
            sample_weight /= sample_weight.sum()
        return self


class WantsToWrite(PlainClassifier):
    def fit(self, X, y, sample_weight=None):
        if type(X) is np.ndarray and not X.flags.writeable:
            raise ValueError("X is read-only")
        return super().fit(X, y, sample_weight)


class DislikesFiles(PlainClassifier):
    def fit(self, X, y, sample_weight=None):
        if isinstance(X, np.memmap):
            raise TypeError("X is in a file")
        return super().fit(X, y, sample_weight)


class ReadsMemoryAsItLies(PlainClassifier):
    def fit(self, X, y, sample_weight=None):
        if isinstance(X, np.ndarray):
            X = X.ravel(order="K").reshape(X.shape)
        return super().fit(X, y, sample_weight)


class HalvesIntegers(PlainClassifier):
    def fit(self, X, y, sample_weight=None):
        if isinstance(X, np.ndarray) and X.dtype.kind in "iu":
            X = X // 2
        return super().fit(X, y, sample_weight)


class Densifies(PlainClassifier):
    """Takes sparse input without saying so in its tags."""

    def fit(self, X, y, sample_weight=None):
        return super().fit(_dense(X), y, sample_weight)

    def predict_proba(self, X):
        return super().predict_proba(_dense(X))


class TakesSparse(Densifies):
    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = True
        return tags


class TakesColumnsForRows(TakesSparse):
    def fit(self, X, y, sample_weight=None):
        if sparse.issparse(X) and X.format == "csc":
            X = X.toarray().ravel(order="F").reshape(X.shape)
        return super().fit(X, y, sample_weight)


def _dense(X):
    return X.toarray() if sparse.issparse(X) else X


BROKEN = {
    "check_inputs_unchanged": RescalesWeightsInPlace(),
    "check_memory_layout": ReadsMemoryAsItLies(),
    "check_memory_map": DislikesFiles(),
    "check_number_types": HalvesIntegers(),
    "check_read_only": WantsToWrite(),
    "check_sparse": TakesColumnsForRows(),
    "check_sparse_refused": Densifies(),
}


def test_every_check_is_put_to_the_test():
    assert set(BROKEN) == set(layouts.__all__)


@pytest.mark.slow
@pytest.mark.parametrize("name", BROKEN)
def test_fault_fails_its_check_and_no_other(name):
    assert set(failed_checks(BROKEN[name])) - set(docstrings.__all__) == {name}


def test_sparse_input_may_be_taken():
    assert set(failed_checks(TakesSparse())) <= set(docstrings.__all__)


def test_centring_in_place_is_found_out():
    class CentresInPlace(PlainClassifier):
        def fit(self, X, y, sample_weight=None):
            super().fit(X, y, sample_weight)
            X -= X.mean(axis=0)
            return self

    message = str(failed_checks(CentresInPlace())["check_inputs_unchanged"])
    assert "X is changed in place" in message

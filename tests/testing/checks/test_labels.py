"""Each check of labels can fail: here is the estimator that fails it."""

import numpy as np
import pytest

from manyminds.testing import failed_checks
from manyminds.testing.checks import docstrings, labels
from manyminds.testing.plain import PlainClassifier


class AnswersInObjects(PlainClassifier):
    def predict(self, X):
        return super().predict(X).astype(object)


class IsAfraidOfNegatives(PlainClassifier):
    def predict_proba(self, X):
        p = super().predict_proba(X)
        if self.classes_.dtype.kind == "i" and self.classes_.min() < 0:
            p = np.sqrt(p)
        return p / p.sum(axis=1, keepdims=True)


class TakesLogarithmsToTheBaseTwo(PlainClassifier):
    def predict_log_proba(self, X):
        return np.log2(self.predict_proba(X))


BROKEN = {
    "check_label_names": IsAfraidOfNegatives(),
    "check_label_types": AnswersInObjects(),
    "check_probabilities": TakesLogarithmsToTheBaseTwo(),
}


def test_every_check_is_put_to_the_test():
    assert set(BROKEN) == set(labels.__all__)


@pytest.mark.slow
@pytest.mark.parametrize("name", BROKEN)
def test_fault_fails_its_check_and_no_other(name):
    assert set(failed_checks(BROKEN[name])) - set(docstrings.__all__) == {name}


def test_probabilities_must_sum_to_one():
    class Halves(PlainClassifier):
        def predict_proba(self, X):
            return super().predict_proba(X) / 2

    message = str(failed_checks(Halves())["check_probabilities"])
    assert "no probabilities" in message


def test_predict_must_be_the_most_probable_class():
    class Contradicts(PlainClassifier):
        def predict(self, X):
            return self.classes_[self.predict_proba(X).argmin(axis=1)]

    message = str(failed_checks(Contradicts())["check_probabilities"])
    assert "highest predict_proba" in message


def test_classes_must_be_the_labels():
    class Encodes(PlainClassifier):
        def fit(self, X, y, sample_weight=None):
            super().fit(X, y, sample_weight)
            self.classes_ = np.arange(len(self.classes_))
            return self

    message = str(failed_checks(Encodes())["check_label_types"])
    assert "classes_ is [0 1 2] rather than ['ant' 'bee' 'wasp']" in message

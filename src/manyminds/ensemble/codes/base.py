"""Common base of classifiers by output codes: columns, decoding, probabilities."""

import numpy as np
from scipy.special import softmax
from sklearn.base import BaseEstimator, ClassifierMixin, is_classifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.svm import SVC
from sklearn.utils import get_tags
from sklearn.utils.metaestimators import available_if
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import check_is_fitted, validate_data

from manyminds._compat import DocLinkMixin
from manyminds.ensemble.base import route_weight, run_on_members
from manyminds.ensemble.codes._parameters import PARAGRAPHS
from manyminds.ensemble.codes.calibration import (
    apply_platt,
    fit_platt,
    fit_temperature,
)
from manyminds.ensemble.codes.columns import (
    draw_column_seeds,
    fit_column,
    predict_left_out,
    read_output,
)
from manyminds.ensemble.codes.decoders import decode, find_nearest, map_losses
from manyminds.ensemble.codes.distances import canonical_columns
from manyminds.utils.docstrings import fill_docstring
from manyminds.utils.folds import assign_folds
from manyminds.utils.weights import read_weights


class ColumnsClassifier(ClassifierMixin, DocLinkMixin, BaseEstimator):
    """Base class: fit a clone of ``estimator`` to each column of a code."""

    @property
    def _base(self):
        if self.estimator is None:
            return make_pipeline(StandardScaler(), SVC())
        return self.estimator

    def _read_training_set(self, X, y, sample_weight):
        """Check the arguments of ``fit``; leave out rows without weight."""
        if not is_classifier(self._base):
            raise ValueError(f"estimator must be a classifier; got {self.estimator!r}.")
        X, y = validate_data(self, X, y, **self._list_checks())
        check_classification_targets(y)
        weight = read_weights(sample_weight, X)
        if weight is not None:
            if not route_weight(self._base, weight):
                raise ValueError(
                    "sample_weight needs an estimator whose fit takes it; got "
                    f"{self._base!r}."
                )
            kept = np.flatnonzero(weight > 0.0)
            X, y, weight = X[kept], np.asarray(y)[kept], weight[kept]
        self.classes_, label = np.unique(y, return_inverse=True)
        self.n_classes_ = len(self.classes_)
        if self.n_classes_ < 2:
            raise ValueError(
                f"{type(self).__name__} needs two classes or more; y has one class."
            )
        return X, label, weight

    def _fit_learners(self, X, label, weight, rng):
        """Fit the learners of ``code_``; return its turned columns and their seeds."""
        canonical, self._sign = canonical_columns(self.code_)
        seeds = draw_column_seeds(canonical, rng)
        columns = list(zip(canonical.T, seeds))
        fits = ((self._base, X, label, *column, weight) for column in columns)
        self.estimators_ = list(run_on_members(fit_column, fits, self.n_jobs))
        return columns

    def _list_checks(self):
        tags = get_tags(self._base).input_tags
        finite = "allow-nan" if tags.allow_nan else True
        return {
            "accept_sparse": ["csr"] if tags.sparse else False,
            "dtype": np.float64,
            "ensure_all_finite": finite,
        }

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        inner = get_tags(self._base).input_tags
        tags.input_tags.allow_nan = inner.allow_nan
        tags.input_tags.sparse = inner.sparse
        return tags


@fill_docstring(**PARAGRAPHS)
class CodeClassifier(ColumnsClassifier):
    """Classify by binary learners, one for each column of a code.

    The ``fit`` of a subclass finds a code and calls ``_fit_columns``.
    """

    @property
    def _decoder(self):
        if self.decoder != "auto":
            return self.decoder
        return "hinge" if self.code_.all() else "attenuated"

    def _fit_columns(self, X, label, weight, rng):
        """Fit the learners of ``code_``, and calibrate the probabilities."""
        columns = self._fit_learners(X, label, weight, rng)
        if self.cv is not None:
            n_folds = min(self.cv, np.bincount(label).max())
            fold = assign_folds(label, n_folds, rng) if n_folds > 1 else None
            outputs = self._predict_columns_left_out(X, label, weight, columns, fold)
            self._calibrate(outputs, label, weight)
        return self

    def _predict_columns_left_out(self, X, label, weight, columns, fold):
        """Return outputs for samples that the learners have not seen."""
        if fold is None:  # one row of each class: there are none
            return self._read_columns(X)
        fits = ((self._base, X, label, *column, fold, weight) for column in columns)
        outputs = list(run_on_members(predict_left_out, fits, self.n_jobs))
        return np.stack(outputs, axis=1) * self._sign

    def _calibrate(self, outputs, label, weight):
        """Fit the sigmoids of probabilistic decoding, and the temperature."""
        if self.decoder == "probabilistic":
            self.sigmoids_ = [
                _fit_sigmoid(output, side[label], weight)
                for output, side in zip(outputs.T, self.code_.T)
            ]
        losses = decode(self._scale(outputs), self.code_, self._decoder)
        self.temperature_ = fit_temperature(losses, label, weight)

    def _scale(self, outputs):
        """Return outputs as the decoder takes them."""
        if self.decoder != "probabilistic":
            return outputs
        columns = zip(outputs.T, self.sigmoids_)
        p = np.stack([apply_platt(output, sigmoid) for output, sigmoid in columns], 1)
        return 2.0 * p - 1.0

    def _read_columns(self, X):
        """Return the outputs of all columns for checked samples."""
        pairs = ((member, X) for member in self.estimators_)
        outputs = list(run_on_members(read_output, pairs, self.n_jobs))
        return np.stack(outputs, axis=1) * self._sign

    def column_outputs(self, X):
        """Return what the learner of each column outputs.

        {classify_array}
        outputs : ndarray of shape (n_samples, n_columns)
            Positive for the classes with 1 in the column of ``code_``. Decision values
            of the learners, or probabilities stretched to -1 and 1; with probabilistic
            decoding the calibrated probabilities, stretched likewise.
        """
        check_is_fitted(self)
        X = validate_data(self, X, reset=False, **self._list_checks())
        return self._scale(self._read_columns(X))

    def decision_function(self, X):
        """Return the negative losses of the classes; the highest is predicted.

        {classify_array}
        scores : ndarray of shape (n_samples, n_classes) or (n_samples,)
            Columns in the order of ``classes_``; for two classes the difference,
            positive for the second one.
        """
        outputs = self.column_outputs(X)
        scores = map_losses(np.negative, outputs, self.code_, self._decoder)
        return scores[:, 1] - scores[:, 0] if self.n_classes_ == 2 else scores

    def predict(self, X):
        """Predict the class of each row of X.

        {classify_array}
        y : ndarray of shape (n_samples,)
            The class with the least loss; the first of equals.
        """
        outputs = self.column_outputs(X)
        return self.classes_[find_nearest(outputs, self.code_, self._decoder)]

    @available_if(lambda self: self.cv is not None)
    @fill_docstring(**PARAGRAPHS)
    def predict_proba(self, X):
        """Predict the probability of each class for each row of X.

        {classify_array}
        p : ndarray of shape (n_samples, n_classes)
            Softmax of the negative losses times ``temperature_``. Columns in the order
            of ``classes_``.
        """
        outputs = self.column_outputs(X)
        return map_losses(
            lambda losses: softmax(-self.temperature_ * losses, axis=1),
            outputs,
            self.code_,
            self._decoder,
        )


def _fit_sigmoid(output, side, weight):
    """Fit the sigmoid of one column to the rows that it does not ignore."""
    rows = np.flatnonzero(side)
    weight = None if weight is None else weight[rows]
    return fit_platt(output[rows], side[rows] > 0, weight)

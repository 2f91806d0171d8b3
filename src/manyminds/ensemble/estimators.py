"""Estimators made of members: their predictions, votes and out-of-bag scores."""

from numbers import Integral
from warnings import warn

import numpy as np
from sklearn.base import BaseEstimator, ClassifierMixin, RegressorMixin, is_classifier
from sklearn.metrics import accuracy_score, r2_score
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import check_is_fitted, validate_data

from manyminds._compat import DocLinkMixin, Interval, RealNotInt
from manyminds.ensemble.base import EstimatorMembers, share_votes
from manyminds.utils._paragraphs import ROWS
from manyminds.utils.docstrings import fill_docstring


class Ensemble:
    """Methods of an estimator with ``_members``; goes first among its bases.

    ``_read_table`` checks samples and returns them as the members see them.
    """

    def predict_all(self, X):
        """Predict each row of X by each member alone.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
            Samples to predict, as ``predict`` takes them.

        Returns
        -------
        y : ndarray of shape (n_members, n_samples)
            Class or target that each member predicts.
        """
        check_is_fitted(self)
        return self._decode(self._predict_members(self._read_table(X)))

    def _predict_members(self, X):
        """Return class numbers or targets of each member: (n_members, n_samples)."""
        members = self._members
        return members.labels(X) if is_classifier(self) else members.values(X)[:, :, 0]

    def _decode(self, predictions):
        """Turn class numbers into labels; targets stay as they are."""
        return self.classes_.take(predictions) if is_classifier(self) else predictions


class BootstrapEnsemble(Ensemble):
    """An ensemble whose members may draw their rows with replacement."""

    _bootstrap_constraints = {
        "bootstrap": ["boolean"],
        "max_samples": [
            None,
            Interval(RealNotInt, 0.0, None, closed="neither"),
            Interval(Integral, 1, None, closed="left"),
        ],
    }

    def _check_bootstrap(self):
        """Raise if a parameter is set that needs a bootstrap, but there is none."""
        if not self.bootstrap and self.max_samples is not None:
            raise ValueError(
                f"max_samples={self.max_samples!r} needs bootstrap=True; without a "
                "bootstrap every member sees all rows."
            )
        if not self.bootstrap and self.oob_score:
            raise ValueError("oob_score=True needs bootstrap=True: no row is left out.")

    def _get_n_draws(self, n_samples, sample_weight):
        """Return the number of rows that a member draws; 0 without a bootstrap."""
        if not self.bootstrap:
            return 0
        if self.max_samples is None:
            return n_samples
        if isinstance(self.max_samples, Integral):
            return int(self.max_samples)
        whole = n_samples if sample_weight is None else sample_weight.sum()
        return max(1, int(self.max_samples * whole))

    def _score_out_of_bag(self, X, y, count_draws):
        """Set the out-of-bag predictions and their score.

        X are the training samples as the members see them, y the encoded targets of
        those with a weight.
        """
        mean, n_out_of_bag = self._members.out_of_bag_mean(X, count_draws)
        is_known = n_out_of_bag > 0
        if not is_known.all():
            warn(
                f"{np.sum(~is_known)} rows were drawn by every member and have no "
                "out-of-bag prediction (NaN); more members would help.",
                stacklevel=4,
            )
        self._rate_out_of_bag(mean, *self._pair_with_targets(y, mean, is_known))

    def _rate_out_of_bag(self, mean, truth, guess):
        """Store the out-of-bag predictions; score those that are known."""
        if is_classifier(self):
            self.oob_decision_function_ = mean
            truth, guess = truth.astype(np.intp), guess.argmax(axis=1)
        else:
            self.oob_prediction_, guess = mean[:, 0], guess[:, 0]
        usual = accuracy_score if is_classifier(self) else r2_score
        score = self.oob_score if callable(self.oob_score) else usual
        self.oob_score_ = score(self._decode(truth), self._decode(guess))


class _EstimatorEnsemble(Ensemble, DocLinkMixin, BaseEstimator):
    """An ensemble whose model is the list of its ``estimators_``."""

    _member_classes = None  # those that members predict; None: they predict targets

    @property
    def _members(self):
        n_jobs = getattr(self, "n_jobs", None)
        return EstimatorMembers(self.estimators_, self._member_classes, n_jobs=n_jobs)

    def _read_table(self, X):
        """Check samples to predict."""
        check_is_fitted(self)
        return validate_data(self, X, dtype=np.float64, reset=False)


@fill_docstring(**ROWS)
class EnsembleClassifier(ClassifierMixin, _EstimatorEnsemble):
    """An ensemble that votes: the mean of the members' probabilities, or of labels."""

    voting = "soft"

    @property
    def _member_classes(self):
        return np.arange(self.n_classes_)

    def _read_classes(self, y):
        """Store the classes; return the number of each row's class."""
        check_classification_targets(y)
        self.classes_, label = np.unique(y, return_inverse=True)
        self.n_classes_ = len(self.classes_)
        return label

    def predict_proba(self, X):
        """Predict the probability of each class for each row of X.

        {classify_array}
        p : ndarray of shape (n_samples, n_classes)
            Mean of the members' probabilities; with ``voting="hard"`` the shares of
            their votes. Columns in the order of ``classes_``.
        """
        X = self._read_table(X)
        if self.voting == "hard":
            return share_votes(self._members.labels(X), self.n_classes_)
        return self._members.mean(X)

    def predict(self, X):
        """Predict the class of each row of X.

        {classify_array}
        y : ndarray of shape (n_samples,)
            The class with the highest probability; the first of equals.
        """
        return self._decode(self.predict_proba(X).argmax(axis=1))


@fill_docstring(**ROWS)
class EnsembleRegressor(RegressorMixin, _EstimatorEnsemble):
    """An ensemble that predicts the mean of its members."""

    def predict(self, X):
        """Predict the target of each row of X.

        {predict_array}
        y : ndarray of shape (n_samples,)
            Mean of the members' predictions.
        """
        X = self._read_table(X)
        return self._decode(self._members.mean(X)[:, 0])

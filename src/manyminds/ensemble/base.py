"""What pools of members share: seeds, clones, parallel fits, votes and means."""

import numpy as np
from sklearn.base import BaseEstimator, ClassifierMixin, RegressorMixin, clone
from sklearn.feature_selection import SelectFromModel
from sklearn.pipeline import Pipeline
from sklearn.utils import check_random_state
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.parallel import Parallel, delayed
from sklearn.utils.validation import (
    check_is_fitted,
    has_fit_parameter,
    validate_data,
)

from manyminds._compat import DocLinkMixin


def draw_member_seeds(random_state, n_members):
    """Draw one seed for each member, before any parallel loop."""
    return check_random_state(random_state).randint(2**31 - 1, size=n_members)


def route_weight(estimator, weight):
    """Return how weights are passed to an estimator's ``fit``; {} if it takes none.

    Examples
    --------
    >>> from sklearn.linear_model import Ridge
    >>> from sklearn.pipeline import make_pipeline
    >>> from sklearn.preprocessing import FunctionTransformer
    >>> from manyminds.ensemble.base import route_weight
    >>> route_weight(make_pipeline(FunctionTransformer(), Ridge()), [1, 2])
    {'ridge__sample_weight': [1, 2]}
    """
    if isinstance(estimator, Pipeline):
        return {
            f"{name}__{key}": value
            for name, step in estimator.steps
            if hasattr(step, "fit")
            for key, value in route_weight(step, weight).items()
        }
    # A selector by a model hands on what it is given, whatever the model takes.
    inner = estimator.estimator if isinstance(estimator, SelectFromModel) else estimator
    takes = has_fit_parameter(inner, "sample_weight")
    return {"sample_weight": weight} if takes else {}


def make_member(estimator, seed):
    """Clone an estimator, and set each ``random_state`` in it from the seed.

    Each gets a number of its own, also where one was set: members that draw alike
    would be one member.
    """
    member = clone(estimator)
    names = sorted(
        name
        for name in member.get_params(deep=True)
        if name == "random_state" or name.endswith("__random_state")
    )
    numbers = draw_member_seeds(int(seed), len(names))
    return member.set_params(**{name: int(n) for name, n in zip(names, numbers)})


def run_on_members(function, arguments, n_jobs=None):
    """Call the function for each tuple of arguments over threads; yield in order."""
    # One call at a time to a thread: joblib would lump short ones together.
    run = Parallel(n_jobs, prefer="threads", batch_size=1, return_as="generator")
    return run(delayed(function)(*each) for each in arguments)


def read_probabilities(member, X, n_classes):
    """Return a member's probabilities for all classes, also those it has not seen.

    Members are fitted on the numbers of the classes. One without ``predict_proba``
    says 1 for the class that it predicts.
    """
    seen = np.asarray(member.classes_, dtype=np.intp)
    everything = np.zeros((X.shape[0], n_classes))
    if hasattr(member, "predict_proba"):
        everything[:, seen] = member.predict_proba(X)
    else:
        label = np.asarray(member.predict(X), dtype=np.intp)
        everything[np.arange(len(label)), label] = 1.0
    return everything


class Pool(DocLinkMixin, BaseEstimator):
    """An estimator whose model is the list of its ``estimators_``.

    A subclass whose members do not see the table as it is overrides ``_see``; one
    whose input is checked in its own way overrides ``_read_table``.
    """

    def _see(self, t, X):
        """Return what member ``t`` sees of the checked table X."""
        return X

    def _read_table(self, X):
        """Check a table that a question is asked about."""
        return validate_data(self, X, dtype=np.float64, reset=False)

    def _ask_members(self, X, question):
        """Yield ``question(member, what it sees of X)``, in the order of members."""
        check_is_fitted(self)
        X = self._read_table(X)

        def ask(t):
            return question(self.estimators_[t], self._see(t, X))

        members = ((t,) for t in range(len(self.estimators_)))
        return run_on_members(ask, members, getattr(self, "n_jobs", None))


class PoolClassifier(ClassifierMixin, Pool):
    """A pool that votes: the mean of the members' probabilities, or their labels."""

    def _read_classes(self, y):
        """Note the classes; return the number of each row's class."""
        check_classification_targets(y)
        self.classes_, label = np.unique(y, return_inverse=True)
        self.n_classes_ = len(self.classes_)
        return label

    def predict_proba(self, X):
        """Predict the probability of each class for each row of X.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)

        Returns
        -------
        p : ndarray of shape (n_samples, n_classes)
            Mean of what the members say; with ``voting="hard"`` the shares of their
            votes. Columns in the order of ``classes_``.
        """
        check_is_fitted(self)
        n_classes, hard = self.n_classes_, getattr(self, "voting", "soft") == "hard"

        def ask(member, X):
            says = read_probabilities(member, X, n_classes)
            return np.eye(n_classes)[says.argmax(axis=1)] if hard else says

        total = sum(self._ask_members(X, ask))
        return total / len(self.estimators_)

    def predict(self, X):
        """Predict the class of each row of X.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)

        Returns
        -------
        y : ndarray of shape (n_samples,)
            The class with the highest probability; the first of equals.
        """
        probabilities = self.predict_proba(X)
        return self.classes_[probabilities.argmax(axis=1)]

    def predict_all(self, X):
        """Predict the class of each row of X by each member alone.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)

        Returns
        -------
        y : ndarray of shape (n_estimators, n_samples)
        """

        def ask(member, X):
            return read_probabilities(member, X, self.n_classes_).argmax(axis=1)

        labels = np.array(list(self._ask_members(X, ask)))
        return self.classes_[labels]


class PoolRegressor(RegressorMixin, Pool):
    """A pool that predicts the mean of its members."""

    def predict(self, X):
        """Predict the target of each row of X.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)

        Returns
        -------
        y : ndarray of shape (n_samples,)
        """
        total = sum(self._ask_members(X, lambda member, X: member.predict(X)))
        return total / len(self.estimators_)

    def predict_all(self, X):
        """Predict the target of each row of X by each member alone.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)

        Returns
        -------
        y : ndarray of shape (n_estimators, n_samples)
        """
        return np.array(list(self._ask_members(X, lambda member, X: member.predict(X))))

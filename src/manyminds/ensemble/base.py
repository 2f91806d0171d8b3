"""The contract of an ensemble of members.

An ensemble does three things with its members, under the same names everywhere:

- It fits a batch of them. `run_on_members` fits over threads, each member a clone that
  `make_member` seeds; the fitters of the families return `Members`.
- It predicts with each of them: `Members.values`, `Members.labels`, `Members.mean`.
- It predicts each training sample by the members that did not draw it:
  `Members.out_of_bag_mean`.

`Ensemble` of ``estimators.py`` builds the estimator's methods on these.
"""

from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from scipy.sparse import issparse
from sklearn.base import clone
from sklearn.feature_selection import SelectFromModel
from sklearn.pipeline import Pipeline
from sklearn.utils import check_random_state
from sklearn.utils.parallel import Parallel, delayed
from sklearn.utils.validation import has_fit_parameter

from manyminds.trees.columns import map_dense_blocks
from manyminds.trees.structure import Trees
from manyminds.utils.backends import choose_return
from manyminds.utils.tables import take_columns, take_rows

_BLOCK_CELLS = 2**22  # predictions held at once: members by samples
_NAMES = (
    "classes_", "n_classes_", "feature_names_in_", "n_features_in_", "_encoder",
    "_level_codes",
)  # fmt: skip


# ---------------------------------------------------------------- fit


def draw_member_seeds(random_state, n_members):
    """Draw one seed for each member, before any parallel loop."""
    return check_random_state(random_state).randint(2**31 - 1, size=n_members)


def route_weight(estimator, weight):
    """Return the arguments that pass weights to an estimator's ``fit``, if any.

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
    # A selector by a model passes on all arguments, also those it does not take.
    inner = estimator.estimator if isinstance(estimator, SelectFromModel) else estimator
    takes = has_fit_parameter(inner, "sample_weight")
    return {"sample_weight": weight} if takes else {}


def make_member(estimator, seed):
    """Clone an estimator, and set each ``random_state`` in it from the seed.

    Each gets a number of its own, also where one was set: members that draw the same
    numbers would be one member.
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
    run = Parallel(n_jobs, prefer="threads", batch_size=1, return_as=choose_return())
    return run(delayed(function)(*each) for each in arguments)


def copy_names(model, member):
    """Copy the names of columns and classes of a fitted model to a member."""
    for name in _NAMES:
        if hasattr(model, name):
            setattr(member, name, getattr(model, name))


def adopt_tree(model, member, tree):
    """Turn an unfitted single-tree estimator into one that holds a model's tree."""
    copy_names(model, member)
    member.tree_ = tree
    return member


# ---------------------------------------------------------------- predict


def read_probabilities(member, X, classes):
    """Return a member's probabilities of all classes, also those it has not seen.

    A member without ``predict_proba`` has the probability 1 of the class that it
    predicts. ``classes`` are the sorted classes of the ensemble as its members know
    them; their number, if members know them by number.
    """
    classes = np.arange(classes) if np.ndim(classes) == 0 else classes
    everything = np.zeros((X.shape[0], len(classes)))
    if hasattr(member, "predict_proba"):
        seen = np.searchsorted(classes, member.classes_)
        everything[:, seen] = member.predict_proba(X)
    else:
        label = np.searchsorted(classes, member.predict(X))
        everything[np.arange(len(label)), label] = 1.0
    return everything


def read_values(member, X, classes):
    """Return a member's probabilities, or its predictions as a column."""
    if classes is not None:
        return read_probabilities(member, X, classes)
    return np.asarray(member.predict(X), dtype=np.float64).reshape(-1, 1)


def share_votes(labels, n_classes):
    """Return the share of members that vote for each class: (n_samples, n_classes)."""
    return np.stack([np.mean(labels == c, axis=0) for c in range(n_classes)], axis=1)


class Members:
    """Fitted members in their order; a subclass defines ``_predict_each``.

    A value is the probability of a class, or a target: members of a regressor have one
    value for each sample.
    """

    def _predict_each(self, X):
        """Yield the values of each member: (n_samples, n_values)."""
        raise NotImplementedError

    def values(self, X):
        """Return the values of each member: (n_members, n_samples, n_values)."""
        return np.array(list(self._predict_each(X)))

    def labels(self, X):
        """Return the most probable class of each member: (n_members, n_samples)."""
        return np.array([values.argmax(axis=1) for values in self._predict_each(X)])

    def mean(self, X):
        """Return the mean of the members' values: (n_samples, n_values)."""
        return sum(self._predict_each(X)) / len(self)

    def out_of_bag_mean(self, X, count_draws):
        """Average, for each training sample, over the members that did not draw it.

        Parameters
        ----------
        X : ndarray or dataframe of shape (n_samples, n_features)
            Training samples, as the members see them.
        count_draws : callable
            Takes a slice of the members and returns how often each of them drew each
            sample, as an array of shape (n_members of the slice, n_samples).

        Returns
        -------
        mean : ndarray of shape (n_samples, n_values)
            NaN for a sample that all members drew.
        n_out_of_bag : ndarray of shape (n_samples,)
            Number of members that did not draw it.
        """
        left_out = count_draws(slice(0, len(self))) == 0
        n_out_of_bag = np.count_nonzero(left_out, axis=0)
        step, totals = max(1, _BLOCK_CELLS // len(self)), []
        for first in range(0, len(n_out_of_bag), step):
            rows = np.arange(first, min(first + step, len(n_out_of_bag)))
            values = self.values(take_rows(X, rows))
            totals.append(np.where(left_out[:, rows, None], values, 0.0).sum(axis=0))
        with np.errstate(invalid="ignore"):
            return np.concatenate(totals) / n_out_of_bag[:, None], n_out_of_bag


@dataclass(frozen=True, eq=False)
class EstimatorMembers(Members):
    """Any fitted estimators, with the view that each has of the table.

    Parameters
    ----------
    estimators : list of estimators
    classes : ndarray of shape (n_classes,) or None
        The classes as the members know them; None: members of a regressor.
    views : list or None
        For each member the columns that it sees, a transformer of the table, or None
        for the table itself; None: all see the table itself.
    n_jobs : int or None
        Number of threads.
    """

    estimators: list
    classes: np.ndarray | None
    views: list | None = None
    n_jobs: Any = None

    def __len__(self):
        return len(self.estimators)

    @classmethod
    def join(cls, parts):
        """Return the members of all ``parts``, one after the other."""
        estimators = [one for part in parts for one in part.estimators]
        return replace(parts[0], estimators=estimators)

    def _predict_each(self, X):
        def predict(t, X):
            view = None if self.views is None else self.views[t]
            return read_values(self.estimators[t], apply_view(view, X), self.classes)

        return run_on_members(predict, self._list_inputs(X), self.n_jobs)

    def _list_inputs(self, X):
        """Yield the number of each member and the table for it."""
        return ((t, X) for t in range(len(self)))


def apply_view(view, X):
    """Return what a member with this view sees of a table."""
    if view is None:
        return X
    return take_columns(X, view) if isinstance(view, np.ndarray) else view.transform(X)


@dataclass(frozen=True, eq=False)
class TreeMembers(Members):
    """Trees of our engine, which predict all at once.

    Parameters
    ----------
    trees : Trees
    n_jobs : int or None
        Number of threads.
    """

    trees: Trees
    n_jobs: Any = None

    def __len__(self):
        return self.trees.n_trees

    @classmethod
    def join(cls, parts):
        """Return the members of all ``parts``, one after the other."""
        if len(parts) == 1:
            return parts[0]
        trees = Trees.concatenate([part.trees for part in parts])
        return replace(parts[0], trees=trees)

    def member(self, t):
        """Return member ``t`` alone."""
        return replace(self, trees=self.trees.tree(t))

    def values(self, X):
        """Return the values of each tree: (n_trees, n_samples, n_values)."""
        return self._map(self.trees.values_by_tree, X, axis=1)

    def labels(self, X):
        """Return the most probable class of each tree: (n_trees, n_samples)."""
        return self._map(self.trees.labels_by_tree, X, axis=1)

    def mean(self, X):
        """Return the mean of the trees' values: (n_samples, n_values)."""
        return self._map(self.trees.mean_value, X)

    def apply(self, X):
        """Return the leaf of each sample in each tree: (n_samples, n_trees)."""
        return self._map(self.trees.apply, X)

    def out_of_bag_mean(self, X, count_draws):
        """Average over the trees that did not draw a sample; see `Members`."""
        X = X.toarray() if issparse(X) else X
        return self.trees.left_out_mean(X, count_draws, n_jobs=self.n_jobs)

    def feature_importances(self):
        """Return the mean over the trees of each feature's decrease of impurity."""
        shares = self.trees.feature_importances().mean(axis=0)
        return shares / (shares.sum() or 1.0)

    def _map(self, function, X, axis=0):
        return map_dense_blocks(lambda X: function(X, n_jobs=self.n_jobs), X, axis)

"""Averaged n-dependence: all features depend on the class and on n of them, in turn."""

from itertools import combinations
from numbers import Integral

import numpy as np
from joblib import effective_n_jobs

from manyminds._compat import Interval
from manyminds.kernels.network_classes import (
    SuperParents,
    average_sets,
    count_states,
    take_logs,
)
from manyminds.networks._parameters import PARAGRAPHS
from manyminds.networks.classifiers.base import (
    CLASSES,
    DISCRETIZE,
    FIT,
    CodedClassifier,
)
from manyminds.utils.docstrings import fill_docstring
from manyminds.utils.threads import run_in_threads

MAX_CELLS = 2**27  # of all tables: 1 GB
_BLOCK_ROWS = 4096

_PARAGRAPHS = {**PARAGRAPHS, "discretize": DISCRETIZE, "classes": CLASSES, "fit": FIT}
_PARAGRAPHS["min_rows"] = """\
min_rows : int, default=1
    A set of parents takes part in a prediction if so many training rows have the same
    values of it. Where no set does, smaller sets are averaged.
"""


@fill_docstring(fit=FIT)
class AveragedDependence(CodedClassifier):
    """Base class: average estimators that condition on sets of ``n`` features."""

    _parameter_constraints = {
        **CodedClassifier._parameter_constraints,
        "min_rows": [Interval(Integral, 1, None, closed="left")],
    }

    def fit(self, X, y, sample_weight=None):
        """Count the classes and categories of the training rows.

        {fit}

        Returns
        -------
        self : estimator
        """
        return self._fit(X, y, sample_weight)

    def _count_parents(self):
        """Return the number of features in a set."""
        return self.n

    def _fit_codes(self, codes, label, weight):
        n_varying = np.count_nonzero(self.n_states_ > 1)
        n = min(self._count_parents(), max(n_varying - 1, 0))
        self._levels = [
            self._fit_level(codes, label, weight, size) for size in range(n, -1, -1)
        ]

    def _fit_level(self, codes, label, weight, size):
        """Return sets of features of a size, and the tables that belong to them."""
        n_classes = len(self.classes_)
        sets = _list_sets(self.n_states_, size)
        n_cells, n_states = sets.first[-1], sets.first_state[-1]
        if n_cells * n_states * n_classes > MAX_CELLS:
            raise ValueError(
                f"n={size} needs {n_cells * n_states * n_classes:.3g} counts, more "
                f"than {MAX_CELLS:.3g}. Take a smaller n, or fewer categories: smaller "
                "n_bins, or rare ones merged."
            )
        alone = np.zeros((n_cells, n_classes))
        joint = np.zeros((n_cells, n_states, n_classes))

        def count(s):
            cell = np.empty(len(label), dtype=np.int64)
            count_states(codes, label, weight, sets, s, cell, alone, joint)

        n_sets = len(sets.members)
        run_in_threads(count, range(n_sets), effective_n_jobs(self.n_jobs))
        n_rows = alone.sum(axis=1)
        take_logs(alone, joint, sets, np.empty(n_sets), float(self.smoothing))
        return sets, n_rows, alone, joint

    def _join_classes(self, codes):
        out = np.empty((len(codes), len(self.classes_)))

        def average(first):
            rows = codes[first : first + _BLOCK_ROWS]
            found = self._average(rows, *self._levels[0])
            for level in self._levels[1:]:
                left = np.isnan(found[:, 0])
                if not left.any():
                    break
                found[left] = self._average(rows[left], *level)
            out[first : first + _BLOCK_ROWS] = found

        blocks = range(0, len(codes), _BLOCK_ROWS)
        run_in_threads(average, blocks, effective_n_jobs(self.n_jobs))
        return out

    def _average(self, rows, sets, n_rows, alone, joint):
        """Return the log of the sum over the sets; NaN where no set takes part."""
        found = np.empty((len(rows), len(self.classes_)))
        min_rows = float(self.min_rows) if sets.members.shape[1] else 0.0
        average_sets(rows, sets, n_rows, min_rows, alone, joint, found)
        return found


def _list_sets(n_states, size):
    """Return all sets of features of a size, with the places of their counts.

    Features with one state are in no set: conditioning on them changes nothing.
    """
    members = list(combinations(np.flatnonzero(n_states > 1), size))
    members = np.array(members, dtype=np.int64).reshape(len(members), size)
    n_cells = n_states[members].prod(axis=1)
    return SuperParents(
        members,
        np.append(0, np.cumsum(n_cells)).astype(np.int64),
        n_states,
        np.append(0, np.cumsum(n_states)).astype(np.int64),
    )


@fill_docstring(**_PARAGRAPHS)
class AnDEClassifier(AveragedDependence):
    r"""Classify by averaged n-dependence estimators.

    Each set :math:`S` of n features has an estimator in which all features depend on
    the class and on the set; their joint probabilities are averaged [1]_:

    .. math::

       \hat P(c, x) \propto \sum_S P(c, x_S) \prod_{k \notin S} P(x_k \mid c, x_S)

    With n = 0 this is naive Bayes, with n = 1 AODE. A greater n has a lower bias, a
    higher variance and more counts: it is for many rows and few columns.

    Parameters
    ----------
    n : int, default=2
        Number of features in a set.
    {discretize}
    {min_rows}
    {categorical_features}
    {n_jobs}

    Attributes
    ----------
    {classes}
    {names}

    See Also
    --------
    AODEClassifier : Sets of one feature, the common choice.

    References
    ----------
    .. [1] Webb, Boughton, Zheng, Ting and Salem, "Learning by extrapolation from
       marginal to full-multivariate probability distributions: Decreasingly naive
       Bayesian classification", Machine Learning 86, 2012.

    Examples
    --------
    >>> from manyminds.datasets import load_dataset
    >>> from manyminds.networks import AnDEClassifier, NaiveBayesClassifier
    >>> data = load_dataset("tic-tac-toe")
    >>> X, y = data.X, data.y
    >>> print(round(AnDEClassifier(2).fit(X, y).score(X, y), 2))
    0.94
    >>> print(round(NaiveBayesClassifier().fit(X, y).score(X, y), 2))
    0.7
    """

    _parameter_constraints = {
        "n": [Interval(Integral, 0, 3, closed="both")],
        **AveragedDependence._parameter_constraints,
    }

    def __init__(
        self, n=2, *, discretize="mdl", n_bins=10, smoothing=1.0, min_rows=1,
        categorical_features="from_dtype", n_jobs=None,
    ):  # fmt: skip
        self.n = n
        self.discretize = discretize
        self.n_bins = n_bins
        self.smoothing = smoothing
        self.min_rows = min_rows
        self.categorical_features = categorical_features
        self.n_jobs = n_jobs


@fill_docstring(**_PARAGRAPHS)
class AODEClassifier(AveragedDependence):
    r"""Classify by averaged one-dependence estimators.

    Each feature in turn is, with the class, the parent of all others, and the joint
    probabilities are averaged [1]_:

    .. math::

       \hat P(c, x) \propto \sum_i P(c, x_i) \prod_{k \ne i} P(x_k \mid c, x_i)

    No graph is selected, so that the variance is nearly as low as that of naive Bayes,
    without its assumption that features are independent within a class.

    Parameters
    ----------
    {discretize}
    {min_rows}
    {categorical_features}
    {n_jobs}

    Attributes
    ----------
    {classes}
    {names}

    See Also
    --------
    AnDEClassifier : Sets of more than one feature.
    TANClassifier : One tree of dependence.

    Notes
    -----
    Columns that are missing in a row are left out of its products, and so are the
    estimators of which they are the parent.

    References
    ----------
    .. [1] Webb, Boughton and Wang, "Not so naive Bayes: Aggregating one-dependence
       estimators", Machine Learning 58, 2005.

    Examples
    --------
    >>> from sklearn.datasets import load_wine
    >>> from sklearn.model_selection import cross_val_score
    >>> from manyminds.networks import AODEClassifier
    >>> X, y = load_wine(return_X_y=True)
    >>> print(cross_val_score(AODEClassifier(), X, y).mean() > 0.95)
    True
    """

    def __init__(
        self, *, discretize="mdl", n_bins=10, smoothing=1.0, min_rows=1,
        categorical_features="from_dtype", n_jobs=None,
    ):  # fmt: skip
        self.discretize = discretize
        self.n_bins = n_bins
        self.smoothing = smoothing
        self.min_rows = min_rows
        self.categorical_features = categorical_features
        self.n_jobs = n_jobs

    def _count_parents(self):
        return 1


@fill_docstring(**_PARAGRAPHS)
class NaiveBayesClassifier(AveragedDependence):
    r"""Classify by naive Bayes on categories and discretized numbers.

    .. math::

       \hat P(c, x) \propto P(c) \prod_k P(x_k \mid c)

    scikit-learn's ``CategoricalNB`` has the same formula for columns that are coded as
    numbers without gaps. This one takes columns of categories and numbers, missing
    values, and categories that the training rows did not have.

    Parameters
    ----------
    {discretize}
    {categorical_features}
    {n_jobs}

    Attributes
    ----------
    {classes}
    {names}

    See Also
    --------
    AODEClassifier : Does not assume that features are independent within a class.

    References
    ----------
    .. [1] Domingos and Pazzani, "On the optimality of the simple Bayesian classifier
       under zero-one loss", Machine Learning 29, 1997.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from manyminds.networks import NaiveBayesClassifier
    >>> X, y = load_iris(return_X_y=True)
    >>> print(round(NaiveBayesClassifier().fit(X, y).score(X, y), 2))
    0.95
    """

    min_rows = 1

    _parameter_constraints = CodedClassifier._parameter_constraints

    def __init__(
        self, *, discretize="mdl", n_bins=10, smoothing=1.0,
        categorical_features="from_dtype", n_jobs=None,
    ):  # fmt: skip
        self.discretize = discretize
        self.n_bins = n_bins
        self.smoothing = smoothing
        self.categorical_features = categorical_features
        self.n_jobs = n_jobs

    def _count_parents(self):
        return 0

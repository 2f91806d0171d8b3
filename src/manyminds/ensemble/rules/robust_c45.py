"""Robust-C4.5: fit a pruned tree, drop the rows that it gets wrong, and again."""

import numpy as np

from manyminds._compat import HasMethods
from manyminds.ensemble._parameters import PARAGRAPHS
from manyminds.ensemble.base import make_member
from manyminds.ensemble.homogeneous import HomogeneousClassifier, fit_member
from manyminds.utils.docstrings import fill_docstring


@fill_docstring(**PARAGRAPHS)
class RobustC45Classifier(HomogeneousClassifier):
    """Classify by a tree that was fitted to the rows that earlier trees got right.

    Pruning decides that some training rows are not worth a branch; then they should
    not shape the rest of the tree either [1]_. So a pruned tree is fitted, the rows
    that it gets wrong are dropped, and this is repeated until it gets all that are
    left right.

    Parameters
    ----------
    estimator : classifier, default=None
        A learner that does not overfit; None: `MDLTreeClassifier`, whose
        splits must shorten the description. The original has C4.5 with its own pruning.
    random_state : int, RandomState instance or None, default=None
        Seeds the learner.

    Attributes
    ----------
    estimator_ : classifier
        The last tree, fitted on class numbers.
    estimators_ : list of one classifier
        The same.
    removed_ : ndarray of shape (n_removed,)
        Rows of the training set that were dropped, in rising order.
    n_rounds_ : int
        How many trees were fitted.
    {class_names}

    Notes
    -----
    The last rows of a class are never dropped all at once.

    References
    ----------
    .. [1] John, "Robust decision trees: Removing outliers from databases", KDD, 1995.

    Examples
    --------
    >>> from sklearn.datasets import load_breast_cancer
    >>> from manyminds.ensemble import RobustC45Classifier
    >>> X, y = load_breast_cancer(return_X_y=True)
    >>> tree = RobustC45Classifier().fit(X, y)
    >>> len(tree.removed_), tree.n_rounds_
    (36, 3)
    """

    _parameter_constraints = {
        "estimator": [HasMethods(["fit", "predict"]), None],
        "random_state": ["random_state"],
    }

    def __init__(self, estimator=None, *, random_state=None):
        self.estimator = estimator
        self.random_state = random_state

    def fit(self, X, y):
        """Fit trees to fewer and fewer rows.

        {fit}
        """
        self._validate_params()
        X, label, _ = self._read_training_set(X, y, None)
        seed = self._draw_seed()

        kept, self.n_rounds_, wrong = np.arange(len(label)), 0, None
        while wrong is None or wrong.any():
            if wrong is not None:
                kept = kept[~wrong]
            member = make_member(self._base, seed)
            self.estimator_ = fit_member(member, X[kept], label[kept])
            self.n_rounds_ += 1
            wrong = self.estimator_.predict(X[kept]) != label[kept]
            wrong &= ~find_lost_classes(label[kept], wrong)
        self.removed_ = np.setdiff1d(np.arange(len(label)), kept)
        self.estimators_ = [self.estimator_]
        return self


def find_lost_classes(label, dropped):
    """Return which rows are of a class that would be gone without the dropped rows.

    Parameters
    ----------
    label : ndarray of shape (n_samples,)
        Numbers of the classes.
    dropped : ndarray of bool of shape (n_samples,)
        Rows to drop.

    Returns
    -------
    lost : ndarray of bool of shape (n_samples,)
    """
    n_kept = np.bincount(label[~dropped], minlength=label.max() + 1)
    return n_kept[label] == 0

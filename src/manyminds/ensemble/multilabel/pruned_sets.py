"""Pruned sets: rare sets of labels are replaced by their frequent subsets."""

from numbers import Integral

import numpy as np

from manyminds._compat import Interval
from manyminds.ensemble.base import draw_member_seeds
from manyminds.ensemble.forests.random_forest import RandomForestClassifier
from manyminds.ensemble.multilabel._parameters import PARAGRAPHS
from manyminds.ensemble.multilabel.base import MultiLabelClassifier
from manyminds.ensemble.multilabel.label_powerset import Powerset, find_sets
from manyminds.ensemble.multilabel.members import MemberFitter
from manyminds.utils.docstrings import fill_docstring
from manyminds.utils.references import READ_2008, cite

PRUNING = {
    "max_rare": [Interval(Integral, 0, None, closed="left")],
    "max_subsets": [Interval(Integral, 0, None, closed="left")],
}


@fill_docstring(**PARAGRAPHS, references=cite(READ_2008))
class PrunedSetsClassifier(MultiLabelClassifier):
    """Predict the most probable of the label sets that occur often.

    Rows with a rare set of labels are left out, and come back with the frequent subsets
    of their set: those with most labels first, of equally many the most frequent [1]_.
    If no set is frequent, the most frequent ones count as such.

    Parameters
    ----------
    {estimator}
    max_rare : int, default=1
        A set of at most so many rows is rare; 0: none is, as in a
        `LabelPowersetClassifier`.
    max_subsets : int, default=2
        With how many frequent subsets a row of a rare set comes back at most.
    {member_state}

    Attributes
    ----------
    label_sets_ : ndarray of shape (n_sets, n_labels)
        The frequent sets of labels.
    {label_names}

    {references}

    Examples
    --------
    >>> from sklearn.datasets import make_multilabel_classification
    >>> from manyminds.ensemble import PrunedSetsClassifier
    >>> X, y = make_multilabel_classification(n_classes=5, random_state=0)
    >>> model = PrunedSetsClassifier(max_rare=3, random_state=0).fit(X, y)
    >>> model.label_sets_.shape[1], len(model.label_sets_) <= 2**5
    (5, True)
    """

    _parameter_constraints = {
        **MultiLabelClassifier._parameter_constraints,
        **PRUNING,
        "random_state": ["random_state"],
    }
    _default = RandomForestClassifier

    def __init__(self, estimator=None, *, max_rare=1, max_subsets=2, random_state=None):
        self.estimator = estimator
        self.max_rare = max_rare
        self.max_subsets = max_subsets
        self.random_state = random_state

    def fit(self, X, y):
        """Fit one classifier of frequent label sets.

        {fit_unweighted}
        """
        self._validate_params()
        X, Y, weights = self._read_training_set(X, y)

        seed = draw_member_seeds(self.random_state, 1)[0]
        fitter = MemberFitter(self._get_estimator(), X, self._encoder)
        self._powerset = fit_pruned_sets(
            fitter, Y, weights, seed, self.max_rare, self.max_subsets
        )
        self.label_sets_ = self._powerset.sets
        return self

    def _score_labels(self, X):
        return self._powerset.score(self._read_table(X))

    def _choose_labels(self, X):
        return self._powerset.choose(self._read_table(X))


def fit_pruned_sets(fitter, Y, weights, seed, max_rare, max_subsets):
    """Fit a `Powerset` to the rows that are left after pruning.

    Parameters
    ----------
    fitter : MemberFitter
    Y : ndarray of shape (n_samples, n_labels)
        1 if a row has a label, otherwise 0.
    weights : ndarray of shape (n_samples,)
        Weights; rows of weight 0 do not count.
    seed : int
        Seed of the member.
    max_rare, max_subsets : int
        See `PrunedSetsClassifier`.

    Returns
    -------
    powerset : Powerset
    """
    kept = np.flatnonzero(weights)
    rows, labels = prune_sets(Y[kept], max_rare, max_subsets)
    rows = kept[rows]
    return Powerset.fit(fitter.take_rows(rows), labels, weights[rows], seed)


def prune_sets(Y, max_rare, max_subsets):
    """Leave rows with a rare set of labels out; add them with its frequent subsets.

    Returns
    -------
    rows : ndarray of shape (n_left,)
        Rows of Y: all that have a frequent set, then the others, possibly repeated.
    labels : ndarray of shape (n_left, n_labels)
        Their labels.

    Examples
    --------
    >>> import numpy as np
    >>> from manyminds.ensemble.multilabel.pruned_sets import prune_sets
    >>> Y = np.array([[1, 0], [1, 0], [0, 1], [0, 1], [1, 1]], dtype=np.uint8)
    >>> rows, labels = prune_sets(Y, max_rare=1, max_subsets=2)
    >>> rows.tolist(), sorted(labels[4:].tolist())
    ([0, 1, 2, 3, 4, 4], [[0, 1], [1, 0]])
    """
    sets, found = find_sets(Y)
    counts = np.bincount(found)
    is_frequent = counts > min(max_rare, counts.max() - 1)
    frequent = sets[is_frequent]
    sizes = frequent.sum(axis=1, dtype=np.intp)
    rank = np.lexsort([-counts[is_frequent], -sizes])
    frequent, sizes = frequent[rank], sizes[rank]
    rows = [np.flatnonzero(is_frequent[found])]
    labels = [Y[rows[0]]]
    for rare in np.flatnonzero(~is_frequent):
        common = frequent @ sets[rare].astype(np.intp)
        subsets = frequent[(common == sizes) & (sizes > 0)][:max_subsets]
        of_rare = np.flatnonzero(found == rare)
        rows.append(np.repeat(of_rare, len(subsets)))
        labels.append(np.tile(subsets, (len(of_rare), 1)))
    return np.concatenate(rows), np.concatenate(labels)

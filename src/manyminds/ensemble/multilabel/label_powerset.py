"""Label powerset: each set of labels that occurs is a class."""

import numpy as np

from manyminds.ensemble.base import draw_member_seeds
from manyminds.ensemble.forests.random_forest import RandomForestClassifier
from manyminds.ensemble.multilabel._parameters import PARAGRAPHS
from manyminds.ensemble.multilabel.base import MultiLabelClassifier
from manyminds.ensemble.multilabel.members import MemberFitter, read_member
from manyminds.utils.docstrings import fill_docstring
from manyminds.utils.references import TSOUMAKAS_2007, cite

DIGITS = 12  # of scores: sums of probabilities depend on the order of additions, which
# differs between machines, and a score of 0.5 is not to exceed 0.5 on some of them


@fill_docstring(**PARAGRAPHS, references=cite(TSOUMAKAS_2007))
class LabelPowersetClassifier(MultiLabelClassifier):
    """Predict the most probable of the label sets that occur in the training set.

    Every distinct set of labels is a class of one classifier [1]_. A set that does not
    occur is never predicted, and many rare sets leave few rows for each.

    Parameters
    ----------
    {estimator}
    {member_state}

    Attributes
    ----------
    label_sets_ : ndarray of shape (n_sets, n_labels)
        The distinct sets of labels.
    {label_names}

    {references}

    Examples
    --------
    >>> from sklearn.datasets import make_multilabel_classification
    >>> from manyminds.ensemble import LabelPowersetClassifier
    >>> X, y = make_multilabel_classification(n_classes=3, random_state=0)
    >>> model = LabelPowersetClassifier(random_state=0).fit(X, y)
    >>> model.label_sets_.shape[1], len(model.label_sets_) <= 2**3
    (3, True)
    """

    _parameter_constraints = {
        **MultiLabelClassifier._parameter_constraints,
        "random_state": ["random_state"],
    }
    _default = RandomForestClassifier

    def __init__(self, estimator=None, *, random_state=None):
        self.estimator = estimator
        self.random_state = random_state

    def fit(self, X, y, sample_weight=None):
        """Fit one classifier of label sets.

        {fit}
        """
        self._validate_params()
        X, Y, weights = self._read_training_set(X, y, sample_weight)

        seed = draw_member_seeds(self.random_state, 1)[0]
        fitter = MemberFitter(self._get_estimator(), X, self._encoder)
        self._powerset = Powerset.fit(fitter, Y, weights, seed)
        self.label_sets_ = self._powerset.sets
        return self

    def _score_labels(self, X):
        return self._powerset.score(self._read_table(X))

    def _choose_labels(self, X):
        return self._powerset.choose(self._read_table(X))


class Powerset:
    """A member whose classes are sets of labels.

    Parameters
    ----------
    member : Trees or classifier
        See `MemberFitter.fit`.
    sets : ndarray of shape (n_sets, n_labels)
        The set of labels of each class.
    """

    def __init__(self, member, sets):
        self.member, self.sets = member, sets

    @classmethod
    def fit(cls, fitter, Y, weights, seed):
        """Fit a member to the sets of labels of the rows with a weight."""
        kept = weights > 0.0
        sets, found = find_sets(Y[kept])
        target = np.zeros(len(Y), np.intp)
        target[kept] = found
        return cls(fitter.fit(target, len(sets), weights, seed), sets)

    def score(self, X):
        """Return the probability of each label: the sum over the sets that have it."""
        sums = read_member(self.member, X, len(self.sets)) @ self.sets
        return np.minimum(np.round(sums, DIGITS), 1.0)

    def choose(self, X):
        """Return the labels of the most probable set, as bool."""
        probabilities = read_member(self.member, X, len(self.sets))
        return self.sets[probabilities.argmax(axis=1)] == 1


def find_sets(Y):
    """Return the distinct rows of a matrix of labels, and which of them each row is.

    Examples
    --------
    >>> import numpy as np
    >>> from manyminds.ensemble.multilabel.label_powerset import find_sets
    >>> sets, found = find_sets(np.array([[1, 0], [0, 0], [1, 0]], dtype=np.uint8))
    >>> sets.tolist(), found.tolist()
    ([[0, 0], [1, 0]], [1, 0, 1])
    """
    # Rows packed to bits are strings of bytes, which sort faster than rows of numbers.
    packed = np.ascontiguousarray(np.packbits(Y, axis=1))
    keys = packed.view(f"V{packed.shape[1]}")[:, 0]
    _, first, found = np.unique(keys, return_index=True, return_inverse=True)
    return Y[first], found

"""PART: one rule from each of many trees, fitted to the rows not yet covered."""

from dataclasses import dataclass

import numpy as np
from sklearn.utils.validation import check_is_fitted

from manyminds._compat import HasMethods
from manyminds.ensemble._parameters import PARAGRAPHS
from manyminds.ensemble.base import make_member, read_probabilities
from manyminds.ensemble.homogeneous import HomogeneousClassifier
from manyminds.utils.docstrings import fill_docstring


@dataclass(frozen=True, eq=False)
class TreeRule:
    """A leaf of a tree, as a rule.

    Parameters
    ----------
    tree : classifier
        The tree, with ``apply``.
    leaf : int
        Number of the leaf: rows that end there are covered.
    shares : ndarray of shape (n_classes,)
        Shares of the classes in the leaf.
    n_covered, n_wrong : int
        Training rows that the rule covered when its turn came, and of these, those
        that are not of its class.
    """

    tree: object
    leaf: int
    shares: np.ndarray
    n_covered: int
    n_wrong: int

    def covers(self, X):
        """Return which rows of X the rule covers."""
        return np.asarray(self.tree.apply(X)) == self.leaf

    def list_conditions(self):
        """List the splits on the way to the leaf: (feature, "<=" or ">", threshold)."""
        tree, node, conditions = self.tree.tree_, self.leaf, []
        if hasattr(tree, "children_left"):
            left, right = tree.children_left, tree.children_right
        else:
            left, right = tree.left, tree.right
        while node != 0:
            parent = int(np.flatnonzero((left == node) | (right == node))[0])
            side = "<=" if left[parent] == node else ">"
            conditions.append(
                (int(tree.feature[parent]), side, float(tree.threshold[parent]))
            )
            node = parent
        return conditions[::-1]


@fill_docstring(**PARAGRAPHS)
class PARTClassifier(HomogeneousClassifier):
    """Classify by an ordered list of rules, each the largest leaf of a pruned tree.

    A pruned tree is fitted to the rows that no rule covers yet; its leaf with most rows
    becomes the next rule, and all rows in it are covered, also those that it gets
    wrong. This goes on until no row is left [1]_. A row is classified by the first rule
    that covers it.

    Parameters
    ----------
    estimator : classifier, default=None
        The tree, ours or scikit-learn's, with ``apply``; None: `MDLTreeClassifier`.
        If it is not pruned, rules are many and small.
    random_state : int, RandomState instance or None, default=None
        Seeds the trees.

    Attributes
    ----------
    rules_ : list of TreeRule
        The rules, in their order. The last one covers everything.
    {class_names}

    Notes
    -----
    The original grows only as much of each tree as it takes to find the leaf, which
    saves time and gives the same kind of rule.

    References
    ----------
    .. [1] Frank and Witten, "Generating accurate rule sets without global
       optimization", ICML, 1998.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from manyminds.ensemble import PARTClassifier
    >>> X, y = load_iris(return_X_y=True)
    >>> print(PARTClassifier().fit(X, y).describe())
    if x2 <= 2.45: 0 (50 rows, 0 wrong)
    if x3 <= 1.75: 1 (54 rows, 5 wrong)
    otherwise: 2 (46 rows, 1 wrong)
    """

    _parameter_constraints = {
        "estimator": [HasMethods(["fit", "predict", "apply"]), None],
        "random_state": ["random_state"],
    }

    def __init__(self, estimator=None, *, random_state=None):
        self.estimator = estimator
        self.random_state = random_state

    def fit(self, X, y):
        """Fit trees to the rows that are not covered, and take a rule from each.

        {fit}
        """
        self._validate_params()
        X, label, _ = self._read_training_set(X, y, None)
        seed = self._draw_seed()

        self.rules_, left_over = [], np.arange(len(label))
        while len(left_over) > 0:
            tree = make_member(self._base, seed).fit(X[left_over], label[left_over])
            rule = _take_largest_leaf(
                tree, X[left_over], label[left_over], self.n_classes_
            )
            self.rules_.append(rule)
            left_over = left_over[~rule.covers(X[left_over])]
        return self

    def predict_proba(self, X):
        """Predict the probability of each class for each row of X.

        {classify_array}
        p : ndarray of shape (n_samples, n_classes)
            Shares of the classes among the training rows of the first rule that covers
            the row.
        """
        X = self._read_table(X)
        p, open_rows = np.empty((len(X), self.n_classes_)), np.arange(len(X))
        for rule in self.rules_:
            if len(open_rows) == 0:
                break
            covered = rule.covers(X[open_rows])
            p[open_rows[covered]] = rule.shares
            open_rows = open_rows[~covered]
        p[open_rows] = self.rules_[-1].shares
        return p

    def _predict_members(self, X):
        # The list of rules is the only member.
        return self.predict_proba(X).argmax(axis=1)[np.newaxis]

    def describe(self):
        """Format the rules, one line for each.

        Returns
        -------
        text : str
        """
        check_is_fitted(self)
        return "\n".join(self._describe_rule(rule) for rule in self.rules_)

    def _describe_rule(self, rule):
        names = getattr(self, "feature_names_in_", None)
        parts = [
            f"{f'x{f}' if names is None else names[f]} {side} {threshold:g}"
            for f, side, threshold in rule.list_conditions()
        ]
        label = self.classes_[rule.shares.argmax()]
        counts = f"({rule.n_covered} rows, {rule.n_wrong} wrong)"
        when = f"if {' and '.join(parts)}" if parts else "otherwise"
        return f"{when}: {label} {counts}"


def _take_largest_leaf(tree, X, label, n_classes):
    """Make a rule of the leaf that covers most rows; of equals, the first."""
    leaves = np.asarray(tree.apply(X))
    leaf = int(np.bincount(leaves).argmax())
    covered = leaves == leaf
    shares = read_probabilities(tree, X[covered][:1], n_classes)[0]
    n_wrong = np.sum(label[covered] != shares.argmax())
    return TreeRule(tree, leaf, shares, int(covered.sum()), int(n_wrong))

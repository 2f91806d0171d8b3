"""Rotation forests: each tree sees all rows, in axes of its own."""

from numbers import Integral, Real

import numpy as np
from sklearn.utils import check_random_state

from manyminds._compat import Interval, StrOptions
from manyminds.ensemble.base import run_on_members
from manyminds.ensemble.rotations._parameters import PARAGRAPHS
from manyminds.ensemble.rotations.rotated_trees import (
    RotatedTrees,
    refuse_sparse,
    rotate,
)
from manyminds.ensemble.rotations.rotation import fit_block_rotation
from manyminds.trees.base import TreeClassifierMixin, TreeModel, TreeRegressorMixin
from manyminds.trees.decision_tree import DecisionTreeClassifier, DecisionTreeRegressor
from manyminds.trees.growing import draw_seeds, grow, make_sampling
from manyminds.trees.pruning import prune_cost_complexity
from manyminds.trees.structure import Trees
from manyminds.utils.docstrings import fill_docstring
from manyminds.utils.references import RODRIGUEZ_2006, cite


class _RotationForest(RotatedTrees):
    """Grow each tree on a rotation of the table, and average their predictions."""

    _parameter_constraints = {
        **{
            name: constraint
            for name, constraint in TreeModel._parameter_constraints.items()
            if name != "feature_weights"  # users do not know rotated features
        },
        "n_estimators": [Interval(Integral, 1, None, closed="left")],
        "features_per_block": [Interval(Integral, 1, None, closed="left")],
        "row_share": [Interval(Real, 0.0, 1.0, closed="right"), None],
        "rotation": [StrOptions({"pca", "random"})],
        "scale": [StrOptions({"standard"}), None],
        "n_jobs": [Integral, None],
    }

    def _fit(self, X, y, sample_weight, tree_weight, classes):
        """Rotate the table for each tree and grow it, once the input is checked."""
        self.center_, self.scale_ = self._find_scale(X, sample_weight)
        X = (X - self.center_) / self.scale_
        columns = np.ascontiguousarray(X.T)
        sampling = make_sampling(*X.shape, tree_weight)
        rules = self._make_rules(X, sampling.weights.sum())
        rng = check_random_state(self.random_state)
        draws = rng.randint(2**31 - 1, size=self.n_estimators)
        seeds = draw_seeds(rng, self.n_estimators)

        def grow_on_rotation(t):
            rotation = self._fit_rotation(columns, classes, sample_weight, draws[t])
            table = self._bin(rotate(rotation, columns, self._turned).T)
            return rotation, grow(table, y, rules, sampling, seeds[t : t + 1])

        members = ((t,) for t in range(self.n_estimators))
        grown = run_on_members(grow_on_rotation, members, self.n_jobs)
        self.rotations_, trees = map(list, zip(*grown))
        self.trees_ = Trees.concatenate(trees)
        if self.ccp_alpha > 0.0:
            self.trees_ = prune_cost_complexity(self.trees_, self.ccp_alpha)
        return self

    def _fit_rotation(self, columns, classes, sample_weight, draw):
        """Draw the blocks of a tree and find their rotations."""
        turned = self._turned
        if len(turned) == 0:
            return None
        return fit_block_rotation(
            columns[turned].T,
            classes,
            features_per_block=self.features_per_block,
            row_share=self.row_share,
            class_subsets=classes is not None,
            method=self.rotation,
            sample_weight=sample_weight,
            random_state=draw,
        )


@fill_docstring(**PARAGRAPHS, references=cite(RODRIGUEZ_2006))
class RotationForestClassifier(TreeClassifierMixin, _RotationForest):
    """Classify by trees that each see the table in rotated axes of their own.

    For each tree, the features are divided at random into small blocks. The principal
    components of each block, computed from a bootstrap sample of the rows of some
    random classes, replace its features; all components are kept, and the
    tree grows on all rows [1]_. Trees differ because their axes do, and each of them
    can cut obliquely to the original features.

    Columns are standardized first, as principal components depend on units. A missing
    value counts as its column's mean. Categorical columns are not rotated: they
    are split into sets of categories.

    Parameters
    ----------
    n_estimators : int, default=100
        Number of trees.
    features_per_block : int, default=3
        Maximum number of features that are rotated together; the sizes of blocks
        differ by one at most. 1: no rotation.
    row_share : float or None, default=0.75
        Size of the bootstrap sample from which a block's components are computed, as a
        fraction of the rows it is drawn from; None: all these rows.
    class_subsets : bool, default=True
        Whether a block's components are computed from some classes only, drawn anew
        for each block.
    {scaling}
    criterion : {"entropy", "gini", "log_loss", "ssv", "ssv_lexicographic", \
"balanced_error"}, \
            default="entropy"
        What a split decreases; see ``manyminds.trees.DecisionTreeClassifier``.
        Entropy, as in the paper's trees; gini is a little faster and, on oblique
        borders, a little less accurate.
    {growth}
    class_weight : dict, "balanced" or None, default=None
        Weights of the classes when trees grow; rotations do not depend on them.
    {columns}
    random_state : int, RandomState instance or None, default=None
        Draws blocks, classes and rows, and breaks ties between splits.

    Attributes
    ----------
    {rotations}
    {classes}
    {scales}

    {references}

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from sklearn.model_selection import cross_val_score
    >>> from manyminds.ensemble import RotationForestClassifier
    >>> X, y = load_iris(return_X_y=True)
    >>> forest = RotationForestClassifier(n_estimators=20, random_state=0)
    >>> print(cross_val_score(forest, X, y).mean() > 0.93)
    True
    """

    _parameter_constraints = {
        **_RotationForest._parameter_constraints,
        "class_subsets": ["boolean"],
        "criterion": DecisionTreeClassifier._parameter_constraints["criterion"],
        "class_weight": DecisionTreeClassifier._parameter_constraints["class_weight"],
    }

    def __init__(
        self,
        n_estimators=100,
        *,
        features_per_block=3,
        row_share=0.75,
        class_subsets=True,
        rotation="pca",
        scale="standard",
        criterion="entropy",
        max_depth=None,
        min_samples_split=2,
        min_samples_leaf=1,
        min_weight_fraction_leaf=0.0,
        max_features=None,
        max_leaf_nodes=None,
        min_impurity_decrease=0.0,
        ccp_alpha=0.0,
        class_weight=None,
        max_bins=255,
        categorical_features="from_dtype",
        n_jobs=None,
        random_state=None,
    ):
        self.n_estimators = n_estimators
        self.features_per_block = features_per_block
        self.row_share = row_share
        self.class_subsets = class_subsets
        self.rotation = rotation
        self.scale = scale
        self.criterion = criterion
        self.max_depth = max_depth
        self.min_samples_split = min_samples_split
        self.min_samples_leaf = min_samples_leaf
        self.min_weight_fraction_leaf = min_weight_fraction_leaf
        self.max_features = max_features
        self.max_leaf_nodes = max_leaf_nodes
        self.min_impurity_decrease = min_impurity_decrease
        self.ccp_alpha = ccp_alpha
        self.class_weight = class_weight
        self.max_bins = max_bins
        self.categorical_features = categorical_features
        self.n_jobs = n_jobs
        self.random_state = random_state

    def fit(self, X, y, sample_weight=None):
        """Grow the forest.

        {fit_rotated_classes}
        """
        self._validate_params()
        refuse_sparse(X)
        X, y, weight = self._read_training_set(X, y, sample_weight)
        tree_weight = self._weigh_classes(y, weight, self.class_weight)

        return self._fit(X, y, weight, tree_weight, y if self.class_subsets else None)


@fill_docstring(**PARAGRAPHS, references=cite(RODRIGUEZ_2006))
class RotationForestRegressor(TreeRegressorMixin, _RotationForest):
    """Predict a number by trees that each see the table in rotated axes of their own.

    For each tree, the features are divided at random into small blocks. The principal
    components of each block, computed from a bootstrap sample of the rows, replace its
    features; all components are kept, and the tree grows on all rows [1]_.

    Columns are standardized first, as principal components depend on units. A missing
    value counts as its column's mean. Categorical columns are not rotated: they
    are split into sets of categories.

    Parameters
    ----------
    n_estimators : int, default=100
        Number of trees.
    features_per_block : int, default=3
        Maximum number of features that are rotated together; the sizes of blocks
        differ by one at most. 1: no rotation.
    row_share : float or None, default=0.75
        Size of the bootstrap sample from which a block's components are computed, as a
        fraction of the rows; None: all rows.
    {scaling}
    {squared_error}
    {growth}
    {columns}
    random_state : int, RandomState instance or None, default=None
        Draws blocks and rows, and breaks ties between splits.

    Attributes
    ----------
    {rotations}
    {scales}

    {references}

    Examples
    --------
    >>> from sklearn.datasets import load_diabetes
    >>> from sklearn.model_selection import cross_val_score
    >>> from manyminds.ensemble import RotationForestRegressor
    >>> X, y = load_diabetes(return_X_y=True)
    >>> forest = RotationForestRegressor(min_samples_leaf=5, random_state=0)
    >>> print(cross_val_score(forest, X, y).mean() > 0.4)
    True
    """

    _parameter_constraints = {
        **_RotationForest._parameter_constraints,
        "criterion": DecisionTreeRegressor._parameter_constraints["criterion"],
    }

    def __init__(
        self,
        n_estimators=100,
        *,
        features_per_block=3,
        row_share=0.75,
        rotation="pca",
        scale="standard",
        criterion="squared_error",
        max_depth=None,
        min_samples_split=2,
        min_samples_leaf=1,
        min_weight_fraction_leaf=0.0,
        max_features=None,
        max_leaf_nodes=None,
        min_impurity_decrease=0.0,
        ccp_alpha=0.0,
        max_bins=255,
        categorical_features="from_dtype",
        n_jobs=None,
        random_state=None,
    ):
        self.n_estimators = n_estimators
        self.features_per_block = features_per_block
        self.row_share = row_share
        self.rotation = rotation
        self.scale = scale
        self.criterion = criterion
        self.max_depth = max_depth
        self.min_samples_split = min_samples_split
        self.min_samples_leaf = min_samples_leaf
        self.min_weight_fraction_leaf = min_weight_fraction_leaf
        self.max_features = max_features
        self.max_leaf_nodes = max_leaf_nodes
        self.min_impurity_decrease = min_impurity_decrease
        self.ccp_alpha = ccp_alpha
        self.max_bins = max_bins
        self.categorical_features = categorical_features
        self.n_jobs = n_jobs
        self.random_state = random_state

    def fit(self, X, y, sample_weight=None):
        """Grow the forest.

        {fit_rotated_targets}
        """
        self._validate_params()
        refuse_sparse(X)
        X, y, weight = self._read_training_set(X, y, sample_weight)

        return self._fit(X, y, weight, weight, None)

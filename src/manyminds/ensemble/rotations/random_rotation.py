"""Random rotation: trees that each see the features from another angle."""

from collections.abc import Callable
from dataclasses import dataclass
from numbers import Integral, Real

import numpy as np
from sklearn.utils import check_random_state

from manyminds._compat import HasMethods, Interval, StrOptions
from manyminds.ensemble._parameters import PARAGRAPHS
from manyminds.ensemble.base import (
    EstimatorMembers,
    draw_member_seeds,
    make_member,
    run_on_members,
)
from manyminds.ensemble.homogeneous import (
    HomogeneousClassifier,
    draw_counts,
    fit_member,
)
from manyminds.ensemble.rotations.pair_rotations import draw_pair_rotation
from manyminds.ensemble.rotations.rotation import fit_block_rotation
from manyminds.trees.base import TreeModel
from manyminds.trees.decision_tree import DecisionTreeClassifier
from manyminds.utils.docstrings import fill_docstring
from manyminds.utils.references import RODRIGUEZ_2006, ROGERS_2007, cite


@fill_docstring(
    **PARAGRAPHS, references=cite(f"{ROGERS_2007}, chapters 4 and 5", RODRIGUEZ_2006)
)
class RandomRotationClassifier(HomogeneousClassifier):
    r"""Classify by the vote of trees that were grown on rotated features.

    A tree cuts parallel to the axes, and all trees share that bias. Here the features
    are paired at random before each tree, and each pair is turned by a random angle
    :math:`\beta` up to a quarter turn [1]_,

    .. math::

       (x_a, x_b) \leftarrow
       (x_a \cos \beta + x_b \sin \beta, \; x_b \cos \beta - x_a \sin \beta).

    The next rotation starts where the last one ended, so that more and more features
    are combined. No feature is left out, as in random subspaces; distances stay as they
    are.

    Parameters
    ----------
    estimator : classifier, default=None
        Estimator to clone; None: our `DecisionTreeClassifier`, unpruned, by entropy.
        The thesis also has trees that stop early, `MDLTreeClassifier`. Learners that
        depend on distances only, such as nearest neighbors, are invariant to rotations.
    n_estimators : int, default=100
        Number of members.
    rotation : {"pairs", "pca", "full"} or None, default="pairs"
        "pairs": as above. "pca": the features are divided into groups at random, and
        each is rotated to its principal components, as in rotation forests [2]_.
        "full": all features at once, by an orthogonal matrix drawn uniformly; it takes
        ``n_features ** 2`` numbers for each member. None: no rotation, just bagging.
    accumulate : bool, default=True
        With "pairs", whether a rotation starts from the one before or from the features
        as they are.
    group_size : int, default=3
        With "pca", the number of features in a group.
    pca_sample : float, default=None
        With "pca", None: components of all rows, as in [1]_. A share: components of a
        bootstrap sample of that size from a random subset of the classes; [2]_ has
        0.75.
    scale : {"standard"} or None, default="standard"
        Whether features are scaled before they are combined. The thesis does not
        mention it, and its data sets hardly need it.
    bootstrap : bool, default=True
        Whether members are fitted to bootstrap samples of the rows.
    voting : {"hard", "soft"}, default="hard"
        Whether members vote for a class, or their probabilities are averaged.
    {n_jobs}
    random_state : int, RandomState instance or None, default=None
        Draws rotations and rows, and seeds the members.

    Attributes
    ----------
    estimators_ : list of classifiers
        The members, fitted on class numbers.
    rotations_ : list of PairRotation or BlockRotation
        The rotation before each member; empty if there is none.
    mean_, scale_ : ndarray of shape (n_features,)
        What features are shifted and divided by; 0 and 1 with ``scale=None``.
    {class_names}

    See Also
    --------
    RotationForestClassifier : Rotate groups of features by principal components.

    Notes
    -----
    A missing value counts as its feature's mean, for a rotation would spread it.
    Sample weights are the odds of a row in the bootstrap; without one, members get
    them.

    {references}

    Examples
    --------
    >>> from sklearn.datasets import load_breast_cancer
    >>> from manyminds.ensemble import RandomRotationClassifier
    >>> X, y = load_breast_cancer(return_X_y=True)
    >>> forest = RandomRotationClassifier(n_estimators=30, random_state=0)
    >>> print(forest.fit(X[::2], y[::2]).score(X[1::2], y[1::2]) > 0.94)
    True
    """

    _takes_missing = True

    @property
    def _base(self):
        if self.estimator is None:
            return DecisionTreeClassifier(criterion="entropy")
        return self.estimator

    _parameter_constraints = {
        "estimator": [HasMethods(["fit", "predict"]), None],
        "n_estimators": [Interval(Integral, 1, None, closed="left")],
        "rotation": [StrOptions({"pairs", "pca", "full"}), None],
        "accumulate": ["boolean"],
        "group_size": [Interval(Integral, 1, None, closed="left")],
        "pca_sample": [Interval(Real, 0.0, 1.0, closed="right"), None],
        "scale": [StrOptions({"standard"}), None],
        "bootstrap": ["boolean"],
        "voting": [StrOptions({"hard", "soft"})],
        "n_jobs": [Integral, None],
        "random_state": ["random_state"],
    }

    def __init__(
        self,
        estimator=None,
        n_estimators=100,
        *,
        rotation="pairs",
        accumulate=True,
        group_size=3,
        pca_sample=None,
        scale="standard",
        bootstrap=True,
        voting="hard",
        n_jobs=None,
        random_state=None,
    ):
        self.estimator = estimator
        self.n_estimators = n_estimators
        self.rotation = rotation
        self.accumulate = accumulate
        self.group_size = group_size
        self.pca_sample = pca_sample
        self.scale = scale
        self.bootstrap = bootstrap
        self.voting = voting
        self.n_jobs = n_jobs
        self.random_state = random_state

    def fit(self, X, y, sample_weight=None):
        """Rotate the features and fit a member, again and again.

        {fit_drawn}
        """
        self._validate_params()
        X, label, odds = self._read_training_set(X, y, sample_weight)
        kept = odds > 0.0
        if not kept.all():  # rows of weight 0 have no effect, not even on bins
            X, label, odds = X[kept], label[kept], odds[kept]

        rng = check_random_state(self.random_state)
        self.mean_, self.scale_ = _find_scale(X, odds, self.scale)
        X = self._prepare(X)
        self.rotations_ = [
            self._draw_rotation(X, label, odds, rng)
            for _ in range(self.n_estimators if self.rotation else 0)
        ]
        samples = self._draw_samples(odds, sample_weight, rng)
        seeds = draw_member_seeds(rng, self.n_estimators)
        work = (
            (make_member(self._base, seed), table, label, sample)
            for seed, table, sample in zip(seeds, self._rotate(X), samples)
        )
        self.estimators_ = list(run_on_members(_fit_sample, work, self.n_jobs))
        return self

    def _prepare(self, X):
        """Put the mean for missing values, and all features on one scale."""
        X = np.where(np.isnan(X), self.mean_, X)
        return X if self.scale is None else (X - self.mean_) / self.scale_

    def _draw_rotation(self, X, label, odds, rng):
        """Draw the rotation of the table of one member."""
        if self.rotation == "pairs":
            return draw_pair_rotation(X.shape[1], rng)
        if self.rotation == "full":
            return fit_block_rotation(
                X, n_blocks=1, method="random", sample_weight=odds, random_state=rng
            )
        return fit_block_rotation(
            X,
            label,
            features_per_block=self.group_size,
            row_share=self.pca_sample,
            class_subsets=self.pca_sample is not None,
            sample_weight=odds,
            random_state=rng,
        )

    def _draw_samples(self, odds, sample_weight, rng):
        """Draw the rows of each member: how often each row, or its weight."""
        if self.bootstrap:
            return [draw_counts(rng, odds) for _ in range(self.n_estimators)]
        weights = None if sample_weight is None else odds * len(odds)
        return [weights] * self.n_estimators

    def _rotate(self, X):
        """Yield the table as each member sees it, one at a time."""
        table = X
        for t in range(self.n_estimators):
            if self.rotation == "pairs" and self.accumulate:
                table = self.rotations_[t].transform(table)
            elif self.rotation is not None:
                table = self.rotations_[t].transform(X)
            yield table

    def _read_table(self, X):
        return self._prepare(super()._read_table(X))

    @property
    def _members(self):
        classes = self._member_classes
        return _RotatedMembers(
            self.estimators_, classes, n_jobs=self.n_jobs, rotate=self._rotate
        )


@dataclass(frozen=True, eq=False)
class _RotatedMembers(EstimatorMembers):
    """Members whose tables are rotated one after the other, each from the last."""

    rotate: Callable | None = None

    def _list_inputs(self, X):
        return enumerate(self.rotate(X))


def _find_scale(X, odds, scale):
    """Return mean and standard deviation of each feature; 1 for a constant one.

    The mean also replaces missing values, so it is needed without scaling, too.
    """
    is_known = ~np.isnan(X)
    total = odds @ is_known
    total[total == 0.0] = 1.0
    mean = odds @ np.where(is_known, X, 0.0) / total
    if scale is None:
        return mean, np.ones(X.shape[1])
    distance = np.where(is_known, X - mean, 0.0)
    spread = np.sqrt(odds @ distance**2 / total)
    is_flat = spread <= 10.0 * np.finfo(np.float64).eps * np.abs(mean)
    return mean, np.where(is_flat, 1.0, spread)


def _fit_sample(member, X, label, sample):
    """Fit a member to rows drawn so often, or with such weights."""
    if sample is None:
        return fit_member(member, X, label)
    drawn = sample > 0
    if sample.dtype.kind == "f" or isinstance(member, TreeModel):
        return fit_member(member, X[drawn], label[drawn], sample[drawn])
    rows = np.repeat(np.arange(len(sample)), sample)
    return fit_member(member, X[rows], label[rows])

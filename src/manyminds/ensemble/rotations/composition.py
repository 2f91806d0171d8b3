"""The composition of a hybrid forest: families, draws of members, and a plot."""

import numpy as np
import pandas as pd
from sklearn.base import BaseEstimator
from sklearn.discriminant_analysis import (
    LinearDiscriminantAnalysis,
    QuadraticDiscriminantAnalysis,
)
from sklearn.ensemble import AdaBoostClassifier, AdaBoostRegressor
from sklearn.linear_model import LinearRegression, Ridge, RidgeClassifier
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier, KNeighborsRegressor
from sklearn.svm import SVC, SVR, NuSVC, NuSVR
from sklearn.utils.validation import check_is_fitted

from manyminds.ensemble.forests.random_forest import (
    RandomForestClassifier,
    RandomForestRegressor,
)
from manyminds.learners import ELMClassifier, ELMRegressor
from manyminds.trees.decision_tree import DecisionTreeClassifier, DecisionTreeRegressor

# A forest that is one member of many need not be large. The networks see tables that
# are standardized already: to scale them after the rotation would undo what it does.
# The plain network of the authors solves by the pseudo-inverse, without a constant:
# with a third as many units as rows, it fits noise.
_PLAIN = {"alpha": 0.0, "weight_scale": 1.0, "fit_intercept": False, "scale": None}
CLASSIFIERS = {
    "tree": DecisionTreeClassifier(max_depth=10),
    "elm": ELMClassifier(scale=None),
    "plain_elm": ELMClassifier(**_PLAIN),
    "knn": KNeighborsClassifier(),
    "svm": SVC(),
    "forest": RandomForestClassifier(n_estimators=10),
    "adaboost": AdaBoostClassifier(),
    "bayes": GaussianNB(),
}
REGRESSORS = {
    "tree": DecisionTreeRegressor(max_depth=10),
    "elm": ELMRegressor(scale=None),
    "plain_elm": ELMRegressor(**_PLAIN),
    "knn": KNeighborsRegressor(),
    "svm": SVR(),
    "forest": RandomForestRegressor(n_estimators=10),
    "adaboost": AdaBoostRegressor(),
    "ridge": Ridge(),
}

_SUPPORT_VECTORS = (SVC, NuSVC, SVR, NuSVR)
_NEIGHBOURS = (KNeighborsClassifier, KNeighborsRegressor)
_INVARIANT = (LinearRegression, Ridge, RidgeClassifier, QuadraticDiscriminantAnalysis)


def read_families(families, known):
    """Return the names and the estimators of families.

    Parameters
    ----------
    families : sequence of str or (str, estimator)
        Names of ``known`` families, or families of one's own with a name.
    known : dict of str to estimator
        `CLASSIFIERS` or `REGRESSORS`.

    Returns
    -------
    names : list of str
    estimators : list of estimators
        Not cloned, not fitted.
    """
    if len(families) == 0:
        raise ValueError("families is empty; it takes one family or more.")
    names, estimators = [], []
    for family in families:
        if isinstance(family, str) and family in known:
            name, estimator = family, known[family]
        elif _is_named_estimator(family):
            name, estimator = family
        else:
            raise ValueError(
                f"families has {family!r}; it takes {', '.join(map(repr, known))} or a "
                "pair of a name and an estimator."
            )
        if name in names:
            raise ValueError(f"families has the name {name!r} more than once.")
        names.append(name)
        estimators.append(estimator)
    return names, estimators


def is_rotation_invariant(estimator):
    """Return whether a learner fits the same model to every rotated table.

    That is so when it depends on distances or scalar products of rows only, and draws
    nothing. Other learners count as changed by a rotation, and so does a pipeline: a
    step that scales the columns is.

    Parameters
    ----------
    estimator : estimator
        Not fitted.

    Returns
    -------
    invariant : bool

    Examples
    --------
    >>> from sklearn.neighbors import KNeighborsClassifier
    >>> from manyminds.ensemble.rotations import composition
    >>> composition.is_rotation_invariant(KNeighborsClassifier())
    True
    >>> composition.is_rotation_invariant(KNeighborsClassifier(metric="manhattan"))
    False
    """
    if isinstance(estimator, _NEIGHBOURS):
        euclidean = estimator.metric == "minkowski" and estimator.p == 2
        return euclidean or estimator.metric in ("euclidean", "l2", "cosine")
    if isinstance(estimator, _SUPPORT_VECTORS):
        return estimator.kernel in ("linear", "poly", "rbf", "sigmoid")
    if isinstance(estimator, LinearDiscriminantAnalysis):
        return estimator.shrinkage != "auto"  # it scales the columns
    return isinstance(estimator, _INVARIANT)


def find_mean_and_scale(X, weight):
    """Return mean and standard deviation of each column's known values.

    A column that is constant has scale 1, one without values also mean 0.
    """
    known = ~np.isnan(X)
    weights = known * (1.0 if weight is None else weight[:, np.newaxis])
    total = np.maximum(weights.sum(axis=0), np.finfo(np.float64).tiny)
    mean = (weights * np.where(known, X, 0.0)).sum(axis=0) / total
    off = np.where(known, X - mean, 0.0)
    scale = np.sqrt((weights * off**2).sum(axis=0) / total)
    # What rounding leaves of a constant column is not its scale.
    constant = scale <= 1e-12 * np.abs(mean)
    return mean, np.where(constant, 1.0, scale)


def draw_families(probabilities, n_members, rng):
    """Draw the number of each member's family."""
    return rng.choice(len(probabilities), size=n_members, p=probabilities)


def draw_rows(strata, weight, rng):
    """Draw as many rows as there are with replacement, each stratum by its weight."""
    if weight is None:
        drawn = [rng.choice(rows, len(rows)) for rows in strata]
        return np.concatenate(drawn)
    n_rows, total, drawn = len(weight), weight.sum(), []
    for rows in strata:
        odds = weight[rows] / weight[rows].sum()
        n_draws = max(1, round(n_rows * weight[rows].sum() / total))
        drawn.append(rng.choice(rows, n_draws, p=odds))
    return np.concatenate(drawn)


def fit_to_rows(member, X, y, weight, rows):
    """Fit a member to drawn rows, or to all of them with their weights."""
    if rows is not None:
        return member.fit(X[rows], y[rows])
    if weight is None:
        return member.fit(X, y)
    return member.fit(X, y, sample_weight=weight)


def describe_composition(forest):
    """List the probability, score and members of each family of a hybrid forest.

    Parameters
    ----------
    forest : HERFClassifier, HERFRegressor, AHERFClassifier or AHERFRegressor
        Fitted.

    Returns
    -------
    table : DataFrame
        A row for each family. Columns ``probability`` of being drawn, and the number
        of ``members`` drawn; of an anticipative forest before them the pilot's mean
        ``score`` and its ``rank``, best first.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from manyminds.ensemble import HERFClassifier, describe_composition
    >>> X, y = load_iris(return_X_y=True)
    >>> forest = HERFClassifier(n_estimators=10, random_state=0).fit(X, y)
    >>> table = describe_composition(forest)
    >>> int(table["members"].sum()), list(table.index)
    (10, ['tree', 'elm'])
    """
    check_is_fitted(forest)
    table = pd.DataFrame(index=pd.Index(forest.family_names_, name="family"))
    if hasattr(forest, "pilot_scores_"):
        table["score"] = forest.pilot_scores_.mean(axis=1)
        table["rank"] = forest.ranks_
    table["probability"] = forest.probabilities_
    table["members"] = np.bincount(forest.member_families_, minlength=len(table))
    return table.sort_values("rank", kind="stable") if "rank" in table else table


def plot_composition(forest, ax=None):
    """Plot the drawn and expected numbers of members of each family.

    Parameters
    ----------
    forest : HERFClassifier, HERFRegressor, AHERFClassifier or AHERFRegressor
        Fitted.
    ax : matplotlib Axes, default=None
        Where to draw; by default a new figure.

    Returns
    -------
    ax : matplotlib Axes
        Bars are the members, best family of the pilot first; a dash is the
        expected number by the probabilities, and the pilot's score follows the name.

    Examples
    --------
    >>> import matplotlib
    >>> matplotlib.use("agg")
    >>> from sklearn.datasets import load_iris
    >>> from manyminds.ensemble import HERFClassifier
    >>> from manyminds.ensemble.rotations.composition import plot_composition
    >>> X, y = load_iris(return_X_y=True)
    >>> forest = HERFClassifier(n_estimators=10, random_state=0).fit(X, y)
    >>> ax = plot_composition(forest)
    >>> [label.get_text() for label in ax.get_yticklabels()]
    ['tree', 'elm']
    """
    table = describe_composition(forest)
    place = np.arange(len(table))
    if ax is None:
        ax = _new_axes(len(table))
    ax.barh(place, table["members"], height=0.7, color="C0", label="drawn")
    expected = table["probability"] * table["members"].sum()
    ax.plot(expected, place, "|", color="black", ms=16, mew=2, label="expected")
    labels = list(table.index)
    if "score" in table:
        scores = table["score"].to_numpy()
        labels = [f"{name}  {score:.2f}" for name, score in zip(labels, scores)]
        ax.set_ylabel("family, score in the pilot")
    ax.set_yticks(place, labels)
    ax.invert_yaxis()
    ax.set_xlabel("members")
    ax.xaxis.get_major_locator().set_params(integer=True)
    ax.legend(loc="lower right", frameon=False)
    return ax


def _is_named_estimator(family):
    """Return whether a family is a pair of a name and an estimator."""
    if not isinstance(family, list | tuple) or len(family) != 2:
        return False
    name, estimator = family
    return isinstance(name, str) and isinstance(estimator, BaseEstimator)


def _new_axes(n_families):
    try:
        import matplotlib.pyplot as plt
    except ImportError as error:
        raise ImportError(
            "plot_composition needs matplotlib: pip install matplotlib."
        ) from error
    size = (5.5, 1.0 + 0.32 * n_families)
    return plt.subplots(figsize=size, layout="constrained")[1]

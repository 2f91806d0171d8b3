"""What experts own, what they get wrong, and whether splitting the data pays."""

import numpy as np
import pandas as pd
from scipy.sparse import issparse
from scipy.stats import t as student_t
from sklearn.base import clone
from sklearn.model_selection import StratifiedKFold, check_cv
from sklearn.utils.validation import check_is_fitted

from manyminds.analysis import corrected_resampled_ttest
from manyminds.ensemble.experts.base import make_default_expert
from manyminds.utils.tables import take_rows

MAX_ROWS = 500  # of an expert, by which its columns are rated
MEASURES = ("zero_one", "soft", "log_loss", "brier")
FLOOR = 1e-15  # of a probability, in logarithms


def measure_probabilities(y, p, classes=None, sample_weight=None):
    r"""Measure predicted probabilities in four ways, which must not be mixed.

    With the probability :math:`p_n` of the true class, the soft error is the mean of
    :math:`1 - p_n`. It is linear: that of averaged probabilities is the average of the
    errors. The Brier score and the log-loss are convex.

    Parameters
    ----------
    y : array-like of shape (n_samples,)
        True classes.
    p : array-like of shape (n_samples, n_classes)
        Probabilities.
    classes : array-like of shape (n_classes,), default=None
        Classes of the columns, sorted; None: those that occur in y.
    sample_weight : array-like of shape (n_samples,), default=None
        Weights of the samples.

    Returns
    -------
    measures : dict of str to float
        ``"zero_one"``: share of samples whose most probable class is wrong.
        ``"soft"``: mean of 1 - p of the true class. ``"log_loss"``: mean of its
        negative logarithm. ``"brier"``: half the mean squared distance to 0 and 1,
        which for two classes is the usual Brier score.

    Examples
    --------
    >>> from manyminds.ensemble import measure_probabilities
    >>> found = measure_probabilities([0, 1], [[0.9, 0.1], [0.6, 0.4]])
    >>> {name: round(value, 3) for name, value in found.items()}
    {'zero_one': 0.5, 'soft': 0.35, 'log_loss': 0.511, 'brier': 0.185}
    """
    y, p = np.asarray(y), np.asarray(p, dtype=np.float64)
    classes = np.unique(y) if classes is None else np.asarray(classes)
    if p.ndim != 2 or p.shape != (len(y), len(classes)):
        raise ValueError(
            f"p must have shape ({len(y)}, {len(classes)}), a column for each class; "
            f"got {p.shape}."
        )
    unknown = np.setdiff1d(y, classes)
    if len(unknown) > 0:
        raise ValueError(f"y has the classes {unknown.tolist()}, which p lacks.")
    label = np.searchsorted(classes, y)
    true = p[np.arange(len(y)), label]
    losses = {
        "zero_one": p.argmax(axis=1) != label,
        "soft": 1.0 - true,
        "log_loss": -np.log(np.maximum(true, FLOOR)),
        "brier": 0.5 * ((p**2).sum(axis=1) - 2.0 * true + 1.0),
    }
    return {
        name: float(np.average(loss, weights=sample_weight))
        for name, loss in losses.items()
    }


def describe_experts(model, X, y, one_model=None, n_top=3):
    """Describe the region of each expert: rows, classes, errors, top columns.

    Parameters
    ----------
    model : classifier of ``manyminds.ensemble.experts``
        Fitted; it has ``route``. Of a `PartitionBlendClassifier`, pass one of its
        ``estimators_``.
    X : {array-like, sparse matrix, dataframe} of shape (n_samples, n_features)
        Rows to describe; rows that were not trained on have honest errors.
    y : array-like of shape (n_samples,)
        Their classes.
    one_model : classifier, default=None
        Fitted to all rows; its error on the rows of each expert is added.
    n_top : int, default=3
        Number of columns to name: those without which, by one permutation of values
        within the region, the Brier score of the expert rises most.

    Returns
    -------
    table : DataFrame
        A row for each expert: the number of ``rows`` that it owns and their ``share``;
        the most frequent class, ``top_class``, and its ``class_share``; the errors of
        the whole model there, ``zero_one``, ``soft``, ``log_loss`` and ``brier``;
        ``one_model``, the 0/1 error of that one; ``top_columns``.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from manyminds.ensemble import ClusterLocalClassifier, describe_experts
    >>> X, y = load_iris(return_X_y=True, as_frame=True)
    >>> local = ClusterLocalClassifier(n_regions=2, random_state=0)
    >>> local = local.fit(X.iloc[::2], y[::2])
    >>> table = describe_experts(local, X.iloc[1::2], y[1::2])
    >>> sorted(table["rows"])
    [25, 50]
    """
    check_is_fitted(model)
    expert = model.route(X)
    if expert.ndim > 1:
        raise ValueError(
            "model has several partitions; describe one of its estimators_ at a time."
        )
    y = np.asarray(y)
    p = model.predict_proba(X)
    other = None if one_model is None else np.asarray(one_model.predict(X))
    names = getattr(model, "feature_names_in_", np.arange(model.n_features_in_))
    n_experts = len(model._members)
    lines = []
    for e in range(n_experts):
        rows = np.flatnonzero(expert == e)
        line = {"rows": len(rows), "share": len(rows) / len(y)}
        if len(rows) > 0:
            found, counts = np.unique(y[rows], return_counts=True)
            line["top_class"] = found[counts.argmax()]
            line["class_share"] = counts.max() / len(rows)
            line |= measure_probabilities(y[rows], p[rows], model.classes_)
            if other is not None:
                line["one_model"] = float(np.mean(other[rows] != y[rows]))
            rated = rate_columns(model, e, take_rows(X, rows), y[rows], n_top)
            line["top_columns"] = ", ".join(str(names[j]) for j in rated)
        lines.append(line)
    return pd.DataFrame(lines, index=pd.RangeIndex(n_experts, name="expert"))


def rate_columns(model, e, X, y, n_top):
    """Return the columns that matter most to an expert on its rows, best first."""
    if n_top == 0:
        return []
    rng = np.random.RandomState(0)
    table = model._read_table(X)
    rows = rng.permutation(table.shape[0])[:MAX_ROWS]
    table, y = table[rows], y[rows]
    table = table.toarray() if issparse(table) else table

    def measure(table):
        p = model._predict_expert(e, table)
        return measure_probabilities(y, p, model.classes_)["brier"]

    base, order = measure(table), rng.permutation(len(table))
    rise = np.empty(table.shape[1])
    for j in range(table.shape[1]):
        changed = table.copy()
        changed[:, j] = table[order, j]
        rise[j] = measure(changed) - base
    best = np.argsort(-rise, kind="stable")[:n_top]
    return [int(j) for j in best if rise[j] > 0.0]


def compare_with_one_model(model, X, y, *, one_model=None, cv=5):
    """Compare local models with one model of all rows: does splitting pay?

    Parameters
    ----------
    model : classifier of ``manyminds.ensemble.experts``
        Not fitted; it is cloned.
    X : {array-like, sparse matrix, dataframe} of shape (n_samples, n_features)
        Rows.
    y : array-like of shape (n_samples,)
        Their classes.
    one_model : classifier, default=None
        What to compare with; None: the estimator of the experts, or a single expert.
    cv : int or splitter, default=5
        Folds; a number stands for as many stratified, shuffled ones.

    Returns
    -------
    table : DataFrame
        A row for each measure of `measure_probabilities`, on held-out rows. Columns
        ``local`` and ``one_model``: means over folds; ``gain``: how much lower the
        error of the local models is; ``low`` and ``high``: 95 % interval of the gain
        by the t-test corrected for overlapping training sets. Splitting pays if
        ``low`` is above 0.

    Examples
    --------
    >>> import numpy as np
    >>> from manyminds.ensemble import ClusterLocalClassifier, compare_with_one_model
    >>> rng = np.random.default_rng(0)
    >>> X = rng.normal(size=(300, 2))
    >>> y = (X[:, 0] * X[:, 1] > 0).astype(int)  # opposite rules left and right
    >>> table = compare_with_one_model(ClusterLocalClassifier(random_state=0), X, y)
    >>> print(table.loc["zero_one", "low"] > 0.1)
    True
    """
    y = np.asarray(y)
    one_model = make_one_model(model) if one_model is None else one_model
    if np.ndim(cv) == 0 and not hasattr(cv, "split"):
        cv = StratifiedKFold(cv, shuffle=True, random_state=0)
    folds = list(check_cv(cv, y, classifier=True).split(np.zeros(len(y)), y))
    found = {"local": [], "one_model": []}
    for train, test in folds:
        for name, one in (("local", model), ("one_model", one_model)):
            fitted = clone(one).fit(take_rows(X, train), y[train])
            p = fitted.predict_proba(take_rows(X, test))
            found[name].append(measure_probabilities(y[test], p, fitted.classes_))
    local, other = (pd.DataFrame(found[name])[list(MEASURES)] for name in found)
    test_share = len(folds[0][1]) / len(y)
    lines = {}
    for name in MEASURES:
        test = corrected_resampled_ttest(
            other[name].to_numpy(), local[name].to_numpy(), test_share=test_share
        )
        reach = student_t.ppf(0.975, test.df) * test.standard_error
        lines[name] = {
            "local": local[name].mean(),
            "one_model": other[name].mean(),
            "gain": test.mean_difference,
            "low": test.mean_difference - reach,
            "high": test.mean_difference + reach,
        }
    return pd.DataFrame(lines).T.rename_axis("measure")


def make_one_model(model):
    """Return the model that experts are, for all rows."""
    if getattr(model, "estimator", None) is not None:
        return clone(model.estimator)
    if not hasattr(model, "n_hidden"):
        return make_default_expert()
    single = {"n_experts": 1}
    if "n_modules" in model.get_params():
        single["n_modules"] = 1
    if "eta" in model.get_params():
        single["eta"] = None
    return clone(model).set_params(**single)


def plot_experts(model, X, y, one_model=None, ax=None):
    """Plot the error of each expert on the rows that it owns.

    Parameters
    ----------
    model : classifier of ``manyminds.ensemble.experts``
        Fitted.
    X : {array-like, sparse matrix, dataframe} of shape (n_samples, n_features)
        Rows, best ones that were not trained on.
    y : array-like of shape (n_samples,)
        Their classes.
    one_model : classifier, default=None
        Fitted to all rows; a mark shows its error on the same rows.
    ax : matplotlib Axes, default=None
        Where to draw; by default a new figure.

    Returns
    -------
    ax : matplotlib Axes
        Bars are 0/1 errors, as wide as the share of rows of the expert; below them,
        its rows and its top columns.

    Examples
    --------
    >>> import matplotlib
    >>> matplotlib.use("agg")
    >>> from sklearn.datasets import load_iris
    >>> from manyminds.ensemble import ClusterLocalClassifier, plot_experts
    >>> X, y = load_iris(return_X_y=True)
    >>> local = ClusterLocalClassifier(n_regions=2, random_state=0).fit(X, y)
    >>> ax = plot_experts(local, X, y)
    >>> len(ax.patches)
    2
    """
    table = describe_experts(model, X, y, one_model, n_top=2)
    table = table[table["rows"] > 0]
    if ax is None:
        ax = _new_axes(len(table))
    right = table["share"].cumsum()
    middle = right - table["share"] / 2.0
    ax.bar(
        middle, table["zero_one"], width=table["share"], color="C0", ec="white", lw=2,
        label="experts",
    )  # fmt: skip
    if "one_model" in table:
        ax.hlines(
            table["one_model"], right - table["share"], right, color="C1", lw=3,
            label="one model",
        )  # fmt: skip
        ax.legend(frameon=False, ncols=2, loc="lower right", bbox_to_anchor=(1.0, 1.0))
    labels = [
        f"{e}: {row.rows} rows\n{row.top_columns}"
        for e, row in zip(table.index, table.itertuples())
    ]
    ax.set_xticks(middle, labels)
    ax.set(xlabel="expert, rows that it owns, top columns", ylabel="0/1 error")
    return ax


def _new_axes(n_experts):
    try:
        import matplotlib.pyplot as plt
    except ImportError as error:
        raise ImportError("plot_experts needs matplotlib: pip install it.") from error
    width = max(6.0, 1.4 * n_experts)
    return plt.subplots(layout="constrained", figsize=(width, 3.5))[1]

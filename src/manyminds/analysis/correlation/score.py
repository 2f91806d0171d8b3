"""The correlation score: how good an encoding is, without training a classifier."""

import numpy as np

from manyminds.analysis._checks import check_not_negative, check_option
from manyminds.analysis.correlation.association import (
    canonical_correlations,
    harmonic_wilks,
    lawley_hotelling,
    pillai,
    roy,
    wilks,
)
from manyminds.analysis.correlation.determination import (
    adjust,
    determine,
    leave_one_out,
)
from manyminds.analysis.correlation.distance import distance_correlation
from manyminds.analysis.correlation.preparing import check_preparers, prepare
from manyminds.analysis.correlation.projection import project_labels
from manyminds.analysis.correlation.reading import read_encoding, read_labels
from manyminds.analysis.correlation.uncertainty import uncertainty

__all__ = ["correlation_score"]

ASSOCIATIONS = {
    "wilks": wilks,
    "harmonic_wilks": harmonic_wilks,
    "pillai": pillai,
    "lawley_hotelling": lawley_hotelling,
    "roy": roy,
}
DETERMINATIONS = ("r2", "adjusted_r2", "cross_validated_r2")
UNCERTAINTIES = {"uncertainty": "kl", "thesis_uncertainty": "thesis"}
METHODS = (*DETERMINATIONS, *ASSOCIATIONS, *UNCERTAINTIES, "distance")
PROJECTED = ("r2", "adjusted_r2", *ASSOCIATIONS)  # read from the projection alone
LABEL_ENCODERS = ("auto", "one-hot", "none")


def correlation_score(
    X,
    y,
    method="r2",
    *,
    label_encoder="auto",
    preparers="auto",
    categorical_features="from_dtype",
    tol=None,
    average=True,
    clip=True,
    random_state=None,
):
    r"""Score how strongly encoded vectors and class labels depend on each other.

    The score ranks encodings of the same rows (subsets of features, ways to scale, to
    discretize, ...) at a small part of the cost of training classifiers on them [1]_:

    .. math::

       cs = \frac{1}{m'} \sum_{k=1}^{m'} corr\big(p(x), le_k(y)\big)

    with preparers p, label columns :math:`le_k` and a coefficient corr.

    Parameters
    ----------
    X : array-like or dataframe of shape (n_samples, n_features)
        Encoded vectors. Category columns become columns of 0 and 1, a missing category
        0 in all of them; missing numbers must be filled.
    y : array-like of shape (n_samples,)
        Class labels.
    method : str, default="r2"
        The coefficient.

        - "r2": coefficient of determination, of the least-squares regression of a label
          column on the features.
        - "adjusted_r2", "cross_validated_r2": the same, adjusted for the number of
          columns, and of predictions of rows left out one by one. All others but
          "distance" never fall when a column is added: to compare encodings with
          different numbers of columns, use one of these two.
        - "wilks": :math:`1 - |W| / |W + B|`, with W and B the scatter within and
          between the classes; "harmonic_wilks": :math:`1 - \Lambda^{1/s}`, which is not
          driven to one by many classes; "pillai", "lawley_hotelling", "roy": the same
          eigenvalues, put together otherwise.
        - "uncertainty": share of the labels' entropy that vectors explain, by
          nearest-neighbor distances; "thesis_uncertainty": as the thesis estimated
          it. Both depend on the units of the columns.
        - "distance": bias-corrected squared distance correlation, which also sees
          dependence that is not linear; depends on the units of the columns.
    label_encoder : {"auto", "one-hot", "none"}, default="auto"
        "one-hot": a label column for each class, one for two classes. "none": the
        classes as they are; "r2" and its kin take them as numbers, sorted labels
        counting 0, 1, 2 ... if they are none. "auto": "one-hot" for "r2" and its kin,
        "none" for all others.
    preparers : "auto" or sequence of callables, default="auto"
        What is done to the encoded sample first: `AddNoise`, `Bootstrap`, or any
        ``prepare(X, y, random_state)`` that returns X and y (as codes 0, 1, 2, ...).
        "auto": nothing, but ``AddNoise(1e-6, relative=True)`` for uncertainty, which
        cannot bear ties. The thesis added noise of 1e-4 for all.
    categorical_features : array-like, "from_dtype" or None, default="from_dtype"
        Which columns are categories: a mask, positions, names, or those with a
        categorical dtype.
    tol : float, default=None
        Columns are brought to length one; a pivot of their QR decomposition of at most
        ``tol`` times the first counts as zero. None: the larger of the numbers of rows
        and columns, times the precision of floats, times the largest ratio of a
        column's size to its spread; at most 1e-8.
    average : bool, default=True
        Whether to give the mean over the label columns, or each of them.
    clip : bool, default=True
        Whether to bring values into [0, 1]. "adjusted_r2", "cross_validated_r2",
        uncertainty and "distance" may leave it.
    random_state : int, RandomState instance or None, default=None
        For the preparers.

    Returns
    -------
    score : float, or ndarray of shape (n_label_columns,) unless ``average``
        0 for none, 1 for full dependence.

    See Also
    --------
    SubsetScorer : Scores many subsets of columns at once.
    EncodingComparison : Ranks encodings and shows how classifiers agree.

    Notes
    -----
    Nothing is inverted: the columns are decomposed by Cholesky's method where they are
    clearly independent, and by pivoted QR elsewhere. Columns that are constant or
    linear in others (full blocks of indicators, duplicates, more columns than rows)
    change nothing and need no noise.

    By two classes, "r2" and all measures of association are the same number; with
    ``label_encoder="one-hot"`` they are for any number of classes.

    References
    ----------
    .. [1] Tamponi, "Dataset analysis for classifier ensemble enhancement", doctoral
       thesis, University of Cagliari, 2015, chapter 2.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from manyminds.analysis import correlation_score
    >>> X, y = load_iris(return_X_y=True)
    >>> print(f"{correlation_score(X, y):.6f}")
    0.595949
    >>> correlation_score(X, y, average=False).round(3)
    array([0.908, 0.262, 0.618])
    >>> print(f"{correlation_score(X, y, 'wilks'):.6f}")
    0.976561
    """
    one_hot = check_method(method, label_encoder)
    if tol is not None:
        check_not_negative("tol", tol)
    preparers = check_preparers(preparers, method in UNCERTAINTIES)
    X = read_encoding(X, categorical_features)
    labels = read_labels(X, y)

    X, labels = prepare(X, labels, preparers, random_state)
    values = measure(X, labels, method, one_hot, tol)
    if clip:
        values = np.clip(values, 0.0, 1.0)
    return float(values.mean()) if average else values


def check_method(method, label_encoder):
    """Check the names of a coefficient and a label encoder; tell if it is one-hot."""
    check_option("method", method, METHODS)
    check_option("label_encoder", label_encoder, LABEL_ENCODERS)
    if label_encoder == "auto":
        return method in DETERMINATIONS
    return label_encoder == "one-hot"


def measure(X, labels, method, one_hot, tol=None):
    """Return the coefficient of each label column.

    Parameters
    ----------
    X : ndarray of shape (n_samples, n_columns)
    labels : Labels
    method : str
    one_hot : bool
        Whether each class has a label column.
    tol : float, default=None
        See `correlation_score`.

    Returns
    -------
    values : ndarray of shape (n_label_columns,)
        Not clipped.
    """
    if method == "cross_validated_r2":
        return leave_one_out(X, labels, one_hot, tol)
    if method in PROJECTED:
        return read_projection(project_labels(X, labels, tol), labels, method, one_hot)
    columns = labels.split() if one_hot else [labels]
    if method == "distance":
        return np.array([distance_correlation(X, one) for one in columns])
    estimator = UNCERTAINTIES[method]
    return np.array([uncertainty(X, one, estimator) for one in columns])


def read_projection(M, labels, method, one_hot):
    """Return a coefficient of each label column from the projection of the classes.

    Parameters
    ----------
    M : ndarray of shape (..., rank, n_classes)
        See `project_labels`; there may be a stack of them.
    labels : Labels
    method : str
        One of those that need nothing but the projection.
    one_hot : bool

    Returns
    -------
    values : ndarray of shape (..., n_label_columns)
    """
    if method in ASSOCIATIONS and not one_hot:
        return ASSOCIATIONS[method](canonical_correlations(M))[..., None]
    # Of one class against the rest, every measure of association is R².
    values = determine(M, labels, one_hot)
    if method == "adjusted_r2":
        return adjust(values, len(labels.codes), M.shape[-2])
    return values

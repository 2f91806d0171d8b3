"""Correlation score: the quality of an encoding, without training a classifier."""

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
from manyminds.utils.docstrings import fill_docstring
from manyminds.utils.references import TAMPONI_2015, cite

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
PROJECTED = ("r2", "adjusted_r2", *ASSOCIATIONS)  # functions of the projection
LABEL_ENCODERS = ("auto", "one-hot", "none")


@fill_docstring(references=cite(f"{TAMPONI_2015}, chapter 2"))
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
    r"""Compute the dependence between encoded vectors and class labels.

    The score ranks encodings of the same samples (subsets of features, scalings,
    discretizations, ...) at a fraction of the cost of training classifiers [1]_:

    .. math::

       cs = \frac{1}{m'} \sum_{k=1}^{m'} corr\big(p(x), le_k(y)\big)

    with preparers p, label columns :math:`le_k` and a coefficient corr.

    Parameters
    ----------
    X : array-like or dataframe of shape (n_samples, n_features)
        Encoded vectors. Categorical columns become indicator columns, a missing
        category is 0 in all of them; missing numbers must be imputed.
    y : array-like of shape (n_samples,)
        Class labels.
    method : str, default="r2"
        Coefficient.

        - "r2": coefficient of determination of the least-squares regression of a label
          column on the features.
        - "adjusted_r2", "cross_validated_r2": the same, adjusted for the number of
          columns, and of leave-one-out predictions. All others but "distance" never
          decrease when a column is added: use one of these two to compare encodings
          with different numbers of columns.
        - "wilks": :math:`1 - |W| / |W + B|`, with W and B the scatter within and
          between the classes; "harmonic_wilks": :math:`1 - \Lambda^{1/s}`, which does
          not approach one with many classes; "pillai", "lawley_hotelling", "roy": other
          functions of the same eigenvalues.
        - "uncertainty": fraction of the labels' entropy that vectors explain, by
          nearest-neighbor distances; "thesis_uncertainty": the estimate of the thesis.
          Both depend on the units of the columns.
        - "distance": bias-corrected squared distance correlation, which also measures
          nonlinear dependence; depends on the units of the columns.
    label_encoder : {"auto", "one-hot", "none"}, default="auto"
        "one-hot": a label column for each class, one for two classes. "none": the
        classes; for "r2" and its variants as numbers, or as positions of the sorted
        labels if they are not numbers. "auto": "one-hot" for "r2" and its variants,
        "none" for all others.
    preparers : "auto" or sequence of callables, default="auto"
        Transformations of the encoded sample: `AddNoise`, `Bootstrap`, or any
        ``prepare(X, y, random_state)`` that returns X and y (as codes 0, 1, 2, ...).
        "auto": none, except ``AddNoise(1e-6, relative=True)`` for uncertainty, which is
        undefined with ties. The thesis added noise of 1e-4 for all.
    categorical_features : array-like, "from_dtype" or None, default="from_dtype"
        Categorical columns: a mask, positions, names, or those with a categorical
        dtype.
    tol : float, default=None
        Columns are scaled to length one; pivots of their QR decomposition up to ``tol``
        times the first count as zero. By default the larger of the numbers of rows and
        columns, times the machine precision, times the largest ratio of a column's
        magnitude to its range; at most 1e-8.
    average : bool, default=True
        Whether to return the mean over the label columns, or each of them.
    clip : bool, default=True
        Whether to clip values to [0, 1]; "adjusted_r2", "cross_validated_r2",
        uncertainty and "distance" may be outside.
    random_state : int, RandomState instance or None, default=None
        Random state of the preparers.

    Returns
    -------
    score : float, or ndarray of shape (n_label_columns,) unless ``average``
        0 for independence, 1 for full dependence.

    See Also
    --------
    SubsetScorer : Score many subsets of columns at once.
    EncodingComparison : Rank encodings and compare with errors of classifiers.

    Notes
    -----
    No matrix is inverted: the columns are decomposed by Cholesky's method if they are
    clearly independent, and by pivoted QR otherwise. Columns that are constant or
    linear combinations of others (full blocks of indicators, duplicates, more columns
    than rows) do not change the score and need no noise.

    For two classes, "r2" and all measures of association are equal; with
    ``label_encoder="one-hot"`` they are for any number of classes.

    {references}

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
    """Check a coefficient and a label encoder; return whether it is one-hot."""
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
        One of ``PROJECTED``.
    one_hot : bool

    Returns
    -------
    values : ndarray of shape (..., n_label_columns)
    """
    if method in ASSOCIATIONS and not one_hot:
        return ASSOCIATIONS[method](canonical_correlations(M))[..., None]
    # For one class against the rest, every measure of association equals R².
    values = determine(M, labels, one_hot)
    if method == "adjusted_r2":
        return adjust(values, len(labels.codes), M.shape[-2])
    return values

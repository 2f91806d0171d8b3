"""Check tables of any kind, for transformers that leave frames frames."""

from sklearn.utils.validation import validate_data

from manyminds.datasets.frames import as_pandas


def check_table(estimator, X, *, reset, accept_sparse):
    """Check a table against what an estimator was fitted on, or learn its columns.

    Parameters
    ----------
    estimator : estimator
        What gets ``n_features_in_`` and ``feature_names_in_``.
    X : array-like, sparse matrix or dataframe of shape (n_samples, n_features)
    reset : bool
        Whether to learn the columns rather than compare with those of ``fit``.
    accept_sparse : str or sequence of str
        Formats of sparse matrices.

    Returns
    -------
    X : ndarray, sparse matrix or DataFrame
        A frame of pandas as it is, with dtypes of any kind; one of polars as pandas'.
    """
    if hasattr(X, "get_columns"):  # of polars
        X = as_pandas(X)
    if hasattr(X, "loc"):
        validate_data(estimator, X, reset=reset, skip_check_array=True)
        return X
    return validate_data(
        estimator,
        X,
        reset=reset,
        accept_sparse=accept_sparse,
        ensure_all_finite="allow-nan",
    )

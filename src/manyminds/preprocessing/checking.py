"""Check tables for transformers that keep dataframes."""

from sklearn.utils.validation import validate_data

from manyminds.datasets.frames import as_pandas


def check_table(estimator, X, *, reset, accept_sparse):
    """Check a table, and its columns against those seen during ``fit``.

    Parameters
    ----------
    estimator : estimator
        Its ``n_features_in_`` and ``feature_names_in_`` are set or compared.
    X : array-like, sparse matrix or dataframe of shape (n_samples, n_features)
    reset : bool
        Whether to set the columns rather than to compare them with those of ``fit``.
    accept_sparse : str or sequence of str
        Accepted formats of sparse matrices.

    Returns
    -------
    X : ndarray, sparse matrix or DataFrame
        A pandas dataframe unchanged, with any dtypes; a polars dataframe as pandas.
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

"""Cleaning, encoding and scaling of columns that scikit-learn lacks."""

from manyminds.preprocessing.column_cleaner import ColumnCleaner
from manyminds.preprocessing.date_encoder import DateEncoder, encode_dates
from manyminds.preprocessing.local_binary_patterns import LocalBinaryPatterns
from manyminds.preprocessing.matrix_scaler import MatrixScaler

__all__ = [
    "ColumnCleaner",
    "DateEncoder",
    "LocalBinaryPatterns",
    "MatrixScaler",
    "encode_dates",
]

INTERNALS = ()  # other rooms import public names only

"""Preparing columns in ways that scikit-learn does not."""

from manyminds.preprocessing.column_cleaner import ColumnCleaner
from manyminds.preprocessing.date_encoder import DateEncoder, take_dates_apart
from manyminds.preprocessing.matrix_scaler import MatrixScaler

__all__ = ["ColumnCleaner", "DateEncoder", "MatrixScaler", "take_dates_apart"]

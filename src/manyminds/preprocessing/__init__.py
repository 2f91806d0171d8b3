"""Preparing columns in ways that scikit-learn does not."""

from manyminds.preprocessing.column_cleaner import ColumnCleaner
from manyminds.preprocessing.matrix_scaler import MatrixScaler

__all__ = ["ColumnCleaner", "MatrixScaler"]

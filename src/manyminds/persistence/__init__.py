"""Model files: save an estimator with what it needs to read a table, load it safely."""

from manyminds.persistence.model_file import TableModel, load_model, save_model

__all__ = ["TableModel", "load_model", "save_model"]

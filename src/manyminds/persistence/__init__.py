"""Model files: save a fitted estimator with its columns, and load it safely."""

from manyminds.persistence.model_file import load_model, save_model
from manyminds.persistence.table_model import TableModel

# Names past ``__all__`` that other rooms may import.
INTERNALS = ("model_file.check_model",)

__all__ = ["TableModel", "load_model", "save_model"]

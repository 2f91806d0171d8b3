"""Find out whether a model can be converted to ONNX, without converting it."""

from collections.abc import Callable
from typing import Any

import numpy as np

from manyminds.export.graph import ExportError, Graph
from manyminds.export.learners import convert_learner
from manyminds.export.onnx_model import decide
from manyminds.export.table import read_inputs
from manyminds.persistence import TableModel

__all__ = ["find_obstacle"]


class TrialGraph(Graph):
    """A graph that names its values and stores nothing; it needs no onnx."""

    is_trial = True

    def add(self, operator: str, *values: str, domain: str = "", **options: Any) -> str:
        """Return the name of an output."""
        return self._make_name(operator.lower())

    def constant(self, values: Any) -> str:
        """Return the name of a constant."""
        return self._make_name("constant")

    def add_input(self, name: str, is_text: bool) -> str:
        """Return the name of an input."""
        return name

    def each_row(
        self, matrix: str, n_columns: int, n_made: int, convert: Callable[[str], str]
    ) -> str:
        """Apply operators to one row."""
        return convert(self._make_name("row"))

    def _find_smallest(self, values: str, k: int) -> tuple[str, str]:
        return self._make_name("topk"), self._make_name("places")


def find_obstacle(model: TableModel) -> str:
    """Return why a model cannot be converted to ONNX; an empty text if it can.

    All converters run, and make nothing: it takes far less time and memory than
    `to_onnx`, and onnx need not be installed. That the file is too large is found only
    of forests whose nodes alone are.

    Parameters
    ----------
    model : TableModel

    Returns
    -------
    reason : str

    Examples
    --------
    >>> from manyminds.datasets import describe_columns, load_dataset
    >>> from manyminds.ensemble import RandomForestClassifier
    >>> from manyminds.export import find_obstacle
    >>> from manyminds.persistence import TableModel
    >>> from sklearn.neighbors import KNeighborsClassifier
    >>> data = load_dataset("iris")
    >>> columns = describe_columns(data.X)
    >>> for learner in (RandomForestClassifier(5), KNeighborsClassifier()):
    ...     learner = learner.fit(data.X, data.y)
    ...     model = TableModel(learner, columns, "kind", "classification", (), 4)
    ...     print(find_obstacle(model) or "none")
    none
    The learner KNeighborsClassifier cannot be converted to ONNX; manyminds search
    --exportable finds a model without it.
    """
    if model.columns is None:
        return "Models of sparse tables cannot be converted to ONNX."
    graph = TrialGraph(reserved=frozenset(one.name for one in model.columns))
    try:
        table = read_inputs(graph, model.columns)
        values = convert_learner(model.estimator, graph, table)
        if model.task != "regression":
            decide(graph, model.estimator, values, np.asarray(model.estimator.classes_))
    except ExportError as error:
        return str(error)
    return ""

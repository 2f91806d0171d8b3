"""The portfolio: pipelines that did well on many tables, in the order to try them.

``portfolio.json`` is written by ``benchmarks/make_portfolio.py``.
"""

import json
from functools import cache
from importlib.resources import files
from typing import Any

__all__ = ["list_portfolio"]


def list_portfolio(task: str) -> list[dict[str, Any]]:
    """List the pipelines of a task, those to try first at the beginning.

    Parameters
    ----------
    task : {"classification", "regression", "multilabel"}

    Returns
    -------
    pipelines : list of dict
        Parts of pipelines: what is not named has its default. A space may lack the
        learner or an option of some. There are none of many labels.

    Examples
    --------
    >>> from manyminds.search.study.portfolio import list_portfolio
    >>> all("learner" in pipeline for pipeline in list_portfolio("regression"))
    True
    """
    return [dict(pipeline) for pipeline in _read().get(task, ())]


@cache
def _read() -> dict[str, list[dict[str, Any]]]:
    path = files("manyminds.search.study") / "portfolio.json"
    lists: dict[str, list[dict[str, Any]]] = json.loads(path.read_text("utf-8"))
    return lists

"""Reproductions by name, found in the folders of their papers."""

import importlib
from importlib.resources import files
from typing import TYPE_CHECKING

from manyminds.reproductions.description import Description
from manyminds.utils.errors import InputError, Parameter
from manyminds.utils.text import hint_at

if TYPE_CHECKING:
    from manyminds.reproductions.published import Reproduction

__all__ = ["get_reproduction", "list_reproductions"]

PAPERS = "manyminds.reproductions"


def list_reproductions() -> list[Description]:
    """List what can be reproduced; no plan is imported and no table is read.

    Returns
    -------
    descriptions : list of Description
        Sorted by name.

    Examples
    --------
    >>> from manyminds.reproductions import list_reproductions
    >>> for description in list_reproductions():
    ...     print(description.name)
    anticipative-hybrid-forests
    bias-variance
    challenge-selections
    combined-networks
    complex-models
    complexity
    correlation-score
    decision-graphs
    ensemble-markov-blankets
    entropy-filters
    eye-movements
    fitselect
    forest-relevance
    forests-against-scikit-learn
    forests-of-local-trees-baselines
    hybrid-causal-selection
    local-classifiers
    local-relevance
    local-trees-against-forests
    many-labels
    minimal-output-codes
    mrmr-ensembles
    prototype-experts
    random-cluster-ensembles
    random-oracles-for-regression
    random-projection-boosting
    robust-diversity
    weighted-output-codes
    """
    return [
        importlib.import_module(_name_package(name)).DESCRIPTION
        for name in _list_names()
    ]


def get_reproduction(name: str) -> "Reproduction":
    """Load a reproduction by its name.

    Parameters
    ----------
    name : str
        One of those that `list_reproductions` returns.

    Returns
    -------
    reproduction : Reproduction

    Examples
    --------
    >>> from manyminds.reproductions import get_reproduction
    >>> get_reproduction("forests-against-scikit-learn").parts[0].tolerance.points
    0.3
    >>> get_reproduction("forests-of-local-tree")
    Traceback (most recent call last):
    ...
    manyminds.utils.errors.InputError: name has 'forests-of-local-tree', which is no
    reproduction; did you mean 'forests-of-local-trees-baselines'?
    """
    known = _list_names()
    if name in known:
        return importlib.import_module(f"{_name_package(name)}.plan").REPRODUCTION
    hint = hint_at(name, known)
    raise InputError(
        Parameter("name"), f" has {name!r}, which is no reproduction; {hint}"
    )


def _list_names() -> list[str]:
    folders = [
        one.name for one in files(PAPERS).iterdir() if (one / "plan.py").is_file()
    ]
    return sorted(name.replace("_", "-") for name in folders)


def _name_package(name: str) -> str:
    return f"{PAPERS}.{name.replace('-', '_')}"

"""Plans that reproduce published results, by name."""

import importlib
from importlib.resources import files

from manyminds.experiments.measures import hint_at
from manyminds.reproductions.published import Reproduction
from manyminds.utils.errors import InputError, Parameter

__all__ = ["get_reproduction", "list_reproductions"]

PAPERS = "manyminds.reproductions"


def list_reproductions() -> list[Reproduction]:
    """List what can be reproduced.

    Returns
    -------
    reproductions : list of Reproduction
        Sorted by name.

    Examples
    --------
    >>> from manyminds.reproductions import list_reproductions
    >>> for reproduction in list_reproductions():
    ...     print(reproduction.name)
    anticipative-hybrid-forests
    bias-variance
    challenge-selections
    complex-models
    complexity
    correlation-score
    entropy-filters
    forest-relevance
    forests-against-scikit-learn
    forests-of-local-trees-baselines
    local-relevance
    local-trees-against-forests
    mrmr-ensembles
    random-oracles-for-regression
    random-projection-boosting
    robust-diversity
    """
    return [_load(name) for name in _list_names()]


def get_reproduction(name: str) -> Reproduction:
    """Find a reproduction by its name.

    Parameters
    ----------
    name : str
        One of those that `list_reproductions` gives.

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
    ValueError: name has 'forests-of-local-tree', which is no reproduction; did you mean
    'forests-of-local-trees-baselines'?
    """
    known = _list_names()
    if name in known:
        return _load(name)
    hint = hint_at(name, known)
    raise InputError(
        Parameter("name"), f" has {name!r}, which is no reproduction; {hint}"
    )


def _list_names() -> list[str]:
    folders = [
        one.name for one in files(PAPERS).iterdir() if (one / "plan.py").is_file()
    ]
    return sorted(name.replace("_", "-") for name in folders)


def _load(name: str) -> Reproduction:
    module = importlib.import_module(f"{PAPERS}.{name.replace('-', '_')}.plan")
    return module.REPRODUCTION

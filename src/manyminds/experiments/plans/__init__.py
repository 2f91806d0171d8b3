"""Plans that reproduce published results, by name."""

from manyminds.experiments.measures import hint_at
from manyminds.experiments.plans import (
    forests_against_sklearn,
    hybrid_forests,
    local_trees,
    local_trees_tables,
    random_oracles,
    random_projections,
    robust_diversity,
)
from manyminds.experiments.plans.looking import (
    bias_variance,
    complexity,
    correlation_score,
)
from manyminds.experiments.plans.searching import complex_models
from manyminds.experiments.plans.selection import (
    challenge_selections,
    entropy_filters,
    forest_relevance,
    local_relevance,
    mrmr_ensembles,
)
from manyminds.experiments.published import Reproduction

__all__ = ["get_reproduction", "list_reproductions"]

# One line for each file of this room.
REPRODUCTIONS = (
    bias_variance.REPRODUCTION,
    challenge_selections.REPRODUCTION,
    complex_models.REPRODUCTION,
    complexity.REPRODUCTION,
    correlation_score.REPRODUCTION,
    entropy_filters.REPRODUCTION,
    forest_relevance.REPRODUCTION,
    local_relevance.REPRODUCTION,
    mrmr_ensembles.REPRODUCTION,
    forests_against_sklearn.REPRODUCTION,
    hybrid_forests.REPRODUCTION,
    local_trees.REPRODUCTION,
    local_trees_tables.REPRODUCTION,
    random_oracles.REPRODUCTION,
    random_projections.REPRODUCTION,
    robust_diversity.REPRODUCTION,
)


def list_reproductions() -> list[Reproduction]:
    """List what can be reproduced.

    Returns
    -------
    reproductions : list of Reproduction
        Sorted by name.

    Examples
    --------
    >>> from manyminds.experiments.plans import list_reproductions
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
    return sorted(REPRODUCTIONS, key=lambda reproduction: reproduction.name)


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
    >>> from manyminds.experiments.plans import get_reproduction
    >>> get_reproduction("forests-against-scikit-learn").parts[0].tolerance.points
    0.3
    >>> get_reproduction("forests-of-local-tree")
    Traceback (most recent call last):
    ...
    ValueError: name has 'forests-of-local-tree', which is no reproduction; did you mean
    'forests-of-local-trees-baselines'?
    """
    known = {reproduction.name: reproduction for reproduction in list_reproductions()}
    if name in known:
        return known[name]
    hint = hint_at(name, list(known))
    raise ValueError(f"name has {name!r}, which is no reproduction; {hint}")

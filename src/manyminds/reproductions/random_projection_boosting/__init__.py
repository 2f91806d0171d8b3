"""RpBoost: what random projections do for boosted stumps, on patterns and on tables."""

from manyminds.reproductions.description import Description

DESCRIPTION = Description(
    name="random-projection-boosting",
    title="Boosting with random projections: RpBoost, LsBoost and AdaBoost",
    source="Casale, Pujol and Radeva, Embedding random projections in regularized "
    "gradient boosting machines, SUEMA 2010, table 4",
    shows="Of the paper's tables only the best classifier of each problem can be "
    "read; these are the numbers. What the text says about who wins is judged "
    "as claims. The last parts show how much depends on what the paper does "
    "not state: scaling, the choice of the penalty, and rows of Monks that "
    "are in both parts.",
    minutes=12.0,
    quick_minutes=1.5,
    n_folds=5680,
)

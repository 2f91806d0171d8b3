"""The ensembles of a replicate: a forest for importances, boosted trees for masking."""

from typing import NamedTuple

import numpy as np

from manyminds.trees.growing import draw_seeds, make_rules
from manyminds.trees.out_of_bag import OutOfBagGrower
from manyminds.trees.structure import Trees
from manyminds.trees.surrogates import masking_matrix


class Growth(NamedTuple):
    """How the trees of both ensembles grow; see `ACESelector` for each option."""

    n_estimators: int
    max_features: object
    max_depth: object
    min_samples_leaf: int
    masking_depth: int
    learning_rate: float
    min_oob: int
    decrease: str


def measure_importances(table, target, growth, sample_weight, seed):
    """Grow a forest on a table with contrasts; return the importance of each column.

    Parameters
    ----------
    table : Table
        From ``add_contrasts``.
    target : Target
    growth : Growth
    sample_weight : ndarray of shape (n_rows,) or None
    seed : int

    Returns
    -------
    importances : ndarray of shape (n_columns,)
        Mean decrease of impurity over the trees, summed over the target's columns.
    """
    random_state = np.random.RandomState(seed)
    grower = _make_grower(
        table,
        target.n_rows,
        target.n_classes,
        growth,
        sample_weight,
        growth.n_estimators,
        max_features=growth.max_features,
        max_depth=growth.max_depth,
    )
    total = np.zeros(len(table.columns))
    for y in target.list_columns():
        grown = grower.grow(y, draw_seeds(random_state, growth.n_estimators))
        total += _clip(grown, growth).importances()
    return total


def measure_masking(table, target, growth, sample_weight, seed):
    """Boost trees on a table with contrasts; return how far columns mask others.

    Every tree sees all columns, and the gradients that the trees before it leave.

    Parameters
    ----------
    table : Table
        From ``add_contrasts``, with m columns and m contrasts.
    target : Target
    growth : Growth
    sample_weight : ndarray of shape (n_rows,) or None
    seed : int

    Returns
    -------
    masking : ndarray of shape (m, 2 * m)
        By how much column i masks each column and each contrast.
    """
    m, n_outputs = len(table.columns) // 2, target.n_outputs
    seeds = draw_seeds(
        np.random.RandomState(seed), growth.n_estimators * n_outputs
    ).reshape(-1, n_outputs, 1)
    grower = _make_grower(
        table,
        target.n_rows,
        1,
        growth,
        sample_weight,
        1,
        max_depth=growth.masking_depth,
    )
    raw = target.make_baseline(sample_weight)
    parts = []
    for of_round in seeds:
        gradients = target.compute_residuals(raw)
        for k, one in enumerate(of_round):
            grown = grower.grow(gradients[:, k], one, want_leaves=True)
            draws = grower.count_draws(one)[0]
            step = target.compute_steps(gradients[:, k], draws, grown.leaf[0])
            raw[:, k] += growth.learning_rate * step[grown.leaf[0]]
            parts.append(_clip(grown, growth))
    trees = Trees.concatenate([part.trees for part in parts])
    decrease = np.concatenate([part.decrease for part in parts])
    seeds = seeds.reshape(-1)
    masking = masking_matrix(
        trees,
        table,
        lambda chunk: grower.count_draws(seeds[chunk]),
        primaries=np.arange(m),
        decrease=decrease,
        n_jobs=1,
    )
    return n_outputs * masking[:m]


def _make_grower(table, n_rows, n_classes, growth, sample_weight, n_trees, **limits):
    """Return a grower of trees for the target's classes, or 1 for numbers."""
    rules = make_rules(
        n_rows,
        len(table.columns),
        n_classes,
        n_rows,
        criterion="squared_error" if n_classes == 1 else "gini",
        min_samples_leaf=growth.min_samples_leaf,
        **limits,
    )
    return OutOfBagGrower(
        table,
        rules,
        n_rows,
        n_trees,
        sample_weight=sample_weight,
        min_oob=growth.min_oob,
        unbiased=growth.decrease != "plain",
    )


def _clip(grown, growth):
    """Replace negative decreases by 0 if they are to be clipped."""
    if growth.decrease != "clipped":
        return grown
    return grown._replace(decrease=np.maximum(grown.decrease, 0.0))

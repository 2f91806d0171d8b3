"""The relaxed quadratic program against all subsets."""

from itertools import combinations

import numpy as np
from numpy.testing import assert_allclose

from manyminds.ensemble.pruning.quadratic import (
    choose_by_quadratic_form,
    make_joint_errors,
)


def test_matrix_by_the_formula(seed):
    rng = np.random.default_rng(seed)
    y = rng.integers(3, size=30)
    labels = np.vstack([rng.integers(3, size=(4, 30)), y])
    wrong = labels != y
    matrix = make_joint_errors(labels, y)
    for i in range(4):
        assert_allclose(matrix[i, i], wrong[i].mean())
        for j in range(i):
            both = np.sum(wrong[i] & wrong[j])
            expected = (both / wrong[i].sum() + both / wrong[j].sum()) / 2.0
            assert_allclose(matrix[i, j], expected)
    assert_allclose(matrix[4], 0.0)  # never wrong


def test_bound_and_quality_of_the_solution(seed):
    # The bound is below all subsets; the solution cannot be improved by a swap, and is
    # the best of all subsets in most draws.
    rng, n_best = np.random.default_rng(seed), 0
    for _ in range(10):
        y = rng.integers(2, size=40)
        labels = np.where(rng.uniform(size=(9, 40)) < 0.3, 1 - y, y)
        matrix = make_joint_errors(labels, y)
        kept, bound = choose_by_quadratic_form(matrix, 4)
        forms = {
            some: matrix[np.ix_(some, some)].sum() for some in combinations(range(9), 4)
        }
        least, found = min(forms.values()), forms[tuple(kept.tolist())]
        assert bound <= least + 1e-3
        n_best += found <= least + 1e-9
        neighbors = [
            forms[tuple(sorted({*kept.tolist(), j} - {i}))]
            for i in kept.tolist()
            for j in set(range(9)) - set(kept.tolist())
        ]
        assert found <= min(neighbors) + 1e-9
    assert n_best >= 5

"""Orders by squared errors against naive twins."""

import numpy as np
from numpy.testing import assert_allclose, assert_array_equal

from manyminds.ensemble.pruning import error_orderings


def draw(seed):
    rng = np.random.default_rng(seed)
    y = rng.normal(size=30)
    return y + rng.normal(size=(7, 30)) * rng.uniform(0.2, 1.0, size=(7, 1)), y


def mse(values, y):
    return np.mean((values.mean(axis=0) - y) ** 2)


def test_forward_backward_and_prefixes(seed):
    values, y = draw(seed)
    products = error_orderings.multiply_errors(values, y)
    order = []
    while len(order) < 7:
        left = [m for m in range(7) if m not in order]
        errors = [mse(values[[*order, m]], y) for m in left]
        order.append(left[int(np.argmin(errors))])
    assert_array_equal(error_orderings.order_by_mean_error(products), order)
    inside, removed = list(range(7)), []
    while len(inside) > 1:
        errors = [mse(values[[k for k in inside if k != m]], y) for m in inside]
        removed.append(inside.pop(int(np.argmin(errors))))
    found = error_orderings.order_by_mean_removal(products)
    assert_array_equal(found, [*inside, *removed[::-1]])
    prefixes = [mse(values[order[:size]], y) for size in range(1, 8)]
    assert_allclose(error_orderings.rate_mean_prefixes(products, order), prefixes)
    own = [mse(values[[m]], y) for m in range(7)]
    assert_array_equal(error_orderings.order_by_own_error(products), np.argsort(own))


def test_with_replacement_and_distances(seed):
    values, y = draw(seed)
    products = error_orderings.multiply_errors(values, y)
    start = np.array([1, 0, 0, 2, 0, 0, 0])
    order, errors = error_orderings.add_by_mean_error(products, start, 5, True)
    bag = [0, 3, 3]
    for k in range(5):
        after = [mse(values[[*bag, m]], y) for m in range(7)]
        bag.append(int(np.argmin(after)))
        assert bag[-1] == order[k]
        assert_allclose(errors[k], min(after))
    distance = error_orderings.measure_distances(products)
    expected = np.sqrt(np.mean((values[2] - values[5]) ** 2))
    assert_allclose(distance[2, 5], expected)

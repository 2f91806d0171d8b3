"""Orders of elimination."""

import numpy as np

from manyminds.networks.bayesian.elimination_order import order_elimination


def test_elimination_of_a_square_adds_one_chord():
    square = np.array([[0, 1, 0, 1], [1, 0, 1, 0], [0, 1, 0, 1], [1, 0, 1, 0]])
    steps = order_elimination(square, [2, 2, 2, 2], range(4))
    assert [node for node, _ in steps] == [0, 1, 2, 3]
    assert [len(clique) for _, clique in steps] == [3, 3, 2, 1]
    some = order_elimination(square, [2, 2, 2, 2], {1, 2, 3})
    assert [node for node, _ in some] == [1, 2, 3]

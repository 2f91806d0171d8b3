"""What is no matrix of pairs is refused, and what has no pairs has no mean."""

import numpy as np
import pytest

from manyminds.analysis.diversity import average_pairs


def test_no_pair_has_no_mean():
    assert np.isnan(average_pairs([[1.0]]))
    assert np.isnan(average_pairs(np.full((3, 3), np.nan)))
    assert np.isnan(average_pairs([[1.0]], "members")).all()


def test_what_is_given_stays_as_it_is():
    matrix = np.full((2, 2), np.nan)
    assert (average_pairs(matrix, None, undefined="zero") == 0.0).all()
    assert np.isnan(matrix).all()


def test_a_table_that_is_not_square_is_refused():
    with pytest.raises(ValueError, match="matrix must have shape"):
        average_pairs([[1.0, 2.0]])

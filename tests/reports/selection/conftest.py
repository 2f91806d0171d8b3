"""What tests of selections share: a selector that is fitted by hand."""

from types import SimpleNamespace

import numpy as np
import pytest


@pytest.fixture
def selector():
    """Return what is read of a fitted selector: columns 2 and 0 are kept."""
    return SimpleNamespace(
        selection_frequencies_=np.array([0.75, 0.25, 1.0]),
        null_frequencies_=np.array([[0.5, 0.75, 0.25], [0.5, 0.25, 0.75]]),
        null_stability_=np.array([0.0, 0.5]),
        ranking_=np.array([2, 3, 1]),
        support_=np.array([True, False, True]),
        selections_=np.array([[1, 0, 1], [1, 0, 1], [1, 0, 1], [0, 1, 1]], dtype=bool),
        stability_=0.5,
        stability_interval_=np.array([0.25, 0.75]),
        expected_false_selections_=np.nan,
    )

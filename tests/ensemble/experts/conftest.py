"""Data that several tests of local models share."""

import numpy as np
import pytest
from sklearn.linear_model import LogisticRegression

CENTERS = np.array([[0.0, 0.0], [4.5, 3.0], [1.0, 3.0], [3.0, 0.1]])


def draw_toy(n_each, seed):
    """Draw the four Gaussians of the paper; the first two are one class."""
    rng = np.random.default_rng(seed)
    X = (CENTERS[:, None] + rng.normal(size=(4, n_each, 2))).reshape(-1, 2)
    return X, np.repeat([0, 0, 1, 1], n_each)


@pytest.fixture(scope="session")
def toy():
    """Training and test rows as in the paper: 4 times 5,000, and 20,000."""
    return draw_toy(5000, 0), draw_toy(5000, 1)


@pytest.fixture
def logistic():
    """Return a logistic regression that is hardly regularized."""
    return LogisticRegression(C=1e6)

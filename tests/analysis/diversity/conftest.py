import numpy as np
import pytest


@pytest.fixture
def draw_votes(seed):
    """Return a function that draws labels and predictions of unequal members."""

    def draw(n_members=7, n_samples=60, n_classes=3, *, offset=0):
        rng = np.random.default_rng([seed, offset])
        y = rng.integers(n_classes, size=n_samples)
        guess = rng.integers(n_classes, size=(n_members, n_samples))
        skill = rng.uniform(0.2, 0.6, size=(n_members, 1))
        knows = rng.random((n_members, n_samples)) < skill
        return y, np.where(knows, y, guess)

    return draw

"""Small sets with many labels."""

import pytest
from sklearn.datasets import make_multilabel_classification

from manyminds.datasets import make_multilabel_xor


@pytest.fixture
def labeled(seed):
    """Return 90 rows with four labels, some of them rare."""
    return make_multilabel_classification(
        90, n_features=8, n_classes=4, n_labels=2, random_state=seed
    )


@pytest.fixture
def entangled(seed):
    """Return rows whose second label is the XOR of a noisy first one and a feature."""
    return make_multilabel_xor(600, n_irrelevant=2, label_noise=0.3, random_state=seed)

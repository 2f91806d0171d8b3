"""Learners, forests and data sets of the slides."""

import numpy as np
import pandas as pd

from manyminds.datasets import Dataset
from manyminds.reproductions.anticipative_hybrid_forests.protocol import (
    HYBRID,
    load_complete,
    make_families,
    make_forests,
    make_peers,
)


def test_loaded_rows_are_complete_and_categories_numbers():
    X = pd.DataFrame(
        {
            "size": [1.0, np.nan, 3.0],
            "kind": pd.Categorical(["2", "1", "4"], categories=["1", "2", "4"]),
        }
    )
    data = Dataset("toy", X, np.array([1, 2, 1]), "classification")
    loaded = load_complete(lambda name: data, "toy")
    assert loaded.X.to_numpy().tolist() == [[1.0, 2.0], [3.0, 4.0]]
    assert loaded.y.tolist() == [1, 1]


def test_sets_of_the_folder_have_the_sizes_of_the_slides(shared_data):
    from manyminds.datasets.folder import DataFolder

    data = load_complete(DataFolder(shared_data).load, "breast-w")
    assert data.X.shape == (683, 9)  # as in the slides
    assert load_complete(DataFolder(shared_data).load, "hayes-roth").X.shape == (160, 4)


def test_complete_data_keep_all_samples():
    X = pd.DataFrame({"size": pd.Categorical([1, 2, 3])})
    data = Dataset("toy", X, np.array([1, 2, 1]), "classification")
    loaded = load_complete(lambda name: data, "toy")
    assert loaded.n_samples == 3 and loaded.X["size"].dtype == np.float64


def test_every_method_has_a_name_of_its_own():
    groups = [make_families(), make_forests(), make_peers()]
    names = [name for group in groups for name in group]
    assert len(set(names)) == len(names) == 5 + 2 + 5
    assert HYBRID in groups[1]


def test_distances_are_those_of_standardized_columns():
    # Learners that compare samples by distance, and no others.
    scaled = {
        name for name, model in make_families().items() if hasattr(model, "steps")
    }
    assert scaled == {"SVM", "k-NN"}

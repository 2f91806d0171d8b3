"""What surrounds a search: columns of all dtypes, sparse matrices refused."""

import numpy as np
import pandas as pd
import pytest
from scipy.sparse import csr_array

from manyminds.networks import HillClimbingSearch
from manyminds.networks.structure import start_graph


def test_start_is_a_copy():
    arcs = np.zeros((3, 3), dtype=np.uint8)
    graph = start_graph(arcs)
    graph.arcs[0, 1] = 1
    assert arcs.sum() == 0


def test_sparse_matrices_are_refused():
    with pytest.raises(TypeError, match="toarray"):
        HillClimbingSearch().fit(csr_array(np.eye(3)))


def test_names_of_columns_and_missing_values(seed):
    rng = np.random.default_rng(seed)
    a = rng.choice(["x", "y"], size=300)
    b = np.where(rng.random(300) < 0.9, a, "y")
    frame = pd.DataFrame({"a": a, "b": b, "c": rng.normal(size=300)})
    frame = frame.astype({"a": "category", "b": "category"})
    frame.loc[:20, "a"] = None
    frame.loc[30:40, "c"] = np.nan
    search = HillClimbingSearch().fit(frame)
    assert {frozenset(arc) for arc in search.arcs_} == {frozenset("ab")}
    assert set(search.graph_) == {"a", "b", "c"}

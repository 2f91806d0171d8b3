"""A model file may hold estimators and what they are made of, and nothing else."""

import sys
from fractions import Fraction
from functools import partial

import pytest
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import FunctionTransformer

from manyminds.datasets import load_dataset
from manyminds.experiments.sql_store import SqlStore
from manyminds.persistence.model_archive import UntrustedTypesError
from manyminds.persistence.model_file import load_model, save_model
from manyminds.persistence.trusted_types import find_refused
from manyminds.search.study.prediction_store import SQLPredictionStore
from manyminds.trees import DecisionTreeClassifier


@pytest.mark.parametrize(
    "name, trusted",
    [
        ("manyminds.trees.structure.Trees", True),
        ("manyminds.learners.kneighbors_cv.KNeighborsClassifierCV", True),
        ("sklearn.tree._tree.Tree", True),
        ("sklearn.utils.validation.check_array", True),
        ("scipy.sparse._csr.csr_matrix", True),
        ("sklearn.metrics._dist_metrics.EuclideanDistance64", True),
        ("sklearn.metrics._dist_metrics.PyFuncDistance64", False),
        ("sklearn.utils._testing.TempMemmap", False),
        ("sklearn.utils.validation.joblib", False),
        ("manyminds.experiments.sql_store.SqlStore", False),
        ("manyminds.search.study.prediction_store.SQLPredictionStore", False),
        ("manyminds.search.complex_model_search.ComplexModelSearchClassifier", False),
        (
            "manyminds.learners.KNeighborsClassifierCV",
            False,
        ),  # not the name that skops writes
        ("manyminds.__main__.main", False),
        ("sklearn.conftest.Anything", False),
        ("os.system", False),
        ("fractions.Fraction", False),
    ],
)
def test_who_is_trusted(name, trusted):
    assert find_refused([name], {}) == ([] if trusted else [name])


def test_nothing_is_imported_that_a_file_names():
    before = set(sys.modules)
    assert find_refused(["antigravity.Anything", "this.s"], {})
    assert find_refused(["manyminds.reproductions.nowhere.Anything"], {})
    assert find_refused(["wsgiref.simple_server.WSGIServer"], {})
    assert set(sys.modules) == before


def test_what_a_room_only_imports_is_not_its_own(monkeypatch):
    import manyminds.trees

    monkeypatch.setattr(manyminds.trees, "Fraction", Fraction, raising=False)
    assert find_refused(["manyminds.trees.Fraction"], {})


@pytest.mark.parametrize(
    "make",
    [
        lambda url: partial(SQLPredictionStore, url),
        lambda url: partial(SqlStore, url),
        lambda url: SqlStore,
        lambda url: partial(open, url.removeprefix("sqlite:///")),
    ],
)
def test_a_forged_step_is_refused_before_it_does_anything(make, tmp_path):
    data = load_dataset("iris")
    made = tmp_path / "made.sqlite"
    forged = make_pipeline(
        FunctionTransformer(make(f"sqlite:///{made}")), DecisionTreeClassifier()
    )
    (tmp_path / "models").mkdir()
    save_model(tmp_path / "models" / "model.skops", forged, data)
    with pytest.raises(UntrustedTypesError, match="not trusted"):
        load_model(tmp_path / "models")
    assert not made.exists()
    with pytest.raises(UntrustedTypesError, match=r"functools\.partial|SqlStore"):
        # Not even where somebody trusts what is called.
        load_model(tmp_path / "models", trusted=["_io.open"])

"""The calls of a warm-up reach every kernel."""

import numba
import numpy as np
import pandas as pd
import pytest

from manyminds.workflows import run_warm_up
from manyminds.workflows.warm_up_calls import WAVES, Fit, make_table


@pytest.mark.slow
@pytest.mark.skipif(numba.config.DISABLE_JIT, reason="is about compiling")
def test_every_kernel_is_compiled_by_some_call():
    # A new kernel needs a call in WAVES, or users wait for it.
    result = run_warm_up()
    assert result.failures == {}
    assert [one.name for one in result.cold] == []
    again = run_warm_up()
    assert (again.n_new, again.compile_seconds) == (0, 0.0)


def test_groups_have_calls_and_names_of_their_own():
    groups = [name for wave in WAVES for name in wave]
    assert len(set(groups)) == len(groups)
    assert all(wave[name] for wave in WAVES for name in wave)


def test_tables_are_of_the_kinds_that_matter():
    numbers, score = make_table("numbers")
    assert numbers.shape == (300, 5) and score.shape == (300,)
    assert np.unique(numbers[:, 0]).size > 255
    frame = make_table("frame")[0]
    assert isinstance(frame, pd.DataFrame)
    assert np.isnan(make_table("missing")[0]).any()
    assert make_table("missing_frame")[0].isna().to_numpy().any()
    assert not make_table("read_only")[0].flags.writeable
    assert np.isnan(make_table("read_only_missing")[0]).any()
    mixed = make_table("mixed")[0]
    assert mixed["hue"].dtype == "category" and mixed.isna().to_numpy().any()
    assert make_table("wide")[0].shape[1] > 32
    assert make_table("sparse")[0].format == "csr"
    assert set(np.unique(make_table("binary")[0])) == {0.0, 1.0}


def test_further_methods_get_the_target_if_they_take_it():
    forest = "ensemble.RandomForestClassifier"
    few = {"n_estimators": 2, "random_state": 0}
    Fit(forest, methods=("oob_permutation_importance", "apply"), parameters=few)()
    with pytest.raises(AttributeError, match="no_such_method"):
        Fit(forest, methods=("no_such_method",), parameters=few)()

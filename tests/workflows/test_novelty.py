"""One sentence counts the rows that are unlike those of training."""

import warnings

import numpy as np
import pytest

from manyminds.analysis import NoveltyResult
from manyminds.utils.errors import InputWarning
from manyminds.workflows.novelty import describe_novelty, warn_about_novelty


def test_many_rows_and_columns_are_shortened():
    columns = {f"c{i}": i for i in range(1, 8)}
    result = NoveltyResult(np.ones(1_200, dtype=bool), columns, {"size": 2})
    text = describe_novelty(result)
    assert text.startswith("1,200 of 1,200 rows are unlike those of training (rows 1, ")
    assert "5 ...): by itself c7 (7 rows), c6" in text
    assert text.endswith("and 2 more; in combination size (2 rows).")


def test_a_warning_is_given_only_if_there_are_any():
    with pytest.warns(InputWarning, match="flag_unlike=True marks all of them"):
        warn_about_novelty(NoveltyResult(np.array([True]), {"a": 1}, {}))
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        warn_about_novelty(NoveltyResult(np.array([False]), {}, {}))
        warn_about_novelty(None)

"""Free text is told from categories, names and numbers by one rule."""

import numpy as np
import pandas as pd
import pytest

from manyminds.datasets.texts import holds_sentences, is_free_text, list_texts

REMARKS = [f"remark {place} of many" for place in range(30)]


@pytest.mark.parametrize(
    ("cells", "is_text"),
    [
        (REMARKS, True),
        ([*REMARKS, *[None] * 100], True),  # missing cells do not count
        ([*REMARKS, *REMARKS], True),  # half of the cells are different
        (REMARKS * 3, False),
        (REMARKS[:19], False),
        ([f"key{place}" for place in range(30)], False),
        ([f"two words{place}" for place in range(30)], False),
        (np.arange(30.0), False),
        (pd.date_range("2024-01-01", periods=30), False),
        ([None] * 30, False),
    ],
)
def test_rule(cells, is_text):
    column = pd.Series(cells)
    assert is_free_text(column) == is_text
    if column.dtype == object or column.dtype == "str":
        assert is_free_text(column.astype("category")) == is_text


def test_categories_that_do_not_occur_do_not_count():
    column = pd.Series(pd.Categorical(["a"] * 30, [*REMARKS, "a"]))
    assert not is_free_text(column)


def test_columns_of_text_are_listed():
    frame = pd.DataFrame({"note": REMARKS, "size": 1.0})
    assert list_texts(frame) == ["note"]
    assert list_texts(np.ones((2, 2))) == []


def test_other_objects_are_no_text():
    assert not holds_sentences([(1, 2, 3)] * 40, 40)

"""Statistics of texts are those of a loop over their characters."""

import numpy as np
from numpy.testing import assert_allclose

from manyminds.preprocessing.generation.text_statistics import compute_statistics


def test_statistics_of_a_loop():
    texts = ["", "Ab 1", " ", "\N{LATIN CAPITAL LETTER A WITH DIAERESIS}\u00df?", "",
             "\N{GRINNING FACE} 22!", "\ud800", ""]  # fmt: skip
    expected = []
    for text in texts:
        n = max(1, len(text))
        n_marks = sum(not (one.isalnum() or one.isspace()) for one in text)
        expected.append(
            [len(text), len(text.split()), sum(map(str.isdigit, text)) / n,
             sum(map(str.isupper, text)) / n, n_marks / n]
        )  # fmt: skip
    assert_allclose(compute_statistics(texts), expected)


def test_there_may_be_no_texts():
    assert compute_statistics([]).shape == (0, 5)
    assert not np.any(compute_statistics(["", ""]))

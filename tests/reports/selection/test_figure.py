"""The figure of a selection has a bar for each column, the most frequent first."""

import numpy as np
import pandas as pd
import pytest

from manyminds.feature_selection import CorrelationSelector, StableSelector
from manyminds.reports.selection.figure import MAX_BARS, draw_frequencies
from manyminds.reports.selection.summary import list_frequencies


@pytest.fixture(scope="module")
def fit():
    """Return a function that fits a stable selector to columns of a name each."""

    def fit(names, n_permutations=0):
        rng = np.random.default_rng(0)
        y = np.arange(24) % 2
        X = pd.DataFrame(rng.normal(size=(24, len(names))), columns=names)
        X[names[1]] += 9.0 * y
        selector = StableSelector(
            CorrelationSelector(1, task="classification"),
            n_features_to_select=1,
            n_resamples=4,
            n_permutations=n_permutations,
            random_state=0,
        ).fit(X, y)
        return selector, list_frequencies(selector, names)

    return fit


def test_the_best_column_stands_first_under_its_own_name(fit):
    selector, frequencies = fit(["a", "$b", "c"])
    [ax] = draw_frequencies(selector, frequencies).axes
    shown = [label.get_text() for label in ax.get_yticklabels()]
    widths = [bar.get_width() for bar in ax.patches]
    best = int(np.argmax(widths))
    assert shown[best] == r"\$b" and widths[best] == 1.0
    assert sorted(widths, reverse=True) == frequencies["frequency"].tolist()


def test_the_order_of_the_list_does_not_matter(fit):
    selector, frequencies = fit(["a", "b", "c"])
    figures = [
        draw_frequencies(selector, one) for one in (frequencies, frequencies[::-1])
    ]
    one, other = (
        [label.get_text() for label in figure.axes[0].get_yticklabels()]
        for figure in figures
    )
    assert one == other


def test_only_the_most_frequent_columns_of_many_are_shown(fit):
    selector, frequencies = fit([f"c{i}" for i in range(MAX_BARS + 5)])
    [ax] = draw_frequencies(selector, frequencies).axes
    assert len(ax.get_yticklabels()) == MAX_BARS

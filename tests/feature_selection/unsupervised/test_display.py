import matplotlib
import numpy as np
import pandas as pd
from numpy.testing import assert_allclose, assert_array_equal

from manyminds.feature_selection import ClusterImportanceDisplay, RCESelector

matplotlib.use("agg")


def test_dots_mark_what_is_selected(seed):
    X = pd.DataFrame(np.random.default_rng(seed).normal(size=(50, 6)))
    X.columns = list("abcdef")
    selector = RCESelector(n_estimators=20, random_state=0).fit(X)
    display = ClusterImportanceDisplay.from_selector(selector, n_shown=4)
    best = np.argsort(selector.ranking_)[:4]
    assert_array_equal(display.shown_, best)
    assert [t.get_text() for t in display.ax_.get_xticklabels()] == [
        "abcdef"[j] for j in best
    ]
    place, cluster = display.ax_.lines[0].get_data()
    assert selector.local_support_[cluster, best[place]].all()
    assert len(place) == selector.local_support_[:, best].sum()
    assert_allclose(display.sizes @ display.importances, selector.scores_)

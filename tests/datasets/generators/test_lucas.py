"""LUCAS: shares, dependences, posterior, and the data set of that name."""

import numpy as np
import pandas as pd
from numpy.testing import assert_allclose

from manyminds.datasets.generators.lucas import (
    LUCAS_BLANKET,
    LUCAS_FEATURES,
    make_lucas,
)


def draw(seed, n_samples=20_000):
    X, y = make_lucas(n_samples, random_state=seed)
    return pd.DataFrame(X, columns=LUCAS_FEATURES).assign(target=y)


def test_shape_and_kind(seed):
    X, y = make_lucas(50, random_state=seed)
    assert X.shape == (50, 11) and X.dtype == np.float64
    assert set(np.unique(X)) <= {0.0, 1.0} and set(np.unique(y)) <= {0, 1}
    again, _ = make_lucas(50, random_state=seed)
    assert (X == again).all()


def test_shares_of_children_by_parents(seed):
    # Five standard deviations of a share among 20,000 rows times a parent's share.
    frame = draw(seed)
    by_parents = {
        ("Smoking", "Peer_Pressure", "Anxiety"): {(1, 0): 0.74591, (0, 1): 0.8686},
        ("target", "Genetics", "Smoking"): {(1, 0): 0.86996, (0, 1): 0.83934},
        ("Coughing", "Allergy", "target"): {(1, 0): 0.64592, (0, 1): 0.7664},
        ("Fatigue", "target", "Coughing"): {(1, 0): 0.56514, (0, 1): 0.80016},
        ("Car_Accident", "Attention_Disorder", "Fatigue"): {
            (1, 0): 0.779,
            (0, 1): 0.78861,
        },
    }
    for (child, *parents), shares in by_parents.items():
        for values, share in shares.items():
            rows = (frame[parents].to_numpy() == values).all(axis=1)
            error = 5.0 * np.sqrt(share * (1.0 - share) / rows.sum())
            assert abs(frame.loc[rows, child].mean() - share) < error


def test_posterior_is_that_of_the_rows(seed):
    _, y, posterior = make_lucas(40_000, return_posterior=True, random_state=seed)
    assert_allclose(posterior.sum(axis=1), 1.0)
    error = np.mean(posterior.argmax(axis=1) != y)
    assert abs(error - 0.1303) < 5 * np.sqrt(0.13 * 0.87 / 40_000)
    for low in (0.0, 0.5, 0.8, 0.95):  # as likely as it says
        rows = (posterior[:, 1] >= low) & (posterior[:, 1] < low + 0.15)
        expected = posterior[rows, 1].mean()
        assert abs(y[rows].mean() - expected) < 5 * np.sqrt(0.25 / rows.sum())


def test_posterior_depends_on_the_blanket_only(seed):
    X, _, posterior = make_lucas(5000, return_posterior=True, random_state=seed)
    inside = [LUCAS_FEATURES.index(name) for name in LUCAS_BLANKET]
    group = np.unique(X[:, inside], axis=0, return_inverse=True)[1].ravel()
    for one in np.unique(group):
        assert np.ptp(posterior[group == one, 1]) < 1e-12


def test_data_set_of_that_name_has_these_shares(shared_data):
    # The tables of coughing, fatigue and accidents are here held against the real rows.
    real, drawn = pd.read_csv(shared_data / "lucas.csv.gz"), draw(0, 200_000)
    for child, *parents in [
        ("Coughing", "Allergy", "target"),
        ("Fatigue", "target", "Coughing"),
        ("Car_Accident", "Attention_Disorder", "Fatigue"),
    ]:
        found = real.groupby(parents)[child].agg(["mean", "size"])
        share = drawn.groupby(parents)[child].mean()
        error = 4.0 * np.sqrt(share * (1.0 - share) / found["size"]) + 1e-3
        assert ((found["mean"] - share).abs() < error).all()

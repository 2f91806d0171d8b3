"""What tests of comparisons share: records of random scores."""

import numpy as np
import pytest

from manyminds.experiments import Record

NASTY = "<script>alert('1')</script> & [red]b"


@pytest.fixture
def make_records():
    """Return a function that makes records of five folds per method."""

    def make(seed, n_datasets=4, methods=("rf", "tree", NASTY), failing=False):
        rng = np.random.default_rng(seed)
        return [
            Record(
                f"{d}/{m}/{i}",
                f"data {d}",
                method,
                0,
                i,
                {} if failing and m == 0 and i == 0 else {"accuracy": rng.uniform()},
                f"ValueError: {NASTY}" if failing and m == 0 and i == 0 else None,
                0.01,
                "",
                f"{method}()",
                "",
                "manyminds 1.0",
            )
            for d in range(n_datasets)
            for m, method in enumerate(methods)
            for i in range(5)
        ]

    return make

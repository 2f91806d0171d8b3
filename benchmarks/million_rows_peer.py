"""Fit FLAML to a file for `million_rows.py`; write its probabilities of test rows.

    python benchmarks/million_rows_peer.py TRAIN TEST SECONDS OUT.npy

The seconds include reading the file, as those of the command do.
"""

import sys
import time

import numpy as np
import pandas as pd
from flaml import AutoML


def read(path):
    frame = pd.read_csv(path) if path.endswith(".csv") else pd.read_parquet(path)
    for name in frame.select_dtypes(exclude="number"):
        if name != "target":
            frame[name] = frame[name].astype("category")
    return frame.drop(columns="target"), frame["target"].to_numpy()


def main():
    start = time.monotonic()
    train, test, seconds, out = sys.argv[1:]
    X, y = read(train)
    left = float(seconds) - (time.monotonic() - start)
    model = AutoML()
    model.fit(
        X, y, task="classification", metric="log_loss", time_budget=left, n_jobs=2,
        seed=0, verbose=0, log_file_name="",
    )  # fmt: skip
    X_test, _ = read(test)
    place = list(model.classes_).index("yes")
    np.save(out, model.predict_proba(X_test)[:, place])


if __name__ == "__main__":
    main()

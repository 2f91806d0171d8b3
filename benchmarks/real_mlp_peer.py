"""Fit pytabkit's RealMLP; started by `real_mlp.py` in an environment of its own.

    python benchmarks/real_mlp_peer.py FOLDER

The folder has ``X.csv``, ``X_new.csv``, ``y.npy`` and ``task.json`` (the task, and the
names of the categorical columns). ``p.npy`` and ``seconds.json`` are written to it.
Missing numbers are replaced by the median, since pytabkit's net takes none.
"""

import json
import sys
import time
from pathlib import Path

import numpy as np
import pandas as pd
import torch
from pytabkit import RealMLP_TD_Classifier, RealMLP_TD_Regressor

folder = Path(sys.argv[1])
task, categories = json.loads((folder / "task.json").read_text())
torch.set_num_threads(1)
dtypes = dict.fromkeys(categories, str)
X = pd.read_csv(folder / "X.csv", dtype=dtypes)
X_new = pd.read_csv(folder / "X_new.csv", dtype=dtypes)
y = np.load(folder / "y.npy")
for name in X:
    if name in categories:
        levels = X[name].dropna().unique()
        X[name] = pd.Categorical(X[name], categories=levels)
        X_new[name] = pd.Categorical(X_new[name], categories=levels)
    else:
        median = X[name].median()
        X[name], X_new[name] = X[name].fillna(median), X_new[name].fillna(median)
kind = RealMLP_TD_Classifier if task == "classification" else RealMLP_TD_Regressor
model = kind(device="cpu", random_state=0, n_threads=1)
start = time.process_time()
model.fit(X, y)
seconds = time.process_time() - start
p = model.predict_proba(X_new) if task == "classification" else model.predict(X_new)
np.save(folder / "p.npy", p)
(folder / "seconds.json").write_text(json.dumps(seconds))

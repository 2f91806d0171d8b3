"""A study on a real PostgreSQL, shared by processes that start together."""

import subprocess
import sys
from pathlib import Path

import pytest
from sklearn.datasets import load_iris

from manyminds.search import ComplexModelSearchClassifier, default_space

SCRIPT = """
import sys
from sklearn.datasets import load_iris
from manyminds.search import ComplexModelSearchClassifier, default_space

space = default_space("classification").only("learner", "logistic", "nb")
X, y = load_iris(return_X_y=True)
ComplexModelSearchClassifier(
    None, n_trials=5, space=space, cv=3, storage=sys.argv[1], random_state=0
).fit(X, y)
"""


@pytest.mark.slow
def test_processes_share_a_study_on_a_server(postgresql_url, tmp_path):
    script = Path(tmp_path) / "share.py"
    script.write_text(SCRIPT)
    command = [sys.executable, str(script), postgresql_url]
    workers = [subprocess.Popen(command, stderr=subprocess.PIPE) for _ in range(2)]
    said = [worker.communicate(timeout=180)[1].decode() for worker in workers]
    assert [worker.returncode for worker in workers] == [0, 0], said
    space = default_space("classification").only("learner", "logistic", "nb")
    X, y = load_iris(return_X_y=True)
    search = ComplexModelSearchClassifier(
        None, n_trials=1, space=space, cv=3, storage=postgresql_url, random_state=0
    ).fit(X, y)
    assert len(search.trace_) == 11
    assert (search.trace_["state"] != "failed").all()
    assert search.score(X, y) > 0.9

"""Small plans that other processes run, are killed in, and take up again.

    python plans_to_break.py run STORE LOG              run the plan once
    python plans_to_break.py kill STORE N_KILLS SEED    kill a run N_KILLS times

Each fold that is done writes a line to LOG, so that a test can tell whether a fold was
done twice even where the store would not keep it twice.
"""

import os
import random
import signal
import sys
import time

import numpy as np
from sklearn.datasets import load_iris, load_wine
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier

from manyminds.datasets import Dataset
from manyminds.experiments import CrossValidation, Plan, open_store, run
from manyminds.trees import DecisionTreeClassifier


class Accuracy:
    """Score a fold, slowly enough to be killed in it, and note in a file who did it."""

    def __init__(self, log=None):
        self.log = log

    def get_params(self, deep=False):
        return {}  # where it is noted does not change the result

    def __call__(self, estimator, fold):
        estimator.fit(fold.X_train, fold.y_train)
        accuracy = np.mean(estimator.predict(fold.X_test) == fold.y_test)
        time.sleep(0.005)
        if self.log:
            place = (fold.data.name, type(estimator).__name__)
            line = f"{place} {fold.split.repeat} {fold.split.fold} {os.getpid()}\n"
            with open(self.log, "a") as file:  # short lines are appended whole
                file.write(line)
        return {"accuracy": accuracy}


def make_plan(log=None, n_repeats=8):
    datasets = []
    for name, load in (("iris", load_iris), ("wine", load_wine)):
        X, y = load(return_X_y=True, as_frame=True)
        datasets.append(Dataset(name, X.astype(float), y.to_numpy(), "classification"))
    methods = {
        "tree": DecisionTreeClassifier(max_features=1),
        "near": KNeighborsClassifier(1),
        "bayes": GaussianNB(),
    }
    splits = CrossValidation(10, n_repeats)
    return Plan("breakable", datasets, methods, splits=splits, measure=Accuracy(log))


def kill_again_and_again(url, n_kills, seed):
    """Start runs in processes of their own and kill each at a random moment.

    Print how many had not ended by then, and the records after each kill.
    """
    draw = random.Random(seed)
    plan = make_plan()
    n_recorded, n_killed = [], 0
    for _ in range(n_kills):
        child = os.fork()
        if child == 0:
            run(plan, open_store(url))
            os._exit(0)
        time.sleep(draw.uniform(0.0, 0.3))
        os.kill(child, signal.SIGKILL)
        n_killed += os.WIFSIGNALED(os.waitpid(child, 0)[1])
        store = open_store(url)
        n_recorded.append(len(store.find(plan=plan.name)))
        store.close()
    print(n_killed, *n_recorded)


if __name__ == "__main__":
    if sys.argv[1] == "kill":
        kill_again_and_again(sys.argv[2], int(sys.argv[3]), int(sys.argv[4]))
    else:
        outcome = run(make_plan(sys.argv[3]), open_store(sys.argv[2]))
        print(outcome.n_new, len(outcome.records))

"""Time measures of diversity: 500 members, 50,000 samples, two or ten classes.

python benchmarks/bench_diversity.py [part of a name, e.g. kappa]

Each measure of pairs stands beside the product of matrices that it is made of, and
``bench_ratios`` says how many such products it takes, how many times as long a loop
over pairs takes, and how much memory all measures need at most.
"""

import time
import tracemalloc

import numpy as np
from sklearn.metrics import cohen_kappa_score

from manyminds.analysis.diversity import (
    count_pairs,
    disagreement,
    double_fault,
    error_correlation,
    kappa,
    measure_diversity,
    measure_strength,
    q_statistic,
)
from manyminds.analysis.diversity.pair_counts import gram
from timing import run_all

N_MEMBERS, N_SAMPLES = 500, 50_000


def votes(n_classes=2, seed=0):
    """Labels, and what members that know seven samples in ten predict."""
    rng = np.random.default_rng(seed)
    y = rng.integers(n_classes, size=N_SAMPLES)
    knows = rng.random((N_MEMBERS, N_SAMPLES)) < 0.7
    guess = rng.integers(n_classes, size=(N_MEMBERS, N_SAMPLES))
    return y, np.where(knows, y, guess)


def bench_product_alone(benchmark):
    y, predictions = votes()
    benchmark(gram, predictions == y)


def bench_count_pairs(benchmark):
    benchmark(count_pairs, *votes())


def bench_q_statistic(benchmark):
    benchmark(q_statistic, *votes())


def bench_error_correlation(benchmark):
    benchmark(error_correlation, *votes())


def bench_double_fault(benchmark):
    benchmark(double_fault, *votes())


def bench_disagreement_two_classes(benchmark):
    benchmark(disagreement, *votes())


def bench_kappa_two_classes(benchmark):
    benchmark(kappa, *votes())


def bench_kappa_ten_classes(benchmark):
    benchmark(kappa, *votes(10))


def bench_strength_two_classes(benchmark):
    benchmark(measure_strength, *votes())


def bench_all_measures_two_classes(benchmark):
    benchmark(measure_diversity, *votes())


def bench_ratios(benchmark):
    y, predictions = votes()
    correct = predictions == y
    product = min(seconds(gram, correct) for _ in range(3))
    print()
    for measure in (q_statistic, error_correlation, double_fault, disagreement, kappa):
        taken = min(seconds(measure, y, predictions) for _ in range(3))
        print(f"    {measure.__name__:20s} {taken / product:6.1f} products")
    taken = min(seconds(kappa, y, predictions) for _ in range(3))
    pairs = predictions[:4], predictions[4:8]
    single = seconds(lambda: [cohen_kappa_score(a, b) for a, b in zip(*pairs)]) / 4
    n_pairs = N_MEMBERS * (N_MEMBERS - 1) / 2
    times = single * n_pairs / taken
    print(f"    a loop of cohen_kappa_score over pairs: {times:,.0f} times as long")
    tracemalloc.start()
    measure_diversity(y, predictions)
    most = tracemalloc.get_traced_memory()[1] / 2**20
    tracemalloc.stop()
    given = predictions.nbytes / 2**20
    print(f"    most memory: {most:.0f} MB, beside {given:.0f} MB of predictions")


def seconds(function, *args):
    start = time.perf_counter()
    function(*args)
    return time.perf_counter() - start


if __name__ == "__main__":
    run_all(dict(globals()))

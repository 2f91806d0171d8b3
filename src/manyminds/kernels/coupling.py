"""Iterations that couple probabilities of pairs of classes."""

from manyminds.kernels._jit import kernel


@kernel(allocates=False, nogil=True, error_model="numpy")
def couple_rows(pairs, size, tolerance, max_sweeps, p, n_sweeps):
    """Minimize the Kullback-Leibler divergence of pairs, one row after the other.

    Class by class, ``p[i]`` is multiplied by the sum over the other classes of
    ``size[i, j] * pairs[i, j]``, and divided by that of
    ``size[i, j] * p[i] / (p[i] + p[j])``, until no factor differs from 1 by more than
    the tolerance.

    pairs       (n_rows, n_classes, n_classes)  float64, C order: probability of the
                first class of each pair, inside (0, 1); the diagonal is not read
    size        (n_classes, n_classes)  float64, C order: weights of the pairs
    tolerance   float
    max_sweeps  int
    p           (n_rows, n_classes)     float64, C order: changed from positive starts
                to the solution, which sums to 1
    n_sweeps    (n_rows,)               int64, set to the number of sweeps
    """
    n_rows, n_classes = p.shape
    for row in range(n_rows):
        n_sweeps[row] = max_sweeps
        for sweep in range(max_sweeps):
            change, total = 0.0, 0.0
            for i in range(n_classes):
                observed, expected = 0.0, 0.0
                for j in range(n_classes):
                    if j != i:
                        observed += size[i, j] * pairs[row, i, j]
                        expected += size[i, j] * p[row, i] / (p[row, i] + p[row, j])
                p[row, i] *= observed / expected
                change = max(change, abs(observed / expected - 1.0))
                total += p[row, i]
            for i in range(n_classes):
                p[row, i] /= total
            if change <= tolerance:
                n_sweeps[row] = sweep + 1
                break

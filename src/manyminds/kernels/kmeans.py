"""k-means on columns of a table, and the labels that a permuted column changes."""

import numpy as np

from manyminds.kernels._jit import helper, kernel


@helper(nogil=True, error_model="numpy")
def _label_rows(points, centers, n_centers, distance, square, label):
    """Find the nearest center of each row, and the squared distance to it."""
    n_columns, n_rows = points.shape
    for i in range(n_rows):
        square[i] = np.inf
    for c in range(n_centers):
        for i in range(n_rows):
            distance[i] = 0.0
        for j in range(n_columns):
            center = centers[c, j]
            for i in range(n_rows):
                gap = points[j, i] - center
                distance[i] += gap * gap
        for i in range(n_rows):
            nearer = distance[i] < square[i]
            square[i] = distance[i] if nearer else square[i]
            label[i] = c if nearer else label[i]


@helper(nogil=True, error_model="numpy")
def _spread_centers(points, weight, draws, run, n_centers, centers, square):
    """Draw rows as centers by the squared distance to those drawn: k-means++."""
    n_columns, n_rows = points.shape
    for c in range(n_centers):
        total = 0.0
        for i in range(n_rows):
            if c == 0:
                square[i] = 1.0
            total += weight[i] * square[i]
        goal, row = draws[run, c] * total, 0
        if total > 0.0:
            reached = weight[0] * square[0]
            while row < n_rows - 1 and reached <= goal:
                row += 1
                reached += weight[row] * square[row]
        else:  # fewer distinct rows than centers
            row = int(draws[run, c] * n_rows)
        for j in range(n_columns):
            centers[c, j] = points[j, row]
        for i in range(n_rows):
            distance = 0.0
            for j in range(n_columns):
                gap = points[j, i] - centers[c, j]
                distance += gap * gap
            square[i] = distance if c == 0 else min(square[i], distance)


@helper(nogil=True, error_model="numpy")
def _move_centers(points, weight, label, n_centers, square, size, sums, centers):
    """Move centers to the means of their rows; return the sum of squared moves."""
    n_columns, n_rows = points.shape
    for c in range(n_centers):
        size[c] = 0.0
        for j in range(n_columns):
            sums[c, j] = 0.0
    for i in range(n_rows):
        size[label[i]] += weight[i]
    for j in range(n_columns):
        for i in range(n_rows):
            sums[label[i], j] += weight[i] * points[j, i]
    moved = 0.0
    for c in range(n_centers):
        farthest = 0
        if size[c] == 0.0:  # an empty cluster begins anew at the farthest row
            for i in range(n_rows):
                if square[i] > square[farthest]:
                    farthest = i
            square[farthest] = 0.0
        for j in range(n_columns):
            place = points[j, farthest] if size[c] == 0.0 else sums[c, j] / size[c]
            gap = place - centers[c, j]
            moved += gap * gap
            centers[c, j] = place
    return moved


@helper(nogil=True, error_model="numpy")
def _mean_variance(points, weight):
    """Return the mean of the variances of the columns."""
    n_columns, n_rows = points.shape
    total, variance = 0.0, 0.0
    for i in range(n_rows):
        total += weight[i]
    for j in range(n_columns):
        mean, squares = 0.0, 0.0
        for i in range(n_rows):
            mean += weight[i] * points[j, i]
        mean /= total
        for i in range(n_rows):
            gap = points[j, i] - mean
            squares += weight[i] * gap * gap
        variance += squares / total
    return variance / max(1, n_columns)


@helper(nogil=True, error_model="numpy")
def _davies_bouldin(weight, label, square, centers, n_centers, size, radius):
    """Return the Davies-Bouldin index; infinite if two centers coincide."""
    for c in range(n_centers):
        size[c] = radius[c] = 0.0
    for i in range(len(label)):
        size[label[i]] += weight[i]
        radius[label[i]] += weight[i] * np.sqrt(square[i])
    total = 0.0
    for c in range(n_centers):
        worst = 0.0
        for d in range(n_centers):
            if d != c:
                distance = 0.0
                for j in range(centers.shape[1]):
                    gap = centers[c, j] - centers[d, j]
                    distance += gap * gap
                if distance == 0.0 or size[c] == 0.0:
                    return np.inf
                reach = radius[c] / size[c] + radius[d] / size[d]
                worst = max(worst, reach / np.sqrt(distance))
        total += worst
    return total / n_centers


@kernel(nogil=True, error_model="numpy")
def move_to_means(points, weight, tol, max_iter, centers, label):
    """Run Lloyd's iterations from the given centers; return how many.

    points    (n_columns, n_rows)    float64, C order
    weight    (n_rows,)              float64, positive
    tol       float                  stop at this share of the columns' mean variance
    max_iter  int                    most iterations
    centers   (n_centers, n_columns) float64, moved in place
    label     (n_rows,)              int32, out: the nearest center
    """
    n_columns, n_rows = points.shape
    n_centers = len(centers)
    distance, square = np.empty(n_rows), np.empty(n_rows)
    size, sums = np.empty(n_centers), np.empty((n_centers, n_columns))
    before = np.full(n_rows, -1, np.int32)
    least = tol * _mean_variance(points, weight)
    for iteration in range(max_iter):
        _label_rows(points, centers, n_centers, distance, square, label)
        same = True
        for i in range(n_rows):
            same &= label[i] == before[i]
            before[i] = label[i]
        if same:
            return iteration
        moved = _move_centers(
            points, weight, label, n_centers, square, size, sums, centers
        )
        if moved <= least:
            break
    _label_rows(points, centers, n_centers, distance, square, label)
    return iteration + 1


@kernel(nogil=True, error_model="numpy")
def fit_kmeans(points, weight, draws, low, tol, max_iter, centers, label):
    """Fit k-means with several numbers of clusters; keep the best, return its number.

    The best is that with the least Davies-Bouldin index.

    points    (n_columns, n_rows)  float64, C order
    weight    (n_rows,)            float64, positive: how often a row was drawn
    draws     (n_runs, high)       float64 in [0, 1); run ``r`` has ``low + r`` clusters
    low       int                  least number of clusters; ``high = low + n_runs - 1``
    tol, max_iter                  as `move_to_means` takes them
    centers   (high, n_columns)    float64, out: the first rows of it
    label     (n_rows,)            int32, out
    """
    n_columns, n_rows = points.shape
    high = len(centers)
    distance, square = np.empty(n_rows), np.empty(n_rows)
    size, radius = np.empty(high), np.empty(high)
    trial, trial_label = np.empty((high, n_columns)), np.empty(n_rows, np.int32)
    best, n_best = np.inf, 0
    for run in range(len(draws)):
        n_centers = low + run
        _spread_centers(points, weight, draws, run, n_centers, trial, square)
        move_to_means(points, weight, tol, max_iter, trial[:n_centers], trial_label)
        index = 0.0
        if len(draws) > 1:
            _label_rows(points, trial, n_centers, distance, square, trial_label)
            index = _davies_bouldin(
                weight, trial_label, square, trial, n_centers, size, radius
            )
        if index < best or n_best == 0:
            best, n_best = index, n_centers
            for c in range(n_centers):
                for j in range(n_columns):
                    centers[c, j] = trial[c, j]
            for i in range(n_rows):
                label[i] = trial_label[i]
    return n_best


@kernel(nogil=True, error_model="numpy")
def label_by_center(points, centers, label):
    """Label rows by their nearest centers.

    points   (n_columns, n_rows)     float64, C order
    centers  (n_centers, n_columns)  float64, C order
    label    (n_rows,)               int32, out
    """
    distance, square = np.empty(points.shape[1]), np.empty(points.shape[1])
    _label_rows(points, centers, len(centers), distance, square, label)


@kernel(nogil=True, error_model="numpy")
def mark_changed_labels(points, centers, order, changed):
    """Mark the rows whose nearest center is another after a column is permuted.

    Distances are updated in the one coordinate that changes.

    points   (n_columns, n_rows)     float64, C order
    centers  (n_centers, n_columns)  float64, C order
    order    (n_columns, n_rows)     int64: the row that each row's value comes from
    changed  (n_columns, n_rows)     bool, out
    """
    n_columns, n_rows = points.shape
    n_centers = len(centers)
    square = np.zeros((n_centers, n_rows))
    label, at = np.zeros(n_rows, np.int32), np.zeros(n_rows, np.int32)
    best, moved = np.full(n_rows, np.inf), np.empty(n_rows)
    for c in range(n_centers):
        for j in range(n_columns):
            center = centers[c, j]
            for i in range(n_rows):
                gap = points[j, i] - center
                square[c, i] += gap * gap
        for i in range(n_rows):
            nearer = square[c, i] < best[i]
            best[i] = square[c, i] if nearer else best[i]
            label[i] = c if nearer else label[i]
    for j in range(n_columns):
        for i in range(n_rows):
            moved[i] = points[j, order[j, i]]
            best[i] = np.inf
        for c in range(n_centers):
            center = centers[c, j]
            for i in range(n_rows):
                old, new = points[j, i] - center, moved[i] - center
                distance = square[c, i] - old * old + new * new
                nearer = distance < best[i]
                best[i] = distance if nearer else best[i]
                at[i] = c if nearer else at[i]
        for i in range(n_rows):
            # An unchanged value changes nothing, whatever the rounding errors.
            changed[j, i] = (at[i] != label[i]) & (moved[i] != points[j, i])

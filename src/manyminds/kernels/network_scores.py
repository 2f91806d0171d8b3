"""Score a node of a Bayesian network given its parents, and remember the score.

A family is a node with its parents. Categorical nodes have tables; numeric ones are
linear in their numeric parents, with coefficients for each state of the categorical
ones. Scores are log likelihoods minus a penalty, or marginal likelihoods of tables.
"""

import math
from typing import NamedTuple

import numpy as np

from manyminds.kernels._jit import helper, kernel

BIC, AIC, BDEU, LOG_LIKELIHOOD = range(4)
N_SCORED, N_LOOKED_UP, N_STORED = range(3)  # Memory.counts
_RIDGE = 1e-9  # of a column's own variance, so that constant columns do no harm
_LOG_2_PI = 1.8378770664093453
_NOTHING = np.uint64(0)


class FamilyData(NamedTuple):
    """Columns from which families are scored.

    codes     (n_nodes, n_samples or 0)  int32, C order; -1: missing
    values    (n_nodes, n_samples or 0)  float64, C order; NaN: missing
    n_states  (n_nodes,)  int64; 0: a numeric column
    weight    (n_samples,)  float64
    moments   (n_nodes + 1, n_nodes + 1)  float64: sums of products of (1, columns); or
              (0, 0) if there are missing values
    scale     (n_nodes,)  float64: variance of numeric columns, 1 elsewhere
    """

    codes: np.ndarray
    values: np.ndarray
    n_states: np.ndarray
    weight: np.ndarray
    moments: np.ndarray
    scale: np.ndarray


class ScoreRules(NamedTuple):
    """Which score, and the equivalent sample size of BDEU."""

    score: int
    sample_size: float


class Room(NamedTuple):
    """Arrays that a score is computed in.

    cell    (n_samples,)  int64
    cells   (max_cells,)  float64
    square  (n_nodes + 2, n_nodes + 2)  float64
    members (n_nodes + 1,)  int64: the parents, then the node
    """

    cell: np.ndarray
    cells: np.ndarray
    square: np.ndarray
    members: np.ndarray


class Memory(NamedTuple):
    """Scores by the keys of families: open addressing, keys by Zobrist hashing.

    zobrist  (n_nodes, n_nodes)  uint64, random bits of parent and child; of the node
             itself in the diagonal
    keys     (n_places,)  uint64, n_places a power of two; 0: free
    scores   (n_places,)  float64
    counts   (3,)  int64: families scored, looked up, stored
    """

    zobrist: np.ndarray
    keys: np.ndarray
    scores: np.ndarray
    counts: np.ndarray


@kernel(nogil=True, error_model="numpy")
def score_families(data, rules, children, parents, n_parents, room, out):
    """Score many families.

    data       FamilyData
    rules      ScoreRules
    children   (n_families,)  int64
    parents    (n_families, max_parents)  int64, filled up with anything
    n_parents  (n_families,)  int64
    room       Room
    out        (n_families,)  float64, written
    """
    for f in range(len(children)):
        for k in range(n_parents[f]):
            room.members[k] = parents[f, k]
        out[f] = score_members(data, rules, children[f], n_parents[f], room)


@helper(nogil=True, error_model="numpy")
def find_score(data, rules, child, parents, memory, room):
    """Return the score of a node given the parents marked in a column of a matrix.

    parents  (n_nodes, n_nodes)  uint8: whether row is a parent of column
    """
    n_nodes = len(data.n_states)
    key, n_parents = memory.zobrist[child, child], 0
    for u in range(n_nodes):
        if parents[u, child]:
            key ^= memory.zobrist[u, child]
            n_parents += 1
    memory.counts[N_LOOKED_UP] += 1
    n_places = len(memory.keys)
    at = np.int64(key & np.uint64(n_places - 1))
    while memory.keys[at] != _NOTHING:
        if memory.keys[at] == key:
            return memory.scores[at]
        at = (at + 1) & (n_places - 1)
    k = 0
    for u in range(n_nodes):
        if parents[u, child]:
            room.members[k] = u
            k += 1
    score = score_members(data, rules, child, n_parents, room)
    memory.counts[N_SCORED] += 1
    if 4 * memory.counts[N_STORED] < 3 * n_places:
        memory.keys[at] = key
        memory.scores[at] = score
        memory.counts[N_STORED] += 1
    return score


@helper(nogil=True, error_model="numpy")
def score_members(data, rules, child, n_parents, room):
    """Return the score of a node given the first ``n_parents`` of ``room.members``.

    0 for a node without parents that has no known value. Minus infinity if a
    categorical node has a numeric parent, or if the table has more cells than there is
    room for.
    """
    n_numeric, n_configurations = 0, 1
    for k in range(n_parents):
        if data.n_states[room.members[k]] == 0:
            n_numeric += 1
        else:
            n_configurations *= data.n_states[room.members[k]]
            if n_configurations > len(room.cells):
                return -np.inf
    if data.n_states[child] > 0:
        if n_numeric > 0 or n_configurations * data.n_states[child] > len(room.cells):
            return -np.inf
        score = _score_table(data, rules, child, n_parents, n_configurations, room)
        return 0.0 if n_parents == 0 and score == -np.inf else score
    if n_configurations == 1 and n_numeric == n_parents and len(data.moments) > 0:
        return _score_moments(data, rules, child, n_parents, room)
    size = n_numeric + 2
    if n_configurations * size * size > len(room.cells):
        return -np.inf
    score = _score_numeric(data, rules, child, n_parents, n_numeric, room)
    return 0.0 if n_parents == 0 and score == -np.inf else score


@helper(nogil=True, error_model="numpy")
def _find_cells(data, child, n_parents, room):
    """Write the configuration of the categorical parents of each row; -1: missing.

    Rows whose numeric parents or node are missing are left out as well.
    """
    cell = room.cell
    n_samples = len(cell)
    for i in range(n_samples):
        cell[i] = 0
    for k in range(n_parents):
        parent = room.members[k]
        n_states = data.n_states[parent]
        if n_states > 0:
            for i in range(n_samples):
                code = data.codes[parent, i]
                at = cell[i] * n_states + code
                cell[i] = at if code >= 0 and cell[i] >= 0 else -1
        elif len(data.moments) == 0:
            for i in range(n_samples):
                if data.values[parent, i] != data.values[parent, i]:
                    cell[i] = -1
    if data.n_states[child] == 0 and len(data.moments) == 0:
        for i in range(n_samples):
            if data.values[child, i] != data.values[child, i]:
                cell[i] = -1


# ---------------------------------------------------------------- tables


@helper(nogil=True, error_model="numpy")
def _score_table(data, rules, child, n_parents, n_configurations, room):
    """Count the states of a node by those of its parents; score the table."""
    cells, cell, n_states = room.cells, room.cell, data.n_states[child]
    for c in range(n_configurations * n_states):
        cells[c] = 0.0
    _find_cells(data, child, n_parents, room)
    for i in range(len(cell)):
        code = data.codes[child, i]
        if code >= 0 and cell[i] >= 0:
            cells[cell[i] * n_states + code] += data.weight[i]
    if rules.score == BDEU:
        return _score_bdeu(cells, n_configurations, n_states, rules.sample_size)
    total, likelihood, everything = 0.0, 0.0, 0.0
    for i in range(len(cell)):
        everything += data.weight[i]
    for c in range(n_configurations):
        row = 0.0
        for s in range(n_states):
            count = cells[c * n_states + s]
            if count > 0.0:
                row += count
                likelihood += count * math.log(count)
        if row > 0.0:
            likelihood -= row * math.log(row)
            total += row
    n_free = n_configurations * (n_states - 1)
    return _penalize(rules.score, likelihood, n_free, total, everything)


@helper(nogil=True, error_model="numpy")
def _score_bdeu(cells, n_configurations, n_states, sample_size):
    """Return the log marginal likelihood of a table under an even Dirichlet prior."""
    of_row = sample_size / n_configurations
    of_cell = of_row / n_states
    at_row, at_cell = math.lgamma(of_row), math.lgamma(of_cell)
    score = 0.0
    for c in range(n_configurations):
        row = 0.0
        for s in range(n_states):
            count = cells[c * n_states + s]
            if count > 0.0:
                row += count
                score += math.lgamma(of_cell + count) - at_cell
        if row > 0.0:
            score += at_row - math.lgamma(of_row + row)
    return score


@helper(nogil=True, error_model="numpy")
def _penalize(score, likelihood, n_free, total, everything):
    """Scale a likelihood of the rows without missing values to all; subtract."""
    if total <= 0.0:
        return -np.inf
    likelihood *= everything / total
    if score == BIC:
        return likelihood - 0.5 * n_free * math.log(everything)
    if score == AIC:
        return likelihood - n_free
    return likelihood


# ---------------------------------------------------------------- numeric nodes


@helper(nogil=True, error_model="numpy")
def _score_moments(data, rules, child, n_parents, room):
    """Score a regression on numeric parents from the sums of products."""
    square, size = room.square, n_parents + 2
    room.members[n_parents] = child
    for a in range(size):
        u = 0 if a == 0 else room.members[a - 1] + 1
        for b in range(size):
            v = 0 if b == 0 else room.members[b - 1] + 1
            square[a, b] = data.moments[u, v]
    everything = data.moments[0, 0]
    rest = _regress(data, square, child, n_parents, room)
    variance = rest / everything + _RIDGE * data.scale[child]
    likelihood = -0.5 * everything * (_LOG_2_PI + math.log(variance))
    likelihood -= 0.5 * rest / variance
    return _penalize(rules.score, likelihood, size, everything, everything)


@helper(nogil=True, error_model="numpy")
def _regress(data, square, child, n_parents, room):
    """Return the sum of squares of the last member that the others leave.

    ``square`` has the sums of products of 1, the parents and the node. It is
    overwritten by Cholesky's factor.
    """
    size, weight = n_parents + 2, square[0, 0]
    for a in range(1, size - 1):
        square[a, a] += _RIDGE * weight * data.scale[room.members[a - 1]]
    for a in range(size):
        for b in range(a + 1):
            total = square[a, b]
            for c in range(b):
                total -= square[a, c] * square[b, c]
            if a == b:
                if a == size - 1:
                    return max(total, 0.0)
                square[a, a] = math.sqrt(max(total, 1e-300))
            else:
                square[a, b] = total / square[b, b]
    return 0.0


@helper(nogil=True, error_model="numpy")
def _score_numeric(data, rules, child, n_parents, n_numeric, room):
    """Score a regression for each configuration of the categorical parents.

    A configuration with fewer rows than it needs has the distribution of all rows.
    """
    cells, cell, square = room.cells, room.cell, room.square
    _find_cells(data, child, n_parents, room)
    n_configurations, k = 1, 0
    for m in range(n_parents):
        parent = room.members[m]
        if data.n_states[parent] > 0:
            n_configurations *= data.n_states[parent]
        else:  # the numeric ones come first from here on; order does not matter
            room.members[k] = parent
            k += 1
    room.members[n_numeric] = child
    size = n_numeric + 2
    for c in range(n_configurations * size * size):
        cells[c] = 0.0
    everything, total, mean = 0.0, 0.0, 0.0
    for i in range(len(cell)):
        everything += data.weight[i]
        if cell[i] < 0:
            continue
        first, weight = cell[i] * size * size, data.weight[i]
        total += weight
        mean += weight * data.values[child, i]
        for a in range(size):
            left = weight if a == 0 else weight * data.values[room.members[a - 1], i]
            cells[first + a * size] += left
            for b in range(1, a + 1):
                right = data.values[room.members[b - 1], i]
                cells[first + a * size + b] += left * right
    mean = mean / total if total > 0.0 else 0.0
    likelihood = 0.0
    for c in range(n_configurations):
        first = c * size * size
        weight = cells[first]
        if weight <= 0.0:
            continue
        for a in range(size):
            for b in range(a + 1):
                square[a, b] = cells[first + a * size + b]
        if weight < size + 1:
            last = first + (size - 1) * size
            rest = cells[last + size - 1] - 2.0 * mean * cells[last]
            rest += mean * mean * weight
            variance = data.scale[child]
        else:
            rest = _regress(data, square, child, n_numeric, room)
            variance = rest / weight + _RIDGE * data.scale[child]
        likelihood -= 0.5 * weight * (_LOG_2_PI + math.log(variance))
        likelihood -= 0.5 * rest / variance
    n_free = n_configurations * size
    return _penalize(rules.score, likelihood, n_free, total, everything)

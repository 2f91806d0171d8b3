"""Levenberg-Marquardt training of nets with one hidden layer."""

import math

import numpy as np

from manyminds.kernels._jit import kernel

FIRST_DAMPING, MIN_DAMPING, MAX_DAMPING = 1e-3, 1e-20, 1e10
DAMPING_FACTOR = 10.0
MIN_GRADIENT = 1e-7
BLOCK = 32  # columns of the Cholesky factor that are computed at a time
BLOCK_ROWS = 128  # rows whose products of derivatives are held at a time


@kernel(nogil=True, error_model="numpy")
def add_product(A, B, is_symmetric, out):
    """Add ``A @ B`` to ``out``, in the order of the columns of A.

    A    (n, m)  float64, C order
    B    (m, p)  float64, C order
    is_symmetric  bool  only the lower triangle of the product is wanted
    out  (n, p)  float64, C order, added to in place

    For the sizes of a small net, a library's product would mostly start threads.
    """
    n, m = A.shape
    n_by_four = m - m % 4
    for i in range(n):
        row = out[i]
        n_columns = i + 1 if is_symmetric else B.shape[1]
        for k in range(0, n_by_four, 4):
            a, b, c, d = A[i, k], A[i, k + 1], A[i, k + 2], A[i, k + 3]
            x, y, z, w = B[k], B[k + 1], B[k + 2], B[k + 3]
            for j in range(n_columns):
                row[j] = row[j] + a * x[j] + b * y[j] + c * z[j] + d * w[j]
        for k in range(n_by_four, m):
            a, x = A[i, k], B[k]
            for j in range(n_columns):
                row[j] += a * x[j]


@kernel(nogil=True, error_model="numpy")
def factor(A):
    """Replace the lower triangle of A by its Cholesky factor; return if A has one.

    A  (n, n)  float64, C order, symmetric; the upper triangle is not read
    """
    n = A.shape[0]
    panel = np.empty((BLOCK, n))  # the columns of a block, as rows
    for first in range(0, n, BLOCK):
        last = min(first + BLOCK, n)
        for i in range(first, n):
            for j in range(first, min(last, i + 1)):
                panel[j - first, i] = A[i, j]
        for j in range(first, last):
            row = panel[j - first, j:]
            for k in range(first, j):
                a, x = panel[k - first, j], panel[k - first, j:]
                for i in range(len(row)):
                    row[i] -= a * x[i]
            if not row[0] > 0.0:
                return False
            root = math.sqrt(row[0])
            for i in range(len(row)):
                row[i] /= root
        for i in range(first, n):
            for j in range(first, min(last, i + 1)):
                A[i, j] = panel[j - first, i]
        n_done = last - first
        for i in range(last, n):
            row = A[i, last : i + 1]
            for k in range(0, n_done - n_done % 4, 4):
                a, b = panel[k, i], panel[k + 1, i]
                c, d = panel[k + 2, i], panel[k + 3, i]
                x, y = panel[k, last:], panel[k + 1, last:]
                z, w = panel[k + 2, last:], panel[k + 3, last:]
                for j in range(len(row)):
                    row[j] = row[j] - a * x[j] - b * y[j] - c * z[j] - d * w[j]
            for k in range(n_done - n_done % 4, n_done):
                a, x = panel[k, i], panel[k, last:]
                for j in range(len(row)):
                    row[j] -= a * x[j]
    return True


@kernel(nogil=True, error_model="numpy")
def solve_factored(L, b):
    """Solve ``L @ L.T @ x = b`` in place of b.

    L  (n, n)  float64, C order, its lower triangle
    b  (n,)    float64, overwritten by x
    """
    n = len(b)
    for i in range(n):
        total = b[i]
        for k in range(i):
            total -= L[i, k] * b[k]
        b[i] = total / L[i, i]
    for i in range(n - 1, -1, -1):
        value = b[i] / L[i, i]
        b[i] = value
        for k in range(i):
            b[k] -= L[i, k] * value


@kernel(nogil=True, error_model="numpy")
def run_net(X, parameters, n_hidden, is_linear, hidden, out):
    """Compute the hidden layer and the output of a net.

    X           (n_rows, n_inputs)    float64, C order, its last column ones
    parameters  (n_parameters,)       float64: weights of the inputs, input by input,
                                      weights of the hidden units, intercept
    n_hidden    int
    is_linear   bool                  no sigmoid on the output
    hidden      (n_rows, n_hidden)    float64, C order, written
    out         (n_rows,)             float64, written
    """
    n_weights = X.shape[1] * n_hidden
    hidden[:] = 0.0
    add_product(X, parameters[:n_weights].reshape(X.shape[1], n_hidden), False, hidden)
    for i in range(X.shape[0]):
        total = parameters[n_weights + n_hidden]
        for k in range(n_hidden):
            # The hyperbolic tangent, in half the time that the library's takes.
            hidden[i, k] = 1.0 - 2.0 / (1.0 + math.exp(2.0 * hidden[i, k]))
            total += hidden[i, k] * parameters[n_weights + k]
        out[i] = total if is_linear else 1.0 / (1.0 + math.exp(-total))


@kernel(nogil=True, error_model="numpy")
def _slopes(parameters, hidden, out, root, is_linear, slope, inner):
    """Write the derivatives of weighted outputs by intercept and by hidden inputs."""
    n_rows, n_hidden = hidden.shape
    first = len(parameters) - 1 - n_hidden
    for i in range(n_rows):
        slope[i] = root[i] if is_linear else root[i] * out[i] * (1.0 - out[i])
        for k in range(n_hidden):
            bend = 1.0 - hidden[i, k] * hidden[i, k]
            inner[i, k] = slope[i] * parameters[first + k] * bend


@kernel(nogil=True, error_model="numpy")
def _transposed_product(XT, hidden, slope, inner, u, out):
    """Write the transposed Jacobian times u."""
    n_rows, n_hidden = hidden.shape
    n_weights = XT.shape[0] * n_hidden
    out[:] = 0.0
    scaled = np.empty((n_rows, n_hidden))
    for i in range(n_rows):
        out[n_weights + n_hidden] += slope[i] * u[i]
        for k in range(n_hidden):
            scaled[i, k] = inner[i, k] * u[i]
            out[n_weights + k] += slope[i] * hidden[i, k] * u[i]
    add_product(XT, scaled, False, out[:n_weights].reshape(XT.shape[0], n_hidden))


@kernel(nogil=True, error_model="numpy")
def _product(X, hidden, slope, inner, v, out):
    """Write the Jacobian times v."""
    n_rows, n_hidden = hidden.shape
    n_weights = X.shape[1] * n_hidden
    through = np.zeros((n_rows, n_hidden))
    add_product(X, v[:n_weights].reshape(X.shape[1], n_hidden), False, through)
    for i in range(n_rows):
        total = slope[i] * v[n_weights + n_hidden]
        for k in range(n_hidden):
            total += inner[i, k] * through[i, k]
            total += slope[i] * hidden[i, k] * v[n_weights + k]
        out[i] = total


@kernel(nogil=True, error_model="numpy")
def _outer_matrix(gram, hidden, slope, inner, out):
    """Write the lower triangle of the Jacobian times its transpose."""
    n_rows, n_hidden = hidden.shape
    both, bothT = np.empty((n_rows, n_hidden + 1)), np.empty((n_hidden + 1, n_rows))
    innerT = np.ascontiguousarray(inner.T)
    out[:] = 0.0
    add_product(inner, innerT, True, out)
    for i in range(n_rows):
        for k in range(i + 1):
            out[i, k] *= gram[i, k]
        both[i, n_hidden] = bothT[n_hidden, i] = slope[i]
        for k in range(n_hidden):
            both[i, k] = bothT[k, i] = slope[i] * hidden[i, k]
    add_product(both, bothT, True, out)


@kernel(nogil=True, error_model="numpy")
def _inner_matrix(X, hidden, slope, inner, out):
    """Write the lower triangle of the transposed Jacobian times the Jacobian.

    A derivative by an input's weight is an input times ``inner``. Products of two of
    them are products of two inputs times products of two columns of ``inner``: summed
    over rows, all pairs of inputs with all pairs of hidden units, each pair once, take
    half of the operations that the Jacobian would, in long loops.
    """
    n_rows, n_hidden = hidden.shape
    n_inputs, n_weights = X.shape[1], X.shape[1] * n_hidden
    n_outer = n_hidden + 1
    inputs_twice = n_inputs * (n_inputs + 1) // 2
    hidden_twice = n_hidden * (n_hidden + 1) // 2
    squares = np.zeros((hidden_twice, inputs_twice))
    crossed = np.zeros((n_inputs, n_hidden * n_outer))
    corner = np.zeros((n_outer, n_outer))
    for first in range(0, n_rows, BLOCK_ROWS):
        n_block = min(BLOCK_ROWS, n_rows - first)
        inputs = np.empty((n_block, inputs_twice))
        bends = np.empty((hidden_twice, n_block))
        mixed = np.empty((n_block, n_hidden * n_outer))
        outer, outerT = np.empty((n_block, n_outer)), np.empty((n_outer, n_block))
        for r in range(n_block):
            i = first + r
            place = 0
            for a in range(n_inputs):
                value = X[i, a]
                for b in range(a + 1):
                    inputs[r, place + b] = value * X[i, b]
                place += a + 1
            for k in range(n_outer):
                value = slope[i] if k == n_hidden else slope[i] * hidden[i, k]
                outer[r, k] = outerT[k, r] = value
            place = 0
            for k in range(n_hidden):
                value = inner[i, k]
                for m in range(k + 1):
                    bends[place + m, r] = value * inner[i, m]
                place += k + 1
                for q in range(n_outer):
                    mixed[r, k * n_outer + q] = value * outer[r, q]
        XT = np.ascontiguousarray(X[first : first + n_block].T)
        add_product(bends, inputs, False, squares)
        add_product(XT, mixed, False, crossed)
        add_product(outerT, outer, True, corner)
    pair = 0
    for a in range(n_inputs):
        for b in range(a + 1):
            place = 0
            for k in range(n_hidden):
                for m in range(k + 1):
                    value = squares[place + m, pair]
                    out[a * n_hidden + k, b * n_hidden + m] = value
                    out[a * n_hidden + m, b * n_hidden + k] = value
                place += k + 1
            pair += 1
        for k in range(n_hidden):
            for q in range(n_outer):
                value = crossed[a, k * n_outer + q]
                out[n_weights + q, a * n_hidden + k] = value
    for q in range(n_outer):
        for m in range(q + 1):
            out[n_weights + q, n_weights + m] = corner[q, m]


@kernel(nogil=True, error_model="numpy")
def train_net(X, root, target, n_hidden, max_iter, alpha, is_linear, parameters):
    """Train a net; return the number of steps and the loss.

    The loss is the sum of squared errors plus alpha times that of squared parameters.
    Each step solves ``(J.T J + r) step = -(J.T error + alpha * parameters)``, where r
    is damping plus alpha, in the cheaper of two spaces: with few rows,
    ``step = -J.T u - alpha / r * parameters`` with
    ``(J J.T + r) u = error - alpha / r * J parameters``, where ``J J.T`` needs no
    Jacobian. A step that does not decrease the loss is taken back, and the damping
    raised.

    X           (n_rows, n_inputs)  float64, C order, its last column ones
    root        (n_rows,)           float64, roots of the weights of the rows
    target      (n_rows,)           float64
    n_hidden    int
    max_iter    int                 maximum number of steps that decrease the loss
    alpha       float               penalty
    is_linear   bool                no sigmoid on the output
    parameters  (n_parameters,)     float64, the start; overwritten by the result
    """
    n_rows, n_parameters = X.shape[0], len(parameters)
    n, p = float(n_rows), float(n_parameters)
    in_rows = n * n * (n / 3.0 + n_hidden) < p * p * (p / 3.0 + n / 4.0)
    size = n_rows if in_rows else n_parameters
    XT = np.ascontiguousarray(X.T)
    gram = np.zeros((n_rows, n_rows)) if in_rows else np.zeros((1, 1))
    if in_rows:
        add_product(X, XT, True, gram)
    hidden, inner = np.empty((n_rows, n_hidden)), np.empty((n_rows, n_hidden))
    new_hidden, new_out = np.empty((n_rows, n_hidden)), np.empty(n_rows)
    out, slope = np.empty(n_rows), np.empty(n_rows)
    normal, damped = np.empty((size, size)), np.empty((size, size))
    gradient, step = np.empty(n_parameters), np.empty(n_parameters)
    error, trial = np.empty(n_rows), np.empty(n_parameters)
    u, bent = np.empty(n_rows), np.empty(n_rows)
    run_net(X, parameters, n_hidden, is_linear, hidden, out)
    loss = alpha * (parameters * parameters).sum()
    for i in range(n_rows):
        error[i] = root[i] * (out[i] - target[i])
        loss += error[i] * error[i]
    damping, n_steps = FIRST_DAMPING, 0
    while n_steps < max_iter and damping <= MAX_DAMPING:
        _slopes(parameters, hidden, out, root, is_linear, slope, inner)
        _transposed_product(XT, hidden, slope, inner, error, gradient)
        gradient += alpha * parameters
        if np.abs(gradient).max() < MIN_GRADIENT:
            break
        if in_rows:
            _outer_matrix(gram, hidden, slope, inner, normal)
            if alpha > 0.0:
                _product(X, hidden, slope, inner, parameters, bent)
        else:
            _inner_matrix(X, hidden, slope, inner, normal)
        is_better = False
        while not is_better and damping <= MAX_DAMPING:
            damped[:] = normal
            for k in range(size):
                damped[k, k] += damping + alpha
            if not factor(damped):
                damping *= DAMPING_FACTOR
                continue
            if in_rows:
                share = alpha / (damping + alpha)
                for i in range(n_rows):
                    u[i] = error[i] - share * bent[i] if alpha > 0.0 else error[i]
                solve_factored(damped, u)
                _transposed_product(XT, hidden, slope, inner, u, step)
                step += share * parameters
            else:
                step[:] = gradient
                solve_factored(damped, step)
            for k in range(n_parameters):
                trial[k] = parameters[k] - step[k]
            run_net(X, trial, n_hidden, is_linear, new_hidden, new_out)
            found = alpha * (trial * trial).sum()
            for i in range(n_rows):
                wrong = root[i] * (new_out[i] - target[i])
                found += wrong * wrong
            is_better = found < loss
            if is_better:
                damping = max(damping / DAMPING_FACTOR, MIN_DAMPING)
            else:
                damping *= DAMPING_FACTOR
        if is_better:
            parameters[:] = trial
            hidden, new_hidden = new_hidden, hidden
            out, new_out = new_out, out
            n_steps += 1
            loss = found
            for i in range(n_rows):
                error[i] = root[i] * (out[i] - target[i])
    return n_steps, loss

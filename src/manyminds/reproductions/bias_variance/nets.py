"""Many small neural nets at once, trained by Levenberg and Marquardt's method."""

from collections.abc import Iterator
from typing import Any

import numpy as np
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.preprocessing import StandardScaler
from sklearn.utils import check_random_state
from sklearn.utils.validation import check_is_fitted

FIRST_DAMPING, LARGEST_DAMPING, FACTOR = 1e-3, 1e10, 10.0
MIN_RIDGE = 1e-12  # of the mean diagonal
FAMILIES = ("single", "bagging", "ECOC")
Weights = tuple[np.ndarray, np.ndarray]


class NetClassifier(ClassifierMixin, BaseEstimator):
    """One small net, a bag of them, or one for each column of a random code.

    Nets have one layer of hidden tanh units and linear outputs, one for each class and
    with targets of -1 and 1; those of a code have one output. All nets are trained at
    once, and remembered as they were after each of some epochs.

    Parameters
    ----------
    family : {"single", "bagging", "ECOC"}, default="single"
        - "single": one net.
        - "bagging": nets on bootstrap samples; they vote, and the lowest class wins if
          votes are equal.
        - "ECOC": nets on two groups of classes, drawn at random for each; the class
          wins whose row of groups differs least from the nets' answers.
    n_hidden : int, default=2
        Hidden units.
    epochs : tuple of int, default=(15,)
        After which epochs to remember the nets; the last is the end of training.
    n_members : int, default=50
        Nets of a bag or a code.
    random_state : int, RandomState instance or None, default=None
        Draws first weights, samples and codes.

    Attributes
    ----------
    classes_ : ndarray of shape (n_classes,)
        The class labels, sorted.
    code_ : ndarray of shape (n_classes, n_members) or None
        Groups of the classes, -1 and 1.
    stages_ : list of (ndarray, ndarray)
        Weights of the hidden and of the output units after each of ``epochs``.
    """

    def __init__(
        self,
        family: str = "single",
        n_hidden: int = 2,
        epochs: tuple[int, ...] = (15,),
        n_members: int = 50,
        random_state: Any = None,
    ) -> None:
        self.family = family
        self.n_hidden = n_hidden
        self.epochs = epochs
        self.n_members = n_members
        self.random_state = random_state

    def fit(self, X: Any, y: Any) -> "NetClassifier":
        """Train the nets."""
        if self.family not in FAMILIES:
            raise ValueError(f"family takes {FAMILIES}; got {self.family!r}.")
        rng = check_random_state(self.random_state)
        self.classes_, labels = np.unique(y, return_inverse=True)
        self._scaler = StandardScaler().fit(X)
        inputs = add_ones(self._scaler.transform(X))
        n_nets = 1 if self.family == "single" else self.n_members
        self.code_ = None
        if self.family == "ECOC":
            self.code_ = draw_code(len(self.classes_), n_nets, rng)
            targets = self.code_.T[:, labels, None]
        else:
            targets = (2.0 * np.eye(len(self.classes_)) - 1.0)[labels][None]
        inputs = inputs[None]
        if self.family == "bagging":
            rows = rng.randint(len(labels), size=(n_nets, len(labels)))
            inputs, targets = inputs[0, rows], targets[0, rows]

        first = draw_weights(
            n_nets, inputs.shape[2], self.n_hidden, targets.shape[2], rng
        )
        training = train_nets(inputs, targets, first, max(self.epochs))
        wanted = set(self.epochs)
        self.stages_ = [
            weights for epoch, weights in enumerate(training, 1) if epoch in wanted
        ]
        return self

    def staged_predict(self, X: Any) -> Iterator[np.ndarray]:
        """Return the classes as the nets saw them after each of ``epochs``."""
        check_is_fitted(self)
        inputs = add_ones(self._scaler.transform(X))
        for weights in self.stages_:
            yield self.classes_[self._decide(inputs, weights)]

    def predict(self, X: Any) -> np.ndarray:
        """Return the classes as the nets see them at the end."""
        *_, last = self.staged_predict(X)
        return last

    def _decide(self, inputs: np.ndarray, weights: Weights) -> np.ndarray:
        if self.family == "ECOC":
            return self._decode(inputs, weights)
        votes = np.zeros((len(inputs), len(self.classes_)))
        rows = np.arange(len(inputs))
        for hidden, output in zip(*weights):
            answer = add_ones(np.tanh(inputs @ hidden)) @ output
            votes[rows, answer.argmax(axis=1)] += 1
        return votes.argmax(axis=1)

    def _decode(self, inputs: np.ndarray, weights: Weights) -> np.ndarray:
        assert self.code_ is not None
        agreement = np.zeros((len(inputs), len(self.classes_)))
        for hidden, output, groups in zip(*weights, self.code_.T):
            answer = add_ones(np.tanh(inputs @ hidden)) @ output
            agreement += np.where(answer > 0.0, 1.0, -1.0) * groups
        return agreement.argmax(axis=1)


def train_nets(
    inputs: np.ndarray, targets: np.ndarray, weights: Weights, n_epochs: int
) -> Iterator[Weights]:
    r"""Train nets side by side; return the weights after each epoch.

    A step solves :math:`(J^T J + \mu I) \Delta = -J^T e`. If the sum of squares
    falls, it is taken and :math:`\mu` divided by ten; if not, :math:`\mu` is
    multiplied by ten and the step tried again.

    Parameters
    ----------
    inputs : ndarray of shape (n_nets, n_samples, n_inputs) or (1, ...)
        Rows of each net, the last column of ones.
    targets : ndarray of shape (n_nets, n_samples, n_outputs) or (1, ...)
        What the outputs should be.
    weights : tuple of two ndarray
        Of shapes (n_nets, n_inputs, n_hidden) and (n_nets, n_hidden + 1, n_outputs).
    n_epochs : int
        How many steps.

    Yields
    ------
    weights : tuple of two ndarray
    """
    hidden, output = (one.copy() for one in weights)
    n_nets = len(hidden)
    inputs = np.broadcast_to(inputs, (n_nets, *inputs.shape[1:]))
    targets = np.broadcast_to(targets, (n_nets, *targets.shape[1:]))
    damping = np.full(n_nets, FIRST_DAMPING)
    for _ in range(n_epochs):
        system = NormalEquations(inputs, targets, hidden, output)
        waiting = np.flatnonzero(damping <= LARGEST_DAMPING)
        while len(waiting):
            d_hidden, d_output = system.solve(waiting, damping[waiting])
            new = hidden[waiting] + d_hidden, output[waiting] + d_output
            squares = sum_squares(inputs[waiting], targets[waiting], *new)
            falls = squares < system.squares[waiting]
            taken = waiting[falls]
            hidden[taken], output[taken] = new[0][falls], new[1][falls]
            damping[taken] /= FACTOR
            waiting = waiting[~falls]
            damping[waiting] *= FACTOR
            waiting = waiting[damping[waiting] <= LARGEST_DAMPING]
        yield hidden.copy(), output.copy()


class NormalEquations:
    """The equations of a step for some nets, solved by parts.

    Linear outputs share the Gram matrix of the hidden units, so the output weights can
    be eliminated: what remains to be solved has the size of the hidden weights, however
    many outputs there are.

    Parameters
    ----------
    inputs, targets, hidden, output : ndarray
        See `train_nets`.
    """

    def __init__(
        self,
        inputs: np.ndarray,
        targets: np.ndarray,
        hidden: np.ndarray,
        output: np.ndarray,
    ) -> None:
        units = np.tanh(inputs @ hidden)
        self.slopes = 1.0 - units**2
        self.units = add_ones(units)
        self.inputs, self.output = inputs, output[:, :-1]
        error = self.units @ output - targets
        self.squares = np.square(error).sum(axis=(1, 2))
        n_nets, n_rows, n_inputs = inputs.shape
        self.shape = n_inputs, hidden.shape[2]
        moves = (inputs[:, :, :, None] * self.slopes[:, :, None, :]).reshape(
            n_nets, n_rows, -1
        )
        self.gram = _transpose(moves) @ moves
        self.cross = _transpose(moves) @ self.units
        self.units_gram = _transpose(self.units) @ self.units
        pulled = (error @ _transpose(self.output)) * self.slopes
        self.hidden_slope = (_transpose(inputs) @ pulled).reshape(n_nets, -1)
        self.output_slope = _transpose(self.units) @ error

    def solve(
        self, nets: np.ndarray, damping: np.ndarray
    ) -> tuple[np.ndarray, np.ndarray]:
        """Return the steps of the hidden and of the output weights of some nets."""
        output, cross = self.output[nets], self.cross[nets]
        n_inputs = self.shape[0]
        units_gram = _add_ridge(self.units_gram[nets], damping)
        right = np.concatenate([_transpose(cross), self.output_slope[nets]], axis=2)
        solved = np.linalg.solve(units_gram, right)
        eliminated, slope = np.split(solved, [cross.shape[1]], axis=2)

        # Weights are in the order of inputs, then hidden units.
        shared = np.tile(output @ _transpose(output), (1, n_inputs, n_inputs))
        schur = _add_ridge(shared * (self.gram[nets] - cross @ eliminated), damping)
        spread = np.tile(output, (1, n_inputs, 1))
        right = (cross @ slope * spread).sum(axis=2) - self.hidden_slope[nets]
        step = np.linalg.solve(schur, right[:, :, None]).reshape(-1, *self.shape)

        moved = ((self.inputs[nets] @ step) * self.slopes[nets]) @ output
        pull = self.output_slope[nets] + _transpose(self.units[nets]) @ moved
        return step, -np.linalg.solve(units_gram, pull)


def _add_ridge(grams: np.ndarray, damping: np.ndarray) -> np.ndarray:
    """Add damping to the diagonals, and a little where saturated units need it."""
    size = grams.shape[-1]
    scale = np.trace(grams, axis1=1, axis2=2) / size
    ridge = np.maximum(damping, MIN_RIDGE * np.maximum(scale, MIN_RIDGE))
    return np.asarray(grams + ridge[:, None, None] * np.eye(size))


def sum_squares(
    inputs: np.ndarray, targets: np.ndarray, hidden: np.ndarray, output: np.ndarray
) -> np.ndarray:
    """Return the sum of squared errors of each net."""
    error = add_ones(np.tanh(inputs @ hidden)) @ output - targets
    return np.square(error).sum(axis=(1, 2))


def draw_weights(
    n_nets: int, n_inputs: int, n_hidden: int, n_outputs: int, rng: Any
) -> Weights:
    """Draw first weights, uniform within the inverse root of a unit's inputs."""
    shapes = (n_nets, n_inputs, n_hidden), (n_nets, n_hidden + 1, n_outputs)
    hidden, output = (rng.uniform(-1.0, 1.0, size) / size[1] ** 0.5 for size in shapes)
    return hidden, output


def draw_code(n_classes: int, n_columns: int, rng: Any) -> np.ndarray:
    """Draw groups of classes: no column has one group only, no two rows are alike."""
    if n_classes < 3:
        raise ValueError(
            "A code needs three classes or more: with two it is bagging without bags."
        )
    while True:
        code = 2.0 * rng.randint(2, size=(n_classes, n_columns)) - 1.0
        while (constant := np.abs(code.sum(axis=0)) == n_classes).any():
            again = 2.0 * rng.randint(2, size=(n_classes, int(constant.sum()))) - 1.0
            code[:, constant] = again
        if len(np.unique(code, axis=0)) == n_classes:
            return code


def smallest_distance(code: np.ndarray) -> int:
    """Count the columns in which the two rows that are most alike differ."""
    same = code @ code.T - 2.0 * code.shape[1] * np.eye(len(code))
    return int((code.shape[1] - same.max()) / 2)


def add_ones(values: np.ndarray) -> np.ndarray:
    """Put a column of ones behind the others."""
    return np.concatenate([values, np.ones((*values.shape[:-1], 1))], axis=-1)


def _transpose(matrices: np.ndarray) -> np.ndarray:
    return np.swapaxes(matrices, 1, 2)

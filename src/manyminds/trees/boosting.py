"""Growing boosted trees: rounds in compiled calls over a team of threads."""

import threading
import time
from contextlib import suppress
from dataclasses import dataclass, field

import numba
import numpy as np
from joblib import effective_n_jobs

from manyminds.kernels.boosting import bundles
from manyminds.kernels.boosting.replay import replay
from manyminds.kernels.boosting.rounds import boost, judge_round, mean_loss
from manyminds.kernels.boosting.team import N_WORDS
from manyminds.trees.binned import BinnedTable
from manyminds.trees.boosted_nodes import collect_trees

LOSSES = {
    "log_loss": bundles.LOG_LOSS,
    "softmax": bundles.SOFTMAX,
    "squared_error": bundles.SQUARED_ERROR,
    "absolute_error": bundles.ABSOLUTE_ERROR,
    "quantile": bundles.QUANTILE,
    "huber": bundles.HUBER,
    "poisson": bundles.POISSON,
    "gamma": bundles.GAMMA,
}
SAMPLINGS = {
    "without_replacement": bundles.WITHOUT_REPLACEMENT,
    "bootstrap": bundles.BOOTSTRAP,
    "minimal_variance": bundles.MINIMAL_VARIANCE,
}
_LINE_SEARCH = (bundles.ABSOLUTE_ERROR, bundles.QUANTILE, bundles.HUBER)

_MAX_DEPTH = 2**30
_MAX_POOL = 2**27  # words of histograms in memory: 1 GB
_MAX_LEAVES = 2**15  # where nothing else limits them
_SYMMETRIC_DEPTH, _MAX_SYMMETRIC_DEPTH = 6, 12
_DEEP_SLOTS = 256  # histograms of trees that grow in depth first
_SECONDS = 0.25  # of a compiled call, after which Ctrl-C is noticed
_CELLS_PER_SECOND = 2e8  # a cautious guess for the first call
_MAX_TREES = 4096  # of a call
_CELLS_OF_THREAD = 50_000  # fewer are not worth a second thread


@dataclass(frozen=True)
class GrowthOptions:
    """When and how nodes are split; see `GradientBoostingClassifier` for each option.

    ``max_leaf_nodes`` and ``max_depth`` may be None; ``monotonic`` and ``groups`` are
    arrays with one number for each feature, or None.
    """

    max_leaf_nodes: int | None = 31
    max_depth: int | None = None
    min_samples_leaf: int = 20
    min_sum_hessian: float = 1e-3
    l2_regularization: float = 0.0
    min_gain: float = 0.0
    max_features: int | None = None
    tree_features: int | None = None
    random_thresholds: bool = False
    symmetric: bool = False
    categorical_smoothing: float = 10.0
    categorical_l2: float = 10.0
    monotonic: np.ndarray | None = None
    groups: np.ndarray | None = None


@dataclass(eq=False)
class Booster:
    """Rounds of boosting on some rows of a binned table.

    Parameters
    ----------
    table : BinnedTable
    y : ndarray of shape (n_rows,), float64
        Targets of all rows of the table; class numbers for more than two classes.
    raw : ndarray of shape (n_outputs, n_rows), float64
        Raw predictions to begin with; changed in place.
    loss : str
        One of ``LOSSES``.
    growth : GrowthOptions
    rows : ndarray of shape (n_train,), uint32
        The training rows, in increasing order.
    held_out : ndarray of shape (n_valid,), uint32
        Rows whose loss is tracked, and stops the rounds.
    weights : ndarray of shape (n_rows,) or None
    level : float
        Of the quantile; of the residuals that are not trimmed by Huber's loss.
    sampling : tuple of (str, int) or None
        Method and number of rows of each round's draw.
    learning_rate, seed, patience, tolerance
    track : bool
        Whether to compute losses.
    first_round : int
        Number of rounds of an earlier fit.
    lines : object or None
        Fits lines in the leaves of each new tree: has ``adjust`` and ``add_last``, see
        `manyminds.ensemble.boosting.gradient.linear_leaves`.
    n_jobs : int or None
    """

    table: BinnedTable
    y: np.ndarray
    raw: np.ndarray
    loss: str
    growth: GrowthOptions
    rows: np.ndarray
    held_out: np.ndarray
    weights: np.ndarray | None = None
    level: float = 0.5
    sampling: tuple | None = None
    learning_rate: float = 0.1
    seed: int = 0
    patience: int = 2**62
    tolerance: float = 0.0
    track: bool = False
    first_round: int = 0
    lines: object = None
    n_jobs: int | None = None
    n_done: int = 0
    stopped: bool = False
    _parts: list = field(default_factory=list)
    _seconds: dict = field(default_factory=dict)

    def __post_init__(self):
        n_outputs, n_rows = self.raw.shape
        self._n_outputs, loss = n_outputs, LOSSES[self.loss]
        cells = len(self.rows) * self.table.n_features
        self._cells = cells * n_outputs
        n_threads = 1 if numba.config.DISABLE_JIT else effective_n_jobs(self.n_jobs)
        self._n_threads = int(max(1, min(n_threads, self._cells // _CELLS_OF_THREAD)))
        self._growth = self._make_growth()
        self._target = bundles.Target(
            loss,
            # Read-only arrays, as pandas returns them, would need another compilation.
            np.require(self.y, requirements="W"),
            np.require([] if self.weights is None else self.weights, float, "W"),
            float(self.level),
            self.rows,
            self.held_out,
        )
        self._sampling = bundles.Sampling(bundles.ALL_ROWS, len(self.rows))
        if self.sampling is not None:
            name, n_drawn = self.sampling
            self._sampling = bundles.Sampling(SAMPLINGS[name], n_drawn)
        self._table = self._make_table()
        self._allocate(loss, n_rows)

    # ------------------------------------------------------------ rounds

    def run(self, n_rounds, watch=None):
        """Run more rounds, or fewer if the held-out loss stops them.

        Parameters
        ----------
        n_rounds : int
        watch : callable or None
            Called with the number of rounds done, between compiled calls; no more are
            run if it returns True.
        """
        last = self.n_done + n_rounds
        self._make_room(last)
        while self.n_done < last and not self.stopped:
            n_threads = self._choose_threads()
            n = min(last - self.n_done, self._count_rounds(n_threads))
            started = time.perf_counter()
            self._call(n, n_threads)
            seconds = time.perf_counter() - started
            self._seconds.setdefault(n_threads, []).append(seconds / n)
            if watch is not None and watch(self.n_done):
                return

    def get_trees(self, n_rounds=None):
        """Return the trees of all rounds, or of the first ones."""
        n_trees = (self.n_done if n_rounds is None else n_rounds) * self._n_outputs
        return collect_trees(self._join_nodes(n_trees), n_trees, self.table)

    def replay(self, rows, raw, n_rounds):
        """Compute the values of the leaves of the first rounds anew from other rows.

        Parameters
        ----------
        rows : ndarray of uint32
            Rows of the table, in increasing order.
        raw : ndarray of shape (n_outputs, n_rows)
            Raw predictions to begin with; changed in place.
        n_rounds : int
        """
        nodes = self._join_nodes(n_rounds * self._n_outputs)
        self.raw, self.rows, self.sampling = raw, rows, None
        self.held_out = np.empty(0, np.uint32)
        self.__post_init__()
        replay(
            self._table,
            self._target,
            self._memory,
            nodes,
            self._state,
            self._growth,
            float(self.learning_rate),
            np.empty(len(rows), np.int32),
            np.empty(nodes.ints.shape[1] + 1, np.int64),
        )
        self._parts, self.n_done = [nodes], n_rounds

    def _join_nodes(self, n_trees):
        """Return the nodes of the first trees."""
        parts = zip(*self._parts)
        return bundles.Nodes(*(np.concatenate(part)[:n_trees] for part in parts))

    @property
    def best_round(self):
        """Number of rounds with the least held-out loss."""
        return int(self._state.control[bundles.BEST_ROUND])

    def _call(self, n, n_threads):
        """Run ``n`` rounds in one compiled call of all threads."""
        nodes = self._make_nodes(n)
        before = self.raw.copy() if self.lines is not None else None
        schedule = bundles.Schedule(
            self.n_done,
            self.n_done + n,
            self.first_round,
            float(self.learning_rate),
            self.seed,
            self.patience,
            float(self.tolerance),
            self.track and self.lines is None,
        )
        arguments = (
            self._table,
            self._growth,
            self._target,
            self._sampling,
            self._memory,
            self._leaves,
            self._candidates,
            nodes,
            self._state,
            schedule,
            self._levels,
        )
        run_team(boost, arguments, n_threads)
        if self.lines is not None:
            self._draw_lines(nodes, before)
        n_more = int(self._state.control[bundles.N_DONE]) - self.n_done
        self.n_done += n_more
        self.stopped = bool(self._state.control[bundles.STOP])
        n_trees = n_more * self._n_outputs
        self._parts.append(bundles.Nodes(*(part[:n_trees] for part in nodes)))

    def _draw_lines(self, nodes, before):
        """Fit lines in the leaves of a new tree; predict and track losses by them."""
        n_drawn, number = int(self._state.control[bundles.N_DRAWN]), self.n_done
        n_leaves = (int(nodes.counts[0, 0]) + 1) // 2
        self.lines.adjust(
            self,
            nodes,
            self._leaves.ints[0, :n_leaves],
            self._memory.rows[0, 0, :n_drawn],
            self._memory.gradients[0],
        )
        self.raw[:] = before
        used = np.concatenate([self.rows, self.held_out])
        self.lines.add_last(collect_trees(nodes, 1, self.table), used, self.raw)
        if not self.track:
            return
        for which, rows in enumerate((self.rows, self.held_out)):
            loss = mean_loss(self._target, self.raw, rows)
            self._state.losses[which, number + 1] = loss
        if len(self.held_out):
            judge_round(self._state, number, self.patience, float(self.tolerance))

    def _choose_threads(self):
        """Try all threads, then one; then keep to what was faster.

        Results are the same. On a machine that is busy with other work, threads that
        wait for one another at every node may be slower than one alone.
        """
        candidates = sorted({self._n_threads, 1}, reverse=True)
        for n_threads in candidates:
            if n_threads not in self._seconds:
                return n_threads
        return min(candidates, key=lambda n: np.median(self._seconds[n][-5:]))

    def _count_rounds(self, n_threads):
        """Return how many rounds a call should run."""
        if self.lines is not None:
            return 1
        if n_threads in self._seconds:
            seconds = self._seconds[n_threads][-1]
        else:
            seconds = self._cells / _CELLS_PER_SECOND
        most = _MAX_TREES / self._n_outputs + 1
        return int(np.clip(_SECONDS / max(seconds, 1e-6), 1, most))

    # ------------------------------------------------------------ memory

    def _make_growth(self):
        options, n_features = self.growth, self.table.n_features
        n_train = len(self.rows)
        depth = options.max_depth or _MAX_DEPTH
        if options.symmetric:
            depth = min(options.max_depth or _SYMMETRIC_DEPTH, _MAX_SYMMETRIC_DEPTH)
        bound = max(2, n_train // max(options.min_samples_leaf, 1))
        max_leaves = options.max_leaf_nodes or min(2 ** min(depth, 15), _MAX_LEAVES)
        max_leaves = int(min(max_leaves, bound))
        best_first = options.max_leaf_nodes is not None
        n_bins = int(self.table.offsets[-1])
        n_slots = max_leaves if best_first else min(max_leaves, _DEEP_SLOTS)
        n_slots = int(max(1, min(n_slots, _MAX_POOL // n_bins)))
        if options.symmetric:
            max_leaves, n_slots = 2**depth, 2 ** max(depth - 1, 0)
            self._check_room(n_slots * n_bins, depth)
        tree_features = options.tree_features or n_features
        return bundles.Growth(
            max_leaves,
            depth,
            best_first,
            options.min_samples_leaf,
            float(options.min_sum_hessian),
            float(options.l2_regularization),
            float(options.min_gain),
            float(options.categorical_smoothing),
            float(options.categorical_l2),
            options.random_thresholds,
            min(options.max_features or n_features, tree_features),
            tree_features,
            options.monotonic is not None,
            n_slots,
        )

    def _check_room(self, n_words, depth):
        """Raise if the histograms of all leaves of a level take too much memory."""
        if n_words > _MAX_POOL:
            raise ValueError(
                f"Symmetric trees of depth {depth} on {self.table.n_features} features "
                f"need {n_words >> 27} GB of histograms: set max_depth to less than "
                f"{depth}, or max_bins to less than it is."
            )

    def _make_table(self):
        options, table, n = self.growth, self.table, self.table.n_features
        monotonic, groups = options.monotonic, options.groups
        return bundles.BoostTable(
            table.codes,
            table.places,
            table.blocks,
            table.block_starts,
            table.offsets,
            table.categorical,
            np.zeros(n, np.int8) if monotonic is None else monotonic,
            np.zeros((n, 0), np.uint64) if groups is None else groups,
        )

    def _allocate(self, loss, n_rows):
        """Make the arrays that the rounds work in."""
        n_train, n_outputs = len(self.rows), self._n_outputs
        n_threads = self._n_threads
        growth, n_features = self._growth, self.table.n_features
        n_teams = n_threads if 1 < n_threads <= n_outputs else 1
        n_bins, leaves = int(self.table.offsets[-1]), growth.max_leaves
        self._memory = bundles.Team(
            np.zeros(N_WORDS * n_threads, np.int64),
            np.empty((n_teams, 3, n_train), np.uint32),
            np.empty((n_teams, n_rows), np.int64),
            np.empty((n_teams, 2, n_rows), np.float32),
            np.empty((n_teams, 2, n_train if loss in _LINE_SEARCH else 0)),
            np.empty((n_teams, 2, bundles.N_CHUNKS)),
            np.empty((n_teams, (growth.n_slots + 2) * n_bins), np.int64),
        )
        self._leaves = bundles.Leaves(
            np.empty((n_threads, leaves, bundles.N_INTS), np.int64),
            np.empty((n_threads, leaves, bundles.N_REALS)),
            np.empty((n_threads, leaves, 4), np.uint64),
            np.empty((n_threads, 256), np.uint8),
            np.empty((n_threads, 3, n_features), np.int64),
            np.empty((n_threads, 256)),
            np.empty((n_threads, 256), np.int64),
            np.empty((n_threads, 257), np.int64),
            np.empty((n_threads, growth.n_slots), np.int64),
            np.empty((n_threads, leaves, self._table.groups.shape[1]), np.uint64),
        )
        self._candidates = bundles.Candidates(
            np.zeros((n_threads, 4, 8)),
            np.zeros((n_threads, 4, 8), np.int64),
            np.zeros((n_threads, 4, 4), np.uint64),
        )
        self._levels = None
        if self.growth.symmetric:
            self._levels = bundles.Levels(
                np.empty((n_threads, 257)),
                np.empty((n_threads, leaves)),
                np.empty((n_threads, leaves), np.int64),
            )
        resampled = self._sampling.method in (
            bundles.BOOTSTRAP,
            bundles.MINIMAL_VARIANCE,
        )
        self._state = bundles.State(
            self.raw,
            np.empty((n_outputs if loss == bundles.SOFTMAX else 0, n_rows), np.float32),
            self.rows.copy(),
            np.empty(n_rows if resampled else 0, np.float32),
            np.zeros(256),
            np.full((2, 1), np.inf),
            np.zeros(8, np.int64),
        )

    def _make_room(self, n_rounds):
        """Lengthen the list of losses."""
        losses = np.full((2, n_rounds + 1), np.inf)
        known = self._state.losses
        losses[:, : known.shape[1]] = known[:, : losses.shape[1]]
        self._state = self._state._replace(losses=losses)

    @property
    def curves(self):
        """Losses of training rows and held-out rows, after each round."""
        return self._state.losses[:, 1 : self.n_done + 1]

    def _make_nodes(self, n_rounds):
        n_trees, leaves = n_rounds * self._n_outputs, self._growth.max_leaves
        n_sets = leaves - 1 if self.table.categorical.any() else 0
        return bundles.Nodes(
            np.empty((n_trees, 2 * leaves - 1, 6), np.int32),
            np.zeros((n_trees, 2 * leaves - 1, 3)),
            np.empty((n_trees, n_sets, 4), np.uint64),
            np.empty((n_trees, 2), np.int32),
        )


def run_team(kernel, arguments, n_threads):
    """Call a kernel once in each thread; all are there before the first begins.

    The kernel takes the arguments, and the number of the thread and of all threads. Its
    threads wait for one another, so that it must not be called by fewer.
    """
    gate = threading.Barrier(n_threads)

    def join_in(thread):
        with suppress(threading.BrokenBarrierError):
            gate.wait()
            kernel(*arguments, (thread, n_threads))

    threads = [
        threading.Thread(target=join_in, args=(thread,), daemon=True)
        for thread in range(1, n_threads)
    ]
    try:
        for thread in threads:
            thread.start()
    except RuntimeError:  # the system has no more threads
        gate.abort()
        kernel(*arguments, (0, 1))
        return
    join_in(0)
    for thread in threads:
        thread.join()

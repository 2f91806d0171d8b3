"""Search the graph of a Bayesian network: hill climbing with tabu, annealing."""

import math
from typing import NamedTuple

import numpy as np

from manyminds.kernels._jit import helper, kernel
from manyminds.kernels.draws import draw_below, draw_fraction
from manyminds.kernels.network_scores import find_score

_ADD, _REMOVE, _SWAP = range(3)
_NONE = -1
_MIN_GAIN = 1e-9  # smaller gains are rounding errors


class ArcRules(NamedTuple):
    """Which arcs a graph may have.

    allowed      (n_nodes, n_nodes)  uint8, from row to column
    required     (n_nodes, n_nodes)  uint8, arcs that are never removed
    max_parents  int
    """

    allowed: np.ndarray
    required: np.ndarray
    max_parents: int


class Graph(NamedTuple):
    """The state of a search.

    arcs       (n_nodes, n_nodes)  uint8, from row to column
    n_parents  (n_nodes,)  int64
    score      (n_nodes,)  float64, of each family
    stack      (n_nodes,)  int64, scratch of the search for paths
    seen       (n_nodes,)  uint8, likewise
    """

    arcs: np.ndarray
    n_parents: np.ndarray
    score: np.ndarray
    stack: np.ndarray
    seen: np.ndarray


# ---------------------------------------------------------------- hill climbing


@kernel(nogil=True, error_model="numpy")
def climb(data, rules, limits, memory, room, graph, tabu, max_steps, max_worse, best):
    """Change the arc that raises the score most, until no change does.

    data       FamilyData
    rules      ScoreRules
    limits     ArcRules
    memory     Memory
    room       Room
    graph      Graph, with its arcs; changed in place
    tabu       (length,)  uint64, hashes of the last graphs; none is visited again
    max_steps  int
    max_worse  int, changes in a row without a better graph after which it stops
    best       (n_nodes, n_nodes)  uint8, written: arcs of the best graph

    Returns the score of the best graph and the number of changes.
    """
    n_nodes = len(graph.score)
    gain = np.empty((n_nodes, n_nodes))  # of toggling the arc from row to column
    total = _score_all(data, rules, memory, room, graph)
    for v in range(n_nodes):
        _find_gains(data, rules, limits, memory, room, graph, v, gain)
    best[:] = graph.arcs
    best_total, n_worse, n_steps = total, 0, 0
    code = _hash_graph(memory, graph.arcs)
    for k in range(len(tabu)):
        tabu[k] = code
    while n_steps < max_steps:
        u, v, is_reversal = _choose_arc(limits, memory, graph, gain, tabu, code)
        if u == _NONE:
            break
        change = gain[u, v] + (gain[v, u] if is_reversal else 0.0)
        if max_worse == 0 and change <= _MIN_GAIN:
            break
        _toggle(graph, u, v, gain[u, v])
        code ^= memory.zobrist[u, v]
        if is_reversal:
            _toggle(graph, v, u, gain[v, u])
            code ^= memory.zobrist[v, u]
            _find_gains(data, rules, limits, memory, room, graph, u, gain)
        _find_gains(data, rules, limits, memory, room, graph, v, gain)
        if len(tabu) > 0:
            tabu[n_steps % len(tabu)] = code
        total, n_steps = total + change, n_steps + 1
        if total > best_total + _MIN_GAIN:
            best[:] = graph.arcs
            best_total, n_worse = total, 0
        else:
            n_worse += 1
            if n_worse > max_worse:
                break
    return best_total, n_steps


@helper(nogil=True, error_model="numpy")
def _score_all(data, rules, memory, room, graph):
    """Score each family of the graph; return the sum."""
    n_nodes, total = len(graph.score), 0.0
    for v in range(n_nodes):
        graph.n_parents[v] = 0
        for u in range(n_nodes):
            graph.n_parents[v] += graph.arcs[u, v]
        graph.score[v] = find_score(data, rules, v, graph.arcs, memory, room)
        total += graph.score[v]
    return total


@helper(nogil=True, error_model="numpy")
def _find_gains(data, rules, limits, memory, room, graph, v, gain):
    """Compute what toggling each arc into a node does to the node's score."""
    for u in range(len(graph.score)):
        gain[u, v] = -np.inf
        if u == v:
            continue
        if graph.arcs[u, v]:
            if limits.required[u, v]:
                continue
        elif not limits.allowed[u, v]:
            continue
        elif graph.n_parents[v] >= limits.max_parents:
            continue
        graph.arcs[u, v] ^= 1
        score = find_score(data, rules, v, graph.arcs, memory, room)
        graph.arcs[u, v] ^= 1
        gain[u, v] = score - graph.score[v]


@helper(nogil=True, error_model="numpy")
def _choose_arc(limits, memory, graph, gain, tabu, code):
    """Return the best change that leads to a new acyclic graph: an arc, or reversal."""
    best, best_u, best_v, reverses = -np.inf, _NONE, _NONE, False
    n_nodes = len(graph.score)
    for u in range(n_nodes):
        for v in range(n_nodes):
            change = gain[u, v]
            if change > best + _MIN_GAIN:
                new = code ^ memory.zobrist[u, v]
                is_free = not _is_tabu(tabu, new)
                if is_free and not graph.arcs[u, v]:
                    is_free = not graph.arcs[v, u] and not _has_path(graph, v, u, False)
                if is_free:
                    best, best_u, best_v, reverses = change, u, v, False
            if not graph.arcs[u, v] or limits.required[u, v]:
                continue
            change += gain[v, u]
            if change > best + _MIN_GAIN:
                new = code ^ memory.zobrist[u, v] ^ memory.zobrist[v, u]
                if not _is_tabu(tabu, new) and not _has_path(graph, u, v, True):
                    best, best_u, best_v, reverses = change, u, v, True
    return best_u, best_v, reverses


@helper(nogil=True, error_model="numpy")
def _is_tabu(tabu, code):
    """Return whether a hash is among those of the last graphs."""
    for k in range(len(tabu)):
        if tabu[k] == code:
            return True
    return False


@helper(nogil=True, error_model="numpy")
def _has_path(graph, start, goal, is_indirect):
    """Return whether arcs lead from one node to another; or lead there by a third."""
    n_nodes = len(graph.score)
    for u in range(n_nodes):
        graph.seen[u] = 0
    graph.stack[0], n = start, 1
    graph.seen[start] = 1
    while n > 0:
        n -= 1
        u = graph.stack[n]
        for v in range(n_nodes):
            if graph.arcs[u, v] and not graph.seen[v]:
                if v == goal:
                    if is_indirect and u == start:
                        continue
                    return True
                graph.seen[v] = 1
                graph.stack[n] = v
                n += 1
    return False


@helper(nogil=True, error_model="numpy")
def _toggle(graph, u, v, gain):
    """Add or remove the arc from u to v."""
    graph.arcs[u, v] ^= 1
    graph.n_parents[v] += 1 if graph.arcs[u, v] else -1
    graph.score[v] += gain


@helper(nogil=True, error_model="numpy")
def _hash_graph(memory, arcs):
    """Return the exclusive or of the random bits of all arcs."""
    code = np.uint64(0)
    for u in range(len(arcs)):
        for v in range(len(arcs)):
            if arcs[u, v]:
                code ^= memory.zobrist[u, v]
    return code


# ---------------------------------------------------------------- annealing


@kernel(nogil=True, error_model="numpy")
def anneal(data, rules, limits, memory, room, graph, state, schedule, best, trace):
    """Add, remove and swap at random; accept what is worse ever less often.

    data, rules, limits, memory, room, graph  as ``climb`` takes them
    state     (1,)  int64, of the random draws
    schedule  (3,)  float64: number of operations, cooling, random moves for the start
    best      (n_nodes, n_nodes)  uint8, written: arcs of the best graph
    trace     (n_operations,) or (0,)  float64, written: score after each operation

    Returns the score of the best graph and the first temperature.
    """
    n_nodes = len(graph.score)
    n_operations, cooling, n_random = int(schedule[0]), schedule[1], int(schedule[2])
    start = graph.arcs.copy()
    changed = np.empty(n_nodes)
    _score_all(data, rules, memory, room, graph)
    total, n_valid = 0.0, 0
    for _ in range(n_random):
        kind, u, v = _propose(limits, graph, state)
        if kind != _NONE:
            move = kind, u, v
            change = _apply(data, rules, memory, room, graph, move, changed)
            if change == -np.inf:  # a table with more cells than there is room for
                _undo(graph, move, changed)
            else:
                total += abs(change)
                n_valid += 1
    temperature = first = total / n_valid if n_valid > 0 else 1.0
    graph.arcs[:] = start
    total = _score_all(data, rules, memory, room, graph)
    best[:] = graph.arcs
    best_total = total
    for k in range(n_operations):
        kind, u, v = _propose(limits, graph, state)
        if kind != _NONE:
            move = kind, u, v
            change = _apply(data, rules, memory, room, graph, move, changed)
            worse = change < 0.0
            if worse and not draw_fraction(state) < math.exp(change / temperature):
                _undo(graph, move, changed)
            else:
                total += change
                if total > best_total + _MIN_GAIN:
                    best[:] = graph.arcs
                    best_total = total
        if len(trace) > 0:
            trace[k] = total
        temperature = max(temperature * cooling, 1e-300)
    return best_total, first


@helper(nogil=True, error_model="numpy")
def _propose(limits, graph, state):
    """Draw an operation and two nodes; the operation is -1 if it is not possible."""
    n_nodes = len(graph.score)
    if n_nodes < 2:
        return _NONE, 0, 0
    kind = draw_below(state, 3)
    u = draw_below(state, n_nodes)
    v = draw_below(state, n_nodes - 1)
    v += v >= u
    if kind == _REMOVE:
        n_arcs = 0
        for w in range(n_nodes):
            n_arcs += graph.n_parents[w]
        if n_arcs == 0:
            return _NONE, u, v
        k = draw_below(state, n_arcs)
        for a in range(n_nodes):
            for b in range(n_nodes):
                if graph.arcs[a, b]:
                    if k == 0:
                        u, v = a, b
                    k -= 1
        return (_NONE if limits.required[u, v] else kind), u, v
    if kind == _SWAP:
        return (kind if _may_swap(limits, graph, u, v) else _NONE), u, v
    if graph.arcs[u, v] or graph.arcs[v, u] or not limits.allowed[u, v]:
        return _NONE, u, v
    if graph.n_parents[v] >= limits.max_parents or _has_path(graph, v, u, False):
        return _NONE, u, v
    return kind, u, v


@helper(nogil=True, error_model="numpy")
def _may_swap(limits, graph, u, v):
    """Return whether the arcs are allowed after two nodes exchange their places."""
    for a in range(len(graph.score)):
        for b in range(len(graph.score)):
            if graph.arcs[a, b] and (a == u or a == v or b == u or b == v):
                c = v if a == u else (u if a == v else a)
                d = v if b == u else (u if b == v else b)
                if limits.required[a, b] or not limits.allowed[c, d]:
                    return False
    return True


@helper(nogil=True, error_model="numpy")
def _apply(data, rules, memory, room, graph, move, changed):
    """Do an operation; keep the old scores; return the change of the score."""
    kind, u, v = move
    n_nodes, total = len(graph.score), 0.0
    for w in range(n_nodes):
        changed[w] = graph.score[w]
    if kind == _SWAP:
        _swap(graph, u, v)
        for w in range(n_nodes):
            touched = w == u or w == v or graph.arcs[u, w] or graph.arcs[v, w]
            if touched:
                graph.score[w] = find_score(data, rules, w, graph.arcs, memory, room)
                total += graph.score[w] - changed[w]
        return total
    graph.arcs[u, v] ^= 1
    graph.n_parents[v] += 1 if graph.arcs[u, v] else -1
    graph.score[v] = find_score(data, rules, v, graph.arcs, memory, room)
    return graph.score[v] - changed[v]


@helper(nogil=True, error_model="numpy")
def _undo(graph, move, changed):
    """Take an operation back: each is its own inverse."""
    kind, u, v = move
    if kind == _SWAP:
        _swap(graph, u, v)
    else:
        graph.arcs[u, v] ^= 1
        graph.n_parents[v] += 1 if graph.arcs[u, v] else -1
    for w in range(len(changed)):
        graph.score[w] = changed[w]


@helper(nogil=True, error_model="numpy")
def _swap(graph, u, v):
    """Exchange the parents and the children of two nodes."""
    for w in range(len(graph.score)):
        if w != u and w != v:
            graph.arcs[w, u], graph.arcs[w, v] = graph.arcs[w, v], graph.arcs[w, u]
            graph.arcs[u, w], graph.arcs[v, w] = graph.arcs[v, w], graph.arcs[u, w]
    graph.arcs[u, v], graph.arcs[v, u] = graph.arcs[v, u], graph.arcs[u, v]
    n = graph.n_parents[u]
    graph.n_parents[u], graph.n_parents[v] = graph.n_parents[v], n

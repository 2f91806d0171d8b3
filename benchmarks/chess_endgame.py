"""King and rook against king: how many moves until mate, computed exactly.

The positions, Black to move, and their classes are those of the public data set known
as kr-vs-k or krkopt: 28,056 rows, six columns, 18 classes of 27 to 4,553 rows.
"""

from collections import defaultdict

import numpy as np
import pandas as pd

__all__ = ["make_chess_endgame"]

DEPTHS = (
    "zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine",
    "ten", "eleven", "twelve", "thirteen", "fourteen", "fifteen", "sixteen",
)  # fmt: skip
COLUMNS = ("wk_file", "wk_rank", "wr_file", "wr_rank", "bk_file", "bk_rank")
SQUARES = range(64)  # 8 * rank + file
STRAIGHT = ((1, 0), (-1, 0), (0, 1), (0, -1))
AROUND = (*STRAIGHT, (1, 1), (1, -1), (-1, 1), (-1, -1))


def make_chess_endgame():
    """Return the table of positions and the classes: moves until mate, or a draw."""
    moves = {position: list_black_moves(*position) for position in list_positions()}
    depth = solve(moves)
    rows, classes = [], []
    for position in filter(is_canonical, moves):
        rows.append([part for square in position for part in name_square(square)])
        classes.append(DEPTHS[depth[position]] if position in depth else "draw")
    return pd.DataFrame(rows, columns=COLUMNS), np.array(classes)


def solve(moves):
    """Return the moves that White needs, for each position with Black to move."""
    before = defaultdict(list)  # positions of Black that lead to one of White
    n_open = {}  # Black's moves that are not known to lose
    for position, following in moves.items():
        n_open[position] = len(following)
        for after in following:
            before[after].append(position)
    lost = [one for one in moves if not moves[one] and gives_check(*one)]
    depth, won, n_moves = dict.fromkeys(lost, 0), set(), 0
    while lost:
        n_moves += 1
        found = {one for after in lost for one in list_white_before(*after)} - won
        won |= found
        lost = []
        for position in (one for after in found for one in before[after]):
            n_open[position] -= 1
            if not n_open[position]:
                depth[position] = n_moves
                lost.append(position)
    return depth


# ------------------------------------------------------------------ the rules


def list_positions():
    """Return all legal positions with Black to move: white king, rook, black king."""
    return [
        (king, rook, black)
        for king in SQUARES
        for rook in SQUARES
        for black in SQUARES
        if king != rook != black != king and black not in NEAR[king]
    ]


def list_black_moves(king, rook, black):
    """Return the positions after each of Black's moves; None if the rook is taken."""
    safe = NEAR[black] - NEAR[king] - {king}
    if rook in safe:
        return [None]  # a draw, which is never known to lose
    return [(king, rook, to) for to in safe - see(rook, king)]


def list_white_before(king, rook, black):
    """Return the positions with White to move that lead to this one."""
    for origin in NEAR[king] - NEAR[black] - {rook, black}:
        if not gives_check(origin, rook, black):
            yield origin, rook, black
    for origin in see(rook, king) & see(rook, black):
        if origin != black and not gives_check(king, origin, black):
            yield king, origin, black


def gives_check(king, rook, black):
    """Return whether the rook attacks the black king."""
    return black in see(rook, king)


def see(rook, king):
    """Return the squares that a rook attacks, but for a king that stands in between."""
    return SEEN[rook, king]


def list_seen(rook, king):
    """Walk from the rook in four directions, up to the king."""
    seen = set()
    for step in STRAIGHT:
        square = walk(rook, step)
        while square not in (None, king):
            seen.add(square)
            square = walk(square, step)
    return seen


def walk(square, step):
    """Return the next square in a direction; None beyond the board."""
    rank, file = square // 8 + step[0], square % 8 + step[1]
    return 8 * rank + file if 0 <= rank < 8 and 0 <= file < 8 else None


def is_canonical(position):
    """Return whether a position is the one that stands for its mirror images."""
    (king, rook, black) = (divmod(square, 8) for square in position)
    if king[1] > 3 or king[0] > king[1]:
        return False
    if king[0] < king[1] or black[0] < black[1]:
        return True
    return black[0] == black[1] and rook[0] <= rook[1]


def name_square(square):
    """Return file and rank, as the public data set has them."""
    return "abcdefgh"[square % 8], square // 8 + 1


NEAR = [{walk(square, step) for step in AROUND} - {None} for square in SQUARES]
SEEN = {(rook, king): list_seen(rook, king) for rook in SQUARES for king in SQUARES}

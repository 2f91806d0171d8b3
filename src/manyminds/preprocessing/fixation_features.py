"""Fixation features: how the eyes moved over each word of a text."""

from typing import NamedTuple

import numpy as np
import pandas as pd

from manyminds.datasets.frames import as_pandas

FIXATION_FEATURES = (
    "n_fixations",
    "n_first_pass_fixations",
    "in_first_line_reading",
    "in_second_line_reading",
    "previous_duration",
    "first_duration",
    "first_pass_duration",
    "next_duration",
    "incoming_distance",
    "outgoing_distance",
    "previous_position",
    "first_position",
    "last_position",
    "total_duration",
    "mean_duration",
    "n_regressions_from",
    "regressions_from_duration",
    "regression_from_next_word",
    "regressions_to_duration",
    "mean_pupil",
    "first_share",
    "n_skipped_words",
)
FIXATION_COLUMNS = ("session", "document", "duration", "x", "y", "pupil")
BOX_COLUMNS = ("document", "line", "left", "right", "top", "bottom")


def extract_fixation_features(fixations, words, *, missing=0.0):
    """Compute 22 features of the eye movements over each viewed word.

    The features are those of a study of implicit relevance feedback [1]_, [2]_. A
    session is one reader on one document. A *pass* over a word is a run of
    consecutive fixations on it, a *reading* of a line a run of fixations on the line,
    and a *regression* a fixation on a word that follows a fixation on a later word.

    Parameters
    ----------
    fixations : dataframe
        One row per fixation, in the order of time within each session, with the columns
        ``session``, ``document``, ``duration``, ``x``, ``y`` and ``pupil``; others are
        ignored. Fixations outside all words are left out.
    words : dataframe
        One row per word on a page, in reading order within each document, with the
        columns ``document``, ``line`` and the word's box: ``left``, ``right``, ``top``
        and ``bottom``, where ``top`` is the smaller one. A box includes ``left`` and
        ``top``, not ``right`` and ``bottom``.
    missing : float, default=0.0
        Duration, distance and position of a previous or next fixation where there is
        none, at the two ends of a session. NaN marks them as missing.

    Returns
    -------
    features : DataFrame of shape (n_viewed_words, 22)
        Its index has the levels ``session`` and ``word``, a row number of ``words``.

    See Also
    --------
    label_viewed_words : Makes training examples of viewed words.

    Notes
    -----
    The columns, in the order of the study [2]_:

    1. ``n_fixations``: fixations on the word;
    2. ``n_first_pass_fixations``: those of the first pass;
    3. ``in_first_line_reading``, and
    4. ``in_second_line_reading``: whether the word is fixated when its line is read for
       the first, and for the second time;
    5. ``previous_duration``: duration of the fixation before the first on the word;
    6. ``first_duration``: duration of the first fixation on it;
    7. ``first_pass_duration``: sum of the durations of the first pass;
    8. ``next_duration``: duration of the fixation after the first on the word;
    9. ``incoming_distance``: from the previous fixation to the first on the word;
    10. ``outgoing_distance``: from the last fixation on it to the next one;
    11. ``previous_position``: distance of the fixation before the first one from the
        beginning of the word, which is the middle of the left side of its box;
    12. ``first_position``, and
    13. ``last_position``: horizontal distance of the first, and of the last fixation
        from the left side of the word;
    14. ``total_duration``: sum of the durations of all fixations on the word;
    15. ``mean_duration``: 14 / 1;
    16. ``n_regressions_from``: regressions that start from the word;
    17. ``regressions_from_duration``: sum of their durations;
    18. ``regression_from_next_word``: whether one starts from the following word;
    19. ``regressions_to_duration``: sum of the durations of regressions to the word;
    20. ``mean_pupil``: mean pupil diameter while the word is fixated;
    21. ``first_share``: 6 / 14;
    22. ``n_skipped_words``: words skipped by the saccade to the first fixation on it.

    The study leaves some definitions open. The number of feature 18 is inferred by
    elimination, the denominator of 21 is read as feature 14, and the duration of a
    regression as that of the fixation where it lands.

    References
    ----------
    .. [1] Salojärvi, Puolamäki, Simola, Kovanen, Kojo and Kaski, "Inferring relevance
       from eye movements: feature extraction", Helsinki University of Technology, 2005.
    .. [2] Rogers, "Ensemble algorithms and feature selection", PhD thesis, University
       of Southampton, 2007, section 9.2.

    Examples
    --------
    >>> from manyminds.datasets import make_reading_sessions
    >>> from manyminds.preprocessing import extract_fixation_features
    >>> study = make_reading_sessions(n_readers=2, random_state=0)
    >>> features = extract_fixation_features(study.fixations, study.words)
    >>> features.shape[1]
    22
    >>> viewed = features.loc[0].index  # words that the first session fixated
    >>> bool((study.words.document[viewed] == study.sessions.document[0]).all())
    True
    """
    fixations = _read_columns("fixations", fixations, FIXATION_COLUMNS)
    words = _read_columns("words", words, BOX_COLUMNS)
    if (fixations["duration"] <= 0.0).any():
        raise ValueError("fixations must have durations above 0; got 0 or less.")
    missing = float(missing)
    page = words.sort_values("document", kind="stable")  # reading order within each

    fixations, scan, sessions = _order_fixations(fixations, page)
    columns = {
        **_describe_counts(scan, page),
        **_describe_durations(scan, fixations, missing),
        **_describe_places(scan, fixations, page, missing),
        **_describe_regressions(scan, fixations),
    }
    index = [sessions[scan.session[scan.first]], page.index[scan.word[scan.first]]]
    features = pd.DataFrame(
        columns,
        pd.MultiIndex.from_arrays(index, names=["session", "word"]),
        columns=list(FIXATION_FEATURES),
    )
    return features.sort_index()


class _Scan(NamedTuple):
    """Fixations on words, sorted by session, and their groups by session and word.

    session, word          (n_fixations,)  numbers; words are positions in the page
    group                  (n_fixations,)  number of the viewed word
    has_previous, has_next (n_fixations,)  whether the session has such a fixation
    first, last            (n_viewed,)     first and last fixation on each viewed word
    """

    session: np.ndarray
    word: np.ndarray
    group: np.ndarray
    has_previous: np.ndarray
    has_next: np.ndarray
    first: np.ndarray
    last: np.ndarray

    def total(self, values, where=slice(None)):
        """Sum values of fixations over each viewed word."""
        return np.bincount(self.group[where], values[where], minlength=len(self.first))

    def count(self, where=slice(None)):
        """Count fixations on each viewed word."""
        return self.total(np.ones(len(self.word)), where)


def _read_columns(name, table, needed):
    """Return the needed columns with a fresh index; numbers must be finite."""
    table = as_pandas(table)
    absent = [one for one in needed if one not in getattr(table, "columns", ())]
    if absent:
        raise ValueError(
            f"{name} must be a dataframe with the columns {list(needed)}; got none "
            f"called {absent}."
        )
    if not len(table):
        raise ValueError(f"{name} must have one row or more; got none.")
    table = table.loc[:, list(needed)].reset_index(drop=True)
    for column in needed:
        if column in ("session", "document", "line"):
            bad = table[column].isna()
        else:
            table[column] = pd.to_numeric(table[column]).astype(np.float64)
            bad = ~np.isfinite(table[column])
        if bad.any():
            raise ValueError(
                f"{name} must have no missing or infinite values; got {bad.sum()} in "
                f"the column {column!r}."
            )
    return table


def _find_words(fixations, page):
    """Return the position in the page of the word of each fixation; -1 for none.

    Lines, and words of a line, are found by bisection in one sorted array: documents,
    and lines, are laid out one after the other.
    """
    document, documents = pd.factorize(page["document"], sort=True)
    of_fixation = pd.Index(documents).get_indexer(fixations["document"])
    if (of_fixation < 0).any():
        unknown = fixations["document"][of_fixation < 0].iloc[0]
        raise ValueError(
            f"fixations must be on documents of words; got the document {unknown!r}, "
            "of which words has none."
        )
    by_line = [document, page["line"].to_numpy()]
    boxes = page.groupby(by_line, sort=True)
    lines = boxes.agg(top=("top", "min"), bottom=("bottom", "max"))
    line_document = lines.index.get_level_values(0).to_numpy()
    line = _bisect(
        line_document, lines["top"], lines["bottom"], of_fixation, fixations["y"]
    )
    return _bisect(
        boxes.ngroup().to_numpy(), page["left"], page["right"], line, fixations["x"]
    )


def _bisect(group, low, high, wanted_group, value):
    """Return which interval [low, high) of the wanted group holds a value; -1: none."""
    low, high, value = (np.asarray(one) for one in (low, high, value))
    span = high.max() - low.min() + 1.0
    key = group * span + (low - low.min())
    order = np.argsort(key, kind="stable")
    wanted = wanted_group * span + (value - low.min())
    found = order[np.maximum(np.searchsorted(key[order], wanted, side="right") - 1, 0)]
    inside = (group[found] == wanted_group) & (low[found] <= value)
    return np.where(inside & (value < high[found]), found, -1)


def _order_fixations(fixations, page):
    """Return the fixations on words by session, their groups, and the sessions."""
    word = _find_words(fixations, page)
    seen = np.flatnonzero(word >= 0)
    if not len(seen):
        raise ValueError("fixations must be on words; got none inside a word's box.")
    session, sessions = pd.factorize(fixations["session"].iloc[seen], sort=True)
    order = np.argsort(session, kind="stable")
    fixations, session, word = fixations.iloc[seen[order]], session[order], word[seen]
    word = word[order]
    starts = np.diff(session, prepend=-1) != 0
    document = page["document"].to_numpy()[word]
    if (~starts[1:] & (document[1:] != document[:-1])).any():
        raise ValueError(
            "fixations must have one document in each session; got a session with two."
        )
    pair, group = np.unique(session * len(page) + word, return_inverse=True)
    by_group = np.argsort(group, kind="stable")
    ends = np.cumsum(np.bincount(group, minlength=len(pair)))
    first, last = by_group[np.append(0, ends[:-1])], by_group[ends - 1]
    has_next = np.append(~starts[1:], False)
    scan = _Scan(session, word, group, ~starts, has_next, first, last)
    return fixations, scan, sessions


def _describe_counts(scan, page):
    """Return the features that count fixations and words."""
    line = page.groupby(["document", "line"], sort=False).ngroup().to_numpy()
    reading = _count_readings(scan, line[scan.word])
    document, _ = pd.factorize(page["document"])
    beginning = np.searchsorted(document, document[scan.word[scan.first]])
    before = np.where(
        scan.has_previous[scan.first], scan.word[scan.first - 1] + 1, beginning
    )
    skipped = np.maximum(scan.word[scan.first] - before, 0)
    return {
        "n_fixations": scan.count(),
        "n_first_pass_fixations": scan.count(_is_first_pass(scan)),
        "in_first_line_reading": (scan.count(reading == 0) > 0).astype(np.float64),
        "in_second_line_reading": (scan.count(reading == 1) > 0).astype(np.float64),
        "n_skipped_words": skipped.astype(np.float64),
    }


def _count_readings(scan, line):
    """Return how often its line was read before, for each fixation."""
    changes = ~scan.has_previous | (np.diff(line, prepend=-1) != 0)
    runs = pd.DataFrame({"session": scan.session[changes], "line": line[changes]})
    earlier = runs.groupby(["session", "line"]).cumcount().to_numpy()
    return earlier[np.cumsum(changes) - 1]


def _is_first_pass(scan):
    """Return which fixations belong to the first run of fixations on their word."""
    changes = ~scan.has_previous | (np.diff(scan.word, prepend=-1) != 0)
    run = np.cumsum(changes)
    return run == run[scan.first][scan.group]


def _describe_durations(scan, fixations, missing):
    """Return durations, their ratios, and the mean pupil diameter."""
    duration, pupil = fixations["duration"].to_numpy(), fixations["pupil"].to_numpy()
    first, total, n = scan.first, scan.total(duration), scan.count()
    following = np.append(duration[1:], missing)
    return {
        "previous_duration": np.where(
            scan.has_previous[first], duration[first - 1], missing
        ),
        "first_duration": duration[first],
        "first_pass_duration": scan.total(duration, _is_first_pass(scan)),
        "next_duration": np.where(scan.has_next[first], following[first], missing),
        "total_duration": total,
        "mean_duration": total / n,
        "mean_pupil": scan.total(pupil) / n,
        "first_share": duration[first] / total,
    }


def _describe_places(scan, fixations, page, missing):
    """Return distances of saccades, and positions relative to the word's beginning."""
    x, y = fixations["x"].to_numpy(), fixations["y"].to_numpy()
    word, first, last = scan.word[scan.first], scan.first, scan.last
    saccade = np.append(np.hypot(np.diff(x), np.diff(y)), 0.0)  # to the next fixation
    left = page["left"].to_numpy()[word]
    middle = page[["top", "bottom"]].to_numpy().mean(axis=1)[word]
    previous = np.hypot(x[first - 1] - left, y[first - 1] - middle)
    has_previous = scan.has_previous[first]
    return {
        "incoming_distance": np.where(has_previous, saccade[first - 1], missing),
        "outgoing_distance": np.where(scan.has_next[last], saccade[last], missing),
        "previous_position": np.where(has_previous, previous, missing),
        "first_position": x[first] - left,
        "last_position": x[last] - left,
    }


def _describe_regressions(scan, fixations):
    """Return the features of fixations that follow one on a later word."""
    duration = fixations["duration"].to_numpy()
    lands = np.flatnonzero(scan.has_previous & (np.diff(scan.word, prepend=-1) < 0))
    n_from = scan.count(lands - 1)
    # Groups are sorted by session and word: the next word, if viewed, is the next one.
    session, word = scan.session[scan.first], scan.word[scan.first]
    is_next = (np.diff(session) == 0) & (np.diff(word) == 1)
    return {
        "n_regressions_from": n_from,
        "regressions_from_duration": scan.total(np.append(duration[1:], 0), lands - 1),
        "regression_from_next_word": np.append(is_next & (n_from[1:] > 0), 0.0),
        "regressions_to_duration": scan.total(duration, lands),
    }

"""Fixation features: six fixations by hand, a naive twin, errors."""

import numpy as np
import pandas as pd
import pytest
from numpy.testing import assert_allclose

from manyminds.datasets import make_reading_sessions
from manyminds.preprocessing import extract_fixation_features
from manyminds.preprocessing.fixation_features import FIXATION_FEATURES

# Two lines: A B C, then D E.
WORDS = pd.DataFrame(
    [
        ["page", 0, 0.0, 40.0, 0.0, 30.0],
        ["page", 0, 40.0, 100.0, 0.0, 30.0],
        ["page", 0, 100.0, 150.0, 0.0, 30.0],
        ["page", 1, 0.0, 60.0, 30.0, 60.0],
        ["page", 1, 60.0, 120.0, 30.0, 60.0],
    ],
    columns=["document", "line", "left", "right", "top", "bottom"],
)
# A, C, C, back to B, D, back to C.
FIXATIONS = pd.DataFrame(
    [
        [200.0, 10.0, 15.0, 3.0],
        [250.0, 110.0, 15.0, 3.2],
        [100.0, 140.0, 15.0, 3.4],
        [180.0, 50.0, 15.0, 3.1],
        [300.0, 15.0, 45.0, 3.3],
        [150.0, 120.0, 15.0, 3.5],
    ],
    columns=["duration", "x", "y", "pupil"],
).assign(session="s", document="page")
DIAGONALS = np.hypot([35.0, 105.0, 50.0], 30.0)  # B to D, D to C, B to D's beginning
EXPECTED = [  # features 1 to 22 of A, B, C and D
    [1, 1, 1, 0, 0, 200, 200, 250, 0, 100, 0, 10, 10, 200, 200, 0, 0, 0, 0, 3.0, 1, 0],
    [1, 1, 1, 0, 100, 180, 180, 300, 90, DIAGONALS[0], 100, 10, 10, 180, 180, 0, 0, 1,
     180, 3.1, 1, 0],
    [3, 2, 1, 1, 200, 250, 350, 100, 100, 0, 90, 10, 20, 500, 500 / 3, 1, 180, 1, 150,
     10.1 / 3, 0.5, 1],
    [1, 1, 1, 0, 180, 300, 300, 150, DIAGONALS[0], DIAGONALS[1], DIAGONALS[2], 15, 15,
     300, 300, 1, 150, 0, 0, 3.3, 1, 1],
]  # fmt: skip


def test_item_3_six_fixations_by_hand():
    features = extract_fixation_features(FIXATIONS, WORDS)
    assert features.index.tolist() == [("s", word) for word in range(4)]
    assert_allclose(features, EXPECTED)


def test_item_3_identities_hold_always(seed):
    study = make_reading_sessions(2, random_state=seed)
    features = extract_fixation_features(study.fixations, study.words)
    assert_allclose(
        features["mean_duration"], features["total_duration"] / features["n_fixations"]
    )
    assert_allclose(
        features["first_share"], features["first_duration"] / features["total_duration"]
    )
    assert features["n_fixations"].sum() == len(study.fixations)
    assert features["total_duration"].sum() == pytest.approx(
        study.fixations["duration"].sum()
    )


def describe_naively(fixations, words, place):
    """Return the 22 features of one word of one session, one loop for each."""
    boxes, rows = words.to_dict("records"), fixations.to_dict("records")
    at = [
        next(
            k
            for k, box in enumerate(boxes)
            if box["left"] <= row["x"] < box["right"]
            and box["top"] <= row["y"] < box["bottom"]
        )
        for row in rows
    ]
    n, box = len(rows), boxes[place]
    mine = [i for i in range(n) if at[i] == place]
    first, last = mine[0], mine[-1]
    one_pass = [first]
    while one_pass[-1] + 1 in mine:
        one_pass.append(one_pass[-1] + 1)
    readings, seen = [], {}
    for i in range(n):
        line = boxes[at[i]]["line"]
        if i == 0 or line != boxes[at[i - 1]]["line"]:
            seen[line] = seen.get(line, 0) + 1
        readings.append(seen[line])
    lands = [i for i in range(1, n) if at[i] < at[i - 1]]
    starts = [i for i in lands if at[i - 1] == place]

    def duration(*fixed):
        return sum(rows[i]["duration"] for i in fixed)

    def distance(i, x, y):
        return np.hypot(rows[i]["x"] - x, rows[i]["y"] - y)

    middle = (box["top"] + box["bottom"]) / 2.0
    before = first > 0
    return [
        len(mine),
        len(one_pass),
        any(readings[i] == 1 for i in mine),
        any(readings[i] == 2 for i in mine),
        duration(first - 1) if before else 0.0,
        duration(first),
        duration(*one_pass),
        duration(first + 1) if first + 1 < n else 0.0,
        distance(first - 1, rows[first]["x"], rows[first]["y"]) if before else 0.0,
        distance(last + 1, rows[last]["x"], rows[last]["y"]) if last + 1 < n else 0.0,
        distance(first - 1, box["left"], middle) if before else 0.0,
        rows[first]["x"] - box["left"],
        rows[last]["x"] - box["left"],
        duration(*mine),
        duration(*mine) / len(mine),
        len(starts),
        duration(*starts),
        any(at[i - 1] == place + 1 for i in lands),
        duration(*[i for i in lands if at[i] == place]),
        np.mean([rows[i]["pupil"] for i in mine]),
        duration(first) / duration(*mine),
        max(place - (at[first - 1] + 1 if before else 0), 0),
    ]


def test_naive_twin(seed):
    study = make_reading_sessions(1, 1, 2, random_state=seed)
    features = extract_fixation_features(study.fixations, study.words)
    for session, mine in study.fixations.groupby("session"):
        document = study.sessions["document"][session]
        words = study.words[study.words["document"] == document]
        places = features.loc[session].index - words.index[0]
        expected = [describe_naively(mine, words, place) for place in places]
        assert_allclose(features.loc[session], np.array(expected, dtype=float))


def test_order_of_sessions_documents_and_polars_do_not_matter(seed):
    polars = pytest.importorskip("polars")
    study = make_reading_sessions(1, 2, 3, random_state=seed)
    expected = extract_fixation_features(study.fixations, study.words)
    rng = np.random.default_rng(seed)
    order = rng.permutation(6)[study.fixations["session"]]
    mixed = study.fixations.iloc[np.argsort(order, kind="stable")]
    again = extract_fixation_features(
        polars.from_pandas(mixed), polars.from_pandas(study.words)
    )
    assert_allclose(again, expected)
    document = rng.permutation(250)[study.words["document"]]
    moved = np.argsort(document, kind="stable")
    shuffled = extract_fixation_features(study.fixations, study.words.iloc[moved])
    back = shuffled.rename(index=dict(enumerate(moved)), level="word").sort_index()
    pd.testing.assert_frame_equal(back, expected)


def test_fixations_beside_words_are_left_out():
    astray = FIXATIONS.iloc[[0]].assign(x=145.0, y=45.0)  # right of the second line
    below = FIXATIONS.iloc[[0]].assign(y=300.0)
    above = FIXATIONS.iloc[[0]].assign(y=-5.0)
    more = pd.concat([above, FIXATIONS[:2], astray, FIXATIONS[2:], below])
    assert_allclose(extract_fixation_features(more, WORDS), EXPECTED)


def test_missing_neighbors_may_be_nan():
    features = extract_fixation_features(FIXATIONS, WORDS, missing=np.nan)
    at = [FIXATION_FEATURES.index(name) for name in ("previous_duration",)]
    assert features.iloc[0, at].isna().all()
    assert features.isna().to_numpy().sum() == 4  # three of A, one of C


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (
            lambda f, w: (f.drop(columns="pupil"), w),
            "fixations must be a dataframe .*pu",
        ),
        (lambda f, w: (f, w.drop(columns="line")), "words must be a dataframe .*line"),
        (lambda f, w: (f.assign(duration=0.0), w), "durations above 0"),
        (lambda f, w: (f.assign(pupil=np.nan), w), "6 in the column 'pupil'"),
        (lambda f, w: (f.assign(document="other"), w), "got the document 'other'"),
        (lambda f, w: (f.assign(y=500.0), w), "got none inside"),
        (lambda f, w: (f[:0], w), "fixations must have one row or more"),
        (
            lambda f, w: (
                f.assign(document=["page"] * 5 + ["next"]),
                pd.concat([w, w.assign(document="next")]),
            ),
            "one document in each session",
        ),
    ],
)
def test_bad_input(change, message):
    with pytest.raises(ValueError, match=message):
        extract_fixation_features(*change(FIXATIONS, WORDS))

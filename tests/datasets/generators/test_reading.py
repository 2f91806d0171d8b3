"""Made-up reading sessions: shapes, places, and what recognition does to eyes."""

import numpy as np
import pandas as pd
import pytest
from numpy.testing import assert_array_equal

from manyminds.datasets import make_reading_sessions


def test_tables_fit_together(seed):
    study = make_reading_sessions(3, 2, 4, n_topics=5, random_state=seed)
    words, sessions, fixations = study.words, study.sessions, study.fixations
    assert len(sessions) == 3 * 2 * 4
    assert sessions["reader"].tolist() == np.repeat(range(3), 8).tolist()
    counted = pd.crosstab(words["document"], words["term"])
    assert_array_equal(
        study.counts.toarray()[:, counted.columns], counted.loc[range(50)]
    )
    assert_array_equal(
        fixations["document"], sessions["document"].to_numpy()[fixations["session"]]
    )
    assert len(study.topic_names) == 5 and study.document_topics.max() == 4
    assert (sessions["search_topic"] < 5).all()
    again = make_reading_sessions(3, 2, 4, n_topics=5, random_state=seed)
    pd.testing.assert_frame_equal(again.fixations, fixations)


def test_words_of_a_line_lie_side_by_side(seed):
    words = make_reading_sessions(1, random_state=seed).words
    same = (words["document"].diff() == 0) & (words["line"].diff() == 0)
    assert (words["left"][same] == words["right"].shift()[same]).all()
    assert (words["left"][~same] == 0.0).all()
    assert words["left"].max() < 600.0


def test_time_passes(seed):
    fixations = make_reading_sessions(1, random_state=seed).fixations
    end = fixations["time"] + fixations["duration"]
    same = fixations["session"].diff() == 0
    assert (fixations["time"][same] > end.shift()[same]).all()
    assert (fixations["time"][~same].abs() < 1e-6).all()


def measure_pupils(study):
    """Return the difference of pupils on recognized words and on others."""
    x, line = study.fixations["x"], study.fixations["y"] // 30.0
    words = study.words.assign(word=study.words.index)
    merged = study.fixations.assign(line=line.astype(int), x=x).merge(
        words, on=["document", "line"]
    )
    merged = merged[(merged["left"] <= merged["x"]) & (merged["x"] < merged["right"])]
    assert len(merged) == len(study.fixations)  # each fixation is on one word
    known = study.recognized.loc[list(zip(merged["session"], merged["word"]))]
    known = known.to_numpy()
    return merged["pupil"][known].mean() - merged["pupil"][~known].mean()


def test_pupils_react_to_recognized_words_unless_told_not_to(seed):
    # 0.12 mm in the law; a standard error is about 0.01 for either.
    react = make_reading_sessions(6, random_state=seed)
    assert 0.05 < measure_pupils(react) < 0.19
    still = make_reading_sessions(6, signal=0.0, random_state=seed)
    assert abs(measure_pupils(still)) < 0.07


def test_words_of_the_search_are_recognized_more_often(seed):
    study = make_reading_sessions(6, random_state=seed)
    session = study.recognized.index.get_level_values(0)
    topic = study.document_topics[study.sessions["document"]]
    about = (topic == study.sessions["search_topic"]).to_numpy()[session]
    assert study.recognized[about].mean() > 2.0 * study.recognized[~about].mean()
    assert (
        np.mean((topic == study.sessions["search_topic"]) == study.sessions["marked"])
        > 0.8
    )


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"n_readers": 0}, "n_readers must be an integer, 1 or more"),
        ({"n_topics": 26}, "n_topics must be an integer, from 2 to 25"),
        ({"signal": -1.0}, "signal must be a finite number"),
    ],
)
def test_bad_parameters(options, message):
    with pytest.raises(ValueError, match=message):
        make_reading_sessions(**options)

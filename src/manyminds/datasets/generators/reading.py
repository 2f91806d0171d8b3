"""Made-up reading sessions: how eyes move over words that a reader looks for."""

import csv
from importlib.resources import files

import numpy as np
import pandas as pd
from scipy.sparse import csr_array
from sklearn.utils import Bunch, check_random_state

from manyminds.datasets.generators._drawing import check_count, check_number
from manyminds.datasets.generators._paragraphs import document_generator

# All numbers below are our choice. They were set, in three trials and before any other
# method was run, so that a random forest errs about as often as in the published study:
# on 37 % of the words, 4 points less than the majority class.
_TOPICAL, _STRAY = 0.3, 0.06  # share of words of the document's topic, and of others
_BURSTS = 12.0  # larger: documents of a topic use its words more alike
_LETTER, _LINE, _PAGE = 9.0, 30.0, 600.0  # width, height, width of a page, in pixels
_RELEVANT = 0.5  # share of shown documents that are about the search topic
_MARKED = 0.95, 0.04  # chance to mark a document of this topic, and of another
# Chance that a word is recognized: one of the search topic, of another, a common one.
_RECOGNIZED = 0.75, 0.15, 0.03
_VIEW = 0.2, 0.25, 0.6  # log odds to view: base, per letter above four, if recognized
_AGAIN = 0.05, 0.025, 0.25  # more fixations of a pass: base, per letter, if recognized
_DURATION, _SPREAD, _READER = 220.0, 0.35, 0.12  # ms; of logarithms
_LINGER = 0.22  # logarithm by which further fixations last longer, if recognized
_RETURN = 0.06, 0.16  # chance of a later regression to a word: base, if recognized
_READ_AGAIN = 0.06  # chance that a line is read twice
_PUPIL, _PUPIL_READER, _PUPIL_SESSION, _PUPIL_NOISE = 3.5, 0.25, 0.08, 0.15  # mm
_DILATION = 0.12  # mm, if recognized


@document_generator
def make_reading_sessions(
    n_readers=9,
    n_searches=4,
    n_shown=6,
    *,
    n_topics=25,
    n_documents_per_topic=10,
    signal=1.0,
    random_state=None,
):
    """Draw documents, and the fixations of readers who search them for a topic.

    All of it is made up: the recordings of the study that it stands in for [1]_ are not
    public. Only its topics and their words are taken from there. A document mixes words
    of its topic with common ones. A reader is shown documents about the search topic
    and others, and marks them as relevant or not. Words of the search topic are mostly
    recognized, others seldom. A recognized word is skipped less often, fixated more
    often and longer after the first fixation, returned to more often, and it dilates
    the pupil. Readers differ in their pupils and in how fast they read.

    Parameters
    ----------
    n_readers : int, default=9
        Number of readers.
    n_searches : int, default=4
        Number of topics that each reader searches for.
    n_shown : int, default=6
        Number of documents shown in each search; a session is one of them.
    n_topics : int, default=25
        Number of topics, from 2 to 25.
    n_documents_per_topic : int, default=10
        Number of documents of each topic.
    signal : float, default=1.0
        How strongly eyes react to a word that is recognized; 0 for not at all.
    {random_state}

    Returns
    -------
    study : Bunch
        With the attributes

        - ``counts``: sparse array of shape (n_documents, n_terms), how often each
          document has each term;
        - ``vocabulary``: the terms; ``topic_names``: the topics;
        - ``document_topics``: topic of each document;
        - ``words``: DataFrame of the words on the pages in reading order, with
          ``document``, ``term``, ``line`` and the box ``left``, ``right``, ``top`` and
          ``bottom`` in pixels;
        - ``sessions``: DataFrame with ``reader``, ``search_topic``, ``document`` and
          ``marked``, whether the reader marked the document as relevant;
        - ``fixations``: DataFrame in the order of time with ``session``, ``document``,
          ``time`` and ``duration`` in ms, ``x`` and ``y`` in pixels, and ``pupil``, its
          diameter in mm;
        - ``recognized``: Series of bool, with the levels ``session`` and ``word``, a
          row of ``words``: what no recorder can see.

    References
    ----------
    .. [1] Rogers, "Ensemble algorithms and feature selection", PhD thesis, University
       of Southampton, 2007, chapter 9 and appendix A.

    Examples
    --------
    >>> from manyminds.datasets import make_reading_sessions
    >>> study = make_reading_sessions(n_readers=5, random_state=0)
    >>> len(study.sessions), study.counts.shape[0], study.topic_names[1]
    (120, 250, 'dinosaurs')
    """
    n_topics = check_count("n_topics", n_topics, low=2, high=25)
    sizes = {"n_readers": n_readers, "n_searches": n_searches, "n_shown": n_shown}
    sizes = [check_count(name, value) for name, value in sizes.items()]
    n_each = check_count("n_documents_per_topic", n_documents_per_topic)
    signal = check_number("signal", signal)
    rng = check_random_state(random_state)

    names, vocabulary, topical, common = _read_vocabulary(n_topics)
    document_topics = np.repeat(np.arange(n_topics), n_each)
    words, counts = _draw_documents(document_topics, vocabulary, topical, common, rng)
    sessions = _draw_sessions(*sizes, document_topics, rng)
    glances = _draw_glances(sessions, words, topical, signal, rng)
    fixations = _draw_fixations(glances, sessions, words, signal, rng)
    return Bunch(
        counts=counts, vocabulary=vocabulary, topic_names=names,
        document_topics=document_topics, words=words, sessions=sessions,
        fixations=fixations,
        recognized=glances.set_index(["session", "word"])["recognized"],
    )  # fmt: skip


def _read_vocabulary(n_topics):
    """Return topics, terms, and the weights of terms in each topic and elsewhere."""
    file = files(__package__) / "files" / "reading_words.csv"
    rows = csv.DictReader(file.read_text(encoding="utf-8").splitlines())
    *lists, frequent = [(row["topic"], row["words"].split()) for row in rows]
    lists = lists[:n_topics]
    everything = [term for _, terms in [*lists, frequent] for term in terms]
    vocabulary = np.unique(everything)
    topical = np.zeros((n_topics, len(vocabulary)))
    for topic, (_, terms) in enumerate(lists):
        at = np.searchsorted(vocabulary, terms)
        topical[topic, at] = 1.0 / (np.arange(len(terms)) + 5.0)
    common = np.zeros(len(vocabulary))
    at = np.searchsorted(vocabulary, frequent[1])
    common[at] = 1.0 / (np.arange(len(at)) + 3.0)
    topical /= topical.sum(axis=1, keepdims=True)
    return [topic for topic, _ in lists], vocabulary, topical, common / common.sum()


def _draw_documents(document_topics, vocabulary, topical, common, rng):
    """Draw the words of the documents and lay them out on pages."""
    n_documents, n_terms = len(document_topics), len(vocabulary)
    bursts = rng.gamma(_BURSTS * topical[document_topics] + 1e-9)
    bursts /= bursts.sum(axis=1, keepdims=True)
    chance = _TOPICAL * bursts + _STRAY * topical.mean(axis=0)
    chance += (1.0 - _TOPICAL - _STRAY) * common
    document = np.repeat(np.arange(n_documents), 30 + rng.poisson(30.0, n_documents))
    heights = np.cumsum(chance, axis=1) / chance.sum(axis=1, keepdims=True)
    heights[:, -1] = 1.0
    stacked = (heights + np.arange(n_documents)[:, None]).ravel()
    drawn = np.searchsorted(stacked, document + rng.uniform(size=len(document)))
    term = np.minimum(drawn - document * n_terms, n_terms - 1)
    words = pd.DataFrame({"document": document, "term": term})
    width = _LETTER * (np.char.str_len(vocabulary)[term] + 1.0)
    ends = pd.Series(width).groupby(document).cumsum().to_numpy()
    words["line"] = ((ends - width) // _PAGE).astype(np.intp)
    words["left"] = ends - width
    words["left"] -= words.groupby(["document", "line"])["left"].transform("min")
    words["right"] = words["left"] + width
    words["top"] = _LINE * words["line"]
    words["bottom"] = words["top"] + _LINE
    counts = csr_array(
        (np.ones(len(term)), (document, term)), shape=(n_documents, n_terms)
    )
    counts.sum_duplicates()
    return words, counts


def _draw_sessions(n_readers, n_searches, n_shown, document_topics, rng):
    """Draw who searches for which topic, sees which document, and marks it."""
    n_topics, n_documents = document_topics.max() + 1, len(document_topics)
    n_sessions = n_readers * n_searches * n_shown
    search = np.arange(n_sessions) // n_shown
    topic = rng.randint(n_topics, size=n_readers * n_searches)[search]
    is_about = np.arange(n_sessions) % n_shown < round(_RELEVANT * n_shown)
    n_each = n_documents // n_topics
    other = (topic + rng.randint(1, n_topics, size=n_sessions)) % n_topics
    document = np.where(is_about, topic, other) * n_each
    document += rng.randint(n_each, size=n_sessions)
    marked = rng.uniform(size=n_sessions) < np.where(is_about, *_MARKED)
    return pd.DataFrame(
        {
            "reader": search // n_searches,
            "search_topic": topic,
            "document": document,
            "marked": marked,
        }
    )


def _draw_glances(sessions, words, topical, signal, rng):
    """Return each word of each session, and whether it is recognized and viewed."""
    n_words = np.bincount(words["document"])
    first = np.cumsum(n_words) - n_words
    length = n_words[sessions["document"]]
    session = np.repeat(np.arange(len(sessions)), length)
    place = np.arange(len(session)) - np.repeat(np.cumsum(length) - length, length)
    word = first[sessions["document"]][session] + place
    term, topic = words["term"].to_numpy()[word], sessions["search_topic"].to_numpy()
    wanted, any_topic = topical[topic[session], term] > 0.0, (topical > 0).any(axis=0)
    chance = np.where(any_topic[term], _RECOGNIZED[1], _RECOGNIZED[2])
    chance = np.where(wanted, _RECOGNIZED[0], chance)
    recognized = rng.uniform(size=len(session)) < chance
    letters = (words["right"] - words["left"]).to_numpy()[word] / _LETTER - 1.0
    base, per_letter, more = _VIEW
    odds = base + per_letter * (letters - 4.0) + more * signal * recognized
    viewed = rng.uniform(size=len(session)) < 1.0 / (1.0 + np.exp(-odds))
    return pd.DataFrame(
        {
            "session": session, "word": word, "place": place, "letters": letters,
            "recognized": recognized, "viewed": viewed,
        }
    )  # fmt: skip


def _draw_fixations(glances, sessions, words, signal, rng):
    """Draw the fixations of all sessions in the order of time."""
    events = _draw_events(glances, words, signal, rng)
    glance, is_further = glances.iloc[events["glance"]], events["order"].to_numpy() > 0
    session, word = glance["session"].to_numpy(), glance["word"].to_numpy()
    strength = signal * glance["recognized"].to_numpy()
    reader, n = sessions["reader"].to_numpy()[session], len(session)
    pace = _READER * rng.standard_normal(reader.max() + 1)
    logs = pace[reader] + _SPREAD * rng.standard_normal(n)
    duration = _DURATION * np.exp(logs + _LINGER * strength * is_further)
    pupil = _PUPIL + _PUPIL_READER * rng.standard_normal(reader.max() + 1)[reader]
    pupil += _PUPIL_SESSION * rng.standard_normal(len(sessions))[session]
    pupil += _DILATION * strength + _PUPIL_NOISE * rng.standard_normal(n)
    box = words.iloc[word]
    share = np.where(is_further, rng.uniform(size=n), rng.beta(2.5, 6.0, size=n))
    x = box["left"].to_numpy() + share * 0.999 * (box["right"] - box["left"]).to_numpy()
    y = box["top"].to_numpy() + _LINE * rng.beta(8.0, 8.0, size=n)
    elapsed = pd.Series(duration + 30.0).groupby(session).cumsum()
    return pd.DataFrame(
        {
            "session": session,
            "document": box["document"].to_numpy(),
            "time": elapsed.to_numpy() - duration - 30.0,
            "duration": duration,
            "x": x,
            "y": y,
            "pupil": pupil,
        }
    )


def _draw_events(glances, words, signal, rng):
    """Return which word is fixated when: passes, regressions and lines read again."""
    n = len(glances)
    strength = signal * glances["recognized"].to_numpy()
    place, viewed = glances["place"].to_numpy(), glances["viewed"].to_numpy()
    base, per_letter, more = _AGAIN
    n_more = rng.poisson(base + per_letter * glances["letters"] + more * strength)
    first_pass = np.repeat(np.arange(n), np.where(viewed, 1 + n_more, 0))
    order = np.arange(len(first_pass)) - np.searchsorted(first_pass, first_pass)
    base, more = _RETURN
    back = np.flatnonzero(viewed & (rng.uniform(size=n) < base + more * strength))
    line = words["line"].to_numpy()[glances["word"]]
    lines = glances.groupby(["session", line], sort=False)
    number, end = lines.ngroup().to_numpy(), lines["place"].transform("max").to_numpy()
    again = rng.uniform(size=number.max() + 1) < _READ_AGAIN
    again = np.flatnonzero(again[number] & (rng.uniform(size=n) < 0.5))
    events = pd.DataFrame(
        {
            "glance": np.concatenate([first_pass, back, again]),
            "when": np.concatenate(
                [
                    place[first_pass],
                    place[back] + rng.randint(1, 4, size=len(back)) + 0.5,
                    end[again] + 0.75,
                ]
            ),
            "order": np.concatenate([order, np.ones(len(back)), 1.0 + place[again]]),
        }
    )
    session = glances["session"].to_numpy()[events["glance"]]
    return events.iloc[np.lexsort((events["order"], events["when"], session))]

import inspect

import pytest

from manyminds.utils.docstrings import fill_docstring


def test_a_placeholder_takes_its_paragraph_with_its_indentation():
    @fill_docstring(seed="random_state : int\n    Seed.\n\n    More.")
    class Learner:
        """Learn.

        Parameters
        ----------
        {seed}
        other : int
            In :math:`x_{i}`, {seed} stays.
        """

    lines = inspect.getdoc(Learner).splitlines()  # Python 3.13 removes indentation
    assert lines[4:8] == ["random_state : int", "    Seed.", "", "    More."]
    assert lines[8] == "other : int"
    assert "{seed} stays" in lines[9]


def test_a_placeholder_without_text_is_an_error():
    with pytest.raises(KeyError, match="seed"):

        @fill_docstring(other="text")
        def learn():
            """Learn.

            {seed}
            """


def test_without_docstrings_nothing_is_done():
    def learn():
        pass

    assert fill_docstring(seed="text")(learn) is learn


def test_a_class_fills_the_docstrings_of_its_methods():
    @fill_docstring(rows="X : array-like")
    class Learner:
        """Learn."""

        def fit(self, X):
            """Fit.

            {rows}
            """

    assert inspect.getdoc(Learner.fit).splitlines()[2] == "X : array-like"

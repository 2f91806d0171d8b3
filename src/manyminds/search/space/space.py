"""The grammar of chains: which stages there are, and what each of them may be."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from sklearn.base import BaseEstimator
from sklearn.pipeline import Pipeline

from manyminds.ensemble import CVCommittee
from manyminds.preprocessing import ColumnCleaner, DateEncoder
from manyminds.search.space.balancing import PriorCorrectedClassifier
from manyminds.search.space.learners import CLASSIFIERS, REGRESSORS
from manyminds.search.space.options import Learner, Option
from manyminds.search.space.parameters import Number
from manyminds.search.space.problem import Problem
from manyminds.search.space.steps import ENCODERS, REDUCERS, SCALERS, SELECTORS

__all__ = ["Chain", "Space", "default_space"]

# A chain is what Optuna keeps of a trial: the options of the stages, and their values.
Chain = dict[str, Any]

STAGES = ("encode", "scale", "reduce", "select")
COMMITTEES = {
    "alone": 0,
    "committee": 7,
}  # an odd number, so that two classes never tie
# Metrics for which every class counts the same, however rare it is.
EVEN_METRICS = ("balanced_accuracy", "f1_macro", "recall_macro", "jaccard_macro")
BALANCES = ("priors", "weights")


@dataclass(frozen=True)
class Space:
    """List what the stages of a chain may be.

    A chain is read from left to right: take dates apart, clean, encode, scale, reduce
    without labels, select with labels, learn, and let the models of a cross-validation
    vote. Learners that read raw tables skip what they do not need.

    Parameters
    ----------
    encode, scale, reduce, select : sequence of Option
        What each stage may be.
    learner : sequence of Learner
        What may stand at the end.
    committees : bool, default=True
        Whether a chain may be a committee of cross-validation's models.
    first : sequence of dict, default=()
        Chains to try first, before those that the space comes with: what they do not
        say is taken from the defaults.

    Examples
    --------
    >>> from sklearn.tree import DecisionTreeClassifier
    >>> from manyminds.search import Learner, Number, default_space
    >>> def make_tree(problem, depth):
    ...     return DecisionTreeClassifier(max_depth=depth, random_state=0)
    >>> stump = Learner("stump", make_tree, {"depth": Number(1, 3, 1, whole=True)})
    >>> space = default_space("classification").adding("learner", stump)
    >>> space.learner[-1].name
    'stump'
    >>> [one.name for one in space.only("learner", "stump", "forest").learner]
    ['forest', 'stump']
    """

    encode: Sequence[Option]
    scale: Sequence[Option]
    reduce: Sequence[Option]
    select: Sequence[Option]
    learner: Sequence[Learner]
    committees: bool = True
    first: Sequence[Mapping[str, Any]] = ()

    # ---------------------------------------------------------- other spaces

    def adding(self, stage: str, *options: Option) -> "Space":
        """Return the space with more options in a stage."""
        return replace(self, **{stage: (*self._options(stage), *options)})

    def only(self, stage: str, *names: str) -> "Space":
        """Return the space with none but the named options in a stage."""
        known = {option.name: option for option in self._options(stage)}
        if unknown := [name for name in names if name not in known]:
            raise ValueError(
                f"{stage} has no option {unknown[0]!r}; it has {', '.join(known)}."
            )
        kept = tuple(one for one in self._options(stage) if one.name in names)
        return replace(self, **{stage: kept})

    def suiting(self, problem: Problem) -> "Space":
        """Return the space of those options that suit a problem.

        Raises if nothing is left of a stage.
        """
        kept = {}
        for stage in (*STAGES, "learner"):
            options = [one for one in self._options(stage) if one.suits(problem)]
            if stage == "learner" and problem.sparse:
                options = [one for one in options if one.takes_sparse]
            if not options:
                raise ValueError(
                    f"space has no option of the stage {stage!r} that suits this "
                    f"table of {problem.n_samples} rows and {problem.n_features} "
                    "columns."
                )
            kept[stage] = tuple(options)
        return replace(self, **kept)

    # ---------------------------------------------------------- chains

    def suggest(self, trial: Any, problem: Problem) -> Chain:
        """Ask a trial of Optuna for a chain.

        Parameters
        ----------
        trial : optuna.trial.Trial or an object that suggests in the same way
        problem : Problem
            For which the space has been cut by `suiting`.

        Returns
        -------
        chain : dict
        """
        chain: Chain = {}
        learner = self._ask(trial, chain, "learner", self.learner)
        for stage in self.stages_of(learner, problem):
            self._ask(trial, chain, stage, self._options(stage))
        for name, values in self._extras(problem).items():
            if len(values) > 1:
                chain[name] = trial.suggest_categorical(name, values)
        return chain

    def complete(self, chain: Mapping[str, Any], problem: Problem) -> Chain:
        """Fill a chain up with defaults, and leave out what it has no place for."""
        return self.suggest(_Given(dict(chain), self), problem)

    def build(self, chain: Mapping[str, Any], problem: Problem) -> BaseEstimator:
        """Make the estimator that a chain describes, not fitted.

        Parameters
        ----------
        chain : dict
            As `suggest` gives it.
        problem : Problem

        Returns
        -------
        estimator : estimator
            A pipeline, maybe with a correction for rare classes or a committee
            around it.
        """
        learner = self.find("learner", chain["learner"])
        steps: list[tuple[str, Any]] = []
        if problem.n_dates:
            steps.append(("dates", DateEncoder()))
        # Where there are gaps, a column may have nothing else in the rows of a fold.
        if problem.has_missing:
            steps.append(("clean", ColumnCleaner()))
        shape = problem  # of the table that a stage is given
        for stage in self.stages_of(learner, problem):
            step = self._make(stage, chain, shape)
            if step is not None:
                steps.append((stage, step))
            shape = self._pass(stage, chain, shape)
        model = self._make("learner", chain, problem)
        balance = self._value(chain, "balance", problem)
        if balance == "weights" and "class_weight" in model.get_params(deep=False):
            model.set_params(class_weight="balanced")
        if balance == "priors" or (balance == "weights" and not _answers_evenly(model)):
            model = PriorCorrectedClassifier(model)
        pipeline = Pipeline([*steps, ("learner", model)])
        n_folds = COMMITTEES[self._value(chain, "committee", problem)]
        return CVCommittee(pipeline, n_folds, voting="mean") if n_folds else pipeline

    def stages_of(self, learner: Learner, problem: Problem) -> list[str]:
        """List the stages that come before a learner, in their order.

        A learner that reads tables needs no encoding, unless columns are selected
        first; one that does not mind units needs no scale.
        """
        stages = [] if learner.reads_tables else ["encode"]
        stages += ["scale"] if learner.minds_units else []
        plain = not (problem.n_categorical or problem.has_missing)
        if plain or not learner.reads_tables:
            stages += ["reduce", "select"]
        return stages

    def find(self, stage: str, name: str) -> Any:
        """Find an option of a stage by its name."""
        for option in self._options(stage):
            if option.name == name:
                return option
        names = ", ".join(option.name for option in self._options(stage))
        raise ValueError(f"The stage {stage!r} has no {name!r}; it has {names}.")

    def describe(self, chain: Mapping[str, Any], problem: Problem) -> str:
        """Tell a chain in one line, for people.

        Examples
        --------
        >>> from manyminds.search import Problem, default_space
        >>> space = default_space("classification")
        >>> problem = Problem("classification", 100, 20, 2, 50, n_encoded=20)
        >>> chain = {"learner": "linear_svm", "select": "ssv", "ssv.share": 0.25}
        >>> space.describe(space.complete(chain, problem), problem)
        'standard > ssv(share=0.25) > linear_svm(C=1)'
        """
        learner = self.find("learner", chain["learner"])
        words = []
        for stage in [*self.stages_of(learner, problem), "learner"]:
            option = self.find(stage, chain.get(stage, self._options(stage)[0].name))
            if _makes_a_step(option, problem, self._values(option, chain)):
                words.append(_tell(option, self._values(option, chain)))
        balance = self._value(chain, "balance", problem)
        words += [balance] if balance != "as_is" else []
        committee = self._value(chain, "committee", problem)
        words += [committee] if committee != "alone" else []
        return " > ".join(words)

    # ---------------------------------------------------------- steps from a chain

    def change(
        self, chain: Mapping[str, Any], problem: Problem, rng: np.random.Generator
    ) -> Chain:
        """Change one thing in a chain: another option for a stage, or a value of it.

        Parameters
        ----------
        chain : dict
        problem : Problem
        rng : numpy.random.Generator

        Returns
        -------
        chain : dict
            Whole again: a new option comes with its defaults.
        """
        changed = dict(chain)
        learner = self.find("learner", chain["learner"])
        stages = [*self.stages_of(learner, problem), "learner"]
        open_stages = [one for one in stages if len(self._options(one)) > 1]
        used = [self.find(stage, changed[stage]) for stage in stages if stage in chain]
        values = [(one, name) for one in used for name in one.parameters]
        if values and (not open_stages or rng.random() < 0.5):
            for option, name in values:  # neighbors in all values at once
                key = option.key(name)
                changed[key] = option.parameters[name].step_from(changed[key], rng)
        elif open_stages:
            stage = open_stages[rng.integers(len(open_stages))]
            names = [one.name for one in self._options(stage)]
            others = [name for name in names if name != changed.get(stage)]
            changed[stage] = others[rng.integers(len(others))]
        return self.complete(changed, problem)

    # ---------------------------------------------------------- helpers

    def _options(self, stage: str) -> Sequence[Any]:
        if stage not in (*STAGES, "learner"):
            known = ", ".join((*STAGES, "learner"))
            raise ValueError(f"stage must be one of {known}; got {stage!r}.")
        return tuple(getattr(self, stage))

    def _extras(self, problem: Problem) -> dict[str, tuple[str, ...]]:
        """What a chain may be beside its stages; one value stands for no question."""
        even = problem.metric in EVEN_METRICS and not problem.is_balanced
        many = self.committees and problem.n_samples >= 30
        return {
            "balance": BALANCES if even else ("as_is",),
            "committee": tuple(COMMITTEES) if many else ("alone",),
        }

    def _value(self, chain: Mapping[str, Any], name: str, problem: Problem) -> str:
        return str(chain.get(name, self._extras(problem)[name][0]))

    def _ask(self, trial: Any, chain: Chain, stage: str, options: Sequence[Any]) -> Any:
        """Ask for the option of a stage, then for its values."""
        names = [option.name for option in options]
        chain[stage] = (
            trial.suggest_categorical(stage, names) if len(names) > 1 else names[0]
        )
        option = options[names.index(chain[stage])]
        for name, parameter in option.parameters.items():
            chain[option.key(name)] = parameter.suggest(trial, option.key(name))
        return option

    def _make(self, stage: str, chain: Mapping[str, Any], problem: Problem) -> Any:
        option = self.find(stage, chain[stage])
        return option.make(problem, **self._values(option, chain))

    def _pass(self, stage: str, chain: Mapping[str, Any], shape: Problem) -> Problem:
        """Return the problem as the stages after this one see it."""
        option = self.find(stage, chain[stage])
        if option.columns is None:
            return shape
        n_columns = option.columns(shape, **self._values(option, chain))
        return replace(shape, n_encoded=n_columns)

    @staticmethod
    def _values(option: Option, chain: Mapping[str, Any]) -> dict[str, Any]:
        return {
            name: chain.get(option.key(name), parameter.default)
            for name, parameter in option.parameters.items()
        }


class _Given:
    """Suggests what is given, or else the default, as a trial of Optuna would."""

    def __init__(self, given: dict[str, Any], space: Space) -> None:
        self.given = given
        self.defaults: dict[str, Any] = {}
        for stage in (*STAGES, "learner"):
            for option in getattr(space, stage):
                self.defaults |= option.defaults()

    def suggest_categorical(self, name: str, values: Sequence[Any]) -> Any:
        value = self.given.get(name, self.defaults.get(name, values[0]))
        return value if value in values else values[0]

    def suggest_float(
        self, name: str, low: float, high: float, log: bool = False
    ) -> float:
        value = self.given.get(name, self.defaults[name])
        return float(min(max(value, low), high))

    def suggest_int(self, name: str, low: int, high: int, log: bool = False) -> int:
        value = self.given.get(name, self.defaults[name])
        return int(min(max(round(value), low), high))


def default_space(task: str) -> Space:
    """Return the space that a search takes by itself.

    Parameters
    ----------
    task : {"classification", "regression"}

    Returns
    -------
    space : Space

    Examples
    --------
    >>> from manyminds.search import default_space
    >>> space = default_space("regression")
    >>> [option.name for option in space.scale][:3]
    ['standard', 'robust', 'quantile']
    """
    learners = {"classification": CLASSIFIERS, "regression": REGRESSORS}
    if task not in learners:
        raise ValueError(f"task must be one of {', '.join(learners)}; got {task!r}.")
    return Space(ENCODERS, SCALERS, REDUCERS, SELECTORS, learners[task])


def _answers_evenly(model: Any) -> bool:
    """Return whether class weights move the probabilities of a learner.

    Those of support vector machines are calibrated on the rows as they are.
    """
    has_weights = "class_weight" in model.get_params(deep=False)
    return has_weights and "SVM" not in type(model).__name__


def _makes_a_step(option: Option, problem: Problem, values: dict[str, Any]) -> bool:
    try:
        return option.make(problem, **values) is not None
    except Exception:  # its trial will tell the reason
        return True


def _tell(option: Option, values: Mapping[str, Any]) -> str:
    told = []
    for name, value in values.items():
        parameter = option.parameters[name]
        alone = len(values) == 1 and isinstance(parameter, Number)
        if value != parameter.default or alone:
            number = isinstance(value, float)
            told.append(f"{name}={value:.3g}" if number else f"{name}={value}")
    return f"{option.name}({', '.join(told)})" if told else option.name

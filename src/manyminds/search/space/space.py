"""The search space: the stages of pipelines, and the options of each stage."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from sklearn.base import BaseEstimator
from sklearn.pipeline import Pipeline
from sklearn.utils.validation import has_fit_parameter

from manyminds.ensemble import CVCommittee
from manyminds.learners import KernelWidthSVC
from manyminds.preprocessing import (
    ColumnCleaner,
    DateEncoder,
    TextEncoder,
    TextScores,
)
from manyminds.search.space.boosters import list_boosters
from manyminds.search.space.generators import GENERATORS, UNGENERATED
from manyminds.search.space.label_learners import LABEL_LEARNERS
from manyminds.search.space.learners import CLASSIFIERS, REGRESSORS
from manyminds.search.space.options import Learner, Option
from manyminds.search.space.parameters import Number
from manyminds.search.space.prior_correction import PriorCorrectedClassifier
from manyminds.search.space.problem import TEXT_COMPONENTS, Problem
from manyminds.search.space.steps import ENCODERS, REDUCERS, SCALERS, SELECTORS

__all__ = ["STAGES", "PipelineSpec", "Space", "default_space"]

# The description of a pipeline: the option of each stage, and its hyperparameters.
PipelineSpec = dict[str, Any]

STAGES = ("generate", "encode", "scale", "reduce", "select")  # before the learner
COMMITTEES = {
    "alone": 0,
    "committee": 7,
}  # an odd number, so that two classes never tie
# Metrics in which every class counts the same, however rare it is.
EVEN_METRICS = ("balanced_accuracy", "f1_macro", "recall_macro", "jaccard_macro")
BALANCES = ("priors", "weights")


@dataclass(frozen=True)
class Space:
    """List the options of the stages of pipelines.

    A pipeline encodes dates and texts, cleans, generates columns, encodes categories,
    scales, reduces without labels, selects with labels, learns, and may end in a vote
    of the models of a cross-validation. Learners that read raw tables skip what they do
    not need.

    Parameters
    ----------
    encode, scale, reduce, select : sequence of Option
        Options of each stage.
    learner : sequence of Learner
        Options of the last stage.
    committees : bool, default=True
        Whether a pipeline may end in a committee of the models of a cross-validation.
    first : sequence of dict, default=()
        Pipelines to evaluate first, before the usual initial ones; missing options and
        values are the defaults.
    generate : sequence of Option, default=(ungenerated,)
        Options of the stage before ``encode``, which appends columns.
    stacks : bool, default=True
        Whether learners may read the predictions of other pipelines as well.

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
    >>> [one.name for one in space.only("learner", "stump", "rf").learner]
    ['rf', 'stump']
    """

    encode: Sequence[Option]
    scale: Sequence[Option]
    reduce: Sequence[Option]
    select: Sequence[Option]
    learner: Sequence[Learner]
    committees: bool = True
    first: Sequence[Mapping[str, Any]] = ()
    generate: Sequence[Option] = (UNGENERATED,)
    stacks: bool = True

    # ---------------------------------------------------------- other spaces

    def adding(self, stage: str, *options: Option) -> "Space":
        """Return the space with more options in a stage."""
        return self._replace({stage: (*self._options(stage), *options)})

    def only(self, stage: str, *names: str) -> "Space":
        """Return the space with none but the named options in a stage."""
        known = {option.name: option for option in self._options(stage)}
        if unknown := [name for name in names if name not in known]:
            raise ValueError(
                f"{stage} has no option {unknown[0]!r}; it has {', '.join(known)}."
            )
        kept = tuple(one for one in self._options(stage) if one.name in names)
        return self._replace({stage: kept})

    def suiting(self, problem: Problem) -> "Space":
        """Return the space restricted to the options that suit a problem.

        Raises
        ------
        ValueError
            If a stage has no option left.
        """
        kept = {}
        for stage in (*STAGES, "learner"):
            options = [one for one in self._options(stage) if one.suits(problem)]
            if stage == "learner" and problem.sparse:
                options = [one for one in options if one.takes_sparse]
            if not options:
                raise ValueError(
                    f"space must have an option of the stage {stage!r} that suits this "
                    f"table of {problem.n_samples} rows and {problem.n_features} "
                    "columns; got none."
                )
            kept[stage] = tuple(options)
        return self._replace(kept)

    def taking_weights(self, problem: Problem) -> "Space":
        """Return the space with those learners alone that take weights of rows.

        Raises
        ------
        ValueError
            If there is none.
        """
        kept = []
        for one in self.learner:
            pipeline = self.complete({"learner": one.name}, problem)
            model = self._make("learner", pipeline, problem)
            if has_fit_parameter(model, "sample_weight"):
                kept.append(one.name)
        if not kept:
            names = ", ".join(one.name for one in self.learner)
            raise ValueError(
                f"space must have a learner that takes sample_weight; got {names}."
            )
        return self.only("learner", *kept)

    # ---------------------------------------------------------- pipelines

    def suggest(self, trial: Any, problem: Problem) -> PipelineSpec:
        """Return the pipeline that a trial of Optuna suggests.

        Parameters
        ----------
        trial : optuna.trial.Trial or an object that suggests in the same way
        problem : Problem
            To which the space has been restricted by `suiting`.

        Returns
        -------
        pipeline : dict
        """
        pipeline: PipelineSpec = {}
        learner = self._suggest(trial, pipeline, "learner", self.learner)
        for stage in self.stages_of(learner, problem):
            self._suggest(trial, pipeline, stage, self._options(stage))
        for name, values in self._extras(problem).items():
            if len(values) > 1:
                pipeline[name] = trial.suggest_categorical(name, values)
        if pipeline.get("generate", UNGENERATED.name) != UNGENERATED.name:
            pipeline.pop("committee", None)  # its members would generate anew in folds
        return pipeline

    def complete(self, pipeline: Mapping[str, Any], problem: Problem) -> PipelineSpec:
        """Complete a pipeline by defaults, and drop what does not apply to it."""
        return self.suggest(_FixedTrial(dict(pipeline), self), problem)

    def build(self, pipeline: Mapping[str, Any], problem: Problem) -> BaseEstimator:
        """Build the unfitted estimator that a pipeline describes.

        Parameters
        ----------
        pipeline : dict
            From `suggest`.
        problem : Problem

        Returns
        -------
        estimator : estimator
            A `Pipeline`, maybe with a correction for rare classes or inside a
            committee.
        """
        learner = self.find("learner", pipeline["learner"])
        steps: list[tuple[str, Any]] = []
        if problem.n_dates:
            steps.append(("dates", DateEncoder()))
        if problem.texts:
            texts = list(problem.texts)
            if problem.scores_texts:
                scores = TextScores(columns=texts, task=problem.task)
                steps.append(("text_scores", scores))
            encoder = TextEncoder(TEXT_COMPONENTS, columns=texts, statistics=True)
            steps.append(("texts", encoder))
        # With missing values, a column may have no value in the rows of a fold.
        if problem.has_missing or problem.n_constant:
            steps.append(("clean", ColumnCleaner(keep_one=True)))
        shape = problem  # of the input of a stage
        for stage in self.stages_of(learner, problem):
            step = self._make(stage, pipeline, shape)
            if step is not None:
                steps.append((stage, step))
            shape = self._follow(stage, pipeline, shape)
        model = self._make("learner", pipeline, problem)
        balance = self._value(pipeline, "balance", problem)
        if balance == "weights" and "class_weight" in model.get_params(deep=False):
            model.set_params(class_weight="balanced")
        if balance == "priors" or (
            balance == "weights" and not _uses_class_weights(model)
        ):
            model = PriorCorrectedClassifier(model)
        whole = Pipeline([*steps, ("learner", model)])
        n_folds = COMMITTEES[self._value(pipeline, "committee", problem)]
        return CVCommittee(whole, n_folds, voting="mean") if n_folds else whole

    def stages_of(self, learner: Learner, problem: Problem) -> list[str]:
        """Return the stages before a learner, in their order.

        A learner that reads tables needs no encoding; one that does not depend on units
        needs no scaling.
        """
        stages = [] if self._generates_nothing() else ["generate"]
        stages += [] if learner.reads_tables else ["encode"]
        stages += ["scale"] if learner.needs_scaling else []
        plain = not (problem.n_categorical or problem.has_missing)
        if plain or not learner.reads_tables:
            stages += ["reduce", "select"]
        return stages

    def find(self, stage: str, name: str) -> Any:
        """Return the option of a stage by its name."""
        for option in self._options(stage):
            if option.name == name:
                return option
        names = ", ".join(option.name for option in self._options(stage))
        raise ValueError(f"The stage {stage!r} has no {name!r}; it has {names}.")

    def describe(self, pipeline: Mapping[str, Any], problem: Problem) -> str:
        """Describe a pipeline in one line.

        Examples
        --------
        >>> from manyminds.search import Problem, default_space
        >>> space = default_space("classification")
        >>> problem = Problem("classification", 100, 20, 2, 50, n_encoded=20)
        >>> pipeline = {"learner": "linear_svm", "select": "ssv", "ssv.share": 0.25}
        >>> space.describe(space.complete(pipeline, problem), problem)
        'standard > ssv(share=0.25) > linear_svm(C=1)'
        """
        learner = self.find("learner", pipeline["learner"])
        words = []
        for stage in [*self.stages_of(learner, problem), "learner"]:
            option = self._find_chosen(stage, pipeline)
            if _makes_a_step(option, problem, self._values(option, pipeline)):
                words.append(_describe(option, self._values(option, pipeline)))
        balance = self._value(pipeline, "balance", problem)
        words += [balance] if balance != "as_is" else []
        committee = self._value(pipeline, "committee", problem)
        words += [committee] if committee != "alone" else []
        rows = pipeline.get("rows", 1.0)
        words += [f"{100 * rows:.3g} % of the rows"] if rows < 1.0 else []
        return " > ".join(words)

    # ---------------------------------------------------------- steps from a pipeline

    def change(
        self, pipeline: Mapping[str, Any], problem: Problem, rng: np.random.Generator
    ) -> PipelineSpec:
        """Return a pipeline with another option for one stage, or with other values.

        Parameters
        ----------
        pipeline : dict
        problem : Problem
        rng : numpy.random.Generator

        Returns
        -------
        pipeline : dict
            Completed: a new option has its defaults.
        """
        changed = dict(pipeline)
        learner = self.find("learner", pipeline["learner"])
        stages = [*self.stages_of(learner, problem), "learner"]
        open_stages = [one for one in stages if len(self._options(one)) > 1]
        used = [
            self.find(stage, changed[stage]) for stage in stages if stage in pipeline
        ]
        values = [(one, name) for one in used for name in one.parameters]
        if values and (not open_stages or rng.random() < 0.5):
            for option, name in values:  # a step in all values at once
                key = option.key(name)
                changed[key] = option.parameters[name].step_from(changed[key], rng)
        elif open_stages:
            stage = open_stages[rng.integers(len(open_stages))]
            names = [one.name for one in self._options(stage)]
            others = [name for name in names if name != changed.get(stage)]
            changed[stage] = others[rng.integers(len(others))]
        return self.complete(changed, problem)

    # ---------------------------------------------------------- helpers

    def _generates_nothing(self) -> bool:
        return [option.name for option in self.generate] == [UNGENERATED.name]

    def _replace(self, stages: Mapping[str, Sequence[Any]]) -> "Space":
        """Return the space with other options in some stages."""
        options: dict[str, Any] = dict(stages)
        return replace(self, **options)

    def _options(self, stage: str) -> Sequence[Any]:
        if stage not in (*STAGES, "learner"):
            known = ", ".join((*STAGES, "learner"))
            raise ValueError(f"stage must be one of {known}; got {stage!r}.")
        return tuple(getattr(self, stage))

    def _extras(self, problem: Problem) -> dict[str, tuple[str, ...]]:
        """Return the choices that are not stages; a single value is not suggested."""
        even = problem.metric in EVEN_METRICS and not problem.is_balanced
        many = self.committees and problem.n_samples >= 30
        return {
            "balance": BALANCES if even else ("as_is",),
            "committee": tuple(COMMITTEES) if many else ("alone",),
        }

    def _value(self, pipeline: Mapping[str, Any], name: str, problem: Problem) -> str:
        return str(pipeline.get(name, self._extras(problem)[name][0]))

    def _suggest(
        self, trial: Any, pipeline: PipelineSpec, stage: str, options: Sequence[Any]
    ) -> Any:
        """Suggest the option of a stage, then its values."""
        names = [option.name for option in options]
        pipeline[stage] = (
            trial.suggest_categorical(stage, names) if len(names) > 1 else names[0]
        )
        option = options[names.index(pipeline[stage])]
        for name, parameter in option.parameters.items():
            pipeline[option.key(name)] = parameter.suggest(trial, option.key(name))
        return option

    def _make(self, stage: str, pipeline: Mapping[str, Any], problem: Problem) -> Any:
        option = self._find_chosen(stage, pipeline)
        return option.make(problem, **self._values(option, pipeline))

    def _find_chosen(self, stage: str, pipeline: Mapping[str, Any]) -> Any:
        """Return the option of a stage; the first if a pipeline names none."""
        return self.find(stage, pipeline.get(stage, self._options(stage)[0].name))

    def _follow(
        self, stage: str, pipeline: Mapping[str, Any], shape: Problem
    ) -> Problem:
        """Return the problem after a stage, with the number of its output columns."""
        option = self._find_chosen(stage, pipeline)
        if option.columns is None:
            return shape
        n_columns = option.columns(shape, **self._values(option, pipeline))
        return replace(shape, n_encoded=n_columns)

    @staticmethod
    def _values(option: Option, pipeline: Mapping[str, Any]) -> dict[str, Any]:
        return {
            name: pipeline.get(option.key(name), parameter.default)
            for name, parameter in option.parameters.items()
        }


class _FixedTrial:
    """Suggest given values, or else defaults, in place of a trial of Optuna."""

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
    """Return the default space of a task.

    Parameters
    ----------
    task : {"classification", "regression", "multilabel"}
        Of one target, there are learners of LightGBM, XGBoost and CatBoost where these
        are installed. Of many labels, no option needs a single target: no step selects
        columns or encodes categories by the target, and pipelines do not end in a
        committee.

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
    learners = {
        "classification": CLASSIFIERS,
        "regression": REGRESSORS,
        "multilabel": LABEL_LEARNERS,
    }
    if task not in learners:
        raise ValueError(f"task must be one of {', '.join(learners)}; got {task!r}.")
    if task == "multilabel":
        return Space(
            [one for one in ENCODERS if one.name != "target_means"],
            SCALERS,
            REDUCERS,
            [one for one in SELECTORS if one.name == "unselected"],
            LABEL_LEARNERS,
            committees=False,
        )
    every = (*learners[task], *list_boosters())
    return Space(ENCODERS, SCALERS, REDUCERS, SELECTORS, every, generate=GENERATORS)


def _uses_class_weights(model: Any) -> bool:
    """Return whether class weights change the probabilities of a learner.

    Those of support vector machines are calibrated without the weights.
    """
    has_weights = "class_weight" in model.get_params(deep=False)
    return has_weights and not isinstance(model, KernelWidthSVC)


def _makes_a_step(option: Option, problem: Problem, values: dict[str, Any]) -> bool:
    try:
        return option.make(problem, **values) is not None
    except Exception:  # its trial will report the reason
        return True


def _describe(option: Option, values: Mapping[str, Any]) -> str:
    shown = []
    for name, value in values.items():
        parameter = option.parameters[name]
        alone = len(values) == 1 and isinstance(parameter, Number)
        if value != parameter.default or alone:
            number = isinstance(value, float)
            shown.append(f"{name}={value:.3g}" if number else f"{name}={value}")
    return f"{option.name}({', '.join(shown)})" if shown else option.name

"""Keep the models of folds, for searches without the time to fit them once more."""

import hashlib
import json
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any, BinaryIO

import joblib

from manyminds.search.space.space import PipelineSpec

__all__ = ["KeptModels"]

# Bytes: larger models take long to write, to load and to predict.
MAX_FILE, MAX_FOLDER = 120_000_000, 2_000_000_000
SUFFIX = ".joblib"


class KeptModels:
    """Files of fitted models in a temporary folder of a running search.

    Worker processes write them; the search reads those of the pipelines that it
    chooses. The folder is readable by this user only, and ends with the search. Where
    it is full, models give way to better ones; the best of a learner do so last, since
    a committee needs different learners.

    Parameters
    ----------
    folder : Path

    Examples
    --------
    >>> import tempfile
    >>> from pathlib import Path
    >>> from manyminds.search.evaluation.kept_models import KeptModels
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     kept = KeptModels(Path(folder))
    ...     kept.save({"learner": "gb"}, ["a model"])
    ...     print(kept.has({"learner": "gb"}), kept.load({"learner": "gb"}))
    True ['a model']
    """

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def has(self, pipeline: PipelineSpec) -> bool:
        """Return whether the models of a pipeline are kept."""
        return self._find(pipeline) is not None

    def save(
        self, pipeline: PipelineSpec, models: Sequence[Any], score: float = 0.0
    ) -> None:
        """Keep the models of all folds, unless they are too large.

        A full disk, or a model that cannot be written, is no reason to fail: the
        pipeline is fitted again if it is chosen.

        Parameters
        ----------
        pipeline : dict
        models : sequence of estimator
        score : float, default=0.0
            More is better.
        """
        name = f"{_hash(pipeline)}_{_hash(pipeline['learner'])}_{float(score)!r}"
        part = self.folder / f"{name}.part"
        try:
            with part.open("wb") as stream:
                joblib.dump(list(models), _Bounded(stream, MAX_FILE))
            if self._make_room(part):
                part.replace(self.folder / (name + SUFFIX))
        except Exception:
            pass
        part.unlink(missing_ok=True)

    def load(self, pipeline: PipelineSpec) -> list[Any]:
        """Return the models of all folds."""
        file = self._find(pipeline)
        assert file is not None
        models: list[Any] = joblib.load(file)
        return models

    def _find(self, pipeline: PipelineSpec) -> Path | None:
        return next(self.folder.glob(f"{_hash(pipeline)}_*{SUFFIX}"), None)

    def _make_room(self, new: Path) -> bool:
        """Remove files that are worse than a new one, as need be; return if it fits."""
        sizes = {
            one: one.stat().st_size for one in (new, *self.folder.glob("*" + SUFFIX))
        }
        excess = sum(sizes.values()) - MAX_FOLDER
        worst_first = _rank(sizes)
        removed = []
        for one in worst_first:
            if excess <= 0:
                break
            if one == new:
                return False
            removed.append(one)
            excess -= sizes[one]
        for one in removed:
            one.unlink(missing_ok=True)
        return True


def _hash(value: Any) -> str:
    text = json.dumps(value, sort_keys=True, default=str)
    return hashlib.sha256(text.encode()).hexdigest()[:32]


def _rank(files: Iterable[Path]) -> list[Path]:
    """Return files of models, the worst first, and the best of each learner last."""
    parts = {one: one.stem.split("_") for one in files}
    score = {one: float(part[2]) for one, part in parts.items()}
    best: dict[str, Path] = {}
    for one in sorted(score, key=score.__getitem__):
        best[parts[one][1]] = one
    return sorted(score, key=lambda one: (one in best.values(), score[one]))


class _Bounded:
    """A stream that takes so many bytes at most."""

    def __init__(self, stream: BinaryIO, n_most: int) -> None:
        self.stream, self.left = stream, n_most

    def write(self, piece: Any) -> int:
        """Write a piece, or raise if it is too much."""
        size = memoryview(piece).nbytes
        self.left -= size
        if self.left < 0:
            raise OSError("too large to be kept")
        return self.stream.write(piece)

    def __getattr__(self, name: str) -> Any:
        return getattr(self.stream, name)

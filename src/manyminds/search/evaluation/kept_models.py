"""Keep the models of folds, for searches without the time to fit them once more."""

import hashlib
import json
from collections.abc import Sequence
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
    chooses. The folder is readable by this user only, and ends with the search.

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
        return self._name(pipeline).exists()

    def save(self, pipeline: PipelineSpec, models: Sequence[Any]) -> None:
        """Keep the models of all folds, unless they are too large.

        A full disk, or a model that cannot be written, is no reason to fail: the
        pipeline is fitted again if it is chosen.
        """
        used = sum(one.stat().st_size for one in self.folder.glob("*" + SUFFIX))
        if used > MAX_FOLDER:
            return
        file = self._name(pipeline)
        part = file.with_suffix(".part")
        try:
            with part.open("wb") as stream:
                joblib.dump(list(models), _Bounded(stream, MAX_FILE))
            part.replace(file)
        except Exception:
            pass
        part.unlink(missing_ok=True)

    def load(self, pipeline: PipelineSpec) -> list[Any]:
        """Return the models of all folds."""
        models: list[Any] = joblib.load(self._name(pipeline))
        return models

    def _name(self, pipeline: PipelineSpec) -> Path:
        text = json.dumps(pipeline, sort_keys=True, default=str)
        return self.folder / (hashlib.sha256(text.encode()).hexdigest()[:32] + SUFFIX)


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

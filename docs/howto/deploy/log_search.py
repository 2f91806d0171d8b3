"""Log a search in MLflow: its scores, its model card and its model."""

import sys
from pathlib import Path

import mlflow

from manyminds.reports import read_search


def log_search(folder):
    """Log the search in a folder as a run; return what MLflow knows of its model."""
    summary, folder = read_search(folder), Path(folder)
    scores = {"honest": summary.honest.score, "naive": summary.honest.naive}
    with mlflow.start_run():
        mlflow.log_metrics(scores)
        mlflow.log_params({"best": summary.best[:500], "metric": summary.metric})
        mlflow.log_artifact(str(folder / "model_card.md"))
        return mlflow.pyfunc.log_model(
            name="model",
            python_model=str(Path(__file__).with_name("mlflow_model.py")),
            artifacts={"model": str(folder / "model.skops")},
            pip_requirements=["manyminds"],
        )


if __name__ == "__main__":
    print(log_search(sys.argv[1]).model_uri)

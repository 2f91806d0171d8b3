"""A model file of a search as a model of MLflow: code and file, no pickle."""

import mlflow

from manyminds.persistence import load_model


class SearchModel(mlflow.pyfunc.PythonModel):
    """Predict tables by a model.skops."""

    def load_context(self, context):
        """Load the model file."""
        self.model = load_model(context.artifacts["model"])

    def predict(self, context, model_input, params=None):
        """Return predictions and probabilities, one row for each row of a table."""
        return self.model.predict_table(model_input)


mlflow.models.set_model(SearchModel())

"""Problems of known densities: draws, posteriors, Bayes error."""

from dataclasses import dataclass

import numpy as np
from scipy.special import logsumexp, softmax
from sklearn.utils import check_random_state

from manyminds.datasets.generators._drawing import check_count


@dataclass(frozen=True)
class GaussianClasses:
    """Equally likely classes, each a mixture of equally likely isotropic Gaussians.

    means       (n_components, n_features)  float64
    stds        (n_components,)             float64, the same in all directions
    classes     (n_components,)             int, the class of each component
    """

    means: np.ndarray
    stds: np.ndarray
    classes: np.ndarray

    def draw(self, n_samples, random_state, return_posterior):
        """Draw rows and classes, with their posteriors if ``return_posterior``."""
        n_samples = check_count("n_samples", n_samples)
        rng = check_random_state(random_state)

        component = rng.choice(len(self.means), size=n_samples, p=self.weights())
        noise = rng.standard_normal((n_samples, self.means.shape[1]))
        X = self.means[component] + self.stds[component, None] * noise
        y = self.classes[component]
        return (X, y, self.posterior(X)) if return_posterior else (X, y)

    def weights(self):
        """Return the prior probability of each component."""
        members = np.bincount(self.classes)
        return 1.0 / (len(members) * members[self.classes])

    def log_joint(self, X):
        """Return the log of prior times density of each class at each row."""
        n_features = self.means.shape[1]
        squared = np.stack([((X - mean) ** 2).sum(axis=1) for mean in self.means], 1)
        parts = -0.5 * squared / self.stds**2
        parts -= n_features * np.log(self.stds * np.sqrt(2 * np.pi))
        parts += np.log(self.weights())
        columns = [
            logsumexp(parts[:, self.classes == c], axis=1)
            for c in range(self.classes.max() + 1)
        ]
        return np.stack(columns, axis=1)

    def posterior(self, X):
        """Return the probability of each class given each row."""
        return softmax(self.log_joint(X), axis=1)


def bayes_error_in_plane(log_joint, lower, upper, step):
    """Integrate the Bayes error over a grid of the plane."""
    across, up = (np.arange(low, high, step) for low, high in zip(lower, upper))
    points = np.stack([axis.ravel() for axis in np.meshgrid(across, up)], axis=1)
    best = log_joint(points).max(axis=1)
    return float(1.0 - np.exp(best).sum() * step**2)

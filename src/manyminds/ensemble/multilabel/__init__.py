"""Many labels at once: transformations, ensembles, forests, thresholds, measures."""

"""The selections of the GhostMiner team for the feature selection challenge of 2003."""

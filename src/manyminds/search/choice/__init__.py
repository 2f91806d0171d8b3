"""Choose the final model of a search, and score it without selection bias."""

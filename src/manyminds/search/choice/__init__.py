"""Choose among what was tried, and score the choice without selection bias."""

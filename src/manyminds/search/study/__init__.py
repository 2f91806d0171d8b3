"""Run a study: the store of trials, the scheduler and the clock."""

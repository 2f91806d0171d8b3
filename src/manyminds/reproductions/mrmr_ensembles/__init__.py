"""Fast ensembles of mRMR: how many passes they take, and how stable they are."""

"""RpBoost: what random projections do for boosted stumps, on patterns and on tables."""

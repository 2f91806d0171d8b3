"""Rule lists and robust trees."""

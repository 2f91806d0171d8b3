"""Forests of Local Trees beside their competitors, and what the weights do for them."""

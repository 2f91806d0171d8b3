"""Rules that compare printed with measured values, and their null controls."""

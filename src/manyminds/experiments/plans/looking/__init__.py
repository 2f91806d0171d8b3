"""Plans about what data are like."""

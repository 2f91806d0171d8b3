"""Error-correcting output codes: many classes by few binary learners."""

"""Random oracles in regression ensembles: what they win, ensemble by ensemble."""

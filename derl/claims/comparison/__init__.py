"""Table 1: what its rows say."""

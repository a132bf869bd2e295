"""The setting that all formulas share, and the least fixed points that their sizes are."""

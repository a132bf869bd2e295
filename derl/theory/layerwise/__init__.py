"""Sample sizes of Algorithm 1, and its replay in exact arithmetic."""

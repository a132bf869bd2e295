"""Algorithm 1: optimism, concentration, Theorem 4.1, how many deployments and trajectories."""

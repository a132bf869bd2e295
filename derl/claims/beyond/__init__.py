"""Beyond the paper: the exchange of samples for deployments."""

"""Constants and rules of Algorithm 2, optimal designs."""

"""The analysis of Algorithm 2: values that run away, and how many policies are needed."""

"""Definition 4.3: what nu_min is, how it is certified, what it is compared with."""

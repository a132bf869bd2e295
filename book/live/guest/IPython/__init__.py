"""A stand-in for IPython, as far as the cells of the book use it."""

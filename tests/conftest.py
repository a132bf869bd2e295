"""Its place makes this folder importable: tests/book and tests/labs share `browser`."""

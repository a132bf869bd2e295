"""The numbers of Table 1."""

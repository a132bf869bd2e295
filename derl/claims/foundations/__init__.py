"""The setting: assumptions, definitions, which norm of the measures."""

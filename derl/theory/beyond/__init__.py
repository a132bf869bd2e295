"""Beyond the paper: designs, blocks of layers, what they cost."""

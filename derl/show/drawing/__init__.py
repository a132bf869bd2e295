"""Code that all chapters share: the style, pictures of instances and of the graph, tables, and allowed choices."""

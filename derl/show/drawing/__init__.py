"""What all chapters share: one look, pictures of instances and of the graph, widgets and what they may ask for."""

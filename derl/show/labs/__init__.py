"""The labs: one description of the controls of each, and the panel that shows it in JupyterLab."""

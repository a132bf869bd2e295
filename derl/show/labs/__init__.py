"""The labs: what can be moved in each, said once, and the panel that shows it in JupyterLab."""

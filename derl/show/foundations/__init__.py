"""Numbers for the widgets on the page of the setting."""

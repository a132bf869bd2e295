"""Numbers for what moves on the page of the setting."""

"""Algorithms 3 and 4: exploration without a reward, planning for every linear reward."""

"""What a verdict rests on, with `derl.printed` and `derl.exact`: checks are tried, falsehoods planted, words given.

Nothing here or there imports another part of derl.
"""

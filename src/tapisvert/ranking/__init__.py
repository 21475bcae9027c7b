"""Hand orders: a hand's strength is an integer, and the higher number is the stronger hand.

`standard` is plain Python, for the table. `batch` computes the same over NumPy arrays, for
counting. This module does not import it, because the server must start without NumPy.
"""

"""Hand orders: a hand's strength is an integer, and the higher number is the stronger hand.

`standard` is plain Python, for the table. `batch` does the same over NumPy arrays, for counting;
it is never imported from here, because the server must start without NumPy.
"""

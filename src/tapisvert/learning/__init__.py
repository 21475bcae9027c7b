"""Learning: positions, lessons, strategy cards and practice.

Everything here is a replay of a deck that belongs to no round. It reads no wallet and writes to
no ledger, history or statistics.
"""

"""Strategies written as rules: read from files, valued over every position, and searched for."""

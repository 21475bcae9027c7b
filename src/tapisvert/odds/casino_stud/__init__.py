"""Casino Stud, counted."""

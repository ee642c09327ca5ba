"""Reading back: what the next session is told, and the answer to one question, both from facts that are passed in."""

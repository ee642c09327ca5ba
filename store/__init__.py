"""Keep: facts, candidates, reviews, sessions and their history."""

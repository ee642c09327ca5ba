"""What a team may change without touching code: fact types, gates, cue words, trust windows, settings."""

"""What the words of a sentence say: standing or for once, asserted or not, ours or somebody else's."""

"""What a repository's machine-read files say: lock files, CI run lines, owners, attributes.
Never README or wiki prose.
"""

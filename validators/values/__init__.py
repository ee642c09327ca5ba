"""What a value may look like: one file per kind of value, each with the same four functions.

``clean(value)`` is the value as it is shown and stored; ``check(value)`` names what is wrong with a cleaned one, or
gives None; ``normalise(value)`` is the form in which two values are compared; ``supported(value, text)`` says
whether a text holds the value as a word, name or path of its own.
"""

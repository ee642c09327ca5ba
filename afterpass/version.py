"""The released version, read by the build and by ``afterpass --version``."""

__version__ = "0.1.0"

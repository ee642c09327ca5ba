"""A package manager by a name that is known, with a version where one was said."""

from __future__ import annotations

import unicodedata
from functools import lru_cache

from transcripts.lazy import lazy
from validators.values.words import stands_in, unpunctuated

# Ecosystem → names of its managers. A repository that uses one of an ecosystem does not use another of it.
ECOSYSTEMS: dict[str, tuple[str, ...]] = {
    "javascript": ("npm", "pnpm", "yarn", "bun", "deno"),
    "python": (
        "pip",
        "pip-tools",
        "pipenv",
        "poetry",
        "uv",
        "pdm",
        "hatch",
        "rye",
        "conda",
        "mamba",
        "micromamba",
        "pixi",
    ),
    "rust": ("cargo",),
    "go": ("go", "go mod", "dep"),
    "java": ("maven", "gradle", "ant", "ivy", "sbt", "mill", "bazel"),
    "php": ("composer",),
    "ruby": ("bundler", "gem", "rubygems"),
    "dotnet": ("nuget", "dotnet", "paket"),
    "swift": ("swiftpm", "spm", "cocoapods", "carthage"),
    "elixir": ("mix", "hex", "rebar3"),
    "haskell": ("cabal", "stack"),
    "ocaml": ("opam", "esy"),
    "dart": ("pub", "flutter", "melos"),
    "clojure": ("leiningen", "lein", "deps.edn"),
    "c++": ("conan", "vcpkg", "hunter", "xmake"),
    "perl": ("cpanm", "carton", "cpan"),
    "lua": ("luarocks",),
    "r": ("renv", "pak", "packrat"),
    "julia": ("pkg",),
    "elm": ("elm",),
    "nim": ("nimble",),
    "zig": ("zig",),
    "system": (
        "brew",
        "apt",
        "apt-get",
        "apk",
        "dnf",
        "yum",
        "pacman",
        "nix",
        "guix",
        "choco",
        "scoop",
        "winget",
        "asdf",
        "mise",
    ),
}
SAME = {
    "mvn": "maven",
    "bundle": "bundler",
    "pip3": "pip",
    "homebrew": "brew",
    "go modules": "go mod",
    "go get": "go mod",
    "gomod": "go mod",
    "cocoapod": "cocoapods",
    "pod": "cocoapods",
    "pods": "cocoapods",
    "chocolatey": "choco",
    "swift package manager": "swiftpm",
    "spm": "swiftpm",
    "lein": "leiningen",
    "gradlew": "gradle",
    "mvnw": "maven",
    "yarn berry": "yarn@berry",
    "yarn classic": "yarn@1",
}
# The lock files whose names do not hold their manager's.
LOCK_FILES = {
    "npm": ("package-lock.json", "npm-shrinkwrap.json"),
    "bundler": ("gemfile.lock",),
    "pipenv": ("pipfile.lock",),
    "go mod": ("go.sum",),
    "bun": ("bun.lockb",),
    "swiftpm": ("package.resolved",),
    "cocoapods": ("podfile.lock",),
}
NAMES = frozenset(name for names in ECOSYSTEMS.values() for name in names) | SAME.keys()
VERSIONED = lazy(r"(?P<name>[a-z][a-z0-9 .+-]*?)(?:\s?@\s?|\s+v?(?=[0-9]))(?P<version>[0-9a-z][0-9a-z.^~*x-]*)")


def clean(value: str) -> str:
    """The name in lower case."""
    return " ".join(unicodedata.normalize("NFKC", unpunctuated(value)).lower().split())


def check(value: str) -> str | None:
    """A problem unless the value is a known manager's name, with or without a version."""
    if _parted(value)[0] in NAMES:
        return None
    return "not the name of a known package manager"


def normalise(value: str) -> str:
    """The manager's canonical name, and its version where one was said."""
    name, version = _parted(clean(value))
    name = SAME.get(name, name)
    return f"{name}@{version}" if version else name


def base(value: str) -> str:
    """The canonical name alone."""
    return normalise(value).partition("@")[0]


def ecosystem_of(value: str) -> str:
    """The ecosystem of a manager, or empty for one that is not known."""
    return next((ecosystem for ecosystem, names in ECOSYSTEMS.items() if base(value) in names), "")


def supported(value: str, text: str) -> bool:
    """Whether the text names the manager (and the version, if any), or its lock file."""
    return named(value, text) or _locked(value, text)


@lru_cache(maxsize=512)
def named(value: str, text: str) -> bool:
    """Whether the text names the manager itself (and the version, if any)."""
    name, version = _parted(clean(value))
    spellings = {name, *(other for other, same in SAME.items() if same == SAME.get(name, name))}
    return any(stands_in(spelling, text) for spelling in spellings) and (not version or stands_in(version, text))


def _locked(value: str, text: str) -> bool:
    name, version = _parted(normalise(value))
    files = (*LOCK_FILES.get(name, ()), f"{name}.lock", f"{name}-lock.yaml", f"{name}-lock.json")
    return not version and any(stands_in(file, text) for file in files)


def _parted(value: str) -> tuple[str, str]:
    match = VERSIONED.fullmatch(value)
    return (match["name"].strip(), match["version"]) if match else (value, "")

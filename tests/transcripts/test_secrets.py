"""Credentials are found before they leave; hashes, names, paths and prose stay."""

from __future__ import annotations

import subprocess
import sys

import pytest

from transcripts.secrets import PLACEHOLDER, Span, find_secrets, redact

# Every token here is made up: repeated words in the shape that an issuer uses.
CREDENTIALS = [
    "the staging login is always admin / s3cret-Pass",
    "the signing secret is always EXAMPLEexampleEXAMPLEexample",
    "AccountKey=EXAMPLEexampleEXAMPLEexampleEXAMPLEexampleEXAMPLEexample==",
    "always log in with user dana and password Sommer2026",
    "the heroku api key is always 01234567-89ab-cdef-0123-456789abcdef",
    "the bot token is always 123456789:EXAMPLEexampleEXAMPLEexampleEXAMPL1",
    "https://abc123def456abc123def456abc12345@o1.ingest.example/42",
    "our maps key is always AIzaSyEXAMPLEexample0SyEXAMPLEexample0S",
    "the deploy key is always AKIAEXAMPLEEXAMPLEEX, put it",
    "the staging db password is hunter2, always",
    "password: hunter2",
    "token = abc123def456",
    "DB_PASSWORD=s3cr3t!",
    "PGPASSWORD=swordfish psql",
    "the db password is swordfish",
    "the password for the staging admin is Winter2026!",
    "set the password to hunter2",
    "postgres://app:hunter2@db.internal:5432/app",
    "redis://:p4ss@cache:6379",
    "Authorization: Bearer abcdef1234567890abcdef",
    "-----BEGIN RSA PRIVATE KEY-----\nMIIEabc\n-----END RSA PRIVATE KEY-----",
    "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0NTY3ODkwIn0.abc-def",
    "ghp_EXAMPLEexample0123456789",
    "github_pat_11EXAMPLE0example_EXAMPLEexample",
    "glpat-EXAMPLEexample012345",
    "sk-ant-api03-EXAMPLEexample",
    "sk-proj-EXAMPLEexample0123",
    "sk-EXAMPLEexample0123456789EXAMPLE",
    "xoxb-123456789012-EXAMPLEexample",
    "sk_live_EXAMPLEexample0123",
    "npm_EXAMPLEexampleEXAMPLEexample0123456",
    "pypi-AgEIcHlwaS5vcmcEXAMPLEexample",
    "https://hooks.slack.com/services/T00000000/B00000000/EXAMPLEexampleEXAMPLEex",
    "密码是hunter2",
    "パスワードはhunter22です",
    "das Passwort lautet geheim123",
    "la contraseña es hola1234",
    "api key: 8f14e45fceea167a5a36dedd4bea2543",
    "the api key is 8f14e45fceea167a5a36dedd4bea2543",
    "SECRET_KEY = 'django-insecure-4x9z8y7w6v5u'",
    "curl -u admin:hunter2 https://x",
    "mysql -u root --password=hunter2",
    "log in with password `letmein`",
    "FOO=Zk3f9XqP0vLm7RtY2bNc8WdE",
    "the signing secret is always Zk3f9XqP0vLm7RtY",
    "aws_secret_access_key = wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY",
    "AccountKey=abcdefghijklmnopqrstuvwxyz0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz==",
    "110201543:AAHdqTcvCH1vGWJxfSeofSAs0K5PALDsaw0",
    "https://x.blob.core.windows.net/c?sv=2020&sig=abcDEF123%2Babc",
    "passwd=123456",
    "token: ghs_abcdefABCDEF0123456789",
    "AKIAIOSFODNN7EXAMPLE",
    '{"password": "hunter2"}',
    '"api_key": "abc123def456ghi"',
    "the pw is hunter2",
    "wifi password hunter2",
]

ORDINARY = [
    "the account id is always 123456789012, the role arn:aws:iam::123456789012:role/deploy",
    "the env var is always STRIPE_SECRET_KEY, the header X-Auth-Token",
    "the secret name is always prod/db/main, the cache key deps-v3-{{ checksum }}",
    "the public key id is always 4AEE18F83AFDEB23",
    "the checksum is always 8f14e45fceea167a5a36dedd4bea2543",
    "session: 2026-01-06-test-session-1767707340",
    "--- PASS: TestTruncateTranscript/truncate_at_u2",
    "'password': password,",
    '"enter_password": "Enter the password for",',
    "password: Override the password in the file",
    "tmp = PosixPath('/private/var/folders/g9/ntfvms4x7jgfn762r5v9r1_w0000gn/T/run')",
    "pin the base image to 3f786850e387550fdab836ed7e6dc881de23001b",
    "id 123e4567-e89b-12d3-a456-426614174000",
    "use feat/import-v2 and release/2026.07",
    "version is 1.2.3-beta.4",
    "src/legacy-billing/v2/Handler2.ts is generated",
    "https://github.com/acme/webapp/pull/1234",
    "the password is stored in vault",
    "password: string",
    "token: str",
    "the token refresh is broken",
    "password = os.environ['DB_PASS']",
    "token=$TOKEN",
    "--password <pw>",
    "max_tokens=4096",
    "the secret is named prod-db-2",
    "passwords are hashed with argon2",
    "the password is hashed with bcrypt",
    "the api key is in 1password",
    "the api key lives in vault",
    "password field is called passwd_hash",
    "primary key is user_id",
    "our ticket prefix is always FLD, so FLD-12",
    "the cache key is deps-v2-linux",
    "we use pnpm@9.1.2 here",
    "password is [redacted]",
    "password: [redacted]",
    "the reset password link is broken",
    "key: value",
    "sha256:3f786850e387550fdab836ed7e6dc881de23001b3f786850e387550fdab836ed",
    "the auth token is rotated weekly",
    "token = get_token()",
    "basic authentication is off",
    "we use basic auth everywhere",
    "use `cargo nextest run --workspace --no-fail-fast`",
    "bearer tokens only",
    "npm_config_registry is set",
    "sk-learn-compatible-estimators are fine",
    "public key is in the repo",
    "postgres://localhost:5432/app",
    "postgres://app:$PASS@db/app",
    "https://user@github.com/x",
    "ssh git@github.com:acme/web.git",
    "ACME_ENVIRONMENT_NAME=production-eu-central-1",
    "commit is 9b1f0aa",
    "ping priya@acme.example",
    "the passkey is always required",
    "always pass the --no-cache flag",
    "pass: true",
    "tests pass: 120, fail: 3",
    "the token is always sent in the X-Auth header",
    "export NODE_OPTIONS=--max-old-space-size=8192",
    "the compass is always north",
    "the bypass is for ops",
    "tokens are 15 minutes",
    "the token lifetime is 15m",
    "password reset goes to auth-team",
    "the key is ABC-123 style",
    "iso 2026-07-01T10:00:00Z is fine",
]


@pytest.mark.parametrize("text", CREDENTIALS)
def test_a_credential_is_found_and_its_redaction_is_stable(text: str) -> None:
    assert find_secrets(text)
    once = redact(text)
    assert PLACEHOLDER in once
    assert once == redact(once)


@pytest.mark.parametrize("text", ORDINARY)
def test_ordinary_text_is_left_alone(text: str) -> None:
    assert text == redact(text)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("the staging password is hunter2, always", "the staging password is [redacted], always"),
        ("password: hunter2.", "password: [redacted]."),
        ("postgres://app:hunter2@db.internal:5432/app", "postgres://app:[redacted]@db.internal:5432/app"),
        ("Authorization: Bearer abcdef1234567890abcdef", "Authorization: Bearer [redacted]"),
        ("use ghp_EXAMPLEexample0123456789 for the bot", "use [redacted] for the bot"),
        ("log in with `hunter22` as password `letmein`", "log in with `hunter22` as password `[redacted]`"),
        ("key A: AKIAEXAMPLEEXAMPLEEX, key B: AKIAEXAMPLEEXAMPLEE2", "key A: [redacted], key B: [redacted]"),
        ("-----BEGIN EC PRIVATE KEY-----\nMIIEabc\nno end", "[redacted]"),
        ("", ""),
    ],
)
def test_only_the_credential_itself_is_taken_out(text: str, expected: str) -> None:
    assert expected == redact(text)


def test_a_span_marks_the_value_and_its_kind() -> None:
    assert [Span(4, 32, "github")] == find_secrets("use ghp_EXAMPLEexample0123456789 for the bot")


def test_what_only_the_library_knows_is_found_too() -> None:
    assert "square [redacted] end" == redact("square sq0csp-EXAMPLEexample0123EXAMPLEexample0123EXAMPLEex12 end")


def test_ordinary_text_does_not_load_the_detectors() -> None:
    program = (
        "import sys; from transcripts.secrets import redact;"
        "redact('staging moved to preview-3, pin it to 3f786850e387550f');"
        "sys.exit('detect_secrets' in sys.modules)"
    )
    assert 0 == subprocess.run([sys.executable, "-c", program], check=False).returncode

"""The shapes of credentials: issued tokens by their prefix, and the words in front of a secret value.

Every pattern is bounded, so that a hostile text costs no more than its length.
"""

from __future__ import annotations

import re

from transcripts.lazy import lazy

# Tokens that their issuers made recognisable. The prefix is enough: what follows is random by construction.
ISSUED = lazy(
    r"""(?<![A-Za-z0-9])(?:
      (?P<github>gh[pousr]_[A-Za-z0-9]{16,255}|github_pat_[A-Za-z0-9_]{20,255})
    | (?P<gitlab>(?:glpat|gldt|glft|glsoat|glrt|glcbt|glptt|gloas|glimt|glagent)-[A-Za-z0-9_-]{16,255}
        |GR1348941[A-Za-z0-9_-]{16,64})
    | (?P<anthropic>sk-ant-[A-Za-z0-9_-]{12,255})
    | (?P<openai>sk-(?:proj|svcacct|admin|or|None)-[A-Za-z0-9_-]{12,255}
        |sk-(?=[A-Za-z0-9_-]{0,80}[0-9])(?=[A-Za-z0-9_-]{0,80}[A-Z])[A-Za-z0-9_-]{20,255}|sk-[a-f0-9]{32,64})
    | (?P<slack>xox[abcdeoprs]-[A-Za-z0-9-]{10,255}|xapp-[0-9]-[A-Za-z0-9-]{10,255})
    | (?P<stripe>[sr]k_(?:live|test)_[A-Za-z0-9]{10,255}|whsec_[A-Za-z0-9+/=]{16,128})
    | (?P<google>AIza[A-Za-z0-9_-]{30,45}|GOCSPX-[A-Za-z0-9_-]{20,64}|ya29\.[A-Za-z0-9_-]{20,1024})
    | (?P<aws>(?:A3T[A-Z0-9]|ABIA|ACCA|AKIA|ASIA)[A-Z0-9]{16}(?![A-Za-z0-9]))
    | (?P<npm>npm_[A-Za-z0-9]{24,64}(?![A-Za-z0-9_]))
    | (?P<pypi>pypi-Ag[A-Za-z0-9_-]{14,1024})
    | (?P<huggingface>hf_[A-Za-z0-9]{20,64}(?![A-Za-z0-9_]))
    | (?P<sendgrid>SG\.[A-Za-z0-9_-]{16,32}\.[A-Za-z0-9_-]{16,64})
    | (?P<vault>hv[sbr]\.[A-Za-z0-9_-]{20,512})
    | (?P<vendor>do[opr]_v1_[a-f0-9]{32,80}|dapi[a-f0-9]{32,40}|shp(?:at|ca|pa|ss)_[a-fA-F0-9]{24,40}
        |lin_api_[A-Za-z0-9]{24,64}|ntn_[A-Za-z0-9]{24,64}|sntry[su]_[A-Za-z0-9_=+/-]{24,512}|dckr_pat_[A-Za-z0-9_-]{16,64}
        |sbp_[a-f0-9]{32,64}|PMAK-[a-f0-9]{20,32}-[a-f0-9]{24,40}|NRAK-[A-Z0-9]{20,40}|gls[ac]_[A-Za-z0-9_=+/-]{24,512}
        |glc_[A-Za-z0-9_=+/-]{24,512}|dp\.(?:pt|st|sa|ct)\.[A-Za-z0-9._-]{24,128}|figd_[A-Za-z0-9_-]{24,64}
        |ATATT3[A-Za-z0-9_=-]{24,512}|AGE-SECRET-KEY-1[A-Z0-9]{40,80}|key-[a-f0-9]{32}(?![A-Za-z0-9])
        |pul-[a-f0-9]{32,48}|rubygems_[a-f0-9]{32,64}|tskey-[a-z]{2,10}-[A-Za-z0-9-]{16,64}|CCIPAT_[A-Za-z0-9_]{20,80}
        |AccountKey=[A-Za-z0-9+/=]{32,256}|SharedAccessSignature=[^\s;\"']{20,512})
    | (?P<jwt>eyJ[A-Za-z0-9_=-]{8,4096}\.eyJ[A-Za-z0-9_=-]{8,8192}(?:\.[A-Za-z0-9_=+/-]{0,4096})?)
    )""",
    re.VERBOSE,
)
ISSUED_HINTS = (
    *("ghp_", "gho_", "ghu_", "ghs_", "ghr_", "github_pat_", "gl", "GR1348941", "sk-", "sk_", "rk_", "xox", "xapp-"),
    *("whsec_", "AIza", "GOCSPX", "ya29.", "AKIA", "ASIA", "ABIA", "ACCA", "A3T", "npm_", "pypi-Ag", "hf_", "SG."),
    *("hvs.", "hvb.", "hvr.", "_v1_", "dapi", "shp", "lin_api_", "ntn_", "sntry", "dckr_pat_", "sbp_", "PMAK-"),
    *(
        "NRAK-",
        "dp.",
        "figd_",
        "ATATT",
        "AGE-SECRET",
        "key-",
        "pul-",
        "rubygems_",
        "tskey-",
        "CCIPAT_",
        "eyJ",
        "AccountKey=",
        "SharedAccess",
    ),
)

KEY_BLOCK = lazy(
    r"-----BEGIN (?:[A-Z0-9]{1,12} ){0,4}PRIVATE KEY(?: BLOCK)?-----"
    r"(?:[^-]|-(?!----END )){0,20000}(?:-----END [A-Z0-9 ]{0,60}-----)?"
    r"|PuTTY-User-Key-File-[23]:[^\x00]{0,8000}"
)

# user:password@host in any scheme; a token alone in front of the @; a webhook whose path is the secret.
CONNECTION = lazy(
    r"(?<=://)[^\s:/@'\"`<>]{0,128}:(?P<password>[^\s/@'\"`]{1,256})@(?=[^\s])"
    r"|(?<=://)(?P<userinfo>[A-Za-z0-9_-]{20,256})@(?=[^\s])"
    r"|hooks\.slack\.com/services/(?P<slack>T[A-Za-z0-9_]{5,20}/[A-Za-z0-9_]{5,20}/[A-Za-z0-9_]{10,64})"
    r"|discord(?:app)?\.com/api/webhooks/(?P<discord>[0-9]{10,24}/[A-Za-z0-9_-]{20,128})"
    r"|[?&](?:access_token|auth_token|token|api_?key|apikey|sig|signature|x-amz-signature|secret|password|pwd)="
    r"(?P<query>[^&\s'\"`<>]{8,512})",
    re.IGNORECASE,
)

HEADER = lazy(
    r"(?P<authorization>\bauthorization[\"']?\s{0,2}:\s{0,2}[\"']?)?\b(?:bearer|basic|token|apikey|api-key)\s{1,3}"
    r"(?P<header>[A-Za-z0-9][A-Za-z0-9+/=._~-]{7,4096})",
    re.IGNORECASE,
)

# Words for a password: whatever stands in value position behind one is taken for it.
LOOSE_WORDS = (
    r"pass(?:word|wd|phrase|code|wort|ord)|(?<![A-Za-z])(?:pass|pwd|pw)|kennwort|wachtwoord|contrase(?:ñ|n)a|mot\s{1,2}de\s{1,2}passe|senha"
    r"|parola|hasło|haslo|lösenord|пароль|密码|密碼|口令|パスワード|비밀번호|암호"
)
# Words for a key or token: also everyday words of programming, so that the value must look random or be assigned.
STRICT_WORDS = (
    r"secret|token|credentials?|api[\s_-]?secret|client[\s_-]?secret"
    r"|(?:api|access|secret|private|auth|authorization|encryption|signing|maps|deploy|service|account|client|master|license|licence"
    r"|session|storage|admin|app|application|webhook|shared|ssh|bot|openai|anthropic|stripe|aws|gcp|azure|google|github|gitlab|slack"
    r"|npm|pypi|sentry|datadog|sendgrid|twilio)[\s_-]?key"
    r"|令牌|密钥|トークン|토큰|токен|ключ|schlüssel|clave|clé|jeton"
)
LINK = (  # what may stand between the word and its value
    r"[\"'`)\]]{0,3}"
    r"(?:\s{1,2}(?:for|of|on|to|in|at|für|von|de|du|para|pour|da|do)\s{1,2}(?:[\w./@-]{1,40}\s{1,2}){1,4}?|\s{0,2}\([^()\n]{0,60}\))?"
    r"(?P<link>\s{0,3}(?::=|=>|->|=|:|：|＝)\s{0,3}"
    r"|\s{0,2}(?:\b(?:is|are|was|to|lautet|ist|est|es|è|é|equals)\b|は|是|为|為|는|은|—|–)\s{0,2})"
    r"(?:(?:always|now|still|just|currently|simply|set\s{1,2}to|immer|siempre|toujours|sempre|always:)\s{1,2}){0,2}"
)
VALUE = r"(?P<quote>[\"'`“‘]{0,3})(?P<value>[^\s\"'`“”‘’,;，。；<>\[\](){}]{3,4096})(?P<after>[\"'`”’(\[]?)"
PASSWORD = lazy(rf"(?P<word>{LOOSE_WORDS})(?![A-Za-z]){LINK}{VALUE}", re.IGNORECASE)
TOKEN = lazy(rf"(?<![A-Za-z])(?P<word>{STRICT_WORDS})(?![A-Za-z]){LINK}{VALUE}", re.IGNORECASE)
BESIDE = lazy(  # with password `letmein`, wifi password hunter2
    rf"(?:{LOOSE_WORDS})\s{{1,2}}(?:(?P<quote>[\"'`“])(?P<quoted>[^\s\"'`”]{{4,256}})[\"'`”]"
    rf"|(?P<bare>[A-Za-z0-9!@#%^&*_+.-]{{6,128}})(?=[\s,.;]|$))",
    re.IGNORECASE,
)
LOGIN = lazy(  # login is admin / hunter2
    r"\b(?:login|log\s{1,2}in|user(?:name)?|creds?|credentials?|account)\b(?:\s{1,2}(?:is|are|with|as)|\s{0,2}[:=])?"
    r"(?:\s{1,2}(?:always|still|now))?\s{1,2}"
    r"[\"'`]?[\w.@-]{2,64}\s{0,1}[/:]\s{0,1}(?P<value>[^\s\"'`/,;<>]{4,128})",
    re.IGNORECASE,
)
FLAG = lazy(  # --password hunter2, sshpass -p hunter2, curl -u admin:hunter2
    r"--?(?:password|passwd|pass|token|api-?key|secret)(?:=|\s{1,2})(?P<quote>[\"'`]?)(?P<value>[^\s\"'`<>$]{4,512})"
    r"|\b(?:curl|wget|http)\b[^\n]{0,120}?\s-u\s{0,2}[\"']?[^\s:\"']{1,64}:(?P<basic>[^\s\"']{3,256})"
    r"|\bsshpass\s{1,2}-p\s{0,2}[\"']?(?P<sshpass>[^\s\"']{3,256})",
    re.IGNORECASE,
)
# A random-looking string where a value stands: NAME=…, "…", is …
ENTROPIC = lazy(
    r"(?:[=:：(]\s{0,2}|\b(?:is|to|with|use|always|now)\s{1,2}|[\"'`“])(?P<value>[A-Za-z0-9+/_=-]{20,512})(?![A-Za-z0-9./_-])"
)
RUN = lazy(r"[A-Za-z0-9+/_=:.?&-]{14}")  # no token with an issuer's prefix is shorter than this
LONG_RUN = lazy(r"[A-Za-z0-9+/_=-]{20}")  # no random string is shorter than this
NAMELESS_RUN = lazy(r"[A-Za-z0-9_-]{24}")  # and no token of a vendor whose name is not in it
LINK_HINTS = ("://", "?", "&", ".com/")  # pieces without which nothing is a connection
WORD_HINTS = (
    *(
        "pass",
        "pwd",
        "pw",
        "contrase",
        "senha",
        "parola",
        "kennwort",
        "wachtwoord",
        "hasło",
        "haslo",
        "lösenord",
        "пароль",
    ),
    *(
        "密码",
        "密碼",
        "口令",
        "パスワード",
        "비밀번호",
        "암호",
        "secret",
        "token",
        "cred",
        "key",
        "bearer",
        "basic ",
        "ключ",
    ),
    *(
        "令牌",
        "密钥",
        "トークン",
        "토큰",
        "токен",
        "schlüssel",
        "clave",
        "clé",
        "jeton",
        " -u",
        "login",
        "log in",
        "user",
        "account",
    ),
)

# What stands behind a password word without being the password.
NOT_A_VALUE = frozenset(
    """a an and are as at be been being but by can could do does for from had has have here how if in into is it
    its just like may must my never no none not null of off on only or our out per required optional same see
    should so stored string str strong such text that the their them then there these they this those to too
    true false undefined unset unknown until up used using valid invalid we weak what when where which who will
    with wrong missing empty blank correct incorrect bytes bool boolean int integer number float any object void
    char varchar default input field prompt protected nothing something long short enough easy hard safe unsafe
    secure insecure bad good new old fine gone back still always now also already kept kaputt falsch leer nicht
    im der die das ein eine le la el un una en dans het een""".split()
)

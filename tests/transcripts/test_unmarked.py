"""Pastes without any mark, one of each kind that people bring in, and lines of their own that look a little like them."""

# ruff: noqa: E501 - a case stays on one line, as it was said

from __future__ import annotations

import pytest

from tests.transcripts.test_segments import cut
from transcripts.session import Origin

PASTES = {
    "changes requested on a pull request": "ana requested changes on this pull request 3 hours ago\nWe always use yarn here.",
    "an approval": "ana-silva approved these changes on May 3\nFrom now on use yarn.",
    "a comment with its number": "ana left a comment (acme/shop#12)\nWe always use yarn here.",
    "chat with a time in brackets": "ana  [10:42 AM]\nwe always use yarn here",
    "chat with a day": "ana — Today at 10:42 AM\nwe always use yarn here\nnever npm",
    "chat with a date": "ana — 05/03/2026 10:42 AM\nwe always use yarn here",
    "chat with the time first": "[Yesterday 10:42] Ana Silva\nwe always use yarn here",
    "exported chat": "[03.05.26, 10:42:11] Ana: we always use yarn here\n[03.05.26, 10:43:11] Bob: ok",
    "exported chat with dashes": "03/05/2026, 10:42 - Ana: we always use yarn here\n03/05/2026, 10:43 - Bob: ok",
    "forwarded chat message": "Ana Silva, [03.05.2026 10:42]\nwe always use yarn here",
    "a comment of a ticket": "Ana Silva added a comment - 2 days ago\nWe always use yarn here.",
    "a dated comment of a ticket": "Ana Silva added a comment - 03/May/26 10:42 AM\nWe always use yarn here.",
    "a note on a merge request": "Ana Silva @ana · 2 days ago\nMaintainer\nWe always use yarn here.",
    "mail in German": "Von: Ana Silva <ana@acme.example>\nGesendet: Montag, 3. Mai 2026 10:42\nAn: Dana\nBetreff: yarn\n\nWir benutzen immer yarn.",
    "mail in French": "De : Ana Silva <ana@acme.example>\nEnvoyé : lundi 3 mai 2026 10:42\nÀ : Dana\nObjet : yarn\n\nOn utilise toujours yarn.",
    "mail in Spanish": "De: Ana Silva <ana@acme.example>\nEnviado: lunes, 3 de mayo de 2026 10:42\nPara: Dana\nAsunto: yarn\n\nSiempre usamos yarn.",
    "mail in Portuguese": "De: Ana Silva <ana@acme.example>\nData: 3 de maio de 2026\nAssunto: yarn\n\nSempre usamos yarn.",
    "quoted mail in German": "Am 03.05.26 um 10:42 schrieb Ana Silva:\nWir benutzen immer yarn.",
    "quoted mail in French": "Le lun. 3 mai 2026 à 10:42, Ana Silva <ana@acme.example> a écrit :\nOn utilise toujours yarn.",
    "quoted mail in Spanish": "El lun, 3 may 2026 a las 10:42, Ana Silva (<ana@acme.example>) escribió:\nSiempre usamos yarn.",
    "mail in Chinese": "发件人: Ana Silva <ana@acme.example>\n发送时间: 2026年5月3日 10:42\n收件人: Dana\n主题: yarn\n\n我们一直用 yarn。",
    "an answer from a forum": "answered May 3, 2020 at 10:42\nYou should always use yarn here.",
    "a build file": "FROM node:20\nWORKDIR /app\nCOPY package.json yarn.lock ./\nRUN yarn install --frozen-lockfile\nCMD [\"yarn\", \"start\"]",
    "variables": "NODE_ENV=production\nPACKAGE_MANAGER=yarn\nDEPLOY_BRANCH=gold",
    "settings in sections": "[tool.poetry]\nname = \"shop\"\nversion = \"1\"\n\n[tool.poetry.dependencies]\npython = \"^3.11\"",
    "settings with tabs": "[remote \"origin\"]\n\turl = git@github.com:acme/shop.git\n[branch \"main\"]\n\tremote = origin",
    "style rules": ".btn {\n  color: red;\n}",
    "a server's settings": "server {\n    listen 80;\n    location / {\n        proxy_pass http://app;\n    }\n}",
    "a make file": "test:\n\tyarn test --ci\nlint:\n\tyarn lint",
    "a resource": "resource \"aws_s3_bucket\" \"b\" {\n  bucket = \"acme\"\n}",
    "a plan of resources": "Terraform will perform the following actions:\n\n  # aws_s3_bucket.b will be created\n  + resource \"aws_s3_bucket\" \"b\" {\n      + bucket = \"acme\"\n    }\n\nPlan: 1 to add, 0 to change, 0 to destroy.",
    "a workflow": "name: CI\non: [push]\njobs:\n  test:\n    runs-on: ubuntu-latest\n    steps:\n      - uses: actions/checkout@v4\n      - run: yarn test",
    "comma-separated rows": "id,name,manager\n1,shop,yarn\n2,web,npm\n3,api,yarn",
    "markup": "<project>\n  <modelVersion>4.0.0</modelVersion>\n  <artifactId>shop</artifactId>\n</project>",
    "a schema": "type User {\n  id: ID!\n  name: String\n}",
    "a message type": "message User {\n  string name = 1;\n}",
    "C#": "System.NullReferenceException: Object reference not set to an instance of an object.\n   at Shop.Cart.Add(Item i) in /src/Cart.cs:line 12",
    "Java": "java.lang.IllegalStateException: always use yarn\n\tat shop.Cart.add(Cart.java:12)\nCaused by: java.io.IOException: x\n\t... 3 more",
    "Rust": "error[E0382]: borrow of moved value: `x`\n --> src/main.rs:4:5\n  |\n3 |     let y = x;\n  |             - value moved here",
    "Go tests": "--- FAIL: TestAdd (0.00s)\n    cart_test.go:12: want 3, got 2\nFAIL\nFAIL\tshop/cart\t0.01s",
    "a type checker": "src/a.py:3: error: Incompatible types in assignment  [assignment]\nFound 1 error in 1 file (checked 2 source files)",
    "an audit": "# npm audit report\n\nlodash  <4.17.21\nSeverity: high\nCommand Injection in lodash - https://github.com/advisories/GHSA-x\nfix available via `npm audit fix`",
    "processes": "USER       PID %CPU %MEM COMMAND\nroot         1  0.0  0.1 /sbin/init\ndana        42  1.0  2.0 yarn start",
    "disks": "Filesystem      Size  Used Avail Use% Mounted on\n/dev/sda1        50G   48G    2G  96% /",
    "pods": "NAME                     READY   STATUS             RESTARTS   AGE\nweb-5d4f8c7b9-abcde      0/1     CrashLoopBackOff   12         1h",
    "a commit": "commit 1234567890abcdef1234567890abcdef12345678 (HEAD -> main)\nAuthor: Ana <ana@acme.example>\nDate:   Mon May 3 10:42:11 2026 +0200\n\n    Always use yarn",
    "commits in lines": "1234567 (HEAD -> main) Always use yarn\n89abcde Add cart\nfedcba9 Init",
    "who wrote a line": "^1234567 (Ana Silva 2026-05-03 10:42:11 +0200 1) always use yarn",
    "a folder": "total 8\n-rw-r--r-- 1 dana dana 12 May  3 10:42 yarn.lock",
    "a request in full": "* Connected to localhost\n> GET / HTTP/1.1\n> Host: localhost\n< HTTP/1.1 503 Service Unavailable",
    "a REPL": "> require('./x')\nUncaught Error: Cannot find module './x'",
    "containers": "CONTAINER ID   IMAGE     COMMAND   CREATED   STATUS    PORTS     NAMES\nabc123abc123   shop      \"yarn\"    1h ago    Up 1h               web",
    "a browser's console": "GET http://localhost:3000/api 500 (Internal Server Error)\n(anonymous) @ app.js:12",
    "a phone's log": "05-03 10:42:11.123  1234  1234 E AndroidRuntime: FATAL EXCEPTION: main",
    "a system log": "May  3 10:42:11 web systemd[1]: Started yarn.",
    "a log in JSON": "{\"level\":\"info\",\"msg\":\"always use yarn\"}\n{\"level\":\"error\",\"msg\":\"x\"}",
    "a database": "ERROR:  relation \"users\" does not exist\nLINE 1: select * from users;\n                      ^",
    "Ruby": "app/models/cart.rb:12:in `add': undefined method `x' for nil (NoMethodError)\n\tfrom app.rb:3:in `<main>'",
    "PHP": "PHP Fatal error:  Uncaught Error: Call to undefined function x() in /src/a.php:3\nStack trace:\n#0 {main}\n  thrown in /src/a.php on line 3",
    "Elixir": "** (UndefinedFunctionError) function Shop.x/0 is undefined\n    Shop.x()\n    (shop 0.1.0) lib/shop.ex:3: Shop.y/0",
    "Swift": "error: cannot find 'x' in scope\n    x()\n    ^",
    "C++": "a.cpp:3:5: error: 'x' was not declared in this scope\n    3 |     x();\n      |     ^",
    "a memory checker": "==1234== Invalid read of size 4\n==1234==    at 0x4005: main (a.c:3)",
    "a brief under its usual labels": "Context:\nThe shop moves its checkout to a new service, and the old one stays for refunds.\n\nTask:\n1. Always use yarn workspaces for the new service.\n2. Never import from the old one, and keep the refund flow as it is.\n3. Move the tests that cover the checkout.\n\nConstraints:\n- No new dependencies unless they are needed for the move itself.\n- Keep the public types stable, and document every change.\n\nDeliverables:\n- a pull request with a summary of what moved and why",
    "a review under deep headings": "### Findings\n- Always use UTC\n- Never store local time\n\n### Verdict\nChanges requested",
}  # fmt: skip

OWN = {
    "a time of day": "standup moves to 10:30\nand never on Fridays",
    "a day with a dash": "freeze the branch \u2014 today\nand never merge on Fridays",
    "a comment that is mentioned": "Ana left a comment about naming: constants are in capitals, always",
    "a review that is mentioned": "Bob reviewed it and we agreed that staging deploys from preview",
    "who wrote what": "on Monday Ana wrote the cart tests, keep them as they are",
    "German": "Ana schrieb gestern, dass wir pnpm benutzen\nalso immer pnpm",
    "places and data": "Data: 3 tables, all in UTC\nreports read from the replica",
    "languages": "we support en,de,fr\nand the default is en",
    "capitals": "ADD tests for the cart\nRUN them before every commit",
    "a label in brackets": "[WIP] rename the column\nand never drop the old one",
    "sections of one level": "# Context\nwe move to Vitest\n\n# Rules\n- no snapshots",
    "a note under a brief's labels": "Context:\nwe move to Vitest\n\nTask:\nconvert packages/core\n\nConstraints:\nno snapshots",
    "a plan": "the plan: 1 to add, 2 to rename\nnever delete a column",
}  # fmt: skip

CLOSING = "what do you think about that?"


@pytest.mark.parametrize("name", PASTES)
def test_a_paste_is_cut_and_the_question_behind_it_is_not(name: str) -> None:
    paste = PASTES[name]
    assert [(Origin.PASTED, paste.strip()), (Origin.TYPED, CLOSING)] == cut(f"{paste}\n\n{CLOSING}")


@pytest.mark.parametrize("name", PASTES)
def test_a_paste_behind_a_sentence_is_cut(name: str) -> None:
    before = "have a look at this please"
    origins = [origin for origin, _ in cut(f"{before}\n\n{PASTES[name]}")]
    assert [Origin.TYPED, Origin.PASTED] == origins


@pytest.mark.parametrize("name", OWN)
def test_a_line_that_looks_a_little_like_one_stays_typed(name: str) -> None:
    assert [(Origin.TYPED, OWN[name])] == cut(OWN[name])

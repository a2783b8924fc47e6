"""Measures the cost of credentials: the same resolve of a public bundle without one, with an API key, a restricted key and
an access token, on a server with few keys and on one with many."""

import json
import pathlib
import sqlite3
import urllib.parse
import uuid

from load import Connection
from servers import START, start_sheaf

MANY = 100_000
CROWDED = f"sheaf, {MANY:,} keys"
SERVERS = ("sheaf", CROWDED)
KEYS = "/v1/organizations/default/api-keys"


def start_crowded(folder):
    """Starts a Sheaf whose database has many keys, written directly while it is stopped. Their secrets are unknown."""
    server = start_sheaf(folder, "crowded")
    server.stop()
    database = sqlite3.connect(pathlib.Path(folder, "crowded", "sheaf.db"))
    with database:
        columns = [row[1] for row in database.execute("PRAGMA table_info(api_key)")]
        first = dict(zip(columns, database.execute("SELECT * FROM api_key").fetchone()))
        database.executemany(
            f"INSERT INTO api_key ({', '.join(columns)}) VALUES ({', '.join('?' * len(columns))})",
            (tuple({**first, "id": str(uuid.uuid4()), "name": f"key {i}", "scopes": "read",
                    "secret_hash": uuid.uuid4().hex + uuid.uuid4().hex}.values()) for i in range(MANY)))
    database.close()
    again = start_sheaf(folder, "crowded", {"SHEAF_MAX_LIVE_KEYS": str(2 * MANY)})
    again.name = CROWDED
    return again


START["crowded"] = start_crowded


def paths(servers, name, files):
    """{case: {server: (path, headers)}}"""
    cases = {}
    for server in servers:
        if server.name not in SERVERS:
            continue
        connection = Connection(server)
        connection.push_json(f"open/{name}", "1.0.0", files, "public")
        known = {"no credentials": None, "a key": key(connection, "plain", {}),
                 "a restricted key": key(connection, "restricted", {
                     "namespaces": ["open", "other"], "bundles": ["open/*", "other/one"], "cidrs": ["127.0.0.0/8", "::1/128"]})}
        known["an access token"] = token(connection, known["a key"])
        for words, credential in known.items():
            cases.setdefault(f"resolve with {words}", {})[server.name] = (
                f"/v1/namespaces/open/bundles/{name}:resolve",
                {"Authorization": credential and f"Bearer {credential}"})
    return cases


def key(connection, name, restrictions):
    body = {"name": name, "scopes": ["read"], **({"restrictions": restrictions} if restrictions else {})}
    return json.loads(connection.send("POST", KEYS, json.dumps(body), Content_Type="application/json")[1])["key"]


def token(connection, subject):
    form = {"grant_type": "urn:ietf:params:oauth:grant-type:token-exchange", "subject_token": subject,
            "subject_token_type": "urn:sheaf:params:oauth:token-type:api-key"}
    return json.loads(connection.send("POST", "/v1/oauth/token", urllib.parse.urlencode(form),
                                      Content_Type="application/x-www-form-urlencoded")[1])["access_token"]

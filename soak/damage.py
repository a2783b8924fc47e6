"""Overwrites one page of sheaf.db after another: does the node say so, and serve, save and restore the rest?

    python3 soak/damage.py [TABLE_OR_INDEX ...]

Fills a data folder with 25 bundles of 4 versions, and with a bit of everything else. For each place it overwrites one page in a copy
of that folder and starts a server on it. It sends every GET of docs/openapi.yaml and the pages of the console, some changes and a push,
and has the server check itself. Then the commands of docs/integrity.md follow: `fsck --local`, `backup --local --salvage`, `restore`
into a new folder, and a server there. The places are the root of each important table and index, the first page, the list of free
pages, the last page, and others in turn.

Fails if an answer is 500 or has content that was never published, or if the damage is not named. Prints a line for each place:
what answered how often with which status, and what could be pulled before and after.

Environment: DAMAGE_PLACES  how many (50)
             DAMAGE_AT_ONCE how many at a time (2)
             DAMAGE_SEED    of the bytes and the choice (1)
             HOSTILE_SHEAF  another launcher than ./sheaf"""

import collections
import concurrent.futures
import http.client
import json
import os
import pathlib
import random
import re
import shutil
import sqlite3
import subprocess
import sys
import tempfile
import threading
import time

from hostile import HOST, Client, free_port, words

PLACES = int(os.environ.get("DAMAGE_PLACES", "50"))
AT_ONCE = int(os.environ.get("DAMAGE_AT_ONCE", "2"))
SEED = int(os.environ.get("DAMAGE_SEED", "1"))
SHEAF = os.environ.get("HOSTILE_SHEAF", "./sheaf")
# each of hundreds of processes lives for seconds, so that compiling for long runs costs more than it saves
ENVIRONMENT = {"SHEAF_JAVA_OPTS": "-XX:TieredStopAtLevel=1", **os.environ}
BUNDLES, VERSIONS = 25, 4  # every second version is pulled
PULLS = (BUNDLES - 1) * VERSIONS // 2  # one bundle is deleted
BUNDLE = "/v1/namespaces/many/bundles/"
JSON = {"Content-Type": "application/json"}
ADDRESS, PASSWORD = "owner@example.org", "many dull stones under a bridge"
MOST_PAGES = 40  # of the console
IMPORTANT = ["version", "bundle", "asset", "manifest", "manifest_content", "blob", "blob_content", "link", "tag", "namespace", "repository",
             "organization", "api_key", "account", "membership", "session", "hub_entry", "event", "audit", "setting", "signing_key", "work"]


def ports():
    """Passes on free ports, none twice: servers that start at a time would be given the same."""
    given = set()
    while True:
        port = free_port()
        if port not in given:
            given.add(port)
            yield port


class Ports:
    def __init__(self):
        self.lock, self.ports = threading.Lock(), ports()

    def __next__(self):
        with self.lock:
            return next(self.ports)


PORTS = Ports()


class Server:
    """A server on a data folder, and a client with the administrator's key."""

    def __init__(self, data):
        self.port, self.data = next(PORTS), data
        self.log = open(f"{data}.log", "ab")
        rates = [f"--rate-{kind}=0" for kind in ("anonymous-reads", "reads", "writes", "content", "failed-authentications")]
        self.process = subprocess.Popen([SHEAF, "serve", "--port", str(self.port), "--data-dir", str(data), *rates],
                                        stdout=self.log, stderr=self.log, env=ENVIRONMENT)

    def ready(self, seconds=60):
        """Returns whether it answers, before it ends."""
        end = time.monotonic() + seconds
        while time.monotonic() < end and self.process.poll() is None:
            try:
                return Client(self.port).send("GET", "/health/ready")[0] in (200, 503) and self.process.poll() is None
            except (OSError, http.client.HTTPException):  # a connection to a free port may meet itself
                time.sleep(0.1)
        return False

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.terminate()
        self.process.wait(60)
        self.log.close()

    def said(self):
        return pathlib.Path(f"{self.data}.log").read_text(errors="replace")


def sheaf(*arguments, stdin=None):
    run = subprocess.run([SHEAF, *map(str, arguments)], input=stdin, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, env=ENVIRONMENT)
    return run.returncode, run.stdout


# --- the whole folder -------------------------------------------------------------------------------------------

def content(bundle, version):
    skill = f"---\nname: kit-{bundle}\ndescription: {words(bundle, 20)}\n---\n{words(bundle * 10 + version, 300)}"
    return {"skills/kit/SKILL.md": skill, "skills/kit/references/same.md": "The same everywhere.",
            "skills/kit/references/large.md": words(bundle * 10 + version, 12_000), "notes.txt": words(version, 40)}


def fill(client, org):
    """Publishes the bundles and creates a few of everything. Returns the values of the parameters in docs/openapi.yaml."""
    for bundle in range(BUNDLES):
        for version in range(VERSIONS):
            files = [{"logicalPath": path, "contentText": text} for path, text in content(bundle, version).items()]
            body = {"slug": f"kit-{bundle}", "name": f"Kit {bundle}", "visibility": "private" if bundle % 5 == 4 else "public",
                    "version": f"1.{version}.0", "manifest": files, "readmeContent": f"# Kit {bundle}\n\n{words(bundle, 100)}",
                    "readmeFormat": "markdown"}
            client.send("POST", f"/v1/namespaces/many/bundles/kit-{bundle}:push", json.dumps(body), JSON, (200, 201))
    at = f"/v1/organizations/{org}"

    def create(path, body, name="id"):
        answer = json.loads(client.send("POST", path, json.dumps(body), JSON, (200, 201, 202))[1])
        return answer.get(name) or next(iter(answer.values()))[name]

    queue = create(f"{at}/queues", {"slug": "work", "name": "Work"})
    known = {
        "org_id": org, "namespace": "many", "bundle": "kit-0", "version": "1.1.0", "tag": "stable", "path": "skills/kit/SKILL.md",
        "skill": "kit", "slug": "not-found", "queue_id": queue, "reference": "1.1.0",
        "key_id": create(f"{at}/api-keys", {"name": "second", "scopes": ["read"]}),
        "webhook_id": create(f"{at}/webhooks", {"url": "https://example.org/hook"}),
        "invitation_id": create(f"{at}/invitations", {"email": "a@example.org", "role": "reader"}),
        "job_id": create(f"{at}/queues/{queue}/jobs", {"input": {"a": 1}}),
    }
    client.send("PUT", f"{BUNDLE}kit-0/tags/stable", json.dumps({"version": "1.1.0"}), JSON, (200, 201))
    client.send("POST", f"{BUNDLE}kit-1/versions/1.0.0:yank", json.dumps({"reason": "broken"}), JSON, (200, 204))
    client.send("DELETE", f"{BUNDLE}kit-24", None, {}, (200, 204))
    for path in ("/v1/hub/bundles?q=kit", "/many/kit-0.git/info/refs?service=git-upload-pack", f"{BUNDLE}kit-0:resolve",
                 "/many/kit-0/.well-known/agent-skills/index.json", "/v2/image/many/kit-0/manifests/1.1.0"):
        client.send("GET", path)
    _, text = client.send("GET", f"{BUNDLE}kit-0/versions/1.1.0", expect=(200,))
    known["digest"] = next(iter(re.findall(rb"sha256:[0-9a-f]{64}", text))).decode()
    return known


def console(port, cookie):
    """Returns the addresses of the pages that a signed-in administrator reaches from the first."""
    client, seen, todo = Client(port), ["/"], ["/", "/admin", "/account"]
    client.headers = {"Cookie": cookie, "Accept": "text/html"}
    kinds = collections.Counter()
    while todo and len(seen) < MOST_PAGES:
        status, text = client.send("GET", todo.pop(0))
        for link in re.findall(rb'href="(/[^"#]*)', text) if status == 200 else ():
            link = link.decode().replace("&amp;", "&")
            kind = re.sub(r"\d+|[0-9a-f-]{36}|sha256:\w+|=[^&]*", "*", link)
            if link not in seen and kinds[kind] < 2 and not re.search(r"\.(css|js|svg|png|ico|woff2|deb|gz|zip)\b|^/v1|sign-out", link):
                kinds[kind] += 1
                seen.append(link)
                todo.append(link)
    return seen


def reads(known):
    """Returns the addresses of all GETs in docs/openapi.yaml whose parameters are known."""
    paths, path = [], None
    for line in pathlib.Path("docs/openapi.yaml").read_text().split("\ncomponents:")[0].splitlines():
        if found := re.match(r'  "?(/[^:"]*(?::\w+)?)"?:$', line):
            path = found[1]
        elif line == "    get:" and path:
            filled = re.sub(r"\{(\w+)\}", lambda found: known.get(found[1], found[0]), path)
            if "{" not in filled and "oidc" not in filled:
                paths.append(filled)
    return paths + [f"{BUNDLE}kit-0:resolve?version=%5E1.0", f"{BUNDLE}kit-0/versions/1.1.0:diff?to=1.2.0", "/v1/hub/bundles?q=kit&limit=100",
                    "/many/kit-0.git/info/refs?service=git-upload-pack", "/v1/namespaces/many/bundles?limit=100"]


# --- one place ----------------------------------------------------------------------------------------------------

def owners(file):
    """Returns the name of the table or index of each page, and the roots."""
    with sqlite3.connect(file) as database:
        pages = dict(database.execute("SELECT pageno, name FROM dbstat"))
        kinds = dict(database.execute("SELECT name, type FROM sqlite_schema"))
        roots = dict(database.execute("SELECT name, rootpage FROM sqlite_schema WHERE rootpage > 0"))
        of = dict(database.execute("SELECT name, tbl_name FROM sqlite_schema"))
        count = database.execute("PRAGMA page_count").fetchone()[0]
    named = {page: f"{kinds.get(name, 'table')} {name}" for page, name in pages.items()}
    for page in range(1, count + 1):
        named.setdefault(page, "free")
    return named, roots, of


def choose(file, names):
    named, roots, of = owners(file)
    pages = collections.defaultdict(list)
    for page, name in sorted(named.items()):
        pages[name].append(page)
    if names:
        return {page: name for page, name in named.items() if name.split(" ")[-1] in names}
    pick = random.Random(SEED)
    free = pages.pop("free", [])
    chosen = [1, *pages["table sqlite_schema"][1:2], *free[:1], *free[-1:], max(named)]
    for table in IMPORTANT:
        name = f"table {table}"
        if name in pages:
            chosen += [roots[table], *[page for page in pages[name] if page != roots[table]][:1]]
            chosen += sorted(roots[index] for index, owner in of.items() if owner == table and index in roots and index != table)[:1]
    rest = [name for name in pages if not set(pages[name]) & set(chosen)]
    pick.shuffle(rest)
    chosen = list(dict.fromkeys(chosen))
    keep = max(PLACES * 9 // 10, 1)  # the others keep a share
    return {page: named[page] for page in [*chosen[:keep], *(pages[name][0] for name in rest), *chosen[keep:]][:PLACES]}


def overwrite(file, page):
    with open(file, "r+b") as database:
        database.seek(16)
        size = int.from_bytes(database.read(2), "big")
        size = 65_536 if size == 1 else size
        database.seek((page - 1) * size)
        database.write(random.Random(SEED * 1_000 + page).randbytes(size))


def ask(client, method, path, body, counts, wrong, headers=None):
    try:
        status, text = client.send(method, path, body, headers)
    except (OSError, http.client.HTTPException) as e:
        status, text = type(e).__name__, b""
        client.connection.close()
    counts[status] += 1
    if not isinstance(status, int) or status == 500 or status in (502, 504):
        wrong.append(f"{method} {path}: {status} {text[:300].decode(errors='replace')}")
    return status, text


def pulls(client, counts, wrong):
    """Pulls all versions. Returns how many came, each complete and as published."""
    came = 0
    for bundle in range(BUNDLES - 1):
        for version in range(bundle % 2, VERSIONS, 2):
            status, text = ask(client, "GET", f"{BUNDLE}kit-{bundle}/versions/1.{version}.0:pull", None, counts, wrong)
            if status == 200:
                files = {one["logicalPath"]: one.get("contentText") for one in json.loads(text)["manifest"]}
                if files == content(bundle, version):
                    came += 1
                else:
                    wrong.append(f"kit-{bundle} 1.{version}.0 has other files than published")
    return came


def shown(counts):
    return " ".join(f"{status}:{number}" for status, number in sorted(counts.items(), key=str))


def database_part(client):
    """Returns what health says of the database."""
    visitor = Client(client.connection.port)  # keys may be what cannot be read
    for one, path in ((client, "/v1/admin/health"), (visitor, "/health/ready")):
        _, text = one.send("GET", path)
        try:
            for part in json.loads(text).get("parts", ()):
                if part["name"] == "database":
                    return f"{part['status']}, {part.get('detail') or part.get('about')}"
        except ValueError:
            pass
    return "unknown"


def push(client, counts, wrong):
    body = {"slug": "fresh", "name": "fresh", "visibility": "public", "version": f"1.0.{time.time_ns() // 1_000_000 % 1_000_000_000}",
            "manifest": [{"logicalPath": "a.md", "contentText": "# A"}]}
    return ask(client, "POST", f"{BUNDLE}fresh:push", json.dumps(body), counts, wrong, JSON)


def check(client, counts, wrong):
    """Has the server check itself, if it lets us. Returns the problems it found."""
    status, text = ask(client, "POST", "/v1/admin/tasks", json.dumps({"task": "fsck", "dryRun": True}), counts, wrong, JSON)
    if status != 201:
        return None
    run = json.loads(text)
    end = time.monotonic() + 60
    while time.monotonic() < end:
        status, text = ask(client, "GET", f"/v1/admin/tasks/{run['id']}", None, counts, wrong)
        if status != 200 or json.loads(text).get("state") not in ("running", "pending", "queued"):
            return text
        time.sleep(0.1)
    wrong.append("fsck by a task does not end")
    return None


def damaged(folder, page, owner, prepared):
    """Returns a line about the place, and what is wrong."""
    data, saved, next_folder = folder / f"page-{page}", folder / f"saved-{page}", folder / f"next-{page}"
    key, known, addresses, cookie = prepared
    shutil.copytree(folder / "whole", data)
    overwrite(data / "sheaf.db", page)
    wrong, counts, line = [], collections.Counter(), []
    name = owner.split(" ")[-1]
    with Server(data) as server:
        if server.ready():
            client = Client(server.port, key)
            came = pulls(client, counts, wrong)
            if not came:
                line.append(f"without a key {pulls(Client(server.port), counts, wrong)} pulls")
            for path in addresses["api"]:
                ask(client, "GET", path, None, counts, wrong)
            visitor, person = Client(server.port), Client(server.port)
            person.headers = {"Cookie": cookie}
            for number, path in enumerate(addresses["console"]):
                ask(person if number % 3 else visitor, "GET", path, None, counts, wrong, {"Accept": "text/html"})
            before, _ = push(client, counts, wrong)
            check(client, counts, wrong)
            after, text = push(client, counts, wrong)
            part = database_part(client)
            met = "damaged" in part or (after == 503 and b"damaged" in text)
            if met and after not in (503, 401):
                wrong.append(f"a push into a damaged database is {after}: {text[:200]!r}")
            if after == 503 and b"damaged" not in text:
                wrong.append(f"a push does not say why: {text[:300]!r}")
            if owner != "free" and not met:
                wrong.append(f"not met: {part}")
            line += [f"serves {came}/{PULLS} pulls, push {before}, after fsck {after}, database {part[:90]}", shown(counts)]
            if "internal error" in server.said():
                wrong.append("the log has an internal error")
        else:
            why = [row for row in server.said().splitlines() if "sheaf" in row or "error" in row.lower()][-1:]
            line.append(f"refuses to start ({server.process.poll()}): {' '.join(why)[:160]}")
            if "damaged" not in server.said():
                wrong.append(f"does not say why it does not start: {server.said()[-400:]}")
    status, text = sheaf("admin", "fsck", "--local", "--dry-run", "--data-dir", data)
    is_named = name in text and "damaged" in text
    line.append(f"fsck {status} {'names it' if is_named else 'clean' if 'damaged' not in text else 'says damaged'}")
    if not is_named and owner != "free":
        wrong.append(f"fsck does not name {owner}: {text[-600:]}")
    if "internal error" in text or "\tat " in text:
        wrong.append(f"fsck: {text[-600:]}")
    status, text = sheaf("admin", "backup", saved, "--local", "--salvage", "--data-dir", data)
    line.append(f"salvage {status} {' '.join(row for row in text.splitlines() if 'lost' in row)[:120]}")
    if status != 0:
        if "damaged" not in text or name != "sqlite_schema":
            wrong.append(f"salvage: {status} {text[-600:]}")
        return line, wrong
    (next_folder / "secrets").mkdir(parents=True)
    shutil.copy(data / "secrets/master-key", next_folder / "secrets/master-key")
    status, text = sheaf("admin", "restore", next(saved.glob("*/backup.json")).parent, "--data-dir", next_folder)
    if status != 0:
        wrong.append(f"restore: {status} {text[-600:]}")
        return line, wrong
    counts.clear()
    with Server(next_folder) as server:
        if not server.ready():
            wrong.append(f"the restored folder does not start: {server.said()[-600:]}")
            return line, wrong
        client = Client(server.port, key)
        owns = client.send("GET", "/v1/me")[0] == 200
        came = pulls(client if owns else Client(server.port), counts, wrong)
        for path in addresses["api"]:
            ask(client, "GET", path, None, counts, wrong)
        after, _ = push(client, counts, wrong) if owns else (401, b"")
        line.append(f"restored: key {'works' if owns else 'lost'}, {came}/{PULLS} pulls, push {after}; {shown(counts)}")
    return line, wrong


def prepare(folder):
    """Makes the whole folder. Returns the key, parameters, addresses and a cookie."""
    whole = folder / "whole"
    with Server(whole) as server:
        if not server.ready(600):  # it may need a build
            raise SystemExit(f"damage: the server did not start:\n{server.said()[-3000:]}")
        key = (whole / "bootstrap/admin-api-key").read_text().strip()
        client = Client(server.port, key)
        me = json.loads(client.send("GET", "/v1/organizations", expect=(200,))[1])
        organizations = me.get("organizations") or me.get("items") or me.get("data")
        known = fill(client, organizations[0]["id"])
    status, text = sheaf("admin", "user", "create", "--email", ADDRESS, "--role", "owner", "--password-stdin", "--local", "--data-dir", whole,
                         stdin=PASSWORD + "\n")
    if status != 0:
        raise SystemExit(f"damage: {text}")
    with Server(whole) as server:
        server.ready()
        client = Client(server.port)
        client.connection.request("POST", "/sign-in", f"email={ADDRESS.replace('@', '%40')}&password={PASSWORD.replace(' ', '+')}",
                                  {"Content-Type": "application/x-www-form-urlencoded", "Origin": f"http://{HOST}:{server.port}", "Sec-Fetch-Site": "same-origin"})
        answer = client.connection.getresponse()
        answer.read()
        cookie = "; ".join(one.split(";")[0] for one in answer.headers.get_all("Set-Cookie") or ())
        addresses = {"api": reads(known), "console": console(server.port, cookie)}
        time.sleep(2)  # the event feeds and counts are written
    with sqlite3.connect(whole / "sheaf.db") as database:
        database.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        database.execute("CREATE TABLE filler (content BLOB)")
        database.execute("INSERT INTO filler VALUES (zeroblob(200000))")
        database.commit()
        database.execute("DROP TABLE filler")
    database.close()
    return key, known, addresses, cookie


def report(folder, page, owner, prepared):
    """Prints what became of a place. Returns what is wrong."""
    begun = time.monotonic()
    try:
        line, wrong = damaged(folder, page, owner, prepared)
    except Exception as e:  # the others go on
        line, wrong = [], [f"{type(e).__name__}: {e}"]
    rows = [f"page {page}, {owner} ({time.monotonic() - begun:.0f} s): " + "; ".join(line)]
    rows += [f"    WRONG {what}" for what in list(dict.fromkeys(wrong))[:5]]
    print("\n".join(rows), flush=True)
    if not os.environ.get("DAMAGE_KEEP"):
        for one in folder.glob(f"*-{page}"):
            shutil.rmtree(one)
    return wrong


def main():
    folder = pathlib.Path(tempfile.mkdtemp(prefix="sheaf-damage-"))
    try:
        prepared = prepare(folder)
        addresses = prepared[2]
        places = choose(folder / "whole/sheaf.db", sys.argv[1:])
        print(f"{len(places)} places; {len(addresses['api'])} reads of the API, {len(addresses['console'])} pages of the console", flush=True)
        failed = 0
        with concurrent.futures.ThreadPoolExecutor(AT_ONCE) as pool:
            for wrong in pool.map(lambda place: report(folder, *place, prepared), places.items()):
                failed += bool(wrong)
        print(f"{len(places)} places, {failed} with something wrong")
        return 1 if failed else 0
    finally:
        if not os.environ.get("DAMAGE_KEEP"):
            shutil.rmtree(folder, ignore_errors=True)


if __name__ == "__main__":
    sys.exit(main())

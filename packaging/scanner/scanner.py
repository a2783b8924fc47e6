#!/usr/bin/env python3
"""An example of a scanner for Sheaf (docs/scanning.md). Needs Python 3.9 and nothing else.

    SCANNER_SECRET=whsec_... SHEAF_URL=https://bundles.example.org ./scanner.py --port 8090 [--rules rules.yar] [--signatures PATH]

It verifies the signature of each question, reads the files of the push with the token of the question, runs those of yara, clamscan and
gitleaks that are installed, and answers in the same response. Put it behind a proxy with TLS.
"""
import argparse
import base64
import hashlib
import hmac
import http.server
import json
import os
import shutil
import subprocess
import tempfile
import time
import urllib.parse
import urllib.request

LARGEST_QUESTION = 64 << 10
LARGEST_FILE = 64 << 20
LARGEST_PUSH = 512 << 20
TOLERANCE = 300  # seconds


def is_signed(secret, headers, body):
    """Returns whether a question is signed with the secret, and not old (Standard Webhooks 1.0)."""
    stamp = headers.get("webhook-timestamp", "")
    if not stamp.isdigit() or abs(time.time() - int(stamp)) > TOLERANCE:
        return False
    key = base64.b64decode(secret.removeprefix("whsec_"))
    signed = f'{headers.get("webhook-id", "")}.{stamp}.'.encode() + body
    wanted = "v1," + base64.b64encode(hmac.new(key, signed, hashlib.sha256).digest()).decode()
    return any(hmac.compare_digest(wanted, one) for one in headers.get("webhook-signature", "").split(" "))


def read(base, question, path, most):
    """Reads a part of the push. Only the registry that was configured gets the token."""
    url = f'{base}/v1/scans/{urllib.parse.quote(question["scanId"], safe="")}/{path}'
    request = urllib.request.Request(url, headers={"Authorization": "Bearer " + question["token"]})
    with urllib.request.urlopen(request, timeout=60) as answer:
        content = answer.read(most + 1)
    if len(content) > most:
        raise ValueError(f"{path} is larger than {most} bytes")
    return content


def download(base, question, folder):
    """Writes the files of the push under numbers, never under their names, and returns the names by number."""
    manifest = read(base, question, "manifest", 4 << 20)
    if "sha256:" + hashlib.sha256(manifest).hexdigest() != question["digest"]:
        raise ValueError("the manifest has another digest")
    names = {}
    left = LARGEST_PUSH
    for number, layer in enumerate(json.loads(manifest).get("layers", [])):
        content = read(base, question, "blobs/" + urllib.parse.quote(layer["digest"], safe=":"), min(LARGEST_FILE, left))
        if "sha256:" + hashlib.sha256(content).hexdigest() != layer["digest"]:
            raise ValueError("a file has another digest")
        left -= len(content)
        names[str(number)] = layer.get("annotations", {}).get("org.opencontainers.image.title", layer["digest"])
        with open(os.path.join(folder, str(number)), "wb") as file:
            file.write(content)
    return names


def run(*command):
    return subprocess.run(command, capture_output=True, text=True, timeout=300, check=False)


def finding(names, number, rule, text, severity="high", line=None):
    found = {"rule": rule, "severity": severity, "path": names.get(os.path.basename(number), number), "text": text}
    return found if line is None else {**found, "line": line}


def findings(folder, names, rules, signatures=None):
    """Runs the scanners that are installed. Raises an error if there is none, or if one fails."""
    found = []
    ran = []
    if rules and shutil.which("yara"):
        ran.append("yara")
        result = run("yara", "--no-warnings", "--recursive", rules, folder)
        if result.returncode != 0:
            raise RuntimeError("yara failed: " + result.stderr)
        for line in result.stdout.splitlines():
            rule, _, path = line.partition(" ")
            found.append(finding(names, path, "yara-" + rule, "Matches the rule " + rule))
    if shutil.which("clamscan"):
        ran.append("clamscan")
        result = run("clamscan", *([f"--database={signatures}"] if signatures else []), "--recursive", "--infected", "--no-summary", folder)
        if result.returncode not in (0, 1):
            raise RuntimeError("clamscan failed: " + result.stderr)
        for line in result.stdout.splitlines():
            path, _, name = line.rpartition(": ")
            found.append(finding(names, path, "clamav", name))
    if shutil.which("gitleaks"):
        ran.append("gitleaks")
        report = os.path.join(folder, "gitleaks.json")
        result = run("gitleaks", "dir", folder, "--no-banner", "--redact", "--report-path", report)
        if result.returncode not in (0, 1):
            raise RuntimeError("gitleaks failed: " + result.stderr)
        with open(report, encoding="utf-8") as file:
            for leak in json.load(file) or []:
                found.append(finding(names, leak["File"], "gitleaks-" + leak["RuleID"], leak["Description"], "medium", leak["StartLine"]))
    if not ran:
        raise RuntimeError("neither yara with --rules, nor clamscan, nor gitleaks is installed")
    return found


def scan(base, question, rules, signatures):
    with tempfile.TemporaryDirectory() as folder:
        found = findings(folder, download(base, question, folder), rules, signatures)
    worst = {one["severity"] for one in found}
    verdict = "block" if "high" in worst else "review" if worst else "allow"
    return {"digest": question["digest"], "verdict": verdict, "findings": found[:1000]}


class Handler(http.server.BaseHTTPRequestHandler):
    timeout = 60

    def do_POST(self):
        length = int(self.headers.get("Content-Length") or 0)
        if length > LARGEST_QUESTION:
            self.send_error(413)
            return
        body = self.rfile.read(length)
        if not is_signed(self.server.secret, self.headers, body):
            self.send_error(401)
            return
        try:
            answer = json.dumps(scan(self.server.base, json.loads(body), self.server.rules, self.server.signatures)).encode()
        except Exception as error:  # the registry asks again, and then people decide
            print("cannot scan:", error, flush=True)
            self.send_error(500)
            return
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(answer)))
        self.end_headers()
        self.wfile.write(answer)


def main():
    options = argparse.ArgumentParser(description="A scanner for Sheaf")
    options.add_argument("--port", type=int, default=8090)
    options.add_argument("--rules", help="rules for yara")
    options.add_argument("--signatures", help="signatures for clamscan, if they are not where freshclam puts them")
    given = options.parse_args()
    server = http.server.ThreadingHTTPServer(("127.0.0.1", given.port), Handler)
    server.secret = os.environ["SCANNER_SECRET"]
    server.base = os.environ["SHEAF_URL"].rstrip("/")
    server.rules = given.rules
    server.signatures = given.signatures
    print("listening on port", server.server_address[1], flush=True)
    server.serve_forever()


if __name__ == "__main__":
    main()

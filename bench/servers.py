"""Starts the measured servers, pinned to core 0, and reads their cost so far."""

import os
import pathlib
import socket
import subprocess
import time
import urllib.error
import urllib.request

CORE = "0"
TICK = os.sysconf("SC_CLK_TCK")


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


class Server:
    """One running server. CPU time and memory are read from /proc for the process and its children."""

    def __init__(self, name, command, port, folder, env=None, ready="/"):
        self.name, self.port, self.headers = name, port, {}
        self.base = f"http://127.0.0.1:{port}"
        self.log = pathlib.Path(folder, f"{name}.log")
        with open(self.log, "wb") as log:
            self.process = subprocess.Popen(
                ["taskset", "-c", CORE, *command], stdout=log, stderr=log, stdin=subprocess.DEVNULL,
                env={**os.environ, **(env or {})})
        self.await_answer(ready)

    def await_answer(self, path, seconds=60):
        deadline = time.monotonic() + seconds
        while time.monotonic() < deadline and self.process.poll() is None:
            try:
                urllib.request.urlopen(self.base + path, timeout=1)
                return
            except urllib.error.HTTPError as answer:
                if answer.code < 500:
                    return
            except OSError:
                pass
            time.sleep(0.05)
        self.stop()
        raise SystemExit(f"bench: {self.name} did not start:\n{self.log.read_text()[-4000:]}")

    def pids(self):
        pid = self.process.pid
        children = pathlib.Path(f"/proc/{pid}/task/{pid}/children").read_text().split()
        return [str(pid), *children]

    def cpu_seconds(self):
        """Returns the user and system time of all threads, including ended ones."""
        ticks = 0
        for pid in self.pids():
            fields = pathlib.Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
            ticks += int(fields[11]) + int(fields[12])
        return ticks / TICK

    def peak_rss_mib(self):
        kib = 0
        for pid in self.pids():
            for line in pathlib.Path(f"/proc/{pid}/status").read_text().splitlines():
                if line.startswith("VmHWM:"):
                    kib += int(line.split()[1])
        return kib / 1024

    def stop(self):
        if self.process.poll() is None:
            self.process.terminate()
            try:
                self.process.wait(20)
            except subprocess.TimeoutExpired:
                self.process.kill()
                self.process.wait()


# Requests are counted as usual, but never refused.
RATES = {f"SHEAF_RATE_{kind}": "1000000000" for kind in ("ANONYMOUS_READS", "READS", "WRITES", "CONTENT")}


def start_sheaf(folder, name="sheaf", env=None):
    port, data = free_port(), pathlib.Path(folder, name)
    server = Server(name, ["./sheaf", "serve", "--port", str(port), "--data-dir", str(data)], port, folder,
                    {**RATES, **(env or {})}, ready="/health/ready")
    key = pathlib.Path(data, "bootstrap", "admin-api-key").read_text().strip()
    server.headers = {"Authorization": f"Bearer {key}"}
    return server


def start_docker_registry(folder):
    port, config = free_port(), pathlib.Path(folder, "docker-registry.yml")
    config.write_text(f"""\
version: 0.1
log: {{level: error, accesslog: {{disabled: true}}}}
storage:
  filesystem: {{rootdirectory: {folder}/docker-registry}}
  cache: {{blobdescriptor: inmemory}}
http: {{addr: "127.0.0.1:{port}"}}
""")
    return Server("docker-registry", ["docker-registry", "serve", str(config)], port, folder, ready="/v2/")


def start_nginx(folder):
    port, config = free_port(), pathlib.Path(folder, "nginx.conf")
    root = pathlib.Path(folder, "nginx")
    root.mkdir()
    config.write_text(f"""\
{"user root;" if os.geteuid() == 0 else ""}
daemon off;
worker_processes 1;
pid {folder}/nginx.pid;
error_log stderr;
events {{ }}
http {{
  access_log off;
  sendfile on;
  tcp_nopush on;
  keepalive_requests 100000000;
  open_file_cache max=100;
  client_body_temp_path {folder}; proxy_temp_path {folder}; fastcgi_temp_path {folder};
  uwsgi_temp_path {folder}; scgi_temp_path {folder};
  server {{ listen 127.0.0.1:{port}; root {root}; }}
}}
""")
    server = Server("nginx", ["nginx", "-e", "stderr", "-c", str(config)], port, folder)
    server.root = root
    return server


START = {"sheaf": start_sheaf, "docker-registry": start_docker_registry, "nginx": start_nginx}

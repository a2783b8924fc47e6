"""A PostgreSQL of its own for a measurement: Debian's programs, a new folder, pg_stat_statements, and commits that cost a chosen time."""

import os
import pathlib
import shutil
import subprocess
import time

import servers

# Sleeps in fdatasync, with which PostgreSQL ends each write of its log; without real disks, a slow disk.
SLOW = r"""
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
int fdatasync(int file) {
  static int (*real)(int);
  if (!real) real = (int (*)(int)) dlsym(RTLD_NEXT, "fdatasync");
  long micros = 0;
  FILE *setting = fopen(getenv("SLOW_SYNC"), "r");
  if (setting) {
    if (fscanf(setting, "%ld", &micros) != 1) micros = 0;
    fclose(setting);
  }
  struct timespec pause = {0, micros * 1000};
  nanosleep(&pause, 0);
  return real(file);
}
"""
SETTINGS = {"listen_addresses": "127.0.0.1", "max_connections": "600", "shared_buffers": "256MB", "max_wal_size": "4GB",
            "shared_preload_libraries": "pg_stat_statements", "pg_stat_statements.track_utility": "on",
            "log_min_messages": "fatal", "autovacuum_naptime": "10min"}


def programs():
    """Returns the newest folder of PostgreSQL's programs."""
    found = sorted(pathlib.Path("/usr/lib/postgresql").glob("*/bin/postgres"), key=lambda path: int(path.parts[4]))
    if not found:
        raise SystemExit("bench: needs PostgreSQL (Debian: postgresql)")
    return found[-1].parent


class Postgres:
    """A running server with one empty database."""

    def __init__(self, folder, slow=False):
        """With `slow`, set_commit makes commits slower."""
        self.folder, self.port = pathlib.Path(folder, "postgres"), servers.free_port()
        self.user = {"user": "postgres"} if os.geteuid() == 0 else {}
        self.folder.mkdir()
        if self.user:
            os.chmod(folder, 0o755)
            shutil.chown(self.folder, "postgres")
        bin, data = programs(), self.folder / "data"
        subprocess.run([bin / "initdb", "-D", data, "-U", "sheaf", "-A", "trust", "-E", "UTF8", "--locale=C.UTF-8"], check=True,
                       stdout=subprocess.DEVNULL, cwd=self.folder, **self.user)
        options = [f"-c{name}={value}" for name, value in {**SETTINGS, "unix_socket_directories": self.folder}.items()]
        self.log = open(pathlib.Path(folder, "postgres.log"), "wb")
        self.process = subprocess.Popen([bin / "postgres", "-D", data, "-p", str(self.port), *options], cwd=self.folder,
                                        stdout=self.log, stderr=self.log, env=self._slow() if slow else None, **self.user)
        while subprocess.run([bin / "pg_isready", "-q", "-h", "127.0.0.1", "-p", str(self.port)]).returncode:
            if self.process.poll() is not None:
                raise SystemExit("bench: PostgreSQL did not start; see " + self.log.name)
            time.sleep(0.1)
        self.url = f"jdbc:postgresql://127.0.0.1:{self.port}/postgres"
        self.ask("CREATE EXTENSION pg_stat_statements")

    def set_commit(self, micros):
        """Makes each sync of the log take this much longer than the disk does."""
        (self.folder / "micros").write_text(str(micros))

    def _slow(self):
        self.set_commit(0)
        source, library = self.folder / "slow.c", self.folder / "slow.so"
        source.write_text(SLOW)
        subprocess.run(["gcc", "-shared", "-fPIC", "-O", "-o", library, source, "-ldl"], check=True)
        return {**os.environ, "LD_PRELOAD": str(library), "SLOW_SYNC": str(self.folder / "micros")}

    def ask(self, sql):
        """Returns the rows of a query, each a list of texts."""
        out = subprocess.run([programs() / "psql", "-h", "127.0.0.1", "-p", str(self.port), "-U", "sheaf", "-AtqF", "\t", "-c", sql,
                              "postgres"], check=True, capture_output=True, text=True).stdout
        return [line.split("\t") for line in out.splitlines()]

    def cpu_seconds(self):
        """Returns the CPU time of the server with all its processes, including ended ones."""
        ticks = 0
        for pid in [self.process.pid, *self._children()]:
            try:
                fields = pathlib.Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
            except (FileNotFoundError, ProcessLookupError):
                continue
            own, ended = int(fields[11]) + int(fields[12]), int(fields[13]) + int(fields[14])
            ticks += own + (ended if pid == self.process.pid else 0)
        return ticks / servers.TICK

    def _children(self):
        pid = self.process.pid
        return pathlib.Path(f"/proc/{pid}/task/{pid}/children").read_text().split()

    def work(self):
        """Returns what the server has done so far: statements, milliseconds of statements, bytes of its log, CPU seconds."""
        row = self.ask("SELECT coalesce(sum(calls), 0), coalesce(sum(total_exec_time), 0), pg_current_wal_insert_lsn() - '0/0'"
                       " FROM pg_stat_statements")[0]
        return [*map(float, row), self.cpu_seconds()]

    def stop(self):
        self.process.send_signal(2)  # ends its connections
        self.process.wait(30)
        self.log.close()

"""Sends a thousand simultaneous uploads. Do all succeed, and how much memory does the server take?

    python3 bench/parallel.py URL API-KEY-FILE PID

prints the outcomes and the server's memory; exits with 1 if an upload failed."""

import asyncio
import hashlib
import os
import pathlib
import sys
import urllib.parse

UPLOADS = int(os.environ.get("BENCH_UPLOADS", "1000"))
SIZE = int(os.environ.get("BENCH_UPLOAD_BYTES", str(1 << 20)))


async def answer(reader):
    """Reads an answer and drops its body. Returns status and headers."""
    lines = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1").split("\r\n")
    headers = {name.strip().lower(): value.strip() for name, _, value in (line.partition(":") for line in lines[1:])}
    await reader.readexactly(int(headers.get("content-length") or 0))
    return int(lines[0].split()[1]), headers


async def upload(server, index, half_way):
    """Runs [whole]. After a failure, the others no longer wait for this upload."""
    try:
        return await whole(server, index, half_way)
    except Exception:
        await half_way.abort()
        raise


async def whole(server, index, half_way):
    """Begins an upload with POST and sends its bytes with PUT. Between the two halves, waits for all others."""
    content = hashlib.sha256(str(index).encode()).digest() * (SIZE // 32)
    digest = "sha256:" + hashlib.sha256(content).hexdigest()
    reader, writer = await asyncio.open_connection("127.0.0.1", server.port)
    common = "".join(f"{name}: {value}\r\n" for name, value in server.headers.items()) + f"Host: 127.0.0.1:{server.port}\r\n"
    writer.write(f"POST /v2/parallel/r{index % 10}/blobs/uploads/ HTTP/1.1\r\n{common}Content-Length: 0\r\n\r\n".encode())
    status, headers = await answer(reader)
    if status == 202:
        location = urllib.parse.urlsplit(headers["location"])
        query = (location.query + "&" if location.query else "") + "digest=" + digest
        writer.write(f"PUT {location.path}?{query} HTTP/1.1\r\n{common}Content-Type: application/octet-stream\r\n"
                     f"Content-Length: {len(content)}\r\n\r\n".encode())
        writer.write(content[:SIZE // 2])
        await writer.drain()
        await half_way.wait()
        writer.write(content[SIZE // 2:])
        status, _ = await answer(reader)
    else:
        await half_way.wait()
    writer.close()
    return status


async def uploads(server):
    """Returns {status or exception: number of uploads}; 201 is success."""
    half_way = asyncio.Barrier(UPLOADS) if sys.version_info >= (3, 11) else None
    if half_way is None:
        raise SystemExit("bench: needs Python 3.11 for a thousand uploads at once")
    ends = await asyncio.gather(*(upload(server, i, half_way) for i in range(UPLOADS)), return_exceptions=True)
    counts = {}
    for end in ends:
        counts[str(end)] = counts.get(str(end), 0) + 1
    return counts


def run(server):
    """Runs [uploads] outside of an event loop."""
    return asyncio.run(uploads(server))


class Known:
    """A server that is already running."""

    def __init__(self, url, key):
        self.port, self.headers = urllib.parse.urlsplit(url).port, {"Authorization": f"Bearer {key}"}


if __name__ == "__main__":
    found = run(Known(sys.argv[1], pathlib.Path(sys.argv[2]).read_text().strip()))
    print(found, *(line for line in pathlib.Path(f"/proc/{sys.argv[3]}/status").read_text().splitlines()
                   if line.startswith(("VmHWM", "VmRSS", "RssAnon", "RssFile"))), sep="\n")
    sys.exit(found != {"201": UPLOADS})

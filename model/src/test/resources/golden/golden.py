"""Writes the golden files of PackagingTest from contract 4, independently of the Java code."""
import hashlib, json, pathlib

ASSETS = [  # by the bytes of the path
    ("agents/debian.agent.md", "agent_spec", "agent\n", "text/markdown"),
    ('config/"quoted".json', "config", "{}", "application/json"),
    ("skills/größe/👍.md", "skill", "# Größe 👍\n", "text/markdown"),
    ("Ａ.bin", "other", "", "application/octet-stream"),
]
assert [a[0] for a in ASSETS] == sorted((a[0] for a in ASSETS), key=lambda p: p.encode())


def sha(data):
    return hashlib.sha256(data).hexdigest()


def write(name, document):
    data = json.dumps(document, ensure_ascii=False, separators=(",", ":")).encode()
    pathlib.Path(__file__).with_name(name).write_bytes(data)
    print(name, sha(data))
    return data


config = write("config.json", {
    "namespace": "acme", "slug": "java-kit", "version": "1.2.0-rc.1+b7", "name": 'Java "Kit"',
    "description": "Zeile 1\nZeile 2\t\\ 👍",
    "assets": [{"logical_path": p, "asset_type": t, "content_sha256": sha(c.encode()), "size": len(c.encode()),
                "media_type": m} for p, t, c, m in ASSETS],
})
write("manifest.json", {
    "schemaVersion": 2, "mediaType": "application/vnd.oci.image.manifest.v1+json",
    "artifactType": "application/vnd.sheaf.bundle.v1",
    "config": {"mediaType": "application/vnd.sheaf.bundle.config.v1+json", "digest": "sha256:" + sha(config),
               "size": len(config)},
    "layers": [{"mediaType": m, "digest": "sha256:" + sha(c.encode()), "size": len(c.encode()),
                "annotations": {"org.opencontainers.image.title": p}} for p, t, c, m in ASSETS],
})

# The same with one file that its owner may execute: the config stays as it is.
EXECUTABLE = "agents/debian.agent.md"
write("manifest-executable.json", {
    "schemaVersion": 2, "mediaType": "application/vnd.oci.image.manifest.v1+json",
    "artifactType": "application/vnd.sheaf.bundle.v1",
    "config": {"mediaType": "application/vnd.sheaf.bundle.config.v1+json", "digest": "sha256:" + sha(config),
               "size": len(config)},
    "layers": [{"mediaType": m, "digest": "sha256:" + sha(c.encode()), "size": len(c.encode()),
                "annotations": ({"dev.sheaf.asset.executable": "true"} if p == EXECUTABLE else {})
                | {"org.opencontainers.image.title": p}} for p, t, c, m in ASSETS],
})

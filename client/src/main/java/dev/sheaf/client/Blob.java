package dev.sheaf.client;

import dev.sheaf.model.Digest;

/// Content by digest and length in bytes: what an OCI descriptor says of it.
record Blob(Digest digest, long size) {}

package dev.sheaf.client.api;

import dev.sheaf.model.Digest;

/// Content by digest and length in bytes: what an OCI descriptor says of it. A length that none can have is
/// refused.
public record Blob(Digest digest, long size) {
    public Blob {
        if (size < 0) {
            throw new SheafException.Integrity("blob " + digest + " is said to have " + size + " bytes");
        }
    }
}

package dev.sheaf.client.api;

import dev.sheaf.model.Digest;

/// The digest and length of some content, as in an OCI descriptor. Impossible lengths are refused.
public record Blob(Digest digest, long size) {
    public Blob {
        if (size < 0) {
            throw new SheafException.Integrity("blob " + digest + " has the impossible size of " + size + " bytes");
        }
    }
}

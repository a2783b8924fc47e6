package dev.sheaf.client.api;

import dev.sheaf.model.Digest;

/// The digest and length of content, as in an OCI descriptor. A negative length is refused.
public record Blob(Digest digest, long size) {
    public Blob {
        if (size < 0) {
            throw new SheafException.Integrity("blob " + digest + " has the invalid size of " + size + " bytes");
        }
    }

    /// That of a record would be made by code that Java makes at each start.
    @Override
    public int hashCode() {
        return digest.hex().hashCode();
    }
}

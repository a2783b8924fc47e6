package dev.sheaf.client.oci;

import dev.sheaf.client.api.Blob;
import dev.sheaf.client.api.Progress;
import dev.sheaf.client.api.SheafException;
import dev.sheaf.client.http.HttpCall;
import dev.sheaf.client.http.HttpReply;
import dev.sheaf.client.http.RegistryTransport;
import dev.sheaf.model.Digest;
import java.io.IOException;

/// A repository of an OCI registry, for reading (distribution-spec 1.1, "Pull").
///
/// @param name such as `acme/java-kit`, in the grammar of the specification, which needs no escapes in a path
/// @param sender sends requests with the credential that they need
public record OciRepository(RegistryTransport transport, String name, Sender sender) {
    /// Sends a request once; the caller closes the reply.
    public interface Sender {
        HttpReply once(HttpCall call);
    }

    /// Creates a repository that uses the credential of the transport.
    public OciRepository(RegistryTransport transport, String name) {
        this(transport, name, transport::once);
    }

    /// Returns a manifest as it was received; only its length is checked.
    ///
    /// @param reference a digest or a tag
    public byte[] manifest(String reference) {
        var call = HttpCall.get(transport.at("/v2/" + name + "/manifests/" + reference))
                .header("Accept", OciManifest.ACCEPT);
        return transport.retries().run(true, () -> {
            try (HttpReply reply = sender.once(call)) {
                return reply.bytes(OciManifest.LONGEST);
            } catch (IOException e) {
                throw transport.broken(e);
            }
        });
    }

    /// Returns a manifest.
    ///
    /// @throws SheafException.Integrity if its digest differs
    public byte[] manifest(Digest digest) {
        byte[] bytes = manifest(digest.toString());
        var actual = Digest.of(digest.algorithm(), bytes);
        if (!actual.equals(digest)) {
            throw new SheafException.Integrity("manifest " + digest + " was received with the digest " + actual);
        }
        return bytes;
    }

    public BlobDownload blob(Blob blob, Progress.Transfer progress) {
        return new BlobDownload(this, blob, progress);
    }
}

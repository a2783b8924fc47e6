package dev.sheaf.client;

import dev.sheaf.model.Digest;
import java.io.IOException;

/// One repository of an OCI registry, to read from (distribution-spec 1.1, "Pull").
///
/// @param name such as `acme/java-kit`, in the grammar of the specification, which needs no escapes in a path
/// @param sender makes one attempt at a request, with what credential it needs
record OciRepository(Transport transport, String name, Sender sender) {
    /// Makes one attempt at a request; the caller closes the reply.
    interface Sender {
        Reply once(Call call);
    }

    /// With the credential of the transport itself.
    OciRepository(Transport transport, String name) {
        this(transport, name, transport::once);
    }

    /// A manifest as it came, of which only the length is checked.
    ///
    /// @param reference a digest or a tag
    byte[] manifest(String reference) {
        var call = Call.get(transport.registry().at("/v2/" + name + "/manifests/" + reference))
                .header("Accept", OciManifest.ACCEPT);
        return transport.retries().run(true, () -> {
            try (Reply reply = sender.once(call)) {
                return reply.bytes(OciManifest.LONGEST);
            } catch (IOException e) {
                throw transport.broken(e);
            }
        });
    }

    /// @throws SheafException.Integrity where other bytes came
    byte[] manifest(Digest digest) {
        byte[] bytes = manifest(digest.toString());
        var actual = Digest.of(digest.algorithm(), bytes);
        if (!actual.equals(digest)) {
            throw new SheafException.Integrity("manifest " + digest + " arrived with digest " + actual);
        }
        return bytes;
    }

    BlobDownload blob(Blob blob, Progress.Transfer progress) {
        return new BlobDownload(this, blob, progress);
    }
}

package dev.sheaf.client.oci;

import dev.sheaf.client.api.Blob;
import dev.sheaf.client.api.Progress;
import dev.sheaf.client.api.SheafException;
import dev.sheaf.client.http.Call;
import dev.sheaf.client.http.Reply;
import dev.sheaf.client.http.Transport;
import dev.sheaf.model.Digest;
import java.io.IOException;

/// One repository of an OCI registry, to read from (distribution-spec 1.1, "Pull").
///
/// @param name such as `acme/java-kit`, in the grammar of the specification, which needs no escapes in a path
/// @param sender makes one attempt at a request, with what credential it needs
public record OciRepository(Transport transport, String name, Sender sender) {
    /// Makes one attempt at a request; the caller closes the reply.
    public interface Sender {
        Reply once(Call call);
    }

    /// With the credential of the transport itself.
    public OciRepository(Transport transport, String name) {
        this(transport, name, transport::once);
    }

    /// A manifest as it came, of which only the length is checked.
    ///
    /// @param reference a digest or a tag
    public byte[] manifest(String reference) {
        var call = Call.get(transport.at("/v2/" + name + "/manifests/" + reference))
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
    public byte[] manifest(Digest digest) {
        byte[] bytes = manifest(digest.toString());
        var actual = Digest.of(digest.algorithm(), bytes);
        if (!actual.equals(digest)) {
            throw new SheafException.Integrity("manifest " + digest + " arrived with digest " + actual);
        }
        return bytes;
    }

    public BlobDownload blob(Blob blob, Progress.Transfer progress) {
        return new BlobDownload(this, blob, progress);
    }
}
